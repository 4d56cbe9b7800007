"""RTTM. Readers split lines at blanks and take NA for nothing, so such names are percent-coded: `Ada%20Lovelace`.

Our import reads them back; pyannote.database loads the file with the coded names. It holds turns, not scores.
"""

import re

from tools.exports.content import Content

_NOTHING = re.compile(r"(?:<NA>|#?N/?A|#N/A N/A|-?nan|-?1\.#(?:IND|QNAN)|null|none)", re.IGNORECASE)
_UNSAFE = re.compile(r"[\s%\"]|^[;#]")


def write(content: Content) -> str:
    """Give one SPEAKER line a turn, the recording's id as file id; DataError without a speaker stream."""
    content.need("speaker", "rttm")
    names = {label: coded(name) for label, name in content.names().items()}
    uri = content.recording.public_id
    return "".join(
        f"SPEAKER {uri} 1 {turn.t0 / 1000:.3f} {(turn.t1 - turn.t0) / 1000:.3f} <NA> <NA> {names[turn.speaker]}"
        " <NA> <NA>\n"
        for turn in content.turns
    )


def coded(name: str) -> str:
    """Write a name as one word that every reader takes for a name."""
    safe = _UNSAFE.sub(lambda found: "".join(f"%{byte:02X}" for byte in found[0].encode()), name)
    return f"%{ord(safe[0]):02X}{safe[1:]}" if _NOTHING.fullmatch(safe) else safe
