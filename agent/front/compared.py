"""Two versions of a stream held against each other, as people read it and as JSON."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from agent.front.output import emit

if TYPE_CHECKING:
    from tools.comparison.labels import Labelled, Labels
    from tools.comparison.pair import Compared
    from tools.comparison.turns import Turns
    from tools.comparison.words import Words

SHOWN = 20


def document(compared: "Compared") -> dict[str, Any]:
    """Give a comparison as JSON has it, with every difference."""
    from tools.comparison.turns import Turns
    from tools.comparison.words import Words

    found = compared.found
    told = _words(found) if isinstance(found, Words) else _turns(found) if isinstance(found, Turns) else _labels(found)
    sides = {
        side: {"version": version.number, "model": version.source.model, "rows": version.rows, "asked": version.active}
        for side, version in (("before", compared.before), ("after", compared.after))
    }
    return {"stream": compared.before.kind, **sides, **told}


def show(compared: "Compared") -> None:
    """Print a comparison: what each version is, the figures, and the first differences."""
    from agent.front.render import table
    from tools.comparison.turns import Turns
    from tools.comparison.words import Words

    sides = [
        (version.kind, version.number, "asked" if version.active else "kept", version.source.model, version.rows)
        for version in (compared.before, compared.after)
    ]
    table(("stream", "version", "state", "model", "rows"), sides)
    emit()
    found = compared.found
    if isinstance(found, Words):
        _show_words(found)
    elif isinstance(found, Turns):
        _show_turns(found)
    else:
        _show_labels(found)


def _words(found: "Words") -> dict[str, Any]:
    return {
        "words": {"before": found.before, "after": found.after},
        "same": found.same,
        "changed": found.changed,
        "missing": found.missing,
        "added": found.added,
        "rate": found.rate,
        "apart": None if found.apart_ms is None else found.apart_ms / 1000,
        "changes": [
            {"start": one.span.t0 / 1000, "end": one.span.t1 / 1000, "before": one.before, "after": one.after}
            for one in found.changes
        ],
    }


def _show_words(found: "Words") -> None:
    from agent.front.render import table
    from store.clock import clock

    rate = "" if found.rate is None else f" ({found.rate:.1%} of the first)"
    emit(
        f"{found.before} and {found.after} words: {found.same} the same, {found.changed} changed, {found.missing} only "
        f"in the first, {found.added} only in the second{rate}"
    )
    if found.apart_ms is not None:
        emit(f"the same words begin {found.apart_ms / 1000:.2f} s apart (median)")
    _few(len(found.changes), "differences")
    rows = [(clock(one.span.t0), one.before, one.after) for one in found.changes[:SHOWN]]
    if rows:
        table(("at", "first", "second"), rows)


def _turns(found: "Turns") -> dict[str, Any]:
    parts = {"speech": found.speech, "missed": found.missed, "added": found.added, "confused": found.confused}
    return {
        "voices": {"before": found.before, "after": found.after},
        "pairs": [list(pair) for pair in found.pairs],
        "rate": found.rate,
        **{name: ms / 1000 for name, ms in parts.items()},
    }


def _show_turns(found: "Turns") -> None:
    from store.clock import clock

    emit(f"{found.before} and {found.after} voices; pairs: {', '.join(f'{a} = {b}' for a, b in found.pairs) or 'none'}")
    if found.rate is not None:
        emit(
            f"were the first the truth, the second's diarization error would be {found.rate:.1%} of "
            f"{clock(found.speech)}: {found.missed / 1000:.1f} s missed, {found.added / 1000:.1f} s added, "
            f"{found.confused / 1000:.1f} s of other voices"
        )


def _labels(found: "Labels") -> dict[str, Any]:
    return {
        "labels": {"before": dict(sorted(found.before.items())), "after": dict(sorted(found.after.items()))},
        "lost": _rows(found.lost),
        "gained": _rows(found.gained),
        "agreed": found.agreed_ms / 1000,
        "either": found.either_ms / 1000,
        "agreement": found.agreement,
    }


def _rows(rows: "Sequence[Labelled]") -> list[dict[str, Any]]:
    return [{"start": row.t0 / 1000, "end": row.t1 / 1000, "label": row.label, "score": row.score} for row in rows]


def _show_labels(found: "Labels") -> None:
    from agent.front.render import table
    from store.clock import clock

    if found.agreement is not None:
        share = f"{clock(found.agreed_ms)} of {clock(found.either_ms)} ({found.agreement:.0%})"
        emit(f"both say the same in {share}, each label's time by itself")
    names = sorted(found.before.keys() | found.after.keys())
    lost = {name: sum(row.label == name for row in found.lost) for name in names}
    gained = {name: sum(row.label == name for row in found.gained) for name in names}
    rows = [(name, found.before[name], found.after[name], lost[name], gained[name]) for name in names]
    table(("label", "first", "second", "lost", "gained"), rows)
    for word, changed in (("lost", found.lost), ("gained", found.gained)):
        _few(len(changed), word)
        if changed:
            places = [(clock(row.t0), row.label, row.score) for row in changed[:SHOWN]]
            table((f"{word} at", "label", "score"), places)


def _few(count: int, word: str) -> None:
    if count > SHOWN:
        emit(f"the first {SHOWN} of {count} {word} (--json has all):")
