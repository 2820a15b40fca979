#!/usr/bin/env python3
"""Writes a pre-norm transformer encoder block as torch-mlir lowers one to linalg on tensors.

usage: make.py OUTPUT_DIR [--seq=32] [--width=64] [--heads=4] [--ffn=256]      (needs NumPy; seeded)

Layer norm is spelt out as reductions and elementwise generics, linear layers as a transposed [out][in] weight and a
matmul, attention as batch_matmul over collapsed heads with a softmax in four generics, GELU through erf: the forms
exporters produce. Weights are random with the usual scales. Writes block.mlir and tokens.npy.
"""
import os
import sys

import numpy as np


class Emitter:
    """Collects the lines of one function; values are named by what they hold."""

    def __init__(self, seq, width, heads, ffn):
        self.seq, self.width, self.heads, self.ffn = seq, width, heads, ffn
        self.lines, self.weights, self.count = [], {}, 0
        self.rng = np.random.default_rng(11)

    def name(self, hint):
        self.count += 1
        return f"%{hint}_{self.count}"

    def line(self, text):
        self.lines.append("    " + text)

    @staticmethod
    def ty(shape):
        return f"tensor<{'x'.join(map(str, shape))}xf32>"

    def weight(self, hint, shape, scale, offset=0.0):
        self.weights[hint] = (offset + self.rng.normal(0, scale, shape)).astype(np.float32)
        v = f"%{hint}"
        self.line(f"{v} = arith.constant dense_resource<{hint}> : {self.ty(shape)}")
        return v

    def empty(self, shape):
        v = self.name("empty")
        self.line(f"{v} = tensor.empty() : {self.ty(shape)}")
        return v

    def fill(self, constant, shape):
        v, e = self.name("init"), self.empty(shape)
        self.line(f"{v} = linalg.fill ins({constant} : f32) outs({e} : {self.ty(shape)}) -> {self.ty(shape)}")
        return v

    def generic(self, hint, ins, out_shape, maps, iterators, body, init=None):
        """ins: [(value, shape)]; maps: one text per operand and the output; body: lines with %in0.. and %out, last the yield."""
        v = self.name(hint)
        init = init or self.empty(out_shape)
        dims = ", ".join(f"d{i}" for i in range(len(iterators)))
        affine = ", ".join(f"affine_map<({dims}) -> ({m})>" for m in maps)
        kinds = ", ".join(f'"{k}"' for k in iterators)
        operands = ", ".join(x for x, _ in ins)
        types = ", ".join(self.ty(s) for _, s in ins)
        args = ", ".join([f"%in{i}: f32" for i in range(len(ins))] + ["%out: f32"])
        self.line(f"{v} = linalg.generic {{indexing_maps = [{affine}], iterator_types = [{kinds}]}} "
                  f"ins({operands} : {types}) outs({init} : {self.ty(out_shape)}) {{")
        self.line(f"^bb0({args}):")
        for text in body:
            self.line("  " + text)
        self.line(f"}} -> {self.ty(out_shape)}")
        return v

    def pointwise(self, hint, ins, body, shape=None):
        """Elementwise over [1, seq, n]; operands of smaller rank or size-1 dims broadcast."""
        shape = shape or ins[0][1]

        def amap(s):
            offset = len(shape) - len(s)
            return ", ".join("0" if s[i] == 1 and shape[i + offset] != 1 else f"d{i + offset}" for i in range(len(s)))

        maps = [amap(s) for _, s in ins] + [", ".join(f"d{i}" for i in range(len(shape)))]
        return self.generic(hint, ins, shape, maps, ["parallel"] * len(shape), body)

    def reduce_last(self, hint, value, shape, op, init):
        out = (*shape[:-1], 1)
        n = len(shape)
        all_dims = ", ".join(f"d{i}" for i in range(n))
        kept = ", ".join([f"d{i}" for i in range(n - 1)] + ["0"])
        return self.generic(hint, [(value, shape)], out, [all_dims, kept], ["parallel"] * (n - 1) + ["reduction"],
                            [f"%r = {op} %in0, %out : f32", "linalg.yield %r : f32"], self.fill(init, out)), out

    def layer_norm(self, hint, x):
        shape = (1, self.seq, self.width)
        gamma = self.weight(f"{hint}_weight", (self.width,), 0.1, 1.0)
        beta = self.weight(f"{hint}_bias", (self.width,), 0.1)
        total, stat = self.reduce_last("sum", x, shape, "arith.addf", "%zero")
        mean = self.pointwise("mean", [(total, stat)], ["%r = arith.divf %in0, %width : f32", "linalg.yield %r : f32"])
        centred = self.pointwise("centred", [(x, shape), (mean, stat)],
                                 ["%r = arith.subf %in0, %in1 : f32", "linalg.yield %r : f32"])
        square = self.pointwise("square", [(centred, shape)], ["%r = arith.mulf %in0, %in0 : f32", "linalg.yield %r : f32"])
        total, _ = self.reduce_last("sum", square, shape, "arith.addf", "%zero")
        scale = self.pointwise("rstd", [(total, stat)], ["%v = arith.divf %in0, %width : f32",
                                                         "%w = arith.addf %v, %epsilon : f32",
                                                         "%r = math.rsqrt %w : f32", "linalg.yield %r : f32"])
        normed = self.pointwise("normed", [(centred, shape), (scale, stat)],
                                ["%r = arith.mulf %in0, %in1 : f32", "linalg.yield %r : f32"])
        scaled = self.pointwise("scaled", [(normed, shape), (gamma, (self.width,))],
                                ["%r = arith.mulf %in0, %in1 : f32", "linalg.yield %r : f32"])
        return self.pointwise("norm", [(scaled, shape), (beta, (self.width,))],
                              ["%r = arith.addf %in0, %in1 : f32", "linalg.yield %r : f32"])

    def linear(self, hint, x, inner, outer):
        w = self.weight(f"{hint}_weight", (outer, inner), 1 / np.sqrt(inner))
        b = self.weight(f"{hint}_bias", (outer,), 0.02)
        wt, flat, mm, out = self.name("wt"), self.name("flat"), self.name("mm"), self.name("expanded")
        self.line(f"{wt} = linalg.transpose ins({w} : {self.ty((outer, inner))}) "
                  f"outs({self.empty((inner, outer))} : {self.ty((inner, outer))}) permutation = [1, 0]")
        self.line(f"{flat} = tensor.collapse_shape {x} [[0, 1], [2]] : {self.ty((1, self.seq, inner))} into "
                  f"{self.ty((self.seq, inner))}")
        init = self.fill("%zero", (self.seq, outer))
        self.line(f"{mm} = linalg.matmul ins({flat}, {wt} : {self.ty((self.seq, inner))}, {self.ty((inner, outer))}) "
                  f"outs({init} : {self.ty((self.seq, outer))}) -> {self.ty((self.seq, outer))}")
        self.line(f"{out} = tensor.expand_shape {mm} [[0, 1], [2]] output_shape [1, {self.seq}, {outer}] : "
                  f"{self.ty((self.seq, outer))} into {self.ty((1, self.seq, outer))}")
        return self.pointwise("linear", [(out, (1, self.seq, outer)), (b, (outer,))],
                              ["%r = arith.addf %in0, %in1 : f32", "linalg.yield %r : f32"])

    def split_heads(self, x, transposed):
        """[1, seq, width] -> [heads, seq, d], or [heads, d, seq] where `transposed`."""
        d = self.width // self.heads
        e, t, c = self.name("heads"), self.name("permuted"), self.name("batched")
        four = (1, self.seq, self.heads, d)
        perm = [0, 2, 3, 1] if transposed else [0, 2, 1, 3]
        to = tuple(four[p] for p in perm)
        self.line(f"{e} = tensor.expand_shape {x} [[0], [1], [2, 3]] output_shape [1, {self.seq}, {self.heads}, {d}] : "
                  f"{self.ty((1, self.seq, self.width))} into {self.ty(four)}")
        self.line(f"{t} = linalg.transpose ins({e} : {self.ty(four)}) outs({self.empty(to)} : {self.ty(to)}) "
                  f"permutation = {perm}")
        self.line(f"{c} = tensor.collapse_shape {t} [[0, 1], [2], [3]] : {self.ty(to)} into {self.ty(to[1:])}")
        return c, to[1:]

    def batch_matmul(self, a, a_shape, b, b_shape):
        out = (a_shape[0], a_shape[1], b_shape[2])
        v, init = self.name("bmm"), self.fill("%zero", out)
        self.line(f"{v} = linalg.batch_matmul ins({a}, {b} : {self.ty(a_shape)}, {self.ty(b_shape)}) "
                  f"outs({init} : {self.ty(out)}) -> {self.ty(out)}")
        return v, out

    def attention(self, x):
        q, q_shape = self.split_heads(self.linear("q", x, self.width, self.width), False)
        k, k_shape = self.split_heads(self.linear("k", x, self.width, self.width), True)
        v, v_shape = self.split_heads(self.linear("v", x, self.width, self.width), False)
        scores, shape = self.batch_matmul(q, q_shape, k, k_shape)
        scaled = self.pointwise("scaled", [(scores, shape)], ["%r = arith.mulf %in0, %scale : f32", "linalg.yield %r : f32"])
        top, stat = self.reduce_last("max", scaled, shape, "arith.maximumf", "%lowest")
        e = self.pointwise("shifted", [(scaled, shape), (top, stat)],
                           ["%r = arith.subf %in0, %in1 : f32", "linalg.yield %r : f32"])
        e = self.pointwise("exp", [(e, shape)], ["%r = math.exp %in0 : f32", "linalg.yield %r : f32"])
        total, _ = self.reduce_last("sum", e, shape, "arith.addf", "%zero")
        p = self.pointwise("softmax", [(e, shape), (total, stat)],
                           ["%r = arith.divf %in0, %in1 : f32", "linalg.yield %r : f32"])
        o, o_shape = self.batch_matmul(p, shape, v, v_shape)
        d = self.width // self.heads
        four, back = (1, *o_shape), (1, self.seq, self.heads, d)
        ex, tr, co = self.name("heads"), self.name("permuted"), self.name("merged")
        self.line(f"{ex} = tensor.expand_shape {o} [[0, 1], [2], [3]] output_shape [1, {self.heads}, {self.seq}, {d}] : "
                  f"{self.ty(o_shape)} into {self.ty(four)}")
        self.line(f"{tr} = linalg.transpose ins({ex} : {self.ty(four)}) outs({self.empty(back)} : {self.ty(back)}) "
                  f"permutation = [0, 2, 1, 3]")
        self.line(f"{co} = tensor.collapse_shape {tr} [[0], [1], [2, 3]] : {self.ty(back)} into "
                  f"{self.ty((1, self.seq, self.width))}")
        return self.linear("out", co, self.width, self.width)

    def gelu(self, x):
        return self.pointwise("gelu", [(x, (1, self.seq, self.ffn))],
                              ["%s = arith.divf %in0, %sqrt2 : f32", "%e = math.erf %s : f32",
                               "%t = arith.addf %e, %one : f32", "%h = arith.mulf %t, %half : f32",
                               "%r = arith.mulf %in0, %h : f32", "linalg.yield %r : f32"])

    def residual(self, a, b):
        return self.pointwise("residual", [(a, (1, self.seq, self.width)), (b, (1, self.seq, self.width))],
                              ["%r = arith.addf %in0, %in1 : f32", "linalg.yield %r : f32"])

    def module(self):
        constants = {"zero": "0.0", "one": "1.0", "half": "0.5", "sqrt2": repr(float(np.sqrt(2))),
                     "epsilon": "1.0e-05", "lowest": "0xFF800000", "width": f"{self.width}.0",
                     "scale": repr(1 / float(np.sqrt(self.width // self.heads)))}
        for k, v in constants.items():
            self.line(f"%{k} = arith.constant {v} : f32")
        x = "%tokens"
        h = self.residual(x, self.attention(self.layer_norm("norm1", x)))
        up = self.gelu(self.linear("up", self.layer_norm("norm2", h), self.width, self.ffn))
        out = self.residual(h, self.linear("down", up, self.ffn, self.width))
        t = self.ty((1, self.seq, self.width))
        blobs = ",\n".join('      %s: "0x04000000%s"' % (k, a.astype("<f4").tobytes().hex().upper())
                           for k, a in self.weights.items())
        return "\n".join(["// A pre-norm transformer encoder block in linalg on tensors. Made by make.py beside this file.",
                          'module attributes {torch.debug_module_name = "Block"} {',
                          f"  func.func @forward(%tokens: {t}) -> {t} {{", *self.lines, f"    return {out} : {t}", "  }",
                          "}", "", "{-#", "  dialect_resources: {", "    builtin: {", blobs, "    }", "  }", "#-}", ""])


def main():
    options = {"seq": 32, "width": 64, "heads": 4, "ffn": 256}
    folders = []
    for arg in sys.argv[1:]:
        if arg.startswith("--") and arg[2:].split("=")[0] in options:
            key, value = arg[2:].split("=")
            options[key] = int(value)
        else:
            folders.append(arg)
    if len(folders) != 1 or folders[0].startswith("-"):
        print(__doc__)
        return 2
    open(os.path.join(folders[0], "block.mlir"), "w").write(Emitter(**options).module())
    rng = np.random.default_rng(12)
    np.save(os.path.join(folders[0], "tokens.npy"), rng.normal(0, 1, (1, options["seq"], options["width"])).astype(np.float32))
    return 0


if __name__ == "__main__":
    sys.exit(main())
