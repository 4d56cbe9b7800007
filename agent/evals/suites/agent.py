"""Who is evaluated: Overheard's own `ask` with a brain, or a program of the user's; both give a reply or a fault."""

import hashlib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, Self

from agent.ask import ask
from agent.brains.protocol import Brain, model_of
from agent.dialogue import Dialogue
from agent.evals.suites.places import Place
from agent.evals.suites.suite import Case
from agent.graph.budget import Budget
from agent.graph.loading import lean
from agent.reply import Reply
from store.errors import NotFound, OverheardError

if TYPE_CHECKING:
    from tools.again.ear import SecondListen
    from tools.call import Embed

ROOT = Path(__file__).resolve().parents[3]
_PARTS = ("agent", "tools", "store", "prompts")
_CODE = {".py", ".md", ".toml", ".tsv", ".txt", ".json", ".int8"}


@dataclass(frozen=True, slots=True)
class Fault:
    """Why there is no reply: `crash`, `timeout`, `not_json`, `shape`, or `internal`, and what a person should know."""

    kind: str
    message: str


class Agent(Protocol):
    """Answers cases, several at once."""

    @property
    def name(self) -> str:
        """Who it is, as it is shown."""
        ...

    @property
    def identity(self) -> str:
        """Tell agents apart whose replies may differ."""
        ...

    def answer(self, case: Case, place: Place) -> Reply | Fault:
        """Answer one case; never an exception."""
        ...

    def stop(self) -> None:
        """Leave what is being answered: nobody waits for it any more."""
        ...


@dataclass(frozen=True)
class Own:
    """Asks through `ask` with a brain; each question of a conversation in its turn."""

    brain: Brain
    seconds: float | None = None
    embed: "Embed | None" = None
    second: "SecondListen | None" = None
    host: str = ""

    @property
    def name(self) -> str:
        """The brain, and the model behind it."""
        model = model_of(self.brain)
        return f"{self.brain.name} ({model})" if model else self.brain.name

    @property
    def identity(self) -> str:
        """The brain, where its model is, what helps it, and the code it runs in."""
        again = None if self.second is None else self.second.seconds
        return f"{self.name} {self.host} {self.embed is not None} {again} {self.seconds} {code()}"

    def ready(self) -> Self:
        """Import what asking needs, so that the first case is not charged with it."""
        with lean():
            import agent.graph.graph  # noqa: F401
        return self

    def answer(self, case: Case, place: Place) -> Reply | Fault:
        """Ask all that the user says, and give the last reply."""
        asked = [one.content for one in case.messages if one.role == "user"]
        dialogue = Dialogue(recording=place.recording) if len(asked) > 1 else None
        budget = None if self.seconds is None else Budget(seconds=self.seconds)
        try:
            for question in asked:
                reply = ask(
                    place.library, question, recording=place.recording, brain=self.brain, budget=budget,
                    embed=self.embed, second=self.second, dialogue=dialogue,
                )  # fmt: skip
        except NotFound as error:
            return Fault("not_found", str(error))
        except OverheardError as error:
            return Fault("internal", str(error))
        except Exception as error:  # a bug of ours fails this case, and the others are asked
            return Fault("internal", f"a fault of Overheard itself: {type(error).__name__}: {error}")
        return reply

    def stop(self) -> None:
        """Let the question that is being asked come to its end, within its budget."""


@cache
def code(root: Path = ROOT) -> str:
    """Give what Overheard itself is, in twelve hex digits: another version of it may answer otherwise.

    Evaluations are no part of it: they ask, and answer nothing.
    """
    whole = hashlib.sha256()
    for part in _PARTS:
        for path in sorted((root / part).rglob("*")):
            inside = path.relative_to(root)
            if path.suffix in _CODE and "evals" not in inside.parts and path.is_file():
                whole.update(str(inside).encode() + b"\0" + path.read_bytes())
    return whole.hexdigest()[:12]
