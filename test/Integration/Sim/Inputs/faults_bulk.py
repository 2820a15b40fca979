"""Mbarriers, bulk copies and products of a warpgroup. Cases as in faults.py; `%map` is a tensor map of the 16x16 numbers of %x, of which
a copy moves 8x16."""

from faults import case

BARRIERS = "!nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>, num_barriers = 2>"
TILE = "memref<8x16xf32, 3>"
START = """
%isFirst = arith.cmpi eq, %t, %c0 : index
%ticks = arith.constant 1000 : index
%even = arith.constant 0 : i1
%odd = arith.constant 1 : i1
%bytes = arith.constant 512 : index
%bar = nvgpu.mbarrier.create -> BARRIERS
%tile = memref.reinterpret_cast %s to offset: [0], sizes: [8, 16], strides: [16, 1] : $S to TILE
scf.if %isFirst {
  nvgpu.mbarrier.init %bar[%c0], %c1 : BARRIERS
  nvgpu.mbarrier.init %bar[%c1], %dim : BARRIERS
}
"""
SYNC = "gpu.barrier\n"
LOAD = """scf.if %isFirst {
  nvgpu.mbarrier.arrive.expect_tx %bar[%c0], %bytes : BARRIERS
  nvgpu.tma.async.load %map[%c0, %c0], %bar[%c0] to %tile : !map, BARRIERS -> TILE MARK
}
"""
WAIT = "nvgpu.mbarrier.try_wait.parity %bar[%c0], %even, %ticks : BARRIERS"
USE = """
%v = memref.load %s[%t] : $S MARK
memref.store %v, %y[%i] : $X"""


def filled(text):
    return text.replace("BARRIERS", BARRIERS).replace("TILE", TILE)


def bulk(name, check, body, load="", use="", text="", sync=SYNC, **sizes):
    """`load` and `use`: marks of the copy, and of the access to what it brought; None: without."""
    parts = [START, sync]
    if load is not None:
        parts.append(LOAD.replace(" MARK", load and " " + load))
    parts.append(body)
    if use is not None:
        parts.append(USE.replace(" MARK", use and " " + use))
    case(name, check, filled("".join(parts)), text=text, **dict(dict(threads=64), **sizes))


bulk("reads-a-copy-in-flight", "async", "gpu.barrier\n+ " + WAIT, load="!2", use="!1")
bulk("waits-for-the-other-parity", "async", """- %parity = arith.constant 1 : i1
+ %parity = arith.constant 0 : i1
nvgpu.mbarrier.try_wait.parity %bar[%c0], %parity, %ticks : BARRIERS""", load="!2", use="!1")
bulk("expects-too-many-bytes", "hang", """- %more = arith.constant 1024 : index
+ %more = arith.constant 512 : index
scf.if %isFirst {
  nvgpu.mbarrier.arrive.expect_tx %bar[%c0], %more : BARRIERS
  nvgpu.tma.async.load %map[%c0, %c0], %bar[%c0] to %tile : !map, BARRIERS -> TILE
}
""" + WAIT + " !1", load=None, text="512 bytes of copies that are expected")
bulk("expects-too-few-bytes", "hang", """- %fewer = arith.constant 256 : index
+ %fewer = arith.constant 512 : index
scf.if %isFirst {
  nvgpu.mbarrier.arrive.expect_tx %bar[%c0], %fewer : BARRIERS
  nvgpu.tma.async.load %map[%c0, %c0], %bar[%c0] to %tile : !map, BARRIERS -> TILE
}
""" + WAIT + " !1", load=None, text="256 bytes more came")
bulk("one-thread-does-not-arrive", "hang", """memref.store %tf, %s[%t] : $S
%arrives = arith.cmpi ne, %t, %c3 : index
%always = arith.constant 1 : i1
- %does = arith.andi %arrives, %always : i1
+ %does = arith.ori %arrives, %always : i1
scf.if %does {
  %token = nvgpu.mbarrier.arrive %bar[%c1] : BARRIERS -> !nvgpu.mbarrier.token
}
nvgpu.mbarrier.try_wait.parity %bar[%c1], %even, %ticks : BARRIERS !1
%near = arith.xori %t, %c32 : index
%w = memref.load %s[%near] : $S
memref.store %w, %y[%i] : $X""", load=None, use=None, text="1 of its 64 arrivals are missing")
bulk("tests-for-ever", "hang", """- %isIn = arith.cmpi ne, %t, %c3 : index
+ %isIn = arith.cmpi ne, %t, %c255 : index
%token = scf.if %isIn -> (!nvgpu.mbarrier.token) {
  %token1 = nvgpu.mbarrier.arrive %bar[%c1] : BARRIERS -> !nvgpu.mbarrier.token
  scf.yield %token1 : !nvgpu.mbarrier.token
} else {
  %token0 = nvgpu.mbarrier.arrive %bar[%c0] : BARRIERS -> !nvgpu.mbarrier.token
  scf.yield %token0 : !nvgpu.mbarrier.token
}
scf.while : () -> () {
  %done = nvgpu.mbarrier.test.wait %bar[%c1], %token : BARRIERS, !nvgpu.mbarrier.token !1
  %again = arith.xori %done, %odd : i1
  scf.condition(%again)
} do {
  scf.yield
}""", load=None, use=None, text="1 of its 64 arrivals")
bulk("arrives-before-it-writes-at-an-mbarrier", "race", """- %token = nvgpu.mbarrier.arrive %bar[%c1] : BARRIERS -> !nvgpu.mbarrier.token
memref.store %tf, %s[%t] : $S !2
+ %token = nvgpu.mbarrier.arrive %bar[%c1] : BARRIERS -> !nvgpu.mbarrier.token
nvgpu.mbarrier.try_wait.parity %bar[%c1], %even, %ticks : BARRIERS
%near = arith.xori %t, %c32 : index
%w = memref.load %s[%near] : $S !1
memref.store %w, %y[%i] : $X""", load=None, use=None)
bulk("no-wait-at-the-mbarrier", "race", """memref.store %tf, %s[%t] : $S !2
%token = nvgpu.mbarrier.arrive %bar[%c1] : BARRIERS -> !nvgpu.mbarrier.token
+ nvgpu.mbarrier.try_wait.parity %bar[%c1], %even, %ticks : BARRIERS
%near = arith.xori %t, %c32 : index
%w = memref.load %s[%near] : $S !1
memref.store %w, %y[%i] : $X""", load=None, use=None)
bulk("arrives-before-it-is-initialized-for-all", "race", """
%token = nvgpu.mbarrier.arrive %bar[%c1] : BARRIERS -> !nvgpu.mbarrier.token
nvgpu.mbarrier.try_wait.parity %bar[%c1], %even, %ticks : BARRIERS""", load=None, use=None, sync="+ gpu.barrier",
     text="mbarrier.arrive")
