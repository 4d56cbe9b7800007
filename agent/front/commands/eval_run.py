"""`eval run SUITE`: every case of a suite asked of Overheard or of a program, scored, and reported."""

import os
import sys
from argparse import ArgumentParser, ArgumentTypeError, Namespace, RawDescriptionHelpFormatter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from agent.front.asking import brain_argument, second_listen_argument
from agent.front.command import counted, folder, json_argument, lasting
from agent.front.output import agreed, emit, emit_json, interactive, say
from store.errors import DataError, UsageError, reason

if TYPE_CHECKING:
    from fractions import Fraction

    from agent.evals.suites.agent import Agent
    from agent.evals.suites.grader import Grader
    from agent.evals.suites.judging import Judged
    from agent.evals.suites.kept import Kept
    from agent.evals.suites.report import Report
    from agent.evals.suites.suite import Suite

SAMPLE = "sample"
HELP = """\
A suite is YAML, or JSON lines with one case each. `overheard eval run sample` runs the one that ships; copy it from
SUITE_FILE

    name: Our meetings
    recording: board-meeting          # an id or title of the library; or files: {transcript: board.vtt}
    cases:
      - id: who-budget
        input: Who mentioned the budget?
        expect: {set: [Ben, Ada], max_tool_calls: 4}
      - id: not-said
        input: What did Ben say about the deadline?
        expect: {reason: not_said_by_speaker, names: [Oliver]}
      - id: fireworks
        input: When were fireworks heard?
        expect: {span_iou: {target: [[74.1, 77.7]], at_least: 0.5}}

A case has id, input (or messages, or input with choices), expect (or target with scorer), and if it likes recording,
files, metadata (cases of the same `group` are wordings of one question) and skip (why it is left out).
What is expected, each as `name: target` or `name: {target: ..., more}`, must hold as a whole. The reply must be
`answered` unless status, reason or refusal says otherwise, and a failed one never passes.
  of the end    status, reason, refusal (true: abstains), names (voices that are named), max_tool_calls
  of the value  value (tolerance), set, spans (tolerance), turns (tolerance), span_iou (of, speaker), spearman,
                labels (mode: ordered, first, include), sql (a SELECT that gives the value; tolerance)
  of the words  exact, includes, match (location: end, begin, any), regex, must_include, must_not_include, rouge_l
  of the work   tools (mode: strict, unordered, subset, superset), cites (seconds that a citation touches)
  by a model    model_graded (a criterion in words; asked last, over the configured endpoint, else it does not pass)
Those that measure (rouge_l, span_iou, spearman) take at_least, which is 1 unless said.

A program of --agent reads one line of JSON ({"question", "recording", "messages", "library", "files", "audio",
"seed"}) and prints one reply as `ask --json` does; at least {"status": "answered", "answer": "..."}.
"""


def arguments(parser: ArgumentParser) -> None:
    """Declare the suite, who is asked, and what becomes of the replies."""
    parser.formatter_class = RawDescriptionHelpFormatter
    parser.epilog = HELP.replace("SUITE_FILE", str(_sample()))
    parser.add_argument("suite", metavar="SUITE", help=".yaml, .yml or .jsonl; `sample`: the one that ships")
    parser.add_argument("--recording", metavar="ID", help="what to ask where the suite names nothing; else the library")
    parser.add_argument("--agent", metavar="CMD", help="a program to ask instead of Overheard")
    brain_argument(parser)
    second_listen_argument(parser)
    parser.add_argument("--parallel", metavar="N", type=counted, default=4, help="so many cases at once (default 4)")
    parser.add_argument("--seed", metavar="N", type=int, default=0, help="the order of asking; the agent is told it")
    parser.add_argument("--timeout", metavar="SECONDS", type=lasting, help="the longest wait for one reply")
    parser.add_argument(
        "--recorded", metavar="DIR",
        help="keep replies there, and ask again only what changed: the case, who answers, its code, the recording",
    )  # fmt: skip
    parser.add_argument("--out", metavar="DIR", help="write report.json, report.html, report.md and junit.xml there")
    parser.add_argument(
        "--fail-under", metavar="SHARE", type=share, default="1",
        help="the share of cases that must pass, 0.9 or 90%%; else the exit code is 1 (default: all)",
    )  # fmt: skip
    json_argument(parser)


def share(text: str) -> "Fraction":
    """Read a share exactly, `0.9` or `90%`; ArgumentTypeError."""
    from fractions import Fraction

    try:
        given = Fraction(text.strip().removesuffix("%")) / (100 if text.strip().endswith("%") else 1)
    except (ValueError, ZeroDivisionError):
        given = Fraction(-1)
    if not 0 <= given <= 1:
        raise ArgumentTypeError(f"{text!r} is no share; give 0 to 1, or a percentage such as 90%")
    return given


