"""Print what telling voices apart costs as a recording grows: one clustering, and a whole listening's re-clusterings.

    python -m scripts.measure_speaker_scale [--hours 9] [--data FOLDER]

Real vectors of a made conversation of twelve voices are repeated with jitter, in stretches of ten minutes. After each
stretch all voices are named again, as a listening does; times are CPU, memory is what a step adds.
"""

import argparse
import sys
import time
from pathlib import Path

import numpy as np

from scripts.corpora import data_option
from scripts.speaker_cases import reader_files
from scripts.speaker_conversations import conversation
from tools.speaker.recogniser import Voices
from tools.speaker.recognisers.clustering import cluster
from tools.speaker.recognisers.networks import FRAME
from tools.speaker.recognisers.onnx import Onnx

STRETCH_MS = 600_000
JITTER = 0.3  # length of what is added to a unit vector
INGEST = 1 / 8  # of a recording's time that all of a listening may take


def jittered(voices: Voices, start_ms: int, rng: np.random.Generator) -> Voices:
    """Give ten minutes made of repeats of what was heard, every vector moved a little."""
    arrays = voices.arrays
    times = -(-STRETCH_MS // voices.duration_ms)
    count = len(arrays["first"])
    passages = len(arrays["seconds"])
    vectors = np.tile(arrays["vectors"].astype(np.float32), (times, 1))
    vectors += rng.normal(0, JITTER / np.sqrt(vectors.shape[1]), vectors.shape)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    frames = [arrays["first"] + (start_ms + n * voices.duration_ms) * 16 // FRAME for n in range(times)]
    own = [np.where(arrays["own"] < 0, -1, arrays["own"].astype(np.int32) + n * passages) for n in range(times)]
    last = count * STRETCH_MS // voices.duration_ms
    made = {
        "first": np.concatenate(frames)[:last],
        "activity": np.tile(arrays["activity"], (times, 1, 1))[:last],
        "own": np.concatenate(own)[:last].astype(np.int16),
        "vectors": vectors.astype(np.float16),
        "seconds": np.tile(arrays["seconds"], times),
    }
    return Voices(voices.recogniser, voices.version, start_ms, STRETCH_MS, made)


def resident(forget: bool = False) -> float:
    """Give the most memory that was resident since the last time this forgot, in MB (Linux)."""
    rows = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
    peak = next(int(row.split()[1]) for row in rows if row.startswith("VmHWM"))
    if forget:
        Path("/proc/self/clear_refs").write_text("5", encoding="ascii")
    return peak / 1024


def main() -> int:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--hours", type=float, default=9)
    data_option(parser)
    given = parser.parse_args()
    backend, rng = Onnx(), np.random.default_rng(1)
    case = conversation(reader_files(given.data, "development"), 12, rng)
    heard = backend.hear(case.samples, 0)
    stretches = [jittered(heard, n * STRETCH_MS, rng) for n in range(round(given.hours * 6))]
    vectors = np.concatenate([voices.arrays["vectors"] for voices in stretches]).astype(np.float32)
    naming = backend.tuning.naming
    print(f"{'vectors':>10}{'voices':>8}{'s':>8}{'MB':>6}")
    for count in (5_000, 20_000, 60_000):
        some, weights = vectors[:count], np.ones(len(vectors[:count]), np.float32)
        resident(forget=True)
        before, began = resident(), time.process_time()
        found = cluster(some, weights, naming.bounds(), naming.safe)
        spent, more = time.process_time() - began, resident() - before
        print(f"{len(found):10}{len(set(found.tolist())):8}{spent:8.2f}{more:6.0f}", flush=True)
    each = []
    resident(forget=True)
    before = resident()
    for n in range(1, len(stretches) + 1):
        began = time.process_time()
        turns = backend.turns(stretches[:n])
        each.append(time.process_time() - began)
    more = resident() - before
    voices = len({turn.speaker for turn in turns})
    share = sum(each) / (given.hours * 3600 * INGEST)
    print(f"\n{given.hours:g} h in {len(stretches)} stretches, {len(vectors)} passages, {voices} voices")
    print(f"named again after each: {sum(each):.1f} s, the last {each[-1]:.2f} s, {more:.0f} MB more")
    print(f"{100 * share:.2f} % of a listening eight times as fast as the recording")
    return 0


if __name__ == "__main__":
    sys.exit(main())
