"""Tensors of torch in and out."""
import torch

import mica

program = mica.compile("func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {\n  %0 = mica.exp %x : tensor<4xf32>\n  return %0 : tensor<4xf32>\n}\n")
x = torch.arange(4, dtype=torch.float32)
result = program(x)
y = torch.from_dlpack(result)
assert torch.allclose(y, torch.exp(x)), y
assert y.data_ptr() == result.numpy().ctypes.data
