"""Pairs of programs that must agree, whatever the ops mean: the same computation on permuted axes, and on the halves of a
batch. An error that reference and compiler share is seen by these alone."""
import dataclasses

import ranges
from program import Value


@dataclasses.dataclass
class Node:
    value: Value  # as computed on the axes as they are
    write: object = None  # (names of operands, types of operands, type of the result, axis mapping) -> text
    operands: tuple = ()
    shared: bool = False  # has no batch


class Recipe:
    """A computation that keeps the rank: every value has the same axes, some of them of size 1."""

    def __init__(self, b, fixed):
        self.b = b
        self.fixed = fixed  # axes that nothing is combined along
        self.nodes = []

    def add(self, value, write, *operands, shared=False):
        if value:
            self.nodes.append(Node(value, write, operands, shared))
        return value

    def pick(self, accept=lambda node: True):
        fitting = [i for i, node in enumerate(self.nodes) if accept(node)]
        return fitting[-1 - self.b.draws.below(len(fitting))] if fitting else None

    def leaf(self, dtype, shape, static, shared=False):
        self.add(self.b.new(dtype, shape, static), None, shared=shared)
        return len(self.nodes) - 1


def unary(recipe):
    at = recipe.pick(lambda node: node.value.dtype in ("f32", "f64") and node.value.largest < 50)
    if at is None:
        return
    v, b = recipe.nodes[at].value, recipe.b
    kind = b.draws.choice(["tanh", "sigmoid", "erf", "silu"])
    known = ranges.curve(b, kind, v)
    recipe.add(b.result(v.dtype, v.shape, v.static, *known),
               lambda names, types, type, axis: f"mica.{kind} {names[0]} : {type}", at, shared=recipe.nodes[at].shared)


def binary(recipe):
    b = recipe.b
    at = recipe.pick(lambda node: not node.shared)
    left = recipe.nodes[at].value
    other = recipe.pick(lambda node: node.value.dtype == left.dtype and all(
        n == m and s == t or (m == 1 and t) for n, m, s, t in zip(left.shape, node.value.shape, left.static, node.value.static)))
    right = recipe.nodes[other].value
    kind = b.draws.choice(["add", "mul", "sub", "max"])
    recipe.add(b.result(left.dtype, left.shape, left.static, *ranges.arithmetic(b, kind, left, right)),
               lambda names, types, type, axis: f"mica.{kind} {names[0]}, {names[1]} : ({types[0]}, {types[1]}) -> {type}", at, other)


def reduce(recipe):
    b = recipe.b
    at = recipe.pick(lambda node: node.value.size)
    if at is None:
        return
    v = recipe.nodes[at].value
    dims = [d for d in range(v.rank) if d not in recipe.fixed and b.draws.chance(1, 2)]
    if not dims:
        return
    count = 1
    for d in dims:
        count *= v.shape[d]
    kind = b.draws.choice(["sum", "max"])
    low, high, error = v.low, v.high, v.error
    if kind == "sum":
        low, high, error = ranges.summed(b, v.dtype, count, low, high, error, v.whole)
    value = b.result(v.dtype, [1 if d in dims else n for d, n in enumerate(v.shape)],
                     [d in dims or s for d, s in enumerate(v.static)], low, high, error, v.whole)
    recipe.add(value, lambda names, types, type, axis: f"mica.reduce {kind} {names[0]} dims = {sorted(axis(d) for d in dims)} "
               f"keep_dims : ({types[0]}) -> {type}", at, shared=recipe.nodes[at].shared)


def softmax(recipe):
    b = recipe.b
    at = recipe.pick(lambda node: node.value.dtype in ("f32", "f64") and node.value.largest < 50)
    axes = [d for d in range(recipe.nodes[0].value.rank) if d not in recipe.fixed]
    if at is None or not axes:
        return
    v, d = recipe.nodes[at].value, b.draws.choice(axes)
    error = b.rounded(v.dtype, 0, 1, 2 * v.error, False, v.shape[d] + 20) + b.rounded(v.dtype, -v.largest, v.largest, 0, False, 8)
    recipe.add(b.result(v.dtype, v.shape, v.static, 0, 1, error),
               lambda names, types, type, axis: f"mica.softmax {names[0]} axis = {axis(d)} : {type}", at,
               shared=recipe.nodes[at].shared)


def makeRecipe(b, fixed):
    rank = 2 + b.draws.below(2)
    shape = b.shape(rank, rank, 2000)
    if 0 in fixed:
        # tensor.extract_slice takes nothing from a dimension of size 0.
        shape = (2 + b.draws.below(6),) + tuple(max(n, 1) for n in shape[1:])
    dtype = b.draws.choice(["f32", "i32", "f64", "i64"])
    static = b.statics(shape)
    recipe = Recipe(b, fixed)
    recipe.leaf(dtype, shape, static)
    small = [1 if d in fixed or b.draws.chance(1, 2) else n for d, n in enumerate(shape)]
    recipe.leaf(dtype, small, [n == 1 or s for n, s in zip(small, static)], shared=True)
    for _ in range(2 + b.draws.below(5)):
        b.draws.begin()
        b.draws.choice([binary, unary, reduce, softmax])(recipe)
        b.draws.end()
    return recipe


