"""A small meeting as files on disk, with names that are words of SQL."""

from pathlib import Path

NAMES = ("Select", "Order", "NULL", "O'Brien; --", "%")
SAID = ("We ship on Friday", "I don't agree", "50% of it is late", "drop it", "who decides?")


def vtt(folder: Path) -> Path:
    cues = (
        f"00:{i:02}.000 --> 00:{i:02}.900\n<v {name}>{text}\n"
        for i, (name, text) in enumerate(zip(NAMES, SAID, strict=True))
    )
    path = folder / "meeting.vtt"
    path.write_text("WEBVTT\n\n" + "\n".join(cues), encoding="utf-8")
    return path


def events(folder: Path) -> Path:
    path = folder / "events.csv"
    path.write_text("start,end,label,score\n1.5,2.5,Laughter,0.9\n", encoding="utf-8")
    return path


def emotions(folder: Path) -> Path:
    path = folder / "emotions.csv"
    path.write_text("2.0,2.9,anger,0.8\n", encoding="utf-8")
    return path
