"""The dialect complex, and complex elements in linalg, tensor, memref, affine, scf, cf and func."""
import numpy as np

from check import case

RNG = np.random.default_rng(31)
WITHOUT = {}
WIDE = {"f32": np.complex128, "f64": np.clongdouble}
PART = {"f32": np.float32, "f64": np.float64}
ROUNDINGS = {"f32": 2.0**-22, "f64": 2.0**-49}


def numbers(*shape, kind="f32"):
    z = RNG.standard_normal(shape) + 1j * RNG.standard_normal(shape)
    return (z.real.astype(PART[kind]) + 1j * z.imag.astype(PART[kind])).astype(WIDE[kind])


def parts(z, kind="f32"):
    z = np.asarray(z)
    return [np.array(z.real, dtype=PART[kind], order="C"), np.array(z.imag, dtype=PART[kind], order="C")]


def whole(z, kind="f32"):
    """`z` as callers pass it."""
    return np.asarray(z).astype({"f32": np.complex64, "f64": np.complex128}[kind])


def flat(values, kind="f32"):
    """`values`, of which complex ones are compared as two arrays."""
    return [array for value in values for array in (parts(value, kind) if np.iscomplexobj(value) else [value])]


def program(name, text, inputs, expected, kind="f32", roundings=4, top=""):
    scale = max([1.0] + [float(np.nanmax(np.where(np.isfinite(np.abs(e)), np.abs(e), 0))) for e in expected if np.asarray(e).dtype.kind in "fc"])
    unit = ROUNDINGS[kind] * roundings
    passed = [whole(value, kind) if np.iscomplexobj(value) else value for value in inputs]
    return case(name, text, passed, flat(expected, kind), rtol=unit, atol=unit * scale, top=top)


# Both sides of every cut, zeros of both parts, large and small numbers, and the unit circle.
def edges(kind):
    axis = [0.0, 0.5, -0.5, 1.0, -1.0, 2.75, -2.75]
    grid = [complex(a, b) for a in axis for b in axis]
    z = np.array(grid, dtype=WIDE[kind])
    return np.concatenate([z, numbers(15, kind=kind), WIDE[kind]([3 + 4j, 1e-3 + 1e-3j, 12 - 7j])])


def power(z, w):
    return np.where(z == 0, np.where(w == 0, 1, 0), np.exp(w * np.log(np.where(z == 0, 1, z))))


UNARY = {
    "abs": np.abs, "angle": np.angle, "conj": np.conj, "cos": np.cos, "exp": np.exp, "expm1": np.expm1, "log": np.log, "log1p": np.log1p,
    "neg": np.negative, "rsqrt": lambda z: 1 / np.sqrt(z), "sign": lambda z: np.where(z == 0, 0, z / np.where(z == 0, 1, np.abs(z))),
    "sin": np.sin, "sqrt": np.sqrt, "tan": np.tan, "tanh": np.tanh, "re": np.real, "im": np.imag,
}
BINARY = {
    "add": np.add, "sub": np.subtract, "mul": np.multiply, "div": np.divide, "pow": power, "eq": np.equal, "neq": np.not_equal,
    "atan2": lambda y, x: -1j * np.log((x + 1j * y) / np.sqrt(x * x + y * y)),
}


def generic(op, kind, count, operands, result):
    """func @NAME: `op`, with %x and %y for its operands, on each element."""
    maps = ", ".join(["#id"] * (len(operands) + 1))
    ins = ", ".join(f"%{n}" for n in "ab"[:len(operands)])
    types = ", ".join(f"tensor<{count}x{o}>" for o in operands)
    arguments = ", ".join(f"%{n}: tensor<{count}x{o}>" for n, o in zip("ab", operands))
    block = ", ".join(f"%{n}: {o}" for n, o in zip("xy", operands))
    return f"""func.func @NAME({arguments}) -> tensor<{count}x{result}> {{
  %e = tensor.empty() : tensor<{count}x{result}>
  %r = linalg.generic {{indexing_maps = [{maps.replace("#id", "affine_map<(i) -> (i)>")}], iterator_types = ["parallel"]}}
      ins({ins} : {types}) outs(%e : tensor<{count}x{result}>) {{
  ^bb0({block}, %o: {result}):
    %v = {op}
    linalg.yield %v : {result}
  }} -> tensor<{count}x{result}>
  return %r : tensor<{count}x{result}>
}}
"""


