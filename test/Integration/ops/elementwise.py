"""Arithmetic and activations, element by element."""
from harness import BOOL, case, tensor

FLOATS = ["f64", "f32"]
NUMBERS = FLOATS + ["i64", "i32"]
TYPES = {"add": NUMBERS, "sub": NUMBERS, "mul": NUMBERS + BOOL, "div": NUMBERS, "max": NUMBERS + BOOL,
         "min": NUMBERS + BOOL, "neg": NUMBERS, "exp": FLOATS, "tanh": FLOATS, "erf": FLOATS, "sigmoid": FLOATS,
         "relu": NUMBERS, "silu": FLOATS, "gelu": FLOATS}
BINARY = ["add", "sub", "mul", "div", "max", "min"]
UNARY = ["neg", "exp", "tanh", "erf", "sigmoid", "relu", "silu", "gelu"]


def cases():
    for op in BINARY:
        for dtype in TYPES[op]:
            yield case(op, dtype, f"%r = mica.{op} %a, %b : ($a, $b) -> $r", {"a": "5x67", "b": "5x67"}, {"r": "5x67"})
    for dtype in NUMBERS:
        # Each operand repeats a dimension.
        yield case("add", dtype, "%r = mica.add %a, %b : ($a, $b) -> $r", {"a": "5x1x19", "b": "1x3x19"},
                   {"r": "5x3x19"}, label="repeated")
    for op in UNARY:
        for dtype in TYPES[op]:
            yield case(op, dtype, f"%r = mica.{op} %a : $a", {"a": "5x67"}, {"r": "5x67"})
    for dtype in FLOATS:
        yield case("gelu", dtype, "%r = mica.gelu %a approximate = tanh : $a", {"a": "131"}, {"r": "131"}, label="tanh")
        special = tensor("10", values="nan,inf,-inf,0,-0.0,1,-1,100,-100,1e-30")
        for op in UNARY:
            yield case(op, dtype, f"%r = mica.{op} %a : $a", {"a": special}, {"r": "10"}, label="special")
