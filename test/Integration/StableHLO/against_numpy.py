#!/usr/bin/env python3
"""Runs programs of stablehlo with mica-run, and compares every result with NumPy's.

usage: against_numpy.py MICA-RUN FOLDER WAY.. [--in-turn]

A way is a flag of mica-run, such as -O2; with --in-turn each program is run in one of them. Integers, booleans and moved elements are compared exactly, floats of functions and sums to
a few units in the last place.
"""
import math
import pathlib
import subprocess
import sys

import numpy as np

rng = np.random.default_rng(24)
INPUTS = {
    "a": rng.uniform(-3, 3, (4, 6)).astype(np.float32),
    "b": rng.uniform(-3, 3, (4, 6)).astype(np.float32),
    "p": rng.uniform(0.1, 4, (4, 6)).astype(np.float32),
    "i": rng.integers(-50, 50, (4, 6)).astype(np.int32),
    "j": rng.integers(1, 20, (4, 6)).astype(np.int32),
    "u": rng.integers(0, 2, (4, 6)).astype(bool),
    "v": rng.integers(0, 2, (4, 6)).astype(bool),
    "q": rng.uniform(-2, 2, (2, 3, 4, 5)).astype(np.float32),
    "r": rng.uniform(-2, 2, (3, 5, 2, 7)).astype(np.float32),
    "m": rng.integers(-9, 9, (6, 3)).astype(np.int32),
    "n": np.array(-1, np.int32),
    "k": np.array(5, np.int32),
}
INPUTS["a"][0, :5] = [np.nan, np.inf, -np.inf, 0.5, -0.0]
INPUTS["a"][1, :4] = [2.5, -2.5, 1.5, 0.0]
A, B, P, I, J, U, V, Q, R, M = (INPUTS[name] for name in "abpijuvqrm")
NAMES = {"float32": "f32", "int32": "i32", "int64": "i64", "int8": "i8", "float16": "f16", "float64": "f64", "bool": "i1"}
TYPES = {}


def mlir_type(array):
    return "tensor<" + "".join(f"{size}x" for size in array.shape) + NAMES[array.dtype.name] + ">"


TYPES = {name: mlir_type(value) for name, value in INPUTS.items()}
T, TI, TB = TYPES["a"], TYPES["i"], TYPES["u"]
CASES = []


def case(text, expected, exact=False):
    """`text` defines %0; its last type is that of the result."""
    CASES.append((text, np.asarray(expected), exact))


def unary(name, operand, expected, exact=False):
    case(f"%0 = stablehlo.{name} %{operand} : {TYPES[operand]}", expected, exact)


def binary(name, lhs, rhs, expected, exact=False):
    case(f"%0 = stablehlo.{name} %{lhs}, %{rhs} : {TYPES[lhs]}", expected, exact)


def each(function, *arrays):
    return np.vectorize(function, otypes=[arrays[0].dtype])(*arrays).astype(arrays[0].dtype)


