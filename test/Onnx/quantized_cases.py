"""Products, convolutions and poolings of com.microsoft that ONNX Runtime fuses, or writes for quantized networks, against NumPy."""
import numpy as np

from model import node

DOMAIN = "com.microsoft"
rng = np.random.default_rng(31)


def f32(*shape):
    return rng.uniform(-1, 1, shape).astype(np.float32)


def activated(x, name, alpha=0.0, beta=0.0):
    return {"": lambda: x, "Relu": lambda: np.maximum(x, 0), "Tanh": lambda: np.tanh(x), "Sigmoid": lambda: 1 / (1 + np.exp(-x)),
            "LeakyRelu": lambda: np.where(x < 0, x * np.float32(alpha), x), "Clip": lambda: np.clip(x, alpha, beta),
            "HardSigmoid": lambda: np.clip(x * np.float32(alpha) + np.float32(beta), 0, 1)}[name]()


def fused(case):
    x, y, c = f32(3, 5), f32(4, 5), f32(4)
    product = 0.5 * (x.astype(np.float64) @ y.T) + 2 * c
    for name, parameters in (("Relu", {}), ("LeakyRelu", {"activation_alpha": 0.25}), ("HardSigmoid", {"activation_alpha": 0.5, "activation_beta": 0.25}), ("Tanh", {})):
        expected = activated(product, name, parameters.get("activation_alpha", 0), parameters.get("activation_beta", 0))
        yield case(f"FusedGemm {name}", [node("FusedGemm", ["x", "y", "c"], ["r"], "n", DOMAIN, transB=1, alpha=0.5, beta=2.0, activation=name, **parameters)],
                   {"x": x, "y": y, "c": c}, {"r": expected.astype(np.float32)})
    a, b = f32(2, 5, 3), f32(2, 4, 5)
    expected = 0.25 * (a.transpose(0, 2, 1).astype(np.float64) @ b.transpose(0, 2, 1))
    yield case("FusedMatMul", [node("FusedMatMul", ["a", "b"], ["r"], "n", DOMAIN, transA=1, transB=1, alpha=0.25)], {"a": a, "b": b}, {"r": expected.astype(np.float32)})
    image, filters, bias = f32(1, 2, 6, 7), f32(3, 2, 3, 3), f32(3)
    windows = np.lib.stride_tricks.sliding_window_view(np.pad(image, ((0, 0), (0, 0), (1, 1), (1, 1))), (3, 3), (2, 3))
    sums = np.einsum("nchwij,ocij->nohw", windows.astype(np.float64), filters) + bias[:, None, None]
    added = f32(1, 3, 6, 7)
    inputs = {"x": image, "w": filters, "c": bias}
    for name, parameters in (("Relu", []), ("Clip", [0.0, 0.5]), ("LeakyRelu", [0.125]), ("HardSigmoid", [0.5, 0.25]), ("Sigmoid", [])):
        given = {"activation_params": parameters} if parameters else {}
        yield case(f"FusedConv {name}", [node("FusedConv", ["x", "w", "c"], ["r"], "n", DOMAIN, pads=[1, 1, 1, 1], activation=name, **given)], inputs,
                   {"r": activated(sums, name, *parameters).astype(np.float32)})
    yield case("FusedConv of a sum", [node("FusedConv", ["x", "w", "c", "z"], ["r"], "n", DOMAIN, pads=[1, 1, 1, 1], activation="Relu")], {**inputs, "z": added},
               {"r": np.maximum(sums + added, 0).astype(np.float32)})


def to_bytes(real, scale, zero, t):
    return np.clip(np.rint(real / np.float32(scale)) + int(zero), np.iinfo(t).min, np.iinfo(t).max).astype(t)


def scaled(x, scale, zero):
    return (x.astype(np.float32) - np.float32(zero)) * np.float32(scale)


