"""Each step of the ladder is named, strict questions keep to forms of the same word, and a speaker's limits hold."""

from pathlib import Path

import pytest

from agent.ask import ask
from tests.agent.graph.talk import talk

LINES = (
    (0, 4_000, 0, "The funding was agreed in spring."),
    (4_200, 9_000, 1, "We planned two trips and one journey."),
    (9_100, 14_000, 0, "A physician spoke about the bridges."),
    (16_000, 20_000, 2, "It is quiet again."),
)


@pytest.mark.parametrize(
    ("question", "value", "step"),
    [
        ("Who mentioned the trip?", "Ben", "widened: other forms (trip → trips)"),
        ("How often was the bridge mentioned?", 1, "widened: other forms (bridge → bridges)"),
        ("Did Ben say that they plan something with a trip?", True, "widened: other forms"),
        ("Who mentioned the doctor?", "Anna", "widened: words that mean the same (doctor → physician)"),
        ("When was the budget mentioned?", [[0.0, 4.0]], "widened: words that mean the same (budget → funding)"),
    ],
)
def test_a_step_finds_what_the_word_did_not(tmp_path: Path, question: str, value: object, step: str) -> None:
    reply = ask(talk(tmp_path, lines=LINES), question)
    assert (reply.status, reply.value) == ("answered", value)
    assert any(caveat.startswith(step) for caveat in reply.caveats), reply.caveats
    assert 0 < reply.confidence < 0.95


@pytest.mark.parametrize("question", ["How often was the doctor mentioned?", "Did anyone mention the doctor?"])
def test_what_only_means_the_same_is_not_counted(tmp_path: Path, question: str) -> None:
    reply = ask(talk(tmp_path, lines=LINES), question)
    assert reply.status == "answered"
    assert not reply.value
    assert not any(caveat.startswith("widened") for caveat in reply.caveats)


def test_a_speaker_gets_no_synonym_while_others_said_the_very_thing(tmp_path: Path) -> None:
    lines = (*LINES, (21_000, 24_000, 2, "The doctor is late."))
    reply = ask(talk(tmp_path, lines=lines), "What did Anna say about the doctor?")
    assert (reply.status, reply.refusal and reply.refusal.reason) == ("refused", "not_said_by_speaker")


def test_a_sound_of_the_same_family_is_offered_for_when_and_not_for_whether(tmp_path: Path) -> None:
    library = talk(tmp_path)
    assert ask(library, "Was a police car siren heard?").value is False
    when = ask(library, "When was a police car siren heard?")
    assert when.status == "answered"
    assert any("sounds of the same family" in caveat for caveat in when.caveats)


def test_a_partner_just_beside_is_found_and_said_so(tmp_path: Path) -> None:
    lines = (*LINES[:3], (14_100, 20_000, 2, "It is quiet again."))
    reply = ask(talk(tmp_path, lines=lines), "What did Carla say during the siren?")
    assert reply.status == "answered"
    assert "widened: within 2.5 s beside" in reply.caveats


@pytest.mark.parametrize(
    ("question", "status", "value"),
    [
        ("When do people speak at the same time?", "not_found", None),
        ("Who speaks at the same time?", "not_found", None),
        ("When is there overlapping speech?", "not_found", None),
        ("Do people speak at the same time?", "answered", False),
    ],
)
def test_who_speaks_close_to_somebody_does_not_speak_at_the_same_time(
    tmp_path: Path, question: str, status: str, value: object
) -> None:
    reply = ask(talk(tmp_path, lines=LINES), question)
    assert (reply.status, reply.value) == (status, value)
    assert not any(caveat.startswith("widened") for caveat in reply.caveats)


def test_who_is_silent_during_a_sound_is_absent_then(tmp_path: Path) -> None:
    reply = ask(talk(tmp_path, lines=LINES), "What did Carla say during the siren?")
    assert (reply.status, reply.refusal and reply.refusal.reason) == ("refused", "speaker_absent_in_range")
    assert "Carla was not heard during the “siren”; the nearest turn is at 0:16–0:20." in reply.answer


IRREGULAR = (
    (0, 4_000, 0, "The children went home."),
    (4_200, 9_000, 1, "We decided to look at the web site."),
    (9_100, 14_000, 2, "The organization bought colors."),
)


@pytest.mark.parametrize(
    ("who", "word", "form"),
    [
        ("Anna", "child", "children"),
        ("Ben", "decision", "decided"),
        ("Ben", "website", "web site"),
        ("Carla", "organisation", "organization"),
        ("Carla", "colour", "colors"),
    ],
)
def test_whether_and_what_somebody_said_agree_on_other_forms(tmp_path: Path, who: str, word: str, form: str) -> None:
    library = talk(tmp_path, lines=IRREGULAR)
    whether, what = (
        ask(library, f"{ask_}{word}?") for ask_ in (f"Did {who} mention the ", f"What did {who} say about the ")
    )
    assert (whether.status, whether.value) == ("answered", True)
    assert what.status == "answered"
    for reply in (whether, what):
        assert f"widened: other forms ({word} → {form})" in reply.caveats
        assert form in (reply.citations[0].quote or "")