def elementwise():
    unary("abs", "a", np.abs(A), True)
    unary("abs", "i", np.abs(I), True)
    unary("cbrt", "a", np.cbrt(A))
    unary("ceil", "a", np.ceil(A), True)
    unary("count_leading_zeros", "i", each(lambda x: 32 - (int(x) & 0xFFFFFFFF).bit_length(), I), True)
    unary("cosine", "b", np.cos(B))
    unary("exponential", "a", np.exp(A))
    unary("exponential_minus_one", "b", np.expm1(B))
    unary("floor", "a", np.floor(A), True)
    unary("log", "p", np.log(P))
    unary("log_plus_one", "p", np.log1p(P))
    unary("logistic", "b", 1 / (1 + np.exp(-B.astype(np.float64))))
    unary("negate", "a", -A, True)
    unary("negate", "i", -I, True)
    unary("not", "u", ~U, True)
    unary("not", "i", ~I, True)
    unary("popcnt", "i", each(lambda x: bin(int(x) & 0xFFFFFFFF).count("1"), I), True)
    unary("round_nearest_afz", "a", np.where(np.isfinite(A), np.copysign(np.floor(np.abs(A) + 0.5), A), A), True)
    unary("round_nearest_even", "a", np.rint(A), True)
    unary("rsqrt", "p", 1 / np.sqrt(P.astype(np.float64)))
    unary("sign", "a", np.sign(A), True)
    unary("sign", "i", np.sign(I), True)
    unary("sine", "b", np.sin(B))
    unary("sqrt", "p", np.sqrt(P))
    unary("tan", "p", np.tan(P))
    unary("tanh", "a", np.tanh(A))
    binary("add", "a", "b", A + B, True)
    binary("add", "u", "v", U | V, True)
    binary("and", "u", "v", U & V, True)
    binary("and", "i", "j", I & J, True)
    binary("atan2", "b", "p", np.arctan2(B, P))
    binary("divide", "a", "b", A / B, True)
    binary("divide", "i", "j", each(lambda x, y: int(math.trunc(int(x) / int(y))), I, J), True)
    binary("maximum", "a", "b", np.maximum(A, B), True)
    binary("maximum", "u", "v", U | V, True)
    binary("minimum", "i", "j", np.minimum(I, J), True)
    binary("minimum", "a", "b", np.minimum(A, B), True)
    binary("multiply", "u", "v", U & V, True)
    binary("multiply", "a", "b", A * B, True)
    binary("or", "u", "v", U | V, True)
    binary("or", "i", "j", I | J, True)
    binary("power", "p", "b", np.power(P.astype(np.float64), B))
    binary("remainder", "i", "j", np.fmod(I, J), True)
    binary("remainder", "b", "p", np.fmod(B, P), True)
    binary("shift_left", "i", "j", I << J, True)
    binary("shift_right_arithmetic", "i", "j", I >> J, True)
    binary("shift_right_logical", "i", "j", (I.view(np.uint32) >> J.view(np.uint32)).view(np.int32), True)
    binary("subtract", "i", "j", I - J, True)
    binary("xor", "u", "v", U ^ V, True)
    binary("xor", "i", "j", I ^ J, True)
    case(f"%0 = stablehlo.is_finite %a : ({T}) -> {TB}", np.isfinite(A), True)
    relations = {"EQ": np.equal, "NE": np.not_equal, "GE": np.greater_equal, "GT": np.greater, "LE": np.less_equal, "LT": np.less}
    for name, relation in relations.items():
        case(f"%0 = stablehlo.compare {name}, %a, %b, FLOAT : ({T}, {T}) -> {TB}", relation(A, B), True)
        case(f"%0 = stablehlo.compare {name}, %u, %v, UNSIGNED : ({TB}, {TB}) -> {TB}", relation(U, V), True)
    case(f"%0 = stablehlo.select %u, %a, %b : {TB}, {T}", np.where(U, A, B), True)
    case(f"%c = stablehlo.constant dense<false> : tensor<i1>\n%0 = stablehlo.select %c, %a, %b : tensor<i1>, {T}", B, True)
    case(f"%c = stablehlo.constant dense<-3> : tensor<i32>\n%0 = stablehlo.clamp %c, %i, %j : (tensor<i32>, {TI}, {TI}) -> {TI}",
         np.minimum(np.maximum(I, -3), J), True)
    for array, name in ((B, "b"), (I, "i"), (U, "u")):
        for to in (np.float32, np.float16, np.float64, np.int8, np.int64):
            shown = TYPES[name], mlir_type(array.astype(to))
            case(f"%0 = stablehlo.convert %{name} : ({shown[0]}) -> {shown[1]}", array.astype(to), True)
    case(f"%0 = stablehlo.convert %i : ({TI}) -> {TB}", I.astype(bool), True)


