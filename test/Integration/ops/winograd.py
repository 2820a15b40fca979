"""The transforms of Winograd convolutions: filters, tiles of inputs, tiles of results; of two dimensions and of one."""
from harness import case

# m, r
ALGORITHMS = {"F_2_3": (2, 3), "F_4_3": (4, 3), "F_2_5": (2, 5)}


def transform(kind, dtype, fmr, source, result, label):
    return case(f"linalg.winograd_{kind}_transform", dtype,
                f"%r = linalg.winograd_{kind}_transform fmr({fmr}) ins(%a : $a) outs(%b : $b) -> $b",
                {"a": source, "b": result}, {"r": result}, label=f"{fmr}-{label}")


def cases():
    for fmr, (m, r) in ALGORITHMS.items():
        a = m + r - 1
        for dtype in ("f32", "f64", "f16", "bf16") if fmr == "F_4_3" else ("f32", "f64"):
            # The sizes of tiles are static; those of images are not in the dynamic form.
            for label, rows, columns in [("both", True, True), ("rows", True, False), ("columns", False, True)]:
                if dtype not in ("f32", "f64") and label != "both":
                    continue
                filter = f"7x={r if rows else 1}x={r if columns else 1}x5"
                tiles = f"={a if rows else 1}x={a if columns else 1}"
                height, width = (3 * m if rows else 3), (2 * m if columns else 2)
                image = f"2x={height + (r - 1 if rows else 0)}x={width + (r - 1 if columns else 0)}x5"
                yield transform("filter", dtype, fmr, filter, f"{tiles}x5x7", label)
                yield transform("input", dtype, fmr, image, f"{tiles}x=3x=2x2x5", label)
                yield transform("output", dtype, fmr, f"{tiles}x=3x=2x2x7", f"2x={height}x={width}x7", label)
