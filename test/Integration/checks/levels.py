#!/usr/bin/env python3
"""Which faults each assert-level finds: runs a table of small programs at every level and writes the table of docs/Checks.md.

usage: levels.py WORK [--docs=docs/Checks.md [--write]] [--every=N] [--only=REGEX] [--show]
       levels.py WORK --constants [--every=N] [--only=REGEX]        the inputs that are numbers or tensors of integers become constants

Each program has one access or operation that is at fault for one set of inputs and right for the other. A fault is found if the run ends
with exit code 3 (or 1, for sizes) and names the line. The right inputs must run without a message at every level. With --docs, compares
the table between the marks `levels:begin` and `levels:end` of that file, or writes it there. With --constants, what a program does wrong is
known when it is compiled, and each fault is found at the levels `user` and `all` where it is found with inputs; or the compiler refuses it.
"""
import argparse
import concurrent.futures
import math
import os
import pathlib
import re
import subprocess
import sys

LEVELS = ("none", "user", "safe", "all")
M = "affine_map<(d0) -> (d0)>"


def body(inner, extra="", result="f32", value="%r"):
    """A linalg.generic over 8 positions, whose body is `inner`: code of a kernel."""
    return f"""func.func @NAME(%x: tensor<8xf32>, %p: tensor<8xindex>{extra}) -> tensor<8x{result}> {{
  %e = tensor.empty() : tensor<8x{result}>
  %0 = linalg.generic {{indexing_maps = [{M}, {M}], iterator_types = ["parallel"]}} ins(%p : tensor<8xindex>) outs(%e : tensor<8x{result}>) {{
  ^bb0(%i: index, %o: {result}):
{inner}
    linalg.yield {value} : {result}
  }} -> tensor<8x{result}>
  return %0 : tensor<8x{result}>
}}
"""


def loop(inner):
    """A loop on buffers: code of a kernel. %i is a position that is computed from sizes, %g from an argument, %k was loaded."""
    return f"""func.func @NAME(%x: memref<?xf32>, %y: memref<?xf32>, %p: memref<8xindex>, %o: index) {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.for %j = %c0 to %c8 step %c1 {{
    %n = memref.dim %y, %c0 : memref<?xf32>
    %s = arith.subi %n, %c8 : index
    %i = arith.addi %j, %s : index
    %g = arith.addi %j, %o : index
    %k = memref.load %p[%j] : memref<8xindex>
    %v = arith.constant 2.0 : f32
{inner}
  }}
  return
}}
"""


VIEW = ("%z", "memref<5xf32, strided<[1], offset: 1>>")


def through_view(inner):
    """Four turns of the loop, and a view %z of five elements of %x, which has more."""
    return loop(inner).replace("to %c8 step", "to %c4 step").replace("  scf.for", """  %c4 = arith.constant 4 : index
  %z = memref.subview %x[1] [5] [1] : memref<?xf32> to memref<5xf32, strided<[1], offset: 1>>
  scf.for""")


def once(inner):
    """The same without a loop."""
    return f"""func.func @NAME(%x: memref<?xf32>, %y: memref<?xf32>, %p: memref<8xindex>, %g: index) {{
  %j = arith.constant 0 : index
  %v = arith.constant 2.0 : f32
  %k = memref.load %p[%j] : memref<8xindex>
{inner}
  return
}}
"""


def host(inner, before=""):
    """A loop on buffers with an assert, which stays in the host function."""
    return loop(inner + """
    %ok = arith.cmpi sge, %j, %c0 : index
    cf.assert %ok, "never" """)


RIGHT = ["9xf32=1", "8xf32=1", "8xindex=3", "index=0"]
FAR = ["9xf32=1", "13xf32=1", "8xindex=3", "index=0"]
GIVEN = ["9xf32=1", "8xf32=1", "8xindex=3", "index=5"]
LOADED = ["9xf32=1", "8xf32=1", "8xindex=9", "index=0"]


