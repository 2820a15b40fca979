#!/usr/bin/env python3
"""Operators that libonnx-testdata has no cases of, against NumPy: unsigned elements, quantized weights and operators of com.microsoft, small
types, and what the operator sets 21 to 26 have new.

usage: numpy_cases.py WORK [--ways=evaluate,-O2] [--only=TEXT] [--every=N]
"""
import argparse
import os
import pathlib
import subprocess
import sys

import numpy as np

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from fused_attention_cases import fused_attention
from model import graph, model, node, tensor, value
from newer_cases import newer
from opset26_cases import opset26
from quantized_cases import quantized
from small_types_cases import small_types

CODES = {"float32": 1, "uint8": 2, "int8": 3, "uint16": 4, "int16": 5, "int32": 6, "int64": 7, "bool": 9, "float16": 10, "float64": 11, "uint32": 12, "uint64": 13}


def code(array):
    return CODES[array.dtype.name]


class Case:
    """`nodes` make `outputs`, a dictionary of arrays, of `inputs` and constants. `dims`: the dimensions that the model declares of inputs, where these
    are not those of the arrays; then it declares none of outputs."""

    def __init__(self, name, nodes, inputs, outputs, constants=None, tolerance=0, domains=(), off_by_one=False, opset=17, packed=None, dims=None):
        self.name, self.nodes, self.inputs, self.outputs, self.tolerance, self.off_by_one = name, nodes, inputs, outputs, tolerance, off_by_one
        initializers = [tensor(n, a.shape, code(a), np.ascontiguousarray(a).tobytes()) for n, a in (constants or {}).items()]
        # Constants of types that NumPy does not have: shape, type and bytes.
        initializers += [tensor(n, *given) for n, given in (packed or {}).items()]
        declared = [value(n, (dims or {}).get(n, a.shape), code(a)) for n, a in inputs.items()]
        results = [value(n, [f"{n}{i}" for i in range(a.ndim)] if dims else a.shape, code(a)) for n, a in outputs.items()]
        body = graph(nodes, declared, results, initializers)
        self.bytes = model(body, opset, (), domains)

    def run(self, way, folder):
        """Names of outputs that are wrong; or the text of the error."""
        (folder / "model.onnx").write_bytes(self.bytes)
        flags = []
        for n, array in self.inputs.items():
            np.save(folder / f"{n}.npy", array)
            flags.append(f"--input=@{folder}/{n}.npy")
        flags += [f"--output=@{folder}/out_{n}.npy" for n in self.outputs]
        tool = ["mica-compile", "--evaluate"] if way == "evaluate" else ["mica-run", way]
        done = subprocess.run([*tool, str(folder / "model.onnx"), *flags], capture_output=True, text=True)
        if done.returncode:
            return done.stderr
        wrong = []
        for n, expected in self.outputs.items():
            found = np.load(folder / f"out_{n}.npy")
            if found.dtype != expected.dtype:
                wrong.append(f"{n}: {found.dtype}")
                continue
            if expected.dtype.kind == "f":
                fits = found.shape == expected.shape and np.allclose(found, expected, rtol=self.tolerance, atol=self.tolerance, equal_nan=True)
            elif self.off_by_one:  # a product that falls between two integers may round either way
                fits = found.shape == expected.shape and (np.abs(found.astype(int) - expected) <= 1).all() and (found != expected).mean() < 0.05
            else:
                fits = found.shape == expected.shape and (found == expected).all()
            if not fits:
                wrong.append(f"{n}: got {found.reshape(-1)[:12]}, expected {expected.reshape(-1)[:12]}")
        return wrong


