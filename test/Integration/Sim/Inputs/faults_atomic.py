"""Races that an atomic update, or a write of the same value, does not hide. Cases as in faults.py."""

from faults import case

case("own-atomic-after-plain-store", "race", """
%is0 = arith.cmpi eq, %t, %c0 : index
scf.if %is0 {
  memref.store %tf, %s[%c0] : $S !2
}
+ gpu.barrier
%0 = memref.atomic_rmw addf %one, %s[%c0] : (f32, $S) -> f32 !1
gpu.barrier""")
case("own-atomic-hides-another-threads-atomic", "race", """
memref.store %one, %s[%t] : $S
gpu.barrier
%0 = memref.atomic_rmw addf %one, %s[%c0] : (f32, $S) -> f32 !2
+ gpu.barrier
%v = memref.load %s[%c0] : $S !1
memref.store %v, %y[%i] : $X
gpu.barrier""", threads=2)
case("plain-store-among-atomics-of-global-memory", "race", """
%is0 = arith.cmpi eq, %i, %c0 : index
%0 = memref.atomic_rmw addf %one, %y[%c0] : (f32, $X) -> f32 !2
+ gpu.barrier
scf.if %is0 {
  memref.store %one, %y[%c0] : $X !1
}""")
case("block-reads-what-another-counts", "race", """
%is0 = arith.cmpi eq, %t, %c0 : index
scf.if %is0 {
  %0 = memref.atomic_rmw addf %one, %y[%c0] : (f32, $X) -> f32 !2
}
gpu.barrier
- %v = memref.load %y[%c0] : $X !1
+ %v = memref.load %y[%c1] : $X
memref.store %v, %x[%i] : $X""", blocks=2, text="another block")
case("block-reads-its-own-count-in-a-later-interval", "race", """
%is0 = arith.cmpi eq, %t, %c0 : index
%k = arith.addi %b, %c0 : index
scf.if %is0 {
-  %0 = memref.atomic_rmw addf %one, %y[%c0] : (f32, $X) -> f32 !2
+  %0 = memref.atomic_rmw addf %one, %y[%k] : (f32, $X) -> f32
}
gpu.barrier
scf.if %is0 {
-  %v = memref.load %y[%c0] : $X !1
+  %v = memref.load %y[%k] : $X
  memref.store %v, %x[%i] : $X
}""", blocks=3, text="another block")
case("same-value-and-then-another", "race", """
%low = arith.cmpi ult, %t, %c2 : index
%is1 = arith.cmpi eq, %t, %c1 : index
scf.if %low {
  memref.store %one, %s[%c0] : $S !2
}
+ gpu.barrier
scf.if %is1 {
  memref.store %other, %s[%c0] : $S !1
}
gpu.barrier
%v = memref.load %s[%c0] : $S
memref.store %v, %y[%i] : $X""")
case("compare-and-swap-beside-plain", "race", """
memref.store %one, %s[%t] : $S
gpu.barrier
%0 = memref.generic_atomic_rmw %s[%c0] : $S { !2
^bb0(%old: f32):
  %new = arith.mulf %old, %one : f32
  memref.atomic_yield %new : f32
}
+ gpu.barrier
%v = memref.load %s[%c0] : $S !1
memref.store %v, %y[%i] : $X""")
