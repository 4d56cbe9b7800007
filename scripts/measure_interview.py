"""Measure the interview pipeline on a French interview: two voices of espeak-ng, an endpoint that knows what they say.

The endpoint is a real HTTP server on the loopback. It decodes the audio that it is sent, finds where in the interview
that is from, and writes down what lies in it with chunk-relative times and ids that begin anew; --fault makes it worse.
All else is the product: voices told apart by sound, Silero, fusion, checks, the library, `export -f book`. Printed are
the words lost and added, the voices, the findings and the minutes sent; the book lies in the folder.

    python -m scripts.measure_interview [--times N] [--fault none|drift|loop|fence] [--folder FOLDER]
"""

import argparse
import base64
import difflib
import io
import json
import os
import subprocess
import tempfile
import wave
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from agent.front.cli import main as overheard
from agent.serve import loopback
from store import recordings, rows, streams
from store.database import Database
from tools.media import audio

VOICES = {"Claire": ("fr+f2", 165, 68), "Marc": ("fr+m3", 150, 35)}
STEP_MS = 570_000
TALK = [
    ("Claire", "Bonjour, euh, on est avec Marc aujourd'hui. Marc, vous avez été docker pendant, quoi, trente ans ?"),
    ("Marc", "Trente-deux. Trente-deux ans, oui. Enfin, euh, trente-trois si on compte l'apprentissage."),
    ("Claire", "Et vous avez commencé comment ?"),
    ("Marc", "Ben, par mon oncle, hein. Il m'a dit, demain matin, cinq heures, tu viens. Et moi, euh, je suis venu."),
    ("Claire", "Comme ça ?"),
    ("Marc", "Comme ça. On ne demandait pas, à l'époque. Putain, il faisait un froid, ce jour-là."),
    ("Claire", "Hmm, hmm. Et le travail, au début, c'était, euh, c'était quoi exactement ?"),
    ("Marc", "Des sacs. Rien que des sacs. Du café, du cacao, du sucre. Soixante kilos, le sac. Et tu ne disais rien."),
    ("Claire", "Oh là là."),
    ("Marc", "Ouais. Au bout d'une semaine, j'avais le dos, mais, euh, complètement foutu. Ma mère pleurait."),
    ("Claire", "Et vous n'avez jamais pensé à, enfin, à faire autre chose ?"),
    ("Marc", "Si, si, bien sûr. Une fois. J'ai failli partir à la Poste. Mais bon, les copains, le port, tu vois."),
    ("Claire", "Vous parlez souvent des copains. Il y en avait un, je crois, que tout le monde appelait l'Amiral ?"),
    ("Marc", "Ah ! L'Amiral ! Quel con, celui-là. Pardon. Mais, euh, un type formidable, hein, vraiment formidable."),
    ("Claire", "Non mais, allez-y, racontez."),
    (
        "Marc",
        "Alors, un jour, il arrive avec une casquette, euh, une vraie casquette d'officier, trouvée je ne sais où.",
    ),
    ("Marc", "Et le contremaître, qui ne le connaissait pas, il le salue. Je te jure. Il le salue !"),
    ("Claire", "C'est pas vrai."),
    ("Marc", "Si ! Toute la journée il a commandé les grues. Personne n'a rien dit. On se tenait les côtes."),
    ("Claire", "Et la grève de soixante-dix-neuf, vous y étiez ?"),
    ("Marc", "Évidemment. Quarante et un jours. On mangeait, euh, on mangeait ce que les pêcheurs nous donnaient."),
    ("Claire", "Quarante et un jours sans paye ?"),
    ("Marc", "Sans rien. Ma femme ne me parlait plus. Enfin, si, elle me parlait, mais, hmm, pas gentiment, quoi."),
    ("Claire", "Et à la fin ?"),
    ("Marc", "À la fin on a gagné, voilà. Pas tout. La moitié. Mais la moitié de quelque chose, c'est déjà ça."),
    ("Claire", "Bon. Euh, dernière question. Si c'était à refaire ?"),
    ("Marc", "Oh, je referais pareil. Sauf le dos. Le dos, non. Le dos je l'échangerais tout de suite, hein."),
    ("Claire", "Merci, Marc. Merci beaucoup."),
    ("Marc", "Ben, merci à vous."),
]


