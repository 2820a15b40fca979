// The program is in the LLVM dialect from the beginning.
// VERDICT: same
// PIPELINE: --mem2reg --sroa --canonicalize
module {
  llvm.func @main() -> i32 {
    %one = llvm.mlir.constant(1 : i32) : i32
    %k = llvm.mlir.constant(7 : i32) : i32
    %p = llvm.alloca %one x i32 : (i32) -> !llvm.ptr
    llvm.store %k, %p : i32, !llvm.ptr
    %v = llvm.load %p : !llvm.ptr -> i32
    %r = llvm.add %v, %one : i32
    llvm.return %r : i32
  }
}
