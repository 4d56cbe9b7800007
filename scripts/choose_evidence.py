"""Choose what each kind of evidence weighs when a term is heard again: logistic regression on the tuning parts.

FILES hold a line a term, as `scripts/measure_denials.py weigh` writes them. The threshold is the least at which at most
--false of the terms that nobody says are heard. What is printed of terms left out (five folds by term) is the figure to
believe; the weights are of all of them.

    python -m scripts.choose_evidence OUT/weighed.jsonl ... --false 0.01
"""

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tools.transcript.evidence import CLIPPED, WEIGHTS

FOLDS = 5
Floats = NDArray[np.float64]


def main() -> None:
    """Fit, print what is found of terms left out, then the weights."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", type=Path, nargs="+")
    parser.add_argument("--false", type=float, default=0.01, help="share of terms nobody says that may be heard")
    parser.add_argument("--ridge", type=float, default=1.0)
    asked = parser.parse_args()
    terms = [json.loads(line) for path in asked.files for line in path.read_text(encoding="utf-8").splitlines()]
    scored = np.full(len(terms), -np.inf)
    right = np.zeros(len(terms), bool)
    for fold in range(FOLDS):
        model = _fitted([t for n, t in enumerate(terms) if n % FOLDS != fold], asked.ridge)
        for n in range(fold, len(terms), FOLDS):
            scored[n], right[n] = _best(terms[n], model)
    _show("terms left out", terms, scored, right, asked.false)
    model = _fitted(terms, asked.ridge)
    both = [_best(term, model) for term in terms]
    least = _show("all", terms, np.array([b[0] for b in both]), np.array([b[1] for b in both]), asked.false)
    weights = {name: round(float(w), 3) for name, w in zip(WEIGHTS, model[1:], strict=True)}
    print(json.dumps({"base": round(float(model[0]) - least, 3)} | weights, indent=1))


def _features(row: dict[str, Any]) -> Floats:
    return np.array([np.clip(row[name], *CLIPPED[name]) for name in WEIGHTS])


def _fitted(terms: Sequence[dict[str, Any]], ridge: float) -> Floats:
    """Fit on the weighed passages: those with the term against those of terms that nobody says."""
    rows = [(row, bool(row["right"])) for t in terms for row in t["rows"] if row["right"] or not t["planted"]]
    weighed = [(row, said) for row, said in rows if np.isfinite(row["borne"])]
    x = np.array([np.r_[1.0, _features(row)] for row, _ in weighed])
    y = np.array([said for _, said in weighed], float)
    scale: Floats = np.r_[1.0, x[:, 1:].std(axis=0)]
    x /= scale
    w = np.zeros(x.shape[1])
    kept = np.diag(np.r_[0.0, np.full(len(w) - 1, ridge)])
    for _ in range(50):
        p = 1 / (1 + np.exp(-x @ w))
        w -= np.linalg.solve((x.T * (p * (1 - p) + 1e-9)) @ x + kept, x.T @ (p - y) + kept @ w)
    return w / scale


def _best(term: dict[str, Any], model: Floats) -> tuple[float, bool]:
    """Give the score of the likeliest passage of a term, and whether the term is said there."""
    found = [
        (float(model[0] + model[1:] @ _features(row)), bool(row["right"]))
        for row in term["rows"]
        if np.isfinite(row["borne"])
    ]
    return max(found, default=(-np.inf, False))


def _show(name: str, terms: Sequence[dict[str, Any]], scored: Floats, right: NDArray[np.bool_], false: float) -> float:
    planted = np.array([bool(term["planted"]) for term in terms])
    unsaid = np.sort(scored[~planted])[::-1]
    least = float(unsaid[round(false * len(unsaid))]) + 1e-6
    heard = scored > least
    reached = sum(any(row["right"] for row in term["rows"]) for term in terms)
    print(f"{name}: planted {planted.sum()}, in what was heard {reached}, found {(heard & planted).sum()}, ", end="")
    print(f"there {(heard & planted & right).sum()}; unsaid {len(unsaid)}, heard {(heard & ~planted).sum()}")
    print("  highest of unsaid", np.round(unsaid[:6], 1), "of planted", np.round(np.sort(scored[planted])[::-6], 1))
    return least


if __name__ == "__main__":
    main()
