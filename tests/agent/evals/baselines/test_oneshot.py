"""PlanRAG's one shot: filters before joins, the nearest midpoint, no second try; on clean turns and close ones."""

from pathlib import Path

from agent.ask import ask
from agent.evals.baselines.oneshot import NEAREST, OneShot, paper
from agent.library import Library
from tests.agent.evals.baselines.conftest import Asked
from tests.agent.graph.talk import talk

CLOSE = (
    (0, 4_000, 0, "The launch month of Aurora is July."),
    (4_100, 8_000, 1, "I see."),
    (60_000, 64_000, 1, "The colour of Borealis is crimson."),
)
ASKED = "According to Ben, what is the launch month of Aurora? (A) July (B) May (C) March (D) April"


def _asked(library: Library, shared: bool, question: str) -> tuple[str, object]:
    reply = OneShot(shared=shared)(library, library.recordings()[0].public_id, question)
    return reply.status, reply.value


def test_words_of_another_close_by_pass_the_join_of_filtered_streams(tmp_path: Path) -> None:
    library = talk(tmp_path, lines=CLOSE)
    assert _asked(library, False, ASKED) == ("answered", "A")
    assert _asked(library, True, ASKED) == ("not_found", None)
    assert ask(library, ASKED).status == "refused"


def test_words_of_another_far_away_do_not(tmp_path: Path) -> None:
    question = "According to Anna, what is the colour of Borealis? (A) crimson (B) blue (C) red (D) green"
    library = talk(tmp_path, lines=CLOSE)
    assert _asked(library, False, question)[0] == "not_found"
    assert _asked(library, False, question.replace("Anna", "Ben")) == ("answered", "A")


def test_nothing_is_tried_twice(tmp_path: Path) -> None:
    library = talk(tmp_path, lines=((0, 4_000, 0, "We planned two trips."),))
    assert _asked(library, True, "Who mentioned the trip?") == ("not_found", None)
    assert ask(library, "Who mentioned the trip?").value == "Anna"


def test_a_plan_is_written_as_the_paper_could() -> None:
    calls = [
        {"name": "transcript", "id": "t", "args": {"keywords": ["a"], "speaker": "Ben", "semantic": "of a"}},
        {"name": "events", "id": "e", "args": {"labels": ["Siren"]}},
        {"name": "fuse", "id": "f", "args": {"anchor": "t", "joins": [{"stream": "e", "relation": "before"}]}},
    ]
    text, sound, who, fuse = paper(calls)
    assert (text["args"], sound["args"], who["args"]) == (
        {"keywords": ["a"]},
        {"labels": ["Siren"]},
        {"names": ["Ben"]},
    )
    assert [join | NEAREST == join for join in fuse["args"]["joins"]] == [True, True]
    assert [join["stream"] for join in fuse["args"]["joins"]] == ["e", who["id"]]
    assert paper(calls, shared=True)[0]["args"] == {"keywords": ["a"], "speaker": "Ben"}


def test_it_counts_what_it_finds_exactly(clean: Asked) -> None:
    exact = OneShot(shared=True)
    counted = [item for item in clean.items if item.family == "count"]
    assert [exact(clean.library, clean.recording, i.question).value for i in counted] == [i.value for i in counted]
