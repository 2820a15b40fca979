"""The benchmarks of the pack for a GPU (gpu_pack.py): programs, and what mica-bench-gpu has to know of them.

Products of square matrices, whose speed is compared with cuBLAS; kernels bound by memory, compared with copies; attention; a chain of
small kernels for what a launch costs. PyTorch runs the ones that it has too, where it is installed (gpu_pack_beside.py).
"""
import json

SIZES = (1024, 2048, 4096, 8192)
TYPES = {"bf16": "bf16", "f16": "f16", "tf32": "f32"}
LAUNCHES = 64


def product(kind, size):
    tensor = "tensor<%dx%dx%s>" % (size, size, TYPES[kind])
    return """func.func @main(%%a: %s, %%b: %s) -> %s {
  %%0 = mica.matmul %%a, %%b : (%s, %s) -> %s
  return %%0 : %s
}
""" % ((tensor,) * 7)


def one_op(arguments, result, op):
    return "func.func @main(%s) -> %s {\n  %%0 = %s\n  return %%0 : %s\n}\n" % (arguments, result, op, result)


def others():
    """Name, kind, text."""
    rows, row = "tensor<8192x4096xf32>", "tensor<4096xf32>"
    heads = "tensor<4x8x1024x64xf32>"
    return [("add_8192x4096", "memory", one_op("%%a: %s, %%b: %s" % (rows, rows), rows, "mica.add %%a, %%b : (%s, %s) -> %s" % (rows, rows, rows))),
            ("gelu_8192x4096", "memory", one_op("%%a: %s" % rows, rows, "mica.gelu %%a : %s" % rows)),
            ("softmax_8192x4096", "memory", one_op("%%a: %s" % rows, rows, "mica.softmax %%a axis = 1 : %s" % rows)),
            ("layer_norm_8192x4096", "memory",
             one_op("%%a: %s, %%s: %s, %%b: %s" % (rows, row, row), rows,
                    "mica.layer_norm %%a scale %%s : %s bias %%b : %s axis = 1 epsilon = 1.0e-5 : %s" % (row, row, rows))),
            ("attention_4x8x1024x64", "other",
             one_op("%%q: %s, %%k: %s, %%v: %s" % (heads, heads, heads), heads,
                    "mica.attention %%q, %%k, %%v : (%s, %s, %s) -> %s" % (heads, heads, heads, heads)))]


def chain():
    """Entries that launch one small kernel and LAUNCHES of them."""
    tensor = "tensor<32xf32>"
    text = ""
    for name, count in (("one", 1), ("many", LAUNCHES)):
        text += "func.func @%s(%%v0: %s) -> %s {\n" % (name, tensor, tensor)
        text += "".join("  %%v%d = mica.sqrt %%v%d : %s\n" % (i + 1, i, tensor) for i in range(count))
        text += "  return %%v%d : %s\n}\n" % (count, tensor)
    return text


def add(pack, names):
    """Adds the benchmarks called `names`, all where it is None."""
    listed = []

    def one(name, text, about, flags=()):
        if names is not None and name not in names:
            return
        model = pack.out / "model.mlir"
        model.write_text(text)
        why = pack.compile(model, pack.out / "benchmarks" / name, flags)
        model.unlink()
        pack.tell("benchmark " + name, why)
        if not why and about:
            listed.append({"name": name, "folder": "benchmarks/" + name} | about)

    for kind in TYPES:
        for size in SIZES:
            one("matmul_%s_%d" % (kind, size), product(kind, size), {"kind": "matmul", "type": kind, "m": size, "n": size, "k": size},
                ["--mica-debug=allow-tf32"] if kind == "tf32" else [])
    for name, kind, text in others():
        one(name, text, {"kind": kind})
    # Without fusion it is as many kernels as operations.
    one("launches", chain(), None, ["-O0"])
    table = {"programs": listed}
    if (pack.out / "benchmarks" / "launches").exists():
        table["launches"] = "benchmarks/launches"
    (pack.out / "benchmarks.json").write_text(json.dumps(table, indent=1) + "\n")
