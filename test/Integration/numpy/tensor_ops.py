"""Ops of tensor, bufferization and ml_program, after their ODS."""
import numpy as np

from check import case, function
from scalar_ops import ints

RNG = np.random.default_rng(23)

WITHOUT = {
    "tensor.scatter": "test/Integration/gather-scatter.mlir runs it",
}


def normal(*shape):
    return RNG.standard_normal(shape).astype(np.float32)


def row(name, inputs, expected, body, dynamic=False, top=""):
    outs = "rstu"[:len(expected)]
    return case(name, function(inputs, expected, body + f"\n  return {', '.join('%' + n for n in outs)} : {', '.join('$' + n for n in outs)}", dynamic),
                inputs, expected, 0.0, 0.0, top)


def typed(name, arguments, results, body, inputs, expected, top=""):
    return case(name, f"func.func @NAME({arguments}) -> {results} {{\n{body}\n}}\n", inputs, expected, top=top)


def slices():
    x = normal(6, 8)
    for label, offsets, sizes, strides in (("plain", (1, 2), (3, 4), (1, 1)), ("strided", (0, 1), (3, 3), (2, 3)), ("one", (5, 7), (1, 1), (1, 1)),
                                           ("whole", (0, 0), (6, 8), (1, 1)), ("empty", (2, 3), (0, 4), (1, 1))):
        cut = tuple(slice(o, o + (n - 1) * s + 1 if n else o, s) for o, n, s in zip(offsets, sizes, strides))
        text = f"[{offsets[0]}, {offsets[1]}] [{sizes[0]}, {sizes[1]}] [{strides[0]}, {strides[1]}]"
        yield row(f"tensor.extract_slice-{label}", [x], [x[cut]], f"  %r = tensor.extract_slice %a{text} : $a to $r")
        new, result = normal(*sizes), x.copy()
        result[cut] = new
        yield row(f"tensor.insert_slice-{label}", [new, x], [result], f"  %r = tensor.insert_slice %a into %b{text} : $a into $b")
    yield row("tensor.extract_slice-rank-reduced", [x], [x[2, 1:6:2]], "  %r = tensor.extract_slice %a[2, 1] [1, 3] [1, 2] : $a to $r")
    column = normal(6)
    result = x.copy()
    result[:, 3] = column
    yield row("tensor.insert_slice-rank-reduced", [column, x], [result], "  %r = tensor.insert_slice %a into %b[0, 3] [6, 1] [1, 1] : $a into $b")
    body = """  %r = tensor.extract_slice %a[%o, 0] [%n, 8] [%s, 1] : tensor<?x8xf32> to tensor<?x8xf32>
  return %r : tensor<?x8xf32>"""
    for offset, count, step in ((0, 6, 1), (1, 2, 3), (5, 1, 1), (3, 0, 1)):
        yield typed(f"tensor.extract_slice-at-{offset}-{count}-{step}", "%a: tensor<?x8xf32>, %o: index, %n: index, %s: index", "tensor<?x8xf32>", body,
                    [x, np.array(offset), np.array(count), np.array(step)], [x[offset:offset + (count - 1) * step + 1 if count else offset:step]])
    chain = """  %0 = tensor.extract_slice %a[1, 1] [4, 6] [1, 1] : $a to tensor<4x6xf32>
  %1 = tensor.extract_slice %0[0, 1] [2, 3] [2, 2] : tensor<4x6xf32> to tensor<2x3xf32>
  %r = tensor.extract_slice %1[1, 0] [1, 3] [1, 1] : tensor<2x3xf32> to $r"""
    yield row("tensor.extract_slice-chain", [x], [x[1:5, 1:7][0:4:2, 1:6:2][1]], chain)


