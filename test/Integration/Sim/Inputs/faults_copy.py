"""Asynchronous copies and ldmatrix. Cases as in faults.py."""

from faults import case

case("async-copy-source-outside", "bounds", """
%k4 = arith.muli %t, %c4 : index
- %k = arith.addi %k4, %c240 : index
+ %k = arith.addi %k4, %c128 : index
%tok = nvgpu.device_async_copy %x[%k], %s[%k4], 4 : $X to $S !1
%g = nvgpu.device_async_create_group %tok
nvgpu.device_async_wait %g""")
case("async-copy-destination-outside", "bounds", """
%k = arith.muli %t, %c4 : index
- %j = arith.addi %k, %c4 : index
+ %j = arith.addi %k, %c0 : index
%tok = nvgpu.device_async_copy %x[%k], %s[%j], 4 : $X to $S !1
%g = nvgpu.device_async_create_group %tok
nvgpu.device_async_wait %g""")
case("async-copy-over-a-neighbours-row", "race", """
%k = arith.muli %t, %c4 : index
memref.store %tf, %x[%k] : $X
gpu.barrier
- %j = arith.divui %k, %c8 : index
- %p = arith.muli %j, %c4 : index
+ %p = arith.addi %k, %c0 : index
%tok = nvgpu.device_async_copy %x[%k], %s[%p], 4 : $X to $S !1
%g = nvgpu.device_async_create_group %tok
nvgpu.device_async_wait %g
gpu.barrier""")
case("async-copy-source-written-by-another", "race", """
%k = arith.muli %t, %c4 : index
%o = arith.subi %c31, %t : index
memref.store %tf, %x[%o] : $X !2
+ gpu.barrier
%tok = nvgpu.device_async_copy %x[%k], %s[%k], 4 : $X to $S !1
%g = nvgpu.device_async_create_group %tok
nvgpu.device_async_wait %g""")
case("async-copy-read-by-another-without-barrier", "race", """
%k = arith.muli %t, %c4 : index
%tok = nvgpu.device_async_copy %x[%k], %s[%k], 4 : $X to $S !2
%g = nvgpu.device_async_create_group %tok
nvgpu.device_async_wait %g
+ gpu.barrier
%o = arith.subi %c31, %t : index
%v = memref.load %s[%o] : $S !1
memref.store %v, %y[%i] : $X""")
case("async-copy-reads-uninitialized-device-memory", "init", """
%k = arith.muli %t, %c4 : index
- %tok = nvgpu.device_async_copy %d[%k], %s[%k], 4 : $X to $S !1
+ %tok = nvgpu.device_async_copy %x[%k], %s[%k], 4 : $X to $S
%g = nvgpu.device_async_create_group %tok
nvgpu.device_async_wait %g""")
case("ldmatrix-of-nothing-written", "init", """
%r = arith.remui %t, %c16 : index
%k = arith.muli %r, %c8 : index
+ %zv = vector.broadcast %half : f16 to vector<8xf16>
+ vector.store %zv, %sh[%k] : $SH, vector<8xf16>
gpu.barrier
%f = nvgpu.ldmatrix %sh[%k] {numTiles = 2 : i32, transpose = false} : $SH -> vector<2x2xf16> !1
%e = vector.extract %f[0, 0] : f16 from vector<2x2xf16>
memref.store %e, %h[%i] : $H""")
case("ldmatrix-behind-the-end", "bounds", """
%r = arith.remui %t, %c16 : index
%k = arith.muli %r, %c8 : index
- %j = arith.addi %k, %c240 : index
+ %j = arith.addi %k, %c128 : index
%zv = vector.broadcast %half : f16 to vector<8xf16>
%all = arith.muli %t, %c8 : index
vector.store %zv, %sh[%all] : $SH, vector<8xf16>
gpu.barrier
%f = nvgpu.ldmatrix %sh[%j] {numTiles = 2 : i32, transpose = false} : $SH -> vector<2x2xf16> !1
%e = vector.extract %f[0, 0] : f16 from vector<2x2xf16>
memref.store %e, %h[%i] : $H""")
case("ldmatrix-before-the-barrier", "race", """
%next = arith.addi %t, %c1 : index
%r = arith.remui %next, %c16 : index
%k = arith.muli %r, %c8 : index
%zv = vector.broadcast %half : f16 to vector<8xf16>
%all = arith.muli %t, %c8 : index
vector.store %zv, %sh[%all] : $SH, vector<8xf16> !2
+ gpu.barrier
%f = nvgpu.ldmatrix %sh[%k] {numTiles = 2 : i32, transpose = false} : $SH -> vector<2x2xf16> !1
%e = vector.extract %f[0, 0] : f16 from vector<2x2xf16>
memref.store %e, %h[%i] : $H""")
