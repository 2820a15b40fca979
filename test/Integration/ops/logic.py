"""Comparisons, choices, logic and bits."""
from harness import BOOL, FLOATS, INTS, NUMBERS, case, tensor


def cases():
    for kind in ["eq", "ne", "lt", "le", "gt", "ge"]:
        for dtype in NUMBERS + BOOL:
            # Few different numbers, so that some are equal.
            bounds = "0:2" if dtype == "i1" else "-3:4" if dtype in INTS else "-1:1"
            a, b = (tensor("5x67", values=f"random:{seed}:{bounds}") for seed in (1, 2))
            yield case("compare", dtype, f"%r = mica.compare {kind} %a, %b : ($a, $b) -> $r", {"a": a, "b": b},
                       {"r": tensor("5x67", "i1")}, label=kind)
        for dtype in FLOATS:
            yield case("compare", dtype, f"%r = mica.compare {kind} %a, %b : ($a, $b) -> $r",
                       {"a": tensor("8", values="nan,0,-0.0,nan,1,-1,0,2"), "b": tensor("8", values="nan,-0.0,0,1,nan,-1,1,2")},
                       {"r": tensor("8", "i1")}, label=kind + "-special")
    for dtype in NUMBERS + BOOL:
        yield case("select", dtype, "%r = mica.select %c, %a, %b : ($c, $a, $b) -> $r",
                   {"c": tensor("5x67", "i1"), "a": "5x67", "b": "1x67"}, {"r": "5x67"})
        yield case("select", dtype, "%r = mica.select %c, %a, %b : ($c, $a, $b) -> $r",
                   {"c": tensor("5x1", "i1"), "a": "1x67", "b": "1x1"}, {"r": "5x67"}, label="repeated")
    for op in ["logical_and", "logical_or", "logical_xor"]:
        yield case(op, "i1", f"%r = mica.{op} %a, %b : ($a, $b) -> $r", {"a": "5x67", "b": "5x1"}, {"r": "5x67"})
    yield case("logical_not", "i1", "%r = mica.logical_not %a : $a", {"a": "5x67"}, {"r": "5x67"})
    for dtype in INTS:
        for op in ["bitwise_and", "bitwise_or", "bitwise_xor"]:
            yield case(op, dtype, f"%r = mica.{op} %a, %b : ($a, $b) -> $r", {"a": "5x67", "b": "5x67"}, {"r": "5x67"})
        yield case("bitwise_not", dtype, "%r = mica.bitwise_not %a : $a", {"a": "5x67"}, {"r": "5x67"})
        # Amounts beyond the width and below 0 as well.
        width = int(dtype[1:])
        amounts = tensor("1x67", values="random:5:-8:8" if width == 4 else f"random:5:-2:{width + 8}")
        for op in ["shift_left", "shift_right_arithmetic", "shift_right_logical"]:
            yield case(op, dtype, f"%r = mica.{op} %a, %b : ($a, $b) -> $r", {"a": "5x67", "b": amounts}, {"r": "5x67"})
