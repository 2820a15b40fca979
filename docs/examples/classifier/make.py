#!/usr/bin/env python3
"""Trains the digit classifier of this folder and writes it as a TFLite-style TOSA module.

usage: make.py OUTPUT_DIR          (needs NumPy; takes about a minute; seeded, so it gives the same file again)

The data is drawn, not downloaded: each sample is one digit of a 5x7 dot font, scaled to 10x14, shifted by up to a pixel
or two, with strokes of random strength and noise all over, in a 16x16 image with values from 0 to 1. The network is
conv 3x3x8, max-pool, conv 3x3x16, max-pool, dense 10; NHWC throughout, filters stored OHWI, as TFLite does.
Writes classifier.mlir, digits.npy (16 test images, one argument of the entry) and digits.labels.txt.
"""
import os
import sys

import numpy as np

FONT = {
    0: "01110 10001 10011 10101 11001 10001 01110", 1: "00100 01100 00100 00100 00100 00100 01110",
    2: "01110 10001 00001 00010 00100 01000 11111", 3: "11111 00010 00100 00010 00001 10001 01110",
    4: "00010 00110 01010 10010 11111 00010 00010", 5: "11111 10000 11110 00001 00001 10001 01110",
    6: "00110 01000 10000 11110 10001 10001 01110", 7: "11111 00001 00010 00100 01000 01000 01000",
    8: "01110 10001 10001 01110 10001 10001 01110", 9: "01110 10001 10001 01111 00001 00010 01100",
}
BATCH = 16


def draw(rng, digit):
    glyph = np.array([[int(c) for c in row] for row in FONT[digit].split()], np.float32)
    glyph = np.kron(glyph, np.ones((2, 2), np.float32))
    image = np.zeros((16, 16), np.float32)
    top, left = rng.integers(0, 3), rng.integers(1, 6)
    image[top:top + 14, left:left + 10] = glyph * rng.uniform(0.5, 1.0)
    image += rng.normal(0, 0.15, image.shape).astype(np.float32)
    return np.clip(image, 0, 1)


def batch(rng, count):
    labels = rng.integers(0, 10, count)
    return np.stack([draw(rng, d) for d in labels])[..., None].astype(np.float32), labels


def patches(x):
    """[n,h,w,c] -> [n,h,w,3,3,c], zero padding of one pixel."""
    padded = np.pad(x, ((0, 0), (1, 1), (1, 1), (0, 0)))
    view = np.lib.stride_tricks.sliding_window_view(padded, (3, 3), axis=(1, 2))
    return view.transpose(0, 1, 2, 4, 5, 3)


def conv(x, w, b):
    p = patches(x)
    n, h, wd = p.shape[:3]
    cols = p.reshape(n * h * wd, -1)
    return (cols @ w.reshape(w.shape[0], -1).T + b).reshape(n, h, wd, -1), cols


def conv_back(grad, cols, w, shape):
    g = grad.reshape(-1, grad.shape[-1])
    dw = (g.T @ cols).reshape(w.shape)
    dp = (g @ w.reshape(w.shape[0], -1)).reshape(*shape[:3], 3, 3, shape[3])
    dx = np.zeros((shape[0], shape[1] + 2, shape[2] + 2, shape[3]), np.float32)
    for i in range(3):
        for j in range(3):
            dx[:, i:i + shape[1], j:j + shape[2]] += dp[:, :, :, i, j]
    return dx[:, 1:-1, 1:-1], dw, g.sum(0)


