"""import, list, show, rm: a recording comes, is seen, and goes without leaving a word behind."""

from pathlib import Path

import pytest

from tests.agent.front import meeting
from tests.agent.front.shell import run


def bring(library: Path, folder: Path, title: str = "drop.table") -> str:
    done = run(
        library, "import", "--transcript", str(meeting.vtt(folder)), "--events", str(meeting.events(folder)),
        "--emotions", str(meeting.emotions(folder)), "--title", title, "--json",
    )  # fmt: skip
    assert done.code == 0, done.err
    return str(done.json["recording"])


def test_import_says_what_came_in_and_json_says_all(tmp_path: Path) -> None:
    done = run(tmp_path / "lib", "import", str(meeting.vtt(tmp_path)), "--json")
    assert done.err == "meeting.vtt: imported 5 cues\n"
    assert done.json == {
        "recording": done.json["recording"],
        "title": "meeting",
        "duration": 4.9,
        "estimated": True,
        "fresh": True,
        "files": [
            {"file": "meeting.vtt", "format": "vtt", "stream": "transcript", "imported": 5, "clamped": [],
             "set_aside": [], "unit": "line"}
        ],
        "caveats": [],
    }  # fmt: skip


def test_importing_the_same_files_again_does_nothing_and_says_so(tmp_path: Path) -> None:
    first = run(tmp_path / "lib", "import", str(meeting.vtt(tmp_path)))
    again = run(tmp_path / "lib", "import", str(meeting.vtt(tmp_path)), "--title", "other")
    assert (again.code, again.out) == (0, first.out)
    assert "already in the library" in again.err


@pytest.mark.parametrize(("names", "roster"), [("open", "open"), ("closed", "closed"), (None, "closed")])
def test_names_may_be_said_to_be_open_or_closed(names: str | None, roster: str, tmp_path: Path) -> None:
    extra = ["--names", names] if names else []
    run(tmp_path / "lib", "import", str(meeting.vtt(tmp_path)), *extra)
    assert run(tmp_path / "lib", "show", "meeting", "--json").json["roster"] == roster


def test_list_and_show_tell_the_same(tmp_path: Path) -> None:
    public_id = bring(tmp_path / "lib", tmp_path)
    (listed,) = run(tmp_path / "lib", "list", "--json").json
    shown = run(tmp_path / "lib", "show", "drop.table", "--json").json
    assert {**listed, "manifest": shown["manifest"], "versions": shown["versions"]} == shown
    assert listed["recording"] == public_id
    assert [voice["speaker"] for voice in listed["speakers"]] == list(meeting.NAMES)
    assert (listed["emotions"], listed["events"]) == ({"anger": 1}, {"Laughter": 1})
    table = run(tmp_path / "lib", "show", public_id[:6]).out
    assert all(name in table for name in meeting.NAMES)
    assert public_id in run(tmp_path / "lib", "list").out


@pytest.mark.parametrize(
    "form", ["srt", "vtt", "tsv", "whisperx", "textgrid", "aud", "md", "book", "json", "csv", "rttm"]
)
def test_every_format_is_written(form: str, tmp_path: Path) -> None:
    library = tmp_path / "lib"
    bring(library, tmp_path)
    done = run(library, "export", "drop.table", "-f", form)
    assert (done.code, done.err) == (0, "")
    assert ("We ship on Friday" in done.out) == (form != "rttm")
    target = tmp_path / "out" / "x"
    assert run(library, "export", "drop.table", "-f", form, "-o", str(target)).code == 1
    assert run(library, "export", "drop.table", "-f", "docx").code == 2


def test_a_textgrid_and_labels_become_a_recording(tmp_path: Path) -> None:
    library = tmp_path / "lib"
    bring(library, tmp_path)
    grid, labels = tmp_path / "talk.TextGrid", tmp_path / "labels.txt"
    run(library, "export", "drop.table", "-f", "textgrid", "-o", str(grid))
    labels.write_text("1.0\t1.0\tDoor\n\\\t-1.0\t440.0\n", encoding="utf-8")
    done = run(tmp_path / "other", "import", str(grid), "--events", str(labels), "--json")
    assert [entry["format"] for entry in done.json["files"]] == ["textgrid", "aud"]
    shown = run(tmp_path / "other", "show", "talk", "--json").json
    assert {voice["speaker"] for voice in shown["speakers"]} == set(meeting.NAMES)
    assert shown["events"] == {"Door": 1}
    refused = run(tmp_path / "other", "import", str(labels))
    assert (refused.code, refused.err.count("\n")) == (2, 1)


