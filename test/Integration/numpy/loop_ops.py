"""Control flow (scf, cf, affine), code on buffers (memref, affine, vector) and calls, after their ODS."""
import numpy as np

from check import case, function

RNG = np.random.default_rng(29)
WITHOUT = {}


def normal(*shape):
    return RNG.standard_normal(shape).astype(np.float32)


def row(name, inputs, expected, body, top="", rtol=0.0, atol=0.0):
    outs = "rstu"[:len(expected)]
    return case(name, function(inputs, expected, body + f"\n  return {', '.join('%' + n for n in outs)} : {', '.join('$' + n for n in outs)}"),
                inputs, expected, rtol, atol, top)


CONSTANTS = "".join(f"  %c{i} = arith.constant {i} : index\n" for i in range(10))
# What a buffer program reads from and writes to: tensors as buffers, and a buffer as the result.
BUFFERS = """  %x = bufferization.to_buffer %a read_only : tensor<8x6xf32> to memref<8x6xf32>
  %y = memref.alloc() : memref<8x6xf32>
  %zero = arith.constant 0.0 : f32
  linalg.fill ins(%zero : f32) outs(%y : memref<8x6xf32>)
"""
RESULT = "\n  %r = bufferization.to_tensor %y restrict writable : memref<8x6xf32> to $r"


def buffers(name, x, expected, body, rtol=0.0, atol=0.0):
    return row(name, [x], [expected.astype(np.float32)], CONSTANTS + BUFFERS + body + RESULT, rtol=rtol, atol=atol)


