"""Insertions into tensors that loops carry, which are done in place: what else reads the memory still sees the old elements.

usage: insertions.py MICA_COMPILE MICA_RUN WORK_DIR

The reference evaluator, which computes on values, is the judge. The first line of the output counts the kernels that update in place.
"""
import pathlib
import re
import subprocess
import sys

COMPILE, RUN, WORK = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])
T = "tensor<6x6xf32>"
HEAD = """  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %n = arith.constant 5 : index
  %f = arith.constant 1.5 : f32
"""
PROGRAMS = {}
PROGRAMS["swap"] = f"""  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %b = %y) -> ({T}, {T}) {{
    %e = tensor.extract %b[%i, %c1] : {T}
    %v = tensor.insert %e into %a[%i, %c2] : {T}
    scf.yield %b, %v : {T}, {T}
  }}
  return %r#0, %r#1 : {T}, {T}"""
PROGRAMS["same_init"] = f"""  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %b = %x) -> ({T}, {T}) {{
    %v = tensor.insert %f into %a[%i, %c2] : {T}
    %w = tensor.insert %f into %b[%c2, %i] : {T}
    scf.yield %v, %w : {T}, {T}
  }}
  return %r#0, %r#1 : {T}, {T}"""
PROGRAMS["old_after"] = f"""  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %b = %y) -> ({T}, {T}) {{
    %v = tensor.insert %f into %a[%i, %c2] : {T}
    %s = mica.add %a, %b : {T}
    scf.yield %v, %s : {T}, {T}
  }}
  return %r#0, %r#1 : {T}, {T}"""
PROGRAMS["init_after"] = f"""  %t = mica.add %x, %y : {T}
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %t) -> ({T}) {{
    %v = tensor.insert %f into %a[%i, %c2] : {T}
    scf.yield %v : {T}
  }}
  %s = mica.mul %t, %r : {T}
  return %r, %s : {T}, {T}"""
PROGRAMS["slice"] = f"""  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> ({T}) {{
    %s = tensor.extract_slice %a[%i, 0] [1, 6] [1, 1] : {T} to tensor<1x6xf32>
    %j = arith.addi %i, %c1 : index
    %v = tensor.insert_slice %s into %a[%j, 0] [1, 6] [1, 1] : tensor<1x6xf32> into {T}
    scf.yield %v : {T}
  }}
  return %r, %r : {T}, {T}"""
PROGRAMS["slice_compute"] = f"""  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> ({T}) {{
    %s = tensor.extract_slice %a[%i, 0] [1, 6] [1, 1] : {T} to tensor<1x6xf32>
    %q = mica.tanh %s : tensor<1x6xf32>
    %j = arith.addi %i, %c1 : index
    %v = tensor.insert_slice %q into %a[%j, 0] [1, 6] [1, 1] : tensor<1x6xf32> into {T}
    scf.yield %v : {T}
  }}
  return %r, %y : {T}, {T}"""
PROGRAMS["slice_self"] = f"""  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> ({T}) {{
    %s = tensor.extract_slice %a[0, 0] [5, 6] [1, 1] : {T} to tensor<5x6xf32>
    %v = tensor.insert_slice %s into %a[1, 0] [5, 6] [1, 1] : tensor<5x6xf32> into {T}
    scf.yield %v : {T}
  }}
  return %r, %y : {T}, {T}"""
PROGRAMS["two_inserts"] = f"""  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> ({T}) {{
    %v = tensor.insert %f into %a[%i, %c2] : {T}
    %e = tensor.extract %a[%i, %c2] : {T}
    %w = tensor.insert %e into %v[%c3, %i] : {T}
    scf.yield %w : {T}
  }}
  return %r, %y : {T}, {T}"""
PROGRAMS["branch"] = f"""  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> ({T}) {{
    %m = arith.remui %i, %c2 : index
    %z = arith.cmpi eq, %m, %c0 : index
    %o = scf.if %z -> {T} {{
      %v = tensor.insert %f into %a[%i, %c2] : {T}
      scf.yield %v : {T}
    }} else {{
      scf.yield %a : {T}
    }}
    %s = mica.add %o, %a : {T}
    scf.yield %s : {T}
  }}
  return %r, %x : {T}, {T}"""
