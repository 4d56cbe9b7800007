"""Write the graph of all-MiniLM-L6-v2 as a small ONNX file whose weights stay in the original model.safetensors.

    python -m scripts.make_minilm_graph FOLDER_OF_MODEL_SAFETENSORS [store/weights/minilm.onnx]

Every tensor is an external one: a byte offset into the fetched file, so 23 kB are shipped and nothing is converted.
Needs `onnx` (dependency group `export`). Architecture: BERT, 6 layers of 12 heads, mean pooling, unit length.
"""

import json
import struct
import sys
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

LAYERS, HEADS, WIDTH, HEAD = 6, 12, 384, 32
EPSILON = 1e-12
WEIGHTS = "model.safetensors"
TYPES = {"F32": TensorProto.FLOAT}


class Graph:
    """Nodes and tensors of the graph as they are added."""

    def __init__(self, weights: Path) -> None:
        with weights.open("rb") as file:
            (length,) = struct.unpack("<Q", file.read(8))
            self._header = json.loads(file.read(length))
        self._start = 8 + length
        self.nodes: list[onnx.NodeProto] = []
        self.tensors: dict[str, onnx.TensorProto] = {}

    def add(self, operator: str, *inputs: str, **attributes: object) -> str:
        """Add a node and give its output."""
        name = f"{operator}_{len(self.nodes)}"
        self.nodes.append(helper.make_node(operator, list(inputs), [name], name=name, **attributes))
        return name

    def constant(self, name: str, value: object, kind: type) -> str:
        """Add a small tensor that is kept in the graph."""
        self.tensors[name] = numpy_helper.from_array(np.asarray(value, kind), name)
        return name

    def weight(self, name: str) -> str:
        """Add a tensor of the weights file by its place there."""
        if name not in self.tensors:
            entry = self._header[name]
            begin, end = entry["data_offsets"]
            tensor = TensorProto(name=name, data_type=TYPES[entry["dtype"]], dims=entry["shape"])
            tensor.data_location = TensorProto.EXTERNAL
            place = {"location": WEIGHTS, "offset": self._start + begin, "length": end - begin}
            for key, value in place.items():
                tensor.external_data.add(key=key, value=str(value))
            self.tensors[name] = tensor
        return name

    def linear(self, rows: str, name: str) -> str:
        """Add a dense layer."""
        return self.add("Gemm", rows, self.weight(f"{name}.weight"), self.weight(f"{name}.bias"), transB=1)

    def norm(self, rows: str, name: str) -> str:
        """Add a layer norm."""
        scale, bias = self.weight(f"{name}.weight"), self.weight(f"{name}.bias")
        return self.add("LayerNormalization", rows, scale, bias, axis=-1, epsilon=EPSILON)


def embeddings(graph: Graph) -> str:
    """Give rows (batch * length, width) of words with their positions."""
    words = graph.add("Gather", graph.weight("embeddings.word_embeddings.weight"), "input_ids")
    length = graph.add("Gather", graph.add("Shape", "input_ids"), graph.constant("one_d", 1, np.int64))
    zero, one = graph.constant("zero", 0, np.int64), graph.constant("one", 1, np.int64)
    places = graph.add("Range", zero, length, one)
    positions = graph.add("Gather", graph.weight("embeddings.position_embeddings.weight"), places)
    kind = graph.add("Gather", graph.weight("embeddings.token_type_embeddings.weight"), zero)
    total = graph.add("Add", graph.add("Add", words, positions), kind)
    flat = graph.add("Reshape", total, graph.constant("flat", [-1, WIDTH], np.int64))
    return graph.norm(flat, "embeddings.LayerNorm")


def layer(graph: Graph, rows: str, shape: str, mask: str, number: int) -> str:
    """Give the rows after one layer of attention and feed-forward."""
    name = f"encoder.layer.{number}"
    parts = {}
    for part, order in {"query": [0, 2, 1, 3], "key": [0, 2, 3, 1], "value": [0, 2, 1, 3]}.items():
        projected = graph.linear(rows, f"{name}.attention.self.{part}")
        parts[part] = graph.add("Transpose", graph.add("Reshape", projected, shape), perm=order)
    scores = graph.add("Div", graph.add("MatMul", parts["query"], parts["key"]), "root")
    weights = graph.add("Softmax", graph.add("Add", scores, mask), axis=-1)
    mixed = graph.add("Transpose", graph.add("MatMul", weights, parts["value"]), perm=[0, 2, 1, 3])
    attended = graph.linear(graph.add("Reshape", mixed, "flat"), f"{name}.attention.output.dense")
    rows = graph.norm(graph.add("Add", attended, rows), f"{name}.attention.output.LayerNorm")
    wide = graph.add("Gelu", graph.linear(rows, f"{name}.intermediate.dense"))
    return graph.norm(graph.add("Add", graph.linear(wide, f"{name}.output.dense"), rows), f"{name}.output.LayerNorm")


def pooled(graph: Graph, rows: str, real: str) -> str:
    """Give the mean of each text's real tokens, at unit length."""
    shape = graph.add("Concat", graph.add("Shape", "input_ids"), graph.constant("width", [WIDTH], np.int64), axis=0)
    tokens = graph.add("Reshape", rows, shape)
    each = graph.add("Unsqueeze", real, graph.constant("last", [-1], np.int64))
    summed = graph.add("ReduceSum", graph.add("Mul", tokens, each), graph.constant("axis_1", [1], np.int64), keepdims=0)
    mean = graph.add("Div", summed, graph.add("ReduceSum", each, "axis_1", keepdims=0))
    return graph.add("Div", mean, graph.add("ReduceL2", mean, graph.constant("axis_w", [1], np.int64), keepdims=1))


def model(weights: Path) -> onnx.ModelProto:
    """Give the whole graph."""
    graph = Graph(weights)
    graph.constant("root", HEAD**0.5, np.float32)
    real = graph.add("Cast", "attention_mask", to=TensorProto.FLOAT)
    hidden = graph.add(
        "Mul", graph.add("Sub", graph.constant("all", 1, np.float32), real), graph.constant("far", -1e9, np.float32)
    )
    mask = graph.add("Unsqueeze", hidden, graph.constant("heads_and_rows", [1, 2], np.int64))
    rows = embeddings(graph)
    heads = graph.constant("heads", [HEADS, HEAD], np.int64)
    shape = graph.add("Concat", graph.add("Shape", "input_ids"), heads, axis=0)
    for number in range(LAYERS):
        rows = layer(graph, rows, shape, mask, number)
    graph.nodes.append(helper.make_node("Identity", [pooled(graph, rows, real)], ["sentence"]))
    texts = [
        helper.make_tensor_value_info(name, TensorProto.INT64, ["texts", "length"])
        for name in ("input_ids", "attention_mask")
    ]
    sentence = helper.make_tensor_value_info("sentence", TensorProto.FLOAT, ["texts", WIDTH])
    made = helper.make_graph(graph.nodes, "all-MiniLM-L6-v2", texts, [sentence], list(graph.tensors.values()))
    return helper.make_model(made, opset_imports=[helper.make_opsetid("", 20)], ir_version=9, producer_name="overheard")


if __name__ == "__main__":
    target = Path(sys.argv[2] if sys.argv[2:] else "store/weights/minilm.onnx")
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(model(Path(sys.argv[1]) / WEIGHTS).SerializeToString(deterministic=True))
    print(f"{target}: {target.stat().st_size:,} bytes")
