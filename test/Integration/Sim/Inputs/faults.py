"""Faulty kernels of the simulator, each with its clean twin.

A line that begins with "- " is in the faulty kernel alone, one with "+ " in the clean one alone. "!1" and "!2" at the end of a line
mark the operations that the report has to name; where a case has "!2", both in one report.

Every kernel has arguments %x %y (256 floats, written by the host), %h (256 halves, written), %d (256 floats of device memory
uninitialized) and %n (100); workgroup memory %s (128 floats), %sh (256 halves), %m (16x16 floats); %t thread, %b block, %i its
number in the grid, which is also the float %tf, %lane; and some constants. @table is constant memory (8 floats).
"""

CASES = []


def case(name, check, body, threads=32, blocks=1, dynamic=0, text=""):
    CASES.append(dict(name=name, check=check, body=body, threads=threads, blocks=blocks, dynamic=dynamic, text=text))


S, SH, M = "memref<128xf32, 3>", "memref<256xf16, 3>", "memref<16x16xf32, 3>"
X, H = "memref<256xf32>", "memref<256xf16>"
T = {"S": S, "SH": SH, "M": M, "X": X, "H": H}

# Bounds.
case("load-behind-the-end", "bounds", """
- %j = arith.addi %i, %c256 : index
+ %j = arith.addi %i, %c128 : index
%v = memref.load %x[%j] : $X !1
memref.store %v, %y[%i] : $X""")
case("store-off-by-one", "bounds", """
- %j = arith.addi %t, %c225 : index
+ %j = arith.addi %t, %c224 : index
memref.store %one, %y[%j] : $X !1""")
case("load-before-the-beginning", "bounds", """
- %j = arith.subi %t, %c1 : index
+ %j = arith.addi %t, %c1 : index
%v = memref.load %x[%j] : $X !1
memref.store %v, %y[%i] : $X""")
case("workgroup-index-too-large", "bounds", """
- %j = arith.addi %t, %c112 : index
+ %j = arith.addi %t, %c64 : index
memref.store %one, %s[%j] : $S !1""")
case("column-outside-its-row", "bounds", """
- %j = arith.addi %lane, %c1 : index
+ %j = arith.remui %lane, %c16 : index
%r = arith.divui %lane, %c16 : index
- %k = arith.remui %j, %c17 : index
+ %k = arith.remui %j, %c16 : index
memref.store %one, %m[%r, %k] : $M !1""")
case("vector-reaches-over-the-end", "bounds", """
%j = arith.muli %t, %c8 : index
- %k = arith.addi %j, %c2 : index
+ %k = arith.addi %j, %c0 : index
%v = vector.load %x[%k] : $X, vector<8xf32> !1
%r = vector.reduction <add>, %v : vector<8xf32> into f32
memref.store %r, %y[%i] : $X""")
case("dynamic-workgroup-memory-too-small", "bounds", """
%dyn = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>
- %w = memref.view %dyn[%c0][] : memref<?xi8, #gpu.address_space<workgroup>> to memref<64xf32, #gpu.address_space<workgroup>>
+ %w = memref.view %dyn[%c0][] : memref<?xi8, #gpu.address_space<workgroup>> to memref<32xf32, #gpu.address_space<workgroup>>
- %j = arith.addi %t, %c32 : index
+ %j = arith.addi %t, %c0 : index
- memref.store %one, %w[%j] : memref<64xf32, #gpu.address_space<workgroup>> !1
+ memref.store %one, %w[%j] : memref<32xf32, #gpu.address_space<workgroup>>""", dynamic=128)
case("index-from-memory", "bounds", """
%v = memref.load %x[%i] : $X
%p = arith.fptoui %v : f32 to i32
%q = arith.index_cast %p : i32 to index
- %k = arith.addi %q, %c255 : index
+ %k = arith.addi %q, %c128 : index
%w = memref.load %x[%k] : $X !1
memref.store %w, %y[%i] : $X""")
case("device-memory-behind-its-end", "bounds", """
%w = memref.reinterpret_cast %d to offset: [0], sizes: [512], strides: [1] : $X to memref<512xf32>
- %j = arith.addi %t, %c240 : index
+ %j = arith.addi %t, %c128 : index
memref.store %one, %w[%j] : memref<512xf32> !1""")
case("division-by-zero", "bounds", """
- %q = arith.divui %i, %zero : index !1
+ %q = arith.divui %i, %c16 : index
%p = arith.index_cast %q : index to i32
%v = arith.sitofp %p : i32 to f32
memref.store %v, %y[%i] : $X""")
case("failed-assertion", "bounds", """
- %ok = arith.cmpi ult, %i, %c31 : index
+ %ok = arith.cmpi ult, %i, %c32 : index
cf.assert %ok, "a thread too many" !1
memref.store %one, %y[%i] : $X""", text="a thread too many")

