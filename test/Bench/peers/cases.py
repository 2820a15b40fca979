# Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The cases, as ONNX models that each contender reads, with the work that each is."""
import pathlib
import sys

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "Onnx"))
import model as onnx  # noqa: E402

TYPES = {"float32": onnx.FLOAT, "int8": 3, "uint8": 2, "int32": 6}


class Case:
    """`inputs`: shape and type by name. `work`: floating-point operations, or nothing where memory is the limit."""

    def __init__(self, nodes, inputs, result, weights=None, work=0, dtype="float32", shapes=None, opset=20):
        self.nodes, self.inputs, self.result, self.weights = nodes, inputs, result, weights or {}
        self.work, self.dtype, self.shapes, self.opset = work, dtype, shapes or {}, opset

    def model(self):
        constants = [onnx.tensor(name, array.shape, {**TYPES, "int64": onnx.INT64}[array.dtype.name], array.tobytes())
                     for name, array in self.weights.items()]
        inputs = [onnx.value(name, shape, TYPES[dtype]) for name, (shape, dtype) in self.inputs.items()]
        return onnx.model(onnx.graph(self.nodes, inputs, [onnx.value("y", self.result, TYPES[self.dtype])], constants), self.opset)

    def arrays(self):
        rng = np.random.default_rng(1)
        return {name: rng.standard_normal(shape, np.float32) if dtype == "float32" else rng.integers(0, 100, shape).astype(dtype)
                for name, (shape, dtype) in self.inputs.items()}

    def traffic(self):
        """Bytes that have to be read and written."""
        size = lambda shape, dtype: int(np.prod(shape)) * np.dtype(dtype).itemsize
        return (sum(size(*given) for given in self.inputs.values()) + size(self.result, self.dtype) +
                sum(array.nbytes for array in self.weights.values()))


def f32(*shape):
    return shape, "float32"


def weight(seed, *shape):
    return (np.random.default_rng(seed).standard_normal(shape) / np.sqrt(shape[-1 if len(shape) == 4 else 0])).astype(np.float32)


def product(m, n, k, batch=()):
    return Case([onnx.node("MatMul", ["a", "b"], ["y"])], {"a": f32(*batch, m, k), "b": f32(*batch, k, n)}, [*batch, m, n],
                work=2 * m * n * k * int(np.prod(batch)))


def linear(m, k, n):
    return Case([onnx.node("MatMul", ["a", "w"], ["y"])], {"a": f32(m, k)}, [m, n], {"w": weight(0, k, n)}, work=2 * m * n * k)


def integers(size):
    return Case([onnx.node("MatMulInteger", ["a", "b"], ["y"])], {"a": ((size, size), "uint8"), "b": ((size, size), "int8")}, [size, size],
                work=2 * size**3, dtype="int32")


def softmax(*shape):
    return Case([onnx.node("Softmax", ["x"], ["y"], axis=-1)], {"x": f32(*shape)}, shape)


def layer_norm(rows, columns):
    return Case([onnx.node("LayerNormalization", ["x", "scale", "bias"], ["y"], axis=-1)], {"x": f32(rows, columns)}, [rows, columns],
                {"scale": weight(0, columns), "bias": weight(1, columns)})


def gelu(approximate):
    return Case([onnx.node("Gelu", ["x"], ["y"], approximate=approximate)], {"x": f32(4096, 4096)}, [4096, 4096])


def add():
    return Case([onnx.node("Add", ["a", "b"], ["y"])], {"a": f32(4096, 4096), "b": f32(4096, 4096)}, [4096, 4096])


