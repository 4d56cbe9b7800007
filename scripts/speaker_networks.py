# ruff: noqa: D102
"""The two published speaker networks as plain torch modules, named as their checkpoints name their parts.

So the checkpoints load with weights_only=True and no code of theirs runs. Sources: pyannote.audio's PyanNet (Bredin
2023, MIT), CAM++ (Wang et al. 2023, Apache-2.0).
"""

import torch
from torch import Tensor, nn
from torch.nn import functional as F

SEGMENT = 100


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
