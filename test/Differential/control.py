"""Loops and branches around other ops."""
import dataclasses

from program import Builder, isFloat


def body(b, addOp, count, values):
    """A builder for a region whose pool has `values` besides those around it, on which `addOp` was called `count` times."""
    inner = Builder(b.draws, b)
    inner.pool += values
    for _ in range(count):
        b.draws.begin()
        addOp(inner)
        b.draws.end()
    return inner


def indented(lines):
    return "".join("    " + line.replace("\n", "\n  ") + "\n" for line in lines)


def settled(inner, value, carried):
    """`value` brought back to what `carried` promises: type, range and error. None if it cannot be."""
    if value.shape != carried.shape or value.dtype != carried.dtype:
        return None
    if not isFloat(value.dtype):
        return value
    factor = 1.0
    while value.error * factor > carried.error or value.largest * factor > carried.high:
        factor /= 2
        if factor < 1e-9:
            return None
    one = (1,) * value.rank
    constant = inner.fresh()
    dims = "".join("1x" for _ in one)
    inner.emit(f"{constant} = arith.constant dense<{factor!r}> : tensor<{dims}{value.dtype}>")
    name = inner.fresh()
    inner.emit(f"{name} = mica.mul {value.name}, {constant} : ({value.type}, tensor<{dims}{value.dtype}>) -> {value.type}")
    return dataclasses.replace(value, name=name)


def cast(inner, value, type):
    """The name of `value` as one of `type`, which differs in what it says of the sizes."""
    if value.type == type:
        return value.name
    name = inner.fresh()
    inner.emit(f"{name} = tensor.cast {value.name} : {value.type} to {type}")
    return name


ERROR = {"f32": 1e-4, "f64": 1e-10}


@dataclasses.dataclass
class Turns:
    """A loop in the making: what it carries, and its body."""
    start: object
    carried: object  # inside
    value: object  # behind
    inner: Builder
    yielded: str
    count: int


def turns(b, addOp):
    """A body over a value that is carried; it stays in [-2, 2], with an error that one more turn does not make larger."""
    start = b.pick(lambda v: v.dtype in ("f32", "f64", "i32", "i64") and v.size and
                   (not isFloat(v.dtype) or (v.largest <= 2 and v.error <= ERROR[v.dtype])))
    if b.parent or not start:
        return None
    count = b.draws.choice([2, 1, 0, 3, 5])
    carried = dataclasses.replace(start, name=b.fresh(), whole=start.whole and not isFloat(start.dtype))
    if isFloat(start.dtype):
        carried = dataclasses.replace(carried, low=-2, high=2, error=ERROR[start.dtype])
    else:
        full = b.result(start.dtype, start.shape, start.static, -2**64, 2**64)
        carried = dataclasses.replace(carried, low=full.low, high=full.high)
    inner = body(b, addOp, 1 + b.draws.below(3), [carried])
    last = inner.pick(lambda v: v.dtype == start.dtype and v.shape == start.shape and v.name != carried.name)
    last = last and settled(inner, last, carried)
    if not last:
        return None
    yielded = cast(inner, last, start.type)
    inner.prune({yielded})
    return Turns(start, carried, dataclasses.replace(carried, name=b.fresh()), inner, yielded, count)


def makeLoop(addOp):
    def loop(b):
        """scf.for over a tensor."""
        t = turns(b, addOp)
        if not t:
            return None
        low, high, step, at = b.index(0), b.index(t.count), b.index(1), b.fresh()
        type = t.start.type
        return b.define(t.value, f"scf.for {at} = {low} to {high} step {step} iter_args({t.carried.name} = {t.start.name}) -> "
                        f"({type}) {{\n{indented(t.inner.lines)}    scf.yield {t.yielded} : {type}\n  }}")
    return loop


def makeWhile(addOp):
    def scfWhile(b, t, type):
        low, high, step = b.index(0), b.index(t.count), b.index(1)
        at, before, here, more, after = (b.fresh() for _ in range(5))
        return (f"scf.while ({at} = {low}, {before} = {t.start.name}) : (index, {type}) -> (index, {type}) {{\n"
                f"    {more} = arith.cmpi slt, {at}, {high} : index\n    scf.condition({more}) {at}, {before} : index, {type}\n"
                f"  }} do {{\n  ^bb0({here}: index, {t.carried.name}: {type}):\n{indented(t.inner.lines)}"
                f"    {after} = arith.addi {here}, {step} : index\n    scf.yield {after}, {t.yielded} : index, {type}\n  }}")

    def micaWhile(b, t, type):
        left = b.fresh()
        b.emit(f"{left} = mica.constant dense<{t.count}> : tensor<i32>")
        at, before, here, number, zero, more, answer, one, after = (b.fresh() for _ in range(9))
        return (f"mica.while({left}, {t.start.name}) : (tensor<i32>, {type}) -> (tensor<i32>, {type}) {{\n"
                f"  ^bb0({at}: tensor<i32>, {before}: {type}):\n    {number} = tensor.extract {at}[] : tensor<i32>\n"
                f"    {zero} = arith.constant 0 : i32\n    {more} = arith.cmpi sgt, {number}, {zero} : i32\n"
                f"    {answer} = tensor.from_elements {more} : tensor<i1>\n    mica.yield {answer} : tensor<i1>\n"
                f"  }} do {{\n  ^bb0({here}: tensor<i32>, {t.carried.name}: {type}):\n{indented(t.inner.lines)}"
                f"    {one} = mica.constant dense<1> : tensor<i32>\n"
                f"    {after} = mica.sub {here}, {one} : tensor<i32>\n"
                f"    mica.yield {after}, {t.yielded} : tensor<i32>, {type}\n  }}")

    def loop(b):
        """A loop that goes on while a value that it computes says so."""
        t = turns(b, addOp)
        if not t:
            return None
        b.emit(f"{t.value.name}:2 = " + b.draws.choice([scfWhile, micaWhile])(b, t, t.start.type))
        b.pool.append(dataclasses.replace(t.value, name=t.value.name + "#1"))
        return b.pool[-1]
    return loop


def makeBranch(addOp):
    def branch(b):
        """A conditional that the program cannot decide, with a value from either side."""
        if b.parent:
            return None
        start = b.pick(lambda v: v.dtype in ("f32", "f64", "i32", "i64"))
        if not start:
            return None
        dialect, type = b.draws.choice([("scf", "i1"), ("mica", "tensor<i1>")])
        condition = b.argument(type, f"i1={b.draws.below(2)}")
        sides = []
        for _ in range(2):
            inner = body(b, addOp, 1 + b.draws.below(2), [])
            last = inner.pick(lambda v: v.dtype == start.dtype and v.shape == start.shape) or start
            sides.append((inner, last))
        low, high = min(v.low for _, v in sides), max(v.high for _, v in sides)
        value = b.result(start.dtype, start.shape, start.static, low, high, max(v.error for _, v in sides),
                         all(v.whole for _, v in sides))
        if not value:
            return None
        texts = []
        for inner, last in sides:
            yielded = cast(inner, last, start.type)
            inner.prune({yielded})
            texts.append(f"{indented(inner.lines)}    {dialect}.yield {yielded} : {start.type}\n")
        head = f"scf.if {condition} -> ({start.type})" if dialect == "scf" else f"mica.if {condition} : (tensor<i1>) -> {start.type}"
        return b.define(value, f"{head} {{\n{texts[0]}  }} else {{\n{texts[1]}  }}")
    return branch
