# Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Ops on buffers: memref, affine, bufferization, ml_program."""
from program import SUFFIX, dense, program, show

DATA = 'memref.global "private" @data : memref<3x4xf32> = ' + dense([[float(4 * i + j) for j in range(4)] for i in range(3)])
HEAD = """%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c2 = arith.constant 2 : index
%c3 = arith.constant 3 : index
%c4 = arith.constant 4 : index
%x = arith.constant 1.5 : f32
%m = memref.get_global @data : memref<3x4xf32>
"""


def on_data(op, kind, body, top="", **rest):
    return program(op, kind, HEAD + body, DATA + "\n" + top, **rest)


def memref():
    for k, values in (("f64", [1.5, -0.0]), ("f32", [1.5, -0.0]), ("f16", [1.5, -0.0]), ("bf16", [1.5, -0.0]), ("i64", [5, -7]), ("i32", [5, -7]),
                      ("i16", [5, -7]), ("i8", [65, 66]), ("index", [5, 7])):
        yield program("memref.global", k, f"%m = memref.get_global @g : memref<2x{k}>\n" + show("%m", f"memref<2x{k}>"),
                      f'memref.global "private" constant @g : memref<2x{k}> = {dense(values)}')
        yield program("memref.store", k, f"""%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%a = arith.constant {values[0]} : {k}
%b = arith.constant {values[1]} : {k}
%m = memref.alloc() : memref<2x{k}>
memref.store %b, %m[%c0] : memref<2x{k}>
memref.store %a, %m[%c1] : memref<2x{k}>
""" + show("%m", f"memref<2x{k}>") + f"\nmemref.dealloc %m : memref<2x{k}>")
    yield on_data("memref.load", "f32", "%0 = memref.load %m[%c2, %c1] : memref<3x4xf32>\nvector.print %0 : f32")
    yield on_data("memref.load", "ui8", "%u = memref.get_global @u : memref<2xui8>\n%0 = memref.load %u[%c0] : memref<2xui8>\n"
                  "vector.print %0 : ui8\n%b = memref.alloc() : memref<ui8>\nmemref.store %0, %b[] : memref<ui8>\n"
                  "%1 = memref.load %b[] : memref<ui8>\nvector.print %1 : ui8", 'memref.global "private" @u : memref<2xui8> = dense<[200, 1]>')
    yield on_data("arith.index_cast", "buffer", "%a = memref.alloc() : memref<2xindex>\nmemref.store %c3, %a[%c0] : memref<2xindex>\n"
                  "%b = arith.index_cast %a : memref<2xindex> to memref<2xi64>\n%n = arith.constant -7 : i64\nmemref.store %n, %b[%c1] : memref<2xi64>\n" +
                  show("%b", "memref<2xi64>") + "\n%0 = memref.load %a[%c1] : memref<2xindex>\nvector.print %0 : index")
    yield on_data("memref.alloc", "dynamic", "%a = memref.alloc(%c3) : memref<?x2xf32>\nlinalg.fill ins(%x : f32) outs(%a : memref<?x2xf32>)\n" +
                  show("%a", "memref<?x2xf32>"))
    yield on_data("memref.alloca", "static", "%a = memref.alloca() : memref<2xf32>\nmemref.store %x, %a[%c0] : memref<2xf32>\n"
                  "memref.store %x, %a[%c1] : memref<2xf32>\n" + show("%a", "memref<2xf32>"))
    yield on_data("memref.alloca_scope", "f32", """%0 = memref.alloca_scope -> (f32) {
  %a = memref.alloca() : memref<2xf32>
  memref.store %x, %a[%c0] : memref<2xf32>
  %b = memref.load %a[%c0] : memref<2xf32>
  memref.alloca_scope.return %b : f32
}
vector.print %0 : f32""")
    yield on_data("memref.cast", "dynamic", "%0 = memref.cast %m : memref<3x4xf32> to memref<?x?xf32>\n%d = memref.dim %0, %c0 : memref<?x?xf32>\n"
                  "vector.print %d : index\n" + show("%0", "memref<?x?xf32>"))
    yield on_data("memref.copy", "f32", "%a = memref.alloc() : memref<3x4xf32>\nmemref.copy %m, %a : memref<3x4xf32> to memref<3x4xf32>\n" +
                  show("%a", "memref<3x4xf32>"))
    strided = "memref<2x2xf32, strided<[4, 1], offset: 5>>"
    yield on_data("memref.copy", "strided", f"%s = memref.subview %m[1, 1] [2, 2] [1, 1] : memref<3x4xf32> to {strided}\n"
                  f"%a = memref.alloc() : memref<2x2xf32>\nmemref.copy %s, %a : {strided} to memref<2x2xf32>\n" + show("%a", "memref<2x2xf32>"))
    yield on_data("memref.subview", "printed", f"%s = memref.subview %m[1, 1] [2, 2] [1, 1] : memref<3x4xf32> to {strided}\n" + show("%s", strided))
    dynamic = "memref<?x?xf32, strided<[?, ?], offset: ?>>"
    yield on_data("memref.subview", "dynamic", f"%s = memref.subview %m[%c0, %c1] [%c2, %c2] [%c1, %c2] : memref<3x4xf32> to {dynamic}\n" +
                  f"memref.store %x, %s[%c1, %c1] : {dynamic}\n" + show("%s", dynamic) + "\n" + show("%m", "memref<3x4xf32>"))
    rank = "memref<4xf32, strided<[1], offset: 8>>"
    yield on_data("memref.subview", "rank-reducing", f"%s = memref.subview %m[2, 0] [1, 4] [1, 1] : memref<3x4xf32> to {rank}\n" + show("%s", rank))
    yield on_data("memref.collapse_shape", "f32", "%0 = memref.collapse_shape %m [[0, 1]] : memref<3x4xf32> into memref<12xf32>\n" + show("%0", "memref<12xf32>"))
    yield on_data("memref.expand_shape", "f32", "%0 = memref.expand_shape %m [[0], [1, 2]] output_shape [3, 2, 2] : memref<3x4xf32> into memref<3x2x2xf32>\n" +
                  show("%0", "memref<3x2x2xf32>"))
    yield on_data("memref.reinterpret_cast", "f32", "%0 = memref.reinterpret_cast %m to offset: [0], sizes: [4, 3], strides: [3, 1] : memref<3x4xf32> to memref<4x3xf32>\n" +
                  show("%0", "memref<4x3xf32>"))
    yield on_data("memref.reinterpret_cast", "dynamic", "%0 = memref.reinterpret_cast %m to offset: [%c1], sizes: [%c2, %c3], strides: [%c4, %c1] : "
                  f"memref<3x4xf32> to {dynamic}\n" + show("%0", dynamic))
    yield on_data("memref.reshape", "f32", """%s = memref.alloc() : memref<2xindex>
memref.store %c4, %s[%c0] : memref<2xindex>
memref.store %c3, %s[%c1] : memref<2xindex>
%0 = memref.reshape %m(%s) : (memref<3x4xf32>, memref<2xindex>) -> memref<?x?xf32>
""" + show("%0", "memref<?x?xf32>"))
    transposed = "memref<4x3xf32, strided<[1, 4]>>"
    yield on_data("memref.transpose", "f32", f"%0 = memref.transpose %m (i, j) -> (j, i) : memref<3x4xf32> to {transposed}\n" + show("%0", transposed))
    yield on_data("memref.dim", "f32", "%0 = memref.dim %m, %c1 : memref<3x4xf32>\nvector.print %0 : index")
    yield on_data("memref.rank", "unranked", "%u = memref.cast %m : memref<3x4xf32> to memref<*xf32>\n%0 = memref.rank %u : memref<*xf32>\nvector.print %0 : index")
    yield on_data("memref.dim", "unranked", "%u = memref.cast %m : memref<3x4xf32> to memref<*xf32>\n%0 = memref.dim %u, %c1 : memref<*xf32>\nvector.print %0 : index")
    yield on_data("memref.extract_strided_metadata", "f32", f"%s = memref.subview %m[1, 1] [2, 2] [1, 1] : memref<3x4xf32> to {strided}\n"
                  f"%b, %o, %n:2, %t:2 = memref.extract_strided_metadata %s : {strided} -> memref<f32>, index, index, index, index, index\n" +
                  "\n".join(f"vector.print {v} : index" for v in ("%o", "%n#0", "%n#1", "%t#0", "%t#1")))
    yield on_data("memref.extract_aligned_pointer_as_index", "f32", """%a = memref.extract_aligned_pointer_as_index %m : memref<3x4xf32> -> index
%b = memref.extract_aligned_pointer_as_index %m : memref<3x4xf32> -> index
%0 = arith.subi %a, %b : index
vector.print %0 : index""")
    yield on_data("memref.realloc", "f32", """%a = memref.alloc(%c2) : memref<?xf32>
memref.store %x, %a[%c1] : memref<?xf32>
%b = memref.realloc %a(%c4) : memref<?xf32> to memref<?xf32>
%0 = memref.load %b[%c1] : memref<?xf32>
vector.print %0 : f32
%d = memref.dim %b, %c0 : memref<?xf32>
vector.print %d : index""")
    yield on_data("memref.view", "f32", """%a = memref.alloc() : memref<64xi8>
%v = memref.view %a[%c4][%c2] : memref<64xi8> to memref<?x2xf32>
linalg.fill ins(%x : f32) outs(%v : memref<?x2xf32>)
%0 = memref.load %v[%c1, %c1] : memref<?x2xf32>
vector.print %0 : f32""")
    yield on_data("memref.atomic_rmw", "addf", """%0 = memref.atomic_rmw addf %x, %m[%c1, %c1] : (f32, memref<3x4xf32>) -> f32
vector.print %0 : f32
%1 = memref.load %m[%c1, %c1] : memref<3x4xf32>
vector.print %1 : f32""")
    yield on_data("memref.atomic_rmw", "integers", """%a = memref.alloc() : memref<1xi32>
%v = arith.constant 6 : i32
%w = arith.constant 3 : i32
memref.store %v, %a[%c0] : memref<1xi32>
%0 = memref.atomic_rmw addi %w, %a[%c0] : (i32, memref<1xi32>) -> i32
%1 = memref.atomic_rmw maxs %v, %a[%c0] : (i32, memref<1xi32>) -> i32
%2 = memref.atomic_rmw andi %w, %a[%c0] : (i32, memref<1xi32>) -> i32
%3 = memref.load %a[%c0] : memref<1xi32>
vector.print %3 : i32""")
    yield on_data("memref.generic_atomic_rmw", "f32", """%0 = memref.generic_atomic_rmw %m[%c1, %c1] : memref<3x4xf32> {
^bb0(%old: f32):
  %n = arith.addf %old, %x : f32
  memref.atomic_yield %n : f32
}
vector.print %0 : f32""")
    yield on_data("memref.assume_alignment", "f32", "%a = memref.assume_alignment %m, 4 : memref<3x4xf32>\n%0 = memref.load %a[%c0, %c1] : memref<3x4xf32>\nvector.print %0 : f32")
    yield on_data("memref.prefetch", "f32", "memref.prefetch %m[%c0, %c1], read, locality<3>, data : memref<3x4xf32>\n%0 = memref.load %m[%c0, %c1] : memref<3x4xf32>\nvector.print %0 : f32")
    yield on_data("memref.memory_space_cast", "f32", "%a = memref.memory_space_cast %m : memref<3x4xf32> to memref<3x4xf32, 0>\n%0 = memref.load %a[%c0, %c1] : memref<3x4xf32, 0>\nvector.print %0 : f32")
    yield program("memref.alloc", "space", """%c0 = arith.constant 0 : index
%v = arith.constant 2.5 : f32
%m = memref.alloc() : memref<3xf32, 1>
memref.store %v, %m[%c0] : memref<3xf32, 1>
%n = memref.memory_space_cast %m : memref<3xf32, 1> to memref<3xf32>
%0 = memref.load %n[%c0] : memref<3xf32>
vector.print %0 : f32""")
    yield program("memref.alloc", "layout", """%v = arith.constant 2.5 : f32
%c1 = arith.constant 1 : index
%m = memref.alloc() : memref<2x3xf32, affine_map<(i, j) -> (j * 2 + i)>>
affine.for %i = 0 to 2 {
  affine.for %j = 0 to 3 {
    affine.store %v, %m[%i, %j] : memref<2x3xf32, affine_map<(i, j) -> (j * 2 + i)>>
  }
}
%0 = memref.load %m[%c1, %c1] : memref<2x3xf32, affine_map<(i, j) -> (j * 2 + i)>>
vector.print %0 : f32""")
    yield program("memref.global", "complex", """%g = memref.get_global @numbers : memref<2xcomplex<f32>>
%u = memref.cast %g : memref<2xcomplex<f32>> to memref<*xcomplex<f32>>
call @printMemrefC32(%u) : (memref<*xcomplex<f32>>) -> ()""", """memref.global "private" constant @numbers : memref<2xcomplex<f32>> = dense<[(1.0, 2.5), (-3.0, 0.0)]>""")
    yield program("memref.cast", "shape-printed", """%n = arith.constant 5 : index
%m = memref.alloc(%n) : memref<3x?xf32>
%u = memref.cast %m : memref<3x?xf32> to memref<*xf32>
call @printMemrefShapeF32(%u) : (memref<*xf32>) -> ()""")
    yield program("memref.global", "mutable", """%c0 = arith.constant 0 : index
call @count() : () -> ()
call @count() : () -> ()
%m = memref.get_global @state : memref<1xi32>
%0 = memref.load %m[%c0] : memref<1xi32>
vector.print %0 : i32""", """memref.global "private" @state : memref<1xi32> = dense<40>
func.func private @count() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : i32
  %m = memref.get_global @state : memref<1xi32>
  %0 = memref.load %m[%c0] : memref<1xi32>
  %1 = arith.addi %0, %c1 : i32
  memref.store %1, %m[%c0] : memref<1xi32>
  return
}""")
    yield program("memref.global", "uninitialized", """%c0 = arith.constant 0 : index
%x = arith.constant 2.5 : f32
%m = memref.get_global @scratch : memref<2xf32>
memref.store %x, %m[%c0] : memref<2xf32>
%0 = memref.load %m[%c0] : memref<2xf32>
vector.print %0 : f32""", 'memref.global "private" @scratch : memref<2xf32> = uninitialized')
    # Buffers chosen by control flow.
    yield on_data("arith.select", "buffers", """%n = memref.alloc() : memref<3x4xf32>
linalg.fill ins(%x : f32) outs(%n : memref<3x4xf32>)
%c = arith.cmpi slt, %c1, %c2 : index
%s = arith.select %c, %n, %m : memref<3x4xf32>
memref.store %x, %s[%c0, %c0] : memref<3x4xf32>
%0 = memref.load %s[%c1, %c1] : memref<3x4xf32>
vector.print %0 : f32""")
    yield on_data("scf.if", "buffers", """%n = memref.alloc() : memref<3x4xf32>
linalg.fill ins(%x : f32) outs(%n : memref<3x4xf32>)
%c = arith.cmpi slt, %c2, %c1 : index
%s = scf.if %c -> (memref<3x4xf32>) {
  scf.yield %n : memref<3x4xf32>
} else {
  scf.yield %m : memref<3x4xf32>
}
""" + show("%s", "memref<3x4xf32>"))
    yield on_data("scf.for", "ping-pong", """%a = memref.alloc() : memref<2xf32>
%b = memref.alloc() : memref<2xf32>
linalg.fill ins(%x : f32) outs(%a : memref<2xf32>)
linalg.fill ins(%x : f32) outs(%b : memref<2xf32>)
%r:2 = scf.for %i = %c0 to %c3 step %c1 iter_args(%from = %a, %to = %b) -> (memref<2xf32>, memref<2xf32>) {
  %v = memref.load %from[%c0] : memref<2xf32>
  %w = arith.addf %v, %x : f32
  memref.store %w, %to[%c0] : memref<2xf32>
  scf.yield %to, %from : memref<2xf32>, memref<2xf32>
}
""" + show("%r#0", "memref<2xf32>"))
    yield on_data("func.call", "strided", f"%s = memref.subview %m[1, 1] [2, 2] [1, 1] : memref<3x4xf32> to {strided}\ncall @sum(%s) : ({strided}) -> ()",
                  f"""func.func private @sum(%s: {strided}) {{
  %c1 = arith.constant 1 : index
  %0 = memref.load %s[%c1, %c1] : {strided}
  vector.print %0 : f32
  return
}}""")
    yield on_data("func.call", "returns-buffer", "%s = call @make(%x) : (f32) -> memref<2xf32>\n" + show("%s", "memref<2xf32>"),
                  """func.func private @make(%x: f32) -> memref<2xf32> {
  %m = memref.alloc() : memref<2xf32>
  linalg.fill ins(%x : f32) outs(%m : memref<2xf32>)
  return %m : memref<2xf32>
}""")
    yield on_data("func.call", "unranked", "%u = memref.cast %m : memref<3x4xf32> to memref<*xf32>\ncall @rank_of(%u) : (memref<*xf32>) -> ()",
                  """func.func private @rank_of(%u: memref<*xf32>) {
  %0 = memref.rank %u : memref<*xf32>
  vector.print %0 : index
  return
}""")
    yield program("memref.store", "vectors", """%c0 = arith.constant 0 : index
%v = arith.constant dense<[1.0, 2.0]> : vector<2xf32>
%m = memref.alloc() : memref<1xvector<2xf32>>
memref.store %v, %m[%c0] : memref<1xvector<2xf32>>
%0 = memref.load %m[%c0] : memref<1xvector<2xf32>>
vector.print %0 : vector<2xf32>""")
    yield program("memref.store", "memrefs", """%c0 = arith.constant 0 : index
%x = arith.constant 3.5 : f32
%a = memref.alloc() : memref<2xf32>
memref.store %x, %a[%c0] : memref<2xf32>
%m = memref.alloc() : memref<1xmemref<2xf32>>
memref.store %a, %m[%c0] : memref<1xmemref<2xf32>>
%b = memref.load %m[%c0] : memref<1xmemref<2xf32>>
%0 = memref.load %b[%c0] : memref<2xf32>
vector.print %0 : f32""")


