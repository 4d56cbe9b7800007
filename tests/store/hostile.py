"""The hostile strings of `hostile.tsv`, as values."""

from dataclasses import dataclass
from pathlib import Path

FILE = Path(__file__).with_name("hostile.tsv")


@dataclass(frozen=True, slots=True)
class Hostile:
    """One string: what the fence does with it, and what it does to an unfenced copy."""

    number: str
    fenced: str
    unfenced: str
    text: str

    def sql(self, folder: Path) -> str:
        """Give the statement with its paths inside a folder."""
        cross = ", ".join(f"transcript {letter}" for letter in "abcdefghijklmnopqrstuvwxyz")
        text = self.text.replace("{cross26}", cross).replace("{tmp}", str(folder))
        return text.replace("\\r", "\r").replace("\\n", "\n")


def every() -> list[Hostile]:
    """Give all strings of the table."""
    lines = FILE.read_text(encoding="utf-8").splitlines()
    return [Hostile(*line.split("\t", 3)) for line in lines if line and not line.startswith("#")]
