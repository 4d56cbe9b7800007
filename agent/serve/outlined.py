"""A catalog read back out of its outline in a prompt, as far as the outline tells: what can be named, and how long.

Ids, versions and row counts are not in a prompt, so nothing that needs them may be asked of such a catalog.
"""

import re
from collections.abc import Iterable, Iterator

from store.catalog import Catalog, RecordingCatalog, Voice
from store.clock import clock_time, start_ms
from store.recordings import Recording, State

_CLOCK = r"\d+:\d\d(?::\d\d)?"
_LENGTH = rf"{_CLOCK}(?:\.\d{{1,3}})?"
_HEAD = re.compile(
    rf"recording (?P<id>\S+): (?P<title>.*), (?P<length>{_LENGTH}) long(?:, heard so far until (?P<heard>{_LENGTH}))?"
    r"(?:, language (?P<language>[^;]+))?(?:; .*)?"
)
_LINE = re.compile(r"  (?P<what>speakers|sounds|emotions)(?: \(\d+\))?: (?P<said>.*)")
_VOICE = re.compile(
    rf"(?P<name>.+?)(?: \(also (?P<aliases>[^)]+)\))? (?P<talk>{_CLOCK})(?P<doubt>,? \(?doubtful\)?)?(?:, |$)"
)
_COUNTED = re.compile(r"(?P<label>.+?) (?P<count>\d+)(?:, |$)")
_BEYOND = re.compile(r" and \d+ more$")


def read_outline(text: str) -> Catalog:
    """Read what `agent.brains.outline.outline` wrote; lines of another form are passed over."""
    found: list[tuple[re.Match[str], dict[str, str]]] = []
    for line in text.splitlines():
        head, detail = _HEAD.fullmatch(line), _LINE.fullmatch(line)
        if head is not None:
            found.append((head, {}))
        elif detail is not None and found:
            found[-1][1][detail["what"]] = _BEYOND.sub("", detail["said"])
    return Catalog(tuple(_entry(number, head, told) for number, (head, told) in enumerate(found, 1)))


def named(names: Iterable[str], recordings: Iterable[str]) -> Catalog:
    """Give a catalog of which only names are known: these voices, in each of these recordings."""
    voices = tuple(Voice(number, name, None, (), None, 0, 0) for number, name in enumerate(names, 1))
    known = (_recording(number, public_id, public_id) for number, public_id in enumerate(recordings, 1))
    return Catalog(tuple(RecordingCatalog(recording, {}, voices, {}, {}) for recording in known))


def _entry(number: int, head: re.Match[str], told: dict[str, str]) -> RecordingCatalog:
    length = start_ms(clock_time(head["length"]))
    heard = start_ms(clock_time(head["heard"])) if head["heard"] else length
    return RecordingCatalog(
        recording=_recording(number, head["id"], head["title"], length, heard, head["language"]),
        streams={},
        voices=tuple(_voices(told.get("speakers", ""))),
        events=_labels(told.get("sounds", "")),
        emotions=_labels(told.get("emotions", "")),
    )


def _recording(
    number: int, public_id: str, title: str, length: int = 0, heard: int = 0, language: str | None = None
) -> Recording:
    state: State = "ready" if heard == length else "listening"
    return Recording(number, public_id, title, "", None, "import", length, False, heard, state, language, "auto")


def _voices(said: str) -> Iterator[Voice]:
    for number, voice in enumerate(_VOICE.finditer(said), 1):
        aliases = tuple(voice["aliases"].split(", ")) if voice["aliases"] else ()
        talk = start_ms(clock_time(voice["talk"]))
        yield Voice(number, voice["name"], None, aliases, "doubtful" if voice["doubt"] else None, talk, 0)


def _labels(said: str) -> dict[str, int]:
    return {found["label"]: int(found["count"]) for found in _COUNTED.finditer(said)}
