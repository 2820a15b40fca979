"""Reductions and what is made of them."""
from harness import BOOL, case

FLOATS = ["f64", "f32"]
NUMBERS = FLOATS + ["i64", "i32"]
SMALL = ["f16", "bf16", "i16", "i8"]
KINDS = {"sum": NUMBERS + SMALL, "mean": FLOATS + ["f16", "bf16"], "prod": NUMBERS + SMALL, "max": NUMBERS + SMALL + BOOL,
         "min": NUMBERS + SMALL + BOOL}


def cases():
    for kind, dtypes in KINDS.items():
        for dtype in dtypes:
            for dims, keep, result in [("1", "", "7x9"), ("0, 2", "", "33"), ("2", " keep_dims", "7x33x1")]:
                if dtype in SMALL and dims != "1":
                    continue
                label = kind + "-" + dims.replace(", ", "") + ("-keep" if keep else "")
                yield case("reduce", dtype, f"%r = mica.reduce {kind} %a dims = [{dims}]{keep} : ($a) -> $r",
                           {"a": "7x33x9"}, {"r": result}, label=label, forms=["static"] if keep else ["static", "dynamic"])
    for dtype in FLOATS:
        for axis in (0, 1):
            yield case("softmax", dtype, f"%r = mica.softmax %a axis = {axis} : $a", {"a": "17x70"}, {"r": "17x70"},
                       label=f"axis{axis}")
        yield case("layer_norm", dtype, "%r = mica.layer_norm %a scale %b : $b bias %c : $c axis = 1 epsilon = 1.0e-5 : $a",
                   {"a": "9x70", "b": "70", "c": "70"}, {"r": "9x70"})
        yield case("layer_norm", dtype, "%r = mica.layer_norm %a axis = 1 epsilon = 1.0e-5 : $a", {"a": "9x6x11"},
                   {"r": "9x6x11"}, label="two-dims")
