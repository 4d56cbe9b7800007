"""Learn which known question a wording most likely is, from the banks of wordings that may be tuned on.

Wordings of the bank and of the development sets, each with the meaning that its writer was given; what is not about a
recording, what cannot be computed and what only looks like a known question are meanings of their own. Held-out sets
are never read. To measure, leave whole sets out: their writers then wrote no wording that was learned from.

    python -m scripts.train_intents [--leave-out dev9,dev10]
"""

import argparse
import json
import tomllib
import zlib
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any

import numpy as np
from scipy.sparse import csr_matrix
from sklearn.linear_model import LogisticRegression

from agent.brains.rules.intents import OUTSIDE, WEIGHTS, features, places
from agent.brains.rules.language import Language, language
from agent.brains.rules.masking import words

PLANS = Path(__file__).resolve().parents[1] / "tests" / "data" / "plans"
SETS = ("bank", *(f"dev{number}" for number in range(1, 16)), "nearmiss", "nearmiss2", "honest")
OPEN, OTHER = "open", "other"
SIZE, C, ROUNDS = 2**14, 100.0, 200
TWICE = 2  # so often a word must occur to be one that questions are made of
Wordings = list[tuple[str, str]]


def wordings(code: str, sets: Sequence[str]) -> Wordings:
    """Give wordings with their meanings: of the sets in a language, and what stands in others' sets of it."""
    found: Wordings = []
    for name in sets:
        own, english = PLANS / f"{name}.{code}.toml", PLANS / f"{name}.en.toml"
        for path, key in ((own, "case"), (english, "french" if code == "fr" else "")):
            table = tomllib.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
            found += [(text, case["id"]) for case in table.get(key, []) for text in case["wordings"]]
            found += _aside(table) if key == "case" else []
    return found


def _aside(table: dict[str, Any]) -> Wordings:
    """Give what is no known question; of the near misses the half that nothing is measured on."""
    kinds = (("offtopic", OUTSIDE), ("open", OPEN))
    found = [(text, meaning) for name, meaning in kinds for text in table.get(name, {}).get("wordings", [])]
    near = [text for kind in table.get("near", []) for text in kind["wordings"] if half(text) == 0]
    unplanned = [case for case in table.get("honest", []) if "plan" not in case and not case.get("french")]
    return found + [(text, OTHER) for text in [*near, *(text for case in unplanned for text in case["wordings"])]]


def half(text: str) -> int:
    """Give the half of the near misses that a wording is in."""
    return zlib.crc32(text.encode()) % 2


def learnable(found: Wordings, spoken: Language, known: frozenset[str]) -> Iterator[tuple[tuple[str, ...], str]]:
    """Give wordings as words; what is no known question also as it is when its rare words are taken for a topic."""
    for text, meaning in found:
        yield (plain := words(text, spoken)), meaning
        if meaning in (OUTSIDE, OPEN, OTHER):
            named = [word.isalpha() and word not in known and (word,) not in spoken.lexicon for word in plain]
            runs = [
                (name, [word for word, _ in run])
                for name, run in groupby(zip(plain, named, strict=True), itemgetter(1))
            ]
            if any(named):
                yield tuple(word for name, run in runs for word in (["{X}"] if name else run)), meaning


def table(found: Sequence[tuple[str, ...]], spoken: Language) -> csr_matrix:
    """Give wordings as rows (wordings, SIZE), each of length one."""
    rows = [places(features(one, spoken), SIZE) for one in found]
    ends = np.concatenate([[0], np.cumsum([len(row) for row in rows])])
    values = np.concatenate([np.full(len(row), len(row) ** -0.5) for row in rows])
    return csr_matrix((values, np.concatenate(rows), ends), shape=(len(rows), SIZE))


def learn(found: Wordings, spoken: Language) -> None:
    """Fit the classifier and write it; weights are kept in whole numbers of `scale`, which costs no accuracy."""
    seen = Counter(word for text, _ in found for word in set(words(text, spoken)) if word.isalpha())
    known = frozenset(word for word, times in seen.items() if times >= TWICE)
    rows, meanings = zip(*learnable(found, spoken, known), strict=True)
    model = LogisticRegression(C=C, max_iter=ROUNDS).fit(table(rows, spoken), meanings)
    scale = float(np.abs(model.coef_).max() / 127)
    learned = {"scale": scale, "bias": model.intercept_.round(4).tolist(), "meanings": model.classes_.tolist()}
    learned["known"] = " ".join(sorted(known))
    (WEIGHTS / f"intents.{spoken.code}.int8").write_bytes(np.round(model.coef_.T / scale).astype(np.int8).tobytes())
    (WEIGHTS / f"intents.{spoken.code}.json").write_text(json.dumps(learned, indent=1) + "\n", encoding="utf-8")


def main() -> None:
    """Learn every language, or measure what is learned without some sets on these."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--leave-out", default="", help="sets not to learn from, to measure with scripts.measure_plans")
    options = parser.parse_args()
    sets = [name for name in SETS if name not in options.leave_out.split(",")]
    for code in ("en", "fr"):
        found = wordings(code, sets)
        learn(found, language(code))
        print(f"{code}: {len(found)} wordings, {len(set(dict(found).values()))} meanings")


if __name__ == "__main__":
    main()
