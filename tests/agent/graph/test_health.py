"""What the streams' health does to questions: noise is refused with the reason, a doubt is said beside the answer."""

from agent.ask import ask
from agent.library import Library
from store.database import Database
from store.record import Segment, Turn
from tests.tools.made import Made, made

SPEECH = [Turn(n * 10_000, n * 10_000 + 8_000, ("Ada", "Ben")[n % 2]) for n in range(120)]
SAID = [Segment(turn.t0, turn.t1, f"the budget is {n} francs", turn.speaker) for n, turn in enumerate(SPEECH)]
LOOP = [Segment(turn.t0, turn.t1, "Thanks for watching the budget.", turn.speaker) for turn in SPEECH]


def test_a_transcript_that_loops_is_no_evidence(database: Database) -> None:
    made(database, Made(transcript=LOOP, speaker=SPEECH, minutes=20))
    reply = ask(Library(database.folder), "What did Ada say about the budget?")
    assert reply.status == "refused"
    assert reply.refusal is not None
    assert reply.refusal.reason == "stream_unreliable"
    assert "119 of 120 rows repeat the row before" in reply.answer


def test_the_other_streams_can_still_be_asked(database: Database) -> None:
    made(database, Made(transcript=LOOP, speaker=SPEECH, minutes=20))
    reply = ask(Library(database.folder), "How long did Ada speak?")
    assert (reply.status, reply.value) == ("answered", 480.0)
    assert not any("repeat" in caveat for caveat in reply.caveats)


def test_an_answer_says_where_its_stream_ends(database: Database) -> None:
    made(database, Made(transcript=SAID[:60], speaker=SPEECH, minutes=20))
    reply = ask(Library(database.folder), "Did Ben mention the train?")
    assert (reply.status, reply.value) == ("answered", False)
    assert "the transcript stream: nothing after 9:58, though speech goes on to 19:58" in reply.caveats
