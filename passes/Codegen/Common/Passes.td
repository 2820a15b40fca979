//===- Passes.td - passes of kernels of all targets --------------------*- tablegen -*-===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------===//

#ifndef MICA_PASSES_CODEGEN_COMMON_PASSES
#define MICA_PASSES_CODEGEN_COMMON_PASSES

include "mlir/Pass/PassBase.td"
include "passes/Codegen/Common/NumberPasses.td"

def ConvertSCFToCFPass : Pass<"mica-codegen-convert-scf-to-cf"> {
  let summary = "Convert scf to cf in linear time";
  let description = [{
    Applies the patterns of upstream's `convert-scf-to-cf` from the last op of a block to the first. Each pattern
    moves the ops after its op to a new block; `convert-scf-to-cf` begins with the first op, so it moves the last
    op once for each loop and branch before it.

    If the op has more than 64 `scf.for` loops, the pass also rotates them: a test before the loop and one at its end.
    LLVM's loop rotation takes quadratic time in their number.

    Postcondition: no `scf` op with regions is left. An op that cannot become branches is an error.

    Example:

    ```mlir
    func.func @once(%c: i1, %x: f32) -> f32 {
      %0 = scf.if %c -> (f32) {
        %1 = math.exp %x : f32
        scf.yield %1 : f32
      } else {
        scf.yield %x : f32
      }
      return %0 : f32
    }
    // becomes
      cf.cond_br %c, ^bb1, ^bb2
    ^bb1:
      %0 = math.exp %x : f32
      cf.br ^bb3(%0 : f32)
    ^bb2:
      cf.br ^bb3(%x : f32)
    ^bb3(%1: f32):
      cf.br ^bb4
    ^bb4:
      return %1 : f32
    ```
  }];
  let dependentDialects = ["::mlir::cf::ControlFlowDialect", "::mlir::LLVM::LLVMDialect"];
}

def EraseCollectivesPass : Pass<"mica-codegen-erase-collectives", "::mlir::func::FuncOp"> {
  let summary = "Erase exchanges between ranks";
  let description = [{
    The runtime performs the exchange that a kernel stands for, as the kernel's record says; the kernel's code is never
    called. So `mica_sched.collective` becomes nothing, after launches are recorded.

    Example:

    ```mlir
    func.func @all_reduce(%x: memref<8xf32>, %y: memref<8xf32>) {
      mica_sched.collective all_reduce from %x : memref<8xf32> to %y : memref<8xf32> on [4] axes [0] reduction sum
      return
    }
    // becomes
    func.func @all_reduce(%x: memref<8xf32>, %y: memref<8xf32>) {
      return
    }
    ```
  }];
}

def BuildReplayPass : Pass<"mica-codegen-build-replay", "::mlir::func::FuncOp"> {
  let summary = "Compute single elements of a kernel's results, and report where NaN and infinities originate";
  let description = [{
    Turns a copy of a kernel into its replay, which `nan-check` runs when the results of the kernel are not
    finite. The replay gets further arguments of type `index`: the number of a result, and the position of one
    element of it. It computes that element from the kernel's inputs, op by op, and writes no result. Each op
    that computes a float is followed by a probe: if the result is NaN or an infinity and no operand is,
    `mica_check.failed` reports the op's name and number of float operands, with the bits of the result and of
    the operands as f64, and the position of the element. A constant is no operand in this sense, so the op that
    uses a constant NaN is an origin.

    Ops that do not implement the TilingInterface are computed as a whole. A kernel that computes no floats is
    left as it is.

    Example:

    ```mlir
    func.func @k(%a: memref<8xf32>, %r: memref<8xf32>) {
      %0 = bufferization.to_tensor %a restrict : memref<8xf32> to tensor<8xf32>
      %1 = linalg.log ins(%0 : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
      bufferization.materialize_in_destination %1 in restrict writable %r : (tensor<8xf32>, memref<8xf32>) -> ()
    // becomes
    func.func @k(%a: memref<8xf32>, %r: memref<8xf32>, %which: index, %i: index) {
      %0 = bufferization.to_tensor %a restrict : memref<8xf32> to tensor<8xf32>
      %c = arith.cmpi eq, %which, %c0 : index
      scf.if %c {
        %x = tensor.extract_slice %0[%i] [1] [1] : tensor<8xf32> to tensor<1xf32>
        %1 = linalg.generic {...} ins(%x : tensor<1xf32>) outs(%e : tensor<1xf32>) {
          %2 = math.log %in : f32
          scf.if %originates {
            mica_check.failed "math.log 1" (%bits, %bits_in, %index : i64, i64, index)
    ```
  }];
  let dependentDialects = ["::mica::check::MicaCheckDialect", "::mlir::affine::AffineDialect",
                           "::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
                           "::mlir::math::MathDialect", "::mlir::scf::SCFDialect",
                           "::mlir::tensor::TensorDialect"];
}