def unsigned():
    for name in ("uint8", "uint16", "uint32", "uint64"):
        t = np.dtype(name).type
        top = int(np.iinfo(t).max)
        x = np.array([[0, 1, 2, top], [top - 1, top // 2, top // 2 + 1, 7], [200, 100, 3, top // 3]], t)
        y = np.array([[1, top, 3, top], [2, 1, top // 2, 7], [255, 5, 200, 9]], t)
        s = y % t(8)
        one = {"Add": x + y, "Sub": x - y, "Mul": x * y, "Div": x // y, "Mod": x % y, "Max": np.maximum(x, y), "Min": np.minimum(x, y), "Equal": x == y, "Less": x < y,
               "Greater": x > y, "LessOrEqual": x <= y, "GreaterOrEqual": x >= y}
        # What each type takes in operator set 17.
        nodes, outputs = [], {}
        for op, expected in one.items():
            nodes.append(node(op, ["x", "y"], [op], op))
            outputs[op] = expected
        for direction, expected in (("LEFT", x << s), ("RIGHT", x >> s)):
            nodes.append(node("BitShift", ["x", "s"], ["Shift" + direction], direction, direction=direction))
            outputs["Shift" + direction] = expected
        nodes += [node("Abs", ["x"], ["Abs"]), node("Sign", ["x"], ["Sign"]), node("Where", ["Less", "x", "y"], ["Where"]), node("Clip", ["x", "low", "high"], ["Clip"]),
                  node("Cast", ["x"], ["AsDouble"], to=11), node("Cast", ["x"], ["AsFloat"], to=1), node("Cast", ["x"], ["AsLong"], to=7), node("Cast", ["x"], ["AsByte"], to=2),
                  node("Cast", ["x"], ["AsBool"], to=9), node("ArgMax", ["x"], ["ArgMax"], axis=1, keepdims=0), node("ArgMin", ["x"], ["ArgMin"], axis=0, keepdims=0),
                  node("TopK", ["x", "two"], ["Largest", "Places"], axis=1), node("TopK", ["x", "two"], ["Smallest", "Where2"], axis=1, largest=0),
                  node("Transpose", ["x"], ["Transpose"], perm=[1, 0]), node("Pad", ["x", "pads", "high"], ["Pad"]), node("NonZero", ["y"], ["NonZero"])]
        low, high = t(2), t(top // 2)
        order = np.argsort(-x.astype(object), 1, kind="stable")[:, :2].astype(np.int64)
        up = np.argsort(x.astype(object), 1, kind="stable")[:, :2].astype(np.int64)
        outputs.update({"Abs": x, "Sign": np.sign(x), "Where": np.where(x < y, x, y), "Clip": np.clip(x, low, high), "AsDouble": x.astype(np.float64), "AsFloat": x.astype(np.float32),
                        "AsLong": x.astype(np.int64), "AsByte": x.astype(np.uint8), "AsBool": x != 0, "ArgMax": np.argmax(x, 1), "ArgMin": np.argmin(x, 0),
                        "Largest": np.take_along_axis(x, order, 1), "Places": order, "Smallest": np.take_along_axis(x, up, 1), "Where2": up, "Transpose": x.T.copy(),
                        "Pad": np.pad(x, 1, constant_values=high), "NonZero": np.array(np.nonzero(y), np.int64)})
        if name in ("uint8", "uint32", "uint64"):
            nodes += [node("ReduceMax", ["x"], ["ReduceMax"], axes=[1], keepdims=0), node("ReduceMin", ["x"], ["ReduceMin"], axes=[0], keepdims=0)]
            outputs.update({"ReduceMax": x.max(1), "ReduceMin": x.min(0)})
        if name in ("uint32", "uint64"):
            nodes += [node("ReduceSum", ["x", "axis"], ["ReduceSum"], keepdims=0), node("ReduceProd", ["x"], ["ReduceProd"], axes=[1], keepdims=0),
                      node("ReduceSumSquare", ["x"], ["ReduceSumSquare"], axes=[1], keepdims=0), node("CumSum", ["x", "last"], ["CumSum"]),
                      node("MatMul", ["x", "Transpose"], ["MatMul"]), node("Gemm", ["x", "y"], ["Gemm"], transB=1)]
            outputs.update({"ReduceSum": x.sum(1, dtype=t), "ReduceProd": x.prod(1, dtype=t), "ReduceSumSquare": (x * x).sum(1, dtype=t), "CumSum": x.cumsum(1, dtype=t),
                            "MatMul": (x[:, None, :] * x[None]).sum(2, dtype=t), "Gemm": (x[:, None, :] * y[None]).sum(2, dtype=t)})
        if name == "uint8":
            nodes += [node("Reshape", ["x", "image"], ["img"]), node("MaxPool", ["img"], ["MaxPool"], kernel_shape=[2, 2])]
            outputs["MaxPool"] = np.array([[[[x[i:i + 2, j:j + 2].max() for j in range(3)] for i in range(2)]]], t)
        at = np.array([[1, 0, 2, 1]], np.int64)
        for reduction, combine in (("add", np.add), ("mul", np.multiply)):
            nodes.append(node("ScatterElements", ["x", "at", "row"], ["Scatter" + reduction], reduction=reduction, axis=0))
            scattered = x.copy()
            for column in range(4):
                scattered[at[0, column], column] = combine(scattered[at[0, column], column], y[1, column])
            outputs["Scatter" + reduction] = scattered
        constants = {"low": np.array(low), "high": np.array(high), "two": np.array([2], np.int64), "pads": np.array([1, 1, 1, 1], np.int64), "axis": np.array([1], np.int64),
                     "last": np.array(1, np.int64), "image": np.array([1, 1, 3, 4], np.int64), "at": at, "row": y[1:2].copy()}
        yield Case(f"unsigned {name}", nodes, {"x": x, "y": y, "s": s}, outputs, constants)


def uniques():
    for t in (np.uint8, np.uint32, np.bool_):
        top = True if t is np.bool_ else int(np.iinfo(t).max)
        x = np.array([top, 0, top, 1, top // 2 if top > 1 else 1, 0], t)
        distinct, first, back, counts = np.unique(x, True, True, True)
        yield Case(f"Unique {np.dtype(t).name}", [node("Unique", ["x"], ["y", "first", "back", "counts"])], {"x": x},
                   {"y": distinct, "first": first.astype(np.int64), "back": back.astype(np.int64), "counts": counts.astype(np.int64)})


def packed(numbers, bits):
    """The last dimension in bytes, the lowest bits first."""
    parts = 8 // bits
    width = -(-numbers.shape[-1] // parts)
    filled = np.zeros((*numbers.shape[:-1], width * parts), np.uint8)
    filled[..., :numbers.shape[-1]] = numbers
    return (filled.reshape(*numbers.shape[:-1], width, parts) << (np.arange(parts, dtype=np.uint8) * bits)).sum(-1).astype(np.uint8)


def weights():
    rng = np.random.default_rng(11)
    for bits, k, n, block, form, real in ((4, 64, 6, 32, "none", np.float32), (4, 40, 5, 16, "packed", np.float32), (4, 48, 3, 16, "packed", np.float16), (8, 32, 4, 16, "packed", np.float32),
                                         (2, 32, 4, 16, "packed", np.float32), (4, 64, 6, 32, "float", np.float32), (4, 96, 7, 32, "bias", np.float32), (4, 33, 2, 16, "order", np.float32), (4, 48, 3, 16, "shuffled", np.float32),
                                         (4, 40, 5, 16, "shuffled with zeros", np.float32)):
        blocks = -(-k // block)
        q = rng.integers(0, 1 << bits, (n, blocks, block)).astype(np.uint8)
        scales = (rng.integers(1, 9, (n, blocks)) / 16).astype(real)
        zeros = rng.integers(0, 1 << bits, (n, blocks)).astype(np.uint8)
        constants = {"b": packed(q, bits), "scales": scales.reshape(-1) if form == "none" else scales}
        inputs = ["a", "b", "scales"]
        if form in ("packed", "float", "shuffled with zeros"):
            constants["zeros"] = packed(zeros, bits).reshape(-1) if form != "float" else zeros.astype(real) + real(0.5)
            inputs.append("zeros")
        point = {"none": 1 << (bits - 1), "bias": 1 << (bits - 1), "order": 1 << (bits - 1), "shuffled": 1 << (bits - 1), "shuffled with zeros": 0, "packed": zeros[..., None].astype(np.float64), "float": zeros[..., None] + 0.5}[form]
        w = ((q.astype(np.float64) - point) * scales[..., None].astype(np.float64)).reshape(n, -1)[:, :k]
        if form.startswith("shuffled"):
            order = rng.permutation(np.arange(k) // block).astype(np.int32)
            point = zeros[:, order].astype(np.float64) if form == "shuffled with zeros" else 1 << (bits - 1)
            w = (q.reshape(n, -1)[:, :k].astype(np.float64) - point) * scales[:, order]
            constants["order"] = order
            inputs += ["order"] if form == "shuffled with zeros" else ["", "order"]
        a = rng.integers(-4, 5, (2, 3, k)).astype(real)
        expected = a.astype(np.float64) @ w.T
        if form == "bias":
            constants["bias"] = np.arange(n, dtype=real)
            inputs += ["", "", "bias"]
            expected = expected + np.arange(n)
        if form == "order":
            constants["order"] = (np.arange(k) // block).astype(np.int32)
            inputs += ["", "order"]
        yield Case(f"MatMulNBits {bits} bits {k}x{n} by {block} {form} {np.dtype(real).name}", [node("MatMulNBits", inputs, ["y"], "n1", "com.microsoft", K=k, N=n, bits=bits, block_size=block)],
                   {"a": a}, {"y": expected.astype(real)}, constants, tolerance=1e-6 if real == np.float32 else 1e-3, domains=["com.microsoft"])


def operators():
    rng = np.random.default_rng(13)
    for t in (np.uint8, np.int8):
        low, high = int(np.iinfo(t).min), int(np.iinfo(t).max)
        a, b = rng.integers(low, high + 1, (4, 9)).astype(t), rng.integers(low, high + 1, (1, 9)).astype(t)
        sa, sb, sc = np.float32(0.25), np.float32(0.5), np.float32(0.75)
        za, zb, zc = t(3), t(low + 120), t(low + 100)
        x, y = (a.astype(np.float32) - np.float32(za)) * sa, (b.astype(np.float32) - np.float32(zb)) * sb
        quantized = lambda v: np.clip(np.rint(v / sc) + zc, low, high).astype(t)
        constants = {"sa": sa, "za": za, "sb": sb, "zb": zb, "sc": sc, "zc": zc}
        constants = {n: np.asarray(v) for n, v in constants.items()}
        both, one = ["a", "sa", "za", "b", "sb", "zb", "sc", "zc"], ["a", "sa", "za", "sc", "zc"]
        small = np.float32(1 / 128)
        sigmoid = np.clip(np.rint(1 / (1 + np.exp(-x.astype(np.float64))) / small) + low, low, high).astype(t)
        nodes = [node("QLinearAdd", both, ["sum"], "add", "com.microsoft"), node("QLinearMul", both, ["product"], "mul", "com.microsoft"),
                 node("QLinearLeakyRelu", one, ["leaky"], "leaky", "com.microsoft", alpha=0.125),
                 node("QLinearSigmoid", ["a", "sa", "za", "small", "least"], ["sigmoid"], "sigmoid", "com.microsoft"),
                 node("DequantizeLinear", ["a", "sa", "za"], ["real"], "real", "com.microsoft"), node("QuantizeLinear", ["real", "sc", "zc"], ["again"], "again", "com.microsoft")]
        outputs = {"sum": quantized(x + y), "product": quantized(x * y), "leaky": quantized(np.where(x < 0, x * np.float32(0.125), x)), "sigmoid": sigmoid, "real": x, "again": quantized(x)}
        constants.update({"small": np.asarray(small), "least": np.asarray(t(low))})
        yield Case(f"QLinear of {np.dtype(t).name}", nodes, {"a": a, "b": b}, outputs, constants, domains=["com.microsoft"], off_by_one=True)


def newest():
    return newer(lambda name, nodes, inputs, outputs, packed=None: Case(name, nodes, inputs, outputs, tolerance=2e-5, opset=23, packed=packed, domains=["com.microsoft"]))


def newest_sets():
    return opset26(lambda *given, **more: Case(*given, **more, tolerance=2e-5, opset=26))


def narrow():
    return small_types(lambda *given, **more: Case(*given, **more, opset=25))


def fused():
    return fused_attention(lambda *given, **more: Case(*given, **more, tolerance=2e-5, domains=["com.microsoft"]))


def quantized_networks():
    return quantized(lambda *given, off=False: Case(*given, off_by_one=off, tolerance=2e-5, domains=["com.microsoft"]))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("work", type=pathlib.Path)
    parser.add_argument("--ways", default="evaluate,-O2")
    parser.add_argument("--only", default="")
    parser.add_argument("--every", type=int, default=1, help="the first of every N models")
    options = parser.parse_args()
    options.work.mkdir(parents=True, exist_ok=True)
    with np.errstate(all="ignore"):
        cases = [c for table in (unsigned, uniques, weights, operators, newest, newest_sets, narrow, fused, quantized_networks) for c in table() if options.only in c.name][::options.every]
    bad = 0
    for way in options.ways.split(","):
        for case in cases:
            found = case.run(way, options.work)
            if found:
                bad += 1
                print(f"{way}: {case.name}: {found if isinstance(found, str) else '; '.join(found)}"[:3000])
    print(f"{len(cases)} models, {len(options.ways.split(','))} ways: {bad} wrong")


if __name__ == "__main__":
    main()
