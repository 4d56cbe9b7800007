"""The reader is no straw man: given the whole recording it answers nearly everything, and given less it abstains."""

from agent.evals.baselines.head import Head
from agent.evals.baselines.nothing import AnswerAll, RefuseAll
from agent.evals.citations import untrue
from agent.evals.worlds.marking import right
from tests.agent.evals.baselines.conftest import Asked

ABSTAINED = ("refused", "not_found")


def test_given_everything_it_is_right_about_nearly_everything(clean: Asked) -> None:
    everything = Head(10**9)
    seen = [item for item in clean.items if item.family != "emotion" and "angry" not in item.question]
    replies = [(item, everything(clean.library, clean.recording, item.question)) for item in seen]
    wrong = [
        (item.question, reply.status, reply.value)
        for item, reply in replies
        if not (right(item, reply) if item.status == "answered" else reply.status in ABSTAINED)
    ]
    assert len(wrong) <= 0.05 * len(seen), wrong
    assert all(untrue(reply, clean.library) == [] for _, reply in replies)


def test_what_lies_beyond_the_limit_is_not_known(clean: Asked) -> None:
    question = "How many people speak?"
    whole = Head(10**9)(clean.library, clean.recording, question)
    cut = Head(60)(clean.library, clean.recording, question)
    assert (whole.value, cut.status) == (4, "answered")
    assert cut.value < whole.value
    assert cut.usage.input_tokens <= 70 < whole.usage.input_tokens


def test_one_refuses_everything_and_one_nothing(clean: Asked) -> None:
    for item in clean.items:
        assert RefuseAll()(clean.library, clean.recording, item.question).status == "refused"
        reply = AnswerAll()(clean.library, clean.recording, item.question)
        assert reply.status == "answered"
        if item.family == "options":
            assert reply.value == "A"
