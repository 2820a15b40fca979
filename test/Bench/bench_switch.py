#!/usr/bin/env python3
"""What an optimization brings: the same programs compiled with and without it, run in turns in one process.

usage: bench_switch.py BUILD_DIR [--off=-O2] [--pairs=25] [--threads=1] [--only=TEXT]

Prints a table: microseconds with and without, and the ratio of the paired samples (median) and of the fastest samples. Weights are
constants, inputs random; needs NumPy. The flags of --off, separated by spaces, switch the optimization off.
"""
import argparse
import pathlib
import statistics
import subprocess
import sys

import numpy as np

from turns import turns

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "python"))


def resources(weights):
    entries = ", ".join(f'{name}: "0x04000000{array.astype(np.float32).tobytes().hex()}"' for name, array in weights.items())
    return "{-# dialect_resources: { builtin: { " + entries + " } } #-}\n"


def linear(m, k, n, transposed=False):
    """A layer: a matmul with a constant, a bias and relu."""
    rng = np.random.default_rng(0)
    weight = rng.standard_normal((n, k) if transposed else (k, n)) / np.sqrt(k)
    shape = f"tensor<{weight.shape[0]}x{weight.shape[1]}xf32>"
    return f"""func.func @main(%x: tensor<{m}x{k}xf32>) -> tensor<{m}x{n}xf32> {{
  %w = arith.constant dense_resource<w> : {shape}
  %b = arith.constant dense_resource<b> : tensor<1x{n}xf32>
  %0 = mica.matmul %x, %w {'transpose_b' if transposed else ''} : (tensor<{m}x{k}xf32>, {shape}) -> tensor<{m}x{n}xf32>
  %1 = mica.add %0, %b : (tensor<{m}x{n}xf32>, tensor<1x{n}xf32>) -> tensor<{m}x{n}xf32>
  %2 = mica.relu %1 : tensor<{m}x{n}xf32>
  return %2 : tensor<{m}x{n}xf32>
}}
""" + resources({"w": weight, "b": rng.standard_normal((1, n))})


def conv(size, channels, filters, kernel):
    weight = np.random.default_rng(0).standard_normal((kernel, kernel, channels, filters)) * 0.05
    image, result = f"tensor<1x{size}x{size}x{channels}xf32>", f"tensor<1x{size}x{size}x{filters}xf32>"
    shape = f"tensor<{kernel}x{kernel}x{channels}x{filters}xf32>"
    pad = kernel // 2
    return f"""func.func @main(%x: {image}) -> {result} {{
  %w = arith.constant dense_resource<w> : {shape}
  %0 = mica.conv2d %x, %w layout = nhwc_hwcf pads = [{pad}, {pad}, {pad}, {pad}] : ({image}, {shape}) -> {result}
  return %0 : {result}
}}
""" + resources({"w": weight})


def mlp(batch, *widths):
    rng, lines, weights, value = np.random.default_rng(0), [], {}, "%x"
    for i, (k, n) in enumerate(zip(widths, widths[1:])):
        weights |= {f"w{i}": rng.standard_normal((k, n)) * 0.05, f"b{i}": rng.standard_normal((1, n))}
        lines += [f"%w{i} = arith.constant dense_resource<w{i}> : tensor<{k}x{n}xf32>", f"%b{i} = arith.constant dense_resource<b{i}> : tensor<1x{n}xf32>",
                  f"%m{i} = mica.matmul {value}, %w{i} : (tensor<{batch}x{k}xf32>, tensor<{k}x{n}xf32>) -> tensor<{batch}x{n}xf32>",
                  f"%s{i} = mica.add %m{i}, %b{i} : (tensor<{batch}x{n}xf32>, tensor<1x{n}xf32>) -> tensor<{batch}x{n}xf32>"]
        value = f"%s{i}"
        if i + 2 < len(widths):
            lines.append(f"%r{i} = mica.relu %s{i} : tensor<{batch}x{n}xf32>")
            value = f"%r{i}"
    result = f"tensor<{batch}x{widths[-1]}xf32>"
    return (f"func.func @main(%x: tensor<{batch}x{widths[0]}xf32>) -> {result} {{\n  " + "\n  ".join(lines) +
            f"\n  return {value} : {result}\n}}\n" + resources(weights))


