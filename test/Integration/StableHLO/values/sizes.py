"""The table of sizes that are known when the program runs: operands get dynamic types by dynamic_reshape, to a shape that is an argument.

Each case returns the elements of its result, and its sizes.
"""
import itertools

import numpy as np

import specification as spec
from cases import Case, Result
from elements import BY_NAME, F32, I1, tensor

I32, I64, UI8 = BY_NAME["i32"], BY_NAME["i64"], BY_NAME["ui8"]


def dynamic(element, rank_or_shape):
    sizes = ["?"] * rank_or_shape if isinstance(rank_or_shape, int) else ["?" if n is None else str(n) for n in rank_or_shape]
    return "tensor<" + "".join(f"{n}x" for n in sizes) + element.name + ">"


def case(name, text, operands, result, expected, known=None, ulps=0):
    """`text` makes %r, of the type `known`, of %x, %y and %z: triples of element, array and type; of static type where that is None."""
    expected = np.asarray(expected, result.held)
    given, lines = [], []
    for value, (element, array, kind) in zip("xyzuvw", operands):
        array = np.asarray(array)
        letter = "abcdefgh"[len(given)]
        given.append((element, array))
        if kind is None:
            lines.append(f"%{value} = stablehlo.reshape %{letter} : ({tensor(element, array.shape)}) -> {tensor(element, array.shape)}")
            continue
        shape = "abcdefgh"[len(given)]
        given.append((I64, np.array(array.shape, np.int64)))
        lines.append(f"%{value} = stablehlo.dynamic_reshape %{letter}, %{shape} : ({tensor(element, array.shape)}, {tensor(I64, (array.ndim,))}) -> {kind}")
    rank, kind = expected.ndim, known or dynamic(result, expected.ndim)
    lines += [text, f"%flat = stablehlo.reshape %r : ({kind}) -> {tensor(result, (expected.size,))}"]
    for dim in range(rank):
        lines += [f"%n{dim} = stablehlo.get_dimension_size %r, dim = {dim} : ({kind}) -> tensor<i32>", f"%m{dim} = stablehlo.reshape %n{dim} : (tensor<i32>) -> tensor<1xi32>"]
    ones = ", ".join(["tensor<1xi32>"] * rank)
    lines += [f"%sizes = stablehlo.concatenate {', '.join(f'%m{d}' for d in range(rank))}, dim = 0 : ({ones}) -> {tensor(I32, (rank,))}",
              f"%0:2 = stablehlo.optimization_barrier %flat, %sizes : {tensor(result, (expected.size,))}, {tensor(I32, (rank,))}"]
    return Case(f"sizes {name}", given, "\n  ".join(lines), Result(result, expected.reshape(-1), ulps), Result(I32, np.array(expected.shape, np.int32)))


X = np.arange(12, dtype=np.float32).reshape(3, 4) - 4
Y = (np.arange(12, dtype=np.float32) * 0.5).reshape(3, 4)[::-1].copy()
D2 = dynamic(F32, 2)


def elementwise():
    two = [(F32, X, D2), (F32, Y, D2)]
    yield case("add", f"%r = stablehlo.add %x, %y : {D2}", two, F32, X + Y)
    yield case("clamp", f"%r = stablehlo.clamp %y, %x, %y : {D2}", two, F32, np.minimum(np.maximum(X, Y), Y))
    yield case("compare and select", f"%p = stablehlo.compare LT, %x, %y, FLOAT : ({D2}, {D2}) -> {dynamic(I1, 2)}\n  %r = stablehlo.select %p, %x, %y : {dynamic(I1, 2)}, {D2}", two,
               F32, np.minimum(X, Y))
    yield case("convert to ui8", f"%s = stablehlo.abs %x : {D2}\n  %r = stablehlo.convert %s : ({D2}) -> {dynamic(UI8, 2)}", two[:1], UI8, np.abs(X))
    yield case("cbrt", f"%r = stablehlo.cbrt %x : {D2}", two[:1], F32, np.cbrt(X.astype(np.longdouble)), ulps=2)
    yield case("is_finite", f"%r = stablehlo.is_finite %x : ({D2}) -> {dynamic(I1, 2)}", two[:1], I1, np.isfinite(X))
    yield case("reverse", f"%r = stablehlo.reverse %x, dims = [1] : {D2}", two[:1], F32, X[:, ::-1])
    yield case("transpose", f"%r = stablehlo.transpose %x, dims = [1, 0] : ({D2}) -> {D2}", two[:1], F32, X.T)
    yield case("concatenate", f"%r = stablehlo.concatenate %x, %y, dim = 1 : ({D2}, {D2}) -> {D2}", two, F32, np.concatenate([X, Y], 1))


