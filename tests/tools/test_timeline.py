from hypothesis import given
from hypothesis import strategies as st

from store.record import Span, Turn
from tools.timeline import Timeline

TIMES = st.integers(0, 60)
TURN = st.builds(
    lambda t0, length, voice: Turn(t0, t0 + length, voice), TIMES, st.integers(1, 40), st.sampled_from("AB")
)
TURNS = st.lists(TURN)
SPANS = st.builds(lambda t0, length: Span(t0, t0 + length), TIMES, st.integers(1, 40))


@given(TURNS, SPANS, st.integers(0, 20))
def test_bisection_finds_what_a_walk_over_all_turns_finds(turns: list[Turn], span: Span, reach: int) -> None:
    timeline = Timeline(turns)
    ordered = sorted(turns, key=lambda turn: (turn.t0, turn.t1, turn.speaker))
    assert timeline.overlapping(span) == [turn for turn in ordered if Span(turn.t0, turn.t1).overlaps(span)]
    assert timeline.within(span, reach) == [turn for turn in ordered if Span(turn.t0, turn.t1).gap(span) <= reach]


@given(TURNS, SPANS)
def test_a_voice_is_given_for_the_time_it_shares(turns: list[Turn], span: Span) -> None:
    shared = Timeline(turns).shared(span)
    for voice in "AB":
        inside = [Span(max(t.t0, span.t0), min(t.t1, span.t1)).duration for t in turns if t.speaker == voice]
        assert shared[voice] == sum(inside)
    assert shared[Timeline(turns).voice(span) or ""] == max(shared.values(), default=0)


def test_among_equals_the_first_by_name_speaks_and_nobody_where_nobody_does() -> None:
    timeline = Timeline([Turn(0, 10, "Ben"), Turn(0, 10, "Ada")])
    assert timeline.voice(Span(2, 8)) == "Ada"
    assert timeline.voice(Span(10, 12)) is None
