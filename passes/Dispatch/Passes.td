//===- Passes.td - passes of the area Dispatch ----------------------------*- tablegen -*-===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------===//

#ifndef MICA_PASSES_DISPATCH_PASSES
#define MICA_PASSES_DISPATCH_PASSES

include "mlir/Pass/PassBase.td"

def ConvertMicaToLinalg : Pass<"convert-mica-to-linalg"> {
  let summary = "Lower every operation of mica to linalg on tensors";
  let description = [{
    On entry: any IR. On exit: no operation of `mica` is left; each has become ops of `linalg`, `tensor`, `arith` and
    `math` on tensors that carry its location, bodies of `linalg.generic` included. What no structured op says (`scatter`,
    `cache_update`, `sort`, `top_k`) is an `scf.forall` over independent rows with loops inside; `if` and `while` are those
    of `scf`. Every indexing map is a projected
    permutation: dimensions that are repeated leave the operand with `tensor.collapse_shape`. Statistics of a row (in
    `softmax`, `layer_norm`, `reduce`) are tensors without the reduced dimensions. Dynamic sizes are computed from the
    sizes of the function's arguments as far as the ops between can say them.

    Example:

    ```mlir
    func.func @add_row(%a: tensor<?x8xf32>, %b: tensor<1x8xf32>) -> tensor<?x8xf32> {
      %0 = mica.add %a, %b : (tensor<?x8xf32>, tensor<1x8xf32>) -> tensor<?x8xf32>
      return %0 : tensor<?x8xf32>
    }
    ```
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
                           "::mlir::linalg::LinalgDialect", "::mlir::math::MathDialect", "::mlir::scf::SCFDialect",
                           "::mlir::tensor::TensorDialect"];
}

def CheckReshapes : Pass<"mica-dispatch-check-reshapes", "mlir::func::FuncOp"> {
  let summary = "Check sizes that the program computes for what it has in another shape";
  let description = [{
    `tensor.reshape`, `tensor.expand_shape` and `mica.reshape` see the elements of a tensor in another shape, `tensor.cast` in a type
    that knows more of its sizes, and those of `memref` those of a buffer. Where only the run decides whether they fit, a
    `mica_sched.check_reshape` is put before: what does not fit would be read outside of the tensor. In all programs, whatever
    `assert-level` is. Sizes that arguments of an entry must have for that are checked when it is called.

    On entry: any IR before kernels are formed. On exit: each such op in a host function stands behind its checks.

    Example:

    ```mlir
    %0 = tensor.expand_shape %x [[0, 1]] output_shape [%a, %b] : tensor<?xf32> into tensor<?x?xf32>
    // becomes
    %n = tensor.dim %x, %c0 : tensor<?xf32>
    mica_sched.check_reshape sizes(%n) : tensor<?xf32> to sizes(%a, %b) : tensor<?x?xf32>
    %0 = tensor.expand_shape %x [[0, 1]] output_shape [%a, %b] : tensor<?xf32> into tensor<?x?xf32>
    ```
  }];
  let dependentDialects = ["::mica::sched::MicaSchedDialect", "::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect",
                           "::mlir::tensor::TensorDialect"];
}

def GeneralizeOps : Pass<"mica-dispatch-generalize-ops", "mlir::func::FuncOp"> {
  let summary = "one form for all structured ops: linalg.generic";
  let description = [{
    Named linalg ops become `linalg.generic` (`linalg.fill` apart), so that the operations of their bodies carry the ids of
    their op. Ops that stand for several (`linalg.softmax`) are decomposed, `tensor.splat` becomes a fill. An init that is
    never read becomes `tensor.empty`, one that is a splat becomes a fill.

    On entry: structured ops on tensors with their ids. On exit: every structured op on tensors is `linalg.generic` or
    `linalg.fill`, and every operation in a body carries the ids of its op.

    Example:

    ```mlir
    %1 = linalg.exp ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
    // becomes
    %1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
         ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %2 = math.exp %in : f32
      linalg.yield %2 : f32
    } -> tensor<4xf32>
    ```
  }];
  let dependentDialects = ["mlir::arith::ArithDialect", "mlir::linalg::LinalgDialect", "mlir::math::MathDialect",
                           "mlir::tensor::TensorDialect"];
}

def RelateSizes : Pass<"mica-dispatch-relate-sizes", "mlir::func::FuncOp"> {
  let summary = "say which sizes of arguments have to be equal, and for which op";
  let description = [{
    Sets `mica.related_sizes` on the function: for each equality that an op on its way through the program needs between two
    dynamic sizes of arguments, or one and a number, `sizes`, five numbers (argument and dimension; those of the other, or -1;
    the number, or -1), and the id of the op. The runtime refuses inputs that do not obey, before any kernel runs. Ops in
    branches and loops, which may not be executed, need nothing.

    On entry: the form of mica-dispatch-generalize-ops. On exit: the same.

    Example:

    ```mlir
    func.func @add(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32>
        attributes {mica.related_sizes = [ {op = "3f2a91c07b1e", sizes = array<i64: 1, 0, 0, 0, -1>} ]} {
    ```
  }];
  let dependentDialects = ["mlir::linalg::LinalgDialect", "mlir::tensor::TensorDialect"];
}

def DropUnitDims : Pass<"mica-dispatch-drop-unit-dims", "mlir::func::FuncOp"> {
  let summary = "dimensions of size 1 leave elementwise ops and reductions";
  let description = [{
    Exporters keep a batch dimension of 1 and the reduced dimensions of statistics. Elementwise ops and reductions lose theirs;
    tensors are reshaped around them, and reshapes that meet cancel. Products, windows and ops that use `linalg.index` stay.

    On entry: the form of mica-dispatch-generalize-ops. On exit: the same.

    Example:

    ```mlir
    %1 = linalg.generic ... ins(%x, %m : tensor<1x32x64xf32>, tensor<1x32x1xf32>) outs(... : tensor<1x32x64xf32>)
    // becomes
    %1 = linalg.generic ... ins(%y, %n : tensor<32x64xf32>, tensor<32xf32>) outs(... : tensor<32x64xf32>)
    ```
  }];
  let options = [Option<"maxIterations", "max-iterations", "int64_t", /*default=*/"10",
                        "Rounds over the IR after which the cancelling of reshapes stops">];
  let dependentDialects = ["mlir::affine::AffineDialect", "mlir::linalg::LinalgDialect", "mlir::tensor::TensorDialect"];
}

def EncloseVectors : Pass<"mica-dispatch-enclose-vectors", "mlir::func::FuncOp"> {
  let summary = "make kernel work of vector code on tensors that stands in the host function";
  let description = [{
    Vectors live in kernels. Each tensor or scalar that the host function computes with vectors becomes the result of an
    `scf.forall` of one iteration, which holds what it is computed with: a loop as a whole where all of it may run in a
    kernel, and writes into one tensor that follow each other together. What prints vectors stays.

    On entry: structured ops in the form of mica-dispatch-generalize-ops. On exit: no op outside of `scf.forall` takes or
    gives a vector, but for what has effects and for results whose sizes nothing says.

    Example:

    ```mlir
    %v = vector.transfer_read %x[%c0], %z : tensor<8xf32>, vector<8xf32>
    %w = vector.transfer_write %v, %y[%c0] : vector<8xf32>, tensor<8xf32>
    // becomes
    %w = scf.forall (%i) in (1) shared_outs(%o = %y) -> (tensor<8xf32>) {
      %v = vector.transfer_read %x[%c0], %z : tensor<8xf32>, vector<8xf32>
      %r = vector.transfer_write %v, %o[%c0] : vector<8xf32>, tensor<8xf32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %r into %o[0] [8] [1] : tensor<8xf32> into tensor<8xf32>
      }
    } {mica.loop_kind = "vectors"}
    ```
  }];
  let dependentDialects = ["mlir::arith::ArithDialect", "mlir::scf::SCFDialect", "mlir::tensor::TensorDialect"];
}

def FormGroups : Pass<"mica-dispatch-form-groups", "mlir::func::FuncOp"> {
  let summary = "decide which ops go into one kernel";
  let description = [{
    Marks each op that runs in a kernel with the number of its group, `mica_sched.group`. A group is convex: no path of
    uses leaves it and comes back.

    On entry: ops in the form of mica-dispatch-generalize-ops. On exit: every op that is no host work is in a group.

    Example:

    ```mlir
    %1 = linalg.generic ... {mica_sched.group = 0 : i64} ...
    %2 = linalg.generic ... {mica_sched.group = 0 : i64} ...
    ```
  }];
  let options = [
    Option<"fuse", "fuse", "bool", /*default=*/"true", "Put several ops into one group; false: one op per group">,
    Option<"prologues", "prologues", "bool", /*default=*/"false",
           "Put cheap elementwise ops into the group of the contraction that alone reads what they make">,
  ];
}

def OutlineKernels : Pass<"mica-dispatch-outline-kernels", "mlir::ModuleOp"> {
  let summary = "each group of ops becomes a kernel, its place a dispatch";
  let description = [{
    Makes a kernel module of each group that mica-dispatch-form-groups marked: buffers it reads, buffers it writes, scalars.
    Constants of one value and `tensor.empty` are made inside the kernel; other constants are operands, so that a kernel
    holds no data. What contractions and convolutions multiply with is always an operand. Floats are passed as tensors of
    rank 0. Groups that are equal but for names and locations share one kernel.

    A kernel is named after its root, what was fused to it and its iteration space. `mica_sched.op_ids` holds the ids of
    all operations in it, the root's first; each dispatch lists its own ids in the same order.

    On entry: marked ops. On exit: no structured op is left in host functions.

    Example:

    ```mlir
    %1 = linalg.generic ... {mica_sched.group = 0 : i64} ins(%x : tensor<4xf32>) ... // exp
    // becomes
    %1 = mica_sched.dispatch @exp_4xf32(%x) {op_ids = ["2e087a69e9c7"]} : (tensor<4xf32>) -> tensor<4xf32>
    ```
  }];
  let dependentDialects = ["mica::sched::MicaSchedDialect", "mlir::arith::ArithDialect",
                           "mlir::bufferization::BufferizationDialect", "mlir::func::FuncDialect",
                           "mlir::linalg::LinalgDialect", "mlir::tensor::TensorDialect"];
}

def CopyUpdated : Pass<"mica-dispatch-copy-updated", "mlir::func::FuncOp"> {
  let summary = "copy tensors that a kernel changes in place where others need them";
  let description = [{
    A dispatch with `updates` changes the memory of an operand. It may where that is memory which a kernel of the same block
    has written and nothing else reads any more, or which a loop carries from iteration to iteration, with such an initial
    value. Where it may not, because the operand is an argument of the function, a constant, what control flow gives, or is
    needed again, this pass puts a copy; for a loop it copies the initial value, once. The copy is a group of its own, for
    mica-dispatch-outline-kernels.

    On entry: outlined kernels. On exit: whatever a dispatch changes is nobody else's.

    Example:

    ```mlir
    func.func @append(%cache: tensor<8x4xf32>, %new: tensor<1x4xf32>) -> tensor<8x4xf32> {
      %0 = mica_sched.dispatch @cache_update(%cache, %new) {updates = array<i64: 0>} : ...
    // becomes
      %e = tensor.empty() : tensor<8x4xf32>
      %c = linalg.generic {...identity...} ins(%cache : tensor<8x4xf32>) outs(%e : tensor<8x4xf32>)
           attrs = {mica_sched.group = 0 : i64} ...
      %0 = mica_sched.dispatch @cache_update(%c, %new) {updates = array<i64: 0>} : ...
    ```
  }];
  let dependentDialects = ["mica::sched::MicaSchedDialect", "mlir::linalg::LinalgDialect", "mlir::tensor::TensorDialect"];
}

def CopyResults : Pass<"mica-dispatch-copy-results", "mlir::func::FuncOp"> {
  let summary = "copy returned tensors that no kernel can write to the result's memory";
  let description = [{
    Each tensor a host function returns is written by one dispatch straight to the memory the caller gets. Where the returned
    tensor is an argument, a constant, what control flow gives, returned twice, or a view of dynamic size, it is copied; the
    copy is a group of its own, for mica-dispatch-outline-kernels.

    On entry: outlined kernels. On exit: every returned tensor is a dispatch's, or a marked copy's.

    Example:

    ```mlir
    func.func @same(%x: tensor<4xf32>) -> tensor<4xf32> {
      return %x : tensor<4xf32>
    }
    // becomes
      %0 = tensor.empty() : tensor<4xf32>
      %1 = linalg.generic {...identity...} ins(%x : tensor<4xf32>) outs(%0 : tensor<4xf32>)
           attrs = {mica_sched.group = 0 : i64} ...
      return %1 : tensor<4xf32>
    ```
  }];
  let dependentDialects = ["mica::sched::MicaSchedDialect", "mlir::linalg::LinalgDialect", "mlir::tensor::TensorDialect"];
}

#endif // MICA_PASSES_DISPATCH_PASSES
