"""The public API: ask a question of a library of recordings."""

from agent.ask import ask
from agent.brains.scripted import ScriptedBrain
from agent.library import Library
from agent.reply import Reply

__all__ = ["Library", "Reply", "ScriptedBrain", "ask"]
