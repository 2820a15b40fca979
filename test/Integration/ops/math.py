"""Elementary functions, roundings, powers and bounds."""
from harness import FLOATS, INTS, NUMBERS, case, tensor

# Whole range of what a function takes; small floats have few numbers outside of it.
FUNCTIONS = {"exp": "-4:4", "log": "0:8", "sqrt": "0:8", "rsqrt": "0.25:8", "sin": "-40:40", "cos": "-40:40",
             "floor": "-9:9", "ceil": "-9:9", "round": "-9:9", "abs": "-9:9"}
SPECIAL = "nan,inf,-inf,0,-0.0,1,-1,0.5,-0.5,1.5,-1.5,2.5,-2.5,100,-100,0.015625,-0.015625"


def special(dtype):
    # f8E4M3FN has no infinity.
    values = SPECIAL.replace("inf", "448") if dtype == "f8E4M3FN" else SPECIAL
    return tensor(str(values.count(",") + 1), values=values)


def cases():
    for op, bounds in FUNCTIONS.items():
        for seed, dtype in enumerate(FLOATS):
            yield case(op, dtype, f"%r = mica.{op} %a : $a", {"a": tensor("5x67", values=f"random:{seed}:{bounds}")},
                       {"r": "5x67"})
            values = special(dtype)
            yield case(op, dtype, f"%r = mica.{op} %a : $a", {"a": values}, {"r": str(values.dims[0][0])}, label="special")
    for dtype in INTS:
        yield case("abs", dtype, "%r = mica.abs %a : $a", {"a": "5x67"}, {"r": "5x67"})
    for dtype in FLOATS:
        yield case("pow", dtype, "%r = mica.pow %a, %b : ($a, $b) -> $r",
                   {"a": tensor("5x67", values="random:1:0:3"), "b": tensor("1x67", values="random:2:-3:3")}, {"r": "5x67"})
        # Each special number to the power of each.
        rows = special(dtype).values.split(",")
        count = str(len(rows) ** 2)
        yield case("pow", dtype, "%r = mica.pow %a, %b : ($a, $b) -> $r",
                   {"a": tensor(count, values=",".join(x for x in rows for _ in rows)),
                    "b": tensor(count, values=",".join(x for _ in rows for x in rows))}, {"r": count}, label="special")
    for dtype in INTS:
        yield case("pow", dtype, "%r = mica.pow %a, %b : ($a, $b) -> $r",
                   {"a": "5x67", "b": tensor("5x67", values="random:1:-8:8")}, {"r": "5x67"})
        top = {"i64": "63", "i32": "31", "i16": "15", "i8": "7", "i4": "7"}[dtype]
        yield case("pow", dtype, "%r = mica.pow %a, %b : ($a, $b) -> $r",
                   {"a": tensor("12", values="0,0,0,1,1,-1,-1,-1,2,2,3,-3"),
                    "b": tensor("12", values=f"0,5,-5,7,-7,{top},-3,-2,{top},-1,{top},5")}, {"r": "12"}, label="edges")
    for dtype in NUMBERS:
        bounds = "-2 : $element max = 3 : $element" if dtype in INTS else "-0.75 : $element max = 1.5 : $element"
        yield case("clamp", dtype, f"%r = mica.clamp %a min = {bounds} : $a", {"a": "5x67"}, {"r": "5x67"})
    for dtype in FLOATS:
        yield case("clamp", dtype, "%r = mica.clamp %a min = 0.0 : $element max = 6.0 : $element : $a",
                   {"a": special(dtype)}, {"r": "17"}, label="special")
    # Far beyond the first period, up to where results are promised.
    for op in ["sin", "cos"]:
        for dtype in ["f64", "f32"]:
            yield case(op, dtype, f"%r = mica.{op} %a : $a", {"a": tensor("999", values="random:3:-1000000000:1000000000")},
                       {"r": "999"}, label="large")
    # Subnormal numbers, and the ends of the range.
    yield case("log", "f32", "%r = mica.log %a : $a", {"a": tensor("6", values="1e-45,1e-40,1.2e-38,3.4e38,0.9999999,1.0000001")},
               {"r": "6"}, label="ends")
    yield case("pow", "f32", "%r = mica.pow %a, %b : ($a, $b) -> $r",
               {"a": tensor("6", values="1e-45,2,2,1.0000001,0.9999999,1e-20"),
                "b": tensor("6", values="0.5,-140,127.99,10000000,100000000,2")}, {"r": "6"}, label="ends")
    for op in ["isnan", "isinf", "isfinite", "isnormal"]:
        for dtype in FLOATS[:4]:
            # Beside the special numbers the ends of what is subnormal in each type.
            least = {"f64": -1022, "f32": -126, "f16": -14, "bf16": -126}[dtype]
            values = special(dtype).values + f",{2.0 ** least!r},{2.0 ** (least - 1)!r},{-2.0 ** (least - 1)!r}"
            yield case(f"math.{op}", dtype, f"%r = math.{op} %a : $a",
                       {"a": tensor(str(values.count(",") + 1), values=values)}, {"r": tensor(str(values.count(",") + 1), "i1")})
