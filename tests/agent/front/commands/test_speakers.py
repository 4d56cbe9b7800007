"""speakers: names come from people, can be taken back, and never merge two voices."""

from pathlib import Path

from tests.agent.front.commands.test_recordings import bring
from tests.agent.front.shell import run

RTTM = "SPEAKER x 1 0 5 <NA> <NA> SPEAKER_00 <NA> <NA>\nSPEAKER x 1 5 3 <NA> <NA> SPEAKER_01 <NA> <NA>\n"


def unnamed(folder: Path) -> Path:
    (folder / "a.rttm").write_text(RTTM, encoding="utf-8")
    assert run(folder / "lib", "import", str(folder / "a.rttm")).code == 0
    return folder / "lib"


def names(library: Path) -> list[str]:
    return [voice["speaker"] for voice in run(library, "speakers", "a", "--json").json]


def test_a_voice_is_named_and_the_roster_closes(tmp_path: Path) -> None:
    library = unnamed(tmp_path)
    assert run(library, "show", "a", "--json").json["roster"] == "open"
    done = run(library, "speakers", "a", "--rename", "SPEAKER_00=Ada Lovelace")
    assert (done.code, done.err) == (0, "SPEAKER_00 is now called Ada Lovelace; --undo takes it back\n")
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