# Races in workgroup memory.
case("read-after-write-without-barrier", "race", """
memref.store %one, %s[%t] : $S !2
+ gpu.barrier
%j = arith.subi %c31, %t : index
%v = memref.load %s[%j] : $S !1
memref.store %v, %y[%i] : $X""")
case("write-after-read-without-barrier", "race", """
memref.store %one, %s[%t] : $S
gpu.barrier
%j = arith.subi %c31, %t : index
%v = memref.load %s[%j] : $S !2
+ gpu.barrier
memref.store %v, %s[%t] : $S !1
gpu.barrier
%w = memref.load %s[%t] : $S
memref.store %w, %y[%i] : $X""", text="read")
case("write-after-write", "race", """
- %j = arith.divui %t, %c2 : index
+ %j = arith.addi %t, %c0 : index
memref.store %tf, %s[%j] : $S !1
gpu.barrier
%v = memref.load %s[%c0] : $S
memref.store %v, %y[%i] : $X""")
case("same-value-twice", "race", """
- memref.store %tf, %s[%c0] : $S !1
+ memref.store %one, %s[%c0] : $S
gpu.barrier
%v = memref.load %s[%c0] : $S
memref.store %v, %y[%i] : $X""")
case("between-warps", "race", """
memref.store %one, %s[%t] : $S !2
+ gpu.barrier
%j = arith.xori %t, %c32 : index
%v = memref.load %s[%j] : $S !1
memref.store %v, %y[%i] : $X""", threads=64)
case("within-a-warp", "race", """
memref.store %one, %s[%t] : $S !2
+ gpu.barrier
%j = arith.xori %t, %c1 : index
%v = memref.load %s[%j] : $S !1
memref.store %v, %y[%i] : $X""")
case("loop-without-second-barrier", "race", """
scf.for %k = %c0 to %c4 step %c1 {
  %j = arith.addi %t, %k : index
  %u = memref.load %x[%j] : $X
  memref.store %u, %s[%t] : $S !1
  gpu.barrier
  %o = arith.subi %c31, %t : index
  %v = memref.load %s[%o] : $S !2
  memref.store %v, %y[%i] : $X
+ gpu.barrier
}""")
case("halves-in-one-word", "race", """
%k = arith.muli %t, %c2 : index
memref.store %half, %sh[%k] : $SH
%o = arith.addi %k, %c1 : index
memref.store %half, %sh[%o] : $SH !2
+ gpu.barrier
%j = arith.addi %k, %c3 : index
%r = arith.remui %j, %c64 : index
%v = memref.load %sh[%r] : $SH !1
memref.store %v, %h[%i] : $H""")
case("vector-over-its-neighbours", "race", """
- %k = arith.muli %t, %c2 : index
+ %k = arith.muli %t, %c4 : index
%v = vector.broadcast %tf : f32 to vector<4xf32>
vector.store %v, %s[%k] : $S, vector<4xf32> !1
gpu.barrier""", threads=16)
case("reduction-tree-without-barrier", "race", """
memref.store %one, %s[%t] : $S
gpu.barrier
%low = arith.cmpi ult, %t, %c32 : index
scf.if %low {
  %j = arith.addi %t, %c32 : index
  %a = memref.load %s[%t] : $S
  %v = memref.load %s[%j] : $S
  %w = arith.addf %a, %v : f32
  memref.store %w, %s[%t] : $S !2
}
+ gpu.barrier
%lower = arith.cmpi ult, %t, %c16 : index
scf.if %lower {
  %j = arith.addi %t, %c16 : index
  %v = memref.load %s[%j] : $S !1
  memref.store %v, %y[%t] : $X
}""", threads=64)
case("atomic-beside-plain", "race", """
memref.store %one, %s[%t] : $S
gpu.barrier
%0 = memref.atomic_rmw addf %one, %s[%c0] : (f32, $S) -> f32 !2
+ gpu.barrier
%v = memref.load %s[%c0] : $S !1
memref.store %v, %y[%i] : $X""")