def shapes():
    size = np.array([3, 4], np.int64)
    for rows, columns in ((3, 1), (1, 4), (1, 1), (3, 4)):
        part = X[:rows, :columns]
        yield case(f"dynamic_broadcast_in_dim of {rows}x{columns}", f"%r = stablehlo.dynamic_broadcast_in_dim %x, %y, dims = [0, 1] : ({D2}, tensor<2xi64>) -> {D2}",
                   [(F32, part, D2), (I64, size, None)], F32, np.broadcast_to(part, (3, 4)))
        yield case(f"dynamic_broadcast_in_dim of static {rows}x{columns}",
                   f"%r = stablehlo.dynamic_broadcast_in_dim %x, %y, dims = [1, 0] : ({tensor(F32, part.shape)}, tensor<2xi64>) -> {D2}",
                   [(F32, part, None), (I64, size[::-1].copy(), None)], F32, np.broadcast_to(part, (3, 4)).T)
    yield case("dynamic_broadcast_in_dim of a scalar", f"%s = stablehlo.reshape %x : (tensor<1xf32>) -> tensor<f32>\n  "
               f"%r = stablehlo.dynamic_broadcast_in_dim %s, %y, dims = [] : (tensor<f32>, tensor<2xi64>) -> {D2}", [(F32, X[0, :1], None), (I64, size, None)], F32,
               np.full((3, 4), X[0, 0]))
    yield case("broadcast_in_dim", f"%r = stablehlo.broadcast_in_dim %x, dims = [0, 2] : ({D2}) -> {dynamic(F32, (None, 5, None))}", [(F32, X, D2)], F32,
               np.broadcast_to(X[:, None], (3, 5, 4)), dynamic(F32, (None, 5, None)))
    yield case("reshape to one dynamic size", f"%r = stablehlo.reshape %x : ({D2}) -> {dynamic(F32, (None, 2))}", [(F32, X, D2)], F32, X.reshape(6, 2), dynamic(F32, (None, 2)))
    for shape in ((2, 6), (12,), (2, 3, 2), (1, 12, 1)):
        yield case(f"dynamic_reshape to {shape}", f"%r = stablehlo.dynamic_reshape %x, %y : ({D2}, {tensor(I64, (len(shape),))}) -> {dynamic(F32, len(shape))}",
                   [(F32, X, D2), (I64, np.array(shape, np.int64), None)], F32, X.reshape(shape))
    for e in (F32, I32, UI8):
        yield case(f"dynamic_iota {e.name}", f"%r = stablehlo.dynamic_iota %x, dim = 1 : (tensor<2xi64>) -> {dynamic(e, 2)}", [(I64, size, None)], e,
                   np.broadcast_to(np.arange(4), (3, 4)))


def padded(x, low, high, interior, value):
    shape = [n + a + b + max(n - 1, 0) * i for n, a, b, i in zip(x.shape, low, high, interior)]
    out = np.full(shape, value, x.dtype)
    for where in np.ndindex(*x.shape):
        at = tuple(a + p * (i + 1) for p, a, i in zip(where, low, interior))
        if all(0 <= p < n for p, n in zip(at, shape)):
            out[at] = x[where]
    return out


