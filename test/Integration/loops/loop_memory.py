"""Runs loops over tensors of 1 MiB for 1,000 iterations and more; the process may need 100 MB, and the numbers must be NumPy's.

usage: loop_memory.py MICA_COMPILE MICA_RUN WORK_DIR
"""
import pathlib
import subprocess
import sys

import numpy

COMPILE, RUN, WORK = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])
N, COUNT, MOST = 512, 1000, 100 << 20
T = f"tensor<{N}x{N}xf32>"
HEAD = f"""
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %half = arith.constant dense<0.5> : {T}
"""
# Name, body of @main(%x, %n), and its result for the given x and n.
LOOPS = [
    ("for", f"""
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%t = %x) -> {T} {{
    %a = mica.mul %t, %half : {T}
    %b = mica.add %a, %half : {T}
    scf.yield %b : {T}
  }}
  return %r : {T}""", lambda x, n: x * 0.5 ** n + (1 - 0.5 ** n)),
    # The older one of two stays for one more iteration.
    ("two in turns", f"""
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%s = %x, %t = %half) -> ({T}, {T}) {{
    %a = mica.sub %half, %s : {T}
    scf.yield %t, %a : {T}, {T}
  }}
  return %r#1 : {T}""", lambda x, n: 0.5 - x if n % 4 == 1 else (0.0 * x if n % 4 == 2 else (x if n % 4 == 3 else 0.5 + 0.0 * x))),
    ("branches", f"""
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%t = %x) -> {T} {{
    %m = arith.remui %i, %c2 : index
    %even = arith.cmpi eq, %m, %c0 : index
    %y = scf.if %even -> {T} {{
      %a = mica.neg %t : {T}
      scf.yield %a : {T}
    }} else {{
      scf.yield %t : {T}
    }}
    scf.yield %y : {T}
  }}
  return %r : {T}""", lambda x, n: x if (n + 1) // 2 % 2 == 0 else -x),
    ("while", f"""
  %r:2 = scf.while (%i = %c0, %t = %x) : (index, {T}) -> (index, {T}) {{
    %go = arith.cmpi ult, %i, %n : index
    %u = mica.neg %t : {T}
    scf.condition(%go) %i, %u : index, {T}
  }} do {{
  ^bb0(%i: index, %t: {T}):
    %next = arith.addi %i, %c1 : index
    scf.yield %next, %t : index, {T}
  }}
  return %r#1 : {T}""", lambda x, n: x if n % 2 else -x),
    ("nested", f"""
  %r = scf.for %i = %c0 to %n step %c2 iter_args(%t = %x) -> {T} {{
    %q = scf.for %j = %c0 to %c2 step %c1 iter_args(%u = %t) -> {T} {{
      %a = mica.neg %u : {T}
      scf.yield %a : {T}
    }}
    %b = mica.sub %q, %t : {T}
    %c = mica.add %b, %x : {T}
    scf.yield %c : {T}
  }}
  return %r : {T}""", lambda x, n: x),
    # In place: a copy of the tensor in each iteration would be 1 GB.
    ("elements", f"""
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%t = %x) -> {T} {{
    %at = arith.remui %i, %c2 : index
    %q = scf.for %j = %c0 to %c2 step %c1 iter_args(%u = %t) -> {T} {{
      %e = tensor.extract %u[%at, %j] : {T}
      %f = arith.addf %e, %e : f32
      %g = arith.negf %f : f32
      %h = arith.divf %g, %f : f32
      %v = tensor.insert %h into %u[%j, %at] : {T}
      scf.yield %v : {T}
    }}
    scf.yield %q : {T}
  }}
  return %r : {T}""", None),
]


def elements(x, n):
    x = x.copy()
    for i in range(n):
        for j in range(2):
            f = x[i % 2, j] + x[i % 2, j]
            x[j, i % 2] = -f / f
    return x


x = (numpy.arange(N * N).reshape(N, N) % 64 / 8 + 1).astype(numpy.float32)
numpy.save(WORK / "x.npy", x)
good = 0
for name, body, expected in LOOPS:
    file = WORK / f"{name.replace(' ', '_')}.mlir"
    file.write_text(f"func.func @main(%x: {T}, %n: index) -> {T} {{{HEAD}{body}\n}}\n")
    subprocess.run([COMPILE, file, "-o", file.with_suffix("")], check=True, capture_output=True)
    for count in (1, 2, 3, COUNT):
        count += count % 2 if name == "nested" else 0
        out = WORK / "y.npy"
        subprocess.run([RUN, file.with_suffix(""), f"--input=@{WORK / 'x.npy'}", f"--input={count}", f"--output=@{out}"], check=True,
                       capture_output=True, timeout=120)
        want = (expected or elements)(x, count)
        numpy.testing.assert_allclose(numpy.load(out), want, rtol=1e-6, err_msg=f"{name}, {count} iterations")
    good += 1
# The largest of all; the compiler has run as well, so it is measured in a run of its own.
for name, _, _ in LOOPS:
    measured = subprocess.run([sys.executable, "-c", "import resource, subprocess, sys; subprocess.run(sys.argv[1:], check=True, capture_output=True); "
                               "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024)",
                               RUN, WORK / name.replace(" ", "_"), f"--input=@{WORK / 'x.npy'}", f"--input={COUNT}"], check=True, capture_output=True, text=True)
    assert int(measured.stdout) < MOST, f"{name}: {int(measured.stdout) >> 20} MiB"
print(f"{good} of {len(LOOPS)} loops")
