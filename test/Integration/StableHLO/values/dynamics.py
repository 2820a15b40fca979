"""The table of ops of several dimensions again, with sizes that are known when the program runs: each operand gets a type without sizes by
dynamic_reshape, to a shape that is an argument, and so do the results. Each case returns also the sizes of its results.
"""
import re

import numpy as np

import structured
from cases import Case, Result
from elements import BY_NAME, Complex, tensor

I32, I64 = BY_NAME["i32"], BY_NAME["i64"]
SIZED = re.compile(r"(?<!> : )tensor<((?:\d+x)+)")  # not the types of attributes

# Ops of static sizes by the specification, and those whose result does not follow from the operands.
STATIC = {"constant", "iota", "reshape", "broadcast_in_dim"}


def kept(name, operand):
    """Of a Fourier transform the last dimensions are static."""
    found = re.match(r"fft \w+ \(([\d, ]+)\)", name)
    return len(re.findall(r"\d+", found.group(1))) if found else 0


def without_sizes(text, count):
    """The types of `text` without sizes, but for the last `count` of each."""
    def replace(match):
        sizes = match.group(1).split("x")[:-1]
        first = len(sizes) - min(count, len(sizes))
        return "tensor<" + "".join("?x" if n < first else f"{size}x" for n, size in enumerate(sizes))
    return SIZED.sub(replace, text)


def dynamic(case):
    """The case with sizes of the run; None where it has none, or too many arguments."""
    op = case.name.split(" ")[0]
    shaped = [array for _, array in case.operands if array.ndim]
    if op in STATIC or not shaped or case.text.count("\n%") > 0 and op not in ("while", "if", "case"):
        return None
    if any(isinstance(e, Complex) and op in ("select_and_scatter",) for e, _ in case.operands):
        return None
    static = kept(case.name, None)
    given, lines, letters, text = [], [], {}, case.text
    for index, (element, array) in enumerate(case.operands):
        letters["abcdefgh"[index]] = "abcdefgh"[len(given)]
        given.append((element, array))
    for shape in dict.fromkeys(array.shape for array in shaped):
        letters[shape] = "abcdefgh"[len(given)] if len(given) < 8 else None
        given.append((I64, np.array(shape, np.int64)))
    if len(given) > 8:
        return None
    text = re.sub(r"%([a-h])\b", r"%\1_", text)
    for index, (element, array) in enumerate(case.operands):
        letter, kind = "abcdefgh"[index], tensor(element, array.shape)
        if array.ndim:
            lines.append(f"%{letter}_ = stablehlo.dynamic_reshape %{letter}, %{letters[array.shape]} : ({kind}, {tensor(I64, (array.ndim,))}) -> {without_sizes(kind, static)}")
        else:
            lines.append(f"%{letter}_ = stablehlo.reshape %{letter} : ({kind}) -> {kind}")
    many = len(case.results) > 1
    lines.append(without_sizes(text, static).replace("%0", "%r") if not many else without_sizes(text, static).replace(f"%0:{len(case.results)}", f"%r:{len(case.results)}"))
    names, kinds, results = [], [], []
    for number, result in enumerate(case.results):
        value, kind = f"%r#{number}" if many else "%r", tensor(result.element, result.shape)
        flat = tensor(result.element, (result.exact.size,))
        lines.append(f"%flat{number} = stablehlo.reshape {value} : ({without_sizes(kind, static)}) -> {flat}")
        names.append(f"%flat{number}")
        kinds.append(flat)
        flattened = Result(result.element, result.exact.reshape(-1), result.ulps, result.any_zero)
        results.append(flattened)
        sizes = []
        for dim in range(len(result.shape)):
            name = f"%n{number}_{dim}"
            lines += [f"{name}s = stablehlo.get_dimension_size {value}, dim = {dim} : ({without_sizes(kind, static)}) -> tensor<i32>",
                      f"{name} = stablehlo.reshape {name}s : (tensor<i32>) -> tensor<1xi32>"]
            sizes.append(name)
        if sizes:
            ones = ", ".join(["tensor<1xi32>"] * len(sizes))
            lines.append(f"%sizes{number} = stablehlo.concatenate {', '.join(sizes)}, dim = 0 : ({ones}) -> {tensor(I32, (len(sizes),))}")
            names.append(f"%sizes{number}")
            kinds.append(tensor(I32, (len(sizes),)))
            results.append(Result(I32, np.array(result.shape, np.int32)))
    count = f":{len(names)}" if len(names) > 1 else ""
    lines.append(f"%0{count} = stablehlo.optimization_barrier {', '.join(names)} : {', '.join(kinds)}")
    return Case("dynamic " + case.name, given, "\n  ".join(lines), *results)


def all_cases():
    for case in structured.all_cases():
        made = dynamic(case)
        if made:
            yield made
