"""A network of three nodes as an ONNX file, written byte by byte: the louder a sound, the more it is of a class."""

import struct
from collections.abc import Sequence
from pathlib import Path

FLOAT = 1


def write(path: Path, weights: Sequence[float], biases: Sequence[float], *, rank: int = 2) -> Path:
    """Write logits = mean(samples ** 2) * weights + biases, for samples (1, n) or of another rank."""
    nodes = [
        _node("Mul", ["input_values", "input_values"], ["squares"]),
        _node("ReduceMean", ["squares"], ["loudness"], axes=[1]),
        _node("MatMul", ["loudness", "weights"], ["weighed"]),
        _node("Add", ["weighed", "biases"], ["logits"]),
    ]
    tensors = [_tensor("weights", [1, len(weights)], weights), _tensor("biases", [1, len(biases)], biases)]
    graph = b"".join(_bytes(1, node) for node in nodes) + _bytes(2, b"loud")
    graph += b"".join(_bytes(5, tensor) for tensor in tensors)
    graph += _bytes(11, _value("input_values", [1, *[None] * (rank - 1)]))
    graph += _bytes(12, _value("logits", [None] * rank))
    path.write_bytes(_number(1, 8) + _bytes(7, graph) + _bytes(8, _bytes(1, b"") + _number(2, 17)))
    return path


def _node(kind: str, inputs: Sequence[str], outputs: Sequence[str], axes: Sequence[int] = ()) -> bytes:
    names = b"".join(_bytes(1, name.encode()) for name in inputs) + b"".join(_bytes(2, n.encode()) for n in outputs)
    given = b"".join(_number(8, axis) for axis in axes) + _number(20, 7)
    return names + _bytes(4, kind.encode()) + (_bytes(5, _bytes(1, b"axes") + given) if axes else b"")


def _tensor(name: str, shape: Sequence[int], numbers: Sequence[float]) -> bytes:
    sizes = b"".join(_number(1, size) for size in shape)
    return sizes + _number(2, FLOAT) + _bytes(8, name.encode()) + _bytes(9, struct.pack(f"<{len(numbers)}f", *numbers))


def _value(name: str, shape: Sequence[int | None]) -> bytes:
    sizes = b"".join(_bytes(1, b"" if size is None else _number(1, size)) for size in shape)
    kind = _number(1, FLOAT) + _bytes(2, sizes)
    return _bytes(1, name.encode()) + _bytes(2, _bytes(1, kind))


def _number(field: int, value: int) -> bytes:
    return _varint(field << 3) + _varint(value)


def _bytes(field: int, content: bytes) -> bytes:
    return _varint(field << 3 | 2) + _varint(len(content)) + content


def _varint(value: int) -> bytes:
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    return bytes([*out, value])
