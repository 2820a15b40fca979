// The program is in the LLVM dialect from the beginning.
// VERDICT: undefined behavior in the program llvm.shl
// PIPELINE: --canonicalize --cse
module {
  llvm.mlir.global internal constant @fmt("%d\0A\00")
  llvm.func @printf(!llvm.ptr, ...) -> i32
  llvm.func @main() -> i32 {
    %one = llvm.mlir.constant(1 : i32) : i32
    %s = llvm.mlir.constant(40 : i32) : i32
    %k = llvm.shl %one, %s : i32
    %f = llvm.mlir.addressof @fmt : !llvm.ptr
    %c = llvm.call @printf(%f, %k) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr, i32) -> i32
    %z = llvm.mlir.constant(0 : i32) : i32
    llvm.return %z : i32
  }
}