def movements():
    value = (F32, np.array([9], np.float32), None)
    for low, high, interior in (((1, 0), (0, 2), (0, 0)), ((0, 1), (1, 0), (2, 1)), ((-1, 2), (1, -3), (0, 1)), ((-2, -1), (-1, -1), (0, 0))):
        expected = padded(X, low, high, interior, 9)
        if not expected.size:
            continue
        text = f"%v = stablehlo.reshape %y : (tensor<1xf32>) -> tensor<f32>\n  "
        yield case(f"pad {low} {high} {interior}", text + f"%r = stablehlo.pad %x, %v, low = {list(low)}, high = {list(high)}, interior = {list(interior)} : ({D2}, tensor<f32>) -> {D2}",
                   [(F32, X, D2), value], F32, expected)
        lists = [(I64, np.array(v, np.int64), None) for v in (low, high)]
        yield case(f"dynamic_pad {low} {high} {interior}", text + f"%gaps = stablehlo.constant dense<{list(interior)}> : tensor<2xi64>\n  "
                   f"%r = stablehlo.dynamic_pad %x, %v, %z, %u, %gaps : ({D2}, tensor<f32>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> {D2}",
                   [(F32, X, D2), value, *lists], F32, expected)
    yield case("slice", f"%r = stablehlo.slice %x [1:3, 0:4:2] : ({D2}) -> {tensor(F32, (2, 2))}", [(F32, X, D2)], F32, X[1:3, ::2], tensor(F32, (2, 2)))
    for starts, limits, steps in (((0, 1), (2, 4), (1, 1)), ((1, 0), (3, 4), (1, 3)), ((0, 0), (3, 3), (2, 2))):
        expected = X[starts[0]:limits[0]:steps[0], starts[1]:limits[1]:steps[1]]
        yield case(f"real_dynamic_slice {starts} {limits} {steps}", f"%r = stablehlo.real_dynamic_slice %x, %y, %z, %u : ({D2}, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> {D2}",
                   [(F32, X, D2), *[(I64, np.array(v, np.int64), None) for v in (starts, limits, steps)]], F32, expected)
    for at in ((1, 1), (7, -3)):
        start = [min(max(at[0], 0), 1), min(max(at[1], 0), 1)]
        places = "".join(f"%i{d} = stablehlo.constant dense<{p}> : tensor<i32>\n  " for d, p in enumerate(at))
        yield case(f"dynamic_slice {at}", places + f"%r = stablehlo.dynamic_slice %x, %i0, %i1, sizes = [2, 3] : ({D2}, tensor<i32>, tensor<i32>) -> {tensor(F32, (2, 3))}",
                   [(F32, X, D2)], F32, X[start[0]:start[0] + 2, start[1]:start[1] + 3], tensor(F32, (2, 3)))
        update = -Y[:2, :3] - 50
        expected = X.copy()
        expected[start[0]:start[0] + 2, start[1]:start[1] + 3] = update
        yield case(f"dynamic_update_slice {at}", places + f"%r = stablehlo.dynamic_update_slice %x, %y, %i0, %i1 : ({D2}, {D2}, tensor<i32>, tensor<i32>) -> {D2}",
                   [(F32, X, D2), (F32, update, D2)], F32, expected)
    rows = np.array([[2], [0], [9], [-1]], np.int32)
    numbers = "#stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>"
    expected = X[np.clip(rows[:, 0], 0, 2)][:, :2]
    yield case("gather", f'%r = "stablehlo.gather"(%x, %y) {{dimension_numbers = {numbers}, slice_sizes = array<i64: 1, 2>}} : ({D2}, {dynamic(I32, (None, 1))}) -> {dynamic(F32, (None, 2))}',
               [(F32, X, D2), (I32, rows, dynamic(I32, (None, 1)))], F32, expected, dynamic(F32, (None, 2)))
    yield case("dynamic_gather", f'%r = "stablehlo.dynamic_gather"(%x, %y, %z) {{dimension_numbers = {numbers}}} : ({D2}, {dynamic(I32, (None, 1))}, tensor<2xi64>) -> {D2}',
               [(F32, X, D2), (I32, rows, dynamic(I32, (None, 1))), (I64, np.array([1, 2], np.int64), None)], F32, expected)


