"""Sequences, chains of streams, what never was, and times from the end: plans as a person would read them."""

from typing import Any

import pytest

from store.database import Database
from store.record import Emotion, Event, Segment, Turn
from tests.tools.made import Made, made, plan
from tools.call import Session
from tools.evidence import Evidence
from tools.families import value
from tools.plan import Plan

# Ten minutes: the budget is mentioned at 1:00 (Ada) and 2:00 and 5:00 (Ben); applause and laughter come and go.
TALK = Made(
    [
        Segment(10_000, 14_000, "welcome to the meeting", "Ada"),
        Segment(60_000, 64_000, "first the budget", "Ada"),
        Segment(120_000, 125_000, "the budget is tight", "Ben"),
        Segment(200_000, 204_000, "now the garden", "Cleo"),
        Segment(300_000, 306_000, "so the budget again", "Ben"),
        Segment(420_000, 424_000, "and good bye", "Ada"),
    ],
    [
        Turn(10_000, 14_000, "Ada"),
        Turn(60_000, 64_000, "Ada"),
        Turn(120_000, 125_000, "Ben"),
        Turn(200_000, 204_000, "Cleo"),
        Turn(300_000, 306_000, "Ben"),
        Turn(420_000, 424_000, "Ada"),
    ],
    [Emotion(120_000, 125_000, "anger", 0.9, "Ben"), Emotion(300_000, 306_000, "happiness", 0.9, "Ben")],
    [
        Event(30_000, 32_000, "Laughter", 0.9),
        Event(90_000, 95_000, "Applause", 0.9),
        Event(121_000, 122_000, "Bell", 0.9),
        Event(150_000, 152_000, "Laughter", 0.9),
        Event(250_000, 252_000, "Applause", 0.9),
        Event(310_000, 312_000, "Laughter", 0.9),
    ],
    minutes=10,
)
LAUGHTER = ("events", {"labels": ["Laughter"]})
BEN_ON_BUDGET = ("transcript", {"keywords": ["budget"], "speaker": "Ben"})


def run(database: Database, asked: Plan, *content: Made) -> Evidence:
    with Session(database, made(database, *(content or (TALK,)))) as session:
        return session.run(asked)


def starts(evidence: Evidence) -> list[int]:
    return [row.t0 for row in evidence.rows]


def test_the_first_laugh_after_ben_mentions_the_budget(database: Database) -> None:
    joins = [{"stream": "b", "relation": "after"}]
    asked = plan(LAUGHTER, BEN_ON_BUDGET, joins=joins, order="time", limit=1, answer_schema="when")
    evidence = run(database, asked)
    assert value(asked, evidence) == [[150.0, 152.0]]
    assert [partner.text for partner in evidence.rows[0].partners] == ["the budget is tight"]


def test_the_first_laugh_after_ben_mentions_the_budget_for_the_last_time(database: Database) -> None:
    last = (BEN_ON_BUDGET[0], BEN_ON_BUDGET[1] | {"nth": -1})
    asked = plan(LAUGHTER, last, joins=[{"stream": "b", "relation": "after"}], limit=1)
    assert starts(run(database, asked)) == [310_000]


def test_what_is_said_between_the_first_applause_and_the_second_laughter(database: Database) -> None:
    first = ("events", {"labels": ["Applause"], "nth": 1})
    second = ("events", {"labels": ["Laughter"], "nth": 2})
    joins = [{"stream": "b", "relation": "after"}, {"stream": "c", "relation": "before"}]
    evidence = run(database, plan(("transcript", {}), first, second, joins=joins))
    assert starts(evidence) == [120_000]
    assert [partner.t0 for partner in evidence.rows[0].partners] == [90_000, 150_000]


def test_between_any_applause_and_any_laughter_is_more_than_between_the_nearest(database: Database) -> None:
    """After and before hold as soon as one partner lies there, so that other partners may lie between."""
    joins = [{"stream": "b", "relation": "after"}, {"stream": "c", "relation": "before"}]
    asked = plan(("transcript", {}), ("events", {"labels": ["Applause"]}), LAUGHTER, joins=joins)
    assert starts(run(database, asked)) == [120_000, 200_000, 300_000]


def test_a_chain_of_three_streams_who_spoke_while_a_bell_rang_during_anger(database: Database) -> None:
    calls = [("speaker", {}), ("events", {"labels": ["Bell"]}), ("emotion", {"labels": ["anger"]})]
    joins = [{"stream": "b"}, {"stream": "c", "to": "b", "relation": "within"}]
    evidence = run(database, plan(*calls, joins=joins, answer_schema="who"))
    assert [row.speaker for row in evidence.rows] == ["Ben"]
    (bell,) = evidence.rows[0].partners
    assert (bell.label, [anger.label for anger in bell.partners]) == ("Bell", ["anger"])
    happy = [*calls[:2], ("emotion", {"labels": ["happiness"]})]
    assert run(database, plan(*happy, joins=joins)).total == 0


def test_a_chain_of_four_streams(database: Database) -> None:
    """Laughter after what Ben said of the budget, while he sounded angry, while a bell rang: but not the first."""
    calls: list[tuple[str, dict[str, Any]]] = [
        LAUGHTER,
        BEN_ON_BUDGET,
        ("emotion", {"labels": ["anger"], "speaker": "Ben"}),
        ("events", {"labels": ["Bell"]}),
    ]
    joins = [
        {"stream": "b", "relation": "after", "tolerance": 60},
        {"stream": "c", "to": "b", "voice": "same"},
        {"stream": "d", "to": "c", "relation": "contains"},
    ]
    evidence = run(database, plan(*calls, joins=joins))
    assert starts(evidence) == [150_000]
    assert evidence.rows[0].partners[0].partners[0].partners[0].label == "Bell"


