"""Attention in the forms that programs write it: one kernel computes it, with the numbers of the reference evaluator.

usage: attention.py WORK [--every=N] [--flags=FLAGS of mica-run]

Each program is compiled, its kernels are counted, and it is run beside the reference.
"""
import argparse
import itertools
import json
import pathlib
import subprocess


def fused(name, batch, heads, groups, queries, keys, size, out, element, words="", extra=(), mask=None):
    """`mica.attention`; (name, text, whether one kernel is expected)."""
    q, k, v = (f"tensor<{batch}x{h}x{n}x{d}x{element}>" for h, n, d in [(heads, queries, size), (groups, keys, size), (groups, keys, out)])
    types, arguments = [q, k, v], [("q", q), ("k", k), ("v", v)]
    if mask:
        types.append(mask)
        arguments.append(("m", mask))
        words = " mask %m" + words
    result = f"tensor<{batch}x{heads}x{queries}x{out}x{element}>"
    text = f"""func.func @main({", ".join(f"%{n}: {t}" for n, t in arguments)}) -> {result} {{
  %r = mica.attention %q, %k, %v{words} : ({", ".join(types)}) -> {result}
  return %r : {result}
}}
"""
    return name, text


def exported(batch, queries, keys, size, element="f32", joined=False):
    """As exporters write it: keys transposed, the queries scaled, softmax of TOSA or of mica between two products."""
    q, k, t, s = (f"tensor<{batch}x{a}x{b}x{element}>" for a, b in
                  [(queries, size), (keys, size), (size, keys), (queries, keys)])
    end, result = "return %r", q
    if joined:
        result = f"tensor<{queries}x{batch * size}x{element}>"
        end = f"""%t = mica.transpose %r permutation = [1, 0, 2] : ({q}) -> tensor<{queries}x{batch}x{size}x{element}>
  %j = mica.reshape %t : (tensor<{queries}x{batch}x{size}x{element}>) -> {result}
  return %j"""
    return f"exported-{batch}x{queries}x{keys}x{size}{'-joined' if joined else ''}-{element}", f"""func.func @main(%q: {q}, %k: {k}, %v: {k}) -> {result} {{
  %c = mica.constant dense<0.125> : tensor<1x1x1x{element}>
  %qs = mica.mul %q, %c : ({q}, tensor<1x1x1x{element}>) -> {q}
  %kt = mica.transpose %k permutation = [0, 2, 1] : ({k}) -> {t}
  %s = mica.matmul %qs, %kt : ({q}, {t}) -> {s}
  %w = mica.softmax %s axis = 2 : {s}
  %r = mica.matmul %w, %v : ({s}, {k}) -> {q}
  {end} : {result}
}}
"""


def programs():
    for queries, keys, size in [(64, 64, 16), (40, 72, 24), (197, 197, 64), (67, 129, 33), (512, 48, 8), (8, 300, 64)]:
        yield fused(f"plain-{queries}x{keys}x{size}", 2, 4, 4, queries, keys, size, size, "f32")
    yield fused("out", 1, 8, 8, 48, 64, 32, 20, "f32")
    for element in ["f64", "f16", "bf16"]:
        yield fused(element, 2, 4, 4, 64, 96, 32, 32, element)
    yield fused("groups", 2, 6, 2, 64, 48, 16, 16, "f32")
    yield fused("causal", 2, 4, 4, 64, 96, 32, 32, "f32", " causal")
    yield fused("causal-odd", 2, 4, 4, 61, 61, 32, 32, "f32", " causal scale = 0.3")
    for label, mask in [("whole", "2x4x64x48xf32"), ("row", "2x1x1x48xf32"), ("matrix", "64x48xf32"), ("i1", "64x48xi1")]:
        yield fused(f"mask-{label}", 2, 4, 4, 64, 48, 16, 16, "f32", " causal position %p" if label == "nothing" else "",
                    mask=f"tensor<{mask}>")
    yield exported(12, 64, 64, 16)
    yield exported(12, 64, 48, 32, joined=True)
    yield exported(3, 100, 100, 24, element="f64")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("work", type=pathlib.Path)
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--flags", default="")
    arguments = parser.parse_args()
    arguments.work.mkdir(parents=True, exist_ok=True)
    failures, count = [], 0
    for name, text in itertools.islice(programs(), 0, None, arguments.every):
        path, folder = arguments.work / f"{name}.mlir", arguments.work / name
        path.write_text(text)
        inputs = [f"--input=random:{i + 1}" for i in range(text.split("{")[0].count("%"))]
        if "xi1>" in text.split("{")[0]:
            inputs[-1] = "--input=1"
        run = subprocess.run(["mica-run", path, *inputs, "--check-reference", "-o", folder, *arguments.flags.split()],
                             capture_output=True, text=True)
        count += 1
        if run.returncode != 0:
            failures.append(f"{name}: exit code {run.returncode}\n{run.stdout[-800:]}{run.stderr[-800:]}")
            continue
        kernels = [kernel["name"] for kernel in json.loads((folder / "manifest.json").read_text())["kernels"]]
        if sum(kernel.startswith("attention") for kernel in kernels) != 1 or any("softmax" in kernel for kernel in kernels):
            failures.append(f"{name}: kernels {', '.join(kernels)}")
    print("\n".join(failures))
    print(f"{count} programs, {len(failures)} failures")


if __name__ == "__main__":
    main()