# Races in global memory.
case("global-between-threads", "race", """
memref.store %one, %y[%i] : $X !2
+ gpu.barrier
%j = arith.subi %c31, %t : index
%v = memref.load %y[%j] : $X !1
memref.store %v, %x[%i] : $X""")
case("global-between-blocks", "race", """
- memref.store %tf, %y[%t] : $X !1
+ memref.store %tf, %y[%i] : $X""", blocks=2, text="another block")
case("global-read-of-another-block", "race", """
memref.store %one, %y[%i] : $X !2
- %j = arith.xori %i, %c32 : index
+ %j = arith.addi %i, %c0 : index
%v = memref.load %y[%j] : $X !1
memref.store %v, %x[%i] : $X""", blocks=2, text="another block")
case("global-write-behind-another-blocks-read", "race", """
%v = memref.load %y[%t] : $X !2
- memref.store %v, %y[%i] : $X !1
+ memref.store %v, %x[%i] : $X""", blocks=2, text="another block")
case("global-counter-without-atomic", "race", """
- %v = memref.load %y[%c0] : $X !2
- %w = arith.addf %v, %one : f32
- memref.store %w, %y[%c0] : $X !1
+ %w = memref.atomic_rmw addf %one, %y[%c0] : (f32, $X) -> f32""")

# Uninitialized memory.
case("workgroup-never-written", "init", """
+ memref.store %one, %s[%t] : $S
+ gpu.barrier
%v = memref.load %s[%t] : $S !1
memref.store %v, %y[%i] : $X""")
case("uninitialized-tail", "init", """
%last = arith.cmpi ult, %t, %c31 : index
- scf.if %last {
  memref.store %one, %s[%t] : $S
- }
gpu.barrier
%v = memref.load %s[%t] : $S !1
memref.store %v, %y[%i] : $X""", text="(31,0,0)")
case("device-memory-never-written", "init", """
- %v = memref.load %d[%i] : $X !1
+ %v = memref.load %x[%i] : $X
memref.store %v, %y[%i] : $X""")
case("written-by-an-earlier-block", "init", """
%isfirst = arith.cmpi eq, %b, %c0 : index
- scf.if %isfirst {
  memref.store %one, %s[%t] : $S
- }
gpu.barrier
%v = memref.load %s[%t] : $S !1
memref.store %v, %y[%i] : $X""", blocks=2, text="block (1,0,0)")
case("atomic-on-nothing", "init", """
%is0 = arith.cmpi eq, %t, %c0 : index
+ scf.if %is0 {
+ memref.store %one, %s[%c0] : $S
+ }
gpu.barrier
%0 = memref.atomic_rmw addf %one, %s[%c0] : (f32, $S) -> f32 !1""")
case("vector-half-written", "init", """
%k = arith.muli %t, %c4 : index
- %v = vector.broadcast %one : f32 to vector<2xf32>
- vector.store %v, %s[%k] : $S, vector<2xf32>
+ %v = vector.broadcast %one : f32 to vector<4xf32>
+ vector.store %v, %s[%k] : $S, vector<4xf32>
gpu.barrier
%w = vector.load %s[%k] : $S, vector<4xf32> !1
%r = vector.reduction <add>, %w : vector<4xf32> into f32
memref.store %r, %y[%t] : $X""")

