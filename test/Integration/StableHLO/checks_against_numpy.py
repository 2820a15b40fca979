#!/usr/bin/env python3
"""Runs programs of stablehlo whose checks hold NumPy's results; each program runs again with one wrong value, and must fail.

usage: checks_against_numpy.py MICA-RUN FOLDER WAY.. [--every=N]
"""
import itertools
import pathlib
import subprocess
import sys

import numpy as np

rng = np.random.default_rng(7)
NAMES = {"float32": "f32", "float64": "f64", "int32": "i32", "int64": "i64", "int8": "i8", "uint8": "ui8", "uint16": "ui16", "uint32": "ui32",
         "uint64": "ui64", "bool": "i1", "complex64": "complex<f32>", "complex128": "complex<f64>"}
PROGRAMS = []


def kind(array):
    return "tensor<" + "".join(f"{size}x" for size in array.shape) + NAMES[array.dtype.name] + ">"


def number(value):
    if isinstance(value, (bool, np.bool_)):
        return "true" if value else "false"
    if np.iscomplexobj(value):
        return f"({number(value.real)}, {number(value.imag)})"
    if isinstance(value, np.floating):
        if not np.isfinite(value):
            bits = value.view({4: np.uint32, 8: np.uint64}[value.nbytes])
            return f"0x{int(bits):0{2 * value.nbytes}X}"
        return f"{float(value):.17e}"
    return str(int(value))


def dense(array):
    def nested(part):
        return number(part) if part.ndim == 0 else "[" + ", ".join(nested(np.asarray(x)[()] if np.asarray(x).ndim == 0 else x) for x in part) + "]"
    return f"dense<{nested(array) if array.ndim else number(array[()])}> : {kind(array)}"


def program(operands, text, *expected, exact=False):
    """`text` makes %0, or %0:n, of the operands, whose names are those of the dictionary."""
    PROGRAMS.append((operands, text, expected, exact))


def write(operands, text, expected, exact, wrong):
    lines = ["func.func @main() {"]
    lines += [f"  %{name} = stablehlo.constant {dense(value)}" for name, value in operands.items()]
    lines.append(text)
    check = "check.expect_eq_const" if exact else "check.expect_almost_eq_const"
    for index, value in enumerate(expected):
        value = np.array(value)
        if wrong and index == len(expected) - 1:
            last = value.reshape(-1)
            last[-1] = not last[-1] if value.dtype == bool else last[-1] + 1 if np.isfinite(last[-1]) else 0
            value = last.reshape(value.shape)
        result = f"%0#{index}" if len(expected) > 1 else "%0"
        exact_only = value.dtype.kind not in "fc"
        lines.append(f"  {'check.expect_eq_const' if exact_only else check} {result}, {dense(value)}")
    return "\n".join(lines + ["  return", "}"]) + "\n"


def body(op, scalar, names=("lhs", "rhs")):
    x, y = names
    return f"""({{
    ^bb0(%{x}: {scalar}, %{y}: {scalar}):
      %m = stablehlo.{op} %{x}, %{y} : {scalar}
      stablehlo.return %m : {scalar}
  }})"""


