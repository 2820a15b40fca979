"""Operators of the operator sets 24 to 26, against NumPy: updates of caches, attention on a part of one, Swish, products, bits."""
import numpy as np

from model import node
from newer_cases import attend, f32, rng

TYPES = {np.float32: 1, np.uint8: 2, np.int8: 3, np.uint16: 4, np.int16: 5, np.int32: 6, np.int64: 7, np.float16: 10, np.float64: 11, np.uint32: 12, np.uint64: 13}


def scattered(past, update, at, axis, circular):
    """As the specification's pseudocode."""
    present = past.copy()
    for prefix in np.ndindex(*past.shape[:axis]):
        for i in range(update.shape[axis]):
            where = at[prefix[0]] + i
            present[(*prefix, where % past.shape[axis] if circular else where)] = update[(*prefix, i)]
    return present


def caches(case):
    for dtype in (np.float32, np.uint8):
        for shape, axis in (((2, 3, 5, 4), -2), ((2, 6, 3), 1), ((3, 2, 7), 2)):
            axis_ = axis % len(shape)
            new = list(shape)
            new[axis_] = 2
            past, update = (rng.integers(0, 200, s).astype(dtype) for s in (shape, tuple(new)))
            zeros = np.zeros(shape[0], np.int64)
            names = {"p": past, "u": update}
            yield case(f"TensorScatter {dtype.__name__} {shape}", [node("TensorScatter", ["p", "u"], ["y"], axis=axis)], names, {"y": scattered(past, update, zeros, axis_, False)})
            at = rng.integers(0, shape[axis_] - 1, shape[0])
            yield case(f"TensorScatter at {dtype.__name__} {shape}", [node("TensorScatter", ["p", "u", "w"], ["y"], axis=axis)], {**names, "w": at},
                       {"y": scattered(past, update, at, axis_, False)})
            at = rng.integers(0, 3 * shape[axis_], shape[0])
            yield case(f"TensorScatter circular {dtype.__name__} {shape}", [node("TensorScatter", ["p", "u", "w"], ["y"], axis=axis, mode="circular")], {**names, "w": at},
                       {"y": scattered(past, update, at, axis_, True)})


def attention(case):
    q, k, v = f32(3, 4, 3, 8), f32(3, 2, 6, 8), f32(3, 2, 6, 5)
    lengths = np.array([2, 6, 4], np.int64)
    taken = (np.arange(6) < lengths[:, None])[:, None, None]
    inputs = {"q": q, "k": k, "v": v, "n": lengths}
    yield case("Attention lengths", [node("Attention", ["q", "k", "v", "", "", "", "n"], ["y"])], inputs, {"y": attend(q, k, v, taken)[0]})
    yield case("Attention lengths, causal", [node("Attention", ["q", "k", "v", "", "", "", "n"], ["y"], is_causal=1)], inputs, {"y": attend(q, k, v, taken, causal=True)[0]})
    mask = f32(3, 6)
    yield case("Attention lengths and floats", [node("Attention", ["q", "k", "v", "m", "", "", "n"], ["y"])], {**inputs, "m": mask}, {"y": attend(q, k, v, np.where(taken, mask, -np.inf))[0]})
    mask = rng.random((3, 1, 3, 6)) < 0.6
    mask[..., 0] = True
    yield case("Attention lengths and booleans", [node("Attention", ["q", "k", "v", "m", "", "", "n"], ["y"])], {**inputs, "m": mask}, {"y": attend(q, k, v, mask & taken)[0]})
    inputs = {"q": q, "k": k, "v": v}
    for name, short, none in (("floats", f32(3, 4), -np.inf), ("booleans", np.array([[1, 1, 0, 1], [1, 0, 0, 0], [1, 1, 1, 1]], bool), False)):
        whole = np.concatenate([short, np.full((3, 2), none, short.dtype)], 1)
        yield case(f"Attention short mask of {name}", [node("Attention", ["q", "k", "v", "m"], ["y"])], {**inputs, "m": short}, {"y": attend(q, k, v, whole)[0]})


def others(case):
    x = f32(3, 5)
    for alpha in (None, 1.5):
        given = {} if alpha is None else {"alpha": alpha}
        y = x / (1 + np.exp(-(alpha or 1) * x.astype(np.float64)))
        yield case(f"Swish {alpha}", [node("Swish", ["x"], ["y"], **given)], {"x": x}, {"y": y.astype(np.float32)})
    for x in (f32(2, 5, 3), rng.integers(-3, 4, (2, 5, 3)), rng.integers(0, 4, (2, 5, 3)).astype(np.uint32)):
        for axis in (0, 1, -1):
            for exclusive in (0, 1):
                for reverse in (0, 1):
                    y = np.flip(x, axis) if reverse else x
                    y = np.cumprod(y, axis, dtype=x.dtype)
                    if exclusive:
                        y = np.roll(y, 1, axis)
                        np.moveaxis(y, axis, 0)[0] = 1
                    y = np.flip(y, axis) if reverse else y
                    yield case(f"CumProd {x.dtype} {axis} {exclusive} {reverse}", [node("CumProd", ["x", "a"], ["y"], exclusive=exclusive, reverse=reverse)], {"x": x},
                               {"y": np.ascontiguousarray(y)}, constants={"a": np.array(axis, np.int64)})
    for first, second in ((np.float32, np.int32), (np.int32, np.float32), (np.uint32, np.float32), (np.float64, np.uint64), (np.int8, np.uint8), (np.float16, np.int16), (np.int64, np.int64)):
        x = f32(2, 6).astype(first) if first in (np.float32, np.float64, np.float16) else rng.integers(1, 100, (2, 6)).astype(first)
        if first == np.int8:
            x = -x
        yield case(f"BitCast {first.__name__} {second.__name__}", [node("BitCast", ["x"], ["y"], to=TYPES[second])], {"x": x}, {"y": x.view(second)})


def opset26(case):
    yield from caches(case)
    yield from attention(case)
    yield from others(case)