def accesses(index, x="%x", type="memref<?xf32>"):
    """(name, code) of every way to access the buffer `x` of f32 at `index`."""
    use = "\n    %u = arith.addf %r, %v : f32\n    memref.store %u, %y[%j] : memref<?xf32>"
    first = "\n    %r = vector.extract %w[0] : f32 from vector<2xf32>" + use
    vector = "    %w2 = vector.broadcast %v : f32 to vector<2xf32>\n    %m2 = vector.create_mask %c8 : vector<2xi1>\n    %z2 = arith.constant dense<0> : vector<2xindex>\n"
    yield "memref.load", f"    %r = memref.load {x}[{index}] : {type} // HERE" + use
    yield "memref.store", f"    memref.store %v, {x}[{index}] : {type} // HERE"
    yield "memref.atomic_rmw", f"    %r = memref.atomic_rmw addf %v, {x}[{index}] : (f32, {type}) -> f32 // HERE"
    yield "vector.load", f"    %w = vector.load {x}[{index}] : {type}, vector<2xf32> // HERE" + first
    yield "vector.store", vector + f"    vector.store %w2, {x}[{index}] : {type}, vector<2xf32> // HERE"
    yield "vector.maskedload", vector + f"    %w = vector.maskedload {x}[{index}], %m2, %w2 : {type}, vector<2xi1>, vector<2xf32> into vector<2xf32> // HERE" + first
    yield "vector.maskedstore", vector + f"    vector.maskedstore {x}[{index}], %m2, %w2 : {type}, vector<2xi1>, vector<2xf32> // HERE"
    yield "vector.expandload", vector + f"    %w = vector.expandload {x}[{index}], %m2, %w2 : {type}, vector<2xi1>, vector<2xf32> into vector<2xf32> // HERE" + first
    yield "vector.compressstore", vector + f"    vector.compressstore {x}[{index}], %m2, %w2 : {type}, vector<2xi1>, vector<2xf32> // HERE"
    yield "vector.transfer_read", f"    %w = vector.transfer_read {x}[{index}], %v {{in_bounds = [true]}} : {type}, vector<2xf32> // HERE" + first
    yield "vector.transfer_write", vector + f"    vector.transfer_write %w2, {x}[{index}] {{in_bounds = [true]}} : vector<2xf32>, {type} // HERE"
    yield "vector.gather", vector + f"    %w = vector.gather {x}[{index}] [%z2], %m2, %w2 : {type}, vector<2xindex>, vector<2xi1>, vector<2xf32> into vector<2xf32> // HERE" + first
    yield "vector.scatter", vector + f"    vector.scatter {x}[{index}] [%z2], %m2, %w2 : {type}, vector<2xindex>, vector<2xi1>, vector<2xf32> // HERE"
    yield "memref.subview", f"    %t = memref.subview {x}[{index}] [1] [1] : {type} to memref<1xf32, strided<[1], offset: ?>> // HERE\n    memref.store %v, %t[%c0] : memref<1xf32, strided<[1], offset: ?>>"


