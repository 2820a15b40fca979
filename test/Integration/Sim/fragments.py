#!/usr/bin/env python3
# Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints a program with a launch of a warp for each shape of nvgpu.mma.sync, on fragments that are arguments.

usage: fragments.py > PROGRAM.mlir
"""
# Shape of the product, element types of A and of C, and the fragments of A, B and C that a thread has.
SHAPES = [
    ((16, 8, 8), "f16", "f32", (2, 2), (1, 2), (2, 2)),
    ((16, 8, 16), "f16", "f32", (4, 2), (2, 2), (2, 2)),
    ((16, 8, 16), "f16", "f16", (4, 2), (2, 2), (2, 2)),
    ((16, 8, 16), "bf16", "f32", (4, 2), (2, 2), (2, 2)),
    ((16, 8, 4), "f32", "f32", (2, 1), (1, 1), (2, 2)),
    ((16, 8, 8), "f32", "f32", (4, 1), (2, 1), (2, 2)),
    ((16, 8, 16), "i8", "i32", (2, 4), (1, 4), (2, 2)),
    ((16, 8, 32), "i8", "i32", (4, 4), (2, 4), (2, 2)),
    ((8, 8, 4), "f64", "f64", (1, 1), (1, 1), (1, 2)),
]


def load(name, shape, type):
    rows, columns = shape
    memory, vector = f"memref<32x{rows}x{columns}x{type}>", f"vector<{rows}x{columns}x{type}>"
    zero = "0" if type.startswith("i") else "0.0"
    return f"""      %{name}pad = arith.constant {zero} : {type}
      %{name}f = vector.transfer_read %{name}[%lane, %c0, %c0], %{name}pad {{in_bounds = [true, true]}} : {memory}, {vector}
"""


def function(number, case):
    (m, n, k), type, total, a, b, c = case
    memory = [f"memref<32x{x}x{y}x{t}>" for (x, y), t in ((a, type), (b, type), (c, total))]
    va, vb, vc = (f"vector<{x}x{y}x{t}>" for (x, y), t in ((a, type), (b, type), (c, total)))
    tf32 = ", tf32Enabled" if type == "f32" else ""
    return f"""func.func @f{number}(%a: {memory[0]}, %b: {memory[1]}, %c: {memory[2]}, %d: {memory[2]}) {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%lane, %ty, %tz) in (%sx = %c32, %sy = %c1, %sz = %c1) {{
{load("a", a, type)}{load("b", b, type)}{load("c", c, total)}      %r = nvgpu.mma.sync(%af, %bf, %cf) {{mmaShape = [{m}, {n}, {k}]{tf32}}} : ({va}, {vb}, {vc}) -> {vc}
      vector.transfer_write %r, %d[%lane, %c0, %c0] {{in_bounds = [true, true]}} : {vc}, {memory[2]}
      gpu.terminator
  }}
  return
}}
"""


print("\n".join(function(number, case) for number, case in enumerate(SHAPES)))
