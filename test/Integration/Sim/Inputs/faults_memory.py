"""Memory outside of all buffers, and memory initialized through another type. Cases as in faults.py."""

from faults import case

case("device-memory-far-behind-its-end", "bounds", """
%far = arith.constant 100000000 : index
%w = memref.reinterpret_cast %d to offset: [0], sizes: [1000000000], strides: [1] : $X to memref<1000000000xf32>
- %j = arith.addi %t, %far : index
+ %j = arith.addi %t, %c128 : index
memref.store %one, %w[%j] : memref<1000000000xf32> !1""")
case("device-memory-a-page-behind", "bounds", """
%far = arith.constant 1024 : index
%w = memref.reinterpret_cast %d to offset: [0], sizes: [1000000000], strides: [1] : $X to memref<1000000000xf32>
- %j = arith.addi %t, %far : index
+ %j = arith.addi %t, %c128 : index
memref.store %one, %w[%j] : memref<1000000000xf32> !1""")
case("host-buffer-reinterpreted-too-large", "bounds", """
%w = memref.reinterpret_cast %y to offset: [0], sizes: [512], strides: [1] : $X to memref<512xf32>
- %j = arith.addi %t, %c256 : index
+ %j = arith.addi %t, %c128 : index
memref.store %one, %w[%j] : memref<512xf32> !1""")
case("host-buffer-read-far-outside", "bounds", """
%far = arith.constant 1000000000 : index
%w = memref.reinterpret_cast %x to offset: [0], sizes: [2000000000], strides: [1] : $X to memref<2000000000xf32>
- %j = arith.addi %t, %far : index
+ %j = arith.addi %t, %c128 : index
%v = memref.load %w[%j] : memref<2000000000xf32> !1
memref.store %v, %y[%i] : $X""")
case("halves-initialised-as-bytes", "init", """
%dyn = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>
%w = memref.view %dyn[%c0][] : memref<?xi8, #gpu.address_space<workgroup>> to memref<32xf32, #gpu.address_space<workgroup>>
%by = memref.view %dyn[%c0][] : memref<?xi8, #gpu.address_space<workgroup>> to memref<128xi8, #gpu.address_space<workgroup>>
%k = arith.muli %t, %c4 : index
%k1 = arith.addi %k, %c1 : index
%k2 = arith.addi %k, %c2 : index
%k3 = arith.addi %k, %c3 : index
%q = arith.constant 1 : i8
memref.store %q, %by[%k] : memref<128xi8, #gpu.address_space<workgroup>>
memref.store %q, %by[%k1] : memref<128xi8, #gpu.address_space<workgroup>>
memref.store %q, %by[%k2] : memref<128xi8, #gpu.address_space<workgroup>>
+ memref.store %q, %by[%k3] : memref<128xi8, #gpu.address_space<workgroup>>
gpu.barrier
%v = memref.load %w[%t] : memref<32xf32, #gpu.address_space<workgroup>> !1
memref.store %v, %y[%i] : $X""", dynamic=128)
case("store-to-constant-memory", "bounds", """
%k = arith.remui %t, %c8 : index
%g = memref.get_global @table : memref<8xf32>
- memref.store %one, %g[%k] : memref<8xf32> !1
+ %v = memref.load %g[%k] : memref<8xf32>
+ memref.store %v, %y[%t] : $X""", text="writes to constant memory")
case("store-to-a-view-of-constant-memory", "bounds", """
%k = arith.remui %t, %c4 : index
%g = memref.get_global @table : memref<8xf32>
%w = memref.subview %g[4][4][1] : memref<8xf32> to memref<4xf32, strided<[1], offset: 4>>
- memref.store %one, %w[%k] : memref<4xf32, strided<[1], offset: 4>> !1
+ %v = memref.load %w[%k] : memref<4xf32, strided<[1], offset: 4>>
+ memref.store %v, %y[%t] : $X""", text="writes to constant memory")
