"""Attention of com.microsoft against NumPy: MultiHeadAttention, Attention with its projection, GroupQueryAttention and RotaryEmbedding."""
import numpy as np

from model import node
from newer_cases import flat

DOMAIN = "com.microsoft"
FILTER = -10000.0
rng = np.random.default_rng(29)


def f32(*shape):
    return rng.uniform(-1, 1, shape).astype(np.float32)


def heads_of(x, count):
    b, s, width = x.shape
    return np.ascontiguousarray(x.reshape(b, s, count, width // count).transpose(0, 2, 1, 3))


def attend(q, k, v, added=0.0, scale=None, softcap=0.0):
    """`added`: what is added to the scores. In f64."""
    q, k, v = (x.astype(np.float64) for x in (q, k, v))
    repeats = q.shape[1] // k.shape[1]
    k, v = np.repeat(k, repeats, 1), np.repeat(v, repeats, 1)
    scores = q @ k.transpose(0, 1, 3, 2) * (scale or 1 / np.sqrt(q.shape[3]))
    if softcap:
        scores = softcap * np.tanh(scores / softcap)
    scores = scores + added
    e = np.exp(scores - scores.max(-1, keepdims=True))
    return (e / e.sum(-1, keepdims=True) @ v).astype(np.float32)


def causal(s, t):
    return np.where(np.arange(t)[None] <= np.arange(s)[:, None] + t - s, 0, -np.inf)


def several_heads(case):
    op = "MultiHeadAttention"
    q, k, v = f32(2, 3, 32), f32(2, 5, 32), f32(2, 5, 24)
    parts = [heads_of(x, 4) for x in (q, k, v)]
    plain = {"q": q, "k": k, "v": v}
    yield case(op, [node(op, ["q", "k", "v"], ["y"], "n", DOMAIN, num_heads=4)], plain, {"y": flat(attend(*parts))})
    dims = {"q": ["b", "s", 32], "k": ["b", "t", 32], "v": ["b", "t", 24]}
    yield case(f"{op} of dynamic sizes", [node(op, ["q", "k", "v"], ["y"], "n", DOMAIN, num_heads=4)], plain, {"y": flat(attend(*parts))}, dims=dims)
    bias = f32(88)
    with_bias = [heads_of(x, 4) for x in (q + bias[:32], k + bias[32:64], v + bias[64:])]
    yield case(f"{op} with a bias", [node(op, ["q", "k", "v", "c"], ["y"], "n", DOMAIN, num_heads=4)], {**plain, "c": bias}, {"y": flat(attend(*with_bias))})
    lengths = np.array([5, 2], np.int32)
    padded = np.where(np.arange(5)[None] < lengths[:, None], 0, FILTER)[:, None, None]
    yield case(f"{op} of lengths", [node(op, ["q", "k", "v", "", "m"], ["y"], "n", DOMAIN, num_heads=4)], {**plain, "m": lengths}, {"y": flat(attend(*parts, padded))})
    kept = np.array([[1, 1, 0, 1, 1], [0, 1, 1, 0, 0]], np.int32)
    added = np.where(kept, 0, FILTER)[:, None, None]
    scores = f32(1, 4, 3, 5)
    yield case(f"{op} with a mask and scores", [node(op, ["q", "k", "v", "", "m", "a"], ["y"], "n", DOMAIN, num_heads=4, scale=0.5)], {**plain, "m": kept, "a": scores},
               {"y": flat(attend(*parts, added + scores, 0.5))})
    packed = f32(2, 3, 4, 3, 8)
    y = attend(*(packed[:, :, :, i].transpose(0, 2, 1, 3) for i in range(3)))
    yield case(f"{op} packed", [node(op, ["q"], ["y"], "n", DOMAIN, num_heads=4)], {"q": packed}, {"y": flat(y)})
    pairs = f32(2, 5, 4, 2, 8)
    y = attend(parts[0], *(pairs[:, :, :, i].transpose(0, 2, 1, 3) for i in range(2)))
    yield case(f"{op} packed pairs", [node(op, ["q", "k"], ["y"], "n", DOMAIN, num_heads=4)], {"q": q, "k": pairs}, {"y": flat(y)})
    crossed = {"q": q, "k": parts[1], "v": f32(2, 4, 5, 8)}
    yield case(f"{op} of heads", [node(op, ["q", "k", "v"], ["y"], "n", DOMAIN, num_heads=4)], crossed, {"y": flat(attend(*parts[:2], crossed["v"]))})
    past = f32(2, 4, 6, 8), f32(2, 4, 6, 8)
    own = f32(2, 3, 32), f32(2, 3, 32), f32(2, 3, 32)
    key, value = (np.concatenate([p, heads_of(x, 4)], 2) for p, x in zip(past, own[1:]))
    names = dict(zip(("q", "k", "v", "pk", "pv"), (*own, *past)))
    yield case(f"{op} after past keys", [node(op, ["q", "k", "v", "", "", "", "pk", "pv"], ["y", "nk", "nv"], "n", DOMAIN, num_heads=4, unidirectional=1)], names,
               {"y": flat(attend(heads_of(own[0], 4), key, value, causal(3, 9))), "nk": key, "nv": value})


def projected(case):
    x, w, bias = f32(2, 4, 12), f32(12, 48), f32(48)
    q, k, v = (heads_of(part, 2) for part in np.split(x @ w + bias, 3, 2))
    inputs = {"x": x, "w": w, "c": bias}
    yield case("com.microsoft:Attention", [node("Attention", ["x", "w", "c"], ["y"], "n", DOMAIN, num_heads=2)], inputs, {"y": flat(attend(q, k, v))})
    kept = np.array([[1, 1, 1, 0], [1, 0, 1, 1]], np.int32)
    y = attend(q, k, v, np.where(kept, 0, FILTER)[:, None, None])
    yield case("com.microsoft:Attention with a mask", [node("Attention", ["x", "w", "c", "m"], ["y"], "n", DOMAIN, num_heads=2)], {**inputs, "m": kept}, {"y": flat(y)})
    past = f32(2, 2, 2, 3, 8)
    key, value = (np.concatenate([p, part], 2) for p, part in zip(past, (k, v)))
    yield case("com.microsoft:Attention after past keys", [node("Attention", ["x", "w", "c", "", "p"], ["y", "n"], "n", DOMAIN, num_heads=2, unidirectional=1)],
               {**inputs, "p": past}, {"y": flat(attend(q, key, value, causal(4, 7))), "n": np.stack([key, value])})
    w, bias = f32(12, 40), f32(40)
    q, k, v = (heads_of(part, 2) for part in np.split(x @ w + bias, [16, 32], 2))
    yield case("com.microsoft:Attention of three widths", [node("Attention", ["x", "w", "c"], ["y"], "n", DOMAIN, num_heads=2, qkv_hidden_sizes=[16, 16, 8])],
               {"x": x, "w": w, "c": bias}, {"y": flat(attend(q, k, v))})


def rotate(x, positions, cosines, sines, interleaved=False):
    """`x` [b, h, s, d] by the rows [b, s] of the tables."""
    half = cosines.shape[1]
    c, s = cosines[positions][:, None].astype(np.float64), sines[positions][:, None].astype(np.float64)
    first, second = (x[..., 0:2 * half:2], x[..., 1:2 * half:2]) if interleaved else (x[..., :half], x[..., half:2 * half])
    real, imaginary = first * c - second * s, first * s + second * c
    pairs = np.stack([real, imaginary], -1).reshape(*x.shape[:3], 2 * half) if interleaved else np.concatenate([real, imaginary], -1)
    return np.concatenate([pairs, x[..., 2 * half:]], -1).astype(np.float32)


def tables(rows, half):
    angles = np.arange(rows)[:, None] / 10.0 ** np.arange(half)
    return np.cos(angles).astype(np.float32), np.sin(angles).astype(np.float32)


def rotary(case):
    cosines, sines = tables(12, 4)
    x = f32(2, 3, 32)
    positions = np.array([[4, 5, 6], [0, 1, 11]], np.int64)
    inputs = {"x": x, "p": positions, "c": cosines, "s": sines}
    for interleaved in (0, 1):
        y = flat(rotate(heads_of(x, 4), positions, cosines, sines, interleaved))
        yield case(f"com.microsoft:RotaryEmbedding {interleaved}", [node("RotaryEmbedding", ["x", "p", "c", "s"], ["y"], "n", DOMAIN, interleaved=interleaved)], inputs, {"y": y})
    first = np.array([7], np.int64)
    y = rotate(heads_of(x, 4), 7 + np.arange(3)[None].repeat(2, 0), cosines, sines)
    yield case("com.microsoft:RotaryEmbedding from a position", [node("RotaryEmbedding", ["x", "p", "c", "s"], ["y"], "n", DOMAIN)],
               {**inputs, "x": heads_of(x, 4), "p": first}, {"y": y})
    few = tables(12, 2)
    y = flat(rotate(heads_of(x, 4), positions, *few))
    yield case("com.microsoft:RotaryEmbedding of a part", [node("RotaryEmbedding", ["x", "p", "c", "s"], ["y"], "n", DOMAIN, num_heads=4, rotary_embedding_dim=4)],
               {**inputs, "c": few[0], "s": few[1]}, {"y": y})


def grouped(case):
    """`firsts`: the position of the first new key of each sequence; `room`: how many keys the cache holds."""
    op = "GroupQueryAttention"

    def one(name, batch, s, firsts, room=None, rotated=None, window=-1, dims=None, packed=False, softcap=0.0):
        firsts = np.array(firsts)
        total = int(firsts.max()) + s
        room = total - s if room is None else room
        length = max(total, room)
        q, k, v = f32(batch, s, 64), f32(batch, s, 32), f32(batch, s, 32)
        pk, pv = f32(batch, 2, room, 16), f32(batch, 2, room, 16)
        attributes = {"num_heads": 4, "kv_num_heads": 2}
        inputs = {"q": np.concatenate([q, k, v], 2)} if packed else {"q": q, "k": k, "v": v}
        inputs.update({"pk": pk, "pv": pv, "l": (firsts + s - 1).astype(np.int32)})
        given = ["q", *(["", ""] if packed else ["k", "v"]), "pk", "pv", "l", "t"]
        q, k, v = heads_of(q, 4), heads_of(k, 2), heads_of(v, 2)
        if rotated is not None:
            cosines, sines = tables(64, 8)
            positions = firsts[:, None] + np.arange(s)
            q, k = (rotate(x, positions, cosines, sines, rotated) for x in (q, k))
            inputs.update({"cos": cosines, "sin": sines})
            given += ["cos", "sin"]
            attributes.update(do_rotary=1, rotary_interleaved=rotated)
        key, value = np.zeros((batch, 2, length, 16), np.float32), np.zeros((batch, 2, length, 16), np.float32)
        key[:, :, :room], value[:, :, :room] = pk, pv
        for b, first in enumerate(firsts):
            key[b, :, first:first + s], value[b, :, first:first + s] = k[b], v[b]
        ends = (firsts[:, None] + np.arange(s))[:, None, :, None]
        at = np.arange(length)[None, None, None]
        taken = (at <= ends) & ((at > ends - window) | (window < 0))
        y = attend(q, key, value, np.where(taken, 0, -np.inf), softcap=softcap)
        if window >= 0:
            attributes["local_window_size"] = window
        if softcap:
            attributes["softcap"] = softcap
        return case(f"{op} {name}", [node(op, given, ["y", "nk", "nv"], "n", DOMAIN, **attributes)], inputs, {"y": flat(y), "nk": key, "nv": value},
                    constants={"t": np.array([total], np.int32)}, dims=dims)

    free = {"q": ["b", "s", 64], "k": ["b", "s", 32], "v": ["b", "s", 32], "pk": ["b", 2, "p", 16], "pv": ["b", 2, "p", 16], "l": ["b"]}
    yield one("of a prompt", 1, 5, [0])
    yield one("of a token", 1, 1, [6])
    yield one("of a token, rotated", 1, 1, [6], rotated=0)
    yield one("of some tokens, interleaved", 1, 3, [4], rotated=1)
    yield one("in a cache with room", 1, 1, [6], room=12, rotated=0)
    yield one("of two sequences", 2, 1, [6, 3], rotated=0)
    yield one("of two prompts, dynamic", 2, 4, [0, 0], rotated=0, dims=free)
    yield one("of a token, dynamic", 1, 1, [6], rotated=0, dims=free)
    yield one("of two sequences, dynamic", 2, 1, [6, 6], rotated=0, dims=free)
    yield one("with a window", 1, 1, [9], window=3)
    yield one("of two prompts with a window", 2, 6, [0, 0], window=2)
    yield one("packed", 1, 1, [6], rotated=0, packed=True)
    yield one("with a soft cap", 1, 2, [5], softcap=0.5)


def fused_attention(case):
    for table in (several_heads, projected, rotary, grouped):
        yield from table(case)