def test_a_corrected_file_is_a_new_version_and_show_says_so(tmp_path: Path) -> None:
    library, path = tmp_path / "lib", tmp_path / "fixed.srt"
    public_id = bring(library, tmp_path)
    run(library, "export", "drop.table", "-f", "srt", "-o", str(path))
    same = run(library, "import", "--into", public_id[:6], str(path))
    assert (same.code, same.out) == (0, f"{public_id}\n")
    assert "transcript: nothing differs from version 1; nothing to do\n" in same.err
    assert "versions" not in run(library, "show", public_id).out
    path.write_text(path.read_text(encoding="utf-8").replace("Friday", "Monday"), encoding="utf-8")
    done = run(library, "import", "--into", public_id, str(path), "--json")
    assert done.json["streams"] == [{"stream": "transcript", "version": 2, "before": 1, "fresh": True}]
    assert "transcript: new version 2; version 1 is kept\n" in done.err
    table = run(library, "show", public_id).out
    assert "meeting.vtt" in table.split("versions")[1]
    assert "fixed.srt" in table
    kept = [v for v in run(library, "show", public_id, "--json").json["versions"] if v["stream"] == "transcript"]
    assert [(v["version"], v["active"], v["model"], v["rows"]) for v in kept] == [
        (1, False, "vtt", 5),
        (2, True, "srt", 5),
    ]
    said = run(library, "sql", public_id, "SELECT text FROM transcript WHERE text LIKE 'We ship%'", "--json")
    assert said.json == [{"text": "We ship on Monday"}]


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["--into", "nope", "FILE"], 6),
        (["--into", "drop"], 2),
        (["--into", "drop", "FILE", "--title", "x"], 2),
        (["--into", "drop", "BAD"], 1),
    ],
)
def test_a_correction_that_cannot_be_is_one_line(arguments: list[str], code: int, tmp_path: Path) -> None:
    bring(tmp_path / "lib", tmp_path)
    bad = tmp_path / "bad.vtt"
    bad.write_text("WEBVTT\n", encoding="utf-8")
    files = {"FILE": str(tmp_path / "meeting.vtt"), "BAD": str(bad)}
    done = run(tmp_path / "lib", "import", *(files.get(word, word) for word in arguments))
    assert (done.code, done.out, done.err.count("\n")) == (code, "", 1)


def test_an_empty_library_is_an_empty_list(tmp_path: Path) -> None:
    assert run(tmp_path / "lib", "list", "--json").json == []
    assert "empty" in run(tmp_path / "lib", "list").err


def test_an_unknown_recording_is_6_and_names_what_exists(tmp_path: Path) -> None:
    public_id = bring(tmp_path / "lib", tmp_path)
    done = run(tmp_path / "lib", "show", "nope")
    assert (done.code, done.out) == (6, "")
    assert public_id in done.err


def test_rm_asks_and_nobody_there_means_no(tmp_path: Path) -> None:
    public_id = bring(tmp_path / "lib", tmp_path)
    assert run(tmp_path / "lib", "rm", public_id).code == 2
    assert len(run(tmp_path / "lib", "list", "--json").json) == 1


def test_rm_leaves_no_word_behind_and_the_rest_alone(tmp_path: Path) -> None:
    library = tmp_path / "lib"
    canaries = [f"canary{i}xyzzy" for i in range(20)]
    path = tmp_path / "secret.vtt"
    cues = "\n".join(f"00:{i:02}.000 --> 00:{i:02}.900\n<v {c}name>{c} said {c}\n" for i, c in enumerate(canaries))
    path.write_text("WEBVTT\n\n" + cues, encoding="utf-8")
    run(library, "import", str(path), "--title", "canary0xyzzy title")
    bring(library, tmp_path)
    (library / "overheard.schema0.sqlite3").write_bytes((library / "overheard.sqlite3").read_bytes())
    assert sum(c.encode() in p.read_bytes() for p in library.rglob("*") if p.is_file() for c in canaries) >= 20
    assert run(library, "rm", "canary0xyzzy title", "--yes").code == 0
    left = [c for p in library.rglob("*") if p.is_file() for c in canaries if c.encode() in p.read_bytes().lower()]
    assert left == []
    assert [entry["title"] for entry in run(library, "list", "--json").json] == ["drop.table"]
    found = run(library, "sql", "drop.table", "SELECT term FROM keyword_hit", "--keyword", "don't", "--json")
    assert found.json == [{"term": "don't"}]