def combinations():
    zero = "%zero = stablehlo.constant dense<0.0> : tensor<f32>\n  "
    for op, expected in (("add", X.sum(1)), ("maximum", np.maximum(X.max(1), 0))):
        yield case(f"reduce {op}", zero + f"%r = stablehlo.reduce(%x init: %zero) applies stablehlo.{op} across dimensions = [1] : ({D2}, tensor<f32>) -> {dynamic(F32, 1)}",
                   [(F32, X, D2)], F32, expected)
    total = np.zeros(4, np.float32)
    for row in X:
        total = total + row * row
    yield case("reduce of squares", zero + f"%r = stablehlo.reduce(%x init: %zero) across dimensions = [0] : ({D2}, tensor<f32>) -> {dynamic(F32, 1)}\n"
               "   reducer(%p: tensor<f32>, %q: tensor<f32>) {\n    %s = stablehlo.multiply %q, %q : tensor<f32>\n    %t = stablehlo.add %p, %s : tensor<f32>\n"
               "    stablehlo.return %t : tensor<f32>\n  }", [(F32, X, D2)], F32, total)
    yield case("dot_general", f"%r = stablehlo.dot_general %x, %y, contracting_dims = [1] x [1] : ({D2}, {D2}) -> {D2}", [(F32, X, D2), (F32, Y, D2)], F32, X @ Y.T)
    a, b = np.arange(24, dtype=np.float32).reshape(2, 3, 4) - 9, np.arange(40, dtype=np.float32).reshape(2, 5, 4) % 7
    D3 = dynamic(F32, 3)
    yield case("dot_general of batches", f"%r = stablehlo.dot_general %x, %y, batching_dims = [0] x [0], contracting_dims = [2] x [2] : ({D3}, {D3}) -> {D3}",
               [(F32, a, D3), (F32, b, D3)], F32, np.einsum("bik,bjk->bij", a, b))
    yield case("dot_general of two dimensions", f"%r = stablehlo.dot_general %x, %y, contracting_dims = [0, 2] x [0, 2] : ({D3}, {D3}) -> {D2}",
               [(F32, a, D3), (F32, b, D3)], F32, np.einsum("bik,bjk->ij", a, b))
    i, j = a.astype(np.int32), b.astype(np.int32)
    yield case("dot_general of integers", f"%r = stablehlo.dot_general %x, %y, contracting_dims = [0, 2] x [0, 2] : ({dynamic(I32, 3)}, {dynamic(I32, 3)}) -> {dynamic(I32, 2)}",
               [(I32, i, dynamic(I32, 3)), (I32, j, dynamic(I32, 3))], I32, np.einsum("bik,bjk->ij", i, j))
    p, q = X > 2, Y < 1
    yield case("dot_general of i1", f"%r = stablehlo.dot_general %x, %y, contracting_dims = [1] x [1] : ({dynamic(I1, 2)}, {dynamic(I1, 2)}) -> {dynamic(I1, 2)}",
               [(I1, p, dynamic(I1, 2)), (I1, q, dynamic(I1, 2))], I1, p @ q.T)
    loop = f"""%n = stablehlo.constant dense<3> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %k0 = stablehlo.constant dense<0> : tensor<i32>
  %w:2 = stablehlo.while(%k = %k0, %v = %x) : tensor<i32>, {D2}
   cond {{
    %p = stablehlo.compare LT, %k, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }} do {{
    %k1 = stablehlo.add %k, %one : tensor<i32>
    %v1 = stablehlo.add %v, %x : {D2}
    stablehlo.return %k1, %v1 : tensor<i32>, {D2}
  }}
  %r = stablehlo.negate %w#1 : {D2}"""
    yield case("while", loop, [(F32, X, D2)], F32, -4 * X)
    size = f"""%n = stablehlo.get_dimension_size %x, dim = 0 : ({D2}) -> tensor<i32>
  %least = stablehlo.constant dense<1> : tensor<i32>
  %ok = stablehlo.compare GE, %n, %least, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
  stablehlo.custom_call @shape_assertion(%ok, %n) {{api_version = 2 : i32, error_message = "n >= 1, got {{0}}", has_side_effect = true}} : (tensor<i1>, tensor<i32>) -> ()
  %r = stablehlo.negate %x : {D2}"""
    yield case("shape_assertion", size, [(F32, X, D2)], F32, -X)