def BuildDumpReplayPass : Pass<"mica-codegen-build-dump-replay", "::mlir::func::FuncOp"> {
  let summary = "Run a kernel again, and store what it keeps inside";
  let description = [{
    Turns a copy of a kernel into its dump replay, which the runtime runs beside the kernel where tensors are dumped
    with `dump-exact`. The replay computes everything that the kernel computes from the same inputs, op by op. It
    writes none of the results. Instead it gets a further buffer for each result of an op of the program that the
    kernel does not store: the value that ops with another id read. Attributes of the argument name the op
    (`mica_check.inside`) and say where the sizes of its dynamic dimensions are found (`mica_check.inside_sizes`):
    for each the position of a buffer and a dimension of it, or -1 and the position of a scalar.

    A value is left out if its sizes are not among those that a launch knows. A kernel that keeps nothing inside is
    left as it is.

    Example:

    ```mlir
    func.func @k(%a: memref<8xf32>, %r: memref<8xf32>) {
      %0 = bufferization.to_tensor %a restrict : memref<8xf32> to tensor<8xf32>
      %1 = linalg.generic ... ins(%0) outs(%e) ... // exp, mica.op:a81e53e8196c
      %2 = linalg.generic ... ins(%1) outs(%e) ... // tanh, mica.op:0422efc37baf
      bufferization.materialize_in_destination %2 in restrict writable %r : (tensor<8xf32>, memref<8xf32>) -> ()
    // becomes
    func.func @k(%a: memref<8xf32>, %r: memref<8xf32>, %i: memref<8xf32> {mica_check.inside = "a81e53e8196c"}) {
      %0 = bufferization.to_tensor %a restrict : memref<8xf32> to tensor<8xf32>
      %1 = linalg.generic ... ins(%0) outs(%e) ... // exp
      bufferization.materialize_in_destination %1 in restrict writable %i : (tensor<8xf32>, memref<8xf32>) -> ()
    ```
  }];
  let dependentDialects = ["::mica::check::MicaCheckDialect", "::mlir::bufferization::BufferizationDialect"];
}

def BuildFaultReplayPass : Pass<"mica-codegen-build-fault-replay", "::mlir::func::FuncOp"> {
  let summary = "Run a kernel again, and report which op fails at which element";
  let description = [{
    Turns a copy of a kernel into its fault replay, which the runtime runs once when a check of the kernel has
    failed. The replay computes everything that the kernel computes from the same inputs, op by op, and writes no
    result. Each integer division, shift, `tensor.extract` and `cf.assert` is put under its requirement: where
    that does not hold, `mica_check.failed` reports the op's name and number of operands, the operands (of
    `tensor.extract`, the indices), and the position of the element that the `linalg.generic` around it computes.

    With `floats`, each op that computes a float has a probe as well, as in mica-codegen-build-replay; the names of
    these reports begin with `float`. They find a NaN that the kernel discards, which its results do not show.

    The results of a `mica_sched.buffer_region` go to memory of the replay. A kernel without such an op is left as it
    is.

    Example:

    ```mlir
    %0 = linalg.generic {...} ins(%a, %b : tensor<8xi32>, tensor<8xi32>) outs(%e : tensor<8xi32>) {
    ^bb0(%x: i32, %y: i32, %o: i32):
      %1 = arith.divsi %x, %y : i32
      linalg.yield %1 : i32
    } -> tensor<8xi32>
    // becomes
    %0 = linalg.generic {...} ins(%a, %b : tensor<8xi32>, tensor<8xi32>) outs(%e : tensor<8xi32>) {
    ^bb0(%x: i32, %y: i32, %o: i32):
      %i = linalg.index 0 : index
      %ok = mica_check.divisible %x, %y signed : i32
      %1 = scf.if %ok -> (i32) {
        %2 = arith.divsi %x, %y : i32
        scf.yield %2 : i32
      } else {
        mica_check.failed "arith.divsi 2" (%x, %y, %i : i32, i32, index)
        scf.yield %c0 : i32
      }
      linalg.yield %1 : i32
    } -> tensor<8xi32>
    ```
  }];
  let options = [Option<"floats", "floats", "bool", "false", "Report where NaN and infinities originate, too">];
  let dependentDialects = ["::mica::check::MicaCheckDialect", "::mlir::arith::ArithDialect",
                           "::mlir::linalg::LinalgDialect", "::mlir::math::MathDialect",
                           "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect",
                           "::mlir::tensor::TensorDialect"];
}

