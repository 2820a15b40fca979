"""A program in the making: its lines, its values and what is known of each value's elements.

Of every value the builder knows the concrete shape, a range that holds all elements and a bound on the error: how far an
element may lie from the reference's when the same sums are taken in another order or with another exponential function.
An error of 0 says that every way of computing it gives the same bits: integers, and whole numbers that a float type has.
So an op that is not continuous (a comparison, a rounding) is put on exact values alone, and what is compared in the end is
compared with a bound that was derived, not guessed."""
import dataclasses
import json
import math
import re

FLOATS = ["f32", "f64", "f16", "bf16", "f8E4M3FN", "f8E5M2"]
INTS = ["i32", "i64", "i16", "i8", "i4"]
NUMBERS = FLOATS + INTS
ANY = NUMBERS + ["i1"]
# Those that ops of large errors (functions, long sums) are put on.
WIDE = ["f32", "f64"]
BITS = {"i64": 64, "i32": 32, "i16": 16, "i8": 8, "i4": 4, "i1": 1}
# Of the float types: bits of a number, what is kept clear of their largest number, their smallest normal one.
PRECISION = {"f64": 53, "f32": 24, "f16": 11, "bf16": 8, "f8E4M3FN": 4, "f8E5M2": 3}
LARGEST = {"f64": 1e300, "f32": 1e30, "f16": 3e4, "bf16": 1e30, "f8E4M3FN": 200, "f8E5M2": 2e4}
LEAST = {"f64": 1e-300, "f32": 1.2e-38, "f16": 6.2e-5, "bf16": 1.2e-38, "f8E4M3FN": 2**-6, "f8E5M2": 2**-14}
# Sizes in the order in which they are simple; primes and what lies beside powers of two are where tails are.
SIZES = [2, 1, 3, 4, 5, 7, 8, 13, 16, 17, 31, 32, 33, 67]
MAX_ELEMENTS = 6000


def isFloat(dtype):
    return dtype in PRECISION


@dataclasses.dataclass(frozen=True)
class Value:
    name: str
    dtype: str
    shape: tuple
    static: tuple  # per dimension: the type says its size
    low: float
    high: float
    error: float = 0.0
    whole: bool = False  # every element is a whole number

    @property
    def rank(self):
        return len(self.shape)

    @property
    def type(self):
        return tensorType(self.dtype, self.shape, self.static)

    @property
    def size(self):
        return math.prod(self.shape)

    @property
    def largest(self):
        return max(abs(self.low), abs(self.high))

    @property
    def exact(self):
        return self.error == 0

    def sizes(self):
        """The extents as a type prints them."""
        return [size if static else "?" for size, static in zip(self.shape, self.static)]


def tensorType(dtype, shape, static):
    return "tensor<" + "".join(f"{n if s else '?'}x" for n, s in zip(shape, static)) + dtype + ">"


def epsilon(dtype):
    return 2.0**-PRECISION[dtype]


