"""The public API: ask a question of a library of recordings, and go on when it is asked back."""

from agent.ask import ask, resume
from agent.brains.scripted import ScriptedBrain
from agent.dialogue import Dialogue
from agent.library import Library
from agent.reply import Reply

__all__ = ["Dialogue", "Library", "Reply", "ScriptedBrain", "ask", "resume"]
