"""The agent beside the baselines, on the same items: score, abstention, RS(10), and how much more the agent has."""

from collections.abc import Iterator, Mapping, Sequence

from agent.evals.report.found import Row, Table, figure
from agent.evals.report.pairing import gain, pairs
from agent.evals.report.tasks import by_task, sure
from agent.evals.statistics import scoring
from agent.evals.tasks.record import Record
from agent.evals.tasks.scores import grouped

COLUMNS = ("min", "who", "n", "score [95 %]", "agent's more [95 %]", "abstention", "false refusal", "RS(0)", "RS(10)")
NOTE = (
    "All read the same store with the same rules as a brain, so only what they read and how often they try differs. "
    "B1 is a length-limited reader in a model's place: simulated, it loses only what is cut off."
)
Others = Mapping[str, Sequence[Record]]


def table(ours: Sequence[Record], others: Others) -> Table:
    """Give a row a length and answerer."""
    return Table("Beside the baselines, clean streams", COLUMNS, tuple(_rows(ours, others)), NOTE)


def by_tasks(ours: Sequence[Record], others: Others) -> Table:
    """Give each one's mean score by task, over all lengths."""
    tasks = [task for task, _ in by_task(ours)]
    rows = [(name, *_means(found, tasks)) for name, found in {"agent": ours, **others}.items()]
    return Table("Score by task, all lengths", ("who", *tasks), tuple(rows))


def _rows(ours: Sequence[Record], others: Others) -> Iterator[Row]:
    for minutes, mine in sorted(grouped(ours, "minutes").items()):
        yield _row(minutes, "agent", mine, "")
        for name, found in others.items():
            if both := pairs(mine, found):
                yield _row(minutes, name, [theirs for _, theirs in both], str(gain(both)))


def _row(minutes: float, name: str, found: Sequence[Record], more: str) -> Row:
    marks = [one.mark for one in found]
    plain = (scoring.abstention(marks), scoring.false_refusal(marks), scoring.rs(marks, 0), scoring.rs(marks))
    return (f"{minutes:g}", name, str(len(found)), str(sure(found)), more, *map(figure, plain))


def _means(records: Sequence[Record], tasks: Sequence[str]) -> Iterator[str]:
    found = dict(by_task(records))
    return (figure(sum(r.score for r in found[t]) / len(found[t]) if t in found else None) for t in tasks)