@dataclass(frozen=True, slots=True)
class Line:
    """What a voice says from t0 to t1, in milliseconds."""

    t0: int
    t1: int
    voice: str
    text: str


def spoken(text: str, voice: str) -> audio.Samples:
    """Speak a text, as 16 kHz samples without silence at the ends."""
    name, speed, pitch = VOICES[voice]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "line.wav"
        subprocess.run(["espeak-ng", "-v", name, "-s", str(speed), "-p", str(pitch), "-w", path, text], check=True)
        samples = audio.read(path, 0, 600_000)
    loud = np.flatnonzero(np.abs(samples) > 0.01)
    return samples[loud[0] : loud[-1] + 1]


def interview(times: int) -> tuple[audio.Samples, list[Line]]:
    """Give the whole interview so many times over, with pauses, and what is said when."""
    chance = np.random.default_rng(3)
    said = [(voice, text, spoken(text, voice)) for voice, text in TALK]
    parts, lines, at = [np.zeros(16_000, np.float32)], list[Line](), 1_000
    for voice, text, samples in said * times:
        whole = np.zeros(-(-len(samples) // 16) * 16, np.float32)
        whole[: len(samples)] = samples
        pause = np.zeros(int(chance.choice((300, 500, 800, 1_200, 2_500))) * 16, np.float32)
        parts += [whole, pause]
        lines.append(Line(at, at + len(whole) // 16, voice, text))
        at = lines[-1].t1 + len(pause) // 16
    noise = chance.normal(0, 0.001, sum(map(len, parts)))
    return (np.concatenate(parts) + noise).astype(np.float32), lines


class Hears(loopback.Loopback):
    """Writes down what lies in the audio that it is sent."""

    def __init__(self, samples: audio.Samples, lines: list[Line], fault: str) -> None:
        super().__init__(_Talk)
        self.whole = np.rint(samples * 32_768).astype("<i2")
        self.lines, self.fault = lines, fault
        self.begun: list[tuple[int, int]] = []

    def answer(self, request: dict[str, Any]) -> tuple[str, str]:
        """Give the text and how it ends."""
        part = request["messages"][0]["content"][1]["input_audio"]
        with wave.open(io.BytesIO(base64.b64decode(part["data"]))) as file:
            heard = np.frombuffer(file.readframes(file.getnframes()), "<i2")
        starts = range(0, len(self.whole), STEP_MS * 16)
        t0 = next(at for at in starts if np.array_equal(self.whole[at : at + len(heard)], heard)) // 16
        first = t0 not in [begun for begun, _ in self.begun]
        self.begun.append((t0, len(heard) // 16))
        text = table(within(self.lines, t0, t0 + len(heard) // 16, self.fault))
        if self.fault == "loop" and first:
            return text + "\n1\t00:01:00\t00:01:00\tEt voilà, euh, voilà." * 400, "length"
        return (f"Voici la transcription :\n```\n{text}\n```" if self.fault == "fence" else text), "stop"


def within(lines: list[Line], t0: int, t1: int, fault: str) -> list[Line]:
    """Give what is heard within [t0, t1), with times from t0 on."""
    found = []
    for line in lines:
        words = line.text.split()
        middles = [line.t0 + (line.t1 - line.t0) * (2 * n + 1) // (2 * len(words)) for n in range(len(words))]
        inside = [word for word, at in zip(words, middles, strict=True) if t0 <= at < t1]
        if inside:
            slow = 0.991 if fault == "drift" else 1.0
            begin, end = (int((min(max(at, t0), t1) - t0) * slow) for at in (line.t0, line.t1))
            found.append(replace(line, t0=begin, t1=end, text=" ".join(inside)))
    return found


def table(lines: list[Line]) -> str:
    """Write lines as the prompt asks for them."""
    ids = {voice: n for n, voice in enumerate(dict.fromkeys(line.voice for line in lines), 1)}
    header = "Diarization " + "\\".join(f"Speaker_{n}:{voice}" for voice, n in ids.items())
    clocks = [[f"00:{at // 60_000:02}:{at // 1000 % 60:02}" for at in (line.t0, line.t1)] for line in lines]
    told = (f"{ids[line.voice]}\t{a}\t{b}\t{line.text}" for line, (a, b) in zip(lines, clocks, strict=True))
    return "\n".join([header, *told])


class _Talk(loopback.Talk):
    server: Hears

    def do_POST(self) -> None:
        """Answer a chat completion."""
        text, finish = self.server.answer(json.loads(self.rfile.read(int(self.headers["content-length"]))))
        choice = {"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": finish}
        usage = {"prompt_tokens": 19_200, "completion_tokens": len(text) // 3}
        body = json.dumps({"choices": [choice], "usage": usage}).encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


def main() -> None:
    """Make the interview, have it written down, and print what became of it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--times", type=int, default=1)
    parser.add_argument("--fault", choices=("none", "drift", "loop", "fence"), default="none")
    parser.add_argument("--folder", type=Path, default=Path(tempfile.gettempdir()) / "interview")
    asked = parser.parse_args()
    asked.folder.mkdir(parents=True, exist_ok=True)
    samples, lines = interview(asked.times)
    path, library = asked.folder / "entretien.wav", asked.folder / f"library-{asked.times}-{asked.fault}"
    with wave.open(str(path), "wb") as file:
        file.setparams((1, 2, 16_000, 0, "NONE", ""))
        file.writeframes(np.rint(samples * 32_768).astype("<i2").tobytes())
    with loopback.running(Hears(samples, lines, asked.fault)) as server:
        os.environ |= {"OPENAI_BASE_URL": server.url, "OPENAI_MODEL": "hears"}
        told = ["--transcriber", "llm", "--language", "fr", "--num-speakers", "2", "--first-speaker", "Claire"]
        assert overheard(["--library", str(library), "ingest", str(path), *told]) == 0
    print(f"{len(samples) / 960_000:.1f} min, {sum(ms for _, ms in server.begun) / 60_000:.1f} min sent")
    compared(Database.open(library), lines)
    overheard(["--library", str(library), "show", "entretien"])
    overheard(["--library", str(library), "speakers", "entretien"])
    overheard(["--library", str(library), "export", "entretien", "-f", "book", "-o", str(asked.folder / "book.txt")])


def compared(database: Database, lines: list[Line]) -> None:
    """Print the words lost and added, how far times are off, and which voices say which true voice's rows."""
    with database.reader() as connection:
        (recording,) = recordings.every(connection)
        found = rows.segments(connection, streams.active(connection, recording.id)["transcript"])
    true, told = (" ".join(one.text for one in each).split() for each in (lines, found))
    codes = difflib.SequenceMatcher(None, true, told, autojunk=False).get_opcodes()
    lost = sum(b - a for kind, a, b, _, _ in codes if kind != "equal")
    added = sum(b - a for kind, _, _, a, b in codes if kind != "equal")
    print(f"words: {len(true)}, lost {lost}, added {added}")
    pairs: dict[tuple[str | None, str], int] = {}
    off = 0
    for one in found:
        near = max(lines, key=lambda line: min(line.t1, one.t1) - max(line.t0, one.t0))
        pairs[one.speaker, near.voice] = pairs.get((one.speaker, near.voice), 0) + 1
        off = max(off, abs(one.t0 - near.t0) if one.text == near.text else 0)
    print(f"rows by voice: {pairs}; a row begins at most {off / 1000:.1f} s off")


if __name__ == "__main__":
    main()
