"""Whoever answers questions of an evaluation: a library, a recording's id and a question in, a reply out."""

from collections.abc import Callable

from agent.ask import ask
from agent.brains.openai import OpenAIBrain
from agent.brains.rules.brain import RulesBrain
from agent.evals.models.estimate import Tally
from agent.library import Library
from agent.reply import Reply

Answerer = Callable[[Library, str, str], Reply]


def agent(library: Library, recording_id: str, question: str) -> Reply:
    """Ask the agent itself, with the rules brain."""
    return ask(library, question, recording=recording_id)


def estimated(library: Library, recording: str, question: str) -> Reply:
    """Ask the agent with the prompts that a model would be sent, answered by the rules: what they cost is estimated."""
    planned, tally, reply = _tallied(library, recording, question)
    spent = {"input_tokens": tally.spent.tokens_in, "output_tokens": tally.spent.tokens_out}
    usage = reply.usage.model_copy(update=spent | {"model_calls": tally.spent.calls})
    return planned.model_copy(update={"usage": usage})


def context(library: Library, recording: str, question: str) -> Reply:
    """Ask as `estimated` does, and count only the rows of the recording among what a model would be sent."""
    planned, tally, reply = _tallied(library, recording, question)
    return planned.model_copy(update={"usage": reply.usage.model_copy(update={"input_tokens": tally.context})})


def _tallied(library: Library, recording: str, question: str) -> tuple[Reply, Tally, Reply]:
    planned = ask(library, question, recording=recording)
    tally = Tally(planned.plan)
    return planned, tally, ask(library, question, recording=recording, brain=OpenAIBrain(tally, RulesBrain()))
