"""Whoever answers questions of an evaluation: a library, a recording's id and a question in, a reply out."""

from collections.abc import Callable

from agent.ask import ask
from agent.library import Library
from agent.reply import Reply

Answerer = Callable[[Library, str, str], Reply]


def agent(library: Library, recording_id: str, question: str) -> Reply:
    """Ask the agent itself, with the rules brain."""
    return ask(library, question, recording=recording_id)
