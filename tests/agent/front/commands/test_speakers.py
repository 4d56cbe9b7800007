"""speakers: names come from people, can be taken back, and never merge two voices."""

from pathlib import Path

import pytest

from tests.agent.front.commands.test_recordings import bring
from tests.agent.front.shell import run

RTTM = "SPEAKER x 1 0 5 <NA> <NA> SPEAKER_00 <NA> <NA>\nSPEAKER x 1 5 3 <NA> <NA> SPEAKER_01 <NA> <NA>\n"


def unnamed(folder: Path) -> Path:
    (folder / "a.rttm").write_text(RTTM, encoding="utf-8")
    assert run(folder / "lib", "import", str(folder / "a.rttm")).code == 0
    return folder / "lib"


def names(library: Path, key: str = "a") -> list[str]:
    return [voice["speaker"] for voice in run(library, "speakers", key, "--json").json]


def test_a_voice_is_named_and_the_roster_closes(tmp_path: Path) -> None:
    library = unnamed(tmp_path)
    assert run(library, "show", "a", "--json").json["roster"] == "open"
    done = run(library, "speakers", "a", "--rename", "SPEAKER_00=Ada Lovelace")
    assert (done.code, done.err) == (0, "SPEAKER_00 is called Ada Lovelace; --undo takes it back\n")
    assert "Ada Lovelace" in done.out
    run(library, "speakers", "a", "--rename", "SPEAKER_01=Bob")
    assert names(library) == ["Ada Lovelace", "Bob"]
    assert run(library, "show", "a", "--json").json["roster"] == "closed"
    assert "Ada%20Lovelace" in run(library, "export", "a", "-f", "rttm").out


def test_changes_are_undone_one_by_one(tmp_path: Path) -> None:
    library = unnamed(tmp_path)
    run(library, "speakers", "a", "--rename", "SPEAKER_00=Ada")
    run(library, "speakers", "a", "--alias", "Ada=Countess")
    assert run(library, "speakers", "a", "--json").json[0]["aliases"] == ["Countess"]
    assert run(library, "speakers", "a", "--undo", "--json").json[0]["aliases"] == []
    run(library, "speakers", "a", "--undo")
    assert names(library) == ["SPEAKER_00", "SPEAKER_01"]
    assert run(library, "speakers", "a", "--undo").code == 6


def test_c35_a_rename_never_merges_two_voices(tmp_path: Path) -> None:
    library = unnamed(tmp_path)
    run(library, "speakers", "a", "--rename", "SPEAKER_00=John")
    done = run(library, "speakers", "a", "--rename", "SPEAKER_01=john")
    assert (done.code, done.err.count("\n")) == (1, 1)
    assert names(library) == ["John", "SPEAKER_01"]


def test_names_that_are_sql_can_be_renamed(tmp_path: Path) -> None:
    bring(tmp_path / "lib", tmp_path)
    assert run(tmp_path / "lib", "speakers", "drop.table", "--rename", "O'Brien; --=Róisín").code == 0
    said = run(tmp_path / "lib", "sql", "drop.table", "SELECT text FROM transcript WHERE speaker = 'Róisín'", "--json")
    assert said.json == [{"text": "drop it"}]


def test_an_unknown_voice_is_6_and_a_wrong_form_2(tmp_path: Path) -> None:
    library = unnamed(tmp_path)
    assert run(library, "speakers", "a", "--rename", "Zoe=Ada").code == 6
    assert run(library, "speakers", "a", "--rename", "Zoe").code == 2


MEETING = """WEBVTT

00:00.000 --> 00:05.000
<v SPEAKER_00>Good morning. I'm Diane. The budget is tight.

00:05.000 --> 00:08.000
<v SPEAKER_01>Thanks, Diane. The stage is ready.

00:10.000 --> 00:12.000
<v SPEAKER_02>I agree about the stage.
"""


def meeting(folder: Path) -> Path:
    (folder / "m.vtt").write_text(MEETING, encoding="utf-8")
    assert run(folder / "lib", "import", str(folder / "m.vtt")).code == 0
    return folder / "lib"


def value(library: Path, question: str) -> object:
    return run(library, "ask", "m", question, "--json").json["value"]


