// Blocks and memory, without a pipeline.
// VERDICT: same
func.func @main() -> i32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %z = arith.constant 0 : i32
  %m = memref.alloc() : memref<8xi32>
  cf.br ^a(%c0 : index)
^a(%i: index):
  %c = arith.cmpi slt, %i, %c8 : index
  cf.cond_br %c, ^b, ^d(%c0, %z : index, i32)
^b:
  %x = arith.index_cast %i : index to i32
  %y = arith.muli %x, %x : i32
  memref.store %y, %m[%i] : memref<8xi32>
  %n = arith.addi %i, %c1 : index
  cf.br ^a(%n : index)
^d(%j: index, %s: i32):
  %e = arith.cmpi slt, %j, %c8 : index
  cf.cond_br %e, ^f, ^g
^f:
  %v = memref.load %m[%j] : memref<8xi32>
  %t = arith.addi %s, %v : i32
  %o = arith.addi %j, %c1 : index
  cf.br ^d(%o, %t : index, i32)
^g:
  memref.dealloc %m : memref<8xi32>
  return %s : i32
}
