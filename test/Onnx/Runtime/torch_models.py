#!/usr/bin/env python3
# Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Models that PyTorch exports as ONNX, against ONNX Runtime: torch_models.py WORK NPM

A block of a ResNet, a transformer layer with a cache of keys and values, and an LSTM of two layers in both directions; sizes are dynamic.
Each is compiled once with every snapshot and run on several sizes. Its report has to show the names of its nodes.
"""
import json
import pathlib
import subprocess
import sys

import onnxruntime
import torch
from torch import nn


class ResNetBlock(nn.Module):
    def __init__(self, channels, out, stride):
        super().__init__()
        self.first = nn.Sequential(nn.Conv2d(channels, out, 3, stride, 1, bias=False), nn.BatchNorm2d(out), nn.ReLU())
        self.second = nn.Sequential(nn.Conv2d(out, out, 3, 1, 1, bias=False), nn.BatchNorm2d(out))
        self.shortcut = nn.Sequential(nn.Conv2d(channels, out, 1, stride, bias=False), nn.BatchNorm2d(out))
        for norm in self.modules():
            if isinstance(norm, nn.BatchNorm2d):
                norm.running_mean.normal_()
                norm.running_var.uniform_(0.5, 2)

    def forward(self, x):
        return torch.relu(self.second(self.first(x)) + self.shortcut(x))


class TransformerLayer(nn.Module):
    """Attends to the tokens before, whose keys and values it is given; gives those of all tokens."""

    def __init__(self, size=64, heads=4):
        super().__init__()
        self.heads, self.size = heads, size
        self.norm1, self.norm2 = nn.LayerNorm(size), nn.LayerNorm(size)
        self.projections, self.out = nn.Linear(size, 3 * size), nn.Linear(size, size)
        self.up, self.down = nn.Linear(size, 4 * size), nn.Linear(4 * size, size)

    def forward(self, x, keys, values):
        batch, count, size = x.shape
        split = lambda part: part.reshape(batch, -1, self.heads, size // self.heads).transpose(1, 2)
        query, key, value = (split(part) for part in self.projections(self.norm1(x)).chunk(3, -1))
        keys, values = torch.cat([keys, key], 2), torch.cat([values, value], 2)
        scores = query @ keys.transpose(-1, -2) / (size // self.heads) ** 0.5
        seen = torch.ones(count, keys.shape[2], dtype=torch.bool).tril(keys.shape[2] - count)
        mixed = scores.masked_fill(~seen, float("-inf")).softmax(-1) @ values
        x = x + self.out(mixed.transpose(1, 2).reshape(batch, count, size))
        return x + self.down(nn.functional.gelu(self.up(self.norm2(x)))), keys, values


def models():
    """Name, module, names of inputs, of results, dynamic sizes, and the shapes of the inputs to run on."""
    yield ("resnet", ResNetBlock(16, 32, 2), ["x"], ["y"], {"x": {0: "batch", 2: "height", 3: "width"}},
           [[(2, 16, 28, 28)], [(1, 16, 9, 30)]])
    cache = lambda past: [(1, 4, past, 16)] * 2
    yield ("transformer", TransformerLayer(), ["x", "keys", "values"], ["y", "new_keys", "new_values"],
           {"x": {1: "tokens"}, "keys": {2: "past"}, "values": {2: "past"}},
           [[(1, 3, 64), *cache(5)], [(1, 1, 64), *cache(40)], [(1, 33, 64), *cache(0)]])
    yield ("lstm", nn.LSTM(24, 32, 2, bidirectional=True), ["x"], ["y", "h", "c"], {"x": {0: "steps"}}, [[(7, 2, 24)], [(1, 2, 24)]])


def check_names(name, artifact, model):
    """Every op has an id and the name of a node, which the report shows."""
    manifest = json.loads((artifact / "manifest.json").read_text())
    names = {op.get("name") for op in manifest["ops"] if op.get("name")}
    unnamed = [op["kind"] for op in manifest["ops"] if not op["id"] or not op.get("name")]
    explain = lambda op: subprocess.run(["mica-report", "explain", op["id"], str(artifact)], check=True, capture_output=True, text=True).stdout
    missing = [op for op in manifest["ops"] if op.get("name") and f"  named {op['name']}\n" not in explain(op)]
    snapshots = len(list((artifact / "passes_dump").iterdir()))
    print(f"{name}: {len(manifest['ops'])} ops, {len(names)} names of nodes, {len(unnamed)} without, {len(missing)} not in the report, "
          f"{'some' if snapshots > 0 else 'no'} snapshots")
    return not unnamed and not missing and snapshots > 0


def main(work, npm):
    work, npm = pathlib.Path(work), pathlib.Path(npm)
    work.mkdir(parents=True, exist_ok=True)
    torch.manual_seed(7)
    agree = runs = 0
    named = True
    for name, module, inputs, results, sizes, shapes in models():
        model, artifact = work / f"{name}.onnx", work / name
        arguments = tuple(torch.randn(shape) for shape in shapes[0])
        torch.onnx.export(module.eval(), arguments, str(model), input_names=inputs, output_names=results, dynamic_axes=sizes, opset_version=16)
        subprocess.run(["mica-compile", str(model), "-o", str(artifact)], check=True, capture_output=True)
        named &= check_names(name, artifact, model)
        for number, chosen in enumerate(shapes):
            arrays = [torch.randn(shape).numpy() for shape in chosen]
            folder = work / f"{name}.{number}"
            onnxruntime.expected(npm, model, folder, arrays)
            runs += 1
            agree += onnxruntime.compare(f"{name} {'x'.join(map(str, chosen[0]))}", artifact, folder)
    print(f"{agree} of {runs} runs agree with ONNX Runtime and the reference; all nodes are named: {named}")
    return 0 if agree == runs and named else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