PROGRAMS["nested_outer_used"] = f"""  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> ({T}) {{
    %q = scf.for %j = %c0 to %n step %c1 iter_args(%b = %a) -> ({T}) {{
      %e = tensor.extract %b[%j, %i] : {T}
      %g = arith.addf %e, %f : f32
      %v = tensor.insert %g into %b[%i, %j] : {T}
      scf.yield %v : {T}
    }}
    %s = mica.sub %q, %a : {T}
    scf.yield %s : {T}
  }}
  return %r, %x : {T}, {T}"""
PROGRAMS["nested_two"] = f"""  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %k = %y) -> ({T}, {T}) {{
    %q = scf.for %j = %c0 to %n step %c1 iter_args(%b = %a) -> ({T}) {{
      %e = tensor.extract %k[%j, %i] : {T}
      %g = arith.addf %e, %f : f32
      %v = tensor.insert %g into %b[%i, %j] : {T}
      scf.yield %v : {T}
    }}
    scf.yield %k, %q : {T}, {T}
  }}
  return %r#0, %r#1 : {T}, {T}"""
PROGRAMS["nested_same"] = f"""  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %k = %y) -> ({T}, {T}) {{
    %q = scf.for %j = %c0 to %n step %c1 iter_args(%b = %a) -> ({T}) {{
      %v = tensor.insert %f into %b[%i, %j] : {T}
      scf.yield %v : {T}
    }}
    scf.yield %q, %q : {T}, {T}
  }}
  return %r#0, %r#1 : {T}, {T}"""
PROGRAMS["while"] = f"""  %r:2 = scf.while (%i = %c0, %a = %x) : (index, {T}) -> (index, {T}) {{
    %go = arith.cmpi ult, %i, %n : index
    scf.condition(%go) %i, %a : index, {T}
  }} do {{
  ^bb0(%i: index, %a: {T}):
    %v = tensor.insert %f into %a[%i, %c2] : {T}
    %j = arith.addi %i, %c1 : index
    scf.yield %j, %v : index, {T}
  }}
  return %r#1, %x : {T}, {T}"""
PROGRAMS["inner_zero"] = f"""  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> ({T}) {{
    %q = scf.for %j = %i to %c2 step %c1 iter_args(%b = %a) -> ({T}) {{
      %v = tensor.insert %f into %b[%i, %j] : {T}
      scf.yield %v : {T}
    }}
    %w = tensor.insert %f into %q[%c3, %i] : {T}
    scf.yield %w : {T}
  }}
  return %r, %x : {T}, {T}"""
PROGRAMS["inner_result_twice"] = f"""  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x, %z = %y) -> ({T}, {T}) {{
    %q = scf.for %j = %c0 to %c2 step %c1 iter_args(%b = %a) -> ({T}) {{
      %v = tensor.insert %f into %b[%i, %j] : {T}
      scf.yield %v : {T}
    }}
    %w = tensor.insert %f into %q[%c3, %i] : {T}
    scf.yield %w, %q : {T}, {T}
  }}
  return %r#0, %r#1 : {T}, {T}"""
PROGRAMS["generic_then_insert"] = f"""  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> ({T}) {{
    %s = mica.add %a, %y : {T}
    %e = tensor.extract %a[%i, %c2] : {T}
    %v = tensor.insert %e into %s[%i, %c3] : {T}
    %w = mica.mul %v, %a : {T}
    scf.yield %w : {T}
  }}
  return %r, %x : {T}, {T}"""

good = updates = 0
for name, program in PROGRAMS.items():
    file, folder = WORK / f"{name}.mlir", WORK / name
    file.write_text(f"func.func @main(%x: {T}, %y: {T}) -> ({T}, {T}) {{\n{HEAD}{program}\n}}\n")
    subprocess.run([COMPILE, file, "-o", folder], check=True, capture_output=True)
    updates += len(re.findall(r"readwrite", (folder / "host" / "schedule.mlir").read_text()))
    done = subprocess.run([RUN, folder, "--check-reference"], capture_output=True, text=True)
    if done.returncode:
        print(f"{name}: exit {done.returncode}: {done.stderr}{done.stdout}")
    good += done.returncode == 0
print(f"{updates} kernels update in place")
print(f"{good} of {len(PROGRAMS)} programs agree")
