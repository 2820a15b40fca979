"""Cases of the tables: an op's text, its operands, and the results that the specification gives; and programs made of many cases.

A program takes and returns signless integers, f64, f32, f16 and i1. Other elements travel as their bits, by bitcast_convert; integers of
4 bits as those of 8, by convert; complex numbers as two parts.
"""
import numpy as np

from elements import BY_NAME, Complex, tensor


class Result:
    """`ulps` may lie between an element and `values`. `exact` has values before rounding, against which distances are measured."""

    def __init__(self, element, values, ulps=0, any_zero=False):
        self.element, self.ulps, self.any_zero = element, ulps, any_zero
        self.exact = np.asarray(values)
        self.shape = self.exact.shape


    def spoil(self):
        """Makes the last element wrong."""
        if self.exact.size:
            flat = np.array(self.exact).reshape(-1)
            last = flat[-1]
            if self.element.kind == "b":
                flat[-1] = not last
            elif self.element.kind in "su":
                flat[-1] = self.element.wrap(int(last) + 1)
            else:
                flat[-1] = 1 if not np.isfinite(last) else 2 * last + (1 if last.real >= 0 else -1)
            self.exact = flat.reshape(self.shape)


class Case:
    def __init__(self, name, operands, text, *results):
        """`text` makes %0, or %0:n, of %a, %b, ..; operands are pairs of element type and array."""
        self.name, self.text, self.results = name, text, results
        self.operands = [(element, np.asarray(array)) for element, array in operands]


def carrier(element):
    """Element types as which values travel, and arrays from values."""
    if isinstance(element, Complex):
        return element.part.name, lambda x: [x.real.copy(), x.imag.copy()]
    if element.kind == "f":
        if element.name in ("f64", "f32"):
            return element.name, lambda x: [x.astype(element.held)]
        if element.name == "f16":
            return "f16", lambda x: [element.encode(x).view(np.float16)]
        return f"i{element.bits}", lambda x: [element.encode(x)]
    if element.kind == "b":
        return "i1", lambda x: [x.astype(bool)]
    bits = max(element.bits, 8)
    return f"{'ui' if element.kind == 'u' else 'i'}{bits}", lambda x: [x.astype(element.held)]


def arrived(element, shape, names, value):
    """Lines that make `value` of what travelled under `names`."""
    kind = tensor(element, shape)
    if isinstance(element, Complex):
        return [f"{value} = stablehlo.complex {names[0]}, {names[1]} : {kind}"]
    carried, _ = carrier(element)
    sent = tensor(BY_NAME[carried], shape)
    if element.name == carried:
        return None
    if element.bits == 4 and element.kind in "su":
        return [f"{value} = stablehlo.convert {names[0]} : ({sent}) -> {kind}"]
    return [f"{value} = stablehlo.bitcast_convert {names[0]} : ({sent}) -> {kind}"]


def sent(element, shape, value, name):
    """Lines that make of `value` what travels, and its names."""
    kind = tensor(element, shape)
    carried, _ = carrier(element)
    if isinstance(element, Complex):
        part = tensor(element.part, shape)
        return [f"{name}r = stablehlo.real {value} : ({kind}) -> {part}", f"{name}i = stablehlo.imag {value} : ({kind}) -> {part}"], [name + "r", name + "i"]
    if element.name == carried:
        return [], [value]
    to = tensor(BY_NAME[carried], shape)
    if element.bits == 4 and element.kind in "su":
        return [f"{name} = stablehlo.convert {value} : ({kind}) -> {to}"], [name]
    return [f"{name} = stablehlo.bitcast_convert {value} : ({kind}) -> {to}"], [name]


def received(element, arrays):
    if isinstance(element, Complex):
        return _pair(element, *arrays)
    if element.kind == "f":
        return element.decode(arrays[0].view(np.int16) if element.name == "f16" else arrays[0])
    if element.kind == "b":
        return arrays[0].astype(bool)
    return arrays[0].view(element.held)


def _pair(element, real, imag):
    result = np.empty(real.shape, element.held)
    result.real, result.imag = real, imag
    return result


def distance(element, found, exact):
    """In units in the last place of the exact value; 0 where both are the same infinity or NaN."""
    with np.errstate(all="ignore"):
        rounded = element.round(exact)
        wide, target = np.asarray(found, np.longdouble), np.asarray(exact, np.longdouble)
        magnitude = np.where(np.isfinite(target), np.abs(target), 1)
        _, exponent = np.frexp(np.maximum(magnitude, element.normal))
        step = np.ldexp(np.longdouble(1), exponent - 1 - element.mantissa)
        off = np.abs(wide - target) / step
        same = (found == rounded) | (np.isnan(found) & np.isnan(rounded))
        # Beyond the largest number: an infinity (or NaN) is next to it.
        close = ~np.isfinite(found) & ~np.isnan(found) & np.isfinite(target) & (np.abs(target) > element.high * (1 - 2.0 ** -(element.mantissa - 1)))
        return np.where(same, 0, np.where(close, 1, np.where(np.isfinite(found) & np.isfinite(target), off, np.inf)))


