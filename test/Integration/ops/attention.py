"""Attention and rotary embeddings."""
from harness import case, tensor

TYPES = ["f64", "f32"]


def cases():
    for dtype in TYPES:
        yield from attention(dtype)
        for interleaved, label in [("", "halves"), (" interleaved", "interleaved")]:
            yield case("rope", dtype, f"%r = mica.rope %a cos %c sin %s{interleaved} : ($a, $c, $s) -> $r",
                       {"a": "2x3x7x=16", "c": "7x=8", "s": "7x=8"}, {"r": "2x3x7x=16"}, label=label)
    yield case("rope", "f32", "%r = mica.rope %a cos %c sin %s : ($a, $c, $s) -> $r",
               {"a": "5x=64", "c": "5x=32", "s": "5x=32"}, {"r": "5x=64"}, label="matrix")


def attention(dtype):
    """Heads alone (4 of 4) and in groups (6 of 2); all sizes but these dynamic in the dynamic form."""
    for heads, groups in [(4, 4), (6, 2)]:
        q, kv = f"2x={heads}x5x=16", f"2x={groups}x9x=16"
        args = {"q": q, "k": kv, "v": f"2x={groups}x9x11"}
        result = {"r": f"2x={heads}x5x11"}

        def one(label, more="", extra={}):
            types = ", ".join(["$q", "$k", "$v"] + ["$" + name for name in extra])
            return case("attention", dtype, f"%r = mica.attention %q, %k, %v{more} : ({types}) -> $r", args | extra,
                        result, label=f"{label}-{heads}of{groups}")

        yield one("plain")
        yield one("scale", " scale = 0.5")
        yield one("causal", " causal")
        for value in [0, 3, 8]:
            yield one(f"at{value}", " position %p causal", {"p": tensor("", "i64", str(value))})
        yield one("mask", " mask %m", {"m": f"2x={heads}x5x9"})
        yield one("mask-row", " mask %m", {"m": "2x1x1x9"})
        yield one("mask-matrix", " mask %m causal scale = 0.3", {"m": "5x9"})
        # The first key always takes part: a query without any gives NaN.
        flags = ",".join("1" if i % 9 == 0 or i % 4 else "0" for i in range(45))
        yield one("mask-i1", " mask %m", {"m": tensor("5x9", "i1", flags)})
        yield one("mask-i1-position", " mask %m position %p causal",
                  {"m": tensor("5x9", "i1", flags), "p": tensor("", "i32", "2")})
