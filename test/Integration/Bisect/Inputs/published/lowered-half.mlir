// Lowered in parts: memory of malloc in a loop of scf. Without a pipeline.
// VERDICT: undefined behavior in the program llvm.store
module {
  llvm.func @malloc(i64) -> !llvm.ptr
  func.func @main() {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c5 = arith.constant 5 : index
    %c32 = llvm.mlir.constant(32 : i64) : i64
    %k = llvm.mlir.constant(77 : i64) : i64
    %p = llvm.call @malloc(%c32) : (i64) -> !llvm.ptr
    scf.for %i = %c0 to %c5 step %c1 {
      %j = builtin.unrealized_conversion_cast %i : index to i64
      %q = llvm.getelementptr %p[%j] : (!llvm.ptr, i64) -> !llvm.ptr, i64
      llvm.store %k, %q : i64, !llvm.ptr
      %v = llvm.load %q : !llvm.ptr -> i64
      vector.print %v : i64
    }
    return
  }
}