def programs():
    """(what, program, inputs at fault, right inputs)"""
    for what, index, fault in (("a position of sizes alone", "%i", FAR), ("a given position", "%g", GIVEN), ("a position that was loaded", "%k", LOADED)):
        for name, code in accesses(index):
            yield f"`{name}` at {what}", loop(code), fault, RIGHT
        for name, code in list(accesses(index))[:2] + list(accesses(index))[-1:]:
            yield f"`{name}` at {what}", host(code), fault, RIGHT
    long = ["12xf32=1", "8xf32=1", "8xindex=3", "index=0"]
    for what, index, fault in (("a position of sizes alone", "%i", [long[0], "10xf32=1", *long[2:]]), ("a given position", "%g", [*long[:3], "index=2"]),
                               ("a position that was loaded", "%k", [*long[:2], "8xindex=5", long[3]])):
        for name, code in accesses(index, *VIEW):
            if index == "%g" or name in ("memref.load", "memref.store", "memref.subview"):
                yield f"`{name}` outside of a `memref.subview`, but in its buffer, at {what}", through_view(code), fault, long
    x, p = "8xf32=1", "8xindex=3"
    for name, code in list(accesses("%g"))[:3]:
        yield f"`{name}` outside of loops, at a given position", once(code), [x, x, p, "index=8"], [x, x, p, "index=7"]
    for name, code in list(accesses("%k"))[:3]:
        yield f"`{name}` outside of loops, at a position that was loaded", once(code), [x, x, "8xindex=8", "index=0"], [x, x, p, "index=0"]
    yield "`tensor.extract` at a given position", body("    %k = arith.addi %i, %n : index\n    %r = tensor.extract %x[%n] : tensor<8xf32> // HERE", ", %n: index"), [x, p, "index=8"], [x, p, "index=0"]
    yield "`tensor.extract` at a position that was loaded", body("    %r = tensor.extract %x[%i] : tensor<8xf32> // HERE"), [x, "8xindex=8"], [x, p]
    yield "`tensor.extract` at a given position", """func.func @NAME(%x: tensor<8xf32>, %o: index) -> f32 {
  %r = tensor.extract %x[%o] : tensor<8xf32> // HERE
  return %r : f32
}
""", [x, "index=8"], [x, "index=7"]
    yield "`tensor.extract` at a position that was loaded", """func.func @NAME(%x: tensor<8xf32>, %p: tensor<8xindex>) -> f32 {
  %c0 = arith.constant 0 : index
  %o = tensor.extract %p[%c0] : tensor<8xindex>
  %r = tensor.extract %x[%o] : tensor<8xf32> // HERE
  return %r : f32
}
""", [x, "8xindex=8"], [x, p]
    yield "`tensor.insert` at a given position", """func.func @NAME(%x: tensor<8xf32>, %o: index) -> tensor<8xf32> {
  %v = arith.constant 2.0 : f32
  %r = tensor.insert %v into %x[%o] : tensor<8xf32> // HERE
  return %r : tensor<8xf32>
}
""", [x, "index=8"], [x, "index=7"]
    yield "`tensor.insert` at a position that was loaded", """func.func @NAME(%x: tensor<8xf32>, %p: tensor<8xindex>) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %v = arith.constant 2.0 : f32
  %o = tensor.extract %p[%c0] : tensor<8xindex>
  %r = tensor.insert %v into %x[%o] : tensor<8xf32> // HERE
  return %r : tensor<8xf32>
}
""", [x, "8xindex=8"], [x, p]
    yield "`tensor.extract_slice`", """func.func @NAME(%x: tensor<8xf32>, %o: index) -> tensor<4xf32> {
  %r = tensor.extract_slice %x[%o] [4] [1] : tensor<8xf32> to tensor<4xf32> // HERE
  return %r : tensor<4xf32>
}
""", [x, "index=5"], [x, "index=4"]
    yield "`tensor.insert_slice`", """func.func @NAME(%x: tensor<8xf32>, %s: tensor<4xf32>, %o: index) -> tensor<8xf32> {
  %r = tensor.insert_slice %s into %x[%o] [4] [1] : tensor<4xf32> into tensor<8xf32> // HERE
  return %r : tensor<8xf32>
}
""", [x, "4xf32=2", "index=5"], [x, "4xf32=2", "index=4"]
    yield "`tensor.parallel_insert_slice`", """func.func @NAME(%x: tensor<8xf32>, %s: tensor<2xf32>, %o: index) -> tensor<8xf32> {
  %z = scf.forall (%i) in (2) shared_outs(%a = %x) -> (tensor<8xf32>) {
    %p = affine.apply affine_map<(d0)[s0] -> (d0 * 2 + s0)>(%i)[%o]
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %a[%p] [2] [1] : tensor<2xf32> into tensor<8xf32> // HERE
    }
  }
  return %z : tensor<8xf32>
}
""", [x, "2xf32=1", "index=5"], [x, "2xf32=1", "index=4"]
    yield "`linalg.pack`", """func.func @NAME(%x: tensor<?xf32>, %d: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %r = linalg.pack %x inner_dims_pos = [0] inner_tiles = [4] into %d : tensor<?xf32> -> tensor<?x4xf32> // HERE
  return %r : tensor<?x4xf32>
}
""", ["9xf32=1", "2x4xf32=0"], ["8xf32=1", "2x4xf32=0"]
    yield "`linalg.unpack`", """func.func @NAME(%x: tensor<?x4xf32>, %d: tensor<?xf32>) -> tensor<?xf32> {
  %r = linalg.unpack %x inner_dims_pos = [0] inner_tiles = [4] into %d : tensor<?x4xf32> -> tensor<?xf32> // HERE
  return %r : tensor<?xf32>
}
""", ["2x4xf32=1", "9xf32=0"], ["2x4xf32=1", "7xf32=0"]
    yield "`tosa.gather`", """func.func @NAME(%x: tensor<1x4x3xf32>, %i: tensor<1x2xi32>) -> tensor<1x2x3xf32> {
  %0 = tosa.gather %x, %i : (tensor<1x4x3xf32>, tensor<1x2xi32>) -> tensor<1x2x3xf32> // HERE
  return %0 : tensor<1x2x3xf32>
}
""", ["1x4x3xf32=1", "1x2xi32=4"], ["1x4x3xf32=1", "1x2xi32=3"]
    yield "`tosa.scatter`", """func.func @NAME(%x: tensor<1x4x3xf32>, %i: tensor<1x2xi32>, %u: tensor<1x2x3xf32>) -> tensor<1x4x3xf32> {
  %0 = tosa.scatter %x, %i, %u : (tensor<1x4x3xf32>, tensor<1x2xi32>, tensor<1x2x3xf32>) -> tensor<1x4x3xf32> // HERE
  return %0 : tensor<1x4x3xf32>
}
""", ["1x4x3xf32=1", "1x2xi32=4,1", "1x2x3xf32=7"], ["1x4x3xf32=1", "1x2xi32=3,1", "1x2x3xf32=7"]
    sizes = ["6xf32=1", "4xf32=2"], ["4xf32=1", "4xf32=2"]
    yield "`memref.copy` of other sizes", """func.func @NAME(%x: memref<?xf32>, %y: memref<?xf32>) {
  memref.copy %x, %y : memref<?xf32> to memref<?xf32> // HERE
  return
}
""", *sizes
    yield "`linalg` on buffers of other sizes", """func.func @NAME(%x: memref<?xf32>, %y: memref<?xf32>) {
  linalg.exp ins(%x : memref<?xf32>) outs(%y : memref<?xf32>) // HERE
  return
}
""", *sizes
    # A vector that is loaded before the op and stored after it keeps the op on buffers, in a kernel.
    for what, op in (("`memref.copy` of other sizes", "memref.copy %x, %y : memref<?xf32> to memref<?xf32>"),
                     ("`linalg` on buffers of other sizes", "linalg.exp ins(%x : memref<?xf32>) outs(%y : memref<?xf32>)")):
        yield what, f"""func.func @NAME(%x: memref<?xf32>, %y: memref<?xf32>, %z: memref<2xf32>) {{
  %c0 = arith.constant 0 : index
  %v = vector.load %z[%c0] : memref<2xf32>, vector<2xf32>
  {op} // HERE
  vector.store %v, %z[%c0] : memref<2xf32>, vector<2xf32>
  return
}}
""", [*sizes[0], "2xf32=0"], [*sizes[1], "2xf32=0"]
    yield "`memref.reshape`, `expand_shape`, `cast`", """func.func @NAME(%x: memref<?xf32>, %z: memref<2xf32>) {
  %c0 = arith.constant 0 : index
  %v = vector.load %z[%c0] : memref<2xf32>, vector<2xf32>
  %c = memref.cast %x : memref<?xf32> to memref<4xf32> // HERE
  linalg.exp ins(%c : memref<4xf32>) outs(%c : memref<4xf32>)
  vector.store %v, %z[%c0] : memref<2xf32>, vector<2xf32>
  return
}
""", ["6xf32=1", "2xf32=0"], ["4xf32=1", "2xf32=0"]
    yield "window of `linalg` outside of a buffer", """func.func @NAME(%x: memref<3x?xi8>, %k: memref<2xi8>, %y: memref<3x4xi8>, %z: memref<2xi8>) {
  %c0 = arith.constant 0 : index
  %v = vector.load %z[%c0] : memref<2xi8>, vector<2xi8>
  linalg.generic {indexing_maps = [affine_map<(a, b, c) -> (a, b + c)>, affine_map<(a, b, c) -> (c)>, affine_map<(a, b, c) -> (a, b)>], // HERE
                  iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %k : memref<3x?xi8>, memref<2xi8>) outs(%y : memref<3x4xi8>) {
  ^bb0(%e: i8, %f: i8, %o: i8):
    %0 = arith.addi %e, %o : i8
    linalg.yield %0 : i8
  }
  vector.store %v, %z[%c0] : memref<2xi8>, vector<2xi8>
  return
}
""", ["3x0xi8", "2xi8=1", "3x4xi8=1", "2xi8=0"], ["3x5xi8=1", "2xi8=1", "3x4xi8=1", "2xi8=0"]
    yield "`memref.reshape`, `expand_shape`, `cast`", """func.func @NAME(%x: memref<?xf32>, %y: memref<?xf32>) {
  %c = memref.cast %x : memref<?xf32> to memref<4xf32> // HERE
  linalg.exp ins(%c : memref<4xf32>) outs(%c : memref<4xf32>)
  return
}
""", *sizes
    for what, use in (("use of a buffer after `memref.dealloc`", "%r = memref.load %m[%c0] : memref<4xf32> // HERE\n    memref.store %r, %y[%c0] : memref<?xf32>"),
                      ("`memref.dealloc` of a buffer, twice", "memref.dealloc %m : memref<4xf32> // HERE\n    memref.store %v, %y[%c0] : memref<?xf32>")):
        yield what, f"""func.func @NAME(%y: memref<?xf32>, %c: i1) {{
  %c0 = arith.constant 0 : index
  %v = arith.constant 2.0 : f32
  scf.if %c {{
    %m = memref.alloc() : memref<4xf32>
    memref.store %v, %m[%c0] : memref<4xf32>
    memref.dealloc %m : memref<4xf32>
    {use}
  }}
  return
}}
""", ["8xf32=1", "i1=1"], ["8xf32=1", "i1=0"]
    yield "`tensor.dim` of a dimension that is not there", """func.func @NAME(%x: tensor<?x?xf32>, %o: index) -> index {
  %0 = tensor.dim %x, %o : tensor<?x?xf32> // HERE
  return %0 : index
}
""", ["8x3xf32=1", "index=2"], ["8x3xf32=1", "index=1"]
    for name in ("divsi", "divui", "remsi", "remui", "ceildivsi", "ceildivui", "floordivsi"):
        for type in ("i32", "index"):
            yield f"`arith.{name}` by 0, {type}", body(f"    %j = arith.index_cast %i : index to i32\n    %d = arith.constant 7 : {type}\n    %r = arith.{name} %d, {'%i' if type == 'index' else '%j'} : {type} // HERE", result=type), [x, "8xindex=0"], [x, p]
            yield f"`arith.{name}` by 0, {type}", f"func.func @NAME(%a: {type}, %b: {type}) -> {type} {{\n  %0 = arith.{name} %a, %b : {type} // HERE\n  return %0 : {type}\n}}\n", [f"{type}=7", f"{type}=0"], [f"{type}=7", f"{type}=2"]
    for name in ("divsi", "remsi", "ceildivsi", "floordivsi"):
        yield f"`arith.{name}` of the smallest i32 by -1", body(f"    %j = arith.index_cast %i : index to i32\n    %d = arith.constant -2147483648 : i32\n    %r = arith.{name} %d, %j : i32 // HERE", result="i32"), [x, "8xindex=-1"], [x, p]
        yield f"`arith.{name}` of the smallest i32 by -1", f"func.func @NAME(%a: i32, %b: i32) -> i32 {{\n  %0 = arith.{name} %a, %b : i32 // HERE\n  return %0 : i32\n}}\n", ["i32=-2147483648", "i32=-1"], ["i32=-2147483647", "i32=-1"]
    for name in ("divs", "ceildivs", "floordivs", "rems", "divu", "ceildivu", "remu"):
        yield f"`index.{name}` by 0", f"func.func @NAME(%a: index, %b: index) -> index {{\n  %0 = index.{name} %a, %b // HERE\n  return %0 : index\n}}\n", ["index=7", "index=0"], ["index=7", "index=2"]
    for name in ("mod", "floordiv", "ceildiv"):
        for op, map in (("apply", f"(7 {name} s0)"), ("min", f"(7 {name} s0, 5)")):
            yield f"`affine.{op}` with `{name} 0`", f"func.func @NAME(%b: index) -> index {{\n  %0 = affine.{op} affine_map<()[s0] -> {map}>()[%b] // HERE\n  return %0 : index\n}}\n", ["index=0"], ["index=2"]
        yield f"`affine.for` to `{name} 0`", f"func.func @NAME(%b: index, %x: memref<8xf32>) {{\n  %c = arith.constant 3.0 : f32\n  affine.for %i = 0 to affine_map<()[s0] -> (7 {name} s0)>()[%b] {{ // HERE\n    affine.store %c, %x[%i] : memref<8xf32>\n  }}\n  return\n}}\n", ["index=0", x], ["index=2", x]
        yield f"`affine.parallel` to `{name} 0`", f"func.func @NAME(%b: index, %x: memref<8xf32>) {{\n  %c = arith.constant 3.0 : f32\n  affine.parallel (%i) = (0) to (7 {name} symbol(%b)) {{ // HERE\n    affine.store %c, %x[%i] : memref<8xf32>\n  }}\n  return\n}}\n", ["index=0", x], ["index=2", x]
    for name in ("shli", "shrsi", "shrui"):
        yield f"`arith.{name}` by the width", body(f"    %j = arith.index_cast %i : index to i32\n    %d = arith.constant 7 : i32\n    %r = arith.{name} %d, %j : i32 // HERE", result="i32"), [x, "8xindex=32"], [x, p]
        yield f"`arith.{name}` by the width", f"func.func @NAME(%a: i32, %b: i32) -> i32 {{\n  %0 = arith.{name} %a, %b : i32 // HERE\n  return %0 : i32\n}}\n", ["i32=7", "i32=32"], ["i32=7", "i32=2"]
    turns = "func.func @NAME(%n: index, %x: memref<8xf32>) {{\n  %c0 = arith.constant 0 : index\n  %c8 = arith.constant 8 : index\n  %c = arith.constant 3.0 : f32\n{0}  return\n}}\n"
    store = "    memref.store %c, %x[%i] : memref<8xf32>\n"
    assertion = "    %ok = arith.cmpi sge, %i, %c0 : index\n    cf.assert %ok, \"never\"\n"
    for step in (-1,):
        bad = [f"index={step}", x], ["index=3", x]
        yield f"`scf.for` with the step {step}", turns.format("  scf.for %i = %c0 to %c8 step %n { // HERE\n" + store + "  }\n"), *bad
        yield f"`scf.for` with the step {step}", turns.format("  scf.for %i = %c0 to %c8 step %n { // HERE\n" + assertion + store + "  }\n"), *bad
        yield f"`scf.parallel` with the step {step}", turns.format("  scf.parallel (%i) = (%c0) to (%c8) step (%n) { // HERE\n" + store + "  }\n"), *bad
    yield "`scf.forall` with the step -1", """func.func @NAME(%n: index, %x: tensor<8xf32>, %s: tensor<1xf32>) -> tensor<8xf32> {
  %z = scf.forall (%i) = (0) to (8) step (%n) shared_outs(%a = %x) -> tensor<8xf32> { // HERE
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %a[%i] [1] [1] : tensor<1xf32> into tensor<8xf32>
    }
  }
  return %z : tensor<8xf32>
}
""", ["index=-1", x, "1xf32=2"], ["index=3", x, "1xf32=2"]
    yield "`cf.assert`", body("    %c8 = arith.constant 8 : index\n    %c = arith.cmpi slt, %i, %c8 : index\n    cf.assert %c, \"too large\" // HERE\n    %r = arith.index_cast %i : index to i32", result="i32"), [x, "8xindex=8"], [x, p]
    yield "`cf.assert`", "func.func @NAME(%a: index) -> index {\n  %c8 = arith.constant 8 : index\n  %c = arith.cmpi slt, %a, %c8 : index\n  cf.assert %c, \"too large\" // HERE\n  return %a : index\n}\n", ["index=8"], ["index=7"]


