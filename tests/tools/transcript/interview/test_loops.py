"""A loop is found in all its forms; people who repeat themselves are not."""

from collections.abc import Sequence

import pytest

from tools.transcript.interview.loops import rambling, repeats
from tools.transcript.interview.table import Said


def rows(*texts: str, step: int = 2_000) -> list[Said]:
    return [Said(n * step, n * step + (1_000 if step else 0), str(n % 2), text) for n, text in enumerate(texts)]


def one_voice(texts: Sequence[str], timeless: bool = False) -> list[Said]:
    return [Said(n * 2_000, n * 2_000 + (0 if timeless else 1_000), "1", text) for n, text in enumerate(texts)]


DIFFERENT = ["Il a dit oui.", "Mais non.", "Et toi, alors ?", "Je ne sais plus."]


@pytest.mark.parametrize(
    ("given", "cut"),
    [
        (rows(*DIFFERENT), 0),
        (one_voice([*DIFFERENT, *["Et nous sommes partis de là."] * 30]), 29),
        (one_voice([*DIFFERENT, *["Oui."] * 5], timeless=True), 4),
        (rows(*DIFFERENT, *["Tu es là ?", "Oui, je suis là."] * 6), 10),
        (one_voice([*DIFFERENT, *["Oui."] * 3]), 0),
        (one_voice([*DIFFERENT, *["Oui."] * 6]), 0),
        (rows(*["Oui.", "Non."] * 3), 0),
        (rows(*[f"Ligne {'abcdefghijklmnopqrst'[n]}." for n in range(20)], step=0), 19),
    ],
)
def test_rows_that_only_repeat(given: Sequence[Said], cut: int) -> None:
    found = repeats(given)
    assert len(found) == cut
    assert not cut or found == list(range(found[0], found[0] + cut))


def test_a_word_without_end_inside_a_row() -> None:
    assert rambling(Said(0, 1_000, "1", "Alors il a dit " + "non " * 200)) == 5
    assert rambling(Said(0, 1_000, "1", "Oui oui oui oui oui oui oui oui, bien sûr.")) is None
