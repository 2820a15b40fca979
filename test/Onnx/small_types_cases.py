"""Conversions to and from the floats of 8 and 4 bits and the integers of 2 and 4, in Cast, CastLike, QuantizeLinear, DequantizeLinear and Constant. The
numbers of each type follow from its bits; a conversion takes the nearest one, and of two the one with an even code."""
import numpy as np

from model import node, tensor

INFINITY, NAN = np.float64("inf"), np.float64("nan")


class Small:
    """A float type: its bits, of which `fraction` are the fraction, the bias of its exponent, and what it has instead of a second zero and at the top."""

    def __init__(self, name, code, bits, fraction, bias, kind):
        self.name, self.code, self.bits, self.kind = name, code, bits, kind
        self.values = np.array([self.value(c, bits, fraction, bias) for c in range(1 << bits)])
        finite = self.values[np.isfinite(self.values)]
        self.largest = finite.max()
        # Codes of numbers that are not negative count up with them.
        self.ladder = self.values[:1 << (bits - 1)]
        self.ladder = self.ladder[np.isfinite(self.ladder)]
        self.top = self.ladder[-1] + (self.ladder[-1] - self.ladder[-2])  # the next one, if there was one

    def value(self, code, bits, fraction, bias):
        sign = -1.0 if code >> (bits - 1) else 1.0
        exponent, rest = (code >> fraction) & ((1 << (bits - 1 - fraction)) - 1), code & ((1 << fraction) - 1)
        all_ones = exponent == (1 << (bits - 1 - fraction)) - 1
        if self.kind == "fnuz" and code == 1 << (bits - 1):
            return NAN
        if self.kind == "fn" and all_ones and rest == (1 << fraction) - 1:
            return NAN
        if self.kind == "ieee" and all_ones:
            return NAN if rest else sign * INFINITY
        if exponent == 0:
            return sign * rest * 2.0 ** (1 - bias - fraction)
        return sign * (1 + rest * 2.0 ** -fraction) * 2.0 ** (exponent - bias)

    def nearest(self, x, saturates=True):
        if np.isnan(x):
            return self.largest if self.kind == "finite" else NAN
        magnitude, steps = abs(x), np.append(self.ladder, self.top)
        if np.isinf(x) or magnitude > self.top:
            found = self.top
        else:
            distance = np.abs(steps - magnitude)
            found = steps[min(np.flatnonzero(distance == distance.min()), key=lambda i: i % 2)]  # of two, the even one
        if found >= self.top:
            if saturates or self.kind == "finite":
                found = self.largest
            else:
                found = INFINITY if self.kind == "ieee" else NAN
        found = np.copysign(found, x)
        return 0.0 if found == 0 and self.kind == "fnuz" else found

    def of(self, x, saturates=True):
        return np.array([self.nearest(np.float64(v), saturates) for v in x.reshape(-1)]).reshape(x.shape)

    def stored(self, codes):
        return packed(codes, self.bits)


FLOATS = [Small("f8E4M3FN", 17, 8, 3, 7, "fn"), Small("f8E4M3FNUZ", 18, 8, 3, 8, "fnuz"), Small("f8E5M2", 19, 8, 2, 15, "ieee"),
          Small("f8E5M2FNUZ", 20, 8, 2, 16, "fnuz"), Small("f4E2M1", 23, 4, 1, 1, "finite")]
INTEGERS = [("uint4", 21, 4, False), ("int4", 22, 4, True), ("uint2", 25, 2, False), ("int2", 26, 2, True)]


def packed(codes, bits):
    """Several narrow elements are in a byte, the first one in the lowest bits."""
    codes, per = np.asarray(codes).reshape(-1) & ((1 << bits) - 1), 8 // bits
    codes = np.append(codes, np.zeros(-len(codes) % per, int)).reshape(-1, per)
    return (codes << (np.arange(per) * bits)).sum(1).astype(np.uint8).tobytes()


def beside(kind):
    """Numbers of the type, those halfway between two, a little beside these, and beyond the type."""
    steps = np.append(kind.ladder, kind.top)
    middles = (steps[1:] + steps[:-1]) / 2
    x = np.concatenate([steps, middles, middles * (1 - 2.0 ** -20), middles * (1 + 2.0 ** -20), [kind.top * 1.5, 1e6, 3e38, INFINITY, NAN, 1e-30]])
    return np.concatenate([x, -x])


