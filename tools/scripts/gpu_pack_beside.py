#!/usr/bin/env python3
"""Times what PyTorch takes for the benchmarks of a pack: prints {"library": "PyTorch 2.4.0", "softmax_8192x4096": MILLISECONDS, ...}.

usage: beside.py [REPEATS]     Needs PyTorch with a GPU; fails without.
"""
import json
import sys

import torch
from torch.nn import functional

REPEATS = int(sys.argv[1]) if len(sys.argv) > 1 else 20


def time(work):
    times = []
    for i in range(-3, REPEATS):
        begin, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
        work()  # While it runs, what is timed is queued.
        begin.record()
        work()
        end.record()
        end.synchronize()
        if i >= 0:
            times.append(begin.elapsed_time(end))
    return sorted(times)[len(times) // 2]


rows, others = (torch.rand(8192, 4096, device="cuda") - 0.5 for _ in range(2))
row = torch.rand(4096, device="cuda")
heads = torch.rand(4, 8, 1024, 64, device="cuda") - 0.5
with torch.no_grad():
    print(json.dumps({"library": "PyTorch " + torch.__version__,
                      "add_8192x4096": time(lambda: rows + others),
                      "gelu_8192x4096": time(lambda: functional.gelu(rows)),
                      "softmax_8192x4096": time(lambda: torch.softmax(rows, 1)),
                      "layer_norm_8192x4096": time(lambda: functional.layer_norm(rows, (4096,), row, row)),
                      "attention_4x8x1024x64": time(lambda: functional.scaled_dot_product_attention(heads, heads, heads))}))