def with_constants(program, inputs):
    """The program without the arguments that are numbers or tensors of integers, and the inputs that are left; None without such arguments."""
    head, rest = program.split("\n", 1)
    start, end = head.index("(") + 1, head.index(")")
    kept, left, constants = [], [], []
    for argument, given in zip(re.findall(r"%\w+: (?:[^,<]|<[^>]*>)+", head[start:end]), inputs, strict=True):
        name, type = argument.split(": ", 1)
        value = given.partition("=")[2]  # "": a tensor without elements
        if re.fullmatch(r"i\d+|index", type):
            constants.append(f"{name} = arith.constant {value} : {type}" if type != "i1" else f"{name} = arith.constant {['false', 'true'][int(value)]}")
        elif re.fullmatch(r"tensor<[\dx]+x(i\d+|index)>", type):
            shape = [int(size) for size in re.findall(r"\d+(?=x)", type)]
            values = value.split(",")
            values = values * (math.prod(shape) // len(values))
            for size in reversed(shape) if values else ():
                values = ["[" + ", ".join(values[i:i + size]) + "]" for i in range(0, len(values), size)]
            constants.append(f"{name} = arith.constant dense<{''.join(values)}> : {type}")
        else:
            kept.append(argument)
            left.append(given)
    if not constants:
        return None
    return head[:start] + ", ".join(kept) + head[end:] + " " + " ".join(constants) + "\n" + rest, left


def constants_main(options):
    """Each program with its inputs at fault, and with the right ones, as constants."""
    jobs, failures = [], []
    rows = {}
    for line in options.docs.read_text().splitlines():
        cells = re.split(r" *\| *", line)[1:-1]
        if len(cells) == 2 + len(LEVELS) and set(cells[2:]) <= {"found", "-"}:
            rows.setdefault(cells[0], []).append(dict(zip(LEVELS, cells[2:])))
    for number, (what, program, fault, right) in enumerate(programs()):
        if (options.only and not re.search(options.only, what)) or number % options.every or not with_constants(program, fault):
            continue
        for level in ("user", "all"):
            # A remainder of a constant -1 is 0 for every number, and folds to it.
            folds = "remsi` of the smallest" in what
            jobs.append((number, what, program, fault, level, not folds and all(row[level] == "found" for row in rows[what])))
            jobs.append((number, what, program, right, level, None))

    def run(job):
        number, what, program, inputs, level, expected = job
        text, left = with_constants(program.replace("NAME", "main"), inputs)
        file = options.work / f"p{number}-{level}-{'right' if expected is None else 'fault'}.mlir"
        file.write_text(text)
        line = 1 + next(offset for offset, each in enumerate(text.splitlines()) if "HERE" in each)
        done = subprocess.run(["mica-run", file, *(f"--input={each}" for each in left), f"--mica-debug=assert-level={level}"],
                              capture_output=True, text=True, timeout=120, env=os.environ | {"MICA_CACHE_DIR": str(options.work / "cache")})
        found = done.returncode in (1, 3) and f"{file.name}:{line}:" in done.stderr
        if options.show:
            print(level, what, done.returncode, done.stderr[:300].strip())
        if expected is None and (done.returncode or "error:" in done.stderr):
            failures.append(f"{level}: {what}: {file.name}: the right constants end with {done.returncode}: {done.stderr[:400]}")
        if expected and not found:
            failures.append(f"{level}: {what}: {file.name}: ends with {done.returncode}: {(done.stderr + done.stdout)[:400]}")
        if done.returncode not in (0, 1, 3):
            failures.append(f"{level}: {what}: {file.name}: ends with {done.returncode}")

    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        list(pool.map(run, jobs))
    for failure in failures:
        print(failure)
    print(f"{len(jobs)} programs with constants, {len(failures)} failures")
    return 1 if failures else 0


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("work", type=pathlib.Path)
    parser.add_argument("--docs", type=pathlib.Path)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--every", type=int, default=1, help="each Nth program alone, whose rows the table must have")
    parser.add_argument("--only", default="")
    parser.add_argument("--show", action="store_true", help="prints what each run at fault says")
    parser.add_argument("--constants", action="store_true")
    options = parser.parse_args()
    options.work.mkdir(parents=True, exist_ok=True)
    if options.constants:
        options.docs = options.docs or pathlib.Path(__file__).resolve().parents[3] / "docs" / "Checks.md"
        return constants_main(options)
    cases, text = [], ""
    for number, (what, program, fault, right) in enumerate(programs()):
        if (options.only and not re.search(options.only, what)) or number % options.every:
            continue
        start = text.count("\n") + 1
        text += program.replace("NAME", f"p{number}")
        lines = text.splitlines()[start - 1:]
        at = start + next(offset for offset, line in enumerate(lines) if "HERE" in line)
        cases.append((f"p{number}", what, {at, start + 2}, fault, right))
    source = options.work / "table.mlir"
    source.write_text(text)

    def run(level, entry, inputs):
        done = subprocess.run(["mica-run", options.work / level, f"--entry={entry}", *(f"--input={each}" for each in inputs)],
                              capture_output=True, text=True, timeout=60)
        return done.returncode, done.stderr

    found, failures = {}, []
    for level in LEVELS:
        done = subprocess.run(["mica-compile", source, "-o", options.work / level, "--force", "--dump-passes=off", f"--mica-debug=assert-level={level}"],
                              capture_output=True, text=True)
        if done.returncode:
            print(done.stderr)
            return 1
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            outcomes = pool.map(lambda case: (run(level, case[0], case[3]), run(level, case[0], case[4])), cases)
            for (entry, what, lines, *_), ((code, said), (right, also)) in zip(cases, outcomes):
                if right or "error:" in also:
                    failures.append(f"{level}: {what}: the right inputs end with {right}: {also[:300]}")
                named = any(f"table.mlir:{line}:" in said for line in lines)
                if code in (1, 3) and not named:
                    failures.append(f"{level}: {what}: names another line than {sorted(lines)}: {said[:300]}")
                if options.show:
                    print(level, what, code, said[:200].strip())
                elif code not in (0, 1, 3) and level in ("all", "safe") and "shape" not in said:
                    if level == "all":
                        failures.append(f"{level}: {what}: ends with {code}: {said[:300]}")
                if code in (1, 3) and named:
                    found.setdefault((entry, what), {})[level] = "host function" if "host function" in said or (code == 1 and "in kernel" not in said) else "kernel"
    rows = {}
    for entry, what, *_ in cases:
        levels = found.get((entry, what), {})
        where = levels.get("all", "kernel")
        if "all" not in levels:
            failures.append(f"{what} ({entry}): not found with all")
        cells = tuple("found" if level in levels else "-" for level in LEVELS)
        key = (what, cells)
        rows.setdefault(key, []).append(where)
    table = "| fault | where | " + " | ".join(LEVELS) + " |\n|---|---|" + "---|" * len(LEVELS) + "\n"
    for (what, cells), where in rows.items():
        table += f"| {what} | {', '.join(sorted(set(where)))} | {' | '.join(cells)} |\n"
    if options.docs:
        page = options.docs.read_text()
        begin, end = "<!-- levels:begin -->\n", "<!-- levels:end -->"
        now = page[page.index(begin) + len(begin):page.index(end)]
        if options.write:
            options.docs.write_text(page.replace(begin + now + end, begin + table + end))
        elif options.every > 1:
            there = [re.split(r" *\| *", line)[1:-1] for line in now.splitlines()]
            for (what, cells), where in rows.items():
                if not any(row[0] == what and tuple(row[2:]) == cells and set(where) <= set(row[1].split(", ")) for row in there):
                    failures.append(f"the table has no row for {what}, {where}, {cells}")
        elif now != table:
            failures.append("docs/Checks.md has another table; levels.py --write writes this one:\n" + table)
    else:
        print(table)
    for failure in failures:
        print(failure)
    print(f"{len(cases)} faults at {len(LEVELS)} levels, {len(failures)} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
