"""Measure whether form holds with a small model of one's own: each question ends in a valid plan or a clean fallback.

    python -m scripts.measure_local_model http://127.0.0.1:8080/v1 [--model NAME] [--form FORM]
        [--context TOKENS] [--seconds SECONDS] [--whole] [--words]

Twenty questions about the sample are asked over a running server (llama.cpp wants --jinja), five in each form of a
plan or all in one. Nothing here asks whether the model is clever: a plan must parse, a value fit its family, a
citation be confirmed, a quote, a name and a number stand in what is cited, and nothing may be raised.
"""

import argparse
import re
import tempfile
import time
import traceback
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from agent.ask import ask
from agent.brains.abilities import FORMS, Form
from agent.brains.openai import CONTEXT, OpenAIBrain
from agent.brains.planner import Planner
from agent.brains.rules.brain import RulesBrain
from agent.evals.models.questions import FESTIVAL, Item, Rooms
from agent.graph.budget import Budget
from agent.graph.sentences import QUOTE
from agent.reply import Reply
from store.errors import EndpointError, ToolError
from store.keywords import normalise
from store.numbers import numbers
from store.trace import show
from tools.endpoint import Endpoint, Message
from tools.endpoints.completion import Completion
from tools.plan import parse_plan
from tools.schema import complaint, schema_of

QUESTIONS = (
    "Who mentioned the hospital?",
    "How many people speak?",
    "What did Ben say about the budget?",
    "Why does Victor object to the fireworks?",
    "How long did Ada speak?",
    "When did Oliver mention the deadline?",
    "In which order were the siren, the telephone and the applause heard?",
    "What was decided about the fireworks?",
    "Did Victor say anything about lasers?",
    "What share of the talking was Victor's?",
    "What did Victor promise to lend? A) a stage B) two generators C) forty tables D) a tent",
    "Compare what Ben and Victor think of the fireworks.",
    "Who spoke while the siren was heard?",
    "Who talked longer, Ada or Ben, and by how much?",
    "What did Ben say about the hospital?",
    "How could the stage become cheaper than planned?",
    "How did Ada sound when she talked about the fireworks?",
    "What did Maria say about the food?",
    "Summarise the first minute.",
    "What is the capital of Australia?",
)


class Watched(Endpoint):
    """An endpoint that notes each call: how a plan or words were asked for, seconds, and what went wrong."""

    def __init__(self, base_url: str, model: str | None) -> None:
        super().__init__(base_url, None, model)
        self.calls: list[str] = []

    def complete(self, messages: Sequence[Message], **more: Any) -> Completion:
        """Ask as ever, and note it."""
        kind = (more.get("response_format") or {}).get("type", "text").removeprefix("json_").replace("object", "json")
        began, came = time.monotonic(), ""
        try:
            completion = super().complete(messages, **more)
            came = f"{len(completion.calls)} calls" if completion.calls else f"{len(completion.text)} letters"
            return completion
        except EndpointError as error:
            came = f"{error.kind}: {error}"
            raise
        finally:
            asked = "tools" if more.get("tools") else kind
            self.calls.append(f"{asked} {time.monotonic() - began:.1f} s, {came}")


@dataclass(frozen=True, slots=True)
class Line:
    """What came of one question."""

    form: Form
    reply: Reply | None
    planned: Sequence[str] = ()
    calls: Sequence[str] = ()
    seconds: float = 0.0
    wrong: Sequence[str] = field(default_factory=list)


