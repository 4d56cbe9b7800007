"""Count how often names suggested from what is said are right: QMSum's meetings (true names or roles), and the sample.

    python -m scripts.measure_suggestions [--data FOLDER] [--part tuning|test] [--show]

Voices are given as opaque labels. `own`: the voice says its name; `called`: it answers to it. A role (Project Manager,
PhD C) tells no name, so its suggestions are listed to be read. Contradictions are counted with the true names given,
where each is a false alarm. Tuning: QMSum's train part and three committees; test: the other three committees, the
product meetings and the seminars of the validation part.
"""

import argparse
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from agent.evals.qmsum.meetings import SECONDS, Meeting, meetings
from scripts.corpora import data_option
from tools.voicing.suggestions import Line, Suggestion, alike, suggest

TUNING = ("covid_2", "education_0", "education_10")


def chosen(folder: Path, part: str) -> list[Meeting]:
    """Give the meetings of one part."""
    tuning = [*meetings(folder / "train"), *(m for m in meetings(folder / "val") if m.name in TUNING)]
    return tuning if part == "tuning" else [m for m in meetings(folder / "val") if m.name not in TUNING]


def lines(meeting: Meeting, labels: dict[str, str]) -> list[Line]:
    """Give what is said, each word 0.4 s long, by opaque labels."""
    found, at = [], 0
    for piece in meeting.pieces:
        end = at + max(1, round(1000 * SECONDS * len(piece.text.split())))
        found.append(Line(at, end, labels[piece.speaker], piece.text))
        at = end
    return found


def person(label: str) -> str | None:
    """Give the name in a true label, None of a role."""
    role = label.split("(")[0].replace("Hon.", "").strip()
    first = role.split()[0]
    roles = ("Professor", "PhD", "Grad", "Postdoc", "Undergrad", "Project", "Marketing", "Industrial", "User", "The")
    if (first in roles and len(role.split()) <= 2) or len(role.split()) < 2:
        return None
    return role.removesuffix(" AM").removesuffix(" MP")


def verdict(found: Suggestion, true: str) -> str:
    """Say whether a suggestion is right, where a true name tells."""
    name = person(true)
    return "role" if name is None else "right" if alike(found.name, name) else "wrong"


def measure(part: Sequence[Meeting], *, show: bool) -> None:
    """Print the counts of one part."""
    counts: Counter[tuple[str, bool, str]] = Counter()
    alarms = voices = 0
    for meeting in part:
        labels = {speaker: f"V{n}" for n, speaker in enumerate(meeting.speakers)}
        true = {label: speaker for speaker, label in labels.items()}
        said = lines(meeting, labels)
        for found in suggest(said, {}):
            kind = "own" if any(one.kind == "own" for one in found.evidence) else "called"
            counts[kind, bool(found.against), verdict(found, true[found.label])] += 1
            if show:
                quotes = " | ".join(one.quote for one in (*found.evidence, *found.against)[:3])
                told = f"{kind} {verdict(found, true[found.label])}{' CONTRADICTED' if found.against else ''}"
                print(f"  {meeting.name} {true[found.label]!r} -> {found.name!r} {told}: {quotes}")
        named = {label: (name,) for label, speaker in true.items() if (name := person(speaker))}
        voices += len(named)
        for alarm in (found for found in suggest(said, named) if found.known):
            alarms += 1
            if show:
                print(f"  alarm {meeting.name} {alarm.name!r}: {alarm.against[0].quote}")
    for (kind, against, what), count in sorted(counts.items()):
        print(f"{kind:<7} {'contradicted' if against else 'uncontradicted':<15} {what:<6} {count}")
    print(f"false contradictions of true names: {alarms} of {voices} named voices in {len(part)} meetings")


def main() -> int:
    """Print both parts, or one."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    data_option(parser)
    parser.add_argument("--part", choices=("tuning", "test"))
    parser.add_argument("--show", action="store_true")
    given = parser.parse_args()
    for part in [given.part] if given.part else ["tuning", "test"]:
        print(f"{part}:")
        measure(chosen(given.data / "qmsum", part), show=given.show)
    return 0


if __name__ == "__main__":
    sys.exit(main())