def wrong_elements(result, found):
    """Positions where `found` is not what `result` allows."""
    element, expected = result.element, result.exact
    if found.shape != expected.shape:
        return [()]
    if element.kind == "c":
        with np.errstate(all="ignore"):
            off = np.abs(found.astype(np.clongdouble) - expected.astype(np.clongdouble))
            unit = np.maximum(np.abs(expected.astype(np.clongdouble)), element.part.normal) * 2.0 ** -element.part.mantissa
            same = [(p == q) | (np.isnan(p) & np.isnan(q)) for p, q in ((found.real, expected.real), (found.imag, expected.imag))]
            wrong = ~((off <= (result.ulps + 0.5) * unit) | (same[0] & same[1]))
    elif element.kind == "f":
        rounded = element.round(expected)
        same = (found == rounded) & ((np.signbit(found) == np.signbit(rounded)) | result.any_zero) | (np.isnan(found) & np.isnan(rounded))
        wrong = ~same
        if result.ulps and wrong.any():
            near = distance(element, found, expected) <= result.ulps + 0.5
            wrong &= ~(near & ((found != 0) | (np.asarray(rounded) != 0)))
    else:
        wrong = found != expected
    return [tuple(int(x) for x in where) for where in np.argwhere(wrong)]


class Program:
    """A module with one function per case, and main that calls them all."""

    def __init__(self, cases):
        self.cases, self.inputs, self.keys, self.outputs = cases, [], {}, []
        functions, calls, results, kinds = [], [], [], []
        for number, case in enumerate(cases):
            function, call, names, types = self._function(number, case)
            functions.append(function)
            calls.append(call)
            results += names
            kinds += types
        arguments = ", ".join(f"%x{n}: {kind}" for n, (kind, _) in enumerate(self.inputs))
        self.text = "\n".join(functions) + (f"\nfunc.func @main({arguments}) -> ({', '.join(kinds)}) {{\n" + "\n".join(calls) +
                                            f"\n  return {', '.join(results)} : {', '.join(kinds)}\n}}\n")
        self.results = len(results)

    def _argument(self, kind, array):
        key = (kind, array.tobytes())
        if key not in self.keys:
            self.keys[key] = len(self.inputs)
            self.inputs.append((kind, array))
        return f"%x{self.keys[key]}"

    def _function(self, number, case):
        arguments, kinds, given, lines = [], [], [], []
        for index, (element, array) in enumerate(case.operands):
            letter = "%" + "abcdefgh"[index]
            carried, split = carrier(element)
            parts = split(array)
            kind = tensor(BY_NAME[carried], array.shape)
            names = [f"{letter}_{n}" for n in range(len(parts))]
            made = arrived(element, array.shape, names, letter)
            if made is None:
                names = [letter]
            else:
                lines += made
            arguments += names
            kinds += [kind] * len(parts)
            given += [self._argument(kind, part) for part in parts]
        lines.append(case.text)
        returned, returns = [], []
        for index, result in enumerate(case.results):
            value = f"%0#{index}" if len(case.results) > 1 else "%0"
            made, names = sent(result.element, result.shape, value, f"%out{index}")
            lines += made
            returned += names
            returns += [tensor(BY_NAME[carrier(result.element)[0]], result.shape)] * len(names)
        head = ", ".join(f"{name}: {kind}" for name, kind in zip(arguments, kinds))
        types = ", ".join(returns)
        body = "\n  ".join(lines)
        function = f"// {case.name}\nfunc.func private @f{number}({head}) -> ({types}) {{\n  {body}\n  return {', '.join(returned)} : {types}\n}}"
        many = len(returned) > 1
        call = f"  %r{number}{f':{len(returned)}' if many else ''} = call @f{number}({', '.join(given)}) : ({', '.join(kinds)}) -> ({types})"
        return function, call, [f"%r{number}#{n}" for n in range(len(returned))] if many else [f"%r{number}"], returns

    def compare(self, outputs):
        """Of each case that is wrong: the case, a result, and positions, with the values found."""
        complaints, at = [], 0
        for case in self.cases:
            for result in case.results:
                count = 2 if result.element.kind == "c" else 1
                found = received(result.element, outputs[at:at + count])
                at += count
                where = wrong_elements(result, found)
                if where:
                    complaints.append((case, result, found, where))
        return complaints
