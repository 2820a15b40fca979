#!/usr/bin/env python3
# Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How time and memory of a compile grow with the program.

    python3 test/Bench/bench_growth.py build [FAMILY...] [--most=N] [--seconds=S] [--repeat=N] [--flags="-O0 ..."]
                           [--list] [--print=N]

Each family is one way in which programs get large: a chain of operations, arguments, results, functions, kernels, and so on. It is
compiled at sizes that double up to --most (default: the family's own), or until a compile takes longer than --seconds (default 20),
--repeat times each, of which the least counts: other work on the machine only adds.
One line of JSON for each family: sizes, processor seconds and peak memory in MB, without those of the family's smallest program,
and the exponents e of `seconds ~ size^e` and `memory ~ size^e`: least squares over the three largest sizes. Exit code 3 where an
exponent of time is above 1.15, that of memory above 1.15, or a compile fails.
"""
import argparse
import json
import math
import os
import pathlib
import resource
import shlex
import subprocess
import sys
import tempfile

MOST_EXPONENT = 1.15
VECTOR = "tensor<64xf32>"
BUFFER = "memref<64xf32>"


def chain(n, operation, kind=VECTOR):
    """x1 = operation(x0), x2 = operation(x1), ..."""
    lines = [f"func.func @main(%x0: {kind}) -> {kind} {{"]
    lines += [f"  %x{i + 1} = {operation(i)} : {kind}" for i in range(n)]
    return lines + [f"  return %x{n} : {kind}", "}"]


def tanh(n):
    """Elementwise operations, one after another."""
    return chain(n, lambda i: f"math.tanh %x{i}")


def far(n):
    """Each operation reads the one before and one from the first half."""
    return chain(n, lambda i: f"arith.addf %x{i}, %x{i // 2}")


def tosa(n):
    """The same in TOSA."""
    kind = "tensor<8x8xf32>"
    lines = [f"func.func @main(%x0: {kind}) -> {kind} {{"]
    lines += [f"  %x{i + 1} = tosa.{'tanh' if i % 2 else 'exp'} %x{i} : ({kind}) -> {kind}" for i in range(n)]
    return lines + [f"  return %x{n} : {kind}", "}"]


def dynamic(n):
    """Elementwise operations of sizes that are not known."""
    return chain(n, lambda i: f"math.tanh %x{i}", "tensor<?x?xf32>")


def layers(n):
    """Two kernels, called again and again."""
    kind = "tensor<16x16xf32>"
    return chain(n, lambda i: f"mica.matmul %x{i}, %x{i}" if i % 2 else f"mica.softmax %x{i} axis = 1", kind)


def rows(n):
    """Sums of rows that are broadcast again."""
    kind, column = "tensor<32x16xf32>", "tensor<32x1xf32>"
    lines = [f"func.func @main(%x0: {kind}) -> {kind} {{"]
    for i in range(n):
        lines += [f"  %s{i} = mica.reduce sum %x{i} dims = [1] keep_dims : ({kind}) -> {column}",
                  f"  %x{i + 1} = mica.sub %x{i}, %s{i} : ({kind}, {column}) -> {kind}"]
    return lines + [f"  return %x{n} : {kind}", "}"]


def transposes(n):
    """Transposed and added."""
    kind = "tensor<16x16xf32>"
    lines = [f"func.func @main(%x0: {kind}) -> {kind} {{"]
    for i in range(n):
        lines += [f"  %t{i} = mica.transpose %x{i} permutation = [1, 0] : {kind}", f"  %x{i + 1} = mica.add %x{i}, %t{i} : {kind}"]
    return lines + [f"  return %x{n} : {kind}", "}"]


def kernels(n):
    """A kernel of another shape each time."""
    big, one = "tensor<128x1024xf32>", "tensor<1x1xf32>"
    lines = [f"func.func @main(%x: {big}, %s0: {one}) -> {one} {{"]
    for i in range(n):
        kind = f"tensor<{1 + i % 101}x{2 + i // 101}xf32>"
        lines += [f"  %a{i} = tensor.extract_slice %x[0, 0] [{1 + i % 101}, {2 + i // 101}] [1, 1] : {big} to {kind}",
                  f"  %b{i} = mica.softmax %a{i} axis = 1 : {kind}",
                  f"  %c{i} = tensor.extract_slice %b{i}[0, 1] [1, 1] [1, 1] : {kind} to {one}",
                  f"  %s{i + 1} = mica.add %s{i}, %c{i} : {one}"]
    return lines + [f"  return %s{n} : {one}", "}"]


def arguments(n):
    """A function of many arguments."""
    lines = ["func.func @main(" + ", ".join(f"%a{i}: {VECTOR}" for i in range(n)) + f") -> {VECTOR} {{", f"  %x0 = math.tanh %a0 : {VECTOR}"]
    lines += [f"  %x{i} = arith.addf %x{i - 1}, %a{i} : {VECTOR}" for i in range(1, n)]
    return lines + [f"  return %x{n - 1} : {VECTOR}", "}"]


def results(n):
    """A function of many results."""
    lines = [f"func.func @main(%x0: {VECTOR}) -> (" + ", ".join([VECTOR] * n) + ") {"]
    lines += [f"  %x{i + 1} = math.tanh %x{i} : {VECTOR}" for i in range(n)]
    return lines + ["  return " + ", ".join(f"%x{i + 1}" for i in range(n)) + " : " + ", ".join([VECTOR] * n), "}"]


def signature(n):
    """A function of as many arguments as results."""
    kinds = ", ".join([VECTOR] * n)
    lines = ["func.func @main(" + ", ".join(f"%a{i}: {VECTOR}" for i in range(n)) + f") -> ({kinds}) {{"]
    lines += [f"  %x{i} = arith.addf %a{i}, %a{(i + 1) % n} : {VECTOR}" for i in range(n)]
    return lines + ["  return " + ", ".join(f"%x{i}" for i in range(n)) + f" : {kinds}", "}"]


def functions(n):
    """Functions that are called once."""
    lines = [f"func.func @main(%x0: {VECTOR}) -> {VECTOR} {{"]
    lines += [f"  %x{i + 1} = call @f{i}(%x{i}) : ({VECTOR}) -> {VECTOR}" for i in range(n)]
    lines += [f"  return %x{n} : {VECTOR}", "}"]
    for i in range(n):
        lines += [f"func.func private @f{i}(%x: {VECTOR}) -> {VECTOR} {{", f"  %c = arith.constant dense<{i}.5> : {VECTOR}",
                  f"  %0 = arith.addf %x, %c : {VECTOR}", f"  return %0 : {VECTOR}", "}"]
    return lines


def calling(n, times):
    lines = [f"func.func @main(%x: {VECTOR}) -> {VECTOR} {{", f"  %0 = call @f0(%x) : ({VECTOR}) -> {VECTOR}", f"  return %0 : {VECTOR}", "}"]
    for i in range(n):
        lines += [f"func.func private @f{i}(%x0: {VECTOR}) -> {VECTOR} {{"]
        for j in range(times):
            operation = f"call @f{i + 1}(%x{j}) : ({VECTOR}) -> {VECTOR}" if i + 1 < n else f"math.tanh %x{j} : {VECTOR}"
            lines += [f"  %x{j + 1} = {operation}"]
        lines += [f"  return %x{times} : {VECTOR}", "}"]
    return lines


def levels(n):
    """Functions that each call the next."""
    return calling(n, 1)


def twice(n):
    """Functions that each call the next twice."""
    return calling(n, 2)


def loops(n):
    """Loops, one after another."""
    lines = [f"func.func @main(%x0: {VECTOR}, %n: index) -> {VECTOR} {{", "  %c0 = arith.constant 0 : index", "  %c1 = arith.constant 1 : index"]
    for i in range(n):
        lines += [f"  %x{i + 1} = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x{i}) -> ({VECTOR}) {{",
                  f"    %t = math.tanh %a : {VECTOR}", f"    scf.yield %t : {VECTOR}", "  }"]
    return lines + [f"  return %x{n} : {VECTOR}", "}"]


def branches(n):
    """Conditions, one after another, of which neighbours differ."""
    lines = [f"func.func @main(%x0: {VECTOR}, %c0: i1, %c1: i1) -> {VECTOR} {{"]
    for i in range(n):
        lines += [f"  %x{i + 1} = scf.if %c{i % 2} -> ({VECTOR}) {{", f"    %t = math.tanh %x{i} : {VECTOR}", f"    scf.yield %t : {VECTOR}",
                  "  } else {", f"    scf.yield %x{i} : {VECTOR}", "  }"]
    return lines + [f"  return %x{n} : {VECTOR}", "}"]


def nested(n):
    """Conditions inside of each other."""
    lines = [f"func.func @main(%x0: {VECTOR}, %c: i1) -> {VECTOR} {{"]
    for i in range(n):
        lines += [f"  %x{i + 1} = scf.if %c -> ({VECTOR}) {{"]
    lines += [f"  %y = math.tanh %x0 : {VECTOR}", f"  scf.yield %y : {VECTOR}"]
    for i in reversed(range(n)):
        lines += ["  } else {", f"    scf.yield %x0 : {VECTOR}", "  }", f"  scf.yield %x{i + 1} : {VECTOR}" if i else f"  return %x1 : {VECTOR}"]
    return lines + ["}"]


def body(n):
    """One operation with a long body."""
    lines = ["#map = affine_map<(i) -> (i)>", f"func.func @main(%x: {VECTOR}) -> {VECTOR} {{", f"  %e = tensor.empty() : {VECTOR}",
             '  %0 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} '
             f"ins(%x : {VECTOR}) outs(%e : {VECTOR}) {{", "  ^bb0(%v0: f32, %o: f32):"]
    lines += [f"    %v{i + 1} = {'arith.mulf' if i % 2 else 'arith.addf'} %v{i}, %v{i // 2} : f32" for i in range(n)]
    return lines + [f"    linalg.yield %v{n} : f32", f"  }} -> {VECTOR}", f"  return %0 : {VECTOR}", "}"]


def merged(n):
    """Operations that become one kernel."""
    operations = ("addf", "mulf", "subf", "maximumf")
    lines = [f"func.func @main(%x0: {VECTOR}, %y: {VECTOR}) -> {VECTOR} {{"]
    lines += [f"  %x{i + 1} = arith.{operations[i % 4]} %x{i}, %y : {VECTOR}" for i in range(n)]
    return lines + [f"  return %x{n} : {VECTOR}", "}"]


def weights(n):
    """Constants of 1 MiB, each another."""
    kind = "tensor<262144xf32>"
    lines = [f"func.func @main(%x0: {kind}) -> {kind} {{"]
    for i in range(n):
        lines += [f"  %c{i} = arith.constant dense_resource<w{i}> : {kind}", f"  %x{i + 1} = arith.addf %x{i}, %c{i} : {kind}"]
    lines += [f"  return %x{n} : {kind}", "}", "{-#", "  dialect_resources: {", "    builtin: {"]
    # The first element differs.
    lines += [f'      w{i}: "0x04000000{i:08X}' + "0000803F" * 262143 + ('",' if i + 1 < n else '"') for i in range(n)]
    return lines + ["    }", "  }", "#-}"]


def scalars(n):
    """Numbers in the host function."""
    return chain(n, lambda i: f"{'arith.mulf' if i % 2 else 'arith.addf'} %x{i}, %x{i // 2}", "f32")


def constants(n):
    """Constants, each another."""
    lines = [f"func.func @main(%x0: {VECTOR}) -> {VECTOR} {{"]
    for i in range(n):
        values = ", ".join(f"{(i * 64 + j) % 1000003}.0" for j in range(64))
        lines += [f"  %c{i} = arith.constant dense<[{values}]> : {VECTOR}", f"  %x{i + 1} = arith.addf %x{i}, %c{i} : {VECTOR}"]
    return lines + [f"  return %x{n} : {VECTOR}", "}"]


def buffers(n):
    """Operations on buffers."""
    lines = [f"func.func @main(%x0: {BUFFER}, %y: {BUFFER}) {{"]
    for i in range(n):
        lines += [f"  %x{i + 1} = memref.alloc() : {BUFFER}", f"  linalg.exp ins(%x{i} : {BUFFER}) outs(%x{i + 1} : {BUFFER})"]
    return lines + [f"  memref.copy %x{n}, %y : {BUFFER} to {BUFFER}", "  return", "}"]


def concat(n):
    """One concatenation of many operands."""
    lines = [f"func.func @main(%x0: {VECTOR}) -> tensor<{64 * n}xf32> {{"]
    lines += [f"  %x{i + 1} = math.tanh %x{i} : {VECTOR}" for i in range(n)]
    operands, kinds = ", ".join(f"%x{i + 1}" for i in range(n)), ", ".join([VECTOR] * n)
    return lines + [f"  %0 = tensor.concat dim(0) {operands} : ({kinds}) -> tensor<{64 * n}xf32>", f"  return %0 : tensor<{64 * n}xf32>", "}"]


def inserts(n):
    """Slices inserted into one tensor."""
    whole = f"tensor<{n}x64xf32>"
    lines = [f"func.func @main(%x0: {VECTOR}, %w0: {whole}) -> {whole} {{"]
    for i in range(n):
        lines += [f"  %x{i + 1} = math.tanh %x{i} : {VECTOR}",
                  f"  %w{i + 1} = tensor.insert_slice %x{i + 1} into %w{i}[{i}, 0] [1, 64] [1, 1] : {VECTOR} into {whole}"]
    return lines + [f"  return %w{n} : {whole}", "}"]


def globals_(n):
    """Global buffers, each read once."""
    lines = [f"memref.global \"private\" constant @g{i} : {BUFFER} = dense<{i}.5>" for i in range(n)]
    lines += [f"func.func @main(%x0: {VECTOR}) -> {VECTOR} {{"]
    for i in range(n):
        lines += [f"  %g{i} = memref.get_global @g{i} : {BUFFER}", f"  %t{i} = bufferization.to_tensor %g{i} : {BUFFER} to {VECTOR}",
                  f"  %x{i + 1} = arith.addf %x{i}, %t{i} : {VECTOR}"]
    return lines + [f"  return %x{n} : {VECTOR}", "}"]


def declarations(n):
    """Declared functions that nothing calls."""
    return [f"func.func private @f{i}({VECTOR}) -> {VECTOR}" for i in range(n)] + tanh(4)


def literal(n):
    """One constant of this many thousand elements, as text."""
    kind = f"tensor<{1000 * n}xf32>"
    values = ", ".join(f"{j % 8191}.5" for j in range(1000 * n))
    return [f"func.func @main(%x: {kind}) -> {kind} {{", f"  %c = arith.constant dense<[{values}]> : {kind}",
            f"  %0 = arith.addf %x, %c : {kind}", f"  return %0 : {kind}", "}"]


def tuples(n):
    """A call that returns many tensors."""
    kinds = ", ".join([VECTOR] * n)
    lines = [f"func.func private @f(%x0: {VECTOR}) -> ({kinds}) {{"]
    lines += [f"  %x{i + 1} = math.tanh %x{i} : {VECTOR}" for i in range(n)]
    lines += ["  return " + ", ".join(f"%x{i + 1}" for i in range(n)) + f" : {kinds}", "}"]
    lines += [f"func.func @main(%x: {VECTOR}) -> {VECTOR} {{", f"  %r:{n} = call @f(%x) : ({VECTOR}) -> ({kinds})"]
    lines += [f"  %s0 = arith.addf %r#0, %x : {VECTOR}"] + [f"  %s{i} = arith.addf %s{i - 1}, %r#{i} : {VECTOR}" for i in range(1, n)]
    return lines + [f"  return %s{n - 1} : {VECTOR}", "}"]


def carried(n):
    """A loop that carries many numbers."""
    kinds = ", ".join(["f32"] * n)
    lines = [f"func.func @main(%x: f32, %n: index) -> f32 {{", "  %c0 = arith.constant 0 : index", "  %c1 = arith.constant 1 : index"]
    lines += [f"  %r:{n} = scf.for %i = %c0 to %n step %c1 iter_args(" + ", ".join(f"%a{i} = %x" for i in range(n)) + f") -> ({kinds}) {{"]
    lines += [f"    %t{i} = arith.addf %a{i}, %a{(i + 1) % n} : f32" for i in range(n)]
    lines += ["    scf.yield " + ", ".join(f"%t{i}" for i in range(n)) + f" : {kinds}", "  }", "  %s0 = arith.addf %r#0, %x : f32"]
    lines += [f"  %s{i} = arith.addf %s{i - 1}, %r#{i} : f32" for i in range(1, n)]
    return lines + [f"  return %s{n - 1} : f32", "}"]


def operands(n):
    """One operation that reads many tensors."""
    maps = ", ".join(["#map"] * (n + 1))
    lines = ["#map = affine_map<(i) -> (i)>", "func.func @main(" + ", ".join(f"%a{i}: {VECTOR}" for i in range(n)) + f") -> {VECTOR} {{",
             f"  %e = tensor.empty() : {VECTOR}", f'  %0 = linalg.generic {{indexing_maps = [{maps}], iterator_types = ["parallel"]}} ins('
             + ", ".join(f"%a{i}" for i in range(n)) + " : " + ", ".join([VECTOR] * n) + f") outs(%e : {VECTOR}) {{",
             "  ^bb0(" + ", ".join(f"%v{i}: f32" for i in range(n)) + ", %o: f32):", "    %s0 = arith.negf %v0 : f32"]
    lines += [f"    %s{i} = arith.addf %s{i - 1}, %v{i} : f32" for i in range(1, n)]
    return lines + [f"    linalg.yield %s{n - 1} : f32", f"  }} -> {VECTOR}", f"  return %0 : {VECTOR}", "}"]


def types(n):
    """Tensors of different types, of which nothing is computed but sizes."""
    lines = ["func.func @main(%x: tensor<?xf32>) -> index {", "  %c0 = arith.constant 0 : index", "  %s0 = arith.constant 0 : index"]
    for i in range(n):
        lines += [f"  %e{i} = tensor.cast %x : tensor<?xf32> to tensor<{i + 1}xf32>", f"  %f{i} = tensor.cast %e{i} : tensor<{i + 1}xf32> to tensor<?xf32>",
                  f"  %d{i} = tensor.dim %f{i}, %c0 : tensor<?xf32>", f"  %s{i + 1} = arith.addi %s{i}, %d{i} : index"]
    return lines + [f"  return %s{n} : index", "}"]


def files(n):
    """Operations of different source files."""
    lines = [f"func.func @main(%x0: {VECTOR}) -> {VECTOR} {{"]
    lines += [f"  %x{i + 1} = math.tanh %x{i} : {VECTOR} loc(\"layer{i}.py\":{i + 1}:3)" for i in range(n)]
    return lines + [f"  return %x{n} : {VECTOR}", "}"]


def blocks(n):
    """Blocks that branch to the next two."""
    lines = ["func.func @main(%x: f32, %c: i1) -> f32 {", "  cf.br ^b0(%x : f32)"]
    for i in range(n):
        lines += [f"^b{i}(%v{i}: f32):", f"  %t{i} = arith.addf %v{i}, %x : f32", f"  cf.cond_br %c, ^b{i + 1}(%t{i} : f32), ^b{min(i + 2, n)}(%v{i} : f32)"]
    return lines + [f"^b{n}(%v{n}: f32):", f"  return %v{n} : f32", "}"]


def cases(n):
    """A switch of many cases."""
    lines = ["func.func @main(%x: f32, %n: i32) -> f32 {", "  cf.switch %n : i32, [", "    default: ^d(%x : f32),"]
    lines += [f"    {i}: ^b{i}" + ("," if i + 1 < n else "") for i in range(n)] + ["  ]"]
    for i in range(n):
        lines += [f"^b{i}:", f"  %c{i} = arith.constant {i}.5 : f32", f"  %t{i} = arith.addf %x, %c{i} : f32", f"  cf.br ^d(%t{i} : f32)"]
    return lines + ["^d(%r: f32):", "  return %r : f32", "}"]


def choices(n):
    """A structured switch of many cases."""
    lines = ["func.func @main(%x: f32, %n: index) -> f32 {", "  %r = scf.index_switch %n -> f32"]
    for i in range(n):
        lines += [f"  case {i} {{", f"    %c{i} = arith.constant {i}.5 : f32", f"    %t{i} = arith.addf %x, %c{i} : f32", f"    scf.yield %t{i} : f32", "  }"]
    return lines + ["  default {", "    scf.yield %x : f32", "  }", "  return %r : f32", "}"]


# Family -> the smallest and the largest size.
FAMILIES = {
    tanh: (1000, 64000), far: (1000, 32000), tosa: (1000, 32000), dynamic: (1000, 16000), layers: (1000, 32000), rows: (500, 8000),
    transposes: (500, 8000), kernels: (100, 1600), arguments: (1000, 8000), results: (1000, 8000), signature: (1250, 10000), functions: (250, 4000),
    levels: (50, 3200), twice: (8, 32), loops: (250, 2000), branches: (250, 2000), nested: (25, 200), body: (250, 4000),
    merged: (250, 4000), weights: (8, 128), scalars: (1000, 16000), constants: (500, 8000), buffers: (500, 8000), concat: (250, 4000), inserts: (250, 4000),
    globals_: (500, 4000), declarations: (1000, 16000), literal: (250, 4000), tuples: (500, 4000), carried: (250, 2000), operands: (125, 1000),
    types: (500, 4000), files: (1000, 8000), blocks: (1000, 8000), cases: (1000, 8000), choices: (1000, 8000)}


def compile_cost(build, lines, folder, flags, seconds):
    """(processor seconds, peak memory in MB), or what went wrong."""
    model = folder / "model.mlir"
    model.write_text("\n".join(lines) + "\n")
    command = [build / "bin/mica-compile", model, "-o", folder / "artifact", "--force", *flags]
    limit = int(6 * seconds) + 1
    with (folder / "messages").open("wb") as messages:
        process = subprocess.Popen(command, stdout=messages, stderr=messages,
                                   preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (limit, limit)))
        _, status, usage = os.wait4(process.pid, 0)
    if usage.ru_utime + usage.ru_stime >= limit - 1:
        return f"longer than {limit} s"
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        return f"exit code {process.returncode}: " + (folder / "messages").read_text(errors="replace")[:300]
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def exponent(sizes, values):
    """Of the last three."""
    points = [(math.log(s), math.log(v)) for s, v in list(zip(sizes, values))[-3:] if v > 0]
    if len(points) < 2:
        return 0.0
    x, y = sum(p[0] for p in points) / len(points), sum(p[1] for p in points) / len(points)
    return sum((p[0] - x) * (p[1] - y) for p in points) / sum((p[0] - x) ** 2 for p in points)


def least_cost(repeat, *arguments):
    costs = [compile_cost(*arguments) for _ in range(repeat)]
    failures = [cost for cost in costs if isinstance(cost, str)]
    return failures[0] if failures else tuple(map(min, zip(*costs)))


def measure(build, family, most, seconds, repeat, flags, folder):
    smallest, largest = FAMILIES[family]
    result = {"family": family.__name__}
    base = least_cost(repeat, build, family(max(2, smallest // 50)), folder, flags, seconds)
    sizes, times, memory, size = [], [], [], smallest
    while not isinstance(base, str) and size <= (most or largest):
        cost = least_cost(repeat, build, family(size), folder, flags, seconds)
        if isinstance(cost, str):
            base = f"at {size}: {cost}"
            break
        sizes.append(size)
        times.append(max(0.0, cost[0] - base[0]))
        memory.append(max(0.0, cost[1] - base[1]))
        if cost[0] > seconds:
            break
        size *= 2
    result |= {"sizes": sizes, "seconds": [round(t, 2) for t in times], "megabytes": [round(m) for m in memory]}
    if isinstance(base, str):
        result["failed"] = base
    if sizes:
        result |= {"time_exponent": round(exponent(sizes, times), 2), "memory_exponent": round(exponent(sizes, memory), 2)}
    return result


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("families", nargs="*")
    parser.add_argument("--most", type=int)
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--repeat", type=int, default=1)
    parser.add_argument("--flags", default="")
    parser.add_argument("--list", action="store_true", help="print the families")
    parser.add_argument("--print", type=int, metavar="N", help="print the program of a family of this size")
    options = parser.parse_intermixed_args()
    named = {family.__name__: family for family in FAMILIES}
    if options.list:
        print("\n".join(f"{name}: {family.__doc__}" for name, family in named.items()))
        return 0
    if unknown := [name for name in options.families if name not in named]:
        sys.exit(f"bench_growth: error: no family {unknown[0]}; --list prints them")
    good = True
    for name in options.families or named:
        if options.print:
            print("\n".join(named[name](options.print)))
            continue
        with tempfile.TemporaryDirectory(prefix="mica-growth-") as folder:
            result = measure(options.build.resolve(), named[name], options.most, options.seconds, max(1, options.repeat),
                             shlex.split(options.flags), pathlib.Path(folder))
        print(json.dumps(result), flush=True)
        good &= "failed" not in result and result["time_exponent"] <= MOST_EXPONENT and result["memory_exponent"] <= MOST_EXPONENT
    return 0 if good else 3


if __name__ == "__main__":
    sys.exit(main())
