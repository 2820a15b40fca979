// A program in the LLVM dialect whose printing helpers were declared without llvm.emit_c_interface: descriptors come in
// parts, as upstream's libraries take them too.
// RUN: mica-run %s --entry=entry --no-cache 2>/dev/null | FileCheck %s

// CHECK: Unranked Memref base@ = {{.*}} rank = 1 offset = 0 sizes = [2] strides = [1] data =
// CHECK-NEXT: [5,  7]
// CHECK-NEXT: Unranked Memref base@ = {{.*}} rank = 1 offset = 0 sizes = [2] strides = [1]{{$}}
// CHECK-EMPTY:
// CHECK-NEXT: {{^}}0
llvm.mlir.global private @values(dense<[5, 7]> : tensor<2xi32>) : !llvm.array<2 x i32>
llvm.func @printMemrefI32(i64, !llvm.ptr)
llvm.func @printMemrefShapeI32(i64, !llvm.ptr)
llvm.func @verifyMemRefI32(i64, !llvm.ptr, i64, !llvm.ptr) -> i64
llvm.func @printI64(i64)
llvm.func @printNewline()
llvm.func @show() {
  %one = llvm.mlir.constant(1 : index) : i64
  %two = llvm.mlir.constant(2 : index) : i64
  %zero = llvm.mlir.constant(0 : index) : i64
  %data = llvm.mlir.addressof @values : !llvm.ptr
  %none = llvm.mlir.poison : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
  %0 = llvm.insertvalue %data, %none[0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
  %1 = llvm.insertvalue %data, %0[1] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
  %2 = llvm.insertvalue %zero, %1[2] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
  %3 = llvm.insertvalue %two, %2[3, 0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
  %4 = llvm.insertvalue %one, %3[4, 0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
  %place = llvm.alloca %one x !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> : (i64) -> !llvm.ptr
  llvm.store %4, %place : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>, !llvm.ptr
  llvm.call @printMemrefI32(%one, %place) : (i64, !llvm.ptr) -> ()
  llvm.call @printMemrefShapeI32(%one, %place) : (i64, !llvm.ptr) -> ()
  llvm.call @printNewline() : () -> ()
  %errors = llvm.call @verifyMemRefI32(%one, %place, %one, %place) : (i64, !llvm.ptr, i64, !llvm.ptr) -> i64
  llvm.call @printI64(%errors) : (i64) -> ()
  llvm.call @printNewline() : () -> ()
  llvm.return
}
func.func @entry() {
  llvm.call @show() : () -> ()
  return
}