def affine():
    yield on_data("affine.for", "sums", """%s = affine.for %i = 0 to 3 iter_args(%a = %x) -> (f32) {
  %t = affine.for %j = 0 to 4 iter_args(%b = %a) -> (f32) {
    %v = affine.load %m[%i, %j] : memref<3x4xf32>
    %n = arith.addf %b, %v : f32
    affine.yield %n : f32
  }
  affine.yield %t : f32
}
vector.print %s : f32""")
    yield on_data("affine.store", "f32", "affine.for %i = 0 to 3 {\n  affine.store %x, %m[%i, %i + 1] : memref<3x4xf32>\n}\n" + show("%m", "memref<3x4xf32>"))
    yield on_data("affine.if", "set", """affine.for %i = 0 to 3 {
  affine.for %j = 0 to 4 {
    affine.if affine_set<(i, j) : (i - j >= 0)>(%i, %j) {
      affine.store %x, %m[%i, %j] : memref<3x4xf32>
    }
  }
}
""" + show("%m", "memref<3x4xf32>"))
    yield on_data("affine.apply", "index", "%0 = affine.apply affine_map<(i)[s] -> (i * 3 + s floordiv 2)>(%c2)[%c4]\nvector.print %0 : index")
    yield on_data("affine.min", "index", "%0 = affine.min affine_map<(i) -> (i * 3, 5)>(%c2)\nvector.print %0 : index")
    yield on_data("affine.max", "index", "%0 = affine.max affine_map<(i) -> (i * 3, 5)>(%c2)\nvector.print %0 : index")
    yield on_data("affine.parallel", "f32", "affine.parallel (%i, %j) = (0, 0) to (3, 4) {\n  affine.store %x, %m[%i, %j] : memref<3x4xf32>\n}\n" + show("%m", "memref<3x4xf32>"))
    yield on_data("affine.prefetch", "f32", "affine.prefetch %m[0, 1], read, locality<3>, data : memref<3x4xf32>\n%0 = affine.load %m[0, 1] : memref<3x4xf32>\nvector.print %0 : f32")
    yield on_data("affine.vector_load", "f32", "%0 = affine.vector_load %m[1, 0] : memref<3x4xf32>, vector<4xf32>\nvector.print %0 : vector<4xf32>")
    yield on_data("affine.vector_store", "f32", "%v = vector.broadcast %x : f32 to vector<2xf32>\naffine.vector_store %v, %m[1, 2] : memref<3x4xf32>, vector<2xf32>\n" +
                  show("%m", "memref<3x4xf32>"))
    yield on_data("affine.delinearize_index", "index", "%i = arith.constant 11 : index\n%0:2 = affine.delinearize_index %i into (3, 4) : index, index\n"
                  "vector.print %0#0 : index\nvector.print %0#1 : index")
    yield on_data("affine.linearize_index", "index", "%0 = affine.linearize_index [%c2, %c3] by (3, 4) : index\nvector.print %0 : index")


