"""The formats of `export` by the word that names them."""

from collections.abc import Callable, Mapping

from tools.exports import document, rttm, subtitles, table
from tools.exports.content import Content

FORMATS: Mapping[str, Callable[[Content], str]] = {
    "rttm": rttm.write,
    "json": document.write,
    "csv": table.write,
    "srt": subtitles.write_srt,
    "vtt": subtitles.write_vtt,
}
