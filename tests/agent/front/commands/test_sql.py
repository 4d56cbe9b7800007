"""sql and export: names that are words of SQL are only names, and nothing passes the fence."""

import csv
import io
from pathlib import Path

import pytest

from tests.agent.front import meeting
from tests.agent.front.commands.test_recordings import bring
from tests.agent.front.shell import run


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("sql")
    bring(folder / "lib", folder)
    return folder / "lib"


@pytest.mark.parametrize(("name", "text"), list(zip(meeting.NAMES, meeting.SAID, strict=True)))
def test_words_of_sql_are_names(name: str, text: str, library: Path) -> None:
    literal = name.replace("'", "''")
    sql = f"SELECT text, speaker FROM transcript WHERE speaker = '{literal}'"
    assert run(library, "sql", "drop.table", sql, "--json").json == [{"text": text, "speaker": name}]


def test_rows_as_table_json_and_csv(library: Path) -> None:
    sql = "SELECT start_s, label FROM events"
    assert run(library, "sql", "drop.table", sql, "--json").json == [{"start_s": 1.5, "label": "Laughter"}]
    assert list(csv.reader(io.StringIO(run(library, "sql", "drop.table", sql, "--csv").out))) == [
        ["start_s", "label"],
        ["1.5", "Laughter"],
    ]
    assert "Laughter" in run(library, "sql", "drop.table", sql).out


def test_the_schema_names_the_views(library: Path) -> None:
    out = run(library, "sql", "--schema").out
    assert [line.partition("(")[0] for line in out.splitlines()][:6] == [
        "recording", "transcript", "word", "speaker", "emotion", "events"
    ]  # fmt: skip


@pytest.mark.parametrize(
    "sql", ["DELETE FROM segment", "SELECT 1; SELECT 2", "SELECT * FROM sqlite_master", "PRAGMA writable_schema=ON", ""]
)
def test_what_the_fence_refuses_is_one_line_and_5(sql: str, library: Path) -> None:
    done = run(library, "sql", "drop.table", sql)
    assert done.code == (5 if sql else 2)
    assert (done.out, done.err.count("\n")) == ("", 1)


def test_a_cut_result_says_so(library: Path) -> None:
    rows = "SELECT a.text FROM transcript a JOIN transcript b ON 1 JOIN transcript c ON 1 JOIN transcript d ON 1"
    done = run(library, "sql", "drop.table", rows, "--json")
    assert "only the first 200 rows" in done.err
    assert len(done.json) == 200


@pytest.mark.parametrize("form", ["rttm", "json", "csv", "srt", "vtt"])
def test_export_writes_the_same_to_stdout_and_to_a_file(form: str, library: Path, tmp_path: Path) -> None:
    path = tmp_path / f"x.{form}"
    shown = run(library, "export", "drop.table", "-f", form)
    written = run(library, "export", "drop.table", "-f", form, "-o", str(path))
    assert (shown.code, written.code, written.out) == (0, 0, "")
    assert path.read_text(encoding="utf-8") == shown.out != ""


def test_export_to_nowhere_is_one_line(library: Path, tmp_path: Path) -> None:
    done = run(library, "export", "drop.table", "-f", "vtt", "-o", str(tmp_path / "none" / "x"))
    assert (done.code, done.err.count("\n")) == (1, 1)
