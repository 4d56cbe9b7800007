"""JSON as WhisperX writes it: segments and words with times, voices and scores, and one language for all.

It does not hold a segment's own score and language, a voice's aliases, turns, sounds or emotions: `json` does.
"""

from typing import Any

from store.record import Segment, Word
from tools.canonical import to_json
from tools.exports.content import Content


def write(content: Content) -> str:
    """Give one JSON document; DataError without a transcript."""
    content.need("transcript", "whisperx")
    names = content.names()
    segments = [_segment(row, names[row.speaker] if row.speaker else None) for row in content.segments]
    words = [word for segment in segments for word in segment["words"]]
    document = {"segments": segments, "word_segments": words, "language": content.recording.language}
    return to_json(document, indent=1) + "\n"


def _segment(row: Segment, speaker: str | None) -> dict[str, Any]:
    voice = {} if speaker is None else {"speaker": speaker}
    words = [_word(word) | voice for word in row.words]
    return {"start": row.t0 / 1000, "end": row.t1 / 1000, "text": row.text, "words": words} | voice


def _word(word: Word) -> dict[str, Any]:
    sure = {} if word.score is None else {"score": word.score}
    return {"word": word.text, "start": word.t0 / 1000, "end": word.t1 / 1000} | sure