def elementwise():
    for kind in ("f32", "f64"):
        number = f"complex<{kind}>"
        for op, function in UNARY.items():
            z = edges(kind)
            if op in ("log", "log1p", "rsqrt"):
                z = z[(z != 0) & (z != -1)]
            if op in ("sqrt", "rsqrt", "log", "log1p", "angle"):
                z = z + 0  # cuts: the zero of either sign is the argument's
            result = kind if op in ("abs", "angle", "re", "im") else number
            expected = function(z)
            if result == kind:
                expected = expected.astype(PART[kind])
            yield program(f"complex.{op}-{kind}", generic(f"complex.{op} %x : {number}", kind, len(z), [number], result), [z], [expected], kind)
        for op, function in BINARY.items():
            x, y = edges(kind), RNG.permutation(edges(kind))
            if op == "div":
                y = np.where(y == 0, 1, y)
            if op == "atan2":
                keep = np.abs(x * x + y * y) > 0.1
                # Not on the cut of the root or of the logarithm, where roundings decide on the side.
                keep &= np.abs((x * x + y * y).imag) > 0.05
                keep &= np.abs(((x + 1j * y) / np.sqrt(np.where(keep, x * x + y * y, 1))).imag) > 0.05
                x, y = y[keep], x[keep]  # the op's operands are y and x
            if op == "pow":
                keep = np.abs(x) < 5
                x, y = x[keep], y[keep]
            if op in ("eq", "neq"):
                y = np.where(np.arange(len(x)) % 3 == 0, x, y)
            result = "i1" if op in ("eq", "neq") else number
            yield program(f"complex.{op}-{kind}", generic(f"complex.{op} %x, %y : {number}", kind, len(x), [number, number], result),
                          [x, y], [function(x, y)], kind, roundings=32 if op in ("pow", "atan2") else 4)
        z, n = edges(kind), RNG.integers(0, 6, len(edges(kind))).astype(np.int32)
        yield program(f"complex.powi-{kind}", generic(f"complex.powi %x, %y : {number}, i32", kind, len(z), [number, "i32"], number), [z, n],
                      [np.array([a**int(k) for a, k in zip(z, n)])], kind, roundings=16)
        create = generic(f"complex.create %x, %y : {number}", kind, 5, [kind, kind], number)
        z = numbers(5, kind=kind)
        yield case(f"complex.create-{kind}", create, parts(z, kind), parts(z, kind))
    z = numbers(6)
    bits = np.array([b[0].view(np.uint32).astype(np.uint64) | (b[1].view(np.uint32).astype(np.uint64) << np.uint64(32))
                     for b in np.stack(parts(z), axis=1)[:, :, None]]).reshape(6).view(np.int64)
    yield case("complex.bitcast-to", generic("complex.bitcast %x : complex<f32> to i64", "f32", 6, ["complex<f32>"], "i64"), [whole(z)], [bits])
    yield case("complex.bitcast-from", generic("complex.bitcast %x : i64 to complex<f32>", "f32", 6, ["i64"], "complex<f32>"), [bits], parts(z))


C = "complex<f32>"