HEARD = (
    (0, 4_000, 0, "We met Kowalski at the café in spring."),
    (4_200, 9_000, 1, "Kowalski promised it, Kowalski did."),
    (9_100, 14_000, 0, "The naïve résumé was late."),
    (16_000, 20_000, 2, "It is quiet again."),
)


@pytest.mark.parametrize(
    ("question", "value", "step"),
    [
        ("How often was the cafe mentioned?", 1, "widened: other accents (cafe → café)"),
        ("When was the resume mentioned?", [[9.1, 14.0]], "widened: other accents (resume → résumé)"),
        ("Did Anna mention the cafe?", True, "widened: other accents (cafe → café)"),
        ("Who mentioned Kowalsky?", ["Anna", "Ben"], "widened: sounds like (Kowalsky → Kowalski)"),
        ("When did Ben mention Kovalski?", None, ""),
        ("When did Ben mention Kowalsky?", [[4.2, 9.0]], "widened: sounds like (Kowalsky → Kowalski)"),
    ],
)
def test_accents_and_sounds_find_what_was_written_otherwise(
    tmp_path: Path, question: str, value: object, step: str
) -> None:
    reply = ask(talk(tmp_path, lines=HEARD), question)
    assert reply.value == value
    assert [caveat for caveat in reply.caveats if caveat.startswith("widened")] == ([step] if step else [])


@pytest.mark.parametrize(
    ("question", "value", "often"),
    [
        ("How often was Kowalsky mentioned?", 0, "which is there 3 times, first by Anna at 0:00"),
        ("How often did Ben mention Kowalsky?", 0, "which is there twice, first by Ben at 0:04"),
        ("Was Kowalsky mentioned?", False, "which is there twice, first by Anna at 0:00"),
        ("Did Carla mention Kowalsky?", False, "which is there twice, first by Anna at 0:00"),
    ],
)
def test_what_only_sounds_the_same_is_said_and_not_counted(
    tmp_path: Path, question: str, value: object, often: str
) -> None:
    reply = ask(talk(tmp_path, lines=HEARD), question)
    assert (reply.status, reply.value) == ("answered", value)
    assert f"“Kowalsky” may be written “Kowalski”, {often}" in reply.answer
    assert "not counted: sounds like (Kowalsky → Kowalski)" in reply.caveats
    assert all("Kowalski" in (citation.quote or "") for citation in reply.citations)
    assert not any(caveat.startswith("widened") for caveat in reply.caveats)


def test_who_did_not_say_it_is_given_no_sound_of_others(tmp_path: Path) -> None:
    lines = (*HEARD, (21_000, 24_000, 2, "Kowalsky with a y."))
    reply = ask(talk(tmp_path, lines=lines), "What did Ben say about Kowalsky?")
    assert (reply.status, reply.refusal and reply.refusal.reason) == ("refused", "not_said_by_speaker")
    reply = ask(talk(tmp_path / "b", lines=HEARD), "What did Carla say about Kowalsky?")
    assert reply.status == "not_found"
    assert "may be written “Kowalski”, which is there twice, first by Anna at 0:00" in reply.answer


def test_words_of_another_recording_are_neither_used_nor_told(tmp_path: Path) -> None:
    talk(tmp_path, title="Other", lines=HEARD)
    library = talk(tmp_path, title="Mine")
    reply = ask(library, "How often was Kowalsky mentioned?", recording="Mine")
    assert reply.value == 0
    assert "owalski" not in reply.model_dump_json()


@pytest.mark.parametrize(
    "question",
    ["Who mentioned the contrast?", "Who mentioned the trail?", "Who said pairs?", "Who said the resumption?"],
)
def test_words_that_only_look_alike_stay_apart(tmp_path: Path, question: str) -> None:
    lines = (*HEARD, (21_000, 24_000, 2, "The contract of the train to Paris."))
    assert ask(talk(tmp_path, lines=lines), question).status == "not_found"


PRICED = (
    (0, 4_000, 0, "The price of the boat is 35 dollars."),
    (4_200, 9_000, 1, "The price of the boat is 48 dollars."),
    (9_100, 14_000, 2, "We will not sell the boat."),
)


@pytest.mark.parametrize(
    ("question", "who"),
    [
        ("Who said 48 dollars is the price of the boat?", "Ben"),
        ("Who said 48 dollars was the boat's price?", "Ben"),
        ("Who says 35 dollars is the boat's price?", "Anna"),
        ("Who said the boat's price is 48 dollars?", "Ben"),
        ("Who thinks the price of the boat is 35 dollars?", "Anna"),
        ("Which speaker claimed 48 dollars is the price of the boat?", "Ben"),
    ],
)
def test_who_said_so_is_found_in_whatever_order_the_words_were_said(tmp_path: Path, question: str, who: str) -> None:
    reply = ask(talk(tmp_path, lines=PRICED), question)
    assert (reply.status, reply.value) == ("answered", who)


@pytest.mark.parametrize(
    "question",
    [
        "Who said “48 dollars is the price of the boat”?",
        "Who said 77 dollars is the price of the boat?",
        "Who said 48 dollars is not the price of the boat?",
    ],
)
def test_words_in_quotes_denials_and_other_figures_are_not_loosened(tmp_path: Path, question: str) -> None:
    assert ask(talk(tmp_path, lines=PRICED), question).status == "not_found"
