#!/usr/bin/env python3
"""Runs random contractions with constant operands and compares every element with NumPy's.

usage: packed_constants.py WORK [--programs=N] [--seed=N] [--modes=plain,all,avx2,sse,staged,reference]

Kinds: matmul, with either operand transposed, in batches, with one matrix for all batches; conv2d in all layouts, with strides,
pads and groups. Elements: f64, f32, f16 and bf16 with results in f32, i8 and i16 with results in i32. Sizes are multiples of
registers or not; rows may be dynamic. After it nothing, a bias, relu, another tensor, a transpose, or two of them. Some weights are read by
two contractions of other sizes, by one that transposes them, or are results too.

All values are small integers, so every sum is exact in any order: results have to be equal, not near. --modes: how the programs are
compiled: as users do, with assert-level=all, for AVX2 and SSE, in two stages, and by the reference lowering. In the first mode, at
least a third as many kernels as functions have to have a constant stored as panels, and two compiles must write the same constants.
"""
import argparse
import json
import pathlib
import subprocess
import sys

import numpy as np

from cpu_levels import level_with_avx2

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "python"))

WIDE = {"f64": "f64", "f32": "f32", "f16": "f32", "bf16": "f32", "i8": "i32", "i16": "i32"}
ARRAY = {"f64": np.float64, "f32": np.float32, "f16": np.float16, "i8": np.int8, "i16": np.int16, "i32": np.int32}