bulk("an-mbarrier-without-init", "init", """
- nvgpu.mbarrier.try_wait.parity %unset[%c0], %even, %ticks : BARRIERS !1
+ nvgpu.mbarrier.try_wait.parity %bar[%c0], %even, %ticks : BARRIERS""", sync="gpu.barrier\n%unset = nvgpu.mbarrier.create -> BARRIERS\n")
bulk("arrives-too-often", "barrier", """scf.if %isFirst {
  %a = nvgpu.mbarrier.arrive %bar[%c0] : BARRIERS -> !nvgpu.mbarrier.token
-   %n2 = nvgpu.mbarrier.arrive.nocomplete %bar[%c1], %c255 : BARRIERS -> !nvgpu.mbarrier.token !1
+   %n2 = nvgpu.mbarrier.arrive.nocomplete %bar[%c1], %c31 : BARRIERS -> !nvgpu.mbarrier.token
}""", load=None, use=None, text="255 times")
bulk("the-last-arrival-may-not-complete", "barrier", """scf.if %isFirst {
-   %n2 = nvgpu.mbarrier.arrive.nocomplete %bar[%c1], %c64 : BARRIERS -> !nvgpu.mbarrier.token !1
+   %n2 = nvgpu.mbarrier.arrive.nocomplete %bar[%c1], %c32 : BARRIERS -> !nvgpu.mbarrier.token
}""", load=None, use=None)
bulk("the-buffer-is-still-read", "race", WAIT + """
%v = memref.load %s[%t] : $S !2
memref.store %v, %y[%i] : $X
+ gpu.barrier
scf.if %isFirst {
  nvgpu.mbarrier.arrive.expect_tx %bar[%c0], %bytes : BARRIERS
  nvgpu.tma.async.load %map[%c0, %c8], %bar[%c0] to %tile : !map, BARRIERS -> TILE !1
}
nvgpu.mbarrier.try_wait.parity %bar[%c0], %odd, %ticks : BARRIERS
""", use=None)
bulk("copies-behind-the-end", "bounds", """
%d0 = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>
- %far = memref.view %d0[%c128][] : memref<?xi8, #gpu.address_space<workgroup>> to memref<8x16xf32, #gpu.address_space<workgroup>>
+ %far = memref.view %d0[%c0][] : memref<?xi8, #gpu.address_space<workgroup>> to memref<8x16xf32, #gpu.address_space<workgroup>>
scf.if %isFirst {
  nvgpu.mbarrier.arrive.expect_tx %bar[%c0], %bytes : BARRIERS
  nvgpu.tma.async.load %map[%c0, %c0], %bar[%c0] to %far : !map, BARRIERS -> memref<8x16xf32, #gpu.address_space<workgroup>> !1
-   %drop = nvgpu.mbarrier.arrive.nocomplete %bar[%c1], %c1 : BARRIERS -> !nvgpu.mbarrier.token
}
+ nvgpu.mbarrier.try_wait.parity %bar[%c0], %even, %ticks : BARRIERS""", load=None, use=None, dynamic=512)
bulk("copies-to-a-misaligned-place", "alignment", """
%d0 = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>
- %far = memref.view %d0[%c16][] : memref<?xi8, #gpu.address_space<workgroup>> to memref<8x16xf32, #gpu.address_space<workgroup>>
+ %far = memref.view %d0[%c128][] : memref<?xi8, #gpu.address_space<workgroup>> to memref<8x16xf32, #gpu.address_space<workgroup>>
scf.if %isFirst {
  nvgpu.mbarrier.arrive.expect_tx %bar[%c0], %bytes : BARRIERS
  nvgpu.tma.async.load %map[%c0, %c0], %bar[%c0] to %far : !map, BARRIERS -> memref<8x16xf32, #gpu.address_space<workgroup>> !1
}
nvgpu.mbarrier.try_wait.parity %bar[%c0], %even, %ticks : BARRIERS""", load=None, use=None, dynamic=1024)
bulk("the-source-is-written-meanwhile", "async", """
- %isSame = arith.cmpi eq, %t, %c0 : index
+ %isSame = arith.cmpi eq, %t, %c255 : index
scf.if %isSame {
  memref.store %other, %x[%c3] : $X
}
""" + WAIT, load="!1")
bulk("reads-what-a-thread-wrote-without-order", "race", """
%isNear = arith.cmpi eq, %t, %c3 : index
scf.if %isNear {
  memref.store %other, %x[%c3] : $X !2
}
+ gpu.barrier
scf.if %isFirst {
  nvgpu.mbarrier.arrive.expect_tx %bar[%c0], %bytes : BARRIERS
  nvgpu.tma.async.load %map[%c0, %c0], %bar[%c0] to %tile : !map, BARRIERS -> TILE !1
}
""" + WAIT, load=None)
bulk("stores-what-others-still-write", "race", """memref.store %tf, %s[%t] : $S !2
%t2 = arith.addi %t, %c64 : index
memref.store %tf, %s[%t2] : $S
+ gpu.barrier
scf.if %isFirst {
  nvgpu.tma.async.store %tile to %map[%c0, %c0] : TILE -> !map !1
  nvvm.cp.async.bulk.commit.group
  nvvm.cp.async.bulk.wait_group 0
}""", load=None, use=None)
STORED = """memref.store %tf, %s[%t] : $S
%t2 = arith.addi %t, %c64 : index
memref.store %tf, %s[%t2] : $S
gpu.barrier
"""
bulk("overwrites-what-is-stored", "async", STORED + """scf.if %isFirst {
  nvgpu.tma.async.store %tile to %map[%c0, %c0] : TILE -> !map !1
  nvvm.cp.async.bulk.commit.group
-   memref.store %other, %s[%c3] : $S
  nvvm.cp.async.bulk.wait_group 0 {read}
+   memref.store %other, %s[%c3] : $S
}""", load=None, use=None)
bulk("ends-before-the-store", "async", STORED + """scf.if %isFirst {
  nvgpu.tma.async.store %tile to %map[%c0, %c0] : TILE -> !map !1
  nvvm.cp.async.bulk.commit.group
+   nvvm.cp.async.bulk.wait_group 0
}""", load=None, use=None)
bulk("reads-what-is-not-stored-yet", "async", STORED + """scf.if %isFirst {
  nvgpu.tma.async.store %tile to %map[%c0, %c0] : TILE -> !map !2
  nvvm.cp.async.bulk.commit.group
+   nvvm.cp.async.bulk.wait_group 0
}
gpu.barrier
%w = memref.load %x[%t] : $X !1
memref.store %w, %y[%i] : $X
nvvm.cp.async.bulk.wait_group 0""", load=None, use=None)
bulk("ends-before-the-load", "async", "+ " + WAIT, load="!1", use=None)
# Asynchronous copies of 16 bytes by each thread, which tell an mbarrier when they are made.
COPY = """%j = arith.muli %t, %c4 : index
%to = memref.extract_aligned_pointer_as_index %s : $S -> index
%barPlace = memref.extract_aligned_pointer_as_index %m : $M -> index
%barInt = arith.index_cast %barPlace : index to i64
%barPointer = llvm.inttoptr %barInt : i64 to !llvm.ptr<3>
%count = arith.index_cast %dim : index to i32
%c0i = arith.constant 0 : i32
%isFirst = arith.cmpi eq, %t, %c0 : index
nvvm.mbarrier.init %barPointer, %count, predicate = %isFirst : !llvm.ptr<3>, i32, i1
gpu.barrier
%copied = nvgpu.device_async_copy %x[%j], %s[%j], 4 : $X to $S MARK
"""
case("reads-copies-that-an-mbarrier-waits-for", "async", COPY.replace("MARK", "!2") + """nvvm.cp.async.mbarrier.arrive %barPointer {noinc = true} : !llvm.ptr<3>
+ nvvm.mbarrier.try_wait.parity %barPointer, %c0i, %count : !llvm.ptr<3>, i32, i32
%near = arith.xori %j, %c4 : index
%v = memref.load %s[%near] : $S !1
memref.store %v, %y[%i] : $X
nvvm.mbarrier.try_wait.parity %barPointer, %c0i, %count : !llvm.ptr<3>, i32, i32""")
case("copies-that-expect-one-arrival-more-each", "hang", COPY.replace(" MARK", "") + """- nvvm.cp.async.mbarrier.arrive %barPointer {noinc = false} : !llvm.ptr<3>
+ nvvm.cp.async.mbarrier.arrive %barPointer {noinc = true} : !llvm.ptr<3>
nvvm.mbarrier.try_wait.parity %barPointer, %c0i, %count : !llvm.ptr<3>, i32, i32 !1
%v = memref.load %s[%j] : $S
memref.store %v, %y[%i] : $X""", text="32 of its 32 arrivals are missing")
PRODUCT = """%h0 = memref.reinterpret_cast %sh to offset: [0], sizes: [16, 16], strides: [16, 1] : $SH to memref<16x16xf16, 3>
%start = memref.extract_aligned_pointer_as_index %sh : $SH -> index
%startInt = arith.index_cast %start : index to i64
%offsetBits = arith.constant 262143 : i64
%c4i = arith.constant 4 : i64
%inWorkgroup = arith.andi %startInt, %offsetBits : i64
%begin = arith.shrui %inWorkgroup, %c4i : i64
%steps = arith.constant STEPS : i64
%desc = arith.addi %begin, %steps : i64
%z = arith.constant 0.0 : f32
%p = llvm.mlir.poison : !llvm.struct<(f32, f32, f32, f32)>
%p0 = llvm.insertvalue %z, %p[0] : !llvm.struct<(f32, f32, f32, f32)>
%p1 = llvm.insertvalue %z, %p0[1] : !llvm.struct<(f32, f32, f32, f32)>
%p2 = llvm.insertvalue %z, %p1[2] : !llvm.struct<(f32, f32, f32, f32)>
%p3 = llvm.insertvalue %z, %p2[3] : !llvm.struct<(f32, f32, f32, f32)>
"""
MMA = """%r = nvvm.wgmma.mma_async %desc, %desc, %p3, <m = 64, n = 8, k = 16>, D[<f32>, <one>], A[<f16>, <one>, <row>], B[<f16>, <one>, <col>] : !llvm.struct<(f32, f32, f32, f32)> -> !llvm.struct<(f32, f32, f32, f32)>"""
# Blocks of 8x16 bytes: a step of 128 bytes along k, none along rows, so that 256 bytes are enough for 64x16.
PRODUCT = PRODUCT.replace("STEPS", str((128 >> 4) << 16))
FILL = """scf.for %j = %t to %c256 step %dim {
  memref.store %half, %sh[%j] : $SH MARK
}
"""
case("a-product-of-what-is-written-meanwhile", "race", PRODUCT + FILL.replace("MARK", "!2") + """+ gpu.barrier
""" + MMA + " !1", threads=128)
case("a-product-of-uninitialized-memory", "init", PRODUCT + """- scf.for %j = %t to %c64 step %dim {
+ scf.for %j = %t to %c256 step %dim {
  memref.store %half, %sh[%j] : $SH
}
gpu.barrier
""" + MMA + " !1", threads=128)
case("a-product-by-half-a-warp", "barrier", PRODUCT + FILL.replace(" MARK", "") + """gpu.barrier
- %some = arith.cmpi ult, %lane, %c16 : index
+ %some = arith.cmpi ult, %lane, %c32 : index
scf.if %some {
""" + MMA + " !1\n}", threads=128)
case("a-product-behind-the-end", "bounds", PRODUCT + FILL.replace(" MARK", "") + """gpu.barrier
- %far = arith.constant 16000 : i64
+ %far = arith.constant 0 : i64
%wrong = arith.addi %desc, %far : i64
""" + MMA.replace("%desc, %desc", "%wrong, %desc") + " !1", threads=128)