def bufferization():
    tensor = "%t = arith.constant dense<[1.0, -2.0, 3.0]> : tensor<3xf32>\n%c0 = arith.constant 0 : index\n%x = arith.constant 7.5 : f32\n%c3 = arith.constant 3 : index\n"
    yield program("bufferization.alloc_tensor", "static", tensor + "%a = bufferization.alloc_tensor() : tensor<3xf32>\n"
                  "%f = linalg.fill ins(%x : f32) outs(%a : tensor<3xf32>) -> tensor<3xf32>\n" + show("%f", "tensor<3xf32>"))
    yield program("bufferization.alloc_tensor", "dynamic", tensor + "%a = bufferization.alloc_tensor(%c3) : tensor<?xf32>\n"
                  "%f = linalg.fill ins(%x : f32) outs(%a : tensor<?xf32>) -> tensor<?xf32>\n" + show("%f", "tensor<?xf32>"))
    yield program("bufferization.alloc_tensor", "copy", tensor + "%a = bufferization.alloc_tensor() copy(%t) : tensor<3xf32>\n"
                  "%r = tensor.insert %x into %a[%c0] : tensor<3xf32>\n" + show("%r", "tensor<3xf32>") + "\n" + show("%t", "tensor<3xf32>"))
    yield program("bufferization.materialize_in_destination", "tensor", tensor + "%a = bufferization.alloc_tensor() : tensor<3xf32>\n"
                  "%r = bufferization.materialize_in_destination %t in %a : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>\n" + show("%r", "tensor<3xf32>"))
    yield program("bufferization.materialize_in_destination", "memref", tensor + "%m = memref.alloc() : memref<3xf32>\n"
                  "bufferization.materialize_in_destination %t in restrict writable %m : (tensor<3xf32>, memref<3xf32>) -> ()\n" + show("%m", "memref<3xf32>"))
    yield program("bufferization.to_buffer", "read-only", tensor + "%m = bufferization.to_buffer %t read_only : tensor<3xf32> to memref<3xf32>\n"
                  "%0 = memref.load %m[%c0] : memref<3xf32>\nvector.print %0 : f32")
    yield program("bufferization.to_tensor", "restrict", tensor + "%m = memref.alloc() : memref<3xf32>\nlinalg.fill ins(%x : f32) outs(%m : memref<3xf32>)\n"
                  "%r = bufferization.to_tensor %m restrict : memref<3xf32> to tensor<3xf32>\n%0 = tensor.extract %r[%c0] : tensor<3xf32>\nvector.print %0 : f32")
    yield program("bufferization.clone", "f32", tensor + "%m = memref.alloc() : memref<3xf32>\nlinalg.fill ins(%x : f32) outs(%m : memref<3xf32>)\n"
                  "%n = bufferization.clone %m : memref<3xf32> to memref<3xf32>\n" + show("%n", "memref<3xf32>"))
    yield program("bufferization.dealloc_tensor", "f32", tensor + "%a = bufferization.alloc_tensor() : tensor<3xf32>\n"
                  "%f = linalg.fill ins(%x : f32) outs(%a : tensor<3xf32>) -> tensor<3xf32>\n%0 = tensor.extract %f[%c0] : tensor<3xf32>\n"
                  "bufferization.dealloc_tensor %f : tensor<3xf32>\nvector.print %0 : f32")


