"""Writes the program that edit_and_run.py edits: one product and nine sums, each a kernel of its own.

usage: ten_kernels.py FILE
"""
import sys

arguments, types, lines, results = ["%a: tensor<16x32xf32>", "%b: tensor<32x48xf32>"], ["tensor<16x48xf32>"], [], ["%p"]
lines.append("%p = mica.matmul %a, %b : (tensor<16x32xf32>, tensor<32x48xf32>) -> tensor<16x48xf32>")
for i in range(9):
    shape = f"tensor<{i + 3}xf32>"
    arguments.append(f"%x{i}: {shape}")
    values = ", ".join(f"{0.5 + j}" for j in range(i + 3))
    lines.append(f"%c{i} = mica.constant dense<[{values}]> : {shape}")
    lines.append(f"%r{i} = mica.add %x{i}, %c{i} : ({shape}, {shape}) -> {shape}")
    types.append(shape)
    results.append(f"%r{i}")
with open(sys.argv[1], "w") as file:
    file.write(f"func.func @main({', '.join(arguments)}) -> ({', '.join(types)}) {{\n")
    file.writelines(f"  {line}\n" for line in lines)
    file.write(f"  return {', '.join(results)} : {', '.join(types)}\n}}\n")