def attention(heads, queries, keys, size):
    q, k, s = (f"tensor<{heads}x{a}x{b}xf32>" for a, b in [(queries, size), (keys, size), (queries, keys)])
    return f"""func.func @main(%q: {q}, %k: {k}, %v: {k}) -> {q} {{
  %s = mica.matmul %q, %k transpose_b : ({q}, {k}) -> {s}
  %w = mica.softmax %s axis = 2 : {s}
  %r = mica.matmul %w, %v : ({s}, {k}) -> {q}
  return %r : {q}
}}
"""


def block(folder):
    """The transformer block of docs/examples, with rows of 768 elements."""
    subprocess.run([sys.executable, str(ROOT / "docs/examples/transformer/make.py"), str(folder), "--seq=128", "--width=768", "--heads=12",
                    "--ffn=3072"], check=True, stdout=subprocess.DEVNULL)
    return (folder / "block.mlir").read_text()


CASES = {
    "block_s128_d768_h12": block,
    "mlp_784_512_512_10_b64": lambda _: mlp(64, 784, 512, 512, 10),
    "linear_128x768x3072": lambda _: linear(128, 768, 3072),
    "linear_128x3072x768": lambda _: linear(128, 3072, 768),
    "linear_128x768x3072_out_in": lambda _: linear(128, 768, 3072, True),
    "linear_64x784x512": lambda _: linear(64, 784, 512),
    "linear_8x4096x4096": lambda _: linear(8, 4096, 4096),
    "linear_8x4096x4096_out_in": lambda _: linear(8, 4096, 4096, True),
    "linear_4x4096x4096": lambda _: linear(4, 4096, 4096),
    "linear_1x4096x4096": lambda _: linear(1, 4096, 4096),
    "linear_1024x1024x1024": lambda _: linear(1024, 1024, 1024),
    "conv2d_56x56x64_3x3x64": lambda _: conv(56, 64, 64, 3),
    "conv2d_14x14x256_1x1x512": lambda _: conv(14, 256, 512, 1),
    "attention_12x128x64": lambda _: attention(12, 128, 128, 64),
    "attention_12x197x64": lambda _: attention(12, 197, 197, 64),
    "attention_12x512x64": lambda _: attention(12, 512, 512, 64),
    "attention_12x2048x64": lambda _: attention(12, 2048, 2048, 64),
    "attention_32x1024x128": lambda _: attention(32, 1024, 1024, 128),
}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--off", default="-O2")
    parser.add_argument("--pairs", type=int, default=25)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    import mica
    work = options.build / "bench" / "switch"
    work.mkdir(parents=True, exist_ok=True)
    print("| case | us with | us without | with / without | of the fastest |\n|---|---|---|---|---|")
    for name, make in CASES.items():
        if options.only not in name:
            continue
        file = work / f"{name}.mlir"
        file.write_text(make(work))
        contexts = []
        for side, flags in (("on", []), ("off", options.off.split())):
            subprocess.run([str(options.build / "bin/mica-compile"), str(file), "-o", str(work / f"{name}.{side}"), "--force", "--dump-passes=off",
                            *flags], check=True, stdout=subprocess.DEVNULL)
            contexts.append(mica.load(str(work / f"{name}.{side}")).context(threads=options.threads))
        inputs = []
        rng = np.random.default_rng(1)
        for argument in mica.load(str(work / f"{name}.on")).manifest["entries"][0]["args"]:
            inputs.append(mica.empty(argument["shape"], np.float32))
            inputs[-1][...] = rng.standard_normal(argument["shape"])
        first, second = (context.run(*inputs)[0].numpy() for context in contexts)
        error = np.linalg.norm((first - second).astype(np.float64)) / np.linalg.norm(second.astype(np.float64))
        if not error < 1e-5:
            sys.exit(f"{name}: the results differ by rel-L2 {error}")

        sides = {side: lambda context=context: context.run(*inputs) for side, context in zip(("on", "off"), contexts)}
        on, off = turns(sides, options.pairs, options.threads).values()
        print(f"| {name} | {statistics.median(on):.0f} | {statistics.median(off):.0f} | {statistics.median(a / b for a, b in zip(on, off)):.2f} | "
              f"{min(on) / min(off):.2f} |", flush=True)


if __name__ == "__main__":
    main()