def element_types():
    """Types that are carried in others, whose constants have the sizes of the operands."""
    small, quantized = "tensor<?x?xf8E4M3FNUZ>", "tensor<?x?x!quant.uniform<i8:f32, 0.5:3>>"
    axis = "tensor<?x4x!quant.uniform<i8:f32:1, {0.5, 0.25, 1.0, 2.0}>>"
    yield case("small add", f"%s = stablehlo.convert %x : ({D2}) -> {small}\n  %t = stablehlo.add %s, %s : {small}\n  %r = stablehlo.convert %t : ({small}) -> {D2}", [(F32, X, D2)], F32, X + X)
    yield case("quantized add", f"%s = stablehlo.uniform_quantize %x : ({D2}) -> {quantized}\n  %t = stablehlo.add %s, %s : {quantized}\n  "
               f"%r = stablehlo.uniform_dequantize %t : ({quantized}) -> {D2}", [(F32, X, D2)], F32, X + X)
    part = dynamic(F32, (None, 4))
    yield case("quantized per axis", f"%s = stablehlo.uniform_quantize %x : ({part}) -> {axis}\n  %r = stablehlo.uniform_dequantize %s : ({axis}) -> {part}", [(F32, X, part)], F32,
               np.rint(X / np.array([0.5, 0.25, 1, 2])).astype(int) * np.array([0.5, 0.25, 1, 2]), part)
    z = X.astype(np.complex128) / 4 + 1j * Y
    pair = "tensor<?x?xcomplex<f32>>"
    for name, function in (("exponential", np.exp), ("logistic", lambda v: 1 / (1 + np.exp(-v)))):
        yield case(f"complex {name}", f"%q = stablehlo.constant dense<0.25> : tensor<f32>\n  %w = chlo.broadcast_multiply %x, %q : ({D2}, tensor<f32>) -> {D2}\n  "
                   f"%z = stablehlo.complex %w, %y : {pair}\n  %e = stablehlo.{name} %z : {pair}\n  %r = stablehlo.real %e : ({pair}) -> {D2}",
                   [(F32, X, D2), (F32, Y, D2)], F32, function(z).real, ulps=64)
    yield case("chlo.asin of complex", f"%z = stablehlo.complex %x, %y : {pair}\n  %e = chlo.asin %z : {pair} -> {pair}\n  %r = stablehlo.imag %e : ({pair}) -> {D2}",
               [(F32, X, D2), (F32, Y + 0.25, D2)], F32, np.arcsin(X.astype(np.complex128) + 1j * (Y + 0.25)).imag, ulps=8)