def test_a_partner_may_be_wanted_without_its_own(database: Database) -> None:
    """Laughter right after the budget was mentioned by somebody who did not sound angry then."""
    calls = [LAUGHTER, ("transcript", {"keywords": ["budget"]}), ("emotion", {"labels": ["anger"]})]
    joins = [{"stream": "b", "relation": "right_after", "tolerance": 30}, {"stream": "c", "to": "b", "kind": "without"}]
    assert starts(run(database, plan(*calls, joins=joins))) == [310_000]


@pytest.mark.parametrize(
    ("voice", "kind", "expected"),
    [("same", "without", ["Cleo"]), ("same", "inner", ["Ada", "Ben"]), ("any", "without", None)],
)
def test_who_never_mentioned_the_budget(database: Database, voice: str, kind: str, expected: Any) -> None:
    joins = [{"stream": "b", "relation": "anywhere", "kind": kind, "voice": voice}]
    said = ("transcript", {"keywords": ["budget"]})
    asked = plan(("speaker", {}), said, joins=joins, aggregate="count", group="speaker", answer_schema="who")
    found = value(asked, run(database, asked))
    assert found == (expected[0] if expected and len(expected) == 1 else expected)


def test_somebody_else_said_it_anywhere(database: Database) -> None:
    joins = [{"stream": "b", "relation": "anywhere", "voice": "other"}]
    only_cleo = ("transcript", {"keywords": ["garden"]})
    asked = plan(("speaker", {}), only_cleo, joins=joins, aggregate="count", group="speaker")
    assert [group.key for group in run(database, asked).groups] == ["Ada", "Ben"]


def test_which_recordings_mention_it_and_which_never_do(database: Database) -> None:
    other = Made([Segment(0, 1_000, "only plums", "Dan")], [Turn(0, 1_000, "Dan")], events=[])
    said = ("transcript", {"keywords": ["budget"]})
    asked = plan(said, group="recording", aggregate="count", answer_schema="recordings")
    never = [{"stream": "b", "relation": "anywhere", "kind": "without"}]
    not_asked = plan(
        ("speaker", {}), said, joins=never, group="recording", aggregate="count", answer_schema="recordings"
    )
    scope = made(database, TALK, other)
    with Session(database, scope) as session:
        assert value(asked, session.run(asked)) == ["talk-0-00000000"]
        assert value(not_asked, session.run(not_asked)) == ["talk-1-00000000"]


@pytest.mark.parametrize(
    ("args", "found"),
    [
        ({"nth": 1}, [30_000]),
        ({"nth": 2}, [150_000]),
        ({"nth": -1}, [310_000]),
        ({"nth": -3}, [30_000]),
        ({"nth": 4}, []),
        ({"nth": 1, "start": 100}, [150_000]),
        ({"start": -300}, [310_000]),
        ({"start": -450, "end": -200}, [150_000, 310_000]),
        ({"end": -300}, [30_000, 150_000]),
        ({"start": 100, "end": -300}, [150_000]),
        ({"start": -10_000}, [30_000, 150_000, 310_000]),
        ({"end": -10_000}, []),
        ({"start": 400, "end": -400}, []),
    ],
)
def test_the_nth_and_times_before_the_end(database: Database, args: dict[str, Any], found: list[int]) -> None:
    assert starts(run(database, plan((LAUGHTER[0], LAUGHTER[1] | args)))) == found


def test_the_last_minutes_and_the_nth_are_those_of_each_recording(database: Database) -> None:
    other = Made(events=[Event(100_000, 101_000, "Laughter", 0.9), Event(110_000, 111_000, "Laughter", 0.9)], minutes=2)
    scope = made(database, TALK, other)
    with Session(database, scope) as session:
        last = session.run(plan((LAUGHTER[0], LAUGHTER[1] | {"nth": -1})))
        minutes = session.run(plan((LAUGHTER[0], LAUGHTER[1] | {"start": -15}), aggregate="total_duration"))
        middle = session.run(plan((LAUGHTER[0], LAUGHTER[1] | {"start": 105, "end": -5})))
    assert [(row.recording[:6], row.t0) for row in last.rows] == [("talk-0", 310_000), ("talk-1", 110_000)]
    assert [(group.key, group.value) for group in minutes.groups] == [(None, 1_000)]
    assert starts(middle) == [150_000, 310_000, 110_000]


def test_the_nth_is_counted_after_every_other_filter(database: Database) -> None:
    asked = plan(("speaker", {"min_talk": 9, "nth": 2}))
    assert starts(run(database, asked)) == [60_000]


def test_a_duration_in_the_last_minutes_is_cut_to_them(database: Database) -> None:
    asked = plan(("speaker", {"names": ["Ada"], "start": -178}), aggregate="total_duration", answer_schema="duration")
    evidence = run(database, asked)
    assert value(asked, evidence) == 2.0
    listed = plan(("speaker", {"names": ["Ada"], "start": -178}), answer_schema="duration")
    assert value(listed, run(database, listed, TALK)) == 2.0