def test_a_merge_is_seen_by_questions_sql_and_exports_and_is_taken_back(tmp_path: Path) -> None:
    library = meeting(tmp_path)
    run(library, "speakers", "m", "--rename", "SPEAKER_01=Ben")
    assert value(library, "How many people speak?") == 3
    done = run(library, "speakers", "m", "--merge", "Ben+SPEAKER_02")
    assert (done.code, done.err) == (0, "SPEAKER_02 is part of Ben (SPEAKER_01); --undo takes it back\n")
    assert value(library, "How many people speak?") == 2
    assert value(library, "How long did Ben speak?") == 5
    assert value(library, "Who mentioned the stage?") == "Ben"
    assert run(library, "sql", "m", "SELECT DISTINCT speaker FROM transcript", "--json").json == [
        {"speaker": "SPEAKER_00"}, {"speaker": "Ben"},
    ]  # fmt: skip
    assert "SPEAKER_02" not in "".join(run(library, "export", "m", "-f", f).out for f in ("json", "rttm", "srt", "csv"))
    assert run(library, "speakers", "m", "--undo").err == "undone: SPEAKER_02 is part of Ben (SPEAKER_01)\n"
    assert value(library, "How many people speak?") == 3


def test_a_split_is_seen_by_questions_and_listed(tmp_path: Path) -> None:
    library = meeting(tmp_path)
    run(library, "speakers", "m", "--merge", "SPEAKER_01+SPEAKER_02")
    done = run(library, "speakers", "m", "--split", "SPEAKER_01@0:09-0:12=Cleo")
    assert (done.code, done.err) == (
        0,
        "what SPEAKER_01 says in 0:09-0:12 is of Cleo (SPEAKER_03); --undo takes it back\n",
    )
    assert value(library, "How long did Cleo speak?") == 2
    assert [edit["what"] for edit in run(library, "speakers", "m", "--edits", "--json").json] == [
        "SPEAKER_02 is part of SPEAKER_01",
        "what SPEAKER_01 says in 0:09-0:12 is of Cleo (SPEAKER_03)",
    ]
    run(library, "speakers", "m", "--undo")
    assert "Cleo" not in run(library, "speakers", "m").out
    assert run(library, "speakers", "m", "--edits").out.count("\n") == 1


@pytest.mark.parametrize(
    ("change", "code"),
    [
        (("--split", "SPEAKER_00@0:09=Ann"), 2), (("--split", "SPEAKER_00=Ann"), 2), (("--split", "Zoe@0:01-0:02"), 6),
        (("--split", "SPEAKER_00@0:06-0:07=Ann"), 1), (("--split", "SPEAKER_00@0:00-1:00=Ann"), 1),
        (("--merge", "SPEAKER_00"), 2), (("--merge", "SPEAKER_00+Zoe"), 6), (("--merge", "SPEAKER_00+speaker_00"), 1),
    ],
)  # fmt: skip
def test_a_change_that_cannot_be_is_one_clear_line_and_changes_nothing(
    tmp_path: Path, change: tuple[str, str], code: int
) -> None:
    library = meeting(tmp_path)
    done = run(library, "speakers", "m", *change)
    assert (done.code, done.out, done.err.count("\n")) == (code, "", 1)
    assert names(library, "m") == ["SPEAKER_00", "SPEAKER_01", "SPEAKER_02"]


def test_who_a_voice_may_be_is_shown_with_what_was_said(tmp_path: Path) -> None:
    library = meeting(tmp_path)
    line = "SPEAKER_00 may be Diane: [0:00 SPEAKER_00] “I'm Diane.”   (--rename 'SPEAKER_00=Diane')"
    assert line in run(library, "speakers", "m").out
    first = run(library, "speakers", "m", "--json").json[0]
    assert [(one["name"], one["confident"]) for one in first["suggestions"]] == [("Diane", True)]
    assert names(library, "m")[0] == "SPEAKER_00"


def test_c13_a_name_that_speech_contradicts_is_flagged(tmp_path: Path) -> None:
    (tmp_path / "call.vtt").write_text(
        "WEBVTT\n\n00:00.000 --> 00:02.000\n<v Dmitry>Hi, nice to meet you Dmitry.\n\n"
        "00:02.000 --> 00:04.000\n<v Anna>Hello. How are you?\n",
        encoding="utf-8",
    )
    run(tmp_path / "lib", "import", str(tmp_path / "call.vtt"))
    (found,) = run(tmp_path / "lib", "speakers", "call", "--json").json[0]["suggestions"]
    assert (found["name"], found["known"], found["confident"], len(found["against"])) == ("Dmitry", True, False, 1)
    assert "Dmitry (Dmitry) may be somebody else: [0:00 Dmitry]" in run(tmp_path / "lib", "speakers", "call").out
