"""A model with weights: constants.bin holds them once although two programs refer to them, as the input wrote them (in the text and
as a resource) and as phase input left them; the oracle evaluates them."""

import os
import struct
import subprocess
import sys

folder = sys.argv[1]
os.makedirs(folder, exist_ok=True)
count = 4096
values = struct.pack(f"<{count}f", *(((i * 37) % 101) / 8 for i in range(count)))
others = struct.pack(f"<{count}f", *(((i * 53) % 97) / 4 for i in range(count)))
model = os.path.join(folder, "model.mlir")
with open(model, "w") as file:
    file.write(f"""func.func @f(%x: tensor<{count}xf32>) -> tensor<{count}xf32> {{
  %a = arith.constant dense<"0x{values.hex().upper()}"> : tensor<{count}xf32>
  %b = arith.constant dense_resource<w> : tensor<{count}xf32>
  %0 = arith.mulf %x, %a : tensor<{count}xf32>
  %1 = arith.addf %0, %b : tensor<{count}xf32>
  return %1 : tensor<{count}xf32>
}}
{{-# dialect_resources: {{ builtin: {{ w: "0x04000000{others.hex().upper()}" }} }} #-}}
""")
artifact = os.path.join(folder, "artifact")
subprocess.run(["mica-compile", model, "-o", artifact, "--force"], check=True)
size = os.path.getsize(os.path.join(artifact, "constants.bin"))
assert size == 2 * 4 * count, f"constants.bin has {size} bytes for {2 * 4 * count} of weights"
for name in ("input.mlirbc", "input.orig.mlirbc"):
    size = os.path.getsize(os.path.join(artifact, name))
    assert size < 4096, f"{name} has {size} bytes: it holds weights"
subprocess.run(["mica-run", artifact, "--check-reference"], check=True, stdout=subprocess.DEVNULL)