def structured():
    a, b = numbers(4, 6), numbers(6, 5)
    yield program("complex-linalg.matmul", f"""func.func @NAME(%a: tensor<4x6x{C}>, %b: tensor<6x5x{C}>) -> tensor<4x5x{C}> {{
  %z = complex.constant [0.5 : f32, -1.0 : f32] : {C}
  %e = tensor.empty() : tensor<4x5x{C}>
  %f = linalg.fill ins(%z : {C}) outs(%e : tensor<4x5x{C}>) -> tensor<4x5x{C}>
  %r = linalg.matmul ins(%a, %b : tensor<4x6x{C}>, tensor<6x5x{C}>) outs(%f : tensor<4x5x{C}>) -> tensor<4x5x{C}>
  return %r : tensor<4x5x{C}>
}}
""", [a, b], [a @ b + (0.5 - 1j)], roundings=16)
    x = numbers(3, 7)
    yield program("complex-linalg.reduce", f"""func.func @NAME(%a: tensor<3x?x{C}>, %init: tensor<3x{C}>) -> tensor<3x{C}> {{
  %r = linalg.reduce ins(%a : tensor<3x?x{C}>) outs(%init : tensor<3x{C}>) dimensions = [1]
    (%v: {C}, %acc: {C}) {{
      %m = complex.mul %v, %acc : {C}
      linalg.yield %m : {C}
    }}
  return %r : tensor<3x{C}>
}}
""", [x, numbers(3) * 0 + (1 + 1j)], [np.prod(x, axis=1) * (1 + 1j)], roundings=32)
    yield program("complex-linalg.map-transpose-broadcast", f"""func.func @NAME(%a: tensor<3x7x{C}>) -> tensor<7x3x2x{C}> {{
  %e = tensor.empty() : tensor<7x3x{C}>
  %t = linalg.transpose ins(%a : tensor<3x7x{C}>) outs(%e : tensor<7x3x{C}>) permutation = [1, 0]
  %m = linalg.map ins(%t : tensor<7x3x{C}>) outs(%e : tensor<7x3x{C}>) (%v: {C}, %old: {C}) {{
    %c = complex.conj %v : {C}
    linalg.yield %c : {C}
  }}
  %f = tensor.empty() : tensor<7x3x2x{C}>
  %r = linalg.broadcast ins(%m : tensor<7x3x{C}>) outs(%f : tensor<7x3x2x{C}>) dimensions = [2]
  return %r : tensor<7x3x2x{C}>
}}
""", [x], [np.broadcast_to(np.conj(x.T)[:, :, None], (7, 3, 2)).copy()])
    # A discrete Fourier transform with angles computed in the body.
    n = 16
    signal = numbers(n)
    yield program("complex-dft", f"""func.func @NAME(%a: tensor<{n}x{C}>) -> tensor<{n}x{C}> {{
  %z = complex.constant [0.0 : f32, 0.0 : f32] : {C}
  %e = tensor.empty() : tensor<{n}x{C}>
  %f = linalg.fill ins(%z : {C}) outs(%e : tensor<{n}x{C}>) -> tensor<{n}x{C}>
  %step = arith.constant {-2 * np.pi / n!r} : f32
  %zero = arith.constant 0.0 : f32
  %r = linalg.generic {{indexing_maps = [affine_map<(k, t) -> (t)>, affine_map<(k, t) -> (k)>], iterator_types = ["parallel", "reduction"]}}
      ins(%a : tensor<{n}x{C}>) outs(%f : tensor<{n}x{C}>) {{
  ^bb0(%v: {C}, %acc: {C}):
    %k = linalg.index 0 : index
    %t = linalg.index 1 : index
    %kt = arith.muli %k, %t : index
    %ki = arith.index_cast %kt : index to i32
    %kf = arith.sitofp %ki : i32 to f32
    %angle = arith.mulf %kf, %step : f32
    %i = complex.create %zero, %angle : {C}
    %w = complex.exp %i : {C}
    %p = complex.mul %v, %w : {C}
    %s = complex.add %acc, %p : {C}
    linalg.yield %s : {C}
  }} -> tensor<{n}x{C}>
  return %r : tensor<{n}x{C}>
}}
""", [signal], [np.fft.fft(signal)], roundings=256)


