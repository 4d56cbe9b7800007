"""The catalog as a model sees it: compact lines of what can be asked, fenced as data.

Names, titles and labels come from files and recordings. Each stays on its own line without angle brackets, so that
nothing in them can close the fence around them.

What a server that thinks by itself may read out of our requests (prompts/*.md keep these words):
- a request for a plan: user message with `<catalog>` LINES `</catalog>`, the route in one sentence, then `Question: `
  with the question on one line and its options as lines `A. text`, up to an empty line; after that, only when a plan
  was not enough, `Your last plan was not enough.` with lines `Plan: ` and `Why: `.
- LINES: `recording 1: TITLE, 3:09[.25] long[, heard so far until 1:00][, language en][; never computed: emotion]`, then
  `  speakers (3): NAME[ (also ALIAS, ALIAS)] 1:06[ (doubtful)], …[ and 2 more]`, `  sounds: LABEL 2, …` and
  `  emotions: LABEL 31, …`, each only where there are some; `  speakers (16)` alone where there is no room for more.
- a request for words: user message with `<rows>` lines `[1] 0:29-0:36 NAME: text` `</rows>` and `Question: ` as above;
  an answer is sentences with `[1]` behind each, or NOT FOUND.
"""

from collections.abc import Iterable, Mapping, Sequence

from agent.brains.fence import fenced, tokens
from store.catalog import Catalog, RecordingCatalog, Voice
from store.clock import clock
from store.keywords import holds, normalise
from store.listing import listed
from store.record import STREAMS

BUDGET = 1200
_MOST_RECORDINGS = 8
_MOST_NAMED = 3
_LONGEST = 44
_SHORT = 20
_MOST = ((16, 40), (12, 24), (8, 12), (5, 6), (3, 3), (1, 1), (0, 0))


def outline(catalog: Catalog, question: str = "", budget: int = BUDGET) -> str:
    """Give the catalog in a few lines a recording, within a budget of tokens: voices with talk time, labels' counts.

    Whoever and whatever the question names comes first, so that a catalog that is cut still shows it.
    """
    asked = normalise(question)
    texts = ("\n".join(_lines(catalog, asked, voices, labels)) for voices, labels in _MOST)
    return next((text for text in texts if tokens(text) <= budget), "\n".join(_lines(catalog, asked, 0, 0, brief=True)))


def _lines(catalog: Catalog, asked: str, voices: int, labels: int, *, brief: bool = False) -> Iterable[str]:
    """Give the lines of as many voices and labels; brief ones leave out aliases and most of a title."""
    entries = catalog.recordings
    for number, entry in enumerate(entries[:_MOST_RECORDINGS], 1):
        yield f"recording {number}: {_heading(entry, _SHORT if brief else _LONGEST)}"
        spoken = [(voice.display, _voice(voice, () if brief else voice.aliases)) for voice in entry.voices]
        yield from _line(f"speakers ({len(spoken)})", spoken, asked, voices)
        yield from _line("sounds", _counted(entry.events), asked, labels)
        yield from _line("emotions", _counted(entry.emotions), asked, labels)
    if len(entries) > _MOST_RECORDINGS:
        yield f"and {len(entries) - _MOST_RECORDINGS} more recordings"


def _line(name: str, items: Sequence[tuple[str, str]], asked: str, most: int) -> Iterable[str]:
    """Give the items that the question names, then others; a line for none only says how many speakers there are."""
    named = [shown for key, shown in items if holds(asked, normalise(key))]
    order = named + [shown for key, shown in items if shown not in named]
    count = max(most, min(len(named), _MOST_NAMED))
    if items and count:
        yield f"  {name}: {listed(order, count)}"
    elif items and name.endswith(")"):
        yield f"  {name}"


def _heading(entry: RecordingCatalog, longest: int) -> str:
    recording = entry.recording
    heard = "" if recording.state == "ready" else f", heard so far until {_length(recording.heard_ms)}"
    spoken = f", language {fenced(recording.language)}" if recording.language else ""
    missing = ", ".join(kind for kind in STREAMS if kind not in entry.streams)
    absent = f"; never computed: {missing}" if missing else ""
    return f"{fenced(recording.title)[:longest]}, {_length(recording.duration_ms)} long{heard}{spoken}{absent}"


def _length(ms: int) -> str:
    """Give a length exactly, since halves and thirds of it are asked for: milliseconds only where there are some."""
    part = f"{ms % 1000:03}".rstrip("0")
    return f"{clock(ms)}.{part}" if part else clock(ms)


def _voice(voice: Voice, aliases: Sequence[str]) -> str:
    also = f" (also {fenced(', '.join(aliases))})" if aliases else ""
    doubt = " (doubtful)" if voice.doubt else ""
    return f"{fenced(voice.display)}{also} {clock(voice.talk_ms)}{doubt}"


def _counted(labels: Mapping[str, int]) -> list[tuple[str, str]]:
    by_count = sorted(labels.items(), key=lambda item: (-item[1], item[0]))
    return [(label, f"{fenced(label)} {count}") for label, count in by_count]
