"""Every function of one argument of the dialects math and mica on all kinds of floats, beside NumPy in a wider type.

usage: math_accuracy.py MICA_RUN WORK [--in-turn] FLAG..       with --in-turn each type in every second way; each FLAG is a way to run: -O0, --target=sim, .., --from-snapshot=0 for the last artifact

f32 is compared with NumPy's f64, f64 with its longdouble, f16 with f64, on numbers of every exponent, among them subnormals, angles
of 1e38, zeros of both signs, infinities and NaN. NaN and infinities have to be where NumPy has them, zeros of its sign,
everything else within ULPS units in the last place.
"""
import math
import pathlib
import subprocess
import sys

import numpy as np

np.seterr(all="ignore")
COUNT = 20000
ULPS = 4.5  # of the polynomials of tanh and erf; all others are below 3
FUNCTIONS = {
    "math": {
        "sin": np.sin, "cos": np.cos, "tan": np.tan, "asin": np.arcsin, "acos": np.arccos, "atan": np.arctan, "sinh": np.sinh,
        "cosh": np.cosh, "tanh": np.tanh, "asinh": np.arcsinh, "acosh": np.arccosh, "atanh": np.arctanh, "exp": np.exp,
        "exp2": np.exp2, "expm1": np.expm1, "log": np.log, "log2": np.log2, "log10": np.log10, "log1p": np.log1p,
        "sqrt": np.sqrt, "rsqrt": lambda x: 1 / np.sqrt(x), "cbrt": np.cbrt, "floor": np.floor, "ceil": np.ceil,
        "trunc": np.trunc, "roundeven": np.rint, "absf": np.abs,
        "erf": np.vectorize(math.erf, otypes=[np.float64]), "erfc": np.vectorize(math.erfc, otypes=[np.float64]),
    },
    "softmax": {"exp": lambda x: np.exp(-np.abs(x))},  # of no positive number, as a softmax has it
    "mica": {"sin": np.sin, "cos": np.cos, "exp": np.exp, "log": np.log, "tanh": np.tanh, "sqrt": np.sqrt, "floor": np.floor},
}
SOFTMAX = """  %e = tensor.empty() : {type}
  %softmax_exp = linalg.generic {{indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}}
      ins(%x : {type}) outs(%e : {type}) {{
  ^bb0(%in: {name}, %out: {name}):
    %0 = math.absf %in : {name}
    %1 = arith.negf %0 : {name}
    %2 = math.exp %1 {{mica.softmax}} : {name}
    linalg.yield %2 : {name}
  }} -> {type}
"""
TYPES = {"f32": (np.float32, np.uint32, np.float64), "f64": (np.float64, np.uint64, np.longdouble),
         "f16": (np.float16, np.uint16, np.float64)}
CORNERS = [0.0, -0.0, np.inf, -np.inf, np.nan, 1, -1, 0.5, -0.5, 1.5, 2.5, -87.04, -88, -100, -103.9, 88.72, 709.7, -745,
           1e-9, -1e-9, 1e-30, 1e-40, 1e10, 1e22, -1e30, 3e38, 5.3e8, 5.4e8, -5.4e8, math.pi, math.pi / 2]


def arguments(dtype, bits, draws):
    """Half of them any bits, half of them where functions are interesting."""
    anything = draws.integers(0, np.iinfo(bits).max, COUNT // 2, dtype=bits, endpoint=True).view(dtype)
    near = (draws.uniform(-1, 1, COUNT // 2) * 10.0 ** draws.uniform(-12, 2.2, COUNT // 2)).astype(dtype)
    return np.concatenate([anything, near, np.array(CORNERS).astype(dtype)])


def complaints(x, got, exact):
    """What is wrong with `got`, a line per kind."""
    expected = exact.astype(got.dtype)
    special = np.isnan(expected) | np.isinf(expected) | np.isnan(got) | np.isinf(got)
    wrong = special & ~((np.isnan(expected) & np.isnan(got)) | (expected == got))
    zeros = ~special & (expected == 0) & (got == 0) & (np.signbit(expected) != np.signbit(got))
    ulps = np.abs(got.astype(exact.dtype) - exact) / np.spacing(np.abs(expected)).astype(exact.dtype)
    far = ~special & (ulps > ULPS)
    for what, where in (("special value", wrong), ("sign of zero", zeros), (f"more than {ULPS} ulp", far)):
        if where.any():
            at = int(np.argmax(where))
            yield f"{what}: {int(where.sum())} of {len(x)}, f({x[at]!r}) = got {got[at]!r}, expected {expected[at]!r}"


def main():
    run, work, ways = sys.argv[1], pathlib.Path(sys.argv[2]), [word for word in sys.argv[3:] if word != "--in-turn"]
    work.mkdir(parents=True, exist_ok=True)
    draws = np.random.default_rng(20)
    failures = runs = 0
    for turn, (name, (dtype, bits, wider)) in enumerate(TYPES.items()):
        x = arguments(dtype, bits, draws)
        np.save(work / "x.npy", x)
        functions = [(dialect, op) for dialect, ops in FUNCTIONS.items() for op in ops]
        type = f"tensor<{len(x)}x{name}>"
        body = "".join(SOFTMAX.format(type=type, name=name) if dialect == "softmax" else f"  %{dialect}_{op} = {dialect}.{op} %x : {type}\n"
                       for dialect, op in functions)
        values = ", ".join(f"%{dialect}_{op}" for dialect, op in functions)
        types = ", ".join(type for _ in functions)
        model = work / f"functions-{name}.mlir"
        model.write_text(f"func.func @main(%x: {type}) -> ({types}) {{\n{body}  return {values} : {types}\n}}\n")
        outputs = [f"--output=@{work}/{dialect}_{op}.npy" for dialect, op in functions]
        for way in ways[turn % 2::2] if "--in-turn" in sys.argv else ways:
            runs += 1
            artifact = str(work / "artifact")
            what = [artifact, way] if way.startswith("--from-snapshot") else [str(model), way, "-o", artifact, "--force"]
            subprocess.run([run, *what, f"--input=@{work}/x.npy", *outputs], check=True, stdout=subprocess.DEVNULL)
            for dialect, op in functions:
                precise = op not in ("erf", "erfc")
                exact = FUNCTIONS[dialect][op](x.astype(wider) if precise else x.astype(np.float64))
                if name == "f64" and not precise:
                    exact = exact.astype(np.longdouble)
                for line in complaints(x, np.load(work / f"{dialect}_{op}.npy"), exact):
                    print(f"{dialect}.{op} {name} {way}: {line}")
                    failures += 1
    print(f"{sum(map(len, FUNCTIONS.values()))} functions, {len(TYPES)} types, {len(ways)} ways, {runs} runs: {failures} complaints")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
