"""Operators and types of the operator sets 21 to 23, against NumPy: attention, position embedding, normalization, blocks of scales, 4-bit integers and
small floats; and fused operators of com.microsoft."""
import numpy as np

from model import node

INT4, UINT4, F8E4M3, F8E5M2 = 22, 21, 17, 19
rng = np.random.default_rng(23)


def f32(*shape):
    return rng.uniform(-2, 2, shape).astype(np.float32)


def softmax(x):
    e = np.exp(x - x.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


def attend(q, k, v, mask=None, causal=False, scale=None, softcap=0.0, past=None):
    """(result, key, value, scores by mode), all of rank 4, computed in f64."""
    if past is not None:
        k, v = np.concatenate([past[0], k], 2), np.concatenate([past[1], v], 2)
    present = k, v
    q, k, v = (x.astype(np.float64) for x in (q, k, v))
    repeats = q.shape[1] // k.shape[1]
    k, v = np.repeat(k, repeats, 1), np.repeat(v, repeats, 1)
    scores = q @ k.transpose(0, 1, 3, 2) * (1 / np.sqrt(q.shape[3]) if scale is None else scale)
    seen = [scores]
    if causal:
        scores = np.where(np.tril(np.ones(scores.shape[2:], bool)), scores, -np.inf)
    if mask is not None:
        scores = np.where(mask, scores, -np.inf) if mask.dtype == bool else scores + mask
    seen.append(scores)
    if softcap:
        scores = softcap * np.tanh(scores / softcap)
    seen.append(scores)
    weights = softmax(scores)
    seen.append(weights)
    return (weights @ v).astype(np.float32), *present, [s.astype(np.float32) for s in seen]


def flat(x):
    b, h, s, d = x.shape
    return np.ascontiguousarray(x.transpose(0, 2, 1, 3).reshape(b, s, h * d))


def attention(case):
    q, k, v = f32(2, 4, 3, 8), f32(2, 4, 5, 8), f32(2, 4, 5, 6)
    y, _, _, seen = attend(q, k, v)
    yield case("Attention", [node("Attention", ["q", "k", "v"], ["y"])], {"q": q, "k": k, "v": v}, {"y": y})
    yield case("Attention flat", [node("Attention", ["q", "k", "v"], ["y"], q_num_heads=4, kv_num_heads=4)], {"q": flat(q), "k": flat(k), "v": flat(v)}, {"y": flat(y)})
    kg, vg = f32(2, 2, 5, 8), f32(2, 2, 5, 8)
    y = attend(q, kg, vg, scale=0.3)[0]
    yield case("Attention groups", [node("Attention", ["q", "k", "v"], ["y"], scale=0.3)], {"q": q, "k": kg, "v": vg}, {"y": y})
    for name, mask in (("floats", f32(3, 5)), ("booleans", rng.random((2, 1, 3, 5)) < 0.7), ("rank 3", f32(4, 3, 5))):
        if mask.dtype == bool:
            mask[..., 0] = True
        y = attend(q, k, v, mask)[0]
        yield case(f"Attention mask of {name}", [node("Attention", ["q", "k", "v", "m"], ["y"])], {"q": q, "k": k, "v": v, "m": mask}, {"y": y})
    y = attend(q, k, v, causal=True)[0]
    yield case("Attention causal", [node("Attention", ["q", "k", "v"], ["y"], is_causal=1)], {"q": q, "k": k, "v": v}, {"y": y})
    past = f32(2, 4, 2, 8), f32(2, 4, 2, 6)
    y, pk, pv, _ = attend(q, k, v, past=past)
    yield case("Attention past", [node("Attention", ["q", "k", "v", "", "pk", "pv"], ["y", "k2", "v2"])], {"q": q, "k": k, "v": v, "pk": past[0], "pv": past[1]},
               {"y": y, "k2": pk, "v2": pv})
    for mode in range(4):
        mask = f32(3, 5)
        y, _, _, seen = attend(q, kg, vg, mask, causal=True, softcap=1.5)
        yield case(f"Attention softcap, scores {mode}", [node("Attention", ["q", "k", "v", "m"], ["y", "", "", "s"], is_causal=1, softcap=1.5, qk_matmul_output_mode=mode)],
                   {"q": q, "k": kg, "v": vg, "m": mask}, {"y": y, "s": seen[mode]})


def rotate(x, cos, sin, interleaved, size):
    cos, sin = cos[:, None], sin[:, None]
    a, b = (x[..., 0:size:2], x[..., 1:size:2]) if interleaved else (x[..., :size // 2], x[..., size // 2:size])
    real, imaginary = a * cos - b * sin, a * sin + b * cos
    pair = np.stack([real, imaginary], -1).reshape(*x.shape[:-1], size) if interleaved else np.concatenate([real, imaginary], -1)
    return np.concatenate([pair, x[..., size:]], -1).astype(np.float32)


def rotary(case):
    x, angles, at = f32(2, 3, 4, 8), f32(10, 4), rng.integers(0, 10, (2, 4)).astype(np.int64)
    cos, sin = np.cos(angles), np.sin(angles)
    for interleaved in (0, 1):
        y = rotate(x, cos[at], sin[at], interleaved, 8)
        yield case(f"RotaryEmbedding {interleaved}", [node("RotaryEmbedding", ["x", "c", "s", "p"], ["y"], interleaved=interleaved)], {"x": x, "c": cos, "s": sin, "p": at}, {"y": y})
        some = cos[at][..., :2], sin[at][..., :2]
        y = rotate(x, *some, interleaved, 4)
        yield case(f"RotaryEmbedding part, flat {interleaved}",
                   [node("RotaryEmbedding", ["x", "c", "s"], ["y"], interleaved=interleaved, rotary_embedding_dim=4, num_heads=3)],
                   {"x": flat(x), "c": np.ascontiguousarray(some[0]), "s": np.ascontiguousarray(some[1])}, {"y": flat(y)})


def norms(case):
    x = f32(2, 3, 4)
    for axis, scale in ((-1, f32(4)), (1, f32(3, 4)), (1, f32(4))):
        dims = tuple(range(axis % 3, 3))
        y = x / np.sqrt((x.astype(np.float64) ** 2).mean(dims, keepdims=True) + 1e-3) * scale
        yield case(f"RMSNormalization {axis} {scale.shape}", [node("RMSNormalization", ["x", "s"], ["y"], axis=axis, epsilon=1e-3)], {"x": x, "s": scale}, {"y": y.astype(np.float32)})
    x, scale, bias = f32(2, 4, 3), f32(4), f32(4)
    groups = x.reshape(2, 2, -1).astype(np.float64)
    y = ((groups - groups.mean(2, keepdims=True)) / np.sqrt(groups.var(2, keepdims=True) + 1e-5)).reshape(x.shape) * scale[:, None] + bias[:, None]
    yield case("GroupNormalization", [node("GroupNormalization", ["x", "s", "b"], ["y"], num_groups=2)], {"x": x, "s": scale, "b": bias}, {"y": y.astype(np.float32)})


def nibbles(values):
    """Integers of 4 bits, two in a byte."""
    low = np.resize(values.reshape(-1).astype(np.int64) & 15, (values.size + 1) // 2 * 2)
    if values.size % 2:
        low[-1] = 0
    return (low[0::2] | low[1::2] << 4).astype(np.uint8).tobytes()


def quantized(case):
    for name, code, values in (("int4", INT4, rng.integers(-8, 8, (6, 7))), ("uint4", UINT4, rng.integers(0, 16, (6, 7)))):
        zero = values[:, 0] // 2
        scale = np.abs(f32(6)) + 0.1
        y = (values - zero[:, None]).astype(np.float32) * scale[:, None]
        yield case(f"DequantizeLinear {name}", [node("DequantizeLinear", ["w", "s", "z"], ["y"], axis=0)], {"s": scale}, {"y": y},
                   packed={"w": (values.shape, code, nibbles(values)), "z": (zero.shape, code, nibbles(zero))})
        scales = np.abs(f32(6, 3)) + 0.1
        y = values.astype(np.float32) * np.repeat(scales, 3, 1)[:, :7]
        yield case(f"DequantizeLinear {name}, blocks", [node("DequantizeLinear", ["w", "s"], ["y"], axis=1, block_size=3)], {"s": scales}, {"y": y},
                   packed={"w": (values.shape, code, nibbles(values))})
        x = f32(6, 7) * 4
        low, high = (-8, 7) if name == "int4" else (0, 15)
        step = np.float32(0.5)
        q = np.clip(np.round(x / step) + 1, low, high)
        nodes = [node("QuantizeLinear", ["x", "s", "z"], ["q"]), node("DequantizeLinear", ["q", "s", "z"], ["y"])]
        yield case(f"QuantizeLinear {name}", nodes, {"x": x, "s": np.array(step)}, {"y": ((q - 1) * step).astype(np.float32)},
                   packed={"z": ((), code, nibbles(np.array([1])))})
    x, scales = f32(4, 6), np.abs(f32(2, 6)) + 0.1
    zeros = rng.integers(-3, 3, (2, 6)).astype(np.int8)
    q = np.clip(np.round(x / np.repeat(scales, 2, 0)) + np.repeat(zeros, 2, 0), -128, 127).astype(np.int8)
    yield case("QuantizeLinear blocks", [node("QuantizeLinear", ["x", "s", "z"], ["q"], axis=0, block_size=2)], {"x": x, "s": scales, "z": zeros}, {"q": q})
    q = np.clip(np.round(x / np.float32(0.25)), -32768, 32767).astype(np.int16)
    yield case("QuantizeLinear output_dtype", [node("QuantizeLinear", ["x", "s"], ["q"], output_dtype=5)], {"x": x, "s": np.array(np.float32(0.25))}, {"q": q})
    # Numbers that the small floats have: no rounding to think of.
    exact = np.array([[0.5, -1.5, 448.0, 2.0], [-0.25, 96.0, 1.0, -3.0]], np.float32)
    for name, code in (("f8E4M3FN", F8E4M3), ("f8E5M2", F8E5M2)):
        nodes = [node("QuantizeLinear", ["x", "s", "z"], ["q"]), node("DequantizeLinear", ["q", "s"], ["y"])]
        x = np.concatenate([exact * 2, np.full((1, 4), 1e6, np.float32)])
        top = np.float32(448 if name == "f8E4M3FN" else 57344)
        y = np.minimum(x, top * 2)
        yield case(f"QuantizeLinear {name}", nodes, {"x": x, "s": np.array(np.float32(2))}, {"y": y}, packed={"z": ((), code, b"\0")})


def erf(x):
    import math
    return np.vectorize(math.erf)(x)


def fused(case):
    """Operators of com.microsoft that ONNX Runtime fuses transformers to."""
    x, skip, bias, gamma, beta = f32(2, 3, 8), f32(2, 3, 8), f32(8), f32(8), f32(8)
    domain = "com.microsoft"
    total = x.astype(np.float64) + skip + bias
    rms = (total / np.sqrt((total ** 2).mean(-1, keepdims=True) + 1e-6) * gamma).astype(np.float32)
    layer = ((total - total.mean(-1, keepdims=True)) / np.sqrt(total.var(-1, keepdims=True) + 1e-6) * gamma + beta).astype(np.float32)
    inputs = {"x": x, "k": skip, "g": gamma, "c": bias}
    yield case("SkipSimplifiedLayerNormalization", [node("SkipSimplifiedLayerNormalization", ["x", "k", "g", "c"], ["y", "", "", "t"], "n", domain, epsilon=1e-6)], inputs,
               {"y": rms, "t": total.astype(np.float32)})
    yield case("SkipLayerNormalization", [node("SkipLayerNormalization", ["x", "k", "g", "b", "c"], ["y", "", "", "t"], "n", domain, epsilon=1e-6)], {**inputs, "b": beta},
               {"y": layer, "t": total.astype(np.float32)})
    wide = x.astype(np.float64) + bias
    gelus = {"BiasGelu": 0.5 * wide * (1 + erf(wide / np.sqrt(2))), "FastGelu": 0.5 * wide * (1 + np.tanh(np.sqrt(2 / np.pi) * (wide + 0.044715 * wide ** 3)))}
    for name, y in gelus.items():
        yield case(name, [node(name, ["x", "c"], ["y"], "n", domain)], {"x": x, "c": bias}, {"y": y.astype(np.float32)})
    yield case("QuickGelu", [node("QuickGelu", ["x"], ["y"], "n", domain, alpha=1.5)], {"x": x}, {"y": (x / (1 + np.exp(-1.5 * x.astype(np.float64)))).astype(np.float32)})


def newer(case):
    for table in (attention, rotary, norms, quantized, fused):
        yield from table(case)
