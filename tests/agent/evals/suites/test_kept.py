"""Kept replies: found while nothing changed that they hang on, and never afterwards."""

from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from agent.evals.suites.agent import Fault, code
from agent.evals.suites.kept import Kept
from agent.evals.suites.places import Place, Places
from agent.evals.suites.suite import Case
from agent.evals.suites.written import Message
from agent.library import Library
from agent.reply import Fault as Broken
from agent.reply import Reply
from store import edits
from store.errors import UsageError
from tests.agent.evals.suites.made import reply, talk
from tests.agent.front.shell import run

CASE = Case("a", "line 1", (Message(role="user", content="Who?"),), ())


@dataclass
class Counting:
    """An agent that counts how often it is asked."""

    given: Reply | Fault
    identity: str = "one"
    name: str = "counting"
    asked: int = 0

    def stop(self) -> None:
        """Nothing to stop."""

    def answer(self, case: Case, place: Place) -> Reply | Fault:
        self.asked += 1
        return self.given


@pytest.fixture
def library(tmp_path: Path) -> Library:
    done = run(tmp_path / "library", "import", str(talk(tmp_path)), "--title", "talk")
    assert done.code == 0, done.err
    return Library(tmp_path / "library")


def _place(library: Library, folder: Path) -> Place:
    return Places(library, folder / "made", "talk").place(CASE)


def test_an_unchanged_case_is_asked_once(library: Library, tmp_path: Path) -> None:
    agent, kept = Counting(reply("Ben", ["Ben"])), Kept(tmp_path / "kept")
    first = kept.answer(agent, CASE, _place(library, tmp_path))
    again = Kept(tmp_path / "kept").answer(agent, CASE, _place(library, tmp_path))
    assert (first[1], again[1], agent.asked) == (False, True, 1)
    assert again[0] == agent.given
    assert {path.stat().st_mode & 0o777 for path in kept.folder.iterdir()} == {0o600}


def test_a_kept_reply_says_no_more_of_tools_than_it_did(library: Library, tmp_path: Path) -> None:
    agent, kept = Counting(reply("Ben")), Kept(tmp_path / "kept")
    for _ in range(2):
        given, _kept = kept.answer(agent, CASE, _place(library, tmp_path))
        assert isinstance(given, Reply)
        assert "plan" not in given.model_fields_set


def test_whatever_an_answer_hangs_on_makes_it_asked_again(library: Library, tmp_path: Path) -> None:
    agent, kept = Counting(reply("Ben")), Kept(tmp_path / "kept")
    kept.answer(agent, CASE, _place(library, tmp_path))
    kept.answer(agent, replace(CASE, messages=(Message(role="user", content="When?"),)), _place(library, tmp_path))
    assert agent.asked == 2
    kept.answer(replace_identity(agent), CASE, _place(library, tmp_path))
    recording = library.recording("talk")
    with library.database.writing() as connection:
        edits.rename(connection, recording.id, "Ben", "Benjamin")
    assert kept.answer(agent, CASE, _place(library, tmp_path))[1] is False
    corrected = tmp_path / "corrected.vtt"
    corrected.write_text((tmp_path / "talk.vtt").read_text().replace("40,000", "50,000"), encoding="utf-8")
    assert run(library.folder, "import", "--into", "talk", str(corrected)).code == 0
    assert kept.answer(agent, CASE, _place(library, tmp_path))[1] is False
    assert agent.asked == 4


def replace_identity(agent: Counting) -> Counting:
    return Counting(agent.given, "another")


def test_other_expectations_cost_nothing(library: Library, tmp_path: Path) -> None:
    from agent.evals.suites.scorers.values import Value

    agent, kept = Counting(reply("Ben")), Kept(tmp_path / "kept")
    kept.answer(agent, CASE, _place(library, tmp_path))
    other = replace(CASE, id="b", expect=(("value", Value(target=3)),))
    assert kept.answer(agent, other, _place(library, tmp_path))[1] is True


def test_what_did_not_come_is_never_kept(library: Library, tmp_path: Path) -> None:
    broken = Reply(status="failed", answer="x", error=Broken(kind="endpoint_unreachable", message="x"))
    for given in (Fault("timeout", "x"), broken):
        agent, kept = Counting(given), Kept(tmp_path / "kept")
        for _ in range(2):
            assert kept.answer(agent, CASE, _place(library, tmp_path))[1] is False
        assert agent.asked == 2
    assert list((tmp_path / "kept").iterdir()) == []


@pytest.mark.parametrize(
    "text", ["", "[]", "{", '{"kept": 3}', '{"kept": {"status": "fine"}}', "[" * 100_000], ids=range(6)
)
def test_a_spoiled_file_is_asked_again_and_replaced(text: str, library: Library, tmp_path: Path) -> None:
    agent, kept = Counting(reply("Ben")), Kept(tmp_path / "kept")
    kept.answer(agent, CASE, _place(library, tmp_path))
    (file,) = kept.folder.iterdir()
    file.write_text(text, encoding="utf-8")
    assert kept.answer(agent, CASE, _place(library, tmp_path))[1] is False
    assert kept.answer(agent, CASE, _place(library, tmp_path))[1] is True


def test_another_version_of_the_code_is_another_agent(tmp_path: Path) -> None:
    found = []
    for name, text in (("agent/x.py", "1"), ("agent/x.py", "2"), ("agent/evals/y.py", "1"), ("prompts/z.md", "1")):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
        code.cache_clear()
        found.append(code(tmp_path))
    assert [one == other for one, other in zip(found, found[1:], strict=False)] == [False, True, False]


def test_a_file_is_no_folder_for_replies(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(UsageError, match="is a folder"):
        Kept(tmp_path / "file")