# Barriers and what warps do together.
case("barrier-in-a-branch", "barrier", """
%low = arith.cmpi ult, %t, %c16 : index
- scf.if %low {
gpu.barrier !1
- }""", text="never reaches")
case("two-barriers-of-one-branch", "barrier", """
%low = arith.cmpi ult, %t, %c16 : index
- scf.if %low {
-   gpu.barrier !1
- } else {
-   gpu.barrier !2
- }
+ gpu.barrier""")
case("barrier-of-another-warp", "barrier", """
%low = arith.cmpi ult, %t, %c32 : index
- scf.if %low {
gpu.barrier !1
- }""", threads=64, text="never reaches")
case("barrier-once-too-often", "barrier", """
- %count = arith.remui %t, %c2 : index
- %some = arith.addi %count, %c1 : index
+ %some = arith.addi %c1, %c1 : index
scf.for %k = %c0 to %some step %c1 {
  gpu.barrier !1
}""")
case("shuffle-from-an-inactive-lane", "barrier", """
%off = arith.constant 16 : i32
%width = arith.constant 32 : i32
%low = arith.cmpi ult, %t, %c16 : index
- scf.if %low {
%v, %ok = gpu.shuffle xor %one, %off, %width : f32 !1
memref.store %v, %y[%i] : $X
- }""", text="not active")
case("shuffle-down-from-an-inactive-lane", "barrier", """
%off = arith.constant 1 : i32
%width = arith.constant 32 : i32
%p = arith.remui %t, %c2 : index
%even = arith.cmpi eq, %p, %c0 : index
- scf.if %even {
%v, %ok = gpu.shuffle down %one, %off, %width : f32 !1
memref.store %v, %y[%i] : $X
- }""", text="not active")

# Threads that wait in a loop for another one.
case("wait-for-a-value-nobody-writes", "hang", """
%nothing = arith.constant 0.0 : f32
%is0 = arith.cmpi eq, %t, %c0 : index
%islast = arith.cmpi eq, %t, %c31 : index
scf.if %is0 {
  memref.store %nothing, %s[%c0] : $S
}
gpu.barrier
+ scf.if %islast {
+   %0 = memref.atomic_rmw assign %one, %s[%c0] : (f32, $S) -> f32
+ }
scf.if %is0 {
  scf.while : () -> () {
    %v = memref.atomic_rmw addf %nothing, %s[%c0] : (f32, $S) -> f32 !1
    %more = arith.cmpf oeq, %v, %nothing : f32
    scf.condition(%more)
  } do {
    scf.yield
  }
}
%off = arith.constant 1 : i32
%width = arith.constant 32 : i32
%w, %ok = gpu.shuffle xor %tf, %off, %width : f32
memref.store %w, %y[%i] : $X""", text="by thread (0,0,0) of block (0,0,0) is in an infinite loop: it waits for the 4 bytes at byte 0 of workgroup")
case("wait-for-what-follows-the-barrier", "hang", """
%nothing = arith.constant 0.0 : f32
%is0 = arith.cmpi eq, %t, %c0 : index
%isother = arith.cmpi eq, %t, %c32 : index
scf.if %is0 {
  memref.store %nothing, %s[%c0] : $S
}
gpu.barrier
+ scf.if %isother {
+   %0 = memref.atomic_rmw assign %one, %s[%c0] : (f32, $S) -> f32
+ }
scf.if %is0 {
  scf.while : () -> () {
    %v = memref.atomic_rmw addf %nothing, %s[%c0] : (f32, $S) -> f32 !1
    %more = arith.cmpf oeq, %v, %nothing : f32
    scf.condition(%more)
  } do {
    scf.yield
  }
}
gpu.barrier
- scf.if %isother {
-   %0 = memref.atomic_rmw assign %one, %s[%c0] : (f32, $S) -> f32
- }""", threads=64)
case("lock-that-is-not-given-back", "hang", """
%nothing = arith.constant 0.0 : f32
%is0 = arith.cmpi eq, %t, %c0 : index
scf.if %is0 {
  memref.store %nothing, %s[%c0] : $S
}
gpu.barrier
scf.while : () -> () {
  %had = memref.atomic_rmw assign %one, %s[%c0] : (f32, $S) -> f32 !1
  %taken = arith.cmpf oeq, %had, %one : f32
  scf.condition(%taken)
} do {
  scf.yield
}
%count = memref.atomic_rmw addf %one, %y[%c0] : (f32, $X) -> f32
+ %0 = memref.atomic_rmw assign %nothing, %s[%c0] : (f32, $S) -> f32""", threads=64)
case("wait-without-end-for-the-host", "hang", """
%r = scf.while (%k = %c0) : (index) -> index {
  %v = memref.load %y[%c0] : $X !1
  %same = arith.cmpf oeq, %v, %one : f32
  %few = arith.cmpi ult, %k, %c256 : index
  %both = arith.andi %same, %few : i1
-   scf.condition(%same) %k : index
+   scf.condition(%both) %k : index
} do {
^bb0(%k: index):
  %next = arith.addi %k, %c1 : index
  scf.yield %next : index
}
%q = arith.index_cast %r : index to i32
%f = arith.sitofp %q : i32 to f32
memref.store %f, %x[%i] : $X""", text="4 bytes at byte 0 of a host buffer of 1024 bytes to change from 0x3f800000")
case("wait-at-an-index-that-is-checked", "hang", """
%dyn = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>
%w = memref.view %dyn[%c0][%n] : memref<?xi8, #gpu.address_space<workgroup>> to memref<?xf32, #gpu.address_space<workgroup>>
memref.store %one, %w[%t] : memref<?xf32, #gpu.address_space<workgroup>>
gpu.barrier
%r = scf.while : () -> f32 {
  %v = memref.load %w[%t] : memref<?xf32, #gpu.address_space<workgroup>> !1
-   %more = arith.cmpf oeq, %v, %one : f32
+   %more = arith.cmpf une, %v, %one : f32
  scf.condition(%more) %v : f32
} do {
^bb0(%u: f32):
  scf.yield
}
memref.store %r, %y[%i] : $X""", dynamic=512, text="to change from 0x3f800000")