def shapes():
    def move(name, operand, rest, expected, operands=""):
        inputs = TYPES[operand] + operands
        case(f"%0 = stablehlo.{name} %{operand}{rest} : ({inputs}) -> {mlir_type(expected)}", expected, True)
    move("broadcast_in_dim", "i", ", dims = [2, 0]", np.broadcast_to(I.T[:, None, :], (6, 3, 4)))
    move("reshape", "q", "", Q.reshape(6, 20))
    move("transpose", "q", ", dims = [3, 0, 2, 1]", Q.transpose(3, 0, 2, 1))
    move("slice", "a", " [1:4:2, 0:5:3]", A[1:4:2, 0:5:3])
    move("concatenate", "a", ", %b, %p, dim = 0", np.concatenate([A, B, P]), f", {T}, {T}")
    unary_text = f"%0 = stablehlo.reverse %q, dims = [2, 0] : {TYPES['q']}"
    case(unary_text, Q[::-1, :, ::-1], True)
    one = "%v1 = stablehlo.constant dense<7> : tensor<i32>\n"
    for value, define, number in (("v1", one, 7), ("k", "", 5)):
        for low, high, interior in (((1, 0), (2, 3), (0, 0)), ((-1, 2), (0, -3), (2, 1)), ((0, -4), (-3, 0), (0, 0)), ((2, -9), (0, -2), (0, 3))):
            wide = np.full([n + (n - 1) * s for n, s in zip(I.shape, interior)], number, np.int32)
            wide[tuple(slice(None, None, s + 1) for s in interior)] = I
            wide = np.pad(wide, [(max(x, 0), max(y, 0)) for x, y in zip(low, high)], constant_values=number)
            cut = tuple(slice(max(-x, 0), n - max(-y, 0)) for x, y, n in zip(low, high, wide.shape))
            case(f"{define}%0 = stablehlo.pad %i, %{value}, low = {list(low)}, high = {list(high)}, interior = {list(interior)} "
                 f": ({TI}, tensor<i32>) -> {mlir_type(wide[cut])}", wide[cut], True)
    case("%0 = stablehlo.iota dim = 1 : tensor<3x5xi32>", np.broadcast_to(np.arange(5, dtype=np.int32), (3, 5)), True)
    case("%0 = stablehlo.iota dim = 0 : tensor<3x5xf32>", np.broadcast_to(np.arange(3, dtype=np.float32)[:, None], (3, 5)), True)
    s = "tensor<i32>"
    case(f"%0 = stablehlo.dynamic_slice %i, %n, %k, sizes = [2, 3] : ({TI}, {s}, {s}) -> tensor<2x3xi32>", I[0:2, 3:6], True)
    updated = I.copy()
    updated[1:4, 0:1] = M[0:3, 1:2]
    case(f"%w = stablehlo.slice %m [0:3, 1:2] : ({TYPES['m']}) -> tensor<3x1xi32>\n"
         f"%0 = stablehlo.dynamic_update_slice %i, %w, %k, %n : ({TI}, tensor<3x1xi32>, {s}, {s}) -> {TI}", updated, True)
    case("%0 = stablehlo.constant dense<[[1, -2], [3, 4]]> : tensor<2x2xi8>", np.array([[1, -2], [3, 4]], np.int8), True)


