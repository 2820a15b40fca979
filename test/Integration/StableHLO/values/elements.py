"""Element types of StableHLO in NumPy: the values each can hold, rounding to it, its bits, and values at its edges.

Floats of 16 and 8 bits are held as float64, which represents each exactly; integers of 4 bits as those of 8.
"""
import numpy as np


class Integer:
    def __init__(self, bits, signed):
        self.bits, self.signed, self.kind = bits, signed, "s" if signed else "u"
        self.name = f"{'' if signed else 'u'}i{bits}"
        self.held = np.dtype(f"{'' if signed else 'u'}int{max(bits, 8)}")
        self.low, self.high = (-(1 << bits - 1), (1 << bits - 1) - 1) if signed else (0, (1 << bits) - 1)

    def wrap(self, value):
        value = int(value) & ((1 << self.bits) - 1)
        return value - (1 << self.bits) if self.signed and value > self.high else value

    def array(self, values, shape=None):
        """Of Python's integers, whose low bits count."""
        result = np.array([self.wrap(v) for v in values], self.held)
        return result if shape is None else result.reshape(shape)

    def edges(self):
        half = 1 << self.bits // 2
        values = [0, 1, -1, 2, 3, -3, 5, 7, self.low, self.low + 1, self.high, self.high - 1, self.bits - 1, self.bits, self.bits + 1,
                  half, half - 1, -half, 0x5DEECE66DA5A5A5A, 0x123456789ABCDEF1]
        return self.array(dict.fromkeys(self.wrap(v) for v in values))

    def number(self, value):
        return str(int(value))


class Bool:
    bits, kind, name, held, low, high = 1, "b", "i1", np.dtype(bool), 0, 1

    def array(self, values, shape=None):
        result = np.array([bool(v) for v in values])
        return result if shape is None else result.reshape(shape)

    def edges(self):
        return np.array([False, True, True, False])

    def number(self, value):
        return "true" if value else "false"


class Float:
    """A binary format with a sign, `exponent` and `mantissa` bits. Without infinities, all ones are NaN, as in f8E4M3FN."""

    def __init__(self, name, exponent, mantissa, infinities=True):
        self.name, self.exponent, self.mantissa, self.infinities, self.kind = name, exponent, mantissa, infinities, "f"
        self.bits = 1 + exponent + mantissa
        self.bias = (1 << exponent - 1) - 1
        self.held = np.dtype({"f32": np.float32, "f64": np.float64}.get(name, np.float64))
        self.least = 2.0 ** (1 - self.bias - mantissa)  # the smallest subnormal
        self.normal = 2.0 ** (1 - self.bias)
        top = (1 << exponent) - 1 - (1 if infinities else 0)
        fraction = (1 << mantissa + 1) - 1 - (0 if infinities else 1)
        self.high = float(fraction) * 2.0 ** (top - self.bias - mantissa)
        self.low = -self.high

    def round(self, values):
        """To nearest, ties to even, of float64 or of long double; beyond the largest: infinity, or NaN where there is none."""
        with np.errstate(all="ignore"):
            if self.name in ("f32", "f64"):
                return np.asarray(values).astype(self.held)
            x = np.asarray(values, np.float64)
            _, exponent = np.frexp(x)
            step = np.maximum(exponent - 1 - self.mantissa, 1 - self.bias - self.mantissa)
            rounded = np.ldexp(np.rint(np.ldexp(x, -step)), step)
            out = np.abs(rounded) > self.high
            rounded = np.where(out, np.copysign(np.inf, x) if self.infinities else np.nan, rounded)
            return np.where(np.isfinite(x), rounded, x if self.infinities else np.nan)

    def array(self, values, shape=None):
        result = self.round(np.array(list(values), np.float64))
        return result if shape is None else result.reshape(shape)

    def encode(self, values):
        if self.name in ("f32", "f64"):
            return values.view(np.int32 if self.bits == 32 else np.int64)
        if self.name == "f16":
            return values.astype(np.float16).view(np.int16)
        x = np.asarray(values, np.float64)
        sign = np.signbit(x).astype(np.int64) << (self.bits - 1)
        magnitude = np.where(np.isfinite(x), np.abs(x), 0)
        _, exponent = np.frexp(magnitude)
        field = np.maximum(exponent - 1 + self.bias, 1)
        units = np.ldexp(magnitude, -(field - self.bias - self.mantissa)).astype(np.int64)
        bits = ((field.astype(np.int64) - 1) << self.mantissa) + units  # the hidden bit adds one to the field
        bits = np.where(magnitude == 0, 0, bits)
        full = ((1 << self.exponent) - 1) << self.mantissa
        bits = np.where(np.isinf(x), full, np.where(np.isnan(x), full | ((1 << self.mantissa) - 1), bits))
        return (bits | sign).astype(f"uint{self.bits}").view(f"int{self.bits}")

    def decode(self, bits):
        if self.name in ("f32", "f64"):
            return bits.view(self.held)
        bits = bits.view(f"uint{self.bits}").astype(np.int64)
        field, units = (bits >> self.mantissa) & ((1 << self.exponent) - 1), bits & ((1 << self.mantissa) - 1)
        value = np.where(field == 0, np.ldexp(units.astype(np.float64), 1 - self.bias - self.mantissa),
                         np.ldexp((units + (1 << self.mantissa)).astype(np.float64), field - self.bias - self.mantissa))
        top = field == (1 << self.exponent) - 1
        if self.infinities:
            value = np.where(top, np.where(units == 0, np.inf, np.nan), value)
        else:
            value = np.where(top & (units == (1 << self.mantissa) - 1), np.nan, value)
        return np.where(bits >> (self.bits - 1) == 1, -value, value)

    def edges(self):
        tie = 1 + 0.5 ** (self.mantissa + 1) * 2
        values = [0.0, -0.0, np.nan, np.inf, -np.inf, self.high, self.low, self.normal, -self.normal, self.least, -self.least,
                  self.normal - self.least, 1.0, -1.0, 0.5, -0.5, 1.5, -1.5, 2.5, -2.5, 3.0, -3.5, 0.1, -0.7, tie, 7.0, 100.0, -200.0, 0.49999997, 6.28]
        return self.array(values)

    def number(self, value):
        return f"0x{int(self.encode(np.array([value], self.held)).view(f'uint{self.bits}')[0]):0{self.bits // 4}X}"