def broadcasts():
    """chlo.broadcast_*: as NumPy, where either operand's dimension may have the size 1, or not be there."""
    functions = {"add": np.add, "subtract": np.subtract, "multiply": np.multiply, "divide": np.divide, "maximum": np.maximum, "minimum": np.minimum}
    forms = [((3, 4), (3, 4)), ((3, 1), (3, 4)), ((3, 4), (1, 4)), ((3, 1), (1, 4)), ((1, 1), (3, 4)), ((4,), (3, 4)), ((3, 4), (1,)), ((), (3, 4)), ((3, 4), ()), ((1,), (3, 1))]
    for (name, function), (left, right) in zip(itertools.cycle(functions.items()), forms * 2):
        x, y = np.arange(np.prod(left, dtype=int), dtype=np.float32).reshape(left) - 3, (np.arange(np.prod(right, dtype=int), dtype=np.float32) + 2).reshape(right)
        rank = max(x.ndim, y.ndim)
        kind = dynamic(F32, rank)
        yield case(f"broadcast_{name} {left} {right}", f"%r = chlo.broadcast_{name} %x, %y : ({dynamic(F32, x.ndim)}, {dynamic(F32, y.ndim)}) -> {kind}",
                   [(F32, x, dynamic(F32, x.ndim) if x.ndim else None), (F32, y, dynamic(F32, y.ndim) if y.ndim else None)], F32, function(x, y))
    column = X[:, :1].reshape(3)
    yield case("broadcast_add of dimension 0", f"%r = chlo.broadcast_add %x, %y {{broadcast_dimensions = array<i64: 0>}} : ({dynamic(F32, 1)}, {D2}) -> {D2}",
               [(F32, column, dynamic(F32, 1)), (F32, Y, D2)], F32, column[:, None] + Y)
    yield case("broadcast_add of static and dynamic sizes", f"%r = chlo.broadcast_add %x, %y : ({tensor(F32, (1, 4))}, {dynamic(F32, (None, 1))}) -> {dynamic(F32, (None, 4))}",
               [(F32, X[:1], None), (F32, Y[:, :1], dynamic(F32, (None, 1)))], F32, X[:1] + Y[:, :1], dynamic(F32, (None, 4)))
    yield case("broadcast_compare", f"%r = chlo.broadcast_compare %x, %y {{comparison_direction = #chlo<comparison_direction GE>}} : ({D2}, {D2}) -> {dynamic(I1, 2)}",
               [(F32, X, D2), (F32, Y[:1], D2)], I1, X >= Y[:1])
    yield case("broadcast_select", f"%p = stablehlo.compare LT, %x, %x, FLOAT : ({D2}, {D2}) -> {dynamic(I1, 2)}\n  %q = stablehlo.not %p : {dynamic(I1, 2)}\n  "
               f"%r = chlo.broadcast_select %q, %x, %y : ({dynamic(I1, 2)}, {D2}, {D2}) -> {D2}", [(F32, X[:, :1], D2), (F32, Y, D2)], F32, np.broadcast_to(X[:, :1], (3, 4)))
    yield case("constant_like", f'%r = "chlo.constant_like"(%x) <{{value = 2.5 : f32}}> : ({D2}) -> {D2}', [(F32, X, D2)], F32, np.full((3, 4), 2.5))
    z = np.array([[3, 9, 1, 4], [7, 7, 8, -1], [0, 2, 5, 6]], np.float32)
    for part in (0, 1):
        order = np.argsort(-z, 1, kind="stable")[:, :2]
        kept = (F32, np.take_along_axis(z, order, 1), (None, 2)) if part == 0 else (I32, order, (None, 2))
        yield case(f"top_k {part}", f"%t:2 = chlo.top_k(%x, k = 2) : {D2} -> ({dynamic(F32, (None, 2))}, {dynamic(I32, (None, 2))})\n  %r = stablehlo.optimization_barrier %t#{part} : "
                   f"{dynamic(kept[0], (None, 2))}", [(F32, z, D2)], kept[0], kept[1], dynamic(kept[0], (None, 2)))
        yield case(f"dynamic_top_k {part}", f"%k = stablehlo.reshape %y : (tensor<1xi64>) -> tensor<i64>\n  %t:2 = stablehlo.custom_call @stablehlo.dynamic_top_k(%x, %k) : "
                   f"({D2}, tensor<i64>) -> ({D2}, {dynamic(I32, 2)})\n  %r = stablehlo.optimization_barrier %t#{part} : {dynamic(kept[0], 2)}",
                   [(F32, z, D2), (I64, np.array([2]), None)], kept[0], kept[1])


def convolutions():
    """The padding is an argument, or the operand has no static sizes."""
    x, w = (np.arange(40, dtype=np.float32) % 7 - 3).reshape(2, 5, 4, 1), (np.arange(12, dtype=np.float32) - 5).reshape(2, 3, 1, 2)
    numbers = "dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64"
    add = lambda total, a, b: total + a * b
    for padding, strides in ((((1, 0), (2, 1)), (1, 1)), (((-1, 0), (0, -1)), (1, 1)), (((0, 1), (1, 1)), (2, 1)), (((-4, 0), (0, 0)), (1, 1))):
        expected = spec.convolution(x, w, add, np.float32(0), strides, padding, (1, 1), (1, 1), (False, False), 1, 1)
        D4 = dynamic(F32, 4)
        operands = [(F32, x, D4), (F32, w, None), (I64, np.array(padding, np.int64), None)]
        yield case(f"dynamic_conv {padding} {strides}", f'%r = "stablehlo.dynamic_conv"(%x, %y, %z) <{{window_strides = array<i64: {strides[0]}, {strides[1]}>, {numbers}}}> : '
                   f"({D4}, {tensor(F32, w.shape)}, tensor<2x2xi64>) -> {D4}", operands, F32, expected)
    batch = dynamic(F32, (None, 5, 4, 1))
    expected = spec.convolution(x, w, add, np.float32(0), (1, 1), ((1, 1), (0, 2)), (1, 1), (1, 1), (False, False), 1, 1)
    yield case("convolution of a dynamic batch", f'%r = "stablehlo.convolution"(%x, %y) <{{padding = dense<[[1, 1], [0, 2]]> : tensor<2x2xi64>, {numbers}}}> : ({batch}, {tensor(F32, w.shape)}) -> '
               f"{dynamic(F32, (None, *expected.shape[1:]))}", [(F32, x, batch), (F32, w, None)], F32, expected, dynamic(F32, (None, *expected.shape[1:])))


