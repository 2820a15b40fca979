"""Constants and changes of shape."""
from harness import BOOL, NUMBERS, case

TYPES = NUMBERS + BOOL


def cases():
    for dtype in TYPES:
        yield case("transpose", dtype, "%r = mica.transpose %a permutation = [2, 0, 1] : ($a) -> $r", {"a": "5x6x37"},
                   {"r": "37x5x6"})
        yield case("reshape", dtype, "%r = mica.reshape %a : ($a) -> $r", {"a": "6x35"}, {"r": "=14x15"})
        yield case("broadcast", dtype, broadcast, {"a": "1x35"}, {"r": "4x=3x35"})
        values = "[true, false, true]" if dtype == "i1" else "[1, 2, -3]" if dtype[0] == "i" else "[1.5, -2.0, 4.0]"
        yield case("constant", dtype, f"%r = mica.constant dense<{values}> : $r", {}, {"r": "=3"}, forms=["static"])


def broadcast(dynamic):
    if not dynamic:
        return "%r = mica.broadcast %a : ($a) -> $r"
    return """
    %one = arith.constant 1 : index
    %four = arith.constant 4 : index
    %n = tensor.dim %a, %one : $a
    %r = mica.broadcast %a sizes(%four, %n) : ($a, index, index) -> $r"""
