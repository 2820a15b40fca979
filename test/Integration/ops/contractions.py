"""Matrix products."""
from harness import case

NUMBERS = ["f64", "f32", "i64", "i32"]


def cases():
    for dtype in NUMBERS:
        for label, flags, a, b in [("", "", "37x70", "70x29"), ("ta", "transpose_a", "70x37", "70x29"),
                                   ("tb", "transpose_b", "37x70", "29x70"),
                                   ("tab", "transpose_a transpose_b", "70x37", "29x70")]:
            yield case("matmul", dtype, f"%r = mica.matmul %a, %b {flags} : ($a, $b) -> $r", {"a": a, "b": b},
                       {"r": "37x29"}, label=label)
        yield case("matmul", dtype, "%r = mica.matmul %a, %b : ($a, $b) -> $r", {"a": "3x1x9x20", "b": "1x2x20x18"},
                   {"r": "3x2x9x18"}, label="batches")