def empty():
    """Sizes of 0 are only known when the program runs."""
    e, D1 = np.zeros((0,), np.float32), dynamic(F32, 1)
    none = np.zeros((0, 4), np.float32)
    add = "({\n  ^bb0(%p: tensor<f32>, %q: tensor<f32>):\n    %s = stablehlo.add %p, %q : tensor<f32>\n    stablehlo.return %s : tensor<f32>\n  })"
    ge = "({\n  ^bb0(%p: tensor<f32>, %q: tensor<f32>):\n    %s = stablehlo.compare GE, %p, %q : (tensor<f32>, tensor<f32>) -> tensor<i1>\n    stablehlo.return %s : tensor<i1>\n  }"
    c = "%init = stablehlo.constant dense<3.0> : tensor<f32>\n  "
    yield case("sort of no lines", f'%r = "stablehlo.sort"(%x) <{{dimension = 1 : i64}}> {ge}) : ({D2}) -> {D2}', [(F32, none, D2)], F32, none)
    yield case("sort of no elements", f'%s = "stablehlo.sort"(%x) <{{dimension = 0 : i64}}> {ge}) : ({D1}) -> {D1}\n  %r = stablehlo.concatenate %s, %y, dim = 0 : ({D1}, {D1}) -> {D1}',
               [(F32, e, D1), (F32, X[0], D1)], F32, X[0])
    numbers = "scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>"
    yield case("scatter to no elements", f'%s = "stablehlo.scatter"(%x, %y, %z) <{{{numbers}}}> {add} : ({D1}, {dynamic(I32, (None, 1))}, {D1}) -> {D1}\n  '
               f"%r = stablehlo.concatenate %s, %z, dim = 0 : ({D1}, {D1}) -> {D1}", [(F32, e, D1), (I32, np.array([[0], [1]], np.int32), dynamic(I32, (None, 1))), (F32, X[0, :2], D1)],
               F32, X[0, :2])
    yield case("scatter of no updates", f'%r = "stablehlo.scatter"(%x, %y, %z) <{{{numbers}}}> {add} : ({D1}, {dynamic(I32, (None, 1))}, {D1}) -> {D1}',
               [(F32, X[0], D1), (I32, np.zeros((0, 1), np.int32), dynamic(I32, (None, 1))), (F32, e, D1)], F32, X[0])
    yield case("reduce of no elements", c + f"%r = stablehlo.reduce(%x init: %init) applies stablehlo.add across dimensions = [0] : ({D2}, tensor<f32>) -> {D1}", [(F32, none, D2)], F32,
               np.full(4, 3))
    yield case("reduce_window of too few elements", c + f'%w = "stablehlo.reduce_window"(%x, %init) <{{window_dimensions = array<i64: 9>}}> {add} : ({D1}, tensor<f32>) -> {D1}\n  '
               f"%r = stablehlo.concatenate %w, %x, dim = 0 : ({D1}, {D1}) -> {D1}", [(F32, X[0], D1)], F32, X[0])
    yield case("select_and_scatter of no elements", c + f'%w = "stablehlo.select_and_scatter"(%x, %y, %init) <{{window_dimensions = array<i64: 2>, padding = dense<[[1, 1]]> : tensor<1x2xi64>}}> '
               f"{ge}, {add[1:]} : ({D1}, {D1}, tensor<f32>) -> {D1}\n  %r = stablehlo.concatenate %w, %y, dim = 0 : ({D1}, {D1}) -> {D1}",
               [(F32, e, D1), (F32, X[0, :1], D1)], F32, X[0, :1])
    yield case("pad of no elements", c + f"%r = stablehlo.pad %x, %init, low = [1], high = [2], interior = [4] : ({D1}, tensor<f32>) -> {D1}", [(F32, e, D1)], F32, np.full(3, 3))


def all_cases():
    for table in (elementwise, shapes, movements, combinations, element_types, broadcasts, convolutions, empty):
        yield from table()
