"""Vector, masked, gathering and compressing accesses. Cases as in faults.py."""

from faults import case

case("masked-load-of-a-neighbour", "race", """
%g = arith.addi %t, %c32 : index
memref.store %one, %s[%g] : $S
gpu.barrier
memref.store %one, %s[%t] : $S !2
+ gpu.barrier
%mask = vector.create_mask %c2 : vector<4xi1>
%zeros = vector.broadcast %one : f32 to vector<4xf32>
%v = vector.maskedload %s[%t], %mask, %zeros : $S, vector<4xi1>, vector<4xf32> into vector<4xf32> !1
%r = vector.reduction <add>, %v : vector<4xf32> into f32
memref.store %r, %y[%i] : $X""")
case("masked-store-behind-the-end", "bounds", """
- %j = arith.addi %t, %c224 : index
+ %j = arith.addi %t, %c128 : index
%mask = vector.create_mask %c2 : vector<4xi1>
%v = vector.broadcast %one : f32 to vector<4xf32>
%same = arith.cmpi eq, %t, %c31 : index
scf.if %same {
  vector.maskedstore %y[%j], %mask, %v : $X, vector<4xi1>, vector<4xf32> !1
}""")
case("gather-outside", "bounds", """
%is = arith.cmpi eq, %t, %c0 : index
%mask = arith.constant dense<true> : vector<4xi1>
%pass = arith.constant dense<0.0> : vector<4xf32>
- %idx = arith.constant dense<[0, 10, 255, 256]> : vector<4xindex>
+ %idx = arith.constant dense<[0, 10, 255, 254]> : vector<4xindex>
%v = vector.gather %x[%c0] [%idx], %mask, %pass : $X, vector<4xindex>, vector<4xi1>, vector<4xf32> into vector<4xf32> !1
%r = vector.reduction <add>, %v : vector<4xf32> into f32
memref.store %r, %y[%i] : $X""")
case("scatter-to-one-element", "race", """
%mask = arith.constant dense<true> : vector<4xi1>
%v = vector.broadcast %tf : f32 to vector<4xf32>
- %base = arith.muli %t, %c2 : index
+ %base = arith.muli %t, %c4 : index
%idx = arith.constant dense<[0, 1, 2, 3]> : vector<4xindex>
vector.scatter %s[%base] [%idx], %mask, %v : $S, vector<4xindex>, vector<4xi1>, vector<4xf32> !1
gpu.barrier""")
case("compressed-store-outside", "bounds", """
%is = arith.cmpi eq, %t, %c0 : index
- %mask = arith.constant dense<[true, false, true, true]> : vector<4xi1>
+ %mask = arith.constant dense<[true, false, false, true]> : vector<4xi1>
%v = vector.broadcast %one : f32 to vector<4xf32>
%c254 = arith.constant 254 : index
scf.if %is {
  vector.compressstore %y[%c254], %mask, %v : $X, vector<4xi1>, vector<4xf32> !1
}""")
case("expanded-load-outside", "bounds", """
- %mask = arith.constant dense<[true, false, true, true]> : vector<4xi1>
+ %mask = arith.constant dense<[true, false, false, true]> : vector<4xi1>
%pass = arith.constant dense<0.0> : vector<4xf32>
%c254 = arith.constant 254 : index
%v = vector.expandload %x[%c254], %mask, %pass : $X, vector<4xi1>, vector<4xf32> into vector<4xf32> !1
%r = vector.reduction <add>, %v : vector<4xf32> into f32
memref.store %r, %y[%i] : $X""")
case("transfer-write-over-a-neighbour", "race", """
%v = vector.broadcast %tf : f32 to vector<4xf32>
- %k = arith.muli %t, %c2 : index
+ %k = arith.muli %t, %c4 : index
vector.transfer_write %v, %s[%k] {in_bounds = [true]} : vector<4xf32>, $S !1
gpu.barrier""")
case("transfer-read-in-bounds-that-is-not", "bounds", """
- %k = arith.addi %t, %c224 : index
+ %k = arith.addi %t, %c128 : index
%v = vector.transfer_read %x[%k], %one {in_bounds = [true]} : $X, vector<4xf32> !1
%r = vector.reduction <add>, %v : vector<4xf32> into f32
memref.store %r, %y[%i] : $X""")
