"""Learn what a question of a conversation most likely means after the one before it, from what several writers wrote.

A linear classifier over the rows of `followup_rows`. To measure, leave writers out.

    python -m scripts.train_followups [--leave-out pairs1,talks2]
"""

import argparse
import json
import random
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.optimize import minimize
from scipy.sparse import csr_matrix

from agent.brains.rules.following.leaning import DROP, SAY, STRETCHES, columns
from agent.brains.rules.intents import OUTSIDE, WEIGHTS, places
from agent.brains.rules.language import Language, language
from agent.brains.rules.masking import words
from scripts.followup_rows import Row, Teacher, leaning, pairs, stand_alone
from scripts.train_intents import OPEN, OTHER, SETS, wordings

SIZE, RIDGE, ROUNDS, TWICE = 2**13, 3e-6, 150, 2
BANK, PRONOUNS = 4000, 6000


def table(rows: Sequence[Row], spoken: Language) -> csr_matrix:
    """Give questions as rows (questions, SIZE), each of length one."""
    found = [places(asked.features(spoken), SIZE) for row in rows for asked, _ in row.ways]
    ends = np.concatenate([[0], np.cumsum([len(row) for row in found])])
    values = np.concatenate([np.full(len(row), len(row) ** -0.5) for row in found])
    return csr_matrix((values, np.concatenate(found), ends), shape=(len(found), SIZE))


@dataclass(frozen=True)
class Choices:
    """What may be chosen: where each one's columns are among all scores, where each begins, and where each question."""

    scores: np.ndarray
    begins: np.ndarray
    questions: np.ndarray
    right: np.ndarray
    weights: np.ndarray


def choices(rows: Sequence[Row], names: Mapping[str, int]) -> Choices:
    """Give what may be chosen for each question: a meaning, then what becomes of the stretch of time."""
    made: list[list[int]] = []
    questions, right, weights, first = [], [], [], 0
    for row in rows:
        meanings = [
            ((first + place) * len(names), columns(one, asked.before), (place, one) in row.right)
            for place, (asked, keys) in enumerate(row.ways)
            for one in keys
        ]
        at = (first + min(row.right)[0]) * len(names)
        says = row.ways[0][0].says
        able = [one for one in STRETCHES if one == DROP or (one == SAY) == says] if row.stretch else []
        becomes = [(at, [one], one == row.stretch) for one in able]
        for ways, weight in ((meanings, row.weight), (becomes, 2.0)):
            questions += [len(made)] if ways else []
            made += [[at + names[one] for one in parts] for at, parts, _ in ways]
            right += [is_right for *_, is_right in ways]
            weights += [weight] * len(ways)
        first += len(row.ways)
    begins = np.cumsum([0, *map(len, made[:-1])])
    return Choices(np.concatenate(made), begins, np.array(questions), np.array(right), np.array(weights))


def fit(rows: Sequence[Row], names: Mapping[str, int], spoken: Language) -> np.ndarray:
    """Give the weights (SIZE, columns) under which what is right is likeliest."""
    asked, able, shape = table(rows, spoken), choices(rows, names), (SIZE, len(names))
    parts = np.diff(able.begins, append=len(able.scores))
    sizes = np.diff(able.questions, append=len(able.begins))

    def loss(flat: np.ndarray) -> tuple[float, np.ndarray]:
        scores = np.add.reduceat((asked @ flat.reshape(shape)).ravel()[able.scores], able.begins)
        powers = np.exp(scores - np.repeat(np.maximum.reduceat(scores, able.questions), sizes))
        shares = powers / np.repeat(np.add.reduceat(powers, able.questions), sizes)
        good = np.repeat(np.add.reduceat(shares * able.right, able.questions), sizes)
        errors = np.repeat((shares - shares * able.right / good) * able.weights, parts)
        back = np.bincount(able.scores, errors, asked.shape[0] * len(names)).reshape(-1, len(names))
        cost = -(np.log(good) * able.weights)[able.questions].sum() / len(rows) + RIDGE / 2 * (flat**2).sum()
        return float(cost), (asked.T @ back).ravel() / len(rows) + RIDGE * flat

    found = minimize(
        loss, np.zeros(SIZE * len(names)), jac=True, method="L-BFGS-B", options={"maxiter": ROUNDS, "gtol": 1e-8}
    )
    return np.asarray(found.x).reshape(shape)


def learn(code: str, left_out: Sequence[str]) -> int:
    """Learn a language and write its weights in whole numbers of `scale`; give how much was learned from."""
    spoken, chance = language(code), random.Random(0)
    written, bank = list(pairs(code, left_out)), wordings(code, SETS)
    seen = Counter(
        word
        for text in [asked for _, asked, _ in written]
        + [text for text, meaning in bank if meaning not in (OPEN, OTHER, OUTSIDE)]
        for word in set(words(text, spoken))
    )
    known = frozenset(word for word, times in seen.items() if times >= TWICE and word.isalpha())
    teacher, befores = Teacher(spoken, known, chance), [before for before, _, _ in written]
    rows = list(teacher.rows(written))
    rows += stand_alone(chance.sample(bank, min(BANK, len(bank))), teacher, befores, chance)
    rows += leaning(chance.sample(bank, PRONOUNS), teacher, befores, chance) if code == "en" else ()
    able = {(one, asked.before) for row in rows for asked, keys in row.ways for one in keys}
    names = sorted({column for one in able for column in columns(*one)} | {*STRETCHES})
    weights = fit(rows, {name: place for place, name in enumerate(names)}, spoken)
    scale = float(np.abs(weights).max() / 127)
    learned = {"scale": scale, "columns": names, "known": " ".join(sorted(known))}
    (WEIGHTS / f"followups.{code}.int8").write_bytes(np.round(weights / scale).astype(np.int8).tobytes())
    (WEIGHTS / f"followups.{code}.json").write_text(json.dumps(learned, indent=1) + "\n", encoding="utf-8")
    return len(rows)


def main() -> None:
    """Learn every language, or measure what is learned without some writers on these."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--leave-out", default="", help="writers not to learn from, to measure on them")
    options = parser.parse_args()
    for code in ("en", "fr"):
        print(f"{code}: {learn(code, options.leave_out.split(','))} questions")


if __name__ == "__main__":
    main()
