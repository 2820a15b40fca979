# Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The cases that are one op of PyTorch, into a result that exists where the op can."""
import os

os.environ.setdefault("ATEN_CPU_CAPABILITY", "avx512")
import torch  # noqa: E402
from torch.nn import functional as F  # noqa: E402


def into(function):
    """A function with `out`."""
    return lambda arrays, weights, out: lambda: function(*arrays, *weights, out=out)


def fresh(function):
    return lambda arrays, weights, out: lambda: function(*arrays, *weights)


def conv(stride, pad, groups=1):
    return fresh(lambda x, w: F.conv2d(x, w, None, stride, pad, 1, groups))


def attention(q, k, v, scale):
    return torch.softmax((q * scale) @ k.transpose(1, 2), -1) @ v


OPS = {
    **{f"sgemm_{size}": into(torch.mm) for size in (128, 256, 512, 1024, 2048)},
    "bmm_12x128x64x128": into(torch.bmm),
    "linear_1x4096x4096": into(torch.mm),
    "linear_8x4096x4096": into(torch.mm),
    "softmax_1024x1024": fresh(lambda x: torch.softmax(x, -1)),
    "softmax_12x512x512": fresh(lambda x: torch.softmax(x, -1)),
    "layer_norm_4096x1024": fresh(lambda x, scale, bias: F.layer_norm(x, x.shape[-1:], scale, bias)),
    "gelu_erf_4096x4096": fresh(F.gelu),
    "gelu_tanh_4096x4096": fresh(lambda x: F.gelu(x, approximate="tanh")),
    "add_4096x4096": into(torch.add),
    "conv_56x64_3x3x64": conv(1, 1),
    "conv_224x3_7x7s2x64": conv(2, 3),
    "depthwise_112x96_3x3": conv(1, 1, 96),
    "pointwise_14x256x512": conv(1, 0),
    "attention_12x512x64": fresh(attention),
    "decode_32x2048x128": fresh(attention),
}


def prepare(name, inputs, case, threads):
    """A function that runs the case, and its result."""
    torch.set_num_threads(threads)
    arrays = [torch.from_numpy(array) for array in inputs.values()]
    weights = [torch.from_numpy(array.copy()) for array in case.weights.values()]
    out = torch.empty(*case.result)
    with torch.no_grad():
        run = OPS[name](arrays, weights, out)
        result = run()

    def timed():
        with torch.inference_mode():
            run()
    return timed, result.numpy().copy()
