#!/usr/bin/env python3
"""Runs ops of all dialects that access memory at a position, each at positions outside and inside, at the default check level.

usage: positions.py WORK [--every=N] [--only=REGEX] [--ways=NAME,...] [--show]

Each program takes a position. At one that is outside (past the end, far away, negative) the run must end with exit code 3 (of slices, whose
sizes are checked before, 1) and a message that names the line marked HERE. At one that is inside, it must end with exit code 0 and print what
the other ways print. What no check takes (`defined`) prints the same in all ways at every position. No run may end by a signal.
"""
import argparse
import concurrent.futures
import pathlib
import re
import subprocess
import sys

WAYS = {"O2": [], "O0": ["-O0"], "sim": ["--target=sim"]}
X, Y, V = "8xf32=1,2,3,4,5,6,7,8", "8xf32=0", "2.0 : f32"
OUTSIDE, INSIDE = (8, 10**11, -1), 5
M = "affine_map<(d0) -> (d0)>"
DONE = "  return\n}\n"
CONSTANTS = """  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %v = arith.constant 2.0 : f32
"""


def on_buffers(code, kind="for", extra=""):
    """A loop over buffers: %k is a position that was loaded, %g one that is given."""
    head = f"func.func @NAME(%x: memref<8xf32>, %y: memref<8xf32>, %p: memref<8xindex>{extra}) {{\n" + CONSTANTS
    load = "    %k = memref.load %p[%j] : memref<8xindex>\n"
    if kind == "for":
        return head + "  scf.for %j = %c0 to %c8 step %c1 {\n" + load + code + "  }\n" + DONE
    if kind == "parallel":
        return head + "  scf.parallel (%j) = (%c0) to (%c8) step (%c1) {\n" + load + code + "  }\n" + DONE
    if kind == "affine":
        return head + "  affine.for %j = 0 to 8 {\n" + load + code + "  }\n" + DONE
    if kind == "once":
        return head + "  %j = arith.constant 3 : index\n" + load + code + DONE
    return head + "  scf.for %j = %c0 to %c8 step %c1 {\n" + load + code + '    %never = arith.cmpi sge, %j, %c0 : index\n    cf.assert %never, "never"\n  }\n' + DONE


