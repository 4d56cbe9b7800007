"""Measure wrong denials end to end: rare names planted in noise, asked for without and with the second listen.

Made-up names, so that no spelling is known beforehand. No root, ending or reader is in a tuning part and in the report,
and no voice: the report's are another one and the same three at another pitch and pace. Between the planted sentences
lie LibriSpeech readers, every other one in noise as well, so that noise alone tells nothing. Asked for are the planted
names, and as many that nobody says, every other one beginning like a planted one.

    python -m scripts.measure_denials make tuning OUT --readers .../librispeech --piper "piper -m en_US-joe-medium.onnx"
    overheard ingest OUT/names.wav --library OUT/library
    python -m scripts.measure_denials rank OUT
    python -m scripts.measure_denials weigh OUT
    python -m scripts.choose_evidence OUT/weighed.jsonl OUT-2/weighed.jsonl
    python -m scripts.measure_denials ask OUT --share 0/2 & python -m scripts.measure_denials ask OUT --share 1/2
    python -m scripts.measure_denials recall OUT --table tools/again/recall.json

`rank` tells within how many seconds of the likeliest passages a planted name lies, without hearing anything; `weigh`
writes what speaks for each term where it is said; `ask` asks a share of the terms until so many seconds are over;
`recall` shows all that was asked and tabulates what it found by how well the planted segment was heard at first.
Everything was chosen on the tuning parts (100 names of `tuning`, 60 of `tuning-2`, their words heard without voices);
the report part of seed 16, ingested as it is here, was looked at once, with the final choice.
"""

import argparse
import json
import shlex
import subprocess
import time
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from agent.ask import ask
from agent.library import Library
from agent.reply import Reply
from scripts.make_names import NAMES, RATE, Samples, babble, mixed, pink, write
from store import recordings
from store.catalog import catalog
from tools.again.ear import SECONDS, second_listen
from tools.again.likely import Likely, likely, within
from tools.again.listening import asked_of
from tools.embedding import embed
from tools.media import audio
from tools.transcript.evidence import mentions
from tools.transcript.query import TranscriptQuery
from tools.transcript.recogniser import Options
from tools.transcript.recognisers.whisper import Whisper
from tools.transcript.windows import clip

MADE_UP = tomllib.loads((NAMES / "made_up.toml").read_text(encoding="utf-8"))
VOICES = {
    "tuning": ("piper", "flite -voice slt", "flite -voice awb", "flite -voice rms"),
    "tuning-2": (
        "piper --length_scale 1.25",
        "espeak-ng -v en-gb",
        "piper --length_scale 0.85",
        "espeak-ng -v en-us+f3",
    ),
    "report": (
        "flite -voice kal16",
        "flite -voice rms --setf int_f0_target_mean=140 --setf duration_stretch=1.15",
        "flite -voice slt --setf int_f0_target_mean=230 --setf duration_stretch=1.1",
        "flite -voice awb --setf int_f0_target_mean=95 --setf duration_stretch=1.2",
    ),
}
QUESTIONS = ("Was {} mentioned?", "How often was {} mentioned?", "Who mentioned {}?")
SEEDS = {"tuning": 11, "tuning-2": 21, "report": 16}
READER_S, PAUSE_S = 9, 0.6
MOST_DB = 20
BINS = (0.0, 0.75, 1.01)


@dataclass(frozen=True, slots=True)
class Plant:
    """A sentence with a name, when about the name is said, how loud above what noise, and the voice. Times in ms."""

    name: str
    t0: int
    t1: int
    at: int
    snr: float
    noise: str
    voice: str