# Asynchronous copies.
case("read-before-the-wait", "async", """
%k = arith.muli %t, %c4 : index
%tok = nvgpu.device_async_copy %x[%k], %s[%k], 4 : $X to $S !2
%g = nvgpu.device_async_create_group %tok
+ nvgpu.device_async_wait %g
%v = memref.load %s[%k] : $S !1
- nvgpu.device_async_wait %g
memref.store %v, %y[%t] : $X""")
case("waits-for-too-few-groups", "async", """
%k = arith.muli %t, %c4 : index
%tok = nvgpu.device_async_copy %x[%k], %s[%k], 4 : $X to $S !2
%g = nvgpu.device_async_create_group %tok
- nvgpu.device_async_wait %g {numGroups = 1 : i32}
+ nvgpu.device_async_wait %g {numGroups = 0 : i32}
%v = memref.load %s[%k] : $S !1
memref.store %v, %y[%t] : $X""")
case("weakened-wait-of-a-pipeline", "async", """
%k = arith.muli %t, %c4 : index
%o = arith.xori %k, %c4 : index
scf.for %step = %c0 to %c2 step %c1 {
  %stage = arith.muli %step, %c32 : index
  %at = arith.addi %stage, %k : index
  %tok = nvgpu.device_async_copy %x[%at], %s[%at], 4 : $X to $S
  %g = nvgpu.device_async_create_group %tok
}
scf.for %step = %c0 to %c6 step %c1 {
  %next = arith.addi %step, %c2 : index
  %ring = arith.remui %next, %c3 : index
  %stage = arith.muli %ring, %c32 : index
  %to = arith.addi %stage, %k : index
  %row = arith.muli %next, %c32 : index
  %from = arith.addi %row, %k : index
  %tok = nvgpu.device_async_copy %x[%from], %s[%to], 4 : $X to $S
  %g = nvgpu.device_async_create_group %tok
- nvgpu.device_async_wait %g {numGroups = 3 : i32}
+ nvgpu.device_async_wait %g {numGroups = 2 : i32}
  gpu.barrier
  %now = arith.remui %step, %c3 : index
  %here = arith.muli %now, %c32 : index
  %p = arith.addi %here, %o : index
  %v = memref.load %s[%p] : $S !1
  memref.store %v, %y[%t] : $X
  gpu.barrier
}""", threads=8)
case("no-group-no-copy", "async", """
%k = arith.muli %t, %c4 : index
%tok = nvgpu.device_async_copy %x[%k], %s[%k], 4 : $X to $S !2
- %g = nvgpu.device_async_create_group
- nvgpu.device_async_wait %g {numGroups = 1 : i32}
+ %g = nvgpu.device_async_create_group %tok
+ nvgpu.device_async_wait %g
%v = memref.load %s[%k] : $S !1
memref.store %v, %y[%t] : $X""")
case("overwritten-in-flight", "async", """
%k = arith.muli %t, %c4 : index
%tok = nvgpu.device_async_copy %x[%k], %s[%k], 4 : $X to $S !2
%g = nvgpu.device_async_create_group %tok
+ nvgpu.device_async_wait %g
memref.store %one, %s[%k] : $S !1
- nvgpu.device_async_wait %g
memref.store %one, %y[%t] : $X""")
case("source-overwritten-in-flight", "async", """
%k = arith.muli %t, %c4 : index
%two = arith.constant 2.0 : f32
%tok = nvgpu.device_async_copy %x[%k], %s[%k], 4 : $X to $S !1
%g = nvgpu.device_async_create_group %tok
+ nvgpu.device_async_wait %g
memref.store %two, %x[%k] : $X
- nvgpu.device_async_wait %g""", text="overwritten")
case("wait-without-barrier", "race", """
%k = arith.muli %t, %c4 : index
%tok = nvgpu.device_async_copy %x[%k], %s[%k], 4 : $X to $S !2
%g = nvgpu.device_async_create_group %tok
nvgpu.device_async_wait %g
+ gpu.barrier
%j = arith.xori %k, %c4 : index
%v = memref.load %s[%j] : $S !1
memref.store %v, %y[%t] : $X""")
case("next-copy-over-a-buffer-that-is-read", "race", """
%k = arith.muli %t, %c4 : index
%o = arith.xori %k, %c4 : index
scf.for %step = %c0 to %c4 step %c1 {
  %tok = nvgpu.device_async_copy %x[%k], %s[%k], 4 : $X to $S !1
  %g = nvgpu.device_async_create_group %tok
  nvgpu.device_async_wait %g
  gpu.barrier
  %v = memref.load %s[%o] : $S !2
  memref.store %v, %y[%t] : $X
+ gpu.barrier
}""")

