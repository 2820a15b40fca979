"""Casts between all element types, quantization."""
import random

from harness import BOOL, EXACT, FLOATS, INTS, NUMBERS, case, refused, tensor

ALL = NUMBERS + BOOL
# Beyond the range of most other types.
SPREAD = {"f64": 3e10, "f32": 70000, "f16": 40000, "bf16": 70000, "f8E4M3FN": 400, "f8E5M2": 50000}
SPECIAL = ["nan", "inf", "-inf", "0", "-0.0", "0.5", "-0.5", "1.5", "2.5", "-2.5", "127.5", "-128.5", "-129", "256", "0.015625", "8"]
# Numbers near ties and ends that a rounding in two steps gets wrong.
TIES = {"f64": ["1.00048828125000001", "1.000488281249999", "65519.99999999", "2049.0000000001", "2.9802322387695e-08", "3.3e38",
                "1e300", "257.00000001", "9223372036854774784", "9.3e18", "-9.3e18", "4294967295.5", "2147483647.5",
                "-2147483648.9"],
        "f32": ["1.00048828125", "1.0004884", "65519", "65520", "2049", "2051", "2.98e-8", "257", "259", "17", "19",
                "2147483520", "2147483648", "-2147483904", "9.2e18", "1e20"],
        "i64": ["4629700416936869889", "4629700416936869888", "-4629700416936869889", "36028797018963969", "65519", "65520",
                "2049", "257", "3000000000", "-3000000000"],
        "i32": ["16777217", "16842753", "-16842753", "65519", "65520", "2049", "257", "-129", "128"]}


def values(dtype):
    """Special numbers of the type, then random ones: 77 in all, so that vectors have a rest."""
    rng = random.Random(dtype)
    if dtype == "i1":
        return ["1", "0"] + [str(rng.randrange(2)) for _ in range(75)]
    if dtype in INTS:
        end = 1 << (int(dtype[1:]) - 1)
        given = [str(-end), str(end - 1), "0", "-1", "1"] + TIES.get(dtype, [])
        return given + [str(rng.randrange(-end, end)) for _ in range(77 - len(given))]
    # f8E4M3FN has no infinity.
    given = [text.replace("inf", "448") if dtype == "f8E4M3FN" else text for text in SPECIAL] + TIES.get(dtype, [])
    return given + [repr(round(rng.uniform(-1, 1) * SPREAD[dtype] * 2.0 ** -rng.randrange(20), 4))
                    for _ in range(77 - len(given))]


def castCase(source, target, label="", flags="", forms=("static", "dynamic")):
    return case("cast", f"{source} to {target}", f"%r = mica.cast %a{flags} : $a to $r",
                {"a": tensor("77", values=",".join(values(source)))}, {"r": tensor("77", target)}, label=label, forms=forms,
                tolerance=EXACT)


def cases():
    for source in ALL:
        for target in ALL:
            yield castCase(source, target)
            if source == target:
                continue
            if target in INTS and source in FLOATS:
                yield castCase(source, target, "even", " rounding = nearest_even", ["static"])
                yield castCase(source, target, "even-wrap", " overflow = wrap rounding = nearest_even", ["static"])
            if target in INTS and source in INTS:
                yield castCase(source, target, "wrap", " overflow = wrap", ["static"])
    yield from refusals()
    for real in FLOATS:
        for stored, zero in [("i4", 3), ("i8", 100), ("i16", 9999), ("i32", 2147483000)]:
            yield from quantization(real, stored, zero, "")
        yield from quantization(real, "i8", 100, " unsigned")
        special = ",".join(text.replace("inf", "448") if real == "f8E4M3FN" else text for text in SPECIAL)
        yield case("quantize", f"{real} to i8", "%r = mica.quantize %a scale %s : $s zero_point %z : $z : $a to $r",
                   {"a": tensor("16", values=special), "s": tensor("", values="1"), "z": tensor("", "i8", values="5")},
                   {"r": tensor("16", "i8")}, label="special", forms=["static"])
        yield case("quantize", f"{real} to i8", "%r = mica.quantize %a scale %s : $s axis = 0 : $a to $r",
                   {"a": tensor("5x67", values="random:3:-9:9"), "s": tensor("5", values="0.5,1,2,0.0625,4")},
                   {"r": tensor("5x67", "i8")}, label="no-zero", forms=["static"])


def refusals():
    """Types that quantised numbers do not have."""
    for other, why in [("i64", "i32 is the widest type of quantised numbers: their differences from the zero point are 64 bits wide"),
                       ("i1", "i1 holds truth values, and no steps to quantise by")]:
        for real in FLOATS:
            yield refused("quantize", f"{real} to {other}", "%r = mica.quantize %a scale %s : $s : $a to $r",
                          {"a": "5x7", "s": ""}, {"r": tensor("5x7", other)}, why, "C2")
            yield refused("dequantize", f"{other} to {real}", "%r = mica.dequantize %a scale %s : $s : $a to $r",
                          {"a": "5x7", "s": tensor("", real)}, {"r": tensor("5x7", real)}, why, "C2")


def quantization(real, stored, zero, unsigned):
    """There and back, per tensor and per channel. The scale of a whole tensor is a power of two, so that some quotients are
    ties."""
    label = unsigned.strip()
    tensorwise = {"s": tensor("", real, values="0.03125"), "z": tensor("", stored, values="3")}
    channels = {"s": tensor("67", real, values="random:1:0.02:2"),
                "z": tensor("67", stored, values=f"random:2:{-zero}:{zero}")}
    for parameters, axis, suffix in [(tensorwise, "", ""), (channels, " axis = 1", "channel")]:
        text = f"%a scale %s : $s zero_point %z : $z{axis}{unsigned} : $a to $r"
        name = "-".join(part for part in (label, suffix) if part)
        yield case("quantize", f"{real} to {stored}", "%r = mica.quantize " + text,
                   {"a": tensor("5x67", real, values="random:4:-300:300" if axis else "random:3:-9:9")} | parameters,
                   {"r": tensor("5x67", stored)}, label=name)
        # Differences that f16 and f8 hold.
        near = {}
        if real in ("f16", "f8E4M3FN", "f8E5M2") and stored in ("i16", "i32"):
            near = {"a": tensor("5x67", stored, values="random:5:-100:100")}
            near |= {"z": tensor("67", stored, values="random:2:-100:100")} if axis else {}
        yield case("dequantize", f"{stored} to {real}", "%r = mica.dequantize " + text,
                   {"a": tensor("5x67", stored)} | parameters | near, {"r": tensor("5x67", real)}, label=name)