def main() -> None:
    """Make a recording, rank its segments, or ask it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    steps = parser.add_subparsers(dest="step", required=True)
    making = steps.add_parser("make")
    making.add_argument("part", choices=tuple(SEEDS))
    making.add_argument("--readers", type=Path, required=True)
    making.add_argument("--piper", default="piper")
    making.add_argument("--names", type=int, default=100)
    ranking, weighing, recalling, asking = (steps.add_parser(name) for name in ("rank", "weigh", "recall", "ask"))
    recalling.add_argument("--table", type=Path)
    for step in (weighing, asking):
        step.add_argument("--until", type=float, default=3600)
    asking.add_argument("--share", default="0/1", help="which of how many shares of the terms, for so many processes")
    for step in (weighing, recalling, asking):
        step.add_argument("--seconds", type=float, default=SECONDS)
    for step in (making, ranking, weighing, recalling, asking):
        step.add_argument("out", type=Path)
    asked = parser.parse_args()
    {"make": _make, "rank": _rank, "weigh": _weigh, "recall": _recall, "ask": _ask}[asked.step](asked)


def _make(asked: argparse.Namespace) -> None:
    rng = np.random.default_rng(SEEDS[asked.part])
    half = SEEDS[asked.part] % 2
    made = [root + end for root in MADE_UP["roots"][half::2] for end in MADE_UP["endings"][half::2]]
    rng.shuffle(made)
    names = made[: asked.names]
    asked.out.mkdir(parents=True, exist_ok=True)
    readers = sorted(asked.readers.glob("*/*.flac"))[half::2]
    planted: list[Plant] = []
    parts: list[Samples] = []
    for n, name in enumerate(names):
        voice = VOICES[asked.part][n % 4]
        text = MADE_UP["carriers"][n // 4 % 4].format(name)
        spoken = _spoken(voice, text, asked.out / "one.wav", asked.piper)
        noise, snr = ("babble", "pink")[n // 2 % 2], round(float(rng.uniform(0, MOST_DB)), 1)
        at = sum(map(len, parts))
        middle = at + int(len(spoken) * (text.index(name) + len(name) / 2) / len(text))
        planted.append(Plant(name, _ms(at), _ms(at + len(spoken)), _ms(middle), snr, noise, voice))
        reader = np.concatenate(list(audio.decode(readers[int(rng.integers(len(readers)))])))[: READER_S * RATE]
        behind = [_noise(rng, noise, readers, len(one)) for one in (spoken, reader)]
        heard = mixed(reader, behind[1], float(rng.uniform(0, MOST_DB))) if n % 2 else reader
        pause = np.zeros(int(PAUSE_S * RATE), np.float32)
        parts += [mixed(spoken, behind[0], snr), pause, heard, pause]
    write(asked.out / "names.wav", np.concatenate(parts))
    absent = _absent(rng, asked.part, names)
    truth = {"planted": [asdict(plant) for plant in planted], "absent": absent}
    (asked.out / "truth.json").write_text(json.dumps(truth, indent=1), encoding="utf-8")
    print(f"{len(planted)} names in {sum(map(len, parts)) / RATE / 60:.1f} min, {len(absent)} absent")


def _absent(rng: np.random.Generator, part: str, names: Sequence[str]) -> list[str]:
    """Give as many names as are said that are not: by turns another kind, and a root that is said, ended anew."""
    file = "test.toml" if part == "report" else "tuning.toml"
    others: list[str] = tomllib.loads((NAMES / file).read_text(encoding="utf-8"))["names"]
    rng.shuffle(others)
    endings = MADE_UP["endings"][1 - SEEDS[part] % 2 :: 2]
    roots = [next(root for root in MADE_UP["roots"] if name.startswith(root)) for name in names]
    near = [root + endings[n // 2 % len(endings)] for n, root in enumerate(roots)]
    return [near[n] if n % 2 else others[n // 2] for n in range(len(names))]


def _ms(samples: int) -> int:
    return samples * 1000 // RATE


def _noise(rng: np.random.Generator, kind: str, readers: Sequence[Path], length: int) -> Samples:
    return babble(rng, readers, length) if kind == "babble" else pink(rng, length)


def _spoken(voice: str, text: str, path: Path, piper: str) -> Samples:
    program, *options = voice.split()
    if program == "piper":
        asked = [*shlex.split(piper), *options, "--output_file", str(path)]
        subprocess.run(asked, input=text.encode(), check=True)
    elif program == "espeak-ng":
        subprocess.run([*voice.split(), "-w", str(path), text], check=True)
    else:
        subprocess.run([*voice.split(), "-t", text, "-o", str(path)], check=True)
    return np.concatenate(list(audio.decode(path)))


def _truth(out: Path) -> tuple[list[Plant], list[str]]:
    """Give what is planted in the part of the recording that was heard, and what is not said at all."""
    truth: dict[str, Any] = json.loads((out / "truth.json").read_text(encoding="utf-8"))
    with Library(out / "library").database.reader() as connection:
        (recording,) = recordings.every(connection)
    return [plant for row in truth["planted"] if (plant := Plant(**row)).t1 <= recording.heard_ms], truth["absent"]


def _likely(out: Path) -> Iterator[tuple[str, Plant | None, list[Likely]]]:
    """Give each term that is not in the transcript, its plant, and all passages, the likeliest to hold it first."""
    planted, absent = _truth(out)
    with Library(out / "library").database.reader() as connection:
        entries = catalog(connection, recordings.every(connection))
        heard = " ".join(text for (text,) in connection.execute("SELECT text FROM segment"))
        for name, plant in _terms(planted, absent):
            if not mentions(heard, name):
                yield name, plant, likely(connection, entries, TranscriptQuery(keywords=[name]), [name])


def _rank(asked: argparse.Namespace) -> None:
    before = [_seconds_before(found, plant) for _, plant, found in _likely(asked.out) if plant is not None]
    print(f"{len(before)} planted that are not in the transcript")
    for seconds in (10, 20, 30, 45, 60, 75, 90):
        print(f"within {seconds:2} s: {sum(each <= seconds for each in before)} of {len(before)}")


def _weigh(asked: argparse.Namespace) -> None:
    """Write a line a term with what speaks for it where it is said, or in what is heard for one that nobody says."""
    heard, began = Whisper("base", Options()), time.monotonic()
    samples = np.concatenate(list(audio.decode(asked.out / "names.wav")))
    with (asked.out / "weighed.jsonl").open("w", encoding="utf-8") as file:
        for name, plant, found in _likely(asked.out):
            if time.monotonic() - began > asked.until:
                return
            vocabulary = frozenset(word for each in found for word in each.words)
            there = [each for each in found if _holds(each, plant)][:1]
            chosen = within(found, asked.seconds) if plant is None else there
            passages = [(clip(samples, 0, each.span), asked_of(each, vocabulary)) for each in chosen]
            rows = [asdict(one) | {"right": plant is not None} for one in heard.listen_again(passages)]
            file.write(json.dumps({"term": name, "planted": plant is not None, "rows": rows}) + "\n")
            file.flush()


def _holds(passage: Likely, plant: Plant | None) -> bool:
    """Say whether a planted name lies in a passage."""
    return plant is not None and passage.span.t0 <= plant.at < passage.span.t1


def _seconds_before(found: Sequence[Likely], plant: Plant) -> float:
    """Give the seconds that are heard until a planted name has been, infinite without it."""
    at = next((n for n, each in enumerate(found) if _holds(each, plant)), None)
    return float("inf") if at is None else sum(each.span.duration for each in found[: at + 1]) / 1000


def _ask(asked: argparse.Namespace) -> None:
    planted, absent = _truth(asked.out)
    library, began = Library(asked.out / "library"), time.monotonic()
    first, every = map(int, asked.share.split("/"))
    rows: list[dict[str, Any]] = []
    for n, (name, plant) in list(enumerate(_terms(planted, absent)))[first::every]:
        if time.monotonic() - began > asked.until:
            break
        question = QUESTIONS[n // 2 % len(QUESTIONS)].format(name)
        without = bool(ask(library, question, embed=embed()).value)
        at, cpu = time.monotonic(), time.process_time()
        reply = ask(library, question, embed=embed(), second=second_listen(asked.seconds))
        took, cost = time.monotonic() - at, time.process_time() - cpu
        there = plant is not None and _cites(reply, plant)
        rows.append({"planted": plant is not None, "without": without, "with": bool(reply.value), "there": there,
                     "seconds": took, "cpu": cost, "name": name, "again": not without, "caveats": reply.caveats,
                     "score": None if plant is None else _score(library, plant)})  # fmt: skip
        out = asked.out / f"asked_{asked.seconds:g}_{first}.json"
        out.write_text(json.dumps(rows, indent=1), encoding="utf-8")
    _show(rows)


def _score(library: Library, plant: Plant) -> float | None:
    """Give how sure the words of the segment in the middle of a planted sentence are, None where none was written."""
    middle = (plant.t0 + plant.t1) // 2
    with library.database.reader() as connection:
        row = connection.execute("SELECT score FROM segment WHERE t0 <= ? AND t1 > ?", (middle, middle)).fetchone()
    return None if row is None else row[0]


def _recall(asked: argparse.Namespace) -> None:
    """Tabulate what `ask` found by how well the planted segment was heard at first."""
    files = sorted(asked.out.glob(f"asked_{asked.seconds:g}_*.json"))
    rows = [row for file in files for row in json.loads(file.read_text(encoding="utf-8"))]
    _show(rows)
    planted = [row for row in rows if row["score"] is not None]
    table = []
    for low, high in pairwise(BINS):
        inside = [row for row in planted if low <= row["score"] < high]
        first, either = (sum(row[key] for row in inside) for key in ("without", "with"))
        print(f"score {low:4.2f}-{high:4.2f}: planted {len(inside)}, found at first {first}, by either {either}")
        table.append({"low": low, "high": high, "planted": len(inside), "found": either})
    if asked.table:
        asked.table.write_text(json.dumps(table, indent=1) + "\n", encoding="utf-8")


def _cites(reply: Reply, plant: Plant) -> bool:
    return any(each.start * 1000 < plant.t1 and each.end * 1000 > plant.t0 for each in reply.citations)


def _terms(planted: Sequence[Plant], absent: Sequence[str]) -> Iterator[tuple[str, Plant | None]]:
    for plant, other in zip(planted, absent, strict=False):
        yield plant.name, plant
        yield other, None


def _show(rows: Sequence[dict[str, Any]]) -> None:
    said, unsaid = [r for r in rows if r["planted"]], [r for r in rows if not r["planted"]]
    denied = [sum(not r[key] for r in said) for key in ("without", "with")]
    print(f"planted {len(said)}: wrongly denied without {denied[0]}, with {denied[1]}")
    there = [r["there"] for r in said if r["with"] and not r["without"]]
    print(f"of {len(there)} that only the second listen found, cited where planted: {sum(there)}")
    heard = [sum(r[key] for r in unsaid) for key in ("without", "with")]
    print(f"absent {len(unsaid)}: falsely heard without {heard[0]}, with {heard[1]}")
    for what in ("seconds", "cpu"):
        took = sorted(r[what] for r in rows if r["again"]) or [0.0]
        print(f"{what} a question that listens again: median {took[len(took) // 2]:.1f}, longest {took[-1]:.1f}")


if __name__ == "__main__":
    main()
