"""`check`: a document's claims, each with its verdict, from one snapshot of the library and without a model."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from agent.check.claims import Claim, claims
from agent.check.document import Document
from agent.check.heard import hear
from agent.check.naming import Roster
from agent.check.paraphrase import Paraphrase
from agent.check.quoting import Quoting
from agent.check.roll import Roll
from agent.check.verdict import VERDICTS, Checked, Verdict
from agent.check.words import words
from store import recordings
from store.catalog import catalog
from store.database import Database
from store.errors import DataError
from store.recordings import Recording

TOLERANCE_S = 5.0
MOST = 5_000


@dataclass(frozen=True, slots=True)
class Report:
    """A document's claims in its own order, each checked, and what a person should know of the whole."""

    document: str
    recording: Recording
    claims: tuple[Checked, ...]
    notes: tuple[str, ...]
    tolerance: float

    @property
    def counts(self) -> Mapping[Verdict, int]:
        """How many claims came out as what."""
        counted = Counter(checked.verdict for checked in self.claims)
        return {verdict: counted[verdict] for verdict in VERDICTS if counted[verdict]}

    @property
    def false(self) -> int:
        """How many claims the recording contradicts."""
        return sum(checked.false for checked in self.claims)


def check(database: Database, recording: str, document: Document, tolerance: float = TOLERANCE_S) -> Report:
    """Hold a document against a recording; `tolerance` in seconds is how far a written time may be off.

    Five seconds, because a written time is a whole second, mostly the one at which somebody stopped the player, and a
    recognised word's time is about a second off; transcripts made elsewhere drift by five to ten seconds an hour.

    NotFound when there is no such recording, DataError when it has no transcript.
    """
    with database.reader() as connection:
        found = recordings.find(connection, recording)
        (entry,) = catalog(connection, [found]).recordings
        if "transcript" not in entry.streams:
            raise DataError(f"{found.public_id} has no transcript to hold a document against")
        own = words(found.language)
        quoting = Quoting(hear(connection, entry, own), Roll(entry), own, round(tolerance * 1000))
        paraphrase = Paraphrase(quoting)
        notes = list(document.notes)
        checked: list[Checked] = []
        for claim in claims(document, Roster(entry), own):
            if len(checked) == MOST:
                notes.append(f"only the first {MOST:,} claims were checked; split the document")
                break
            checked.append(_checked(claim, quoting, paraphrase))
    if found.state == "listening":
        notes.append("the recording is still being heard; what was not found may come")
    return Report(document.name, found, tuple(checked), tuple(notes), tolerance)


def _checked(claim: Claim, quoting: Quoting, paraphrase: Paraphrase) -> Checked:
    return quoting.check(claim) if claim.kind == "quote" else paraphrase.check(claim)
