"""The formats of `export` by the word that names them."""

from collections.abc import Callable, Mapping

from tools.exports import audacity, dialogue, document, rttm, subtitles, table, textgrid, tsv, whisperx
from tools.exports.content import Content

FORMATS: Mapping[str, Callable[[Content], str]] = {
    "srt": subtitles.write_srt,
    "vtt": subtitles.write_vtt,
    "rttm": rttm.write,
    "tsv": tsv.write,
    "json": document.write,
    "whisperx": whisperx.write,
    "textgrid": textgrid.write,
    "csv": table.write,
    "aud": audacity.write,
    "md": dialogue.write_md,
    "book": dialogue.write_book,
}
