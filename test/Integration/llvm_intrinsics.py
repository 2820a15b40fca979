#!/usr/bin/env python3
# Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints a program of intrinsics of the llvm dialect on constants: orders, saturation, shifts of two numbers in a row,
bits, casts of floats to integers, classes of floats, and those with a mask and a vector length.

usage: llvm_intrinsics.py SEED
"""
import random
import sys


class Program:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.lines = []
        self.count = 0

    def line(self, text):
        self.count += 1
        self.lines.append(f"  %v{self.count} = {text}")
        return f"%v{self.count}"

    def constant(self, type, value):
        return self.line(f"llvm.mlir.constant({value} : {type}) : {type}")

    def integer(self, bits):
        lowest, highest = -(1 << (bits - 1)), (1 << (bits - 1)) - 1
        if self.random.random() < 0.4:
            return self.constant(f"i{bits}", self.random.choice([lowest, highest, 0, 1, -1, lowest + 1, highest - 1]))
        return self.constant(f"i{bits}", self.random.randint(lowest, highest))

    def vector(self, type, values):
        type = f"vector<{len(values)}x{type}>"
        return self.line(f"llvm.mlir.constant(dense<[{', '.join(map(str, values))}]> : {type}) : {type}")

    def result(self, name, operands, types, type, attributes=""):
        return self.line(f'"llvm.intr.{name}"({", ".join(operands)}) {attributes}: ({", ".join(types)}) -> {type}')

    def show(self, value, type):
        self.lines.append(f"  vector.print {value} : {type}")

    def integers(self, bits):
        type = f"i{bits}"
        for name in ("scmp", "ucmp"):
            self.show(self.result(name, [self.integer(bits), self.integer(bits)], [type] * 2, "i8"), "i8")
        for name in ("sadd.sat", "uadd.sat", "ssub.sat", "usub.sat"):
            self.show(self.result(name, [self.integer(bits), self.integer(bits)], [type] * 2, type), type)
        for name in ("sshl.sat", "ushl.sat"):
            amount = self.constant(type, self.random.randrange(bits))
            self.show(self.result(name, [self.integer(bits), amount], [type] * 2, type), type)
        for name in ("fshl", "fshr"):
            self.show(self.result(name, [self.integer(bits) for _ in range(3)], [type] * 3, type), type)
        for name in ("bitreverse", "bswap") if bits > 8 else ("bitreverse",):
            self.show(self.result(name, [self.integer(bits)], [type], type), type)

    def floats(self, type):
        values = [0.5, 1.5, -2.5, 3.49, -0.75, 1234.5]
        for name in ("lrint", "llrint", "lround", "llround"):
            self.show(self.result(name, [self.constant(type, self.random.choice(values))], [type], "i64"), "i64")
        subnormal = "1.0e-310" if type == "f64" else "1.0e-40"
        for value in ("0.0", "-0.0", "1.5", "-3.0", subnormal):
            mask = self.random.randrange(1024)
            self.show(self.result("is.fpclass", [self.constant(type, value)], [type], "i1", f"<{{bit = {mask} : i32}}> "), "i1")
        power = self.constant("i32", self.random.randint(-20, 20))
        self.show(self.result("ldexp", [self.constant(type, "-3.0"), power], [type, "i32"], type), type)
        pair = f"!llvm.struct<({type}, i32)>"
        parts = self.result("frexp", [self.constant(type, "0.1")], [type], pair)
        self.show(self.line(f"llvm.extractvalue {parts}[0] : {pair}"), type)
        self.show(self.line(f"llvm.extractvalue {parts}[1] : {pair}"), "i32")

    def vectors(self):
        type, mask = "vector<4xi32>", "vector<4xi1>"
        any = lambda: self.vector("i32", [self.random.randint(-(1 << 31), (1 << 31) - 1) for _ in range(4)])
        small = lambda: self.vector("i32", [self.random.randint(1, 30) for _ in range(4)])
        some = lambda: self.vector("i1", [self.random.choice(["true", "false"]) for _ in range(4)])
        for name in "add sub mul and or xor smax smin umax umin sdiv udiv srem urem shl lshr ashr".split():
            lanes, length = some(), self.constant("i32", self.random.randint(0, 4))
            value = self.result(f"vp.{name}", [any(), small(), lanes, length], [type, type, mask, "i32"], type)
            self.show(self.result("vp.merge", [lanes, value, small(), length], [mask, type, type, "i32"], type), type)
        for name in "add mul and or xor smax smin umax umin".split():
            operands = [self.integer(32), any(), some(), self.constant("i32", self.random.randint(0, 4))]
            self.show(self.result(f"vp.reduce.{name}", operands, ["i32", type, mask, "i32"], "i32"), "i32")
        both = self.result("vector.interleave2", [any(), any()], [type, type], "vector<8xi32>")
        pair = f"!llvm.struct<({type}, {type})>"
        halves = self.result("vector.deinterleave2", [both], ["vector<8xi32>"], pair)
        self.show(self.line(f"llvm.extractvalue {halves}[1] : {pair}"), type)

    def text(self):
        for bits in (8, 16, 32, 64):
            self.integers(bits)
        for type in ("f32", "f64"):
            self.floats(type)
        self.vectors()
        return "func.func @main() {\n" + "\n".join(self.lines) + "\n  return\n}"


if __name__ == "__main__":
    print(Program(int(sys.argv[1])).text())
