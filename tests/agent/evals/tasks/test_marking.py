"""A reply is marked by the form it was asked for; what has not the form is worth nothing, whatever it says."""

from typing import Any

import pytest

from agent.evals.tasks.forms import interval, parsed
from agent.evals.tasks.item import Asked, Item
from agent.evals.tasks.marking import mark
from agent.reply import Refusal, Reply


def item(task: str, form: str, gold: Any, **more: Any) -> Item:
    return Item("1", task, form, "x", "?", gold, more.pop("asked", Asked()), **more)  # type: ignore[arg-type]


def answered(value: Any, answer: str = "") -> Reply:
    return Reply(status="answered", answer=answer, value=value)


REFUSED = Reply(status="refused", answer="no", refusal=Refusal(reason="unknown_speaker"))
FAILED = Reply(status="failed", answer="broken")
QA = item("qa", "text", "crimson", reference="The colour of Branomond is crimson.", facts=("crimson",))
WHO = item("qa", "names", ["Ada", "Will"], facts=("Ada", "Will"))
MCQA = item("mcqa", "letter", "B")
NOTHING = item("constrained", "letter", None, answerable=False)
COUNT = item("count", "number", 4)
ORDER = item("order", "labels", ["Rain", "Bark", "Music"])
SUMMARY = item(
    "summary", "text", ["Branomond", "budget"], reference="The budget worries me.", facts=("Branomond", "budget")
)
FELT = item("emotion", "label", "anger")
ANGRY = item("emotion", "stretches", [[0.0, 10.0]])
HEARD = item("events", "stretches", [[0.0, 4.5], [8.0, 9.0]])
SPOKE = item("diarization", "turns", [[0.0, 5.0, "A"], [5.0, 10.0, "B"]], asked=Asked(span=(0, 10_000)))

MARKS = [
    (QA, "The colour of Branomond is crimson.", 1.0, {"rouge_l": 1.0, "fact_recall": 1.0}),
    (QA, "It is purple.", 0.0, {"fact_recall": 0.0}),
    (QA, "It is crimsonish.", 0.0, {}),
    (WHO, ["Will", "Ada"], 1.0, {"fact_recall": 1.0}),
    (WHO, "Ada", 0.0, {"fact_recall": 0.5}),
    (MCQA, "B", 1.0, {}),
    (MCQA, "A", 0.0, {}),
    (COUNT, 4, 1.0, {"error": 0.0, "interval": 1.0}),
    (COUNT, 6, 0.0, {"error": 2.0, "interval": 0.0}),
    (ORDER, ["rain", "bark", "music"], 1.0, {"spearman": 1.0, "exact": 1.0}),
    (ORDER, ["Rain", "Music", "Bark"], 0.5, {"spearman": 0.5, "exact": 0.0}),
    (ORDER, ["Music", "Bark", "Rain"], 0.0, {"spearman": -1.0}),
    (ORDER, ["Rain", "Bark"], 0.0, {"spearman": 0.0}),
    (ORDER, ["Rain", "Bark", "Bark"], 0.0, {"spearman": 0.0}),
    (SUMMARY, "Branomond came up, and so did Corifax.", 0.5, {"coverage": 0.5, "false_points": 0.5}),
    (SUMMARY, "Branomond and the Budget.", 1.0, {"coverage": 1.0, "false_points": 0.0}),
    (FELT, "Anger", 1.0, {}),
    (ANGRY, [[5.0, 10.0]], 0.5, {"iou": 0.5}),
    (HEARD, [[0.1, 4.4]], 0.909091, {"segment_f1": 0.909091, "event_f1": 0.666667}),
    (HEARD, [], 0.0, {"segment_f1": 0.0, "event_f1": 0.0}),
    (SPOKE, [[0.0, 5.0, "x"], [5.0, 10.0, "y"]], 1.0, {"der": 0.0, "der_collar": 0.0, "jer": 0.0}),
    (SPOKE, [[0.0, 10.0, "x"]], 0.5, {"der": 0.5, "jer": 0.75}),
    (SPOKE, [[0.0, 5.2, "x"], [5.2, 10.0, "y"]], 0.98, {"der": 0.02, "der_collar": 0.0}),
]