def pool(x):
    n, h, w, c = x.shape
    blocks = x.reshape(n, h // 2, 2, w // 2, 2, c)
    y = blocks.max((2, 4))
    mask = blocks == y[:, :, None, :, None]
    return y, mask / mask.sum((2, 4), keepdims=True)


def pool_back(grad, mask):
    g = mask * grad[:, :, None, :, None]
    n, h, _, w, _, c = g.shape
    return g.reshape(n, h * 2, w * 2, c).astype(np.float32)


def forward(p, x):
    a1, cols1 = conv(x, p["w1"], p["b1"])
    h1, m1 = pool(np.maximum(a1, 0))
    a2, cols2 = conv(h1, p["w2"], p["b2"])
    h2, m2 = pool(np.maximum(a2, 0))
    flat = h2.reshape(len(x), -1)
    return flat @ p["w3"] + p["b3"], (x, a1, cols1, h1, m1, a2, cols2, h2, m2, flat)


def train(rng, steps=1500):
    def init(*shape, fan):
        return rng.normal(0, np.sqrt(2 / fan), shape).astype(np.float32)

    p = {"w1": init(8, 3, 3, 1, fan=9), "b1": np.zeros(8, np.float32),
         "w2": init(16, 3, 3, 8, fan=72), "b2": np.zeros(16, np.float32),
         "w3": init(256, 10, fan=256), "b3": np.zeros(10, np.float32)}
    velocity = {k: np.zeros_like(v) for k, v in p.items()}
    for step in range(steps):
        x, labels = batch(rng, 64)
        logits, (x, a1, cols1, h1, m1, a2, cols2, h2, m2, flat) = forward(p, x)
        e = np.exp(logits - logits.max(1, keepdims=True))
        grad = e / e.sum(1, keepdims=True)
        grad[np.arange(64), labels] -= 1
        grad = (grad / 64).astype(np.float32)
        g = {"w3": flat.T @ grad, "b3": grad.sum(0)}
        d = pool_back((grad @ p["w3"].T).reshape(h2.shape), m2) * (a2 > 0)
        d, g["w2"], g["b2"] = conv_back(d, cols2, p["w2"], h1.shape)
        d = pool_back(d, m1) * (a1 > 0)
        _, g["w1"], g["b1"] = conv_back(d, cols1, p["w1"], x.shape)
        rate = 0.05 * (1 - step / steps)
        for k in p:
            velocity[k] = 0.9 * velocity[k] - rate * g[k]
            p[k] += velocity[k]
    return p


def blob(a):
    return '"0x04000000' + np.ascontiguousarray(a, "<f4").tobytes().hex().upper() + '"'


def module(p):
    weights = {"conv1_filter": p["w1"], "conv1_bias": p["b1"], "conv2_filter": p["w2"], "conv2_bias": p["b2"],
               "dense_weight": p["w3"][None], "dense_bias": p["b3"][None]}

    def ty(a):
        return f"tensor<{'x'.join(map(str, a.shape))}xf32>"

    lines = ["// A digit classifier in TOSA, NHWC, as TFLite models arrive. Made by make.py beside this file.",
             "module attributes {tf.versions = {producer = 1 : i32}} {",
             f"  func.func @main(%image: tensor<{BATCH}x16x16x1xf32>) -> tensor<{BATCH}x10xf32> {{",
             '    %zero = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>']
    for name, a in weights.items():
        lines.append(f'    %{name} = "tosa.const"() <{{values = dense_resource<{name}> : {ty(a)}}}> : () -> {ty(a)}')
    conv_attrs = ("{acc_type = f32, dilation = array<i64: 1, 1>, pad = array<i64: 1, 1, 1, 1>, "
                  "stride = array<i64: 1, 1>}")
    pool_attrs = "{kernel = array<i64: 2, 2>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 2, 2>}"
    value, shape = "%image", (BATCH, 16, 16, 1)
    for i, w in ((1, p["w1"]), (2, p["w2"])):
        src = f"tensor<{'x'.join(map(str, shape))}xf32>"
        out = (shape[0], shape[1], shape[2], w.shape[0])
        dst = f"tensor<{'x'.join(map(str, out))}xf32>"
        half = (out[0], out[1] // 2, out[2] // 2, out[3])
        pooled = f"tensor<{'x'.join(map(str, half))}xf32>"
        lines += [f"    %conv{i} = tosa.conv2d {value}, %conv{i}_filter, %conv{i}_bias, %zero, %zero {conv_attrs} : "
                  f"({src}, {ty(w)}, tensor<{w.shape[0]}xf32>, tensor<1xf32>, tensor<1xf32>) -> {dst}",
                  f"    %relu{i} = tosa.clamp %conv{i} {{min_val = 0.0 : f32, max_val = 3.40282347E+38 : f32}} : "
                  f"({dst}) -> {dst}",
                  f"    %pool{i} = tosa.max_pool2d %relu{i} {pool_attrs} : ({dst}) -> {pooled}"]
        value, shape = f"%pool{i}", half
    flat = int(np.prod(shape[1:]))
    src = f"tensor<{'x'.join(map(str, shape))}xf32>"
    lines += [f"    %shape = tosa.const_shape {{values = dense<[1, {BATCH}, {flat}]> : tensor<3xindex>}} : () -> !tosa.shape<3>",
              f"    %flat = tosa.reshape {value}, %shape : ({src}, !tosa.shape<3>) -> tensor<1x{BATCH}x{flat}xf32>",
              f"    %dense = tosa.matmul %flat, %dense_weight, %zero, %zero : (tensor<1x{BATCH}x{flat}xf32>, "
              f"tensor<1x{flat}x10xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x{BATCH}x10xf32>",
              f"    %out_shape = tosa.const_shape {{values = dense<[{BATCH}, 10]> : tensor<2xindex>}} : () -> !tosa.shape<2>",
              f"    %rows = tosa.reshape %dense, %out_shape : (tensor<1x{BATCH}x10xf32>, !tosa.shape<2>) -> tensor<{BATCH}x10xf32>",
              f"    %logits = tosa.add %rows, %dense_bias : (tensor<{BATCH}x10xf32>, tensor<1x10xf32>) -> tensor<{BATCH}x10xf32>",
              f"    return %logits : tensor<{BATCH}x10xf32>", "  }", "}", "", "{-#", "  dialect_resources: {",
              "    builtin: {"]
    lines.append(",\n".join(f"      {name}: {blob(a)}" for name, a in weights.items()))
    lines += ["    }", "  }", "#-}", ""]
    return "\n".join(lines)


def main():
    if len(sys.argv) != 2:
        print(__doc__)
        return 2
    out = sys.argv[1]
    rng = np.random.default_rng(7)
    p = train(rng)
    x, labels = batch(rng, 2000)
    print(f"accuracy on 2000 fresh samples: {(forward(p, x)[0].argmax(1) == labels).mean():.4f}")
    open(os.path.join(out, "classifier.mlir"), "w").write(module(p))
    x, labels = batch(rng, BATCH)
    np.save(os.path.join(out, "digits.npy"), x)
    open(os.path.join(out, "digits.labels.txt"), "w").write(" ".join(map(str, labels)) + "\n")
    print("labels:", *labels, " predicted:", *forward(p, x)[0].argmax(1))
    return 0


if __name__ == "__main__":
    sys.exit(main())