class Function:
    """One random function: its text, resources, inputs and expected results."""

    def __init__(self, rng, number):
        self.rng, self.name = rng, f"f{number}"
        self.lines, self.resources, self.arguments, self.inputs, self.values = [], {}, [], [], 0
        self.dtype = str(rng.choice(["f32", "f32", "f32", "f64", "f16", "bf16", "i8", "i16"]))
        self.results = []
        self.build()

    def pick(self, *options):
        return options[self.rng.integers(len(options))]

    def fresh(self):
        self.values += 1
        return f"%v{self.values}"

    def numbers(self, shape):
        return self.rng.integers(-3, 4, size=shape).astype(np.float64)

    def constant(self, values, dtype):
        name, value = f"{self.name}_w{len(self.resources)}", self.fresh()
        if dtype == "bf16":
            data = (values.astype(np.float32).view(np.uint32) >> 16).astype(np.uint16)
        else:
            data = values.astype(ARRAY[dtype])
        self.resources[name] = data.tobytes().hex()
        self.lines.append(f"{value} = arith.constant dense_resource<{name}> : {kind(values.shape, dtype)}")
        return value

    def argument(self, values, dtype, dynamic=False):
        """An argument; f16 and bf16 come as f32."""
        outer = "f32" if dtype in ("f16", "bf16") else dtype
        shape = ["?" if dynamic and i == len(values.shape) - 2 else size for i, size in enumerate(values.shape)]
        name = f"%a{len(self.arguments)}"
        self.arguments.append(f"{name}: {kind(shape, outer)}")
        self.inputs.append(values.astype(ARRAY[outer]))
        if outer == dtype:
            return name, kind(shape, dtype)
        value = self.fresh()
        self.lines.append(f"{value} = mica.cast {name} : {kind(shape, outer)} to {kind(shape, dtype)}")
        return value, kind(shape, dtype)

    def size(self):
        return int(self.pick(16, 32, 48, 64, 96, 128, 160, 224, 256, 320)) if self.rng.random() < 0.75 else int(self.rng.integers(1, 200))

    def build(self):
        if self.rng.random() < 0.3:
            return self.conv()
        n, k = self.size(), int(self.rng.integers(1, 400)) if self.rng.random() < 0.5 else int(self.pick(128, 256, 300, 520))
        batch = self.pick((), (), (), (3,), (2, 2))
        weights = self.numbers(batch + (k, n) if batch and self.rng.random() < 0.5 else (k, n))
        transposed = bool(self.rng.random() < 0.4)
        w = self.constant(np.swapaxes(weights, -1, -2) if transposed else weights, self.dtype)
        self.matmul(w, weights, transposed, batch)
        if self.rng.random() < 0.25:  # another contraction reads the same constant
            self.matmul(w, weights, transposed, batch)
        elif self.rng.random() < 0.15 and weights.ndim == 2:  # and as the left operand
            other = self.numbers((weights.shape[-1], int(self.rng.integers(1, 40))))
            x, xtype = self.argument(other, self.dtype)
            self.contract("matmul", w, kind(weights.T.shape if transposed else weights.shape, self.dtype), x, xtype,
                          "transpose_a" if transposed else "", weights @ other)
        if self.rng.random() < 0.15:
            self.results.append((w, kind(weights.swapaxes(-1, -2).shape if transposed else weights.shape, self.dtype), None))

    def matmul(self, w, weights, transposed, batch):
        k = weights.shape[-2]
        m = int(self.pick(1, 2, 3, 4, 8, 14, 16, 33, 64, 70))
        dynamic = bool(self.rng.random() < 0.2)
        x = self.numbers(batch + (m, k))
        name, xtype = self.argument(x, self.dtype, dynamic)
        wtype = kind(weights.swapaxes(-1, -2).shape if transposed else weights.shape, self.dtype)
        self.contract("matmul", name, xtype, w, wtype, "transpose_b" if transposed else "", np.matmul(x, weights), dynamic)

    def contract(self, op, a, atype, b, btype, clauses, expected, dynamic=False):
        wide = WIDE[self.dtype]
        shape = ["?" if dynamic and i == expected.ndim - 2 else size for i, size in enumerate(expected.shape)]
        value = self.fresh()
        self.lines.append(f"{value} = mica.{op} {a}, {b} {clauses} : ({atype}, {btype}) -> {kind(shape, wide)}")
        self.after(value, shape, wide, expected, dynamic)

    def after(self, value, shape, wide, expected, dynamic):
        """The ops that use the result."""
        for _ in range(int(self.pick(0, 1, 1, 2))):
            what = self.pick("bias", "relu", "add", "transpose")
            result = self.fresh()
            if what == "bias":
                bias = self.numbers((1,) * (expected.ndim - 1) + (expected.shape[-1],))
                self.lines.append(f"{result} = mica.add {value}, {self.constant(bias, wide)} : ({kind(shape, wide)}, "
                                  f"{kind(bias.shape, wide)}) -> {kind(shape, wide)}")
                expected = expected + bias
            elif what == "relu":
                self.lines.append(f"{result} = mica.relu {value} : {kind(shape, wide)}")
                expected = np.maximum(expected, 0)
            elif what == "add":
                other = self.numbers(expected.shape)
                name, _ = self.argument(other, wide, dynamic)
                self.lines.append(f"{result} = mica.add {value}, {name} : ({kind(shape, wide)}, {kind(shape, wide)}) -> {kind(shape, wide)}")
                expected = expected + other
            else:
                order = list(range(expected.ndim - 2)) + [expected.ndim - 1, expected.ndim - 2]
                turned = [shape[i] for i in order]
                self.lines.append(f"{result} = mica.transpose {value} permutation = {order} : ({kind(shape, wide)}) -> {kind(turned, wide)}")
                expected, shape, value = expected.transpose(order), turned, result
                break
            value = result
        self.results.append((value, kind(shape, wide), expected))

    def conv(self):
        layout = self.pick("nhwc_hwcf", "nhwc_hwcf", "nhwc_fhwc", "nchw_fchw")
        groups = int(self.pick(1, 1, 1, 2))
        channels, filters = groups * int(self.rng.integers(1, 48)), groups * int(self.pick(16, 32, 64, 48, 20, 128))
        kh, kw = (int(self.pick(1, 2, 3)) for _ in range(2))
        strides, pads = [int(self.pick(1, 1, 2)) for _ in range(2)], [int(self.pick(0, 1)) for _ in range(4)]
        x = self.numbers((int(self.pick(1, 2)), int(self.rng.integers(4, 14)), int(self.rng.integers(4, 14)), channels))
        w = self.numbers((kh, kw, channels // groups, filters))
        padded = np.pad(x, ((0, 0), (pads[0], pads[1]), (pads[2], pads[3]), (0, 0)))
        height, width = ((padded.shape[1 + i] - w.shape[i]) // strides[i] + 1 for i in range(2))
        expected = np.zeros((x.shape[0], height, width, filters))
        each, inner = filters // groups, channels // groups
        for g in range(groups):
            for i in range(kh):
                for j in range(kw):
                    rows = padded[:, i:i + height * strides[0]:strides[0], j:j + width * strides[1]:strides[1], g * inner:(g + 1) * inner]
                    expected[..., g * each:(g + 1) * each] += rows[:, :height, :width] @ w[i, j, :, g * each:(g + 1) * each]
        if layout == "nchw_fchw":
            x, w, expected = x.transpose(0, 3, 1, 2), w.transpose(3, 2, 0, 1), expected.transpose(0, 3, 1, 2)
        elif layout == "nhwc_fhwc":
            w = w.transpose(3, 0, 1, 2)
        name, xtype = self.argument(x, self.dtype)
        clauses = f"layout = {layout} strides = {strides} pads = {pads}" + (f" groups = {groups}" if groups > 1 else "")
        self.contract("conv2d", name, xtype, self.constant(w, self.dtype), kind(w.shape, self.dtype), clauses, expected)

    def text(self):
        types = ", ".join(t for _, t, _ in self.results)
        return (f"func.func @{self.name}({', '.join(self.arguments)}) -> ({types}) {{\n  " + "\n  ".join(self.lines) +
                f"\n  return {', '.join(v for v, _, _ in self.results)} : {types}\n}}\n")


def kind(shape, dtype):
    return f"tensor<{''.join(f'{size}x' for size in shape)}{dtype}>"


def call(*command):
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}: exit code {done.returncode}\n{done.stdout}{done.stderr}")


FLAGS = {"plain": [], "all": ["--mica-debug=assert-level=all"], "avx2": [f"--target=cpu:{level_with_avx2()}"], "sse": ["--target=cpu:x86-64-v2"],
         "reference": ["--plain"]}


def compiled(file, mode, folder):
    if mode == "staged":
        call("mica-compile", file, "--compile-to=schedule", "-o", folder.with_suffix(".schedule.mlir"))
        call("mica-compile", folder.with_suffix(".schedule.mlir"), "--compile-from=schedule", "-o", folder, "--force")
    else:
        call("mica-compile", file, "-o", folder, "--force", "--dump-passes=off", *FLAGS[mode])


def main():
    parser = argparse.ArgumentParser(add_help=False)
    parser.add_argument("work", type=pathlib.Path)
    parser.add_argument("--programs", type=int, default=24)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--modes", default="plain,all,avx2,sse,staged,reference")
    options = parser.parse_args()
    import mica
    options.work.mkdir(parents=True, exist_ok=True)
    functions = [Function(np.random.default_rng([options.seed, i]), i) for i in range(options.programs)]
    file = options.work / "programs.mlir"
    resources = ",\n".join(f'      {name}: "0x04000000{data}"' for f in functions for name, data in f.resources.items())
    file.write_text("".join(f.text() for f in functions) + "{-#\n  dialect_resources: {\n    builtin: {\n" + resources + "\n    }\n  }\n#-}\n")
    wrong = 0
    for mode in options.modes.split(","):
        folder = options.work / mode
        compiled(file, mode, folder)
        program = mica.load(str(folder))
        with_context = program.context(threads=2)
        results = 0
        for f in functions:
            got = with_context.run(*f.inputs, entry=f.name)
            for i, ((_, _, expected), tensor) in enumerate(zip(f.results, got)):
                if expected is None:
                    continue
                results += 1
                value = tensor.numpy().astype(np.float64)
                if value.shape != expected.shape or not np.array_equal(value, expected):
                    wrong += 1
                    print(f"{mode}: {f.name}: result {i} differs in {np.sum(value != expected)} of {expected.size} elements\n{f.text()}")
        print(f"{mode}: {results} results of {len(functions)} functions")
        if mode == "plain":
            remarks = json.loads((folder / "report/remarks.json").read_text())
            stored = sum(r["name"] == "stored-as-panels" for r in remarks["remarks"])
            print(f"{stored} kernels with constants stored as panels" + ("" if stored * 3 >= len(functions) else ": too few"))
            again = options.work / "again"
            compiled(file, mode, again)
            same = (folder / "constants.bin").read_bytes() == (again / "constants.bin").read_bytes()
            print(f"constants of two compiles: {'the same' if same else 'different'}")
            wrong += not same
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
