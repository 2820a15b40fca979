"""Barriers of a warp and of some warps, and matrices of a subgroup. Cases as in faults.py."""

from faults import case

WARPS = dict(threads=64)
MATRIX = '!gpu.mma_matrix<16x16xf16, "COp">'
SUMS = '!gpu.mma_matrix<16x16xf32, "COp">'

case("no-barrier-of-the-warp", "race", """
%mask = arith.constant -1 : i32
memref.store %tf, %s[%t] : $S !2
+ nvvm.bar.warp.sync %mask : i32
%near = arith.xori %t, %c1 : index
%v = memref.load %s[%near] : $S !1
memref.store %v, %y[%i] : $X""", **WARPS)
case("a-barrier-of-the-warp-for-two-warps", "race", """
%mask = arith.constant -1 : i32
memref.store %tf, %s[%t] : $S !2
- nvvm.bar.warp.sync %mask : i32
+ gpu.barrier
%near = arith.xori %t, %c32 : index
%v = memref.load %s[%near] : $S !1
memref.store %v, %y[%i] : $X""", **WARPS)
case("a-mask-of-half-a-warp", "race", """
- %mask = arith.constant 65535 : i32
+ %mask = arith.constant -1 : i32
memref.store %tf, %s[%t] : $S !2
%lower = arith.cmpi ult, %lane, %c16 : index
%upper = arith.constant -65536 : i32
- %own = arith.select %lower, %mask, %upper : i32
+ %own = arith.select %lower, %mask, %mask : i32
nvvm.bar.warp.sync %own : i32
%near = arith.xori %t, %c16 : index
%v = memref.load %s[%near] : $S !1
memref.store %v, %y[%i] : $X""")
case("a-lane-outside-of-its-mask", "barrier", """
- %mask = arith.constant 2147483647 : i32
+ %mask = arith.constant -1 : i32
nvvm.bar.warp.sync %mask : i32 !1""")
case("arrives-before-it-writes", "race", """
%id = arith.constant 3 : i32
%all = arith.constant 64 : i32
%produces = arith.cmpi ult, %t, %c32 : index
scf.if %produces {
-   nvvm.barrier.arrive id = %id number_of_threads = %all
  memref.store %tf, %s[%t] : $S !2
+   nvvm.barrier.arrive id = %id number_of_threads = %all
} else {
  nvvm.barrier id = %id number_of_threads = %all
  %near = arith.xori %t, %c32 : index
  %v = memref.load %s[%near] : $S !1
  memref.store %v, %y[%i] : $X
}""", **WARPS)
case("two-barriers-of-different-numbers", "barrier", """
%lower = arith.cmpi ult, %t, %c32 : index
%a = arith.constant 1 : i32
- %b2 = arith.constant 2 : i32
+ %b2 = arith.constant 1 : i32
%id = arith.select %lower, %a, %b2 : i32
%all = arith.constant 64 : i32
nvvm.barrier id = %id number_of_threads = %all !1
memref.store %one, %y[%i] : $X""", **WARPS)
case("reused-before-the-readers-are-done", "race", """
%id = arith.constant 1 : i32
%all = arith.constant 64 : i32
memref.store %tf, %s[%t] : $S
nvvm.barrier id = %id number_of_threads = %all
%near = arith.xori %t, %c32 : index
%v = memref.load %s[%near] : $S !2
memref.store %v, %y[%i] : $X
+ nvvm.barrier id = %id number_of_threads = %all
memref.store %one, %s[%t] : $S !1""", **WARPS)
case("matrix-behind-the-end", "bounds", """
%a = memref.reinterpret_cast %h to offset: [0], sizes: [16, 16], strides: [16, 1] : $H to memref<16x16xf16>
- %m0 = gpu.subgroup_mma_load_matrix %a[%c1, %c0] {leadDimension = 16 : index} : memref<16x16xf16> -> MATRIX !1
+ %m0 = gpu.subgroup_mma_load_matrix %a[%c0, %c0] {leadDimension = 16 : index} : memref<16x16xf16> -> MATRIX
gpu.subgroup_mma_store_matrix %m0, %sh[%c0] {leadDimension = 16 : index} : MATRIX, $SH""".replace("MATRIX", MATRIX))
case("matrix-of-uninitialized-memory", "init", """
+ scf.for %j = %t to %c256 step %c32 {
+   memref.store %half, %sh[%j] : $SH
+ }
+ gpu.barrier
%m0 = gpu.subgroup_mma_load_matrix %sh[%c0] {leadDimension = 16 : index} : $SH -> MATRIX !1
%a = memref.reinterpret_cast %h to offset: [0], sizes: [16, 16], strides: [16, 1] : $H to memref<16x16xf16>
gpu.subgroup_mma_store_matrix %m0, %a[%c0, %c0] {leadDimension = 16 : index} : MATRIX, memref<16x16xf16>""".replace("MATRIX", MATRIX))
case("two-warps-store-one-matrix", "race", """
%w = arith.divui %t, %c32 : index
%wi = arith.index_cast %w : index to i32
%wf = arith.sitofp %wi : i32 to f32
%m0 = gpu.subgroup_mma_constant_matrix %wf : SUMS
%u = memref.reinterpret_cast %y to offset: [0], sizes: [16, 16], strides: [16, 1] : $X to memref<16x16xf32>
%last = arith.cmpi eq, %w, %c1 : index
- gpu.subgroup_mma_store_matrix %m0, %u[%c0, %c0] {leadDimension = 16 : index} : SUMS, memref<16x16xf32> !1
+ scf.if %last {
+   gpu.subgroup_mma_store_matrix %m0, %u[%c0, %c0] {leadDimension = 16 : index} : SUMS, memref<16x16xf32>
+ }""".replace("SUMS", SUMS), **WARPS)
case("matrix-in-a-branch-of-half-a-warp", "barrier", """
%a = memref.reinterpret_cast %h to offset: [0], sizes: [16, 16], strides: [16, 1] : $H to memref<16x16xf16>
- %some = arith.cmpi ult, %lane, %c16 : index
+ %some = arith.cmpi ult, %lane, %c32 : index
scf.if %some {
  %m0 = gpu.subgroup_mma_load_matrix %a[%c0, %c0] {leadDimension = 16 : index} : memref<16x16xf16> -> MATRIX !1
  gpu.subgroup_mma_store_matrix %m0, %sh[%c0] {leadDimension = 16 : index} : MATRIX, $SH
}""".replace("MATRIX", MATRIX))