@pytest.mark.parametrize(("asked", "value", "score", "metrics"), MARKS)
def test_an_answer_has_its_score_and_metrics(asked: Item, value: Any, score: float, metrics: dict[str, float]) -> None:
    found = mark(asked, answered(value))
    assert found.parsed
    assert not found.abstained
    assert found.score == pytest.approx(score, abs=1e-5)
    assert found.right == (score >= 0.9)
    for name, figure in metrics.items():
        assert found.metrics[name] == pytest.approx(figure, abs=1e-5), name


INVALID = [
    (MCQA, "crimson"), (MCQA, "E"), (MCQA, None), (COUNT, "four"), (COUNT, True), (COUNT, None), (ORDER, 3),
    (ORDER, None), (FELT, None), (FELT, 3), (HEARD, "0:00"), (HEARD, [[1]]), (HEARD, [["a", "b"]]), (HEARD, [[9, 2]]),
    (SPOKE, [[0.0, 1.0]]), (SPOKE, None), (WHO, []), (WHO, [1]),
]  # fmt: skip


@pytest.mark.parametrize(("asked", "value"), INVALID)
def test_what_has_not_the_form_is_worth_nothing(asked: Item, value: Any) -> None:
    found = mark(asked, answered(value, "as it were"))
    assert (found.parsed, found.abstained, found.score, found.right) == (False, False, 0.0, False)
    assert all(figure in (0.0, 1.0) for figure in found.metrics.values())


@pytest.mark.parametrize("asked", [QA, MCQA, COUNT, ORDER, SUMMARY, FELT, HEARD, SPOKE])
def test_abstaining_on_what_can_be_answered_is_no_answer(asked: Item) -> None:
    found = mark(asked, REFUSED)
    assert (found.parsed, found.abstained, found.score, found.right) == (True, True, 0.0, False)
    broken = mark(asked, FAILED)
    assert (broken.parsed, broken.abstained, broken.score, broken.right) == (False, False, 0.0, False)


def test_passages_for_a_question_that_was_not_understood_are_no_answer() -> None:
    found = mark(QA, answered(None, "The colour is crimson.").model_copy(update={"caveats": ["not_understood"]}))
    assert (found.parsed, found.abstained, found.score, found.right) == (False, False, 0.0, False)


def test_what_cannot_be_answered_is_right_only_when_it_is_not() -> None:
    assert mark(NOTHING, REFUSED).right
    assert mark(NOTHING, REFUSED.model_copy(update={"status": "not_found"})).right
    for value in ("A", "B", None):
        assert not mark(NOTHING, answered(value)).right
    assert not mark(NOTHING, FAILED).right


WORDED = [
    (MCQA, "B", "B"), (MCQA, "(B) crimson", "B"), (MCQA, "The answer is C.", "C"), (MCQA, "Answer: (D)", "D"),
    (MCQA, "B and C are both there", None), (MCQA, "Because", None), (MCQA, "A colour", None), (MCQA, "B", "B"),
    (COUNT, "There are 5 speakers.", 5), (COUNT, "5 speakers before 10:00, or 6", None), (COUNT, "none", None),
]  # fmt: skip


@pytest.mark.parametrize(("asked", "words", "said"), WORDED)
def test_words_alone_are_read_as_far_as_they_are_plain(asked: Item, words: str, said: Any) -> None:
    assert parsed(asked, answered(None, words)) == said


def test_a_count_may_be_worded_as_an_interval() -> None:
    assert interval(answered(5, "4 to 6 people speak."), 5) == (4, 6)
    assert interval(answered(5, "between 4 and 6 voices"), 5) == (4, 6)
    assert interval(answered(5, "5 people between 10:04 and 10:06"), 5) == (5, 5)
    assert mark(COUNT, answered(5, "4 to 6 people speak.")).metrics["interval"] == 1.0
