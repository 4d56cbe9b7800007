"""In which language the turns of a window are said, and where a window is cut between two languages.

The states of a turn know its neighbours, and a few of them tell less than all that a padded window gives: a turn that
neither is certain nor agrees with its window is heard alone. That costs what the window did, so where many voices
overlap only the longest few are, and the others do not tell.
"""

from collections.abc import Callable, Sequence

from store.record import Span

Guess = tuple[str, float]
"""A language and its probability."""
CERTAIN = 0.9
MOST_ALONE = 2
_SHORTEST_MS = 1_500  # a shorter turn does not tell its language


def told(
    turns: Sequence[Span], whole: str, inside: Callable[[Span], Guess], alone: Callable[[Span], Guess]
) -> list[str | None]:
    """Give the language of each turn of a window in `whole` by and large, None where it does not tell.

    inside guesses by the window's states of a turn, alone by the turn's own, which takes far longer.
    """
    found = [inside(turn) if turn.duration >= _SHORTEST_MS else None for turn in turns]
    doubtful = [place for place, guess in enumerate(found) if guess and not _clear(guess, whole)]
    for place in sorted(doubtful, key=lambda each: -turns[each].duration)[:MOST_ALONE]:
        found[place] = alone(turns[place])
    return [guess[0] if guess and _clear(guess, whole) else None for guess in found]


def parted(span: Span, turns: Sequence[Span], languages: Sequence[str | None]) -> list[tuple[Span, str]]:
    """Cut a window between turns of different languages, half-way through the silence between them.

    A turn that does not tell goes with the one before it, the first ones with the first that tells.
    """
    runs: list[tuple[Span, str]] = []
    start, language = span.t0, next(filter(None, languages), None)
    if language is None:
        return []
    for before, turn, other in zip(turns, turns[1:], languages[1:], strict=False):
        if other and other != language:
            cut = min(max((before.t1 + turn.t0) // 2, start + 1), span.t1 - 1)
            runs.append((Span(start, cut), language))
            start, language = cut, other
    return [*runs, (Span(start, span.t1), language)]


def _clear(guess: Guess, whole: str) -> bool:
    language, probability = guess
    return probability >= CERTAIN or language == whole