def DecomposeOpsPass : Pass<"mica-codegen-decompose-ops", "::mlir::ModuleOp"> {
  let summary = "Decompose concat, pad, pack, unpack, softmax and named linalg ops";
  let description = [{
    Rewrites these ops into the few forms that the later passes handle: `linalg.generic`, `linalg.fill`,
    `tensor.insert_slice`, `tensor.extract_slice` and reshapes.

    Example:

    ```mlir
    %0 = linalg.exp ins(%a : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
    // becomes
    %0 = linalg.generic {...} ins(%a : tensor<8xf32>) outs(%e : tensor<8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %1 = math.exp %in : f32
      linalg.yield %1 : f32
    } -> tensor<8xf32>
    ```
  }];
  let options = [Option<"maxIterations", "max-iterations", "int64_t", "10",
                        "Maximum number of iterations of the greedy rewrite driver">];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
                           "::mlir::bufferization::BufferizationDialect", "::mlir::linalg::LinalgDialect",
                           "::mlir::math::MathDialect", "::mlir::memref::MemRefDialect",
                           "::mlir::scf::SCFDialect", "::mlir::tensor::TensorDialect"];
}

def EraseZeroTripOpsPass : Pass<"mica-codegen-erase-zero-trip-ops", "::mlir::func::FuncOp"> {
  let summary = "Erase ops with an empty iteration domain";
  let description = [{
    Replaces a structured op on tensors by its inits if one of its loops has the static size 0, and a
    `tensor.insert_slice` of an empty slice by its destination. The passes that follow would create slices of
    such ops that upstream's verifiers reject.

    Example:

    ```mlir
    %f = linalg.fill ins(%c : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
    %1 = linalg.reduce {arith.addf} ins(%a : tensor<0x4xf32>) outs(%f : tensor<4xf32>) dimensions = [0]
    // becomes
    %f = linalg.fill ins(%c : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
    ```
  }];
}