def sums():
    def dot(rest, lhs, rhs, expected, exact=False):
        case(f"%0 = stablehlo.dot_general %{lhs}, %{rhs}, {rest} : ({TYPES[lhs]}, {TYPES[rhs]}) -> {mlir_type(expected)}", expected, exact)
    dot("contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT]", "i", "m", I @ M, True)
    dot("contracting_dims = [0] x [0]", "b", "p", B.T @ P)
    dot("contracting_dims = [1] x [1]", "b", "p", B @ P.T)
    dot("contracting_dims = [0, 1] x [0, 1]", "b", "p", np.sum(B * P, dtype=np.float32))
    dot("contracting_dims = [] x []", "b", "p", np.multiply.outer(B, P), True)
    dot("batching_dims = [1] x [0], contracting_dims = [3] x [1]", "q", "r", np.einsum("abcd,bdef->bacef", Q, R))
    dot("batching_dims = [1, 0] x [0, 2], contracting_dims = [3] x [1]", "q", "r", np.einsum("abcd,bdaf->bacf", Q, R))

    def reduce(name, operand, init, dims, expected, exact=False):
        scalar = f"tensor<{NAMES[INPUTS[operand].dtype.name]}>"
        case(f"%c = stablehlo.constant dense<{init}> : {scalar}\n%0 = stablehlo.reduce(%{operand} init: %c) applies stablehlo.{name} "
             f"across dimensions = {dims} : ({TYPES[operand]}, {scalar}) -> {mlir_type(np.asarray(expected))}", expected, exact)
    reduce("add", "b", "0.0", [1], B.sum(1))
    reduce("add", "b", "2.5", [0, 1], np.float32(B.sum() + 2.5))
    reduce("add", "i", "7", [0], I.sum(0, dtype=np.int32) + 7, True)
    reduce("add", "i", "7", [], I + 7, True)
    reduce("multiply", "j", "1", [1], J.prod(1, dtype=np.int32), True)
    reduce("maximum", "a", "0xFF800000", [1], A.max(1), True)
    reduce("maximum", "i", "20", [0], np.maximum(I.max(0), 20), True)
    reduce("minimum", "i", "2147483647", [0, 1], I.min(), True)
    reduce("and", "u", "true", [1], U.all(1), True)
    reduce("or", "u", "false", [0], U.any(0), True)
    reduce("and", "i", "-1", [1], np.bitwise_and.reduce(I, 1), True)
    reduce("xor", "i", "3", [0], np.bitwise_xor.reduce(I, 0) ^ 3, True)
    case(f"""%c = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %z = stablehlo.constant dense<0> : tensor<i32>
  %w = stablehlo.iota dim = 1 : {TI}
  %1, %0 = stablehlo.reduce(%b init: %c), (%w init: %z) across dimensions = [1] : ({T}, {TI}, tensor<f32>, tensor<i32>) -> (tensor<4xf32>, tensor<4xi32>)
   reducer(%x: tensor<f32>, %y: tensor<f32>) (%s: tensor<i32>, %t: tensor<i32>) {{
    %2 = stablehlo.compare GT, %x, %y, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %3 = stablehlo.compare NE, %x, %x, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %4 = stablehlo.or %2, %3 : tensor<i1>
    %5 = stablehlo.compare EQ, %x, %y, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %6 = stablehlo.compare LT, %s, %t, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %7 = stablehlo.and %5, %6 : tensor<i1>
    %8 = stablehlo.or %4, %7 : tensor<i1>
    %9 = stablehlo.select %4, %x, %y : tensor<i1>, tensor<f32>
    %10 = stablehlo.select %8, %s, %t : tensor<i1>, tensor<i32>
    stablehlo.return %9, %10 : tensor<f32>, tensor<i32>
  }}""".replace("%1, %0 = ", "%w2:2 = ") + f"\n  %0 = stablehlo.reshape %w2#1 : (tensor<4xi32>) -> tensor<4xi32>", B.argmax(1).astype(np.int32), True)


