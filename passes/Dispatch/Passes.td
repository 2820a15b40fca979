//===- Passes.td - Dispatch pass definitions -----------------------*- tablegen -*-===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------===//

#ifndef MICA_PASSES_DISPATCH_PASSES
#define MICA_PASSES_DISPATCH_PASSES

include "mlir/Pass/PassBase.td"

def ConvertMicaToLinalg : Pass<"convert-mica-to-linalg"> {
  let summary = "Lower the mica dialect to linalg on tensors";
  let description = [{
    Converts every op of `mica` to ops of `linalg`, `tensor`, `arith` and `math` on tensors. The new ops, those
    in bodies of `linalg.generic` included, get the location of the original op. What no structured op can
    express (`scatter`, `cache_update`, `sort`, `top_k`) becomes an `scf.forall` over independent rows with
    loops inside. `mica.if` and `mica.while` become `scf.if` and `scf.while`.

    Indexing maps of elementwise ops and reductions are projected permutations: a dimension that is broadcast is
    removed from the operand by `tensor.collapse_shape`. Statistics of a row (in `softmax`, `layer_norm`,
    `reduce`) are tensors without the reduced dimensions. Dynamic sizes are computed from the sizes of the
    function's arguments as far as the ops in between can reify their result shapes.

    Postcondition: no op of `mica` is left.

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

def InlineCalls : Pass<"mica-dispatch-inline-calls", "mlir::ModuleOp"> {
  let summary = "Inline calls of functions, callers first";
  let description = [{
    Replaces each `func.call` by the body of its function, which is moved if nothing else uses it and else cloned. The
    locations of the ops become call paths (`callsite`). It begins with the functions that others than inlined calls
    use, so that each op is moved or cloned once, and its call path made once: upstream's `inline`, which begins with
    the functions that call none, takes the square of the number of levels. Inside of an `scf.if`, its condition
    becomes a constant.

    Calls stay of functions that call themselves (through others, too), of declarations, of what their dialects do not
    let be inlined (`no_inline`), and of functions of several blocks in ops that hold one. Functions that only inlined
    calls used may be left, and stay as they are (`symbol-dce` removes them).

    Example:

    ```mlir
    func.func private @f(%x: tensor<4xf32>) -> tensor<4xf32> {
      %0 = math.tanh %x : tensor<4xf32> loc("f")
      return %0 : tensor<4xf32>
    }
    func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
      %0 = call @f(%x) : (tensor<4xf32>) -> tensor<4xf32> loc("main")
      return %0 : tensor<4xf32>
    }
    // becomes
    func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
      %0 = math.tanh %x : tensor<4xf32> loc(callsite("f" at "main"))
      return %0 : tensor<4xf32>
    }
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect",
                           "::mlir::vector::VectorDialect"];
}

def CheckReshapes : Pass<"mica-dispatch-check-reshapes", "mlir::func::FuncOp"> {
  let summary = "Insert checks of what ops require of dynamic sizes";
  let description = [{
    What the labelled constraints of an op of `mica` require of sizes that its types leave open becomes a
    `mica_sched.check_sizes` before it, whose message begins with the label. The verifier of the op lists these
    requirements (dialects/Mica/IR/SizeRequirements.h).

    `tensor.reshape`, `tensor.expand_shape` and `mica.reshape` reinterpret the elements of a tensor in another
    shape, `tensor.cast` to a type with more static sizes; `memref` has the same ops on buffers. Where only the
    program at run time can tell whether the sizes match, the pass inserts a `mica_sched.check_reshape` before
    the op, because mismatched sizes would cause accesses outside of the tensor. Dynamic sizes that are sums, as
    in padding and concatenation, get a `mica_sched.check_sum`; slices, and sizes that the parts of a concatenation
    share, a `mica_sched.check_sizes`. Checks are inserted whatever `assert-level` is.
    Sizes required of the arguments of an entry point are checked when it is called instead.

    A loop whose step became a constant that is not positive, since calls were inlined, gets the assert of
    `mica-tensor-block-dynamic-folds`. Each `tensor.extract` in the body of an op, and each slice in an `scf.forall` at a
    position that is computed, is tagged as an access of the program (`mica_check.access` in its location), so that `mica-check-insert` checks it unless it is proved to be inside.

    Precondition: kernels are not formed yet. Postcondition: each such op in a host function is preceded by its
    checks.

    Example:

    ```mlir
    %0 = tensor.expand_shape %x [[0, 1]] output_shape [%a, %b] : tensor<?xf32> into tensor<?x?xf32>
    // becomes
    %n = tensor.dim %x, %c0 : tensor<?xf32>
    mica_sched.check_reshape sizes(%n) : tensor<?xf32> to sizes(%a, %b) : tensor<?x?xf32>
    %0 = tensor.expand_shape %x [[0, 1]] output_shape [%a, %b] : tensor<?xf32> into tensor<?x?xf32>
    ```
  }];
  let dependentDialects = ["::mica::sched::MicaSchedDialect", "::mlir::affine::AffineDialect",
                           "::mlir::arith::ArithDialect", "::mlir::cf::ControlFlowDialect",
                           "::mlir::memref::MemRefDialect", "::mlir::tensor::TensorDialect"];
}

def GeneralizeOps : Pass<"mica-dispatch-generalize-ops", "mlir::func::FuncOp"> {
  let summary = "Generalize structured ops to linalg.generic";
  let description = [{
    Named `linalg` ops other than `linalg.fill` become `linalg.generic`, so that the ops of their bodies are
    explicit and carry ids. Ops that stand for several (`linalg.softmax`, Winograd transforms) are decomposed,
    `tensor.splat` becomes a fill, `tensor.gather` a generic that extracts its elements, and `tensor.scatter` an
    `scf.forall`. An init that is never read becomes `tensor.empty`; an init that is a splat constant becomes a
    fill. A `tensor.dim` of a structured op's result becomes the size that its `tensor.empty` was made with.

    Precondition: structured ops on tensors with ids. Postcondition: every structured op on tensors is a
    `linalg.generic` or a `linalg.fill`, and every op in a body carries the ids of its structured op.

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
                           "mlir::scf::SCFDialect", "mlir::tensor::TensorDialect"];
}

def InferDimEqualities : Pass<"mica-dispatch-infer-dim-equalities", "mlir::func::FuncOp"> {
  let summary = "Infer which dynamic sizes must be equal, and check what ops require of them";
  let description = [{
    Sets `mica.related_sizes` on the function. Each entry states that an op requires a dynamic size of an
    argument to equal another one or a constant. Its `sizes` are five integers: argument and dimension; argument
    and dimension of the other size, or -1 twice; the constant, or -1. Its `op` is the id of the op. The runtime
    rejects inputs that violate an entry before any kernel runs. Ops in branches and loops add no entries, because
    they may not be executed.

    What an op requires of other sizes is checked before it by `mica_sched.check_sizes`: that those of a new tensor
    are not negative, that all operands of a loop of a structured op have one size, that the positions of a window
    exist, that a slice that is inserted has the sizes of its source. Sizes that are equal in every run are not compared: checks of them that are there
    already are erased, as are those that the entries stand for.

    Precondition: ops are in the form of mica-dispatch-generalize-ops, which the pass does not change.

    Example:

    ```mlir
    func.func @add(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32>
        attributes {mica.related_sizes = [ {op = "3f2a91c07b1e", sizes = array<i64: 1, 0, 0, 0, -1>} ]} {
    ```
  }];
  let dependentDialects = ["mica::sched::MicaSchedDialect", "mlir::arith::ArithDialect", "mlir::linalg::LinalgDialect",
                           "mlir::tensor::TensorDialect"];
}

def DropUnitDims : Pass<"mica-dispatch-drop-unit-dims", "mlir::func::FuncOp"> {
  let summary = "Drop unit dimensions of elementwise ops and reductions";
  let description = [{
    Frontends keep a batch dimension of 1 and the reduced dimensions of statistics. Elementwise ops, data
    movement and reductions lose their dimensions of size 1; their operands and results are reshaped, and
    adjacent reshapes cancel. A contraction loses only unit batch dimensions. Convolutions, pooling, ops that
    use `linalg.index`, and elementwise ops that will be fused with a contraction or convolution stay unchanged.

    Precondition: ops are in the form of mica-dispatch-generalize-ops, which the pass preserves.

    Example:

    ```mlir
    %1 = linalg.generic ... ins(%x, %m : tensor<1x32x64xf32>, tensor<1x32x1xf32>) outs(... : tensor<1x32x64xf32>)
    // becomes
    %1 = linalg.generic ... ins(%y, %n : tensor<32x64xf32>, tensor<32xf32>) outs(... : tensor<32x64xf32>)
    ```
  }];
  let options = [Option<"maxIterations", "max-iterations", "int64_t", /*default=*/"10",
                        "Maximum number of iterations of the greedy driver that cancels reshapes">];
  let dependentDialects = ["mlir::affine::AffineDialect", "mlir::linalg::LinalgDialect", "mlir::tensor::TensorDialect"];
}

def ExpandBatches : Pass<"mica-dispatch-expand-batches", "mlir::func::FuncOp"> {
  let summary = "Expand the batch dimensions of the products of an attention to those of its softmax";
  let description = [{
    A batched product has one batch dimension, the softmax of an attention often two (batch and heads). The product of
    the scores takes the dimensions of the softmax, as does the product of the weights, so that no reshape separates
    them from it and one kernel can compute all three. Applies to products of static sizes whose result is reduced
    behind elementwise ops, or one factor of which comes from exponentials.

    Precondition: ops are in the form of mica-dispatch-generalize-ops, which the pass preserves.

    Example:

    ```mlir
    %1 = linalg.generic ... outs(%e : tensor<8x64x96xf32>)
    %2 = tensor.expand_shape %1 [[0, 1], [2], [3]] output_shape [2, 4, 64, 96] : ...
    // becomes
    %2 = linalg.generic ... outs(%f : tensor<2x4x64x96xf32>)
    ```
  }];
  let options = [Option<"maxIterations", "max-iterations", "int64_t", /*default=*/"10",
                        "Maximum number of iterations of the greedy driver that moves reshapes">];
  let dependentDialects = ["mlir::affine::AffineDialect", "mlir::linalg::LinalgDialect", "mlir::tensor::TensorDialect"];
}

def OutlineVectorCode : Pass<"mica-dispatch-outline-vector-code", "mlir::func::FuncOp"> {
  let summary = "Outline vector code in host functions into loops that become kernels";
  let description = [{
    Values of vector type exist only in kernels. Each tensor or scalar that a host function computes with
    vectors becomes the result of an `scf.forall` with one iteration, whose body contains the ops that compute
    it. A loop that may run entirely in a kernel is moved as a whole, and consecutive writes into one tensor are
    moved together. Ops that print vectors stay in the host function.

    Precondition: structured ops are in the form of mica-dispatch-generalize-ops. Postcondition: outside of
    `scf.forall`, only ops with side effects, and ops whose result sizes cannot be determined, have operands or
    results of vector type.

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
  let summary = "Form groups of ops to be fused into one kernel";
  let description = [{
    Sets `mica_sched.group` on each op that runs in a kernel to the number of its group. Groups are convex: no
    use-def path leaves a group and returns to it. Fills and broadcasts are cloned for each consumer first.
    mica-dispatch-outline-kernels reads nothing but this attribute, so that fusion can be changed by editing a
    snapshot.

    Precondition: ops are in the form of mica-dispatch-generalize-ops. Postcondition: every op that does not run
    on the host is in a group.

    Example:

    ```mlir
    %1 = linalg.generic ... {mica_sched.group = 0 : i64} ...
    %2 = linalg.generic ... {mica_sched.group = 0 : i64} ...
    ```
  }];
  let options = [
    Option<"fuse", "fuse", "bool", /*default=*/"true", "Fuse several ops into one group; false: one op per group">,
    Option<"prologues", "prologues", "::mica::Prologues", /*default=*/"::mica::Prologues::None",
           "Elementwise ops to fuse into the contraction that is the only consumer of their results",
           [{::llvm::cl::values(
              clEnumValN(::mica::Prologues::None, "none", "none"),
              clEnumValN(::mica::Prologues::Widening, "widening", "those that extend 8-bit integers to 32 bits, less zero points"),
              clEnumValN(::mica::Prologues::All, "all", "all cheap ones"))}]>,
    Option<"padding", "padding", "bool", /*default=*/"false",
           "Fuse the padding of images into a convolution or pooling each of whose results reads one image">,
    Option<"attention", "attention", "bool", /*default=*/"false",
           "Fuse two products and the softmax between them">,
    Option<"materialize", "materialize", "bool", /*default=*/"false",
           "End groups behind ops whose location has the tag mica_check.dump, so that their results are stored">,
  ];
}

def OutlineKernels : Pass<"mica-dispatch-outline-kernels", "mlir::ModuleOp"> {
  let summary = "Outline groups of ops into kernels and replace them by dispatches";
  let description = [{
    Creates a kernel module for each group marked by mica-dispatch-form-groups. Its function takes buffers to
    read, buffers to write and scalars. Splat constants and `tensor.empty` are cloned into the kernel; other
    constants become operands, so that a kernel contains no data. Constants that a contraction or convolution
    multiplies with are always operands. Floating-point scalars are passed as tensors of rank 0. Groups that
    differ only in names and locations share one kernel.

    A kernel is named after its root op, the ops fused with it, and its iteration domain. `mica_sched.op_ids`
    lists the ids of all its ops, those of the root first; each dispatch lists the ids of its own ops in the
    same order.

    Precondition: ops are marked with groups. Postcondition: no structured op is left in host functions.

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

def InsertInplaceCopies : Pass<"mica-dispatch-insert-inplace-copies", "mlir::func::FuncOp"> {
  let summary = "Copy tensors that a kernel updates in place where others still need them";
  let description = [{
    A dispatch with `updates` overwrites the memory of an operand. This is allowed if a kernel of the same block
    wrote that memory and nothing else reads it afterwards, or if a loop carries it from iteration to iteration
    and its initial value satisfies the same condition. Otherwise, that is, if the operand is a function
    argument, a constant or a result of control flow, or is used later, the pass copies the operand. For a loop
    it copies the initial value, once. Each copy is a group of its own for mica-dispatch-outline-kernels.

    Precondition: kernels are outlined. Postcondition: a tensor that a dispatch updates has no other users that
    need its old elements.

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
  let summary = "Copy returned tensors that no kernel can write to the memory of the result";
  let description = [{
    Each tensor that a host function returns is written by one dispatch directly into memory of the caller.
    Where the returned tensor is an argument, a constant, a result of control flow, a view of dynamic size, or
    returned twice, the pass inserts a copy. Each copy is a group of its own for mica-dispatch-outline-kernels.

    Precondition: kernels are outlined. Postcondition: every returned tensor is the result of a dispatch or of a
    copy that is marked as a group.

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
