"""TSV as Whisper writes it: start and end in milliseconds, and the text; no voices, words, scores or languages."""

from tools.exports.content import Content
from tools.sanitize import one_line


def write(content: Content) -> str:
    """Give a header and one line a segment; DataError without a transcript."""
    content.need("transcript", "tsv")
    return "start\tend\ttext\n" + "".join(f"{row.t0}\t{row.t1}\t{one_line(row.text)}\n" for row in content.segments)
