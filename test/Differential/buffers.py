"""Programs on buffers: structured ops, loops, views and conditionals that store into arguments.

The arguments are the pool: what is known of a buffer is known of every element it may hold, so a store widens its range. Only ops
that are right to the bit are drawn; floats hold whole numbers, so that sums of them are."""
import dataclasses
import json

from program import isFloat


@dataclasses.dataclass
class Buffer:
    name: str
    dtype: str
    shape: tuple
    static: tuple
    largest: float
    argument: int = -1  # its position among the arguments; -1: made by the program

    @property
    def type(self):
        return "memref<" + "".join(f"{n if s else '?'}x" for n, s in zip(self.shape, self.static)) + self.dtype + ">"


class Program:
    def __init__(self, b):
        self.b = b
        self.buffers, self.stored, self.inputs = [], set(), []
        self.dtype = b.draws.choice(["f32", "i32", "f64", "i64", "i8"])
        self.shape = b.draws.choice([(7,), (5, 3), (4, 4), (17,), (2, 3, 5), (1, 8), (33,)])
        self.static = b.statics(self.shape)

    def argument(self):
        value = self.b.within(self.dtype, self.shape, self.static, -8, 8, whole=True)
        name, type, text = self.b.root.arguments[-1]
        self.b.root.arguments[-1] = (name, type.replace("tensor", "memref"), text)
        buffer = Buffer(value.name, self.dtype, value.shape, value.static, 8, len(self.b.root.arguments) - 1)
        self.buffers.append(buffer)
        return buffer

    def alloc(self):
        sizes = [self.index(self.buffers[0], d) for d, s in enumerate(self.static) if not s]
        name = self.b.fresh()
        buffer = Buffer(name, self.dtype, self.shape, self.static, 0)
        self.b.emit(f"{name} = memref.alloc({', '.join(sizes)}) : {buffer.type}")
        zero = self.b.constant(self.dtype, 0)
        self.b.emit(f"linalg.fill ins({zero} : {self.dtype}) outs({name} : {buffer.type})")
        self.buffers.append(buffer)
        return buffer

    def index(self, buffer, dim):
        at, name = self.b.fresh(), self.b.fresh()
        self.b.emit(f"{at} = arith.constant {dim} : index")
        self.b.emit(f"{name} = memref.dim {buffer.name}, {at} : {buffer.type}")
        return name

    def pick(self):
        return self.b.draws.choice(self.buffers[::-1])

    def store(self, buffer, largest):
        """Notes that elements up to `largest` are stored; False where they may be no exact whole numbers."""
        if isFloat(self.dtype) and largest > 2**20:
            return False
        buffer.largest = max(buffer.largest, largest)
        if buffer.argument >= 0:
            self.stored.add(buffer.argument)
        return True

    def combined(self, left, right):
        """(name of an op, largest of its results)."""
        kind, largest = self.b.draws.choice([("add", left.largest + right.largest), ("sub", left.largest + right.largest),
                                             ("max", max(left.largest, right.largest))])
        if kind == "max":
            return ("arith.maximumf" if isFloat(self.dtype) else "arith.maxsi"), largest
        return f"arith.{kind}{'f' if isFloat(self.dtype) else 'i'}", largest


def structured(p):
    left, right, into = p.pick(), p.pick(), p.pick()
    kind = p.b.draws.choice(["add", "sub", "max"])
    largest = max(left.largest, right.largest) if kind == "max" else left.largest + right.largest
    if p.store(into, largest):
        p.b.emit(f"linalg.{kind} ins({left.name}, {right.name} : {left.type}, {right.type}) outs({into.name} : {into.type})")


def copy(p):
    source, into = p.pick(), p.pick()
    if source is not into and p.store(into, source.largest):
        op = p.b.draws.choice([f"linalg.copy ins({source.name} : {source.type}) outs({into.name} : {into.type})",
                               f"memref.copy {source.name}, {into.name} : {source.type} to {into.type}"])
        p.b.emit(op)


def nest(p, body, write):
    """Loops over all elements around the lines of `body`; `write(dimension, upper)` opens one."""
    names = [p.b.fresh() for _ in p.shape]
    lines = []
    for d, name in enumerate(names):
        lines.append("  " * d + write(d, name))
    at = ", ".join(names)
    lines += ["  " * len(names) + line.replace("AT", at) for line in body]
    lines += ["  " * d + "}" for d in reversed(range(len(names)))]
    p.b.emit("\n  ".join(lines))


