"""The table of sizes that are known when the program runs: operands get dynamic types by dynamic_reshape, to a shape that is an argument.

Each case returns the elements of its result, and its sizes.
"""
import numpy as np

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


def all_cases():
    for table in (elementwise, shapes, movements, combinations):
        yield from table()