def structured():
    x = normal(5)
    total = np.float32(0)
    for v in x[::2]:
        total = np.float32(total + v)
    yield row("scf.for", [x], [np.array(total)], CONSTANTS + """  %zero = arith.constant 0.0 : f32
  %s = scf.for %i = %c0 to %c5 step %c2 iter_args(%acc = %zero) -> (f32) {
    %v = tensor.extract %a[%i] : $a
    %n = arith.addf %acc, %v : f32
    scf.yield %n : f32
  }
  %r = tensor.from_elements %s : $r""")
    for low, high, step in ((0, 0, 1), (3, 3, 2), (4, 1, 1), (0, 7, 3)):
        yield case(f"scf.for-{low}-{high}-{step}", """func.func @NAME(%l: index, %h: index, %s: index, %t: tensor<3xf32>) -> (tensor<3xf32>, index) {
  %c0 = arith.constant 0 : index
  %r:2 = scf.for %i = %l to %h step %s iter_args(%a = %t, %n = %c0) -> (tensor<3xf32>, index) {
    %d = arith.addf %a, %a : tensor<3xf32>
    %m = arith.addi %n, %i : index
    scf.yield %d, %m : tensor<3xf32>, index
  }
  return %r#0, %r#1 : tensor<3xf32>, index
}
""", [np.array(low), np.array(high), np.array(step), x[:3]],
                   [x[:3] * np.float32(2**len(range(low, high, step))), np.array(sum(range(low, high, step)))])
    swap = """  %p, %q = scf.for %i = %c0 to %c3 step %c1 iter_args(%u = %a, %v = %b) -> ($a, $b) {
    scf.yield %v, %u : $a, $b
  }
  %r = arith.subf %p, %q : $a"""
    a, b = normal(4), normal(4)
    yield row("scf.for-swaps", [a, b], [b - a], CONSTANTS + swap)
    for start in (1, 7, 100):
        n, steps = start, 0
        while n != 1:
            n, steps = (n // 2 if n % 2 == 0 else 3 * n + 1), steps + 1
        yield row(f"scf.while-{start}", [np.array(start)], [np.array(steps)], """  %z = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %two = arith.constant 2 : i64
  %three = arith.constant 3 : i64
  %0 = tensor.extract %a[] : $a
  %w:2 = scf.while (%n = %0, %k = %z) : (i64, i64) -> (i64, i64) {
    %more = arith.cmpi ne, %n, %one : i64
    scf.condition(%more) %n, %k : i64, i64
  } do {
  ^bb0(%n: i64, %k: i64):
    %odd = arith.remsi %n, %two : i64
    %is = arith.cmpi eq, %odd, %one : i64
    %h = arith.divsi %n, %two : i64
    %t = arith.muli %n, %three : i64
    %u = arith.addi %t, %one : i64
    %next = arith.select %is, %u, %h : i64
    %l = arith.addi %k, %one : i64
    scf.yield %next, %l : i64, i64
  }
  %r = tensor.from_elements %w#1 : $r""")
    for flag in (True, False):
        yield row(f"scf.if-{flag}", [np.array(flag), a], [-a if flag else a * a], """  %0 = tensor.extract %a[] : $a
  %r = scf.if %0 -> ($b) {
    %1 = arith.negf %b : $b
    scf.yield %1 : $b
  } else {
    %1 = arith.mulf %b, %b : $b
    scf.yield %1 : $b
  }""")
    for which in (0, 2, 5):
        yield row(f"scf.index_switch-{which}", [np.array(which)], [np.array({0: 10, 2: 20}.get(which, -1))], """  %0 = tensor.extract %a[] : $a
  %i = arith.index_cast %0 : i64 to index
  %v = scf.index_switch %i -> i64
  case 0 {
    %1 = arith.constant 10 : i64
    scf.yield %1 : i64
  }
  case 2 {
    %1 = arith.constant 20 : i64
    scf.yield %1 : i64
  }
  default {
    %1 = arith.constant -1 : i64
    scf.yield %1 : i64
  }
  %r = tensor.from_elements %v : $r""")
    yield row("scf.execute_region", [a], [a + a], "  %r = scf.execute_region -> $a {\n    %0 = arith.addf %a, %a : $a\n    scf.yield %0 : $a\n  }")
    x = normal(8, 6)
    yield row("scf.forall-parallel_insert_slice", [x], [x[::-1] * 2], CONSTANTS + """  %e = tensor.empty() : $a
  %r = scf.forall (%i) in (8) shared_outs(%o = %e) -> ($a) {
    %c7 = arith.constant 7 : index
    %j = arith.subi %c7, %i : index
    %s = tensor.extract_slice %a[%j, 0] [1, 6] [1, 1] : $a to tensor<1x6xf32>
    %d = arith.addf %s, %s : tensor<1x6xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %d into %o[%i, 0] [1, 6] [1, 1] : tensor<1x6xf32> into $a
    }
  }""".replace("%c7 = arith.constant 7", "%last = arith.constant 7").replace("arith.subi %c7", "arith.subi %last"))
    yield buffers("scf.parallel", x, np.where(np.arange(48).reshape(8, 6) % 2 == 0, x, 0), """  scf.parallel (%i, %j) = (%c0, %c0) to (%c8, %c6) step (%c1, %c2) {
    %v = memref.load %x[%i, %j] : memref<8x6xf32>
    memref.store %v, %y[%i, %j] : memref<8x6xf32>
    scf.reduce
  }""")
    small = (np.arange(48).reshape(8, 6) % 7).astype(np.float32)
    expected = np.zeros((8, 6))
    expected[0, 0], expected[0, 1] = small.sum(), small.max()
    yield buffers("scf.parallel-reduce", small, expected, """  %sum:2 = scf.parallel (%i, %j) = (%c0, %c0) to (%c8, %c6) step (%c1, %c1) init (%zero, %zero) -> (f32, f32) {
    %v = memref.load %x[%i, %j] : memref<8x6xf32>
    scf.reduce(%v, %v : f32, f32) {
    ^bb0(%l: f32, %m: f32):
      %0 = arith.addf %l, %m : f32
      scf.reduce.return %0 : f32
    }, {
    ^bb0(%l: f32, %m: f32):
      %0 = arith.maximumf %l, %m : f32
      scf.reduce.return %0 : f32
    }
  }
  memref.store %sum#0, %y[%c0, %c0] : memref<8x6xf32>
  memref.store %sum#1, %y[%c0, %c1] : memref<8x6xf32>""")


def unstructured():
    for value in (3, -3):
        yield case(f"cf.cond_br-{value}", """func.func @NAME(%a: tensor<4xf32>, %n: i64) -> tensor<4xf32> {
  %z = arith.constant 0 : i64
  %0 = arith.cmpi sgt, %n, %z : i64
  cf.cond_br %0, ^up(%a : tensor<4xf32>), ^down
^up(%x: tensor<4xf32>):
  %1 = arith.addf %x, %x : tensor<4xf32>
  cf.br ^end(%1 : tensor<4xf32>)
^down:
  %2 = arith.negf %a : tensor<4xf32>
  cf.br ^end(%2 : tensor<4xf32>)
^end(%r: tensor<4xf32>):
  return %r : tensor<4xf32>
}
""", [a := normal(4), np.array(value)], [a + a if value > 0 else -a])
    for count in (0, 1, 6):
        yield case(f"cf.br-loop-{count}", """func.func @NAME(%a: tensor<3xf32>, %n: index) -> tensor<3xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  cf.br ^head(%c0, %a : index, tensor<3xf32>)
^head(%i: index, %x: tensor<3xf32>):
  %more = arith.cmpi slt, %i, %n : index
  cf.cond_br %more, ^body, ^exit
^body:
  %y = arith.addf %x, %a : tensor<3xf32>
  %j = arith.addi %i, %c1 : index
  cf.br ^head(%j, %y : index, tensor<3xf32>)
^exit:
  return %x : tensor<3xf32>
}
""", [b := (np.arange(3) + 1).astype(np.float32), np.array(count)], [b * np.float32(count + 1)])
    for which in (4, 9, 0):
        yield case(f"cf.switch-{which}", """func.func @NAME(%n: i32) -> i32 {
  %x = arith.constant 100 : i32
  %y = arith.constant 200 : i32
  %z = arith.constant 300 : i32
  cf.switch %n : i32, [
    default: ^end(%z : i32),
    4: ^end(%x : i32),
    9: ^end(%y : i32)
  ]
^end(%r: i32):
  return %r : i32
}
""", [np.array(which, np.int32)], [np.array({4: 100, 9: 200}.get(which, 300), np.int32)])
    a = normal(4)
    yield row("func.call", [a], [(a + a) * (a + a)], "  %0 = func.call @twice_CALL(%a) : ($a) -> $a\n  %r = arith.mulf %0, %0 : $a",
              top="func.func private @twice_CALL(%x: tensor<4xf32>) -> tensor<4xf32> {\n  %0 = arith.addf %x, %x : tensor<4xf32>\n  return %0 : tensor<4xf32>\n}\n")


def affine():
    x = normal(8, 6)
    triangle = np.tril(x)
    yield buffers("affine.for-triangle", x, triangle, """  affine.for %i = 0 to 8 {
    affine.for %j = 0 to min affine_map<(d0) -> (d0 + 1, 6)>(%i) {
      %v = affine.load %x[%i, %j] : memref<8x6xf32>
      affine.store %v, %y[%i, %j] : memref<8x6xf32>
    }
  }""")
    moved = np.zeros((8, 6))
    moved[1:8:2] = x[0:7:2, ::-1]
    yield buffers("affine.for-step", x, moved, """  affine.for %i = 0 to 8 step 2 {
    affine.for %j = 0 to 6 {
      %v = affine.load %x[%i, 5 - %j] : memref<8x6xf32>
      affine.store %v, %y[%i + 1, %j] : memref<8x6xf32>
    }
  }""")
    chosen = np.where((np.arange(8)[:, None] - np.arange(6)[None] - 2 >= 0) & (np.arange(6)[None] >= 1), x, -1.0)
    yield buffers("affine.if", x, chosen, """  %minus = arith.constant -1.0 : f32
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to 6 {
      %v = affine.load %x[%i, %j] : memref<8x6xf32>
      %w = affine.if affine_set<(d0, d1) : (d0 - d1 - 2 >= 0, d1 - 1 >= 0)>(%i, %j) -> f32 {
        affine.yield %v : f32
      } else {
        affine.yield %minus : f32
      }
      affine.store %w, %y[%i, %j] : memref<8x6xf32>
    }
  }""")
    numbers = np.zeros((8, 6))
    for i in range(8):
        numbers[i, :3] = [i * 3 - 2, min(i, 5, 2 * i - 3), max(i, 4)]
        numbers[i, 3:5] = divmod(i + 5, 4)
        numbers[i, 5] = i * 6 + 2
    store = lambda value, at: (f"    %{value}i = arith.index_cast %{value} : index to i64\n    %{value}f = arith.sitofp %{value}i : i64 to f32\n"
                               f"    memref.store %{value}f, %y[%i, %c{at}] : memref<8x6xf32>\n")
    yield buffers("affine.apply-min-max", x, numbers, "  affine.for %i = 0 to 8 {\n"
                  "    %p = affine.apply affine_map<(d0) -> (d0 * 3 - 2)>(%i)\n    %q = affine.min affine_map<(d0) -> (d0, 5, d0 * 2 - 3)>(%i)\n"
                  "    %m = affine.max affine_map<(d0) -> (d0, 4)>(%i)\n    %k = affine.apply affine_map<(d0) -> (d0 + 5)>(%i)\n"
                  "    %d:2 = affine.delinearize_index %k into (4, 4) : index, index\n    %l = affine.linearize_index [%i, %c2] by (8, 6) : index\n"
                  "    %d0 = arith.addi %d#0, %c0 : index\n    %d1 = arith.addi %d#1, %c0 : index\n"
                  + store("p", 0) + store("q", 1) + store("m", 2) + store("d0", 3) + store("d1", 4) + store("l", 5) + "  }")
    yield buffers("affine.parallel", x, x + 1, """  %one = arith.constant 1.0 : f32
  affine.parallel (%i, %j) = (0, 0) to (8, 6) {
    %v = affine.load %x[%i, %j] : memref<8x6xf32>
    %w = arith.addf %v, %one : f32
    affine.store %w, %y[%i, %j] : memref<8x6xf32>
  }""")
    rows = np.zeros((8, 6))
    rows[:, 0] = x.astype(np.float64).sum(1)
    yield buffers("affine.for-iter_args", x, rows, """  affine.for %i = 0 to 8 {
    %s = affine.for %j = 0 to 6 iter_args(%acc = %zero) -> (f32) {
      %v = affine.load %x[%i, %j] : memref<8x6xf32>
      %w = arith.addf %acc, %v : f32
      affine.yield %w : f32
    }
    affine.store %s, %y[%i, 0] : memref<8x6xf32>
  }""", 1e-5, 1e-6)
    halves = np.zeros((8, 6))
    halves[:, 1:5] = x[:, 2:6]
    yield buffers("affine.vector_load", x, halves, """  affine.for %i = 0 to 8 {
    %v = affine.vector_load %x[%i, 2] : memref<8x6xf32>, vector<4xf32>
    affine.vector_store %v, %y[%i, 1] : memref<8x6xf32>, vector<4xf32>
  }""")


def memory():
    x = normal(8, 6)
    expected = np.zeros((8, 6))
    expected[1:7:2, 2:4] = x[::3, 4:]
    yield buffers("memref.subview-copy", x, expected, """  %s = memref.subview %x[0, 4] [3, 2] [3, 1] : memref<8x6xf32> to memref<3x2xf32, strided<[18, 1], offset: 4>>
  %t = memref.subview %y[1, 2] [3, 2] [2, 1] : memref<8x6xf32> to memref<3x2xf32, strided<[12, 1], offset: 8>>
  memref.copy %s, %t : memref<3x2xf32, strided<[18, 1], offset: 4>> to memref<3x2xf32, strided<[12, 1], offset: 8>>""")
    turned = np.zeros((8, 6))
    turned[:6, :6] = x[:6].T
    yield buffers("memref.transpose", x, turned, """  %t = memref.transpose %x (i, j) -> (j, i) : memref<8x6xf32> to memref<6x8xf32, strided<[1, 6]>>
  scf.for %i = %c0 to %c6 step %c1 {
    scf.for %j = %c0 to %c6 step %c1 {
      %v = memref.load %t[%i, %j] : memref<6x8xf32, strided<[1, 6]>>
      memref.store %v, %y[%i, %j] : memref<8x6xf32>
    }
  }""")
    flat = np.zeros(48)
    flat[:24] = x.reshape(-1)[::2]
    yield buffers("memref.collapse_shape-expand_shape", x, flat.reshape(8, 6), """  %f = memref.collapse_shape %x [[0, 1]] : memref<8x6xf32> into memref<48xf32>
  %g = memref.collapse_shape %y [[0, 1]] : memref<8x6xf32> into memref<48xf32>
  %e = memref.expand_shape %f [[0, 1]] output_shape [24, 2] : memref<48xf32> into memref<24x2xf32>
  affine.for %i = 0 to 24 {
    %v = memref.load %e[%i, %c0] : memref<24x2xf32>
    memref.store %v, %g[%i] : memref<48xf32>
  }""")
    yield buffers("memref.reinterpret_cast", x, np.concatenate([x.reshape(-1)[5:45].reshape(8, 5)[:, :5], np.zeros((8, 1))], 1),
                  """  %t = memref.reinterpret_cast %x to offset: [5], sizes: [8, 5], strides: [5, 1] : memref<8x6xf32> to memref<8x5xf32, strided<[5, 1], offset: 5>>
  affine.for %i = 0 to 8 {
    affine.for %j = 0 to 5 {
      %v = memref.load %t[%i, %j] : memref<8x5xf32, strided<[5, 1], offset: 5>>
      memref.store %v, %y[%i, %j] : memref<8x6xf32>
    }
  }""")
    sums = np.zeros((8, 6))
    whole = (np.arange(48).reshape(8, 6) % 5).astype(np.float32)
    sums[0, 0], sums[0, 1] = whole.sum(), whole.max()
    yield buffers("memref.atomic_rmw", whole, sums, """  affine.for %i = 0 to 8 {
    affine.for %j = 0 to 6 {
      %v = affine.load %x[%i, %j] : memref<8x6xf32>
      %0 = memref.atomic_rmw addf %v, %y[%c0, %c0] : (f32, memref<8x6xf32>) -> f32
      %1 = memref.atomic_rmw maximumf %v, %y[%c0, %c1] : (f32, memref<8x6xf32>) -> f32
    }
  }""")
    scratch = np.zeros((8, 6))
    scratch[2] = x[2] * 2
    yield buffers("memref.alloca-dim", x, scratch, """  %t = memref.alloca() : memref<6xf32>
  %n = memref.dim %x, %c1 : memref<8x6xf32>
  scf.for %j = %c0 to %n step %c1 {
    %v = memref.load %x[%c2, %j] : memref<8x6xf32>
    %w = arith.addf %v, %v : f32
    memref.store %w, %t[%j] : memref<6xf32>
  }
  scf.for %j = %c0 to %n step %c1 {
    %v = memref.load %t[%j] : memref<6xf32>
    memref.store %v, %y[%c2, %j] : memref<8x6xf32>
  }""")


def vectors():
    x = normal(8, 6)

    def per_row(name, compute, result, rtol=0.0, atol=0.0, given=x):
        """`compute` makes %w : vector<4xf32> of %v, the first four elements of a row."""
        expected = np.zeros((8, 6))
        expected[:, :4] = np.array([result(row[:4].astype(np.float64), i) for i, row in enumerate(given)])
        return buffers(f"vector.{name}", given, expected, "  affine.for %i = 0 to 8 {\n    %v = vector.load %x[%i, %c0] : memref<8x6xf32>, vector<4xf32>\n" + compute +
                       "\n    vector.store %w, %y[%i, %c0] : memref<8x6xf32>, vector<4xf32>\n  }", rtol, atol)

    f4 = "vector<4xf32>"
    yield per_row("shuffle", f"    %w = vector.shuffle %v, %v [3, 0, 6, 1] : {f4}, {f4}", lambda v, i: v[[3, 0, 2, 1]])
    yield per_row("broadcast-extract", f"    %s = vector.extract %v[2] : f32 from {f4}\n    %w = vector.broadcast %s : f32 to {f4}", lambda v, i: np.full(4, v[2]))
    yield per_row("insert", f"    %s = vector.extract %v[0] : f32 from {f4}\n    %w = vector.insert %s, %v[3] : f32 into {f4}", lambda v, i: v[[0, 1, 2, 0]])
    whole = (np.arange(48).reshape(8, 6) % 9 - 4).astype(np.float32)
    for kind, f in {"add": np.sum, "mul": np.prod, "maximumf": np.max, "minimumf": np.min}.items():
        yield per_row(f"reduction-{kind}", f"    %s = vector.reduction <{kind}>, %v : {f4} into f32\n    %w = vector.broadcast %s : f32 to {f4}",
                      lambda v, i, f=f: np.full(4, f(v)), given=whole)
    yield per_row("transpose-shape_cast", f"    %m = vector.shape_cast %v : {f4} to vector<2x2xf32>\n    %t = vector.transpose %m, [1, 0] : vector<2x2xf32> to vector<2x2xf32>\n"
                  f"    %w = vector.shape_cast %t : vector<2x2xf32> to {f4}", lambda v, i: v[[0, 2, 1, 3]])
    yield per_row("interleave", f"    %e, %o = vector.deinterleave %v : {f4} -> vector<2xf32>\n    %w = vector.interleave %o, %e : vector<2xf32> -> {f4}",
                  lambda v, i: v[[1, 0, 3, 2]])
    yield per_row("extract_strided_slice", f"    %h = vector.extract_strided_slice %v {{offsets = [1], sizes = [2], strides = [1]}} : {f4} to vector<2xf32>\n"
                  f"    %w = vector.insert_strided_slice %h, %v {{offsets = [2], strides = [1]}} : vector<2xf32> into {f4}", lambda v, i: v[[0, 1, 1, 2]])
    yield per_row("fma-step", f"    %n = vector.step : vector<4xindex>\n    %l = arith.index_cast %n : vector<4xindex> to vector<4xi32>\n"
                  f"    %g = arith.sitofp %l : vector<4xi32> to {f4}\n    %w = vector.fma %v, %g, %v : {f4}", lambda v, i: v * np.arange(4) + v, 1e-6, 1e-6)
    yield per_row("maskedload", f"    %k = vector.create_mask %c2 : vector<4xi1>\n    %w = vector.maskedload %x[%i, %c1], %k, %v : memref<8x6xf32>, vector<4xi1>, {f4} into {f4}",
                  lambda v, i: np.array([x[i, 1], x[i, 2], v[2], v[3]]))
    yield per_row("constant_mask", f"    %k = vector.constant_mask [3] : vector<4xi1>\n    %o = arith.negf %v : {f4}\n    %w = arith.select %k, %o, %v : vector<4xi1>, {f4}",
                  lambda v, i: np.array([-v[0], -v[1], -v[2], v[3]]))
    yield per_row("gather", f"    %p = arith.constant dense<[5, 0, 3, 3]> : vector<4xi32>\n    %k = vector.constant_mask [4] : vector<4xi1>\n"
                  f"    %w = vector.gather %x[%i, %c0] [%p], %k, %v : memref<8x6xf32>, vector<4xi32>, vector<4xi1>, {f4} into {f4}",
                  lambda v, i: x[i][[5, 0, 3, 3]])
    yield per_row("scan", f"    %z = arith.constant dense<0.0> : vector<1xf32>\n    %m = vector.shape_cast %v : {f4} to vector<1x4xf32>\n"
                  f"    %s, %last = vector.scan <add>, %m, %z {{inclusive = true, reduction_dim = 1 : i64}} : vector<1x4xf32>, vector<1xf32>\n"
                  f"    %w = vector.shape_cast %s : vector<1x4xf32> to {f4}", lambda v, i: np.cumsum(v), 1e-5, 1e-6)
    yield per_row("from_elements", f"    %q:4 = vector.to_elements %v : {f4}\n    %w = vector.from_elements %q#3, %q#2, %q#1, %q#0 : {f4}", lambda v, i: v[::-1])
    yield per_row("bitcast", f"    %b = vector.bitcast %v : {f4} to vector<4xi32>\n    %m = arith.constant dense<0x7fffffff> : vector<4xi32>\n"
                  f"    %k = arith.andi %b, %m : vector<4xi32>\n    %w = vector.bitcast %k : vector<4xi32> to {f4}", lambda v, i: np.abs(v))
    yield per_row("multi_reduction", f"    %z = arith.constant dense<0.0> : vector<2xf32>\n    %m = vector.shape_cast %v : {f4} to vector<2x2xf32>\n"
                  f"    %s = vector.multi_reduction <add>, %m, %z [0] : vector<2x2xf32> to vector<2xf32>\n    %w = vector.shuffle %s, %s [0, 1, 2, 3] : vector<2xf32>, vector<2xf32>",
                  lambda v, i: np.tile([v[0] + v[2], v[1] + v[3]], 2), given=whole)
    edge = np.zeros((8, 6))
    edge[:, :4] = np.pad(x[:, 4:], [(0, 0), (0, 2)], constant_values=9.5)
    yield buffers("vector.transfer_read-padded", x, edge, """  %p = arith.constant 9.5 : f32
  affine.for %i = 0 to 8 {
    %v = vector.transfer_read %x[%i, %c4], %p : memref<8x6xf32>, vector<4xf32>
    vector.transfer_write %v, %y[%i, %c0] {in_bounds = [true]} : vector<4xf32>, memref<8x6xf32>
  }""")
    product = np.zeros((8, 6))
    product[:2, :2] = x[:2, :3].astype(np.float64) @ x[2:4, :3].T
    yield buffers("vector.contract", x, product, """  %p = arith.constant dense<0.0> : vector<2x2xf32>
  %l = vector.transfer_read %x[%c0, %c0], %zero {in_bounds = [true, true]} : memref<8x6xf32>, vector<2x3xf32>
  %m = vector.transfer_read %x[%c2, %c0], %zero {in_bounds = [true, true]} : memref<8x6xf32>, vector<2x3xf32>
  %q = vector.contract {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (j, k)>, affine_map<(i, j, k) -> (i, j)>],
    iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>} %l, %m, %p : vector<2x3xf32>, vector<2x3xf32> into vector<2x2xf32>
  vector.transfer_write %q, %y[%c0, %c0] {in_bounds = [true, true]} : vector<2x2xf32>, memref<8x6xf32>""", 1e-5, 1e-6)
    outer = np.zeros((8, 6))
    outer[:4, :4] = np.outer(x[0, :4].astype(np.float64), x[1, :4])
    yield buffers("vector.outerproduct", x, outer, """  %l = vector.load %x[%c0, %c0] : memref<8x6xf32>, vector<4xf32>
  %m = vector.load %x[%c1, %c0] : memref<8x6xf32>, vector<4xf32>
  %q = vector.outerproduct %l, %m : vector<4xf32>, vector<4xf32>
  vector.transfer_write %q, %y[%c0, %c0] {in_bounds = [true, true]} : vector<4x4xf32>, memref<8x6xf32>""", 1e-6, 1e-7)


def cases():
    for part in (structured, unstructured, affine, memory, vectors):
        yield from part()
