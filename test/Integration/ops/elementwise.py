"""Arithmetic and activations, element by element."""
from harness import BOOL, FLOATS, INTS, NUMBERS, case, tensor

BINARY = {"add": NUMBERS, "sub": NUMBERS, "mul": NUMBERS + BOOL, "div": NUMBERS, "rem": NUMBERS, "max": NUMBERS + BOOL,
          "min": NUMBERS + BOOL}
UNARY = {"neg": NUMBERS, "relu": NUMBERS, "tanh": FLOATS, "erf": FLOATS, "sigmoid": FLOATS, "silu": FLOATS, "gelu": FLOATS}
# 0, 1, -1 and both ends: divisions by zero, and the smallest integer by -1.
EDGES = {"i64": "-9223372036854775808,9223372036854775807,0,1,-1", "i32": "-2147483648,2147483647,0,1,-1",
         "i16": "-32768,32767,0,1,-1", "i8": "-128,127,0,1,-1", "i4": "-8,7,0,1,-1"}


def cases():
    for op, dtypes in BINARY.items():
        for dtype in dtypes:
            yield case(op, dtype, f"%r = mica.{op} %a, %b : ($a, $b) -> $r", {"a": "5x67", "b": "5x67"}, {"r": "5x67"})
        for dtype in INTS:
            edges = EDGES[dtype]
            rows = ",".join(number for number in edges.split(",") for _ in range(5))
            yield case(op, dtype, f"%r = mica.{op} %a, %b : ($a, $b) -> $r",
                       {"a": tensor("25", values=rows), "b": tensor("25", values=",".join([edges] * 5))}, {"r": "25"},
                       label="edges")
    for dtype in NUMBERS:
        # Each operand repeats a dimension.
        yield case("add", dtype, "%r = mica.add %a, %b : ($a, $b) -> $r", {"a": "5x1x19", "b": "1x3x19"},
                   {"r": "5x3x19"}, label="repeated")
    for op, dtypes in UNARY.items():
        for dtype in dtypes:
            yield case(op, dtype, f"%r = mica.{op} %a : $a", {"a": "5x67"}, {"r": "5x67"})
    for dtype in FLOATS:
        yield case("gelu", dtype, "%r = mica.gelu %a approximate = tanh : $a", {"a": "131"}, {"r": "131"}, label="tanh")
        for op in UNARY:
            yield case(op, dtype, f"%r = mica.{op} %a : $a", {"a": special(dtype)}, {"r": "10"}, label="special")


def special(dtype):
    # f8E4M3FN has no infinity, and a number too large for a type is refused as an input.
    large, infinity = ("100", "448") if dtype == "f8E4M3FN" else ("100", "inf")
    return tensor("10", values=f"nan,{infinity},-{infinity},0,-0.0,1,-1,{large},-{large},0.015625")
