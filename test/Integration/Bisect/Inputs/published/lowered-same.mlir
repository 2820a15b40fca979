// In the LLVM dialect, without a pipeline.
// VERDICT: same
module {
  llvm.func @printI64(i64)
  llvm.func @printNewline()
  llvm.func @malloc(i64) -> !llvm.ptr
  llvm.func @free(!llvm.ptr)
  llvm.func @main() {
    %c40 = llvm.mlir.constant(40 : i64) : i64
    %c3 = llvm.mlir.constant(3 : i64) : i64
    %k = llvm.mlir.constant(77 : i64) : i64
    %p = llvm.call @malloc(%c40) : (i64) -> !llvm.ptr
    %q = llvm.getelementptr %p[%c3] : (!llvm.ptr, i64) -> !llvm.ptr, i64
    llvm.store %k, %q : i64, !llvm.ptr
    %v = llvm.load %q : !llvm.ptr -> i64
    llvm.call @free(%p) : (!llvm.ptr) -> ()
    llvm.call @printI64(%v) : (i64) -> ()
    llvm.call @printNewline() : () -> ()
    llvm.return
  }
}