def shapes():
    x = normal(2, 3, 4)
    yield row("tensor.collapse_shape", [x], [x.reshape(2, 12)], "  %r = tensor.collapse_shape %a [[0], [1, 2]] : $a into $r")
    yield row("tensor.collapse_shape-scalar", [x[:1, :1, :1]], [x[0, 0, 0]], "  %r = tensor.collapse_shape %a [] : $a into $r")
    yield row("tensor.expand_shape", [x], [x.reshape(2, 3, 2, 1, 2)], "  %r = tensor.expand_shape %a [[0], [1], [2, 3, 4]] output_shape [2, 3, 2, 1, 2] : $a into $r")
    body = """  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %n = tensor.dim %a, %c0 : tensor<?x4xf32>
  %h = arith.divui %n, %c2 : index
  %0 = tensor.expand_shape %a [[0, 1], [2]] output_shape [%h, 2, 4] : tensor<?x4xf32> into tensor<?x2x4xf32>
  %r = tensor.collapse_shape %0 [[0], [1, 2]] : tensor<?x2x4xf32> into tensor<?x8xf32>
  return %r : tensor<?x8xf32>"""
    yield typed("tensor.expand_shape-dynamic", "%a: tensor<?x4xf32>", "tensor<?x8xf32>", body, [x[0, :2]], [x[0, :2].reshape(1, 8)])
    yield row("tensor.reshape", [x, np.array([4, 6])], [x.reshape(4, 6)], "  %r = tensor.reshape %a(%b) : ($a, $b) -> $r")
    yield typed("tensor.reshape-dynamic", "%a: tensor<2x3x4xf32>, %b: tensor<2xi32>", "tensor<?x?xf32>",
                "  %r = tensor.reshape %a(%b) : (tensor<2x3x4xf32>, tensor<2xi32>) -> tensor<?x?xf32>\n  return %r : tensor<?x?xf32>",
                [x, np.array([3, 8], np.int32)], [x.reshape(3, 8)])
    yield typed("tensor.cast-dim-rank", "%a: tensor<2x3x4xf32>", "(tensor<?x3x?xf32>, index, index)",
                "  %r = tensor.cast %a : tensor<2x3x4xf32> to tensor<?x3x?xf32>\n  %c2 = arith.constant 2 : index\n  %d = tensor.dim %r, %c2 : tensor<?x3x?xf32>\n"
                "  %k = tensor.rank %r : tensor<?x3x?xf32>\n  return %r, %d, %k : tensor<?x3x?xf32>, index, index", [x], [x, np.array(4), np.array(3)])
    yield row("tensor.bitcast", [ints(np.int32)], [ints(np.int32)[:9].view(np.float32)],
              "  %0 = tensor.extract_slice %a[0] [9] [1] : $a to tensor<9xi32>\n  %r = tensor.bitcast %0 : tensor<9xi32> to $r")
    yield row("tensor.concat", [x, x[:1]], [np.concatenate([x, x[:1], x], 0)], "  %r = tensor.concat dim(0) %a, %b, %a : ($a, $b, $a) -> $r")
    yield row("tensor.concat-last", [x, x[..., :1]], [np.concatenate([x, x[..., :1]], 2)], "  %r = tensor.concat dim(2) %a, %b : ($a, $b) -> $r")
    pad = "\n  ^bb0(%i: index, %j: index, %k: index):\n    tensor.yield %v : f32\n  } : $a to $r"
    yield row("tensor.pad", [x], [np.pad(x, [(0, 1), (2, 0), (1, 1)], constant_values=-3.5)],
              "  %v = arith.constant -3.5 : f32\n  %r = tensor.pad %a low[0, 2, 1] high[1, 0, 1] {" + pad)
    yield row("tensor.pad-nothing", [x], [x], "  %v = arith.constant -3.5 : f32\n  %r = tensor.pad %a low[0, 0, 0] high[0, 0, 0] {" + pad)
    yield row("tensor.splat", [x[0, 0, 0]], [np.full((3, 2), x[0, 0, 0])], "  %0 = tensor.extract %a[] : $a\n  %r = tensor.splat %0 : $r")
    small = normal(4)
    yield row("tensor.from_elements", [small], [small[[3, 1, 1, 0]].reshape(2, 2)],
              "  %c0 = arith.constant 0 : index\n  %c1 = arith.constant 1 : index\n  %c3 = arith.constant 3 : index\n  %0 = tensor.extract %a[%c0] : $a\n"
              "  %1 = tensor.extract %a[%c1] : $a\n  %3 = tensor.extract %a[%c3] : $a\n  %r = tensor.from_elements %3, %1, %1, %0 : $r")
    yield row("tensor.generate", [small], [np.add.outer(np.arange(3), np.arange(4)).astype(np.float32) + small],
              "  %r = tensor.generate {\n  ^bb0(%i: index, %j: index):\n    %0 = arith.addi %i, %j : index\n    %1 = arith.index_cast %0 : index to i64\n"
              "    %2 = arith.sitofp %1 : i64 to f32\n    %3 = tensor.extract %a[%j] : $a\n    %4 = arith.addf %2, %3 : f32\n    tensor.yield %4 : f32\n  } : $r")
    changed = small.copy()
    changed[2] = small[0]
    yield row("tensor.insert-extract", [small], [changed], "  %c0 = arith.constant 0 : index\n  %c2 = arith.constant 2 : index\n  %0 = tensor.extract %a[%c0] : $a\n"
              "  %r = tensor.insert %0 into %a[%c2] : $a")
    yield row("tensor.empty", [small], [small], "  %0 = tensor.empty() : $a\n  %r = tensor.insert_slice %a into %0[0] [4] [1] : $a into $a")
    deep = normal(1, 2, 1, 3, 1, 2, 1, 2)
    yield row("tensor.collapse-deep", [deep], [deep.reshape(2, 3, 4)], "  %r = tensor.collapse_shape %a [[0, 1, 2], [3, 4], [5, 6, 7]] : $a into $r")


def others():
    x = normal(3, 4)
    yield row("bufferization.alloc_tensor", [x], [-x], "  %0 = bufferization.alloc_tensor() copy(%a) : $a\n  %r = arith.negf %0 : $a")
    yield row("bufferization.materialize", [x, x + 1], [x], "  %r = bufferization.materialize_in_destination %a in %b : ($a, $b) -> $r")
    yield row("bufferization.to_buffer", [x], [x * 2], "  %m = bufferization.to_buffer %a read_only : $a to memref<3x4xf32>\n"
              "  %t = bufferization.to_tensor %m restrict : memref<3x4xf32> to $a\n  %r = arith.addf %t, %a : $a")
    yield row("ml_program.global", [x], [x + np.float32(1.5)], "  %g = ml_program.global_load_const @weights_GLOBAL : tensor<3x4xf32>\n  %r = arith.addf %a, %g : $a",
              top="ml_program.global private @weights_GLOBAL(dense<1.5> : tensor<3x4xf32>) : tensor<3x4xf32>\n")
    yield row("memref.get_global", [np.array([2])], [np.array([30.0], np.float32)],
              "  %c0 = arith.constant 0 : index\n  %0 = tensor.extract %a[%c0] : $a\n  %i = arith.index_cast %0 : i64 to index\n"
              "  %m = memref.get_global @table_GLOBAL : memref<4xf32>\n  %v = memref.load %m[%i] : memref<4xf32>\n  %r = tensor.from_elements %v : $r",
              top="memref.global \"private\" constant @table_GLOBAL : memref<4xf32> = dense<[10.0, 20.0, 30.0, 40.0]>\n")


def cases():
    for part in (slices, shapes, others):
        yield from part()