def run(options: Namespace) -> int:
    """Run the suite; the exit code is 1 when fewer cases pass than must."""
    import tempfile

    from agent.evals.suites.kept import Kept
    from agent.evals.suites.places import Places
    from agent.evals.suites.report import Report
    from agent.evals.suites.running import Run
    from agent.evals.suites.running import run as run_all
    from agent.evals.suites.suite import load
    from agent.evals.suites.verdict import Verdict
    from agent.library import Library

    suite = load(_path(options.suite))
    out = None if options.out is None else _folder(options.out)
    kept = None if options.recorded is None else Kept(Path(options.recorded))
    agent = _agent(options)
    plan = Run(agent, options.parallel, options.seed, kept, _grader(options, suite, kept))
    library = Library(folder(options).resolve())
    with tempfile.TemporaryDirectory() as made, _progress(suite) as told:
        results = run_all(suite, Places(library, Path(made), options.recording), plan, told)
    results = [_clean(one) for one in results]
    verdict = Verdict.of(results, options.fail_under)
    report = Report.of(suite.name, agent.name, options.seed, verdict, results)
    if out is not None:
        _write(out, report)
    emit_json(report.document()) if options.json else _show(report)
    return int(verdict.exit)


def _sample() -> Path:
    return Path(__file__).resolve().parents[2] / "evals" / "sample" / "suite.yaml"


def _path(given: str) -> Path:
    return _sample() if given == SAMPLE and not Path(given).exists() else Path(given)


def _agent(options: Namespace) -> "Agent":
    if options.agent is not None:
        from agent.evals.suites.program import SECONDS, Program

        if options.brain is not None:
            raise UsageError("--brain says how Overheard answers, and --agent that a program does: give one of them")
        return Program.of(options.agent, options.timeout or SECONDS, options.seed)
    from agent.brains.choose import choose
    from agent.evals.suites.agent import Own
    from tools.again.ear import second_listen
    from tools.embedding import embed

    choice = choose(folder(options).resolve(), options.brain, confirm=agreed if interactive() else None, say=say)
    if choice.notice:
        say(choice.notice)
    host = choice.endpoint.host if choice.endpoint else ""
    return Own(choice.brain(), options.timeout, embed(), second_listen(options.listen_again), host).ready()


def _grader(options: Namespace, suite: "Suite", kept: "Kept | None") -> "Grader | None":
    """Give who grades, where a case wants it and an endpoint is configured."""
    from agent.brains.choose import choose
    from agent.evals.suites.grader import Grader

    wanted = any(name == "model_graded" for case in suite.cases for name, _ in case.expect if case.skip is None)
    endpoint = choose(folder(options).resolve(), say=say).endpoint if wanted else None
    if endpoint is None:
        return None
    say(f"questions and answers go to {endpoint.host} to be graded")
    return Grader(endpoint, kept)


@contextmanager
def _progress(suite: "Suite") -> "Iterator[Callable[[Judged], None]]":
    """Give a callback that moves a bar on a terminal, and does nothing elsewhere."""
    if not sys.stderr.isatty():
        yield lambda result: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}", markup=False), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("cases", total=len(suite.cases))
        yield lambda result: bar.advance(task)


def _clean(one: "Judged") -> "Judged":
    from agent.front.render import shown

    return one if one.reply is None else replace(one, reply=shown(one.reply))


def _show(report: "Report") -> None:
    from agent.front.render import table

    rows = [(one.case.id, one.outcome, round(one.seconds, 2), "; ".join(one.reasons)) for one in report.results]
    table(("case", "outcome", "s", "why"), rows)
    emit()
    table(("figure", ""), [(name, value) for name, value in report.figures.items() if value is not None])
    emit(f"\n{report.suite}: {report.verdict.line}")


def _folder(given: str) -> Path:
    path = Path(given)
    try:
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
    except (OSError, ValueError) as error:
        raise DataError(f"{given!r} cannot be made a folder: {reason(error)}") from error
    return path


def _write(out: Path, report: "Report") -> None:
    from agent.evals.suites.forms.junit import junit
    from agent.evals.suites.forms.markdown import markdown
    from agent.evals.suites.forms.page import page
    from agent.evals.suites.report import FILE, written

    texts = {FILE: written(report.document()), "report.html": page(report), "report.md": markdown(report)}
    for name, text in {**texts, "junit.xml": junit(report)}.items():
        try:
            private = os.open(out / name, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
            with os.fdopen(private, "w", encoding="utf-8", newline="\n") as file:
                file.write(text)
        except OSError as error:
            raise DataError(f"{out / name} cannot be written: {reason(error)}") from error
    say(f"wrote report.json, report.html, report.md and junit.xml to {out}")