def ml_program():
    yield program("ml_program.global_load_const", "f32", "%t = ml_program.global_load_const @g : tensor<2xf32>\n" + show("%t", "tensor<2xf32>"),
                  "ml_program.global private @g(dense<[1.5, -2.0]> : tensor<2xf32>) : tensor<2xf32>")
    yield program("ml_program.global_load", "mutable", "%t = ml_program.global_load @g : tensor<2xf32>\n" + show("%t", "tensor<2xf32>"),
                  "ml_program.global private mutable @g(dense<[1.5, -2.0]> : tensor<2xf32>) : tensor<2xf32>")
    yield program("ml_program.global_store", "f32", """%t = ml_program.global_load @g : tensor<2xf32>
%e = tensor.empty() : tensor<2xf32>
%s = linalg.add ins(%t, %t : tensor<2xf32>, tensor<2xf32>) outs(%e : tensor<2xf32>) -> tensor<2xf32>
ml_program.global_store @g = %s : tensor<2xf32>
%u = ml_program.global_load @g : tensor<2xf32>
""" + show("%u", "tensor<2xf32>"), "ml_program.global private mutable @g(dense<[1.5, -2.0]> : tensor<2xf32>) : tensor<2xf32>")


def programs():
    for table in (memref, affine, bufferization, ml_program):
        yield from table()
