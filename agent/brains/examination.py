"""What an endpoint's model can do, found out by asking it; the best form for plans, by having one made."""

import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from langchain_core.messages import HumanMessage

from agent.brains.abilities import FORMS, Abilities, Form
from agent.brains.chat_model import EndpointChat
from agent.brains.openai import OpenAIBrain
from agent.brains.planner import Bill, Planner
from agent.brains.probes import CANARIES, LONG, PROBES, Asked, canary
from agent.brains.protocol import Cost, Question
from agent.brains.rules.brain import RulesBrain
from agent.graph.budget import Budget, Meter
from store.catalog import Catalog, RecordingCatalog
from store.errors import BudgetSpent
from store.recordings import Recording
from tools.endpoint import Endpoint
from tools.endpoints.completion import Fault

State = Literal["ok", "without", "bad"]
SECONDS = 60.0
ROUGH_COST = (10, 20_000)
PROVED: Mapping[Form, str] = {"tools": "tool call", "schema": "strict JSON schema", "json": "JSON mode"}
_QUESTION = "How many people speak?"


@dataclass(frozen=True, slots=True)
class Probe:
    """What one probe found: `without` lacks an ability, `bad` is of no use at all."""

    name: str
    state: State
    text: str
    seconds: float = 0.0
    cost: Cost = Cost()


class Examination:
    """Examines one endpoint; `abilities` are what was found, None before the end or when it is of no use."""

    def __init__(self, endpoint: Endpoint, seconds: float = SECONDS) -> None:
        self.abilities: Abilities | None = None
        self._endpoint = endpoint
        self._seconds = seconds
        self._can: set[str] = set()
        self._refused: set[str] = set()

    def probes(self) -> Iterator[Probe]:
        """Probe one thing after the other; an endpoint that does not answer at all is asked no further."""
        yield self._models()
        for name, probe in PROBES.items():
            found = self._probed(name, probe)
            yield found
            if found.state == "bad":
                return
            self._can |= {name} if found.state == "ok" else set()
        yield self._plan()

    def _models(self) -> Probe:
        began = time.monotonic()
        try:
            offered = self._endpoint.models(self._seconds)
        except Fault as fault:
            return Probe("models", "without", str(fault), time.monotonic() - began)
        text = ", ".join(offered[:6]) + (f" and {len(offered) - 6} more" if len(offered) > 6 else "")
        wanted = self._endpoint.named
        if wanted is not None and wanted not in offered:
            return Probe("models", "without", f"{wanted} is not among: {text or 'none'}", time.monotonic() - began)
        return Probe("models", "ok" if offered else "without", text or "it lists none", time.monotonic() - began)

    def _probed(self, name: str, probe: Asked) -> Probe:
        if name == "streamed tool call" and "tool call" in self._refused:
            return Probe(name, "without", "not tried without tool calls")
        bill = Bill(EndpointChat(endpoint=self._endpoint, streamed=probe.streamed))
        began = time.monotonic()
        try:
            wrong = probe.wrong(bill.ask([HumanMessage(probe.text())], seconds=self._seconds, **probe.more))
        except Fault as fault:
            self._refused |= {name}
            useless = name == "chat" or fault.cause == "key" or (fault.cause == "limit" and name not in CANARIES)
            return Probe(name, "bad" if useless else "without", str(fault), time.monotonic() - began, bill.cost)
        text = f"instead of {probe.wanted}: {wrong}" if wrong is not None else probe.wanted
        text += "; is the server's context large enough?" if wrong is not None and name in CANARIES else ""
        return Probe(name, "ok" if wrong is None else "without", text, time.monotonic() - began, bill.cost)

    def _found(self, form: Form) -> Abilities:
        lost = "tool call" in self._can and "streamed tool call" not in self._can
        streamed = "streamed chat" not in self._refused and not (form == "tools" and lost)
        return Abilities(form, streamed, LONG if canary(LONG) in self._can else None)

    def _plan(self) -> Probe:
        """Have a question planned by the best form that was not refused; the one that gave a plan is the one to use."""
        able = self._found(next(form for form in FORMS if PROVED.get(form) not in self._refused))
        planner, meter = Planner(able.form), Meter(Budget())
        brain = OpenAIBrain(self._endpoint, RulesBrain(), streamed=able.streamed, planner=planner, meter=meter)
        try:
            planned = brain.plan(Question(_QUESTION), _made_up(), None)
            wrong = planned.note or ("it said that this is about no recording" if planned.out_of_scope else None)
        except (Fault, BudgetSpent) as error:
            wrong = str(error)
        proved = [form for form in FORMS if PROVED.get(form) in self._can]
        self.abilities = self._found(planner.form if wrong is None else next(iter(proved), "text"))
        named = " + ".join(str(call["name"]) for call in planned.tool_calls) if wrong is None else ""
        text = wrong or f"“{_QUESTION}” became {named}"
        cost = Cost(meter.model_calls, meter.input_tokens, meter.output_tokens, meter.estimated_tokens)
        return Probe("plan", "ok" if wrong is None else "without", text, meter.seconds, cost)


def _made_up() -> Catalog:
    recording = Recording(
        0, "talk-00000000", "A talk", "", None, "import", 600_000, True, 600_000, "ready", "en", "auto"
    )
    return Catalog((RecordingCatalog(recording, {}, (), {}, {}),))
