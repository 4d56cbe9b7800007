"""A map over spans: notes on each stretch, held against its rows, then one answer from all notes.

Notes have a budget of their own, beside the question's. What ends it early leaves the answer to the notes that were
taken; when even these cannot be joined they are the answer, since each stands on rows.
"""

import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from agent.brains.citing import sizes
from agent.brains.protocol import Answered, Cost
from agent.graph.budget import Budget, Meter, metered
from agent.graph.grounded import ground
from agent.graph.state import Desk, Stage
from agent.routes import notes as noted
from agent.routes.estimate import Estimate
from agent.routes.notes import Note
from agent.routes.reader import Reader
from agent.routes.spans import Span, spans
from store.clock import clock
from store.errors import BudgetSpent, EndpointError
from tools.evidence import Evidence

JOINING = Budget(rounds=1, model_calls=12, tokens=100_000, seconds=120.0)
READ_IN = "read in "
NOTHING = "Nothing in any stretch of the recording answers this."


def read(desk: Desk, stretches: Sequence[Span], cost: Estimate, computed: Any) -> Answered:
    """Read the stretches, and answer; the desk's evidence becomes the rows that the notes stand on.

    BudgetSpent or EndpointError only when not one note could be taken.
    """
    reading = _Reading(desk, computed)
    try:
        notes = reading.notes(stretches)
        answered = reading.answer(notes) if notes else Answered(NOTHING, None, (), "generated", found=False)
    finally:
        for meter in reading.meters:
            desk.meter.beside(meter)
    told = f"{READ_IN}{len(stretches)} stretches: {cost} were estimated"
    return replace(answered, cost=Cost(), caveats=(told, *reading.caveats, *answered.caveats))


@dataclass
class _Reading:
    """One reading: what it costs and what went wrong."""

    desk: Desk
    computed: Any
    caveats: list[str] = field(default_factory=list)
    meters: list[Meter] = field(default_factory=list)

    def notes(self, stretches: Sequence[Span]) -> list[Note]:
        """Take notes on each stretch, until the budget or the endpoint ends it."""
        reader, meter = self._within(self.desk.meter.budget.reading)
        taken: dict[tuple[str, str], Note] = {}
        for number, span in enumerate(stretches, 1):
            began = time.monotonic()
            try:
                with self.desk.trace.step("note") as running:
                    found = self._note(reader, meter, span)
                    said = f"stretch {number} of {len(stretches)}: {len(found)} notes"
                    running.note(result_ref=said)
            except (BudgetSpent, EndpointError) as error:
                if not taken:
                    raise
                until = clock(stretches[number - 2][-1].t1)
                self.caveats.append(
                    f"only {number - 1} of {len(stretches)} stretches were read, until {until}: {error}"
                )
                break
            for note in found:
                taken.setdefault((note.rows[0].recording, note.text), note)
            self.desk.watch(Stage("note", said, time.monotonic() - began))
        return list(taken.values())

    def answer(self, notes: list[Note]) -> Answered:
        """Give one answer from the notes, else the notes themselves, in the numbers of their rows."""
        try:
            answered, notes = self._joined(notes)
        except (BudgetSpent, EndpointError) as error:
            self.caveats.append(f"the notes are given as they are, since they could not be put together: {error}")
            answered = noted.said(notes)
        rows = noted.stood_on(notes)
        self.desk.evidence = replace(self.desk.current[1], rows=rows)
        return noted.in_rows(answered, notes, rows)

    def _note(self, reader: Reader, meter: Meter, span: Span) -> list[Note]:
        plan, evidence = self.desk.current
        shown = replace(evidence, rows=span, total=len(span))
        answered = reader.note(self.desk.question, plan, shown)
        meter.spend(answered.cost)
        return noted.held(answered, span, ground(self.desk, plan, shown)) if answered.found else []

    def _joined(self, notes: list[Note]) -> tuple[Answered, list[Note]]:
        """Let one answer be written from the notes, from groups of them first where they are too many."""
        reader, meter = self._within(JOINING)
        room = reader.room(self.desk.question)
        while (size := sum(sizes(noted.as_rows(notes)))) > room:
            groups = [[notes[row.id] for row in group] for group in spans(noted.as_rows(notes), room)]
            fewer = [note for group in groups for note in noted.as_notes(self._join(reader, meter, group), group)]
            if not fewer or sum(sizes(noted.as_rows(fewer))) >= size:
                break
            notes = fewer
        return self._join(reader, meter, notes), notes

    def _join(self, reader: Reader, meter: Meter, notes: Sequence[Note]) -> Answered:
        plan, _ = self.desk.current
        rows = noted.as_rows(notes)
        with self.desk.trace.step("join") as running:
            answered = reader.join(self.desk.question, plan, Evidence(rows, len(rows)), self.computed)
            running.note(result_ref=f"{len(notes)} notes")
        meter.spend(answered.cost)
        return answered

    def _within(self, budget: Budget) -> tuple[Reader, Meter]:
        """Give the brain with a meter of its own."""
        meter = Meter(budget)
        self.meters.append(meter)
        reader = metered(self.desk.brain, meter)
        assert isinstance(reader, Reader)
        return reader, meter
