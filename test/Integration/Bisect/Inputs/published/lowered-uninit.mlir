// In the LLVM dialect, without a pipeline: memory that nothing wrote.
// VERDICT: undefined behavior in the program llvm.alloca
module {
  llvm.func @printI64(i64)
  llvm.func @printNewline()
  llvm.func @main() {
    %one = llvm.mlir.constant(1 : i64) : i64
    %p = llvm.alloca %one x i64 : (i64) -> !llvm.ptr
    %v = llvm.load %p : !llvm.ptr -> i64
    llvm.call @printI64(%v) : (i64) -> ()
    llvm.call @printNewline() : () -> ()
    llvm.return
  }
}
