"""Positions of extreme elements, and running sums."""
from harness import case, tensor

FLOATS = ["f64", "f32", "f16", "bf16"]
NUMBERS = FLOATS + ["i64", "i32", "i16", "i8"]


def cases():
    for op in ["argmax", "argmin"]:
        for dtype in NUMBERS:
            # Few values, so that the first of several equal ones is asked for.
            source = tensor("7x33x9", values="random:3:-4:4") if dtype[0] == "i" else "7x33x9"
            for axis, result in [(0, "33x9"), (1, "7x9"), (2, "7x33")]:
                yield case(op, dtype, f"%r = mica.{op} %a axis = {axis} : ($a) -> $r", {"a": source},
                           {"r": tensor(result, dtype="i64")}, label=f"axis{axis}")
            yield case(op, dtype, f"%r = mica.{op} %a axis = 1 keep_dims : ($a) -> $r", {"a": "5x130"},
                       {"r": tensor("5x1", dtype="i32")}, label="keep")
        for dtype in FLOATS:
            yield case(op, dtype, f"%r = mica.{op} %a axis = 1 : ($a) -> $r",
                       {"a": tensor("4x5", values="1,nan,3,nan,-9,inf,-inf,inf,0,-inf,0,-0.0,0,-0.0,0,-inf,-inf,-inf,-inf,-inf")},
                       {"r": tensor("4", dtype="i64")}, label="special")
    for dtype in NUMBERS:
        for axis in (0, 1, 2):
            yield case("cumsum", dtype, f"%r = mica.cumsum %a axis = {axis} : $a", {"a": "6x35x17"}, {"r": "6x35x17"},
                       label=f"axis{axis}")
        yield case("cumsum", dtype, "%r = mica.cumsum %a axis = 1 exclusive : $a", {"a": "5x67"}, {"r": "5x67"},
                   label="exclusive")
        yield case("cumsum", dtype, "%r = mica.cumsum %a axis = 1 reverse : $a", {"a": "5x67"}, {"r": "5x67"},
                   label="reverse")
        yield case("cumsum", dtype, "%r = mica.cumsum %a axis = 0 exclusive reverse : $a", {"a": "300"}, {"r": "300"},
                   label="exclusive-reverse")
