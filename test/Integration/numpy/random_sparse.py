# Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Draws programs on sparse matrices of integers: conversions between formats, sums, products, contractions and reductions, with rows and matrices
that are empty or full. NumPy computes with dense ones."""
import numpy as np

np.seterr(all="ignore")
TYPES = {"i32": np.int32, "i64": np.int64}
FORMATS = {
    "csr": "(i, j) -> (i : dense, j : compressed)",
    "csc": "(i, j) -> (j : dense, i : compressed)",
    "dcsr": "(i, j) -> (i : compressed, j : compressed)",
    "coo": "(i, j) -> (i : compressed(nonunique), j : singleton)",
    "bsr": "(i, j) -> (i floordiv 2 : dense, j floordiv 2 : compressed, i mod 2 : dense, j mod 2 : dense)",
}


def draw(rng):
    element = str(rng.choice(list(TYPES)))
    dtype = TYPES[element]
    lines, inputs, arguments, returned = [], [], [], []
    n, m, k = (int(rng.choice([2, 4, 6])) for _ in range(3))

    def name():
        lines.append("")
        return f"%v{len(lines)}"

    def kind(shape, layout=None):
        encoding = f", #sparse_tensor.encoding<{{map = {FORMATS[layout]}}}>" if layout else ""
        return f"tensor<{''.join(f'{size}x' for size in shape)}{element}{encoding}>"

    def matrix(shape, blocks=False):
        """An argument with few elements; the name of it as a sparse matrix, its format, and the numbers. Upstream has no loops over blocks
        but of conversions."""
        formats = [each for each in FORMATS if blocks or each != "bsr"]
        array = rng.integers(-9, 9, shape) * (rng.random(shape) < rng.choice([0, 0.2, 0.5, 1]))
        array = array.astype(dtype)
        x = f"%x{len(inputs)}"
        arguments.append(f"{x}: {kind(shape)}")
        inputs.append(array)
        layout = None if rng.random() < 0.2 else str(rng.choice(formats))
        for _ in range(int(rng.integers(1, 3)) if layout else 0):
            new = name()
            before = "" if x[1] == "x" else matrix.last
            lines.append(f"  {new} = sparse_tensor.convert {x} : {kind(shape, before or None)} to {kind(shape, layout)}")
            x, matrix.last = new, layout
            layout = str(rng.choice(formats))
        return x, (matrix.last if x[1] == "v" else None), array

    def zeros(shape):
        zero, empty, filled = name(), name(), name()
        lines.append(f"  {zero} = arith.constant 0 : {element}")
        lines.append(f"  {empty} = tensor.empty() : {kind(shape)}")
        lines.append(f"  {filled} = linalg.fill ins({zero} : {element}) outs({empty} : {kind(shape)}) -> {kind(shape)}")
        return filled

    def generic(operands, maps, kinds, shape, body):
        out, result = zeros(shape), name()
        types = ", ".join(kind(array.shape, layout) for _, layout, array in operands)
        block = ", ".join(f"%{letter}: {element}" for letter in "abo"[:len(operands)] + "o")
        if len(operands) == 2:
            block = f"%a: {element}, %b: {element}, %o: {element}"
        lines.append(f"  {result} = linalg.generic {{indexing_maps = [{', '.join(f'affine_map<{each}>' for each in maps)}], iterator_types = "
                     f"[{', '.join(chr(34) + each + chr(34) for each in kinds)}]}} ins({', '.join(x for x, _, _ in operands)} : {types}) "
                     f"outs({out} : {kind(shape)}) {{\n  ^bb0({block}):\n{body}  }} -> {kind(shape)}")
        return result

    both = ["parallel", "parallel"]
    for _ in range(int(rng.integers(1, 4))):
        what = int(rng.integers(5))
        if what == 0:  # there and back
            x, layout, array = matrix((n, m), blocks=True)
            if layout:
                back = name()
                lines.append(f"  {back} = sparse_tensor.convert {x} : {kind((n, m), layout)} to {kind((n, m))}")
                returned.append((back, array))
        elif what == 1:  # a sum or a product of elements
            a, b = matrix((n, m)), matrix((n, m))
            op, compute = [("addi", np.add), ("muli", np.multiply), ("subi", np.subtract)][int(rng.integers(3))]
            body = f"    %r = arith.{op} %a, %b : {element}\n    linalg.yield %r : {element}\n"
            returned.append((generic([a, b], ["(i, j) -> (i, j)"] * 3, both, (n, m), body), compute(a[2], b[2])))
        elif what == 2:  # a contraction
            a, b = matrix((n, k)), matrix((k, m))
            body = f"    %r = arith.muli %a, %b : {element}\n    %s = arith.addi %o, %r : {element}\n    linalg.yield %s : {element}\n"
            maps = ["(i, j, k) -> (i, k)", "(i, j, k) -> (k, j)", "(i, j, k) -> (i, j)"]
            returned.append((generic([a, b], maps, both + ["reduction"], (n, m), body), a[2] @ b[2]))
        elif what == 3:  # sums of rows or columns
            a, axis = matrix((n, m)), int(rng.integers(2))
            body = f"    %s = arith.addi %o, %a : {element}\n    linalg.yield %s : {element}\n"
            kinds = ["parallel", "reduction"] if axis else ["reduction", "parallel"]
            out = f"(i, j) -> ({'i' if axis else 'j'})"
            returned.append((generic([a], ["(i, j) -> (i, j)", out], kinds, (n if axis else m,), body), a[2].sum(axis, dtype=dtype)))
        else:  # the transpose
            a = matrix((n, m))
            body = f"    linalg.yield %a : {element}\n"
            returned.append((generic([a], ["(i, j) -> (j, i)", "(i, j) -> (i, j)"], both, (m, n), body), a[2].T.copy()))
    if not returned:
        return draw(rng)
    gives = ", ".join(kind(array.shape) for _, array in returned)
    text = (f"func.func @NAME({', '.join(arguments)}) -> ({gives}) {{\n" + "\n".join(line for line in lines if line) +
            f"\n  return {', '.join(x for x, _ in returned)} : {gives}\n}}\n")
    return text, inputs, [np.array(array, dtype=dtype) for _, array in returned]