# Alignment.
case("copy-of-16-bytes-at-4", "alignment", """
%k = arith.muli %t, %c4 : index
- %f = arith.addi %k, %c1 : index
+ %f = arith.addi %k, %c4 : index
%tok = nvgpu.device_async_copy %x[%f], %s[%k], 4 : $X to $S !1
%g = nvgpu.device_async_create_group %tok
nvgpu.device_async_wait %g""")
case("misaligned-vector-load", "alignment", """
%k = arith.muli %t, %c4 : index
- %f = arith.addi %k, %c2 : index
+ %f = arith.addi %k, %c4 : index
%v = vector.load %x[%f] {alignment = 16} : $X, vector<4xf32> !1
%r = vector.reduction <add>, %v : vector<4xf32> into f32
memref.store %r, %y[%t] : $X""")
case("misaligned-view", "alignment", """
%dyn = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>
- %w = memref.view %dyn[%c2][] : memref<?xi8, #gpu.address_space<workgroup>> to memref<32xf32, #gpu.address_space<workgroup>>
+ %w = memref.view %dyn[%c4][] : memref<?xi8, #gpu.address_space<workgroup>> to memref<32xf32, #gpu.address_space<workgroup>>
memref.store %one, %w[%t] : memref<32xf32, #gpu.address_space<workgroup>> !1""", dynamic=256)
case("matrix-row-at-8", "alignment", """
%k = arith.muli %t, %c8 : index
%z = arith.constant dense<0.0> : vector<8xf16>
vector.store %z, %sh[%k] : $SH, vector<8xf16>
gpu.barrier
%r = arith.remui %t, %c16 : index
%q = arith.muli %r, %c8 : index
- %f = arith.addi %q, %c4 : index
+ %f = arith.addi %q, %c8 : index
%a = nvgpu.ldmatrix %sh[%f] {numTiles = 2 : i32, transpose = false} : $SH -> vector<2x2xf16> !1
%e = vector.extract %a[0, 0] : f16 from vector<2x2xf16>
memref.store %e, %h[%i] : $H""")