def main() -> None:
    """Ask the questions, and print a line for each and the counts."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("base_url", help="the server's address, with /v1")
    parser.add_argument("--model", help="its model, where it offers several")
    parser.add_argument("--form", choices=FORMS, help="ask for every plan in this form first")
    parser.add_argument("--context", type=int, default=CONTEXT, help="tokens that the model reads")
    parser.add_argument("--seconds", type=float, default=Budget().seconds, help="the longest that a question may take")
    parser.add_argument("--whole", action="store_true", help="do not stream")
    parser.add_argument("--words", action="store_true", help="print every answer, plan and call too")
    options = parser.parse_args()
    lines: list[Line] = []
    with tempfile.TemporaryDirectory() as folder, Rooms(Path(folder)) as rooms:
        for number, question in enumerate(QUESTIONS):
            endpoint = Watched(options.base_url, options.model)
            planner = Planner(options.form or FORMS[number % len(FORMS)])
            brain = OpenAIBrain(endpoint, RulesBrain(), options.context, not options.whole, planner=planner)
            lines.append(line := asked(question, brain, rooms, Budget(seconds=options.seconds)))
            print(f"{number + 1:2} {line.form:6} {shown(line)}  {question}", flush=True)
            for told in (*line.wrong, *(words(line) if options.words else ())):
                print(f"      {told}", flush=True)
    print(total(lines))


def asked(question: str, brain: OpenAIBrain, rooms: Rooms, budget: Budget) -> Line:
    """Ask one question of the sample, and look at everything that reaches a person."""
    place, form, began = rooms.place(Item("local", FESTIVAL, question)), brain.planner.form, time.monotonic()
    assert isinstance(brain.endpoint, Watched)
    try:
        reply = ask(place.library, question, recording=place.recording, brain=brain, budget=budget)
    except Exception:
        told = traceback.format_exc().strip().splitlines()
        return Line(form, None, (), brain.endpoint.calls, time.monotonic() - began, ["raised", *told])
    with place.library.database.reader() as connection:
        spans = show(connection, reply.trace).spans
        heard = [text for (text,) in connection.execute("SELECT text FROM segment")]
    planned = [span.result_ref or span.error or "" for span in spans if span.args.get("step") == "plan"]
    wrong = list(complaints(reply, question, heard))
    return Line(form, reply, planned, brain.endpoint.calls, time.monotonic() - began, wrong)


def complaints(reply: Reply, question: str, heard: Sequence[str]) -> Iterator[str]:
    """Give what is invalid in a reply."""
    family: str | Mapping[str, Any] | None = None
    if reply.status == "failed":
        yield f"failed: {reply.answer}"
    if reply.plan:
        try:
            family = parse_plan(reply.plan).fuse.answer_schema
        except ToolError as error:
            yield f"the plan does not parse: {error}"
    schema = schema_of(family)
    if reply.value is not None and schema is not None and (wrong := complaint(reply.value, schema)):
        yield f"the value {reply.value!r} is no {family}: {wrong}"
    yield from (f"citation {cited.n} is not confirmed" for cited in reply.citations if not cited.verified)
    known = [normalise(text) for text in (*heard, question)]
    for quote in QUOTE.findall(reply.answer):
        if not any(normalise(part) in text for part in quote.split(" … ") for text in known):
            yield f"nobody says “{quote}”"
    if reply.answer_kind == "generated" and reply.status == "answered":
        yield from unsupported(reply, question)


def unsupported(reply: Reply, question: str) -> Iterator[str]:
    """Give the marks, names and numbers of a model's words that nothing cited holds."""
    cited = " ".join(f"{c.speaker} {c.quote} {c.start:g} {c.end:g}" for c in reply.citations)
    held, figures = normalise(f"{cited} {question}"), {number.value for number in numbers(f"{cited} {question}")}
    places = {str(c.n) for c in reply.citations}
    plain = re.sub(r"\[\d+\]", "", reply.answer)
    yield from (f"mark [{n}] names nothing" for n in re.findall(r"\[(\d+)\]", reply.answer) if n not in places)
    yield from (f"nothing cited has {number.value:g}" for number in numbers(plain) if number.value not in figures)
    for name in re.findall(r"(?<=[a-z,] )[A-Z]\w+", plain):
        if normalise(name) not in held:
            yield f"nothing cited names {name}"


def shown(line: Line) -> str:
    """Give what came of a question in one line."""
    if line.reply is None:
        return f"RAISED {line.seconds:.1f} s"
    used, who = line.reply.usage, "rules" if by_rules(line) else "model"
    spent = f"{used.model_calls} calls {used.input_tokens}+{used.output_tokens} tokens {line.seconds:.1f} s"
    result = f"{line.reply.status} (exit {line.reply.exit.value}), {line.reply.answer_kind}, plan of the {who}"
    return f"{'ok ' if not line.wrong else 'BAD'} {result}; {spent}"


def by_rules(line: Line) -> bool:
    """Say whether the rules planned because the model's plan could not be used."""
    return any("the rules planned" in told for told in line.planned)


def words(line: Line) -> Iterator[str]:
    """Give a question's plans, calls and answer."""
    yield from (f"planned: {told}" for told in line.planned)
    yield from (f"asked: {told}" for told in line.calls)
    if line.reply is not None:
        plan = [(call["name"], call["args"]) for call in line.reply.plan]
        yield from (f"plan: {plan}", f"answer: {line.reply.answer!r}", f"caveats: {line.reply.caveats}")
        yield from (f"  [{c.n}] {c.start:g} {c.speaker}: {c.quote}" for c in line.reply.citations)


def total(lines: Sequence[Line]) -> str:
    """Give the counts."""
    replies = [line.reply for line in lines if line.reply is not None]
    spent = sum(reply.usage.input_tokens + reply.usage.output_tokens for reply in replies)
    seconds = sorted(line.seconds for line in lines)
    return (
        f"{sum(not line.wrong for line in lines)} of {len(lines)} hold their form; {len(lines) - len(replies)} raised; "
        f"{sum(reply.status == 'failed' for reply in replies)} failed; {sum(map(by_rules, lines))} planned by rules; "
        f"median {seconds[len(seconds) // 2]:.1f} s, longest {seconds[-1]:.1f} s; {spent:,} tokens"
    )


if __name__ == "__main__":
    main()
