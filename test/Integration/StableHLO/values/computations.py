"""The elementwise table again, inside the computation of a map: ops on scalars, which are converted by other code."""
import re

import elementwise
from cases import Case
from elements import tensor


def all_cases():
    for case in elementwise.all_cases():
        shape = case.results[0].shape
        if any(array.shape != shape for _, array in case.operands):
            continue
        letters = "abcdefgh"[:len(case.operands)]
        sizes = "".join(f"{n}x" for n in shape)
        body = re.sub(r"%([a-h])\b", r"%p\1", case.text.replace(f"tensor<{sizes}", "tensor<")).replace("%0 =", "%r =")
        arguments = ", ".join(f"%p{letter}: {tensor(element, ())}" for letter, (element, _) in zip(letters, case.operands))
        result = case.results[0].element
        kinds = ", ".join(tensor(element, shape) for element, _ in case.operands)
        names = ", ".join("%" + letter for letter in letters)
        text = (f'%0 = "stablehlo.map"({names}) <{{dimensions = array<i64: {", ".join(map(str, range(len(shape))))}>}}> ({{\n  ^bb0({arguments}):\n    {body}\n'
                f"    stablehlo.return %r : {tensor(result, ())}\n  }}) : ({kinds}) -> {tensor(result, shape)}")
        yield Case("map of " + case.name, case.operands, text, *case.results)