def control_flow():
    case(f"""%one = stablehlo.constant dense<1> : tensor<i32>
  %w:2 = stablehlo.while(%iterArg = %k, %iterArg_0 = %i) : tensor<i32>, {TI}
    cond {{
    %1 = stablehlo.compare GT, %iterArg, %one, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }} do {{
    %1 = stablehlo.subtract %iterArg, %one : tensor<i32>
    %2 = stablehlo.add %iterArg_0, %i : {TI}
    stablehlo.return %1, %2 : tensor<i32>, {TI}
  }}
  %0 = stablehlo.negate %w#1 : {TI}""", -5 * I, True)
    branch = lambda name: f"({{\n    %1 = stablehlo.{name} %i, %j : {TI}\n    stablehlo.return %1 : {TI}\n  }}"
    parts = ", ".join(branch(name)[1:] for name in ("add", "subtract", "multiply"))
    for index, expected in ((0, I + J), (1, I - J), (2, I * J), (-1, I * J), (7, I * J)):
        case(f"%x = stablehlo.constant dense<{index}> : tensor<i32>\n  %y = stablehlo.multiply %x, %k : tensor<i32>\n"
             f"  %z = stablehlo.divide %y, %k : tensor<i32>\n  %0 = \"stablehlo.case\"(%z) ({parts}) : (tensor<i32>) -> {TI}", expected, True)
    for relation, expected in (("GT", I + J), ("LT", I - J)):
        pair = ", ".join(branch(name)[1:] for name in ("add", "subtract"))
        case(f"%x = stablehlo.compare {relation}, %k, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>\n"
             f"  %0 = \"stablehlo.if\"(%x) ({pair}) : (tensor<i1>) -> {TI}", expected, True)


def program(cases):
    arguments = ", ".join(f"%{name}: {kind}" for name, kind in TYPES.items())
    lines = []
    for number, (text, expected, _) in enumerate(cases):
        lines.append(f"func.func private @f{number}({arguments}) -> {mlir_type(expected)} {{\n  {text}\n  return %0 : {mlir_type(expected)}\n}}")
    names = ", ".join("%" + name for name in TYPES)
    calls = [f"  %r{number} = call @f{number}({names}) : ({', '.join(TYPES.values())}) -> {mlir_type(expected)}"
             for number, (_, expected, _) in enumerate(cases)]
    kinds = ", ".join(mlir_type(expected) for _, expected, _ in cases)
    results = ", ".join(f"%r{number}" for number in range(len(cases)))
    main = [f"func.func public @main({arguments}) -> ({kinds}) {{", *calls, f"  return {results} : {kinds}", "}"]
    return "\n".join([*lines, *main]) + "\n"


def is_right(found, expected, exact):
    if found.shape != expected.shape:
        return False
    if exact:
        return np.array_equal(found, expected, equal_nan=expected.dtype.kind == "f")
    return np.allclose(found.astype(np.float64), expected.astype(np.float64), rtol=2e-6, atol=2e-6, equal_nan=True)


def main():
    run, work, ways = sys.argv[1], pathlib.Path(sys.argv[2]), [word for word in sys.argv[3:] if word != "--in-turn"]
    work.mkdir(parents=True, exist_ok=True)
    np.seterr(all="ignore")
    for fill in (elementwise, shapes, sums, control_flow):
        fill()
    # The type of the file is that of the result.
    cases = [(text, np.asarray(expected, np.float32) if expected.dtype == np.float64 and "f64" not in text else expected, exact)
             for text, expected, exact in CASES]
    for name, value in INPUTS.items():
        np.save(work / f"{name}.npy", value)
    complaints = 0
    runs = 0
    for at, way in enumerate(ways):
        chosen = cases[at::len(ways)] if "--in-turn" in sys.argv else cases
        runs += len(chosen)
        (work / "ops.mlir").write_text(program(chosen))
        outputs = [f"--output=@{work}/out{number}.npy" for number in range(len(chosen))]
        subprocess.run([run, str(work / "ops.mlir"), way, *[f"--input=@{work}/{name}.npy" for name in INPUTS], *outputs], check=True)
        for number, (text, expected, exact) in enumerate(chosen):
            found = np.load(work / f"out{number}.npy")
            if not is_right(found, expected, exact):
                complaints += 1
                print(f"{way}: {text}\nfound {found}\nexpected {expected}")
    print(f"{len(cases)} cases, {len(ways)} ways, {runs} runs: {complaints} complaints")
    return 1 if complaints else 0


sys.exit(main())