def products(case):
    x = rng.integers(0, 256, (3, 8)).astype(np.uint8)
    for t, shape in ((np.int8, ()), (np.uint8, (5,))):
        w = rng.integers(np.iinfo(t).min, np.iinfo(t).max + 1, (8, 5)).astype(t)
        sa, sb = np.array(0.02, np.float32), np.full(shape, 0.01, np.float32) * (1 + np.arange(5, dtype=np.float32) if shape else np.float32(1))
        za, zb = np.array(120, np.uint8), np.full(shape, 7, t)
        sums = (x.astype(np.int64) - 120) @ (w.astype(np.int64) - zb)
        bias = f32(5)
        constants = {"w": w, "sa": sa, "sb": sb, "za": za, "zb": zb, "c": bias}
        yield case(f"MatMulIntegerToFloat {w.dtype.name}", [node("MatMulIntegerToFloat", ["x", "w", "sa", "sb", "za", "zb", "c"], ["r"], "n", DOMAIN)], {"x": x},
                   {"r": (sums * (sa * sb) + bias).astype(np.float32)}, constants)
        # Numbers that are 255 steps apart, of which all are multiples of a step: their bytes do not depend on rounding.
        steps = rng.integers(0, 256, (3, 8))
        steps[0, :2] = 0, 255
        real = ((steps - 100) / 64).astype(np.float32)
        sums = (steps - 100) @ (w.astype(np.int64) - zb)
        yield case(f"DynamicQuantizeMatMul {w.dtype.name}", [node("DynamicQuantizeMatMul", ["x", "w", "sb", "zb", "c"], ["r"], "n", DOMAIN)], {"x": real},
                   {"r": (sums * (sb / 64) + bias).astype(np.float32)}, {n: constants[n] for n in ("w", "sb", "zb", "c")})
    a = rng.integers(0, 256, (4, 6)).astype(np.uint8)
    b = rng.integers(-128, 128, (5, 6)).astype(np.int8)
    c = rng.integers(-500, 500, 5).astype(np.int32)
    sums = (a.astype(np.int64) - 100) @ b.T.astype(np.int64) + c
    constants = {"sa": np.array(0.05, np.float32), "za": np.array(100, np.uint8), "b": b, "sb": np.array(0.02, np.float32), "zb": np.array(0, np.int8), "c": c,
                 "sy": np.array(0.1, np.float32), "zy": np.array(128, np.uint8)}
    given = ["a", "sa", "za", "b", "sb", "zb", "c"]
    factor = np.float32(0.05) * np.float32(0.02)
    yield case("QGemm", [node("QGemm", [*given, "sy", "zy"], ["r"], "n", DOMAIN, transB=1)], {"a": a}, {"r": to_bytes(sums * factor, 0.1, 128, np.uint8)}, constants, off=True)
    yield case("QGemm of floats", [node("QGemm", given, ["r"], "n", DOMAIN, transB=1)], {"a": a}, {"r": (sums * factor).astype(np.float32)}, {n: constants[n] for n in given[1:]})


def shapes(case):
    for t in (np.uint8, np.int8):
        low, high = np.iinfo(t).min, np.iinfo(t).max + 1
        x, y = rng.integers(low, high, (2, 3, 4, 5)).astype(t), rng.integers(low, high, (2, 2, 4, 5)).astype(t)
        zx, zy, zr = t(low + 100), t(low + 130), t(low + 120)
        constants = {"sx": np.array(0.25, np.float32), "zx": np.array(zx), "sy": np.array(0.5, np.float32), "zy": np.array(zy), "s": np.array(0.375, np.float32), "z": np.array(zr)}
        real, other = scaled(x, 0.25, zx), scaled(y, 0.5, zy)
        name = np.dtype(t).name
        yield case(f"QLinearConcat {name}", [node("QLinearConcat", ["s", "z", "x", "sx", "zx", "y", "sy", "zy"], ["r"], "n", DOMAIN, axis=1)], {"x": x, "y": y},
                   {"r": to_bytes(np.concatenate([real, other], 1), 0.375, zr, t)}, constants, off=True)
        one = {n: constants[n] for n in ("sx", "zx", "s", "z")}
        for last in (0, 1):
            mean = real.mean((1, 2) if last else (2, 3), keepdims=True)
            yield case(f"QLinearGlobalAveragePool {name} {last}", [node("QLinearGlobalAveragePool", ["x", "sx", "zx", "s", "z"], ["r"], "n", DOMAIN, channels_last=last)], {"x": x},
                       {"r": to_bytes(mean, 0.375, zr, t)}, one, off=True)
        pooled = np.lib.stride_tricks.sliding_window_view(np.pad(real, ((0, 0), (0, 0), (1, 0), (0, 0)), constant_values=np.nan), (2, 2), (2, 3))
        for counts in (0, 1):
            sums = np.nansum(pooled, (4, 5))
            mean = sums / (4 if counts else np.isfinite(pooled).sum((4, 5)))
            yield case(f"QLinearAveragePool {name} {counts}",
                       [node("QLinearAveragePool", ["x", "sx", "zx", "s", "z"], ["r"], "n", DOMAIN, kernel_shape=[2, 2], pads=[1, 0, 0, 0], count_include_pad=counts)], {"x": x},
                       {"r": to_bytes(mean, 0.375, zr, t)}, one, off=True)
        yield case(f"QLinearReduceMean {name}", [node("QLinearReduceMean", ["x", "sx", "zx", "s", "z"], ["r"], "n", DOMAIN, axes=[1, 3], keepdims=0)], {"x": x},
                   {"r": to_bytes(real.mean((1, 3)), 0.375, zr, t)}, one, off=True)
        small = scaled(x, 0.0625, zx)
        e = np.exp(small - small.max(-1, keepdims=True))
        fine = {"sx": np.array(0.0625, np.float32), "zx": np.array(zx), "s": np.array(1 / 256, np.float32), "z": np.array(t(low))}
        yield case(f"QLinearSoftmax {name}", [node("QLinearSoftmax", ["x", "sx", "zx", "s", "z"], ["r"], "n", DOMAIN, axis=-1, opset=13)], {"x": x},
                   {"r": to_bytes(e / e.sum(-1, keepdims=True), 1 / 256, low, t)}, fine, off=True)


def quantized(case):
    for table in (fused, products, shapes):
        yield from table(case)