def movement():
    x, y = numbers(4, 6), numbers(2, 3)
    moved = x.copy()
    moved[1:3, 0:6:2] = y
    padded = np.pad(moved, ((1, 0), (0, 2)), constant_values=2 - 1j)
    yield program("complex-slices-and-pad", f"""func.func @NAME(%a: tensor<4x6x{C}>, %b: tensor<2x3x{C}>) -> (tensor<5x8x{C}>, tensor<40x{C}>, tensor<2x3x{C}>, {C}, index) {{
  %i = tensor.insert_slice %b into %a[1, 0] [2, 3] [1, 2] : tensor<2x3x{C}> into tensor<4x6x{C}>
  %c = complex.constant [2.0 : f32, -1.0 : f32] : {C}
  %p = tensor.pad %i low[1, 0] high[0, 2] {{
  ^bb0(%u: index, %v: index):
    tensor.yield %c : {C}
  }} : tensor<4x6x{C}> to tensor<5x8x{C}>
  %f = tensor.collapse_shape %p [[0, 1]] : tensor<5x8x{C}> into tensor<40x{C}>
  %s = tensor.extract_slice %p[1, 1] [2, 3] [2, 1] : tensor<5x8x{C}> to tensor<2x3x{C}>
  %c2 = arith.constant 2 : index
  %e = tensor.extract %p[%c2, %c2] : tensor<5x8x{C}>
  %d = tensor.dim %p, %c2 : tensor<5x8x{C}>
  return %p, %f, %s, %e, %d : tensor<5x8x{C}>, tensor<40x{C}>, tensor<2x3x{C}>, {C}, index
}}
""".replace("%d = tensor.dim %p, %c2", "%c1 = arith.constant 1 : index\n  %d = tensor.dim %p, %c1"), [x, y],
                  [padded, padded.reshape(40), padded[1:5:2, 1:4].copy(), np.array(padded[2, 2]), np.array(8)])
    yield program("complex-generate-and-constants", f"""func.func @NAME(%n: index, %a: tensor<4x6x{C}>) -> (tensor<?x2x{C}>, tensor<3x{C}>, tensor<2x{C}>, tensor<8x6x{C}>) {{
  %g = tensor.generate %n {{
  ^bb0(%i: index, %j: index):
    %v = tensor.extract %a[%i, %j] : tensor<4x6x{C}>
    %w = complex.mul %v, %v : {C}
    tensor.yield %w : {C}
  }} : tensor<?x2x{C}>
  %c = arith.constant dense<[(1.0, 2.0), (-3.5, 0.0), (0.0, -1.0)]> : tensor<3x{C}>
  %c0 = arith.constant 0 : index
  %x = tensor.extract %a[%c0, %c0] : tensor<4x6x{C}>
  %y = complex.neg %x : {C}
  %f = tensor.from_elements %x, %y : tensor<2x{C}>
  %k = tensor.concat dim(0) %a, %a : (tensor<4x6x{C}>, tensor<4x6x{C}>) -> tensor<8x6x{C}>
  return %g, %c, %f, %k : tensor<?x2x{C}>, tensor<3x{C}>, tensor<2x{C}>, tensor<8x6x{C}>
}}
""", [np.array(3), x], [x[:3, :2]**2, np.array([1 + 2j, -3.5, -1j]), np.array([x[0, 0], -x[0, 0]]), np.concatenate([x, x])])
    at = np.array([[3], [0], [3]])
    yield program("complex-gather-and-select", f"""func.func @NAME(%a: tensor<4x6x{C}>, %i: tensor<3x1xindex>, %p: i1) -> tensor<3x6x{C}> {{
  %g = tensor.gather %a[%i] gather_dims([0]) : (tensor<4x6x{C}>, tensor<3x1xindex>) -> tensor<3x6x{C}>
  %s = tensor.extract_slice %a[0, 0] [3, 6] [1, 1] : tensor<4x6x{C}> to tensor<3x6x{C}>
  %r = arith.select %p, %s, %g : tensor<3x6x{C}>
  return %r : tensor<3x6x{C}>
}}
""", [x, at.astype(np.int64), np.array(False)], [x[[3, 0, 3]]])


