// One stage instead of an artifact.
// RUN: mica-compile %S/Inputs/small.mlir --compile-to=tensor | FileCheck %s --check-prefix=TENSOR
// TENSOR: linalg.matmul
// RUN: mica-compile %S/Inputs/small.mlir --emit=mlir | FileCheck %s --check-prefix=LOWERED
// LOWERED: llvm.func @mica_kernel_
// LOWERED: llvm.func @mica_entry_forward
// RUN: mica-compile %S/Inputs/small.mlir --emit=llvm -o - | FileCheck %s --check-prefix=LLVM
// LLVM: target triple
// LLVM: define {{.*}}i32 @mica_kernel_
// LLVM: @mica_abi_version = {{.*}}constant i32 9
// LLVM: @mica_program_header = {{.*}}{ i32 9, i32 56, i64 0, i32 0, i32 0, [32 x i8] c"mica {{[0-9.]+}}\00
// LLVM: define {{.*}}i32 @mica_entry_forward
// RUN: mica-compile %S/Inputs/small.mlir --emit=asm -o %t.s && FileCheck %s --check-prefix=ASM --input-file=%t.s
// ASM: mica_kernel_
// ASM: .loc

// What --compile-to gives, --compile-from takes up; ids go along with the locations.
// RUN: mica-compile %S/Inputs/small.mlir --compile-to=dispatch --mlir-print-debuginfo -o %t.dispatch.mlir
// RUN: mica-compile %t.dispatch.mlir --compile-from=dispatch --emit=asm > %t.two.s
// RUN: grep -v '^.\.\(file\|ident\)' %t.s > %t.one.txt && grep -v '^.\.\(file\|ident\)' %t.two.s > %t.two.txt && diff %t.one.txt %t.two.txt

// Entries, the reference, time, help.
// RUN: mica-compile --list %S/Inputs/small.mlir | FileCheck %s --check-prefix=LIST
// LIST: forward(4x8xf32, 8x16xf32) -> (4x16xf32)
// RUN: mica-compile --evaluate %S/Inputs/small.mlir --input=4x8xf32=1 --input=8x16xf32=0.5 | FileCheck %s --check-prefix=EVAL
// EVAL: result 0 (4x16xf32)
// EVAL-NEXT: 5. 5. 5. 5.
// RUN: rm -rf %t.ops && mica-compile --evaluate=ops %S/Inputs/small.mlir --input=4x8xf32=1 --input=8x16xf32=0.5 -o %t.ops && FileCheck %s --check-prefix=OPS --input-file=%t.ops/ops.json
// OPS: "kind":"linalg.fill"
// OPS: "kind":"linalg.matmul"{{.*}}"sources":["{{.*}}small.mlir:5:8"]{{.*}}_0.npy
// RUN: rm -rf %t.art && mica-compile %S/Inputs/small.mlir --time -o %t.art 2>&1 | FileCheck %s --check-prefix=TIME
// TIME: total
// TIME: parse
// TIME: phase input
// TIME: phase kernel
// TIME: @matmul
// TIME: phase object
// TIME: link
// RUN: mica-compile --help-all | FileCheck %s --check-prefix=HELP
// HELP: Output and target
// HELP: --dump-passes=off|phases|passes|patterns
// HELP: Single stages
// HELP: Phases
// HELP: object
// RUN: mica-compile --version | FileCheck %s --check-prefix=VERSION
// VERSION: mica-compile {{[0-9.]+}}
// VERSION-NEXT: LLVM version 22.1

// Bytecode and the standard input are programs too.
// RUN: mica-opt %S/Inputs/small.mlir --emit-bytecode -o %t.mlirbc
// RUN: rm -rf %t.bc && mica-compile %t.mlirbc -o %t.bc && mica-run %t.bc --check-reference
// RUN: rm -rf "%t a b" && mica-compile - -o "%t a b" < %S/Inputs/small.mlir && mica-run "%t a b" --check-reference

// Resuming: the state after a pass, the rest of the pipeline, the same numbers.
// RUN: rm -rf %t.resumed && mica-compile --resume=%t.art:10 -o %t.resumed && mica-run %t.resumed --check-reference

// One's own output is replaced; one with hand edits is not, unless forced.
// RUN: mica-compile %S/Inputs/small.mlir -o %t.art
// RUN: echo '// by hand' >> %t.art/host/schedule.mlir
// RUN: not mica-compile %S/Inputs/small.mlir -o %t.art 2>&1 | FileCheck %s --check-prefix=EDITED
// EDITED: was edited by hand: host/schedule.mlir
// RUN: mica-compile %S/Inputs/small.mlir -o %t.art --force
