"""Voices as a corrected file calls them: by label, by the name people gave, or by another name for them."""

import sqlite3
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace

from store import edits, speakers
from store.record import Event, Row, Segment
from store.speakers import Profile


def labelled(rows: Iterable[Row], profiles: Sequence[Profile], *, before_colon: bool = False) -> list[Row]:
    """Give rows with the labels of the voices that are known; a voice that is not is new.

    `before_colon`: a cue without a voice that begins `Name: `, of a name that is known, is that voice's.
    """
    labels = _labels(profiles)
    found: list[Row] = []
    for row in rows:
        if before_colon and isinstance(row, Segment) and row.speaker is None:
            written, _, text = row.text.partition(": ")
            known = labels.get(_folded(written)) if text else None
            found.append(replace(row, speaker=known, text=text) if known else row)
        elif isinstance(row, Event) or row.speaker is None:
            found.append(row)
        else:
            found.append(replace(row, speaker=labels.get(_folded(row.speaker), row.speaker)))
    return found


def name(connection: sqlite3.Connection, rec_id: int, profiles: Iterable[Profile]) -> list[str]:
    """Give voices the names and aliases that an export of ours was corrected to, as edits that can be undone."""
    known = {profile.label: profile for profile in speakers.profiles(connection, rec_id)}
    told = []
    for profile in profiles:
        voice = known.get(profile.label)
        if voice is None:
            continue
        if profile.name and profile.name != voice.name:
            edits.rename(connection, rec_id, profile.label, profile.name)
            told.append(f"{profile.label} is called {profile.name} now (`speakers --undo` takes it back)")
        for alias in profile.aliases:
            if alias not in voice.aliases:
                edits.add_alias(connection, rec_id, profile.label, alias)
    return told


def _labels(profiles: Sequence[Profile]) -> dict[str, str]:
    """Give labels by what voices are called: a label before a name, a name before an alias, and none that two share."""
    found = {_folded(alias): profile.label for profile in profiles for alias in profile.aliases}
    times = Counter(_folded(profile.name) for profile in profiles if profile.name)
    for profile in profiles:
        if profile.name and times[_folded(profile.name)] == 1:
            found[_folded(profile.name)] = profile.label
    return found | {_folded(profile.label): profile.label for profile in profiles}


def _folded(called: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", called).casefold().split())