def loops(p):
    """Element by element: affine or scf loops, perhaps with a condition."""
    left, right, into = p.pick(), p.pick(), p.pick()
    op, largest = p.combined(left, right)
    if not p.store(into, max(largest, left.largest)):
        return
    x, y, z = p.b.fresh(), p.b.fresh(), p.b.fresh()
    isAffine = p.b.draws.chance(1, 2)
    dialect = "affine" if isAffine else "memref"
    body = [f"{x} = {dialect}.load {left.name}[AT] : {left.type}", f"{y} = {dialect}.load {right.name}[AT] : {right.type}",
            f"{z} = {op} {x}, {y} : {p.dtype}"]
    store = f"{dialect}.store VALUE, {into.name}[AT] : {into.type}"
    if p.b.draws.chance(1, 3):
        condition = p.b.fresh()
        compare = f"arith.cmpf olt, {x}, {y} : {p.dtype}" if isFloat(p.dtype) else f"arith.cmpi slt, {x}, {y} : {p.dtype}"
        body += [f"{condition} = {compare}", f"scf.if {condition} {{", "  " + store.replace("VALUE", z), "} else {",
                 "  " + store.replace("VALUE", x), "}"]
    else:
        body.append(store.replace("VALUE", z))
    if isAffine:
        ends = [n if s else p.index(p.buffers[0], d) for d, (n, s) in enumerate(zip(p.shape, p.static))]
        nest(p, body, lambda d, name: f"affine.for {name} = 0 to {ends[d]} {{")
        return
    zero, one = p.b.index(0), p.b.index(1)
    ends = [p.index(p.buffers[0], d) for d in range(len(p.shape))]
    nest(p, body, lambda d, name: f"scf.for {name} = {zero} to {ends[d]} step {one} {{")


def shifted(p):
    """Each element from its neighbour, in order: what one turn stores the next one reads."""
    into = p.pick()
    if not p.static[0] or p.shape[0] < 2 or not p.store(into, into.largest):
        return
    at, x = p.b.fresh(), p.b.fresh()
    others = "".join(", 0" for _ in p.shape[1:])
    first, offset = p.b.draws.choice([(1, "- 1"), (0, "+ 1")])
    p.b.emit(f"affine.for {at} = {first} to {p.shape[0] - 1 + first} {{\n    {x} = affine.load {into.name}[{at} {offset}{others}] : "
             f"{into.type}\n    affine.store {x}, {into.name}[{at}{others}] : {into.type}\n  }}")


def view(p):
    """A structured op on a part of a buffer."""
    source, into = p.pick(), p.pick()
    size = max(p.shape[0] - 1, 1)
    if source is into or not all(p.static) or not p.store(into, source.largest):
        return
    strides = [1]
    for n in reversed(p.shape[1:]):
        strides.insert(0, strides[0] * n)
    offsets = [p.b.draws.below(p.shape[0] - size + 1) for _ in range(2)]
    names, types = [], []
    for buffer, offset in zip((source, into), offsets):
        name, sizes = p.b.fresh(), [size] + list(p.shape[1:])
        at = offset * strides[0]
        layout = f"strided<{strides}, offset: {at}>" if at else f"strided<{strides}>"
        type = "memref<" + "".join(f"{n}x" for n in sizes) + p.dtype + f", {layout}>"
        zeros = "".join(", 0" for _ in p.shape[1:])
        p.b.emit(f"{name} = memref.subview {buffer.name}[{offset}{zeros}] {sizes} {[1] * len(p.shape)} : {buffer.type} to {type}")
        names.append(name)
        types.append(type)
    p.b.emit(f"linalg.copy ins({names[0]} : {types[0]}) outs({names[1]} : {types[1]})")


def repeated(p):
    """A loop of the host around a structured op."""
    left, into = p.pick(), p.pick()
    turns = p.b.draws.choice([2, 1, 0, 3])
    if not p.store(into, into.largest + turns * left.largest * (2**turns if left is into else 1)):
        return
    low, high, step, at = p.b.index(0), p.b.index(turns), p.b.index(1), p.b.fresh()
    p.b.emit(f"scf.for {at} = {low} to {high} step {step} {{\n    linalg.add ins({left.name}, {into.name} : {left.type}, {into.type}) "
             f"outs({into.name} : {into.type})\n  }}")


STEPS = [structured, structured, copy, loops, loops, shifted, view, repeated]


def program(b, name):
    p = Program(b)
    for _ in range(1 + b.draws.below(3)):
        p.argument()
    for _ in range(b.draws.below(2)):
        p.alloc()
    for _ in range(1 + b.draws.below(5)):
        b.draws.begin()
        b.draws.choice(STEPS)(p)
        b.draws.end()
    if not p.stored:
        p.store(p.buffers[0], 0)
        zero = b.constant(p.dtype, 0)
        b.emit(f"linalg.fill ins({zero} : {p.dtype}) outs({p.buffers[0].name} : {p.buffers[0].type})")
    stores = sorted(p.stored)
    header = ", ".join(f"{a}: {t}" for a, t, _ in b.arguments)
    run = {"entry": name, "inputs": [i for _, _, i in b.arguments], "error": [0] * len(stores), "stores": stores}
    return (f"// run {json.dumps(run)}\nfunc.func @{name}({header}) {{\n" + "".join(f"  {line}\n" for line in b.lines) +
            "  return\n}\n")