def unsigned():
    for dtype in (np.uint8, np.uint16, np.uint32, np.uint64):
        most = np.iinfo(dtype).max
        a = np.array([0, 1, most // 2 + 1, most, 77], dtype)
        b = np.array([3, most, 2, most - 1, 5], dtype)
        t = kind(a)
        f = {"divide": a // b, "remainder": a % b, "maximum": np.maximum(a, b), "minimum": np.minimum(a, b), "add": a + b, "multiply": a * b,
             "subtract": a - b, "and": a & b, "shift_right_logical": np.where(b < a.itemsize * 8, a >> np.minimum(b, a.itemsize * 8 - 1), 0).astype(dtype)}
        for op, expected in f.items():
            program({"a": a, "b": b}, f"  %0 = stablehlo.{op} %a, %b : {t}", expected)
        for direction, expected in (("LT", a < b), ("GE", a >= b), ("EQ", a == b)):
            program({"a": a, "b": b}, f"  %0 = stablehlo.compare {direction}, %a, %b, UNSIGNED : ({t}, {t}) -> tensor<5xi1>", expected)
        program({"a": a}, f"  %0 = stablehlo.convert %a : ({t}) -> tensor<5xf64>", a.astype(np.float64), exact=True)
        program({"a": a}, f"  %0 = stablehlo.convert %a : ({t}) -> tensor<5xui64>", a.astype(np.uint64))
        c = dtype(9)
        scalar = f"tensor<{NAMES[a.dtype.name]}>"
        program({"a": a, "c": np.array(c)}, f"  %0 = stablehlo.reduce(%a init: %c) applies stablehlo.maximum across dimensions = [0] : "
                f"({t}, {scalar}) -> {scalar}", np.array(max(a.max(), c)))


def complexes():
    for dtype in (np.complex64, np.complex128):
        a = (rng.uniform(-3, 3, 6) + 1j * rng.uniform(-3, 3, 6)).astype(dtype)
        b = (rng.uniform(-3, 3, 6) + 1j * rng.uniform(-3, 3, 6)).astype(dtype)
        w, t, real = a.astype(np.complex128), kind(a), kind(a.real)
        for op, expected in {"add": a + b, "subtract": a - b, "multiply": a * b, "divide": a / b, "power": w ** b}.items():
            program({"a": a, "b": b}, f"  %0 = stablehlo.{op} %a, %b : {t}", expected.astype(dtype))
        functions = {"negate": -w, "exponential": np.exp(w), "log": np.log(w), "sqrt": np.sqrt(w), "rsqrt": 1 / np.sqrt(w), "tanh": np.tanh(w),
                     "sine": np.sin(w), "cosine": np.cos(w), "tan": np.tan(w), "log_plus_one": np.log1p(w), "exponential_minus_one": np.expm1(w),
                     "logistic": 1 / (1 + np.exp(-w)), "sign": w / np.abs(w)}
        for op, expected in functions.items():
            program({"a": a}, f"  %0 = stablehlo.{op} %a : {t}", expected.astype(dtype))
        program({"a": a}, f"  %0 = stablehlo.abs %a : ({t}) -> {real}", np.abs(a))
        program({"a": a}, f"  %0 = stablehlo.imag %a : ({t}) -> {real}", a.imag)
        program({"a": a.real, "b": b.real}, f"  %0 = stablehlo.complex %a, %b : {t}", (a.real + 1j * b.real).astype(dtype))
        program({"a": a, "b": b}, f"  %0 = stablehlo.compare NE, %a, %b : ({t}, {t}) -> tensor<6xi1>", a != b)
        m, n = a.reshape(2, 3), b.reshape(3, 2)
        program({"a": m, "b": n}, f"  %0 = stablehlo.dot %a, %b : ({kind(m)}, {kind(n)}) -> {kind(m @ n)}", m @ n)
        scalar = f"tensor<{NAMES[a.dtype.name]}>"
        program({"a": m, "z": np.ones((), dtype)}, f"  %0 = stablehlo.reduce(%a init: %z) applies stablehlo.multiply across dimensions = [1] : "
                f"({kind(m)}, {scalar}) -> tensor<2x{NAMES[a.dtype.name]}>", m.prod(1))
        x = (rng.uniform(-1, 1, (2, 5, 6)) + 1j * rng.uniform(-1, 1, (2, 5, 6))).astype(dtype)
        program({"x": x}, f"  %0 = stablehlo.fft %x, type = FFT, length = [5, 6] : ({kind(x)}) -> {kind(x)}", np.fft.fft2(x).astype(dtype))
        program({"x": x}, f"  %0 = stablehlo.fft %x, type = IFFT, length = [6] : ({kind(x)}) -> {kind(x)}", np.fft.ifft(x).astype(dtype))
        r = x.real
        half = np.fft.rfft2(r).astype(dtype)
        program({"x": r}, f"  %0 = stablehlo.fft %x, type = RFFT, length = [5, 6] : ({kind(r)}) -> {kind(half)}", half)
        program({"x": half}, f"  %0 = stablehlo.fft %x, type = IRFFT, length = [5, 6] : ({kind(half)}) -> {kind(r)}", np.fft.irfft2(half, (5, 6)).astype(r.dtype))


def convolve(lhs, rhs, strides, pads, lhs_dilation, rhs_dilation, reverse, feature_groups, batch_groups):
    """lhs: [b, 0, 1, f], rhs: [0, 1, i, o]."""
    b, h, w, f = lhs.shape
    wide = np.zeros((b, (h - 1) * lhs_dilation[0] + 1, (w - 1) * lhs_dilation[1] + 1, f))
    wide[:, ::lhs_dilation[0], ::lhs_dilation[1]] = lhs
    wide = np.pad(wide, [(0, 0), *[(max(p, 0), max(q, 0)) for p, q in pads], (0, 0)])
    cut = [slice(max(-p, 0), n - max(-q, 0)) for (p, q), n in zip(pads, wide.shape[1:3])]
    wide = wide[:, cut[0], cut[1]]
    kernel = rhs[::-1 if reverse[0] else 1, ::-1 if reverse[1] else 1]
    kh, kw, i, o = kernel.shape
    reach = [(k - 1) * d + 1 for k, d in zip((kh, kw), rhs_dilation)]
    sizes = [(n - r) // s + 1 for n, r, s in zip(wide.shape[1:3], reach, strides)]
    result = np.zeros((b // batch_groups, *sizes, o))
    for y, x, c in itertools.product(range(sizes[0]), range(sizes[1]), range(o)):
        window = wide[:, y * strides[0]:y * strides[0] + reach[0]:rhs_dilation[0], x * strides[1]:x * strides[1] + reach[1]:rhs_dilation[1]]
        if batch_groups > 1:
            group = c // (o // batch_groups)
            window = window[group * (b // batch_groups):(group + 1) * (b // batch_groups)]
        else:
            group = c // (o // feature_groups)
            window = window[..., group * i:(group + 1) * i]
        result[:, y, x, c] = np.einsum("bhwi,hwi->b", window, kernel[..., c])
    return result


def convolutions():
    for groups, (f, i, o, b) in ((1, 1), (3, 2, 4, 2)), ((2, 1), (4, 2, 6, 2)), ((1, 2), (3, 3, 4, 4)):
        for strides, pads, ld, rd, reverse in (((1, 1), [(0, 0), (0, 0)], (1, 1), (1, 1), (0, 0)), ((2, 1), [(1, 2), (-1, 3)], (2, 1), (1, 2), (1, 0))):
            lhs = rng.uniform(-1, 1, (b, 6, 7, f)).astype(np.float32)
            rhs = rng.uniform(-1, 1, (3, 2, f // groups[0], o)).astype(np.float32)
            expected = convolve(lhs, rhs, strides, pads, ld, rd, reverse, *groups).astype(np.float32)
            # Other places of the dimensions: [f, 0, b, 1] and [o, 1, i, 0] to [0, b, 1, f].
            first, second, out = lhs.transpose(3, 1, 0, 2), rhs.transpose(3, 1, 2, 0), expected.transpose(1, 0, 2, 3)
            flags = str([bool(x) for x in reverse]).lower()
            program({"l": first, "r": second}, f"  %0 = stablehlo.convolution(%l, %r) dim_numbers = [f, 0, b, 1]x[o, 1, i, 0]->[0, b, 1, f], window = "
                    f"{{stride = {list(strides)}, pad = {[list(p) for p in pads]}, lhs_dilate = {list(ld)}, rhs_dilate = {list(rd)}, reverse = {flags}}} "
                    f"{{batch_group_count = {groups[1]} : i64, feature_group_count = {groups[0]} : i64}} : ({kind(first)}, {kind(second)}) -> {kind(out)}", out)


def windows():
    x = rng.uniform(-3, 3, (3, 6, 5)).astype(np.float32)
    low = np.float32(-9)
    wide = np.pad(x, [(0, 0), (1, 2), (0, 1)], constant_values=low)
    expected = np.lib.stride_tricks.sliding_window_view(wide, (1, 3, 2))[:, ::2].max((3, 4, 5))
    program({"x": x, "c": np.array(low)}, f'  %0 = "stablehlo.reduce_window"(%x, %c) <{{window_dimensions = array<i64: 1, 3, 2>, window_strides = '
            f'array<i64: 1, 2, 1>, padding = dense<[[0, 0], [1, 2], [0, 1]]> : tensor<3x2xi64>}}> {body("maximum", "tensor<f32>")} : '
            f"({kind(x)}, tensor<f32>) -> {kind(expected)}", expected, exact=True)
    # A cumulative sum, as jax writes it.
    i = rng.integers(-9, 9, (4, 7)).astype(np.int32)
    program({"x": i, "c": np.array(0, np.int32)}, f'  %0 = "stablehlo.reduce_window"(%x, %c) <{{window_dimensions = array<i64: 1, 7>, padding = '
            f'dense<[[0, 0], [6, 0]]> : tensor<2x2xi64>}}> {body("add", "tensor<i32>")} : ({kind(i)}, tensor<i32>) -> {kind(i)}',
            np.cumsum(i, 1, dtype=np.int32))


def sorting():
    keys = rng.integers(0, 4, (5, 37)).astype(np.int32)
    values = np.broadcast_to(np.arange(37, dtype=np.int32), (5, 37)).copy()
    order = np.argsort(keys, 1, kind="stable")
    compare = """({
    ^bb0(%a: tensor<i32>, %b: tensor<i32>, %c: tensor<i32>, %d: tensor<i32>):
      %p = stablehlo.compare LT, %a, %b, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %p : tensor<i1>
  })"""
    t = kind(keys)
    program({"k": keys, "v": values}, f'  %0:2 = "stablehlo.sort"(%k, %v) <{{dimension = 1 : i64, is_stable = true}}> {compare} : ({t}, {t}) -> ({t}, {t})',
            np.take_along_axis(keys, order, 1), np.take_along_axis(values, order, 1))
    x = rng.uniform(-1, 1, (9, 3)).astype(np.float32)
    x[2, 1], x[4, 0] = np.inf, -np.inf
    compare = """({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %p = stablehlo.compare GT, %a, %b, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %p : tensor<i1>
  })"""
    program({"x": x}, f'  %0 = "stablehlo.sort"(%x) <{{dimension = 0 : i64}}> {compare} : ({kind(x)}) -> {kind(x)}', -np.sort(-x, 0), exact=True)


def indexing():
    x = rng.integers(-99, 99, (5, 6, 4)).astype(np.int32)
    where = np.array([[0, 5], [200, 1], [3, 2]], np.uint8)  # 200 and 5 move into range
    expected = np.stack([x[min(int(a), 3):min(int(a), 3) + 2, min(int(b), 5), :3] for a, b in where])
    program({"x": x, "i": where}, f'  %0 = "stablehlo.gather"(%x, %i) <{{dimension_numbers = #stablehlo.gather<offset_dims = [1, 2], collapsed_slice_dims = '
            f'[1], start_index_map = [0, 1], index_vector_dim = 1>, slice_sizes = array<i64: 2, 1, 3>}}> : ({kind(x)}, {kind(where)}) -> {kind(expected)}', expected)
    batched = np.array([[1, 0], [2, 3], [0, 0], [4, 4], [5, 1]], np.int64)
    expected = np.stack([x[n][batched[n]] for n in range(5)])
    program({"x": x, "i": batched[..., None]}, f'  %0 = "stablehlo.gather"(%x, %i) <{{dimension_numbers = #stablehlo.gather<offset_dims = [2], '
            f'collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>, '
            f'slice_sizes = array<i64: 1, 1, 4>}}> : ({kind(x)}, tensor<5x2x1xi64>) -> {kind(expected)}', expected)
    places = np.array([[1], [7], [1], [-1], [4]], np.int32)  # 7 and -1 are skipped
    updates = rng.integers(-9, 9, (5, 6, 4)).astype(np.int32)
    for op, combine in (("add", np.add), ("multiply", np.multiply), ("maximum", np.maximum)):
        expected = x.copy()
        for n, place in enumerate(places[:, 0]):
            if 0 <= place < 5:
                expected[place] = combine(expected[place], updates[n])
        program({"x": x, "i": places, "u": updates}, f'  %0 = "stablehlo.scatter"(%x, %i, %u) <{{scatter_dimension_numbers = #stablehlo.scatter<'
                f'update_window_dims = [1, 2], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}}> '
                f'{body(op, "tensor<i32>")} : ({kind(x)}, {kind(places)}, {kind(updates)}) -> {kind(x)}', expected)


def main():
    run, work, ways = sys.argv[1], pathlib.Path(sys.argv[2]), [word for word in sys.argv[3:] if not word.startswith("--every=")]
    every = next((int(word.partition("=")[2]) for word in sys.argv if word.startswith("--every=")), 1)
    work.mkdir(parents=True, exist_ok=True)
    np.seterr(all="ignore")
    for fill in (unsigned, complexes, convolutions, windows, sorting, indexing):
        fill()
    PROGRAMS[:] = PROGRAMS[::every]
    complaints = 0
    # All in one program: a function each.
    for way in ways:
        text = "\n".join(write(*case, wrong=False).replace("@main", f"@private_{n}").replace("func.func", "func.func private")
                         for n, case in enumerate(PROGRAMS))
        calls = "\n".join(f"  call @private_{n}() : () -> ()" for n in range(len(PROGRAMS)))
        (work / "all.mlir").write_text(f"{text}\nfunc.func @main() {{\n{calls}\n  return\n}}\n")
        result = subprocess.run([run, str(work / "all.mlir"), way], capture_output=True, text=True)
        if result.returncode != 0:
            complaints += 1
            print(result.stderr)
            for n, case in enumerate(PROGRAMS):
                (work / "one.mlir").write_text(write(*case, wrong=False))
                one = subprocess.run([run, str(work / "one.mlir"), way], capture_output=True, text=True)
                if one.returncode != 0:
                    print(way, (work / "one.mlir").read_text(), one.stderr[-2000:])
        for n in range(0, len(PROGRAMS), 16):
            (work / "wrong.mlir").write_text(write(*PROGRAMS[n], wrong=True))
            wrong = subprocess.run([run, str(work / "wrong.mlir"), way], capture_output=True, text=True)
            if wrong.returncode != 3 or "assertion failed: check.expect" not in wrong.stderr:
                complaints += 1
                print(f"{way}: a wrong value passed:\n{(work / 'wrong.mlir').read_text()}{wrong.stderr}")
    print(f"{len(PROGRAMS)} programs, {len(ways)} ways: {complaints} complaints")
    return 1 if complaints else 0


sys.exit(main())