def write(recipe, b, leaves, axes, batch=None):
    """The lines that compute the recipe with axis d in the place axes[d]; `leaves` names its arguments, `batch` is the size of
    axis 0 where it is not the recipe's. The name of the result and its type."""
    names, types = [], []
    for i, node in enumerate(recipe.nodes):
        v = node.value
        shape, static = [0] * v.rank, [True] * v.rank
        for d in range(v.rank):
            isBatch = batch is not None and d == 0 and not node.shared
            shape[axes[d]], static[axes[d]] = (batch, True) if isBatch else (v.shape[d], v.static[d])
        type = dataclasses.replace(v, shape=tuple(shape), static=tuple(static)).type
        if node.write:
            name = b.fresh()
            b.emit(f"{name} = " + node.write([names[o] for o in node.operands], [types[o] for o in node.operands], type,
                                             lambda d: axes[d]))
        else:
            name = leaves[i]
        names.append(name)
        types.append(type)
    return names[-1], types[-1]


def permuted(b):
    """The lines of the second program: arguments with permuted axes, the recipe on them, the result permuted back."""
    recipe = makeRecipe(b, ())
    rank = recipe.nodes[0].value.rank
    left, order = list(range(rank)), []
    while left:
        order.append(left.pop(b.draws.below(len(left))))
    order = order if order != list(range(rank)) else order[::-1]
    axes = [order.index(d) for d in range(rank)]

    def second():
        leaves = {}
        for i, node in enumerate(recipe.nodes):
            if not node.write:
                v, name = node.value, b.fresh()
                type = dataclasses.replace(v, shape=tuple(v.shape[d] for d in order), static=tuple(v.static[d] for d in order)).type
                b.emit(f"{name} = mica.transpose {v.name} permutation = {order} : ({v.type}) -> {type}")
                leaves[i] = name
        name, type = write(recipe, b, leaves, axes)
        value = dataclasses.replace(recipe.nodes[-1].value, name=b.fresh())
        b.emit(f"{value.name} = mica.transpose {name} permutation = {axes} : ({type}) -> {value.type}")
        return value
    return recipe, second


def split(b):
    """The lines of the second program: the recipe on both parts of the batch."""
    recipe = makeRecipe(b, (0,))
    size = recipe.nodes[0].value.shape[0]
    first = 1 + b.draws.below(size - 1)

    def second():
        parts, types = [], []
        for offset, count in ((0, first), (first, size - first)):
            leaves = {}
            for i, node in enumerate(recipe.nodes):
                if node.write:
                    continue
                v, name = node.value, b.fresh()
                leaves[i] = v.name if node.shared else name
                if node.shared:
                    continue
                type = dataclasses.replace(v, shape=(count,) + v.shape[1:], static=(True,) + v.static[1:]).type
                sizes = [str(count)] + [str(n) if s else b.sizeOf(v, d) for d, (n, s) in list(enumerate(zip(v.shape, v.static)))[1:]]
                offsets = ", ".join([str(offset)] + ["0"] * (v.rank - 1))
                b.emit(f"{name} = tensor.extract_slice {v.name}[{offsets}] [{', '.join(sizes)}] [{', '.join(['1'] * v.rank)}] : "
                       f"{v.type} to {type}")
            name, type = write(recipe, b, leaves, range(recipe.nodes[0].value.rank), count)
            parts.append(name)
            types.append(type)
        value = recipe.nodes[-1].value
        value = dataclasses.replace(value, name=b.fresh(), static=(True,) + value.static[1:])
        if recipe.nodes[-1].shared:
            return dataclasses.replace(value, name=parts[0], static=recipe.nodes[-1].value.static)
        b.emit(f"{value.name} = tensor.concat dim(0) {', '.join(parts)} : ({', '.join(types)}) -> {value.type}")
        return value
    return recipe, second


def pair(b, name, twin):
    """Both programs; `b` is a fresh builder."""
    recipe, second = b.draws.choice([split, permuted])(b)
    leaves = {i: node.value.name for i, node in enumerate(recipe.nodes) if not node.write}
    last, _ = write(recipe, b, leaves, range(recipe.nodes[0].value.rank))
    value = dataclasses.replace(recipe.nodes[-1].value, name=last)
    keep = {leaf for leaf in leaves.values()}
    text = b.function(name, [value], twin=twin, keep=keep)
    b.lines = []
    return text + b.function(twin, [second()], keep=keep)