def ConvertCopiesPass : Pass<"mica-codegen-convert-copies"> {
  let summary = "Convert memref.copy to linalg.generic";
  let description = [{
    A strided `memref.copy` would be lowered to a call into MLIR's runner library, which programs are not linked
    with. As `linalg.generic` it is vectorized, and fused with neighboring loops. A copy of a view onto itself
    is erased.

    Example:

    ```mlir
    memref.copy %a, %b : memref<4x8xf32, strided<[16, 1]>> to memref<4x8xf32>
    // becomes
    linalg.generic {...} ins(%a : memref<4x8xf32, strided<[16, 1]>>) outs(%b : memref<4x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    }
    ```
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect"];
}

def AllocateScratchPass : Pass<"mica-codegen-allocate-scratch", "::mlir::func::FuncOp"> {
  let summary = "Place temporaries on the stack or in the scratch argument";
  let description = [{
    Temporaries of constant size up to `stack-bytes` bytes are allocated on the stack, as long as all of them
    take at most `stack-total-bytes` bytes. Larger ones become views into a new argument
    `%scratch: memref<Nxi8>`, and share bytes if their lifetimes are disjoint. A dynamic size with a constant
    upper bound counts as constant. Any other temporary stays a `memref.alloc` and is freed at the end of its
    block. Sets `mica_sched.scratch_bytes` on the function.

    Example:

    ```mlir
    func.func @k(%a: memref<512x512xf32>) {
      %t = memref.alloc() : memref<512x512xf32>
    // becomes
    func.func @k(%a: memref<512x512xf32>, %scratch: memref<1048576xi8>)
        attributes {mica_sched.scratch_bytes = 1048576 : i64} {
      %c0 = arith.constant 0 : index
      %t = memref.view %scratch[%c0][] : memref<1048576xi8> to memref<512x512xf32>
    ```
  }];
  let options = [Option<"stackBytes", "stack-bytes", "int64_t", "16384",
                        "Size in bytes of the largest temporary that is allocated on the stack">,
                 Option<"stackTotalBytes", "stack-total-bytes", "int64_t", "65536",
                        "Maximum size in bytes of all temporaries of a kernel on the stack">];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect"];
}

def LowerDynamicAllocsPass : Pass<"mica-codegen-lower-dynamic-allocs", "::mlir::ModuleOp"> {
  let summary = "Lower allocations to calls of the runtime's memory service";
  let description = [{
    `memref.alloc`, and `memref.alloca` of dynamic size or of more than `stack-bytes` bytes, call `allocate` in
    the table `mica_memory_api` (include/mica/ABI/Memory.h). The service checks the sizes and does not return if
    there is no memory. `memref.dealloc` calls `release`; with `keeps-all` it is erased, and the runtime frees
    all memory when the invocation ends. `mica_sched.check_reshape` and `mica_sched.check_sum` call `reshape` in
    the same table.

    Precondition: allocated buffers have identity layout.

    Example:

    ```mlir
    %t = memref.alloc(%n) : memref<?xf32>
    // becomes
    %p = llvm.call %allocate(%name, %four, %sizes, %one) : !llvm.ptr, (!llvm.ptr, i64, !llvm.ptr, i64) -> !llvm.ptr
    ```
  }];
  let options = [Option<"stackBytes", "stack-bytes", "int64_t", "65536",
                        "Size in bytes of the largest memref.alloca that stays on the stack">,
                 Option<"keepsAll", "keeps-all", "bool", "false", "Erase memref.dealloc instead of releasing memory">];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::LLVM::LLVMDialect", "::mlir::memref::MemRefDialect"];
}

def DistributePass : Pass<"mica-codegen-distribute", "::mlir::func::FuncOp"> {
  let summary = "Distribute the parallel loop of a kernel over work partitions";
  let description = [{
    Appends the arguments `%part` and `%parts` to the function. The outermost `scf.forall` with the attribute
    `mica_codegen.distribute`, or the only outermost `scf.forall` if none has the attribute, becomes a loop over
    the iterations of work partition `%part`. These are the linearized iterations
    `[total * part / parts, total * (part + 1) / parts)`. An integer value of the attribute is the largest
    number of partitions that is profitable. Every other `scf.forall` becomes a sequential loop.

    A kernel without such a loop, or one that writes its arguments outside of it, is serial: only partition 0
    does any work.

    Sets `mica_sched.grid` to the number of partitions: 1 for a serial kernel, -1 if it is known only at run
    time. If iteration k writes no elements of a buffer outside of `[k * n, (k + 1) * n)`, the argument gets
    `mica.share_elements = n`.

    It is an error if more than one loop has the attribute, or if that loop is not outermost or still has tensor
    results.

    Example:

    ```mlir
    scf.forall (%i) in (64) { ... } {mica_codegen.distribute}
    // becomes
    %b = 64 * %part / %parts
    %e = 64 * (%part + 1) / %parts
    scf.for %i = %b to %e step %c1 { ... }
    ```
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect", "::mlir::scf::SCFDialect"];
}

def ConvertKernelEntryPass : Pass<"mica-codegen-convert-kernel-entry", "::mlir::ModuleOp"> {
  let summary = "Create the function through which the runtime calls a kernel";
  let description = [{
    Replaces the kernel function by an internal function that takes bare, aligned, non-aliasing pointers, and an
    exported function `mica_kernel_<name>` of the kernel ABI (include/mica/ABI/Kernel.h), which loads the
    arguments from a struct and calls the internal function. That function is never inlined, because `noalias`
    on parameters is more precise than scoped metadata after inlining.

    Applies to functions with `mica_sched.grid` in modules with `mica_sched.kernel`.

    Example:

    ```mlir
    func.func @relu(%a: memref<8xf32>, %o: memref<8xf32>, %part: index, %parts: index)
    // becomes
    func.func private @mica_body_relu(%a: !llvm.ptr {llvm.noalias, ...}, %o: !llvm.ptr {...}, %part: i64, %parts: i64)
    func.func @mica_kernel_relu(%args: !llvm.ptr) -> i32
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::func::FuncDialect", "::mlir::LLVM::LLVMDialect"];
}

def VectorizeLoopsPass : Pass<"mica-codegen-vectorize-loops", "::mlir::func::FuncOp"> {
  let summary = "Lower linalg ops on buffers to vectorized loop nests";
  let description = [{
    Every `linalg.generic` on buffers becomes a nest of `scf.for` loops. The innermost loop uses vectors of
    several registers where profitable, and narrower loops process the remainder. Adjacent ops over the same
    iteration domain share a nest if they exchange only elements computed in the same iteration. Accumulators of
    reductions, argmax included, stay in registers. Long sums of floats are accumulated in blocks whose sums are
    then added, which keeps rounding errors small.

    Precondition: `linalg` ops on memrefs. Postcondition: no `linalg` op is left.

    Example:

    ```mlir
    linalg.generic {...} ins(%a : memref<1024xf32>) outs(%o : memref<1024xf32>) {
    ^bb0(%in: f32, %out: f32):
      %0 = arith.negf %in : f32
      linalg.yield %0 : f32
    }
    // becomes
    scf.for %i = %c0 to %c1024 step %c64 {
      %0 = vector.load %a[%i] : memref<1024xf32>, vector<64xf32>
      %1 = arith.negf %0 : vector<64xf32>
      vector.store %1, %o[%i] : memref<1024xf32>, vector<64xf32>
    }
    ```
  }];
  let options = [Option<"vectorBits", "vector-bits", "int64_t", "512",
                        "Width of a vector register in bits; 0: scalar loops, one nest per op">];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
                           "::mlir::linalg::LinalgDialect", "::mlir::LLVM::LLVMDialect",
                           "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect",
                           "::mlir::vector::VectorDialect"];
}

def FuseElementwisePass : Pass<"mica-codegen-fuse-elementwise", "::mlir::func::FuncOp"> {
  let summary = "Fuse elementwise linalg ops into their consumers";
  let description = [{
    The values that fused ops exchange stay in registers. An op with one consumer is always fused. An op with
    several consumers is recomputed in each of them if that takes at most `max-repeated-ops` cheap operations.

    Example:

    ```mlir
    %d = linalg.generic {...} ins(%x, %m : ...) { arith.subf }
    %r = linalg.generic {...} ins(%d, %s : ...) { arith.mulf }
    // becomes
    %r = linalg.generic {...} ins(%x, %m, %s : ...) { arith.subf, arith.mulf }
    ```
  }];
  let options = [Option<"maxRepeatedOps", "max-repeated-ops", "int64_t", "3",
                        "Maximum number of operations in a body that is recomputed in each consumer">];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::linalg::LinalgDialect"];
}

def FoldViewsPass : Pass<"mica-codegen-fold-views"> {
  let summary = "Fold views into the loads and stores that use them, except vectors over changed shapes";
  let description = [{
    Upstream's `fold-memref-alias-ops` without its patterns for vectors that are read or written through
    `memref.expand_shape` and `memref.collapse_shape`: a vector of several dimensions, or one that reaches beyond the
    last dimension, has other elements in the buffer of another shape (docs/UpstreamFindings.md).

    With `keep-accesses`, the accesses that the program itself makes keep their views, so that mica-check-insert checks
    them by the sizes of the view. After the checks they are folded, too.

    Example:

    ```mlir
    %v = memref.subview %m[%o] [4] [1] : memref<16xf32> to memref<4xf32, strided<[1], offset: ?>>
    %0 = memref.load %v[%i] : memref<4xf32, strided<[1], offset: ?>>
    // becomes
    %1 = affine.apply affine_map<()[s0, s1] -> (s0 + s1)>()[%o, %i]
    %0 = memref.load %m[%1] : memref<16xf32>
    ```
  }];
  let options = [Option<"keepAccesses", "keep-accesses", "bool", "false",
                        "Keep the views of the program's own accesses, and mark functions with any by `mica_check.kept_views`">,
                 Option<"onlyKept", "only-kept", "bool", "false",
                        "Leave modules without the mark `mica_check.kept_views` as they are, and remove it">];
  let dependentDialects = ["::mica::check::MicaCheckDialect", "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
                           "::mlir::memref::MemRefDialect", "::mlir::vector::VectorDialect"];
}

def DuplicateEmptyTensorsPass : Pass<"mica-codegen-duplicate-empty-tensors", "::mlir::func::FuncOp"> {
  let summary = "Duplicate tensor.empty for each of its users";
  let description = [{
    Reverts what CSE merged. Bufferization then assigns a buffer to each value, instead of copying out of a
    shared one.

    Example:

    ```mlir
    %e = tensor.empty() : tensor<8xf32>
    %0 = linalg.fill ins(%a : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
    %1 = linalg.fill ins(%b : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
    // becomes
    %e0 = tensor.empty() : tensor<8xf32>
    %0 = linalg.fill ins(%a : f32) outs(%e0 : tensor<8xf32>) -> tensor<8xf32>
    %e1 = tensor.empty() : tensor<8xf32>
    %1 = linalg.fill ins(%b : f32) outs(%e1 : tensor<8xf32>) -> tensor<8xf32>
    ```
  }];
  let dependentDialects = ["::mlir::tensor::TensorDialect"];
}

def SeparateResultsPass : Pass<"mica-codegen-separate-results", "::mlir::func::FuncOp"> {
  let summary = "Separate the memory of results that share a chain of ops";
  let description = [{
    `eliminate-empty-tensors` computes a result in the argument that it is stored to. If ops on the way are results as
    well, they would lie in the same argument and be overwritten before they are stored to theirs. Such a chain begins
    with a `tensor.empty` again.

    Example:

    ```mlir
    %t = bufferization.to_tensor %out1 restrict writable : memref<8xi32> to tensor<8xi32>
    %a = linalg.generic {...} ins(%x : tensor<8x6xi32>) outs(%t : tensor<8xi32>) { ... }
    %b = linalg.generic {...} ins(%y : tensor<8x6xi32>) outs(%a : tensor<8xi32>) { ... }
    bufferization.materialize_in_destination %b in writable %out1 : ...
    bufferization.materialize_in_destination %a in restrict writable %out0 : ...
    // becomes
    %t = tensor.empty() : tensor<8xi32>
    ... the same
    bufferization.materialize_in_destination %b in restrict writable %out1 : ...
    ```
  }];
  let dependentDialects = ["::mlir::bufferization::BufferizationDialect", "::mlir::tensor::TensorDialect"];
}

def CollapseContiguousDimsPass : Pass<"mica-codegen-collapse-contiguous-dims", "::mlir::func::FuncOp"> {
  let summary = "Collapse dimensions that are contiguous in memory for all operands";
  let description = [{
    Applies to `linalg.generic` on buffers, before vectorization, so that vectors are filled even if the inner
    dimensions are short. Dimensions of size 1 are kept.

    Example:

    ```mlir
    linalg.generic {...} ins(%a : memref<16x8xf32>) outs(%o : memref<16x8xf32>) { ... }
    // becomes
    %0 = memref.collapse_shape %a [[0, 1]] : memref<16x8xf32> into memref<128xf32>
    %1 = memref.collapse_shape %o [[0, 1]] : memref<16x8xf32> into memref<128xf32>
    linalg.generic {...} ins(%0 : memref<128xf32>) outs(%1 : memref<128xf32>) { ... }
    ```
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
                           "::mlir::linalg::LinalgDialect", "::mlir::memref::MemRefDialect"];
}

#endif // MICA_PASSES_CODEGEN_COMMON_PASSES
