#!/usr/bin/env python3
"""many_kernels.py N: prints a program of N functions, each a kernel that is none of the others."""
import sys

for i in range(int(sys.argv[1])):
    n = 33 + i
    print(f"""func.func @f{i}(%a: tensor<{n}x65xf32>, %b: tensor<65x{n}xf32>) -> tensor<{n}x{n}xf32> {{
  %0 = mica.matmul %a, %b : (tensor<{n}x65xf32>, tensor<65x{n}xf32>) -> tensor<{n}x{n}xf32>
  %1 = mica.gelu %0 : tensor<{n}x{n}xf32>
  return %1 : tensor<{n}x{n}xf32>
}}""")