def floats(case):
    for kind in FLOATS:
        x = beside(kind).astype(np.float32)
        for dtype in (np.float32, np.float64, np.float16):
            given = x.astype(dtype)
            for saturates in (1, 0):
                expected = kind.of(given, saturates).astype(np.float32)
                nodes = [node("Cast", ["x"], ["q"], to=kind.code, saturate=saturates), node("Cast", ["q"], ["y"], to=1), node("Reciprocal", ["y"], ["r"])]
                outputs = {"y": expected, "r": (1 / expected).astype(np.float32)}
                if kind.kind == "finite" and not saturates:
                    continue
                yield case(f"Cast {np.dtype(dtype).name} to {kind.name}, saturate={saturates}", nodes, {"x": given}, outputs)
        codes = np.arange(1 << kind.bits)
        held = kind.values.astype(np.float32)
        nodes = [node("Constant", [], ["q"], "c", value=("tensor", tensor("q", codes.shape, kind.code, kind.stored(codes)))), node("Identity", ["q"], ["i"]),
                 node("Reshape", ["i", "two"], ["m"]), node("Transpose", ["m"], ["t"], perm=[1, 0]), node("Cast", ["t"], ["y"], to=1)]
        yield case(f"Constant {kind.name}", nodes, {"x": x[:1]}, {"y": held.reshape(2, -1).T.copy()}, {"two": np.array([2, -1], np.int64)})
        numbers = np.array([0, 1, -1, 3, 5, 100, -300, 70000], np.int32)
        nodes = [node("CastLike", ["x", "like"], ["q"]), node("Cast", ["q"], ["y"], to=1)]
        yield case(f"CastLike of integers to {kind.name}", nodes, {"x": numbers}, {"y": kind.of(numbers).astype(np.float32)}, packed={"like": ((1,), kind.code, kind.stored([1]))})
        real = (np.random.default_rng(5).uniform(-20, 20, (4, 6))).astype(np.float32)
        scale = np.array([0.5, 2.0, 0.25, 4.0], np.float32)
        q = kind.of(real / scale[:, None]).astype(np.float32)
        zero = {"z": ((4,), kind.code, kind.stored([0] * 4))}
        nodes = [node("QuantizeLinear", ["x", "s", "z"], ["q"], axis=0), node("DequantizeLinear", ["q", "s", "z"], ["y"], axis=0)]
        yield case(f"QuantizeLinear {kind.name} along an axis", nodes, {"x": real, "s": scale}, {"y": q * scale[:, None]}, packed=zero)
        blocks = np.array([[1.0, 0.5], [2.0, 4.0], [0.25, 1.0], [8.0, 2.0]], np.float32)
        wide = np.repeat(blocks, 3, 1)
        nodes = [node("QuantizeLinear", ["x", "s"], ["q"], axis=1, block_size=3, output_dtype=kind.code), node("DequantizeLinear", ["q", "s"], ["y"], axis=1, block_size=3),
                 node("DequantizeLinear", ["q", "s"], ["h"], axis=1, block_size=3, output_dtype=10)]
        y = kind.of(real / wide).astype(np.float32) * wide
        yield case(f"QuantizeLinear {kind.name}, blocks, output_dtype", nodes, {"x": real, "s": blocks}, {"y": y, "h": y.astype(np.float16)})


def integers(case):
    for name, code, bits, signed in INTEGERS:
        low, high = (-(1 << bits - 1), (1 << bits - 1) - 1) if signed else (0, (1 << bits) - 1)
        every = np.arange(low, high + 1)
        odd = np.concatenate([every, every[:3]])  # the last byte is not full
        constant = {"w": (odd.shape, code, packed(odd, bits))}
        nodes = [node("Cast", ["w"], ["y"], to=1), node("Cast", ["w"], ["n"], to=7), node("Cast", ["w"], ["u"], to=2)]
        yield case(f"Constant {name}", nodes, {"x": np.zeros(1, np.float32)}, {"y": odd.astype(np.float32), "n": odd.astype(np.int64), "u": odd.astype(np.uint8)}, packed=constant)
        x = np.arange(-40, 40, dtype=np.int32)
        wrapped = x & ((1 << bits) - 1)
        wrapped = np.where(signed & (wrapped > high), wrapped - (1 << bits), wrapped)
        nodes = [node("Cast", ["x"], ["q"], to=code), node("Cast", ["q"], ["n"], to=6), node("Cast", ["q"], ["y"], to=1)]
        yield case(f"Cast int32 to {name}", nodes, {"x": x}, {"n": wrapped.astype(np.int32), "y": wrapped.astype(np.float32)})
        real = np.random.default_rng(7).uniform(-6, 6, (4, 6)).astype(np.float32)
        step, zero = np.float32(0.75), 1
        q = np.clip(np.rint(real / step) + zero, low, high)
        nodes = [node("QuantizeLinear", ["x", "s", "z"], ["q"]), node("DequantizeLinear", ["q", "s", "z"], ["y"]), node("Cast", ["q"], ["n"], to=6)]
        yield case(f"QuantizeLinear {name}, one scale", nodes, {"x": real, "s": np.array(step)}, {"y": ((q - zero) * step).astype(np.float32), "n": q.astype(np.int32)},
                   packed={"z": ((), code, packed([zero], bits))})
        scales, zeros = np.array([[0.5, 1.0], [2.0, 0.25]], np.float32), np.array([[1, 0], [0, 1]])
        wide, shift = np.repeat(np.repeat(scales, 3, 1), 2, 0)[:2], np.repeat(zeros, 3, 1)
        wide = np.repeat(scales, 3, 1)
        q = np.clip(np.rint(real[:2] / wide) + shift, low, high)
        nodes = [node("QuantizeLinear", ["x", "s", "z"], ["q"], axis=1, block_size=3), node("DequantizeLinear", ["q", "s", "z"], ["y"], axis=1, block_size=3)]
        yield case(f"QuantizeLinear {name}, blocks of 3", nodes, {"x": real[:2].copy(), "s": scales}, {"y": ((q - shift) * wide).astype(np.float32)},
                   packed={"z": ((2, 2), code, packed(zeros, bits))})
    # Computed in another precision than that of the scale.
    x, step = np.array([1.0005, 2049.7, -3.3], np.float32), np.array(0.1, np.float16)
    q = np.clip(np.rint(x / step.astype(np.float32)), -128, 127).astype(np.int8)
    yield case("QuantizeLinear precision", [node("QuantizeLinear", ["x", "s"], ["q"], precision=1, output_dtype=3)], {"x": x, "s": step}, {"q": q})


def small_types(case):
    yield from floats(case)
    yield from integers(case)