def accesses():
    """(op, code) of accesses to %x at %k."""
    use = "    memref.store %r, %y[%j] : memref<8xf32>\n"
    first = "    %r = vector.extract %w[0] : f32 from vector<2xf32>\n" + use
    w = "    %w2 = vector.broadcast %v : f32 to vector<2xf32>\n    %c2 = arith.constant 2 : index\n    %m2 = vector.create_mask %c2 : vector<2xi1>\n"
    z = "    %i2 = vector.broadcast %k : index to vector<2xindex>\n"
    yield "memref.load", "    %r = memref.load %x[%k] : memref<8xf32> // HERE\n" + use
    yield "memref.store", "    memref.store %v, %x[%k] : memref<8xf32> // HERE\n"
    yield "memref.atomic_rmw", "    %r = memref.atomic_rmw addf %v, %x[%k] : (f32, memref<8xf32>) -> f32 // HERE\n"
    yield "memref.generic_atomic_rmw", "    %r = memref.generic_atomic_rmw %x[%k] : memref<8xf32> { // HERE\n    ^bb0(%o: f32):\n      %t = arith.mulf %o, %v : f32\n      memref.atomic_yield %t : f32\n    }\n"
    yield "memref.subview", "    %t = memref.subview %x[%k] [1] [1] : memref<8xf32> to memref<1xf32, strided<[1], offset: ?>> // HERE\n    memref.store %v, %t[%c0] : memref<1xf32, strided<[1], offset: ?>>\n"
    yield "memref.copy", "    %t = memref.subview %x[%k] [1] [1] : memref<8xf32> to memref<1xf32, strided<[1], offset: ?>> // HERE\n    %u = memref.subview %y[%j] [1] [1] : memref<8xf32> to memref<1xf32, strided<[1], offset: ?>>\n    memref.copy %t, %u : memref<1xf32, strided<[1], offset: ?>> to memref<1xf32, strided<[1], offset: ?>> // HERE\n"
    yield "linalg.fill", "    %t = memref.subview %x[%k] [1] [1] : memref<8xf32> to memref<1xf32, strided<[1], offset: ?>> // HERE\n    linalg.fill ins(%v : f32) outs(%t : memref<1xf32, strided<[1], offset: ?>>) // HERE\n"
    yield "memref.expand_shape", "    %e = memref.expand_shape %x [[0, 1]] output_shape [4, 2] : memref<8xf32> into memref<4x2xf32>\n    %r = memref.load %e[%k, %c1] : memref<4x2xf32> // HERE\n" + use
    yield "vector.load", "    %w = vector.load %x[%k] : memref<8xf32>, vector<2xf32> // HERE\n" + first
    yield "vector.store", w + "    vector.store %w2, %x[%k] : memref<8xf32>, vector<2xf32> // HERE\n"
    yield "vector.maskedload", w + "    %w = vector.maskedload %x[%k], %m2, %w2 : memref<8xf32>, vector<2xi1>, vector<2xf32> into vector<2xf32> // HERE\n" + first
    yield "vector.maskedstore", w + "    vector.maskedstore %x[%k], %m2, %w2 : memref<8xf32>, vector<2xi1>, vector<2xf32> // HERE\n"
    yield "vector.expandload", w + "    %w = vector.expandload %x[%k], %m2, %w2 : memref<8xf32>, vector<2xi1>, vector<2xf32> into vector<2xf32> // HERE\n" + first
    yield "vector.compressstore", w + "    vector.compressstore %x[%k], %m2, %w2 : memref<8xf32>, vector<2xi1>, vector<2xf32> // HERE\n"
    yield "vector.transfer_read", "    %w = vector.transfer_read %x[%k], %v {in_bounds = [true]} : memref<8xf32>, vector<2xf32> // HERE\n" + first
    yield "vector.transfer_write", w + "    vector.transfer_write %w2, %x[%k] {in_bounds = [true]} : vector<2xf32>, memref<8xf32> // HERE\n"
    yield "vector.gather", w + z + "    %w = vector.gather %x[%c0] [%i2], %m2, %w2 : memref<8xf32>, vector<2xindex>, vector<2xi1>, vector<2xf32> into vector<2xf32> // HERE\n" + first
    yield "vector.scatter", w + z + "    vector.scatter %x[%c0] [%i2], %m2, %w2 : memref<8xf32>, vector<2xindex>, vector<2xi1>, vector<2xf32> // HERE\n"
    four = "    %f = arith.constant dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]> : vector<8xf32>\n"
    yield "vector.extract", four + "    %r = vector.extract %f[%k] : f32 from vector<8xf32> // HERE\n" + use
    yield "vector.insert", four + "    %w = vector.insert %v, %f[%k] : f32 into vector<8xf32> // HERE\n    vector.store %w, %y[%c0] : memref<8xf32>, vector<8xf32>\n"


def on_tensors(arguments, result, code):
    return f"func.func @NAME({arguments}) -> {result} {{\n{CONSTANTS}{code}  return %z : {result}\n}}\n"


def generic(code):
    """The body of a linalg.generic over 8 loaded positions %k."""
    return on_tensors("%x: tensor<8xf32>, %p: tensor<8xindex>", "tensor<8xf32>", f"""  %e = tensor.empty() : tensor<8xf32>
  %z = linalg.generic {{indexing_maps = [{M}, {M}], iterator_types = ["parallel"]}} ins(%p : tensor<8xindex>) outs(%e : tensor<8xf32>) {{
  ^bb0(%k: index, %o: f32):
{code}    linalg.yield %r : f32
  }} -> tensor<8xf32>
""")