def conv(size, channels, filters, kernel, stride=1, group=1):
    out, pad = (size - 1) // stride + 1, kernel // 2
    return Case([onnx.node("Conv", ["x", "w"], ["y"], kernel_shape=[kernel] * 2, pads=[pad] * 4, strides=[stride] * 2, group=group)],
                {"x": f32(1, channels, size, size)}, [1, filters, out, out], {"w": weight(0, filters, channels // group, kernel, kernel)},
                work=2 * out * out * filters * channels // group * kernel**2)


def mlp(batch, *widths):
    nodes, weights, value, work = [], {}, "x", 0
    for i, (k, n) in enumerate(zip(widths, widths[1:])):
        last = i + 2 == len(widths)
        weights |= {f"w{i}": weight(i, k, n), f"b{i}": weight(i + 9, n)}
        nodes += [onnx.node("MatMul", [value, f"w{i}"], [f"m{i}"]), onnx.node("Add", [f"m{i}", f"b{i}"], ["y" if last else f"s{i}"])]
        if not last:
            nodes.append(onnx.node("Relu", [f"s{i}"], [f"r{i}"]))
        value, work = f"r{i}", work + 2 * batch * k * n
    return Case(nodes, {"x": f32(batch, widths[0])}, [batch, widths[-1]], weights, work)


def attended(q, keys, values, out, prefix=""):
    """softmax(q keys) values, where keys are transposed and scaled before."""
    return [onnx.node("MatMul", [q, keys], [prefix + "scores"]), onnx.node("Softmax", [prefix + "scores"], [prefix + "weights"], axis=-1),
            onnx.node("MatMul", [prefix + "weights", values], [out])]


def attention(heads, queries, keys, size):
    nodes = [onnx.node("Transpose", ["k"], ["kt"], perm=[0, 2, 1]), onnx.node("Mul", ["q", "scale"], ["qs"]), *attended("qs", "kt", "v", "y")]
    return Case(nodes, {"q": f32(heads, queries, size), "k": f32(heads, keys, size), "v": f32(heads, keys, size)}, [heads, queries, size],
                {"scale": np.array(size**-0.5, np.float32)}, work=4 * heads * queries * keys * size)


def block(seq, width, heads, ffn):
    """A layer of a transformer, norms first."""
    size, nodes, weights = width // heads, [], {}

    def given(name, array):
        weights[name] = array
        return name

    def dense(value, k, n, out, seed):
        nodes.append(onnx.node("MatMul", [value, given(out + ".w", weight(seed, k, n))], [out + ".m"]))
        nodes.append(onnx.node("Add", [out + ".m", given(out + ".b", weight(seed + 100, n))], [out]))
        return out

    def norm(value, out):
        nodes.append(onnx.node("LayerNormalization", [value, given(out + ".s", np.ones(width, np.float32)),
                                                      given(out + ".z", np.zeros(width, np.float32))], [out], axis=-1))
        return out

    def split(value, perm, out):
        nodes.append(onnx.node("Reshape", [value, given(out + ".shape", np.array([seq, heads, size], np.int64))], [out + ".r"]))
        nodes.append(onnx.node("Transpose", [out + ".r"], [out], perm=perm))
        return out

    first = norm("x", "n1")
    parts = [split(dense(first, width, width, name, seed), perm, name + ".h")
             for seed, (name, perm) in enumerate([("q", [1, 0, 2]), ("k", [1, 2, 0]), ("v", [1, 0, 2])])]
    nodes.append(onnx.node("Mul", [parts[0], given("scale", np.array(size**-0.5, np.float32))], ["qs"]))
    nodes += attended("qs", parts[1], parts[2], "mixed")
    nodes.append(onnx.node("Transpose", ["mixed"], ["joined.t"], perm=[1, 0, 2]))
    nodes.append(onnx.node("Reshape", ["joined.t", given("flat", np.array([seq, width], np.int64))], ["joined"]))
    nodes.append(onnx.node("Add", ["x", dense("joined", width, width, "o", 4)], ["h"]))
    nodes.append(onnx.node("Gelu", [dense(norm("h", "n2"), width, ffn, "up", 5)], ["g"], approximate="none"))
    nodes.append(onnx.node("Add", ["h", dense("g", ffn, width, "down", 6)], ["y"]))
    return Case(nodes, {"x": f32(seq, width)}, [seq, width], weights,
                work=2 * seq * width * (4 * width + 2 * ffn) + 4 * seq * seq * width)


CASES = {
    **{f"sgemm_{size}": lambda size=size: product(size, size, size) for size in (128, 256, 512, 1024, 2048)},
    "bmm_12x128x64x128": lambda: product(128, 128, 64, (12,)),
    "linear_1x4096x4096": lambda: linear(1, 4096, 4096),
    "linear_8x4096x4096": lambda: linear(8, 4096, 4096),
    "integers_1024": lambda: integers(1024),
    "softmax_1024x1024": lambda: softmax(1024, 1024),
    "softmax_12x512x512": lambda: softmax(12, 512, 512),
    "layer_norm_4096x1024": lambda: layer_norm(4096, 1024),
    "gelu_erf_4096x4096": lambda: gelu("none"),
    "gelu_tanh_4096x4096": lambda: gelu("tanh"),
    "add_4096x4096": add,
    "conv_56x64_3x3x64": lambda: conv(56, 64, 64, 3),
    "conv_224x3_7x7s2x64": lambda: conv(224, 3, 64, 7, 2),
    "depthwise_112x96_3x3": lambda: conv(112, 96, 96, 3, 1, 96),
    "pointwise_14x256x512": lambda: conv(14, 256, 512, 1),
    "mlp_784_512_512_10_b64": lambda: mlp(64, 784, 512, 512, 10),
    "attention_12x512x64": lambda: attention(12, 512, 512, 64),
    "decode_32x2048x128": lambda: attention(32, 1, 2048, 128),
    "block_s128_d768_h12": lambda: block(128, 768, 12, 3072),
}