class Builder:
    """`draws` decides; `pool` are the values that ops may use. A nested builder makes the body of a region."""

    def __init__(self, draws, parent=None):
        self.draws = draws
        self.parent = parent
        self.root = parent.root if parent else self
        self.signs = False  # whether the signs of zeros are compared
        self.lines = []
        self.pool = list(parent.pool) if parent else []
        if not parent:
            self.arguments = []  # (name, type, input)
            self.functions = []  # (symbol, text) of those that it calls, a callee before its callers
            self.depth = 0  # how many calls are around it
            self.names = 0
            self.dynamic = draws.chance(2, 3)

    # Names, lines, arguments.

    def fresh(self):
        self.root.names += 1
        return f"%v{self.root.names}"

    def emit(self, line):
        self.lines.append(line)

    def argument(self, type, input):
        name = f"%a{len(self.root.arguments)}"
        self.root.arguments.append((name, type, input))
        return name

    def index(self, number):
        """A value of type index: a constant, or an argument that the program knows nothing of."""
        if self.root.dynamic and self.draws.chance(1, 3):
            return self.argument("index", f"index={number}")
        name = self.fresh()
        self.emit(f"{name} = arith.constant {number} : index")
        return name

    def sizeOf(self, value, dim):
        """The size of a dimension of `value` as a value of type index."""
        which, name = self.fresh(), self.fresh()
        self.emit(f"{which} = arith.constant {dim} : index")
        self.emit(f"{name} = tensor.dim {value.name}, {which} : {value.type}")
        return name

    def constant(self, dtype, number):
        """A scalar that the program knows."""
        name = self.fresh()
        text = ["false", "true"][int(number)] if dtype == "i1" else \
            f"{float(number) if isFloat(dtype) else int(number)} : {dtype}"
        self.emit(f"{name} = arith.constant {text}")
        return name

    # Values.

    def shape(self, low=0, high=4, limit=MAX_ELEMENTS):
        shape = []
        for _ in range(low + self.draws.below(high - low + 1)):
            size = self.draws.choice([n for n in SIZES if math.prod(shape) * n <= limit])
            shape.append(0 if self.draws.chance(1, 40) else size)
        return tuple(shape)

    def statics(self, shape):
        """Which sizes a new value's type says."""
        return tuple(not (self.root.dynamic and self.draws.chance(1, 2)) for _ in shape)

    def new(self, dtype, shape, static=None, whole=None):
        """A new argument."""
        static = self.statics(shape) if static is None else tuple(static)
        if whole is None:
            whole = not isFloat(dtype) or self.draws.chance(1, 3)
        if dtype == "i1":
            low, high = 0, 1
        elif not isFloat(dtype):
            low, high = self.draws.choice([(-8, 7), (-128, 127) if BITS[dtype] >= 8 else (-8, 7),
                                           (-2**(min(BITS[dtype], 32) - 1), 2**(min(BITS[dtype], 32) - 1) - 1)])
        elif whole:
            low, high = -8, 8
        else:
            low, high = self.draws.choice([(-1, 1), (-2, 2), (0.25, 3)])
        value = self.within(dtype, shape, static, low, high, whole)
        self.pool.append(value)
        return value

    def within(self, dtype, shape, static, low, high, whole=None):
        """A new argument whose elements lie in [low, high]. It is not in the pool: what other ops are to see is wider."""
        static = self.statics(shape) if static is None else tuple(static)
        whole = not isFloat(dtype) if whole is None else whole
        seed = self.draws.below(1000)
        # Whole numbers of float types are made of integers, whose upper end is not among them.
        end = high if isFloat(dtype) and not whole else high + 1
        text = f"{'whole' if isFloat(dtype) and whole else 'random'}:{seed}:{low}:{end}"
        name = self.argument(tensorType(dtype, shape, static), "".join(f"{n}x" for n in shape) + f"{dtype}={text}")
        return Value(name, dtype, tuple(shape), static, low, high, 0.0, whole)

    def pick(self, accept=lambda value: True):
        """A value of the pool that `accept` takes, later ones more likely; None if there is none."""
        fitting = [value for value in self.pool if accept(value)]
        if not fitting:
            return None
        fitting.reverse()
        return fitting[min(self.draws.below(len(fitting)), self.draws.below(len(fitting)))]

    def some(self, dtypes, accept=lambda value: True, low=0, high=4):
        """A value of the pool of one of `dtypes` and a rank in [low, high] that `accept` takes, else a new one; None if that does
        not fit either."""
        value = self.pick(lambda v: v.dtype in dtypes and low <= v.rank <= high and accept(v))
        value = value or self.new(self.draws.choice(dtypes), self.shape(low, high))
        return value if accept(value) else None

    def widened(self, value):
        """`value`, of which less is known: its range has 0 in the middle."""
        return dataclasses.replace(value, low=-value.largest, high=value.largest)

    def result(self, dtype, shape, static, low, high, error=0.0, whole=False):
        """A value that is about to be computed, under a fresh name; None if too little is known of it."""
        if isFloat(dtype):
            largest = max(abs(low), abs(high))
            if largest > LARGEST[dtype] or error > max(0.05, 3 * epsilon(dtype)) * max(1.0, largest):
                return None
        else:
            if not isFloat(dtype) and (low < -2**(BITS[dtype] - 1) or high >= 2**(BITS[dtype] - 1)) and dtype != "i1":
                low, high = -2**(BITS[dtype] - 1), 2**(BITS[dtype] - 1) - 1
            error, whole = 0.0, True
        return Value(self.fresh(), dtype, tuple(shape), tuple(static), low, high, error, whole)

    def rounded(self, dtype, low, high, error, whole, steps=1):
        """The error of a result that lies in [low, high], is off by `error` and rounded `steps` times."""
        largest = max(abs(low), abs(high))
        if not isFloat(dtype) or (whole and error == 0 and largest <= 2**PRECISION[dtype]):
            return 0.0
        return error + steps * epsilon(dtype) * max(largest, LEAST[dtype])

    def define(self, value, text):
        """Adds the line that computes `value`."""
        self.emit(f"{value.name} = {text}")
        self.pool.append(value)
        return value

    # The text.

    def prune(self, wanted):
        """Drops the lines that nothing of `wanted` needs."""
        needed, kept = {name.split("#")[0] for name in wanted}, []
        for line in reversed(self.lines):
            defined = re.match(r"(%\w+(?:, %\w+)*)(?::\d+)? = ", line)
            if not defined or needed & set(defined.group(1).split(", ")):
                kept.append(line)
                needed |= set(re.findall(r"%\w+", line))
        self.lines = kept[::-1]
        return needed

    def body(self, name, arguments, results, visibility=""):
        """A function of this builder's lines."""
        header = ", ".join(f"{a}: {t}" for a, t, _ in arguments)
        types = ", ".join(value.type for value in results)
        return (f"func.func {visibility}@{name}({header}) -> ({types}) {{\n" + "".join(f"  {line}\n" for line in self.lines) +
                f"  return {', '.join(value.name for value in results)} : {types}\n}}\n")

    def function(self, name, results, twin="", keep=()):
        """The function, those that it calls, and its line `// run`. Arguments that no line needs are dropped, but those in `keep`."""
        needed = self.prune({value.name for value in results}) | set(keep)
        arguments = [argument for argument in self.arguments if argument[0] in needed]
        # Twice the bound: what is compared are two results, and either may be off.
        run = {"entry": name, "inputs": [i for _, _, i in arguments], "error": [2 * value.error for value in results]}
        if self.signs:
            run["signs"] = True
        if twin:
            run["twin"] = twin
        text = f"// run {json.dumps(run)}\n" + self.body(name, arguments, results)
        for symbol, function in reversed(self.functions):
            text += function if symbol + "(" in text else ""
        # Only now it is known whose functions they are.
        return text.replace("@PROGRAM_", f"@{name}_")