def programs():
    """(name, program, inputs with POS for the position, and what differs)"""
    for op, code in accesses():
        for kind in ("for", "once", "host"):
            more = {"inside": 3, "outside": (4, 10**11, -1), "shown": False} if op == "memref.expand_shape" else {}
            yield f"{op} ({kind})", on_buffers(code, kind), [X, Y, "8xindex=POS"], more
    simple = dict(accesses())
    for op in ("memref.load", "memref.store"):
        yield f"{op} (parallel)", on_buffers(simple[op], "parallel"), [X, Y, "8xindex=POS"]
    add = "    %q = arith.addi %g, %c0 : index\n"
    for op in ("memref.load", "memref.store", "vector.load", "vector.gather", "memref.subview"):
        code = add + simple[op].replace("%k", "%q")
        yield f"{op} (given)", on_buffers(code, extra=", %g: index"), [X, Y, "8xindex=0", "index=POS"]
    yield "memref.load (to a given bound)", f"func.func @NAME(%x: memref<8xf32>, %y: memref<1xf32>, %g: index) {{\n{CONSTANTS}" + """  %e = arith.addi %g, %c1 : index
  %s = scf.for %j = %g to %e step %c1 iter_args(%a = %v) -> f32 {
    %r = memref.load %x[%j] : memref<8xf32> // HERE
    %t = arith.addf %a, %r : f32
    scf.yield %t : f32
  }
  memref.store %s, %y[%c0] : memref<1xf32>
""" + DONE, [X, "1xf32=0", "index=POS"]
    yield "memref.load (i8 position)", f"func.func @NAME(%x: memref<8xf32>, %y: memref<8xf32>, %p: memref<8xi8>) {{\n{CONSTANTS}" + """  scf.for %j = %c0 to %c8 step %c1 {
    %i = memref.load %p[%j] : memref<8xi8>
    %k = arith.index_cast %i : i8 to index
    %r = memref.load %x[%k] : memref<8xf32> // HERE
    memref.store %r, %y[%j] : memref<8xf32>
  }
""" + DONE, [X, Y, "8xi8=POS"], {"outside": (8, 100, -1)}
    yield "memref.load (f32 position)", f"func.func @NAME(%x: memref<8xf32>, %y: memref<8xf32>, %p: memref<8xf32>) {{\n{CONSTANTS}" + """  scf.for %j = %c0 to %c8 step %c1 {
    %f = memref.load %p[%j] : memref<8xf32>
    %i = arith.fptosi %f : f32 to i64
    %k = arith.index_cast %i : i64 to index
    %r = memref.load %x[%k] : memref<8xf32> // HERE
    memref.store %r, %y[%j] : memref<8xf32>
  }
""" + DONE, [X, Y, "8xf32=POS"], {"outside": (8, 2**40, -1)}
    yield "memref.load (of 2 dimensions)", f"func.func @NAME(%x: memref<?x4xf32>, %y: memref<8xf32>, %p: memref<8xindex>) {{\n{CONSTANTS}" + """  scf.for %j = %c0 to %c8 step %c1 {
    %k = memref.load %p[%j] : memref<8xindex>
    %r = memref.load %x[%c1, %k] : memref<?x4xf32> // HERE
    memref.store %r, %y[%j] : memref<8xf32>
  }
""" + DONE, ["2x4xf32=1,2,3,4,5,6,7,8", Y, "8xindex=POS"], {"inside": 2, "outside": (4, 10**11, -1)}
    affine = f"func.func @NAME(%x: memref<8xf32>, %y: memref<8xf32>, %p: memref<8xindex>) {{\n{CONSTANTS}  %k = memref.load %p[%c1] : memref<8xindex>\n"
    yield "affine.load", affine + """  affine.for %j = 0 to 8 {
    %r = affine.load %x[symbol(%k)] : memref<8xf32> // HERE
    affine.store %r, %y[%j] : memref<8xf32>
  }
""" + DONE, [X, Y, "8xindex=POS"]
    yield "affine.store", affine + """  affine.for %j = 0 to 1 {
    affine.store %v, %x[%j + symbol(%k)] : memref<8xf32> // HERE
  }
""" + DONE, [X, Y, "8xindex=POS"]
    yield "affine.vector_load", affine + """  affine.for %j = 0 to 4 {
    %r = affine.vector_load %x[symbol(%k)] : memref<8xf32>, vector<2xf32> // HERE
    affine.vector_store %r, %y[%j * 2] : memref<8xf32>, vector<2xf32>
  }
""" + DONE, [X, Y, "8xindex=POS"]
    yield "affine.vector_store", affine + """  %w = vector.broadcast %v : f32 to vector<2xf32>
  affine.for %j = 0 to 1 {
    affine.vector_store %w, %x[%j + symbol(%k)] : memref<8xf32>, vector<2xf32> // HERE
  }
""" + DONE, [X, Y, "8xindex=POS"]
    yield "affine.for (to a given bound)", f"func.func @NAME(%x: memref<8xf32>, %g: index) {{\n{CONSTANTS}" + """  affine.for %j = affine_map<(d0) -> (d0)>(%g) to affine_map<(d0) -> (d0 + 1)>(%g) {
    affine.store %v, %x[%j] : memref<8xf32> // HERE
  }
""" + DONE, [X, "index=POS"]
    yield "memref.global", "memref.global \"private\" constant @NAME_table : memref<8xf32> = dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]>\n" + on_buffers("    %t = memref.get_global @NAME_table : memref<8xf32>\n    %r = memref.load %t[%k] : memref<8xf32> // HERE\n    memref.store %r, %y[%j] : memref<8xf32>\n"), [X, Y, "8xindex=POS"]
    yield "memref.alloca", on_buffers("    %t = memref.alloca() : memref<8xf32>\n    scf.for %i = %c0 to %c8 step %c1 {\n      memref.store %v, %t[%i] : memref<8xf32>\n    }\n    %r = memref.load %t[%k] : memref<8xf32> // HERE\n    memref.store %r, %y[%j] : memref<8xf32>\n"), [X, Y, "8xindex=POS"]
    tp = "%x: tensor<8xf32>, %p: tensor<8xindex>"
    xp = [X, "8xindex=POS"]
    yield "tensor.extract (linalg)", generic("    %r = tensor.extract %x[%k] : tensor<8xf32> // HERE\n"), xp
    yield "tensor.extract (linalg, computed)", generic("    %i = linalg.index 0 : index\n    %q = arith.muli %k, %i : index\n    %r = tensor.extract %x[%q] : tensor<8xf32> // HERE\n"), xp, {"inside": 1, "outside": (2, 10**11, -1)}
    parts = "    %h = complex.create %l, %v : complex<f32>\n    %r = complex.re %h : complex<f32>\n"
    for op, body, arguments, more in (
        ("tensor.extract", "    %l = tensor.extract %x[%k] : tensor<8xf32> // HERE\n", tp, xp),
        ("tensor.extract, of two dimensions", "    %l = tensor.extract %x[%c1, %k] : tensor<?x8xf32> // HERE\n", "%x: tensor<?x8xf32>, %p: tensor<8xindex>", ["2x8xf32=3", "8xindex=POS"]),
        ("memref.load", "    %l = memref.load %x[%k] : memref<8xf32> // HERE\n", "%x: memref<8xf32>, %p: tensor<8xindex>", xp),
    ):
        yield f"{op} (linalg, host)", on_tensors(arguments, "tensor<8xf32>", f"""  %e = tensor.empty() : tensor<8xf32>
  %z = linalg.generic {{indexing_maps = [{M}, {M}], iterator_types = ["parallel"]}} ins(%p : tensor<8xindex>) outs(%e : tensor<8xf32>) {{
  ^bb0(%k: index, %o: f32):
{body}{parts}    linalg.yield %r : f32
  }} -> tensor<8xf32>
"""), more
    yield "tensor.extract (map, host)", on_tensors(tp, "tensor<8xf32>", f"""  %e = tensor.empty() : tensor<8xf32>
  %z = linalg.map ins(%p : tensor<8xindex>) outs(%e : tensor<8xf32>) (%k: index, %o: f32) {{
    %l = tensor.extract %x[%k] : tensor<8xf32> // HERE
{parts}    linalg.yield %r : f32
  }}
"""), xp
    yield "tensor.extract (generate, host)", on_tensors(tp, "tensor<8xf32>", f"""  %z = tensor.generate {{
  ^bb0(%i: index):
    %k = tensor.extract %p[%i] : tensor<8xindex>
    %l = tensor.extract %x[%k] : tensor<8xf32> // HERE
{parts}    tensor.yield %r : f32
  }} : tensor<8xf32>
"""), xp
    yield "tensor.extract (generate)", on_tensors(tp, "tensor<8xf32>", """  %z = tensor.generate {
  ^bb0(%i: index):
    %k = tensor.extract %p[%i] : tensor<8xindex>
    %r = tensor.extract %x[%k] : tensor<8xf32> // HERE
    tensor.yield %r : f32
  } : tensor<8xf32>
"""), xp
    yield "tensor.extract (generate, given size)", on_tensors("%x: tensor<8xf32>, %g: index", "tensor<?xf32>", """  %n = arith.addi %g, %c1 : index
  %z = tensor.generate %n {
  ^bb0(%i: index):
    %r = tensor.extract %x[%i] : tensor<8xf32> // HERE
    tensor.yield %r : f32
  } : tensor<?xf32>
"""), [X, "index=POS"], {"outside": (8, 1000), "shown": False}
    yield "tensor.extract (generate, offset)", on_tensors("%x: tensor<8xf32>, %g: index", "tensor<2xf32>", """  %z = tensor.generate {
  ^bb0(%i: index):
    %k = arith.addi %i, %g : index
    %r = tensor.extract %x[%k] : tensor<8xf32> // HERE
    tensor.yield %r : f32
  } : tensor<2xf32>
"""), [X, "index=POS"]
    yield "tensor.extract (generate, sizes)", on_tensors("%x: tensor<?xf32>, %y: tensor<?xf32>", "tensor<?xf32>", """  %n = tensor.dim %y, %c0 : tensor<?xf32>
  %z = tensor.generate %n {
  ^bb0(%i: index):
    %r = tensor.extract %x[%i] : tensor<?xf32> // HERE
    tensor.yield %r : f32
  } : tensor<?xf32>
"""), [X, "POSxf32=1"], {"inside": 8, "outside": (9, 1000), "shown": False}
    yield "tensor.extract (loop)", on_tensors(tp, "tensor<8xf32>", """  %e = tensor.empty() : tensor<8xf32>
  %z = scf.for %i = %c0 to %c8 step %c1 iter_args(%a = %e) -> tensor<8xf32> {
    %k = tensor.extract %p[%i] : tensor<8xindex>
    %r = tensor.extract %x[%k] : tensor<8xf32> // HERE
    %t = tensor.insert %r into %a[%i] : tensor<8xf32>
    scf.yield %t : tensor<8xf32>
  }
"""), xp
    yield "tensor.insert (loop)", on_tensors(tp, "tensor<8xf32>", """  %z = scf.for %i = %c0 to %c8 step %c1 iter_args(%a = %x) -> tensor<8xf32> {
    %k = tensor.extract %p[%i] : tensor<8xindex>
    %t = tensor.insert %v into %a[%k] : tensor<8xf32> // HERE
    scf.yield %t : tensor<8xf32>
  }
"""), xp
    yield "tensor.extract (host)", f"func.func @NAME({tp}) -> f32 {{\n  %c1 = arith.constant 1 : index\n  %k = tensor.extract %p[%c1] : tensor<8xindex>\n  %r = tensor.extract %x[%k] : tensor<8xf32> // HERE\n  return %r : f32\n}}\n", xp
    yield "tensor.insert (host)", on_tensors(tp, "tensor<8xf32>", "  %k = tensor.extract %p[%c1] : tensor<8xindex>\n  %z = tensor.insert %v into %x[%k] : tensor<8xf32> // HERE\n"), xp
    yield "tensor.gather", on_tensors("%x: tensor<8xf32>, %p: tensor<4x1xindex>", "tensor<4x1xf32>", "  %z = tensor.gather %x[%p] gather_dims([0]) : (tensor<8xf32>, tensor<4x1xindex>) -> tensor<4x1xf32> // HERE\n"), [X, "4x1xindex=POS"]
    yield "tensor.gather (rows)", on_tensors("%x: tensor<8x4xf32>, %p: tensor<3x1xi32>", "tensor<3x1x4xf32>", "  %z = tensor.gather %x[%p] gather_dims([0]) : (tensor<8x4xf32>, tensor<3x1xi32>) -> tensor<3x1x4xf32> // HERE\n"), ["8x4xf32=3", "3x1xi32=POS"], {"outside": (8, 10**8, -1)}
    yield "tensor.scatter", on_tensors("%s: tensor<1x1xf32>, %x: tensor<8xf32>, %p: tensor<1x1xindex>", "tensor<8xf32>", "  %z = tensor.scatter %s into %x[%p] scatter_dims([0]) unique : (tensor<1x1xf32>, tensor<8xf32>, tensor<1x1xindex>) -> tensor<8xf32> // HERE\n"), ["1x1xf32=9", X, "1x1xindex=POS"]
    yield "tensor.extract_slice", on_tensors(tp, "tensor<2xf32>", "  %k = tensor.extract %p[%c1] : tensor<8xindex>\n  %s = tensor.extract_slice %x[%k] [2] [1] : tensor<8xf32> to tensor<2xf32> // HERE\n  %z = mica.exp %s : tensor<2xf32>\n"), xp
    yield "tensor.extract_slice (loop)", on_tensors(tp, "tensor<8xf32>", """  %e = tensor.empty() : tensor<8xf32>
  %z = scf.for %i = %c0 to %c8 step %c1 iter_args(%a = %e) -> tensor<8xf32> {
    %k = tensor.extract %p[%i] : tensor<8xindex>
    %r = tensor.extract_slice %x[%k] [1] [1] : tensor<8xf32> to tensor<1xf32> // HERE
    %t = tensor.insert_slice %r into %a[%i] [1] [1] : tensor<1xf32> into tensor<8xf32>
    scf.yield %t : tensor<8xf32>
  }
"""), xp
    yield "tensor.insert_slice (loop)", on_tensors(tp, "tensor<8xf32>", """  %s = tensor.extract_slice %x[0] [1] [1] : tensor<8xf32> to tensor<1xf32>
  %z = scf.for %i = %c0 to %c8 step %c1 iter_args(%a = %x) -> tensor<8xf32> {
    %k = tensor.extract %p[%i] : tensor<8xindex>
    %t = tensor.insert_slice %s into %a[%k] [1] [1] : tensor<1xf32> into tensor<8xf32> // HERE
    scf.yield %t : tensor<8xf32>
  }
"""), xp
    yield "tensor.parallel_insert_slice", on_tensors(tp, "tensor<8xf32>", """  %s = tensor.extract_slice %x[0] [1] [1] : tensor<8xf32> to tensor<1xf32>
  %z = scf.forall (%i) in (1) shared_outs(%a = %x) -> tensor<8xf32> { // HERE
    %k = tensor.extract %p[%i] : tensor<8xindex>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %a[%k] [1] [1] : tensor<1xf32> into tensor<8xf32> // HERE
    }
  }
"""), xp
    for name, offset, read in (("tensor.parallel_insert_slice (given)", "%k", "%i"), ("tensor.extract_slice (forall, given)", "%i", "%k")):
        yield name, on_tensors("%x: tensor<8xf32>, %g: index", "tensor<8xf32>", f"""  %z = scf.forall (%i) in (3) shared_outs(%a = %x) -> tensor<8xf32> {{ // HERE
    %k = arith.addi %i, %g : index
    %s = tensor.extract_slice %x[{read}] [1] [1] : tensor<8xf32> to tensor<1xf32> // HERE
    scf.forall.in_parallel {{
      tensor.parallel_insert_slice %s into %a[{offset}] [1] [1] : tensor<1xf32> into tensor<8xf32> // HERE
    }}
  }}
"""), [X, "index=POS"], {"outside": (6, 10**11, -1), "shown": False}
    yield "vector.gather (tensor)", on_tensors(tp, "tensor<4xf32>", "  %i = vector.transfer_read %p[%c0], %c0 {in_bounds = [true]} : tensor<8xindex>, vector<4xindex>\n  %m = arith.constant dense<true> : vector<4xi1>\n  %o = arith.constant dense<0.0> : vector<4xf32>\n  %w = vector.gather %x[%c0] [%i], %m, %o : tensor<8xf32>, vector<4xindex>, vector<4xi1>, vector<4xf32> into vector<4xf32> // HERE\n  %e = tensor.empty() : tensor<4xf32>\n  %z = vector.transfer_write %w, %e[%c0] {in_bounds = [true]} : vector<4xf32>, tensor<4xf32>\n"), xp
    yield "vector.transfer_read (tensor)", on_tensors(tp, "tensor<2xf32>", "  %k = tensor.extract %p[%c1] : tensor<8xindex>\n  %w = vector.transfer_read %x[%k], %v {in_bounds = [true]} : tensor<8xf32>, vector<2xf32> // HERE\n  %e = tensor.empty() : tensor<2xf32>\n  %z = vector.transfer_write %w, %e[%c0] {in_bounds = [true]} : vector<2xf32>, tensor<2xf32>\n"), xp
    yield "vector.transfer_write (tensor)", on_tensors(tp, "tensor<8xf32>", "  %k = tensor.extract %p[%c1] : tensor<8xindex>\n  %w = vector.broadcast %v : f32 to vector<2xf32>\n  %z = vector.transfer_write %w, %x[%k] {in_bounds = [true]} : vector<2xf32>, tensor<8xf32> // HERE\n"), xp
    yield "tosa.gather", on_tensors("%x: tensor<1x8x3xf32>, %p: tensor<1x2xi32>", "tensor<1x2x3xf32>", "  %z = tosa.gather %x, %p : (tensor<1x8x3xf32>, tensor<1x2xi32>) -> tensor<1x2x3xf32> // HERE\n"), ["1x8x3xf32=3", "1x2xi32=POS"], {"outside": (8, 10**8, -1)}
    yield "tosa.scatter", on_tensors("%x: tensor<1x8x3xf32>, %p: tensor<1x1xi32>, %u: tensor<1x1x3xf32>", "tensor<1x8x3xf32>", "  %z = tosa.scatter %x, %p, %u : (tensor<1x8x3xf32>, tensor<1x1xi32>, tensor<1x1x3xf32>) -> tensor<1x8x3xf32> // HERE\n"), ["1x8x3xf32=3", "1x1xi32=POS", "1x1x3xf32=7"], {"outside": (8, 10**8, -1)}
    wide = {"defined": True}
    yield "mica.gather", on_tensors("%x: tensor<8x3xf32>, %p: tensor<4xi64>", "tensor<4x3xf32>", "  %z = mica.gather %x, %p axis = 0 : (tensor<8x3xf32>, tensor<4xi64>) -> tensor<4x3xf32>\n"), ["8x3xf32=3", "4xi64=POS"], wide
    yield "mica.embedding", on_tensors("%x: tensor<8x3xf32>, %p: tensor<4xi64>", "tensor<4x3xf32>", "  %z = mica.embedding %x, %p : (tensor<8x3xf32>, tensor<4xi64>) -> tensor<4x3xf32>\n"), ["8x3xf32=3", "4xi64=POS"], wide


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("work", type=pathlib.Path)
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--only", default="")
    parser.add_argument("--ways", default=",".join(WAYS))
    parser.add_argument("--show", action="store_true", help="prints what each run says")
    options = parser.parse_args()
    options.work.mkdir(parents=True, exist_ok=True)
    cases = []
    for number, (what, program, inputs, *more) in enumerate(programs()):
        if re.search(options.only, what) and number % options.every == 0:
            source = options.work / f"p{number}.mlir"
            source.write_text(program.replace("NAME", "f"))
            lines = [str(at) for at, text in enumerate(program.splitlines(), 1) if "HERE" in text]
            cases.append((number, what, source, lines, inputs, more[0] if more else {}))

    def check(case):
        number, what, source, lines, inputs, more = case
        failures, printed = [], {}
        for way in options.ways.split(","):
            artifact = options.work / f"p{number}-{way}"
            done = subprocess.run(["mica-compile", source, "-o", artifact, "--force", "--dump-passes=off", *WAYS[way]], capture_output=True, text=True)
            if done.returncode:
                failures.append(f"{way}: does not compile: {done.stderr.strip()[:300]}")
                continue
            inside = more.get("inside", INSIDE)
            for position in (inside, *more.get("outside", OUTSIDE)):
                given = [f"--input={each.replace('POS', str(position))}" for each in inputs]
                run = subprocess.run(["mica-run", artifact, *given], capture_output=True, text=True, timeout=120)
                said = run.stderr.strip()
                if options.show:
                    print(what, way, position, run.returncode, said[:300])
                if position == inside or more.get("defined"):
                    if run.returncode or "error:" in said:
                        failures.append(f"{way}: position {position} ends with {run.returncode}: {said[:300]}")
                    elif printed.setdefault(position, run.stdout) != run.stdout:
                        failures.append(f"{way}: position {position} prints {run.stdout.strip()[:200]}, another way prints {printed[position].strip()[:200]}")
                elif run.returncode not in (1, 3):
                    failures.append(f"{way}: position {position} ends with {run.returncode} and prints {(run.stdout + said)[:200]}")
                elif not re.search(rf"p{number}\.mlir:({'|'.join(lines)}):", said):
                    failures.append(f"{way}: position {position} does not name line {lines}: {said[:300]}")
                elif str(position) not in said and "in kernel" in said and more.get("shown", True):
                    failures.append(f"{way}: position {position} is not shown: {said[:300]}")
        return [f"{what} (p{number}): {failure}" for failure in failures]

    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        failures = [failure for each in pool.map(check, cases) for failure in each]
    print("\n".join(failures))
    print(f"{len(cases)} programs, {len(failures)} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