def control():
    x = numbers(5)
    horner = np.complex128(0)
    for v in x:
        horner = horner * (0.5 + 0.5j) + v
    yield program("complex-scf.for-if-call", f"""func.func @NAME(%a: tensor<5x{C}>) -> {C} {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %z = complex.constant [0.0 : f32, 0.0 : f32] : {C}
  %r = scf.for %i = %c0 to %c5 step %c1 iter_args(%acc = %z) -> ({C}) {{
    %v = tensor.extract %a[%i] : tensor<5x{C}>
    %first = arith.cmpi eq, %i, %c0 : index
    %n = scf.if %first -> ({C}) {{
      scf.yield %v : {C}
    }} else {{
      %s = func.call @NAMEstep(%acc, %v) : ({C}, {C}) -> {C}
      scf.yield %s : {C}
    }}
    scf.yield %n : {C}
  }}
  return %r : {C}
}}
func.func private @NAMEstep(%acc: {C}, %v: {C}) -> {C} {{
  %h = complex.constant [0.5 : f32, 0.5 : f32] : {C}
  %m = complex.mul %acc, %h : {C}
  %s = complex.add %m, %v : {C}
  return %s : {C}
}}
""", [x], [np.array(horner)], roundings=16)
    c = np.complex64(-0.4 + 0.6j)
    z, steps = np.complex128(0.1), 0
    while abs(z) < 2 and steps < 50:
        z, steps = z * z + c, steps + 1
    yield program("complex-scf.while", f"""func.func @NAME(%a: tensor<{C}>) -> (tensor<i64>) {{
  %c = tensor.extract %a[] : tensor<{C}>
  %start = complex.constant [0.1 : f32, 0.0 : f32] : {C}
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %most = arith.constant 50 : i64
  %two = arith.constant 2.0 : f32
  %r:2 = scf.while (%z = %start, %n = %zero) : ({C}, i64) -> ({C}, i64) {{
    %size = complex.abs %z : {C}
    %in = arith.cmpf olt, %size, %two : f32
    %left = arith.cmpi slt, %n, %most : i64
    %go = arith.andi %in, %left : i1
    scf.condition(%go) %z, %n : {C}, i64
  }} do {{
  ^bb0(%z: {C}, %n: i64):
    %s = complex.mul %z, %z : {C}
    %t = complex.add %s, %c : {C}
    %m = arith.addi %n, %one : i64
    scf.yield %t, %m : {C}, i64
  }}
  %r0 = tensor.from_elements %r#1 : tensor<i64>
  return %r0 : tensor<i64>
}}
""", [np.array(c, dtype=np.complex128)], [np.array(steps)])
    yield program("complex-cf", f"""func.func @NAME(%a: tensor<5x{C}>) -> {C} {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %z = complex.constant [0.0 : f32, 0.0 : f32] : {C}
  cf.br ^head(%c0, %z : index, {C})
^head(%i: index, %acc: {C}):
  %go = arith.cmpi slt, %i, %c5 : index
  cf.cond_br %go, ^body, ^exit(%acc : {C})
^body:
  %v = tensor.extract %a[%i] : tensor<5x{C}>
  %n = complex.sub %acc, %v : {C}
  %j = arith.addi %i, %c1 : index
  cf.br ^head(%j, %n : index, {C})
^exit(%r: {C}):
  return %r : {C}
}}
""", [x], [np.array(-x.sum())], roundings=16)
    rows = numbers(4, 5)
    yield program("complex-scf.parallel", f"""func.func @NAME(%a: tensor<4x5x{C}>, %s: {C}) -> ({C}, f32) {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %zero = arith.constant 0.0 : f32
  %r:2 = scf.parallel (%i, %j) = (%c0, %c1) to (%c4, %c5) step (%c1, %c1) init (%s, %zero) -> ({C}, f32) {{
    %v = tensor.extract %a[%i, %j] : tensor<4x5x{C}>
    %n = complex.abs %v : {C}
    scf.reduce(%v, %n : {C}, f32) {{
    ^bb0(%x: {C}, %y: {C}):
      %t = complex.add %x, %y : {C}
      scf.reduce.return %t : {C}
    }}, {{
    ^bb0(%x: f32, %y: f32):
      %t = arith.maximumf %x, %y : f32
      scf.reduce.return %t : f32
    }}
  }}
  return %r#0, %r#1 : {C}, f32
}}
""", [rows, np.array(1 - 2j)], [np.array(rows[:, 1:].sum() + 1 - 2j), np.abs(rows[:, 1:]).max().astype(np.float32)], roundings=32)
    # A launch per row, with slices inserted in parallel.
    y = numbers(4, 3)
    yield program("complex-scf.forall", f"""func.func @NAME(%a: tensor<4x3x{C}>) -> tensor<4x3x{C}> {{
  %e = tensor.empty() : tensor<4x3x{C}>
  %r = scf.forall (%i) in (4) shared_outs(%o = %e) -> (tensor<4x3x{C}>) {{
    %s = tensor.extract_slice %a[%i, 0] [1, 3] [1, 1] : tensor<4x3x{C}> to tensor<1x3x{C}>
    %p = tensor.empty() : tensor<1x3x{C}>
    %q = linalg.mul ins(%s, %s : tensor<1x3x{C}>, tensor<1x3x{C}>) outs(%p : tensor<1x3x{C}>) -> tensor<1x3x{C}>
    scf.forall.in_parallel {{
      tensor.parallel_insert_slice %q into %o[%i, 0] [1, 3] [1, 1] : tensor<1x3x{C}> into tensor<4x3x{C}>
    }}
  }}
  return %r : tensor<4x3x{C}>
}}
""", [y], [y * y])