class Complex:
    kind = "c"

    def __init__(self, part):
        self.part, self.name, self.bits = part, f"complex<{part.name}>", 2 * part.bits
        self.held = np.dtype(np.complex64 if part.bits == 32 else np.complex128)

    def array(self, values, shape=None):
        result = np.array(list(values), self.held)
        return result if shape is None else result.reshape(shape)

    def edges(self):
        return self.array([0, 1, -1, 1j, -1j, 1 + 2j, -3 + 0.5j, 0.25 - 4j, -0.5 - 0.5j, 3.25, -2.5j, 1e3 + 1e-3j, 0.1 + 0.1j])

    def number(self, value):
        return f"({self.part.number(value.real)}, {self.part.number(value.imag)})"


F64, F32, F16 = Float("f64", 11, 52), Float("f32", 8, 23), Float("f16", 5, 10)
BF16, F8E4M3FN, F8E5M2 = Float("bf16", 8, 7), Float("f8E4M3FN", 4, 3, infinities=False), Float("f8E5M2", 5, 2)
SIGNED = [Integer(bits, True) for bits in (4, 8, 16, 32, 64)]
UNSIGNED = [Integer(bits, False) for bits in (4, 8, 16, 32, 64)]
FLOATS = [F64, F32, F16, BF16, F8E4M3FN, F8E5M2]
COMPLEXES = [Complex(F32), Complex(F64)]
I1 = Bool()
ALL = [*SIGNED, *UNSIGNED, *FLOATS, *COMPLEXES, I1]
BY_NAME = {element.name: element for element in ALL}


def tensor(element, shape):
    return "tensor<" + "".join(f"{size}x" for size in shape) + element.name + ">"


def dense(element, values):
    values = np.asarray(values)

    def nested(part):
        return element.number(part) if part.ndim == 0 else "[" + ", ".join(nested(np.asarray(x)) for x in part) + "]"
    return f"dense<{nested(values)}> : {tensor(element, values.shape)}"
