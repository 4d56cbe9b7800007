"""Restate the AudioSet hierarchy as tools/events/audioset.tsv: names, parents, families; no descriptions.

    python -m scripts.make_audioset_table ONTOLOGY.json YAMNET_CLASS_MAP.csv CLASS_LABELS_INDICES.csv
The last is AudioSet's own list of 527 classes, in whose order PANNs networks give their probabilities.
A family is what sounds like one thing to a listener: a label climbs to its topmost ancestor below the broad ones.
"""

import csv
import json
import sys
from pathlib import Path

OUT = Path(__file__).parent.parent / "tools" / "events" / "audioset.tsv"
BROAD = {
    "Alarm", "Animal", "Bird", "Breathing", "Domestic animals, pets", "Door", "Explosion", "Hands", "Mechanisms",
    "Livestock, farm animals, working animals", "Motor vehicle (road)", "Tools", "Vehicle", "Water", "Wild animals",
}  # fmt: skip
OVERRIDES = {
    "Clapping": "Applause",
    "Chatter": "Crowd",
    "Hubbub, speech noise, speech babble": "Crowd",
    "Children shouting": "Shout",
    "Emergency vehicle": "Siren",
    "Police car (siren)": "Siren",
    "Ambulance (siren)": "Siren",
    "Fire engine, fire truck (siren)": "Siren",
    "Civil defense siren": "Siren",
    "Vehicle horn, car horn, honking": "Vehicle horn, car horn, honking",
    "Toot": "Vehicle horn, car horn, honking",
    "Air horn, truck horn": "Vehicle horn, car horn, honking",
    "Car alarm": "Alarm clock",
    "Buzzer": "Alarm clock",
    "Fire alarm": "Alarm clock",
    "Smoke detector, smoke alarm": "Alarm clock",
    "Doorbell": "Doorbell",
    "Ding-dong": "Doorbell",
    "Bell": "Bell",
    "Choir": "Singing",
    "Jet engine": "Aircraft",
    "Aircraft engine": "Aircraft",
    "Bow-wow": "Dog",
    "Howl": "Dog",
    "Hiss": "Hiss",
    "Rattle": "Rattle",
    "Buzz": "Buzz",
    "Whoosh, swoosh, swish": "Whoosh, swoosh, swish",
    "Thump, thud": "Thump, thud",
    "Beep, bleep": "Alarm clock",
}


class Ontology:
    """The nodes by name, with the names of their parents in the ontology's own order."""

    def __init__(self, nodes: list[dict[str, object]], heard: list[str]) -> None:
        names = {node["id"]: str(node["name"]) for node in nodes}
        self.heard = heard
        self.parents: dict[str, list[str]] = {name: [] for name in names.values()}
        for node in nodes:
            for child in node["child_ids"]:  # type: ignore[attr-defined]
                self.parents[names[child]].append(str(node["name"]))

    def family(self, name: str) -> str:
        """Give the head of a label's family, itself when all above it is broad."""
        if name in OVERRIDES:
            return OVERRIDES[name]
        near = [above for above in self.above(name) if above not in BROAD]
        return self.family(near[0]) if near else name

    def above(self, name: str) -> list[str]:
        """Give the nearest labels above a node, looking through nodes that are never heard."""
        return [
            near for parent in self.parents[name] for near in ([parent] if parent in self.heard else self.above(parent))
        ]


def names(classes: Path) -> list[str]:
    """Give the display names of a list of classes, in its order."""
    with classes.open(newline="") as lines:
        return [row["display_name"] for row in csv.DictReader(lines)]


def main() -> None:
    """Write the table: one line a node that YAMNet hears or that lies between two of them."""
    ontology_file, *classes = map(Path, sys.argv[1:4])
    heard, official = map(names, classes)
    ontology = Ontology(json.loads(ontology_file.read_text()), heard)
    rows = ["label\tparents\tfamily\tyamnet\tpanns\n"]
    for name in [*heard, *sorted(set(ontology.parents) - set(heard))]:
        places = "\t".join(str(listed.index(name)) if name in listed else "" for listed in (heard, official))
        rows.append(f"{name}\t{' | '.join(ontology.parents[name])}\t{ontology.family(name)}\t{places}\n")
    OUT.write_text("".join(rows))


if __name__ == "__main__":
    main()