def buffers():
    x = numbers(6)
    yield program("complex-memref", f"""func.func @NAME(%a: tensor<6x{C}>) -> (tensor<6x{C}>, tensor<3x{C}>) {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c6 = arith.constant 6 : index
  %m = bufferization.to_buffer %a read_only : tensor<6x{C}> to memref<6x{C}>
  %o = memref.alloc() : memref<6x{C}>
  %k = memref.get_global @NAMEk : memref<2x{C}>
  %f = memref.load %k[%c1] : memref<2x{C}>
  scf.for %i = %c0 to %c6 step %c1 {{
    %v = memref.load %m[%i] : memref<6x{C}>
    %w = complex.mul %v, %f : {C}
    memref.store %w, %o[%i] : memref<6x{C}>
  }}
  %s = memref.subview %o[0] [3] [2] : memref<6x{C}> to memref<3x{C}, strided<[2]>>
  %t = memref.alloc() : memref<3x{C}>
  memref.copy %s, %t : memref<3x{C}, strided<[2]>> to memref<3x{C}>
  %r = bufferization.to_tensor %o restrict writable : memref<6x{C}> to tensor<6x{C}>
  %u = bufferization.to_tensor %t restrict writable : memref<3x{C}> to tensor<3x{C}>
  return %r, %u : tensor<6x{C}>, tensor<3x{C}>
}}
""", [x], [x * (0.5 - 2j), (x * (0.5 - 2j))[::2].copy()],
                  top=f"memref.global \"private\" constant @NAMEk : memref<2x{C}> = dense<[(1.0, 1.0), (0.5, -2.0)]>\n")
    yield program("complex-affine", f"""func.func @NAME(%a: tensor<6x{C}>) -> {C} {{
  %m = bufferization.to_buffer %a read_only : tensor<6x{C}> to memref<6x{C}>
  %z = complex.constant [0.0 : f32, 0.0 : f32] : {C}
  %r = affine.for %i = 0 to 3 iter_args(%acc = %z) -> ({C}) {{
    %v = affine.load %m[2 * %i + 1] : memref<6x{C}>
    %s = complex.add %acc, %v : {C}
    affine.yield %s : {C}
  }}
  return %r : {C}
}}
""", [x], [np.array(x[1::2].sum())], roundings=16)


def cases():
    yield from elementwise()
    yield from structured()
    yield from movement()
    yield from control()
    yield from buffers()
