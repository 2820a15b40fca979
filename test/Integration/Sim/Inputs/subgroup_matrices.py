"""Products of matrices that the threads of a warp hold together (gpu.subgroup_mma_*), drawn at random, against NumPy.

usage: subgroup_matrices.py WORK --count=N --seed=S

Draws the element types and shapes that wmma of PTX has, transposed loads and stores, buffers with longer rows than the matrix, buffers
of one dimension, a loop that carries the sums, products of two warps, and an operation on each element at the end.
"""
import numpy as np

import against_numpy

# Type of the inputs, as matrix and in memory, of the sums, and (m, n, k).
TYPES = [("f16", "f16", "f32"), ("f16", "f16", "f16"), ("f32", "f32", "f32"), ("f64", "f64", "f64"), ("si8", "i8", "i32"), ("ui8", "i8", "i32")]
SHAPES = {"f16": [(16, 16, 16), (32, 8, 16), (8, 32, 16)], "f32": [(16, 16, 8)], "f64": [(8, 8, 4)]}
SHAPES["si8"] = SHAPES["ui8"] = SHAPES["f16"]
NUMPY = {"f16": np.float16, "f32": np.float32, "f64": np.float64, "i8": np.int8, "i32": np.int32}
EPILOGUES = {"addf": lambda c, d: c + d, "mulf": lambda c, d: c * d, "subf": lambda c, d: c - d, "maxf": np.maximum, "minf": np.minimum,
             "negatef": lambda c, d: -c, "addi": lambda c, d: c + d, "muli": lambda c, d: c * d, "subi": lambda c, d: c - d, "negates": lambda c, d: -c}


class Buffer:
    """Memory for `rows` x `columns` elements of one matrix or several, of any layout that a load can say."""

    def __init__(self, rng, name, element, rows, columns):
        self.name, self.element = name, element
        self.transposed = rng.random() < 0.4
        self.inner, self.outer = (rows, columns) if self.transposed else (columns, rows)
        self.lead = self.inner + rng.choice([0, 0, 1, 8])
        self.isFlat = rng.random() < 0.3
        shape = (self.outer * self.lead,) if self.isFlat else (self.outer, self.lead)
        self.type = f"memref<{'x'.join(map(str, shape))}x{element}>"
        self.shape = shape

    def access(self, row, column, k):
        """Lines that compute indices of an element, and what an op says of them. `row`, `column`: SSA names."""
        outer, inner = (column, row) if self.transposed else (row, column)
        attributes = f"{{leadDimension = {self.lead} : index{', transpose' if self.transposed else ''}}}"
        if not self.isFlat:
            return [], f"%{self.name}[{outer}, {inner}] {attributes}"
        lines = [f"%{self.name}lead{k} = arith.constant {self.lead} : index", f"%{self.name}row{k} = arith.muli {outer}, %{self.name}lead{k} : index",
                 f"%{self.name}at{k} = arith.addi %{self.name}row{k}, {inner} : index"]
        return lines, f"%{self.name}[%{self.name}at{k}] {attributes}"

    def numbers(self, rng):
        # Sums stay exact in f16.
        high = 3 if self.element == "f16" else 8 if self.element[0] == "f" else 100
        values = np.array([rng.randrange(-high, high) for _ in range(int(np.prod(self.shape)))])
        return values.astype(NUMPY[self.element]).reshape(self.shape)

    def matrix(self, values):
        values = values.reshape(self.outer, self.lead)[:, : self.inner]
        return values.T if self.transposed else values


def draw(rng):
    inputs, memory, sums = rng.choice(TYPES)
    m, n, k = rng.choice(SHAPES[inputs])
    steps, warps = rng.choice([1, 2, 3]), rng.choice([1, 2])
    a, b = Buffer(rng, "a", memory, warps * m, steps * k), Buffer(rng, "b", memory, steps * k, n)
    c, d = Buffer(rng, "c", sums, warps * m, n), Buffer(rng, "d", sums, warps * m, n)
    epilogue = rng.choice(["", *(e for e in EPILOGUES if e.endswith("f") == (sums[0] == "f") or e == "negatef" and sums[0] == "f")])
    epilogue = "" if epilogue in ("negates",) and sums[0] == "f" else epilogue
    A, B, C = (f'!gpu.mma_matrix<{x}x{y}x{t}, "{o}Op">' for x, y, t, o in ((m, k, inputs, "A"), (k, n, inputs, "B"), (m, n, sums, "C")))
    lines = [f"%wm = arith.muli %warp, %m : index"]
    at, text = c.access("%wm", "%c0", 0)
    lines += [*at, f"%first = gpu.subgroup_mma_load_matrix {text} : {c.type} -> {C}",
              f"%sum = scf.for %s = %c0 to %steps step %c1 iter_args(%acc = %first) -> ({C}) {{", "  %ks = arith.muli %s, %k : index"]
    at, text = a.access("%wm", "%ks", 1)
    lines += [*at, f"%A = gpu.subgroup_mma_load_matrix {text} : {a.type} -> {A}"]
    at, text = b.access("%ks", "%c0", 2)
    lines += [*at, f"%B = gpu.subgroup_mma_load_matrix {text} : {b.type} -> {B}",
              f"  %next = gpu.subgroup_mma_compute %A, %B, %acc : {A}, {B} -> {C}", f"  scf.yield %next : {C}", "}"]
    last = "%sum"
    if epilogue:
        last = "%after"
        if epilogue.startswith("negate"):
            lines.append(f"%after = gpu.subgroup_mma_elementwise {epilogue} %sum : ({C}) -> {C}")
        elif sums == "f64":
            # A constant of f64 is refused by the op.
            lines.append(f"%after = gpu.subgroup_mma_elementwise {epilogue} %sum, %first : ({C}, {C}) -> {C}")
        else:
            lines += [f"%three = arith.constant 3{'.0' if sums[0] == 'f' else ''} : {sums}", f"%other = gpu.subgroup_mma_constant_matrix %three : {C}",
                      f"%after = gpu.subgroup_mma_elementwise {epilogue} %sum, %other : ({C}, {C}) -> {C}"]
    at, text = d.access("%wm", "%c0", 3)
    lines += [*at, f"gpu.subgroup_mma_store_matrix {last}, {text} : {C}, {d.type}"]
    body = "\n    ".join(lines)
    program = f"""func.func @main(%a: {a.type}, %b: {b.type}, %c: {c.type}, %d: {d.type}) {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %m = arith.constant {m} : index
  %k = arith.constant {k} : index
  %steps = arith.constant {steps} : index
  %threads = arith.constant {32 * warps} : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1) threads(%tx, %ty, %tz) in (%sx = %threads, %sy = %c1, %sz = %c1) {{
    %warp = arith.divui %tx, %c32 : index
    {body}
    gpu.terminator
  }}
  return
}}
"""
    values = {x.name: x.numbers(rng) for x in (a, b, c, d)}
    wide = np.float64 if sums[0] == "f" else np.int64
    seen = {x.name: x.matrix(values[x.name].view(np.uint8) if x.name in "ab" and inputs == "ui8" else values[x.name]).astype(wide) for x in (a, b, c)}
    result = seen["c"] + seen["a"] @ seen["b"]
    if epilogue:
        other = seen["c"] if sums == "f64" else 3
        result = EPILOGUES[epilogue](result, other)
    expected = values["d"].copy()
    d.matrix(expected)[...] = result.astype(NUMPY[sums])
    return program, values, [expected]


against_numpy.main(draw)
