//===- Passes.td - passes of the area Tensor ----------------------------*- tablegen -*-===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------===//

#ifndef MICA_PASSES_TENSOR_PASSES
#define MICA_PASSES_TENSOR_PASSES

include "mlir/Pass/PassBase.td"

//===------------------------------------------------------------------------------===//
// Phase input
//===------------------------------------------------------------------------------===//

def ApplyTransforms : Pass<"mica-tensor-apply-transforms", "mlir::ModuleOp"> {
  let summary = "run the transform script of the file, where asked to, and remove it";
  let description = [{
    A file may hold a script of upstream's transform dialect: `transform.named_sequence` beside the functions, or in a module
    of its own. With `entry` the sequence of that name runs on the program; without, nothing does. Then all of the dialect,
    modules that hold nothing else and `transform.*` attributes are removed.

    On entry: a program as parsed. On exit: nothing of the transform dialect.

    Example:

    ```mlir
    module attributes {transform.with_named_sequence} {
      func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
        return %x : tensor<4xf32>
      }
      transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
        transform.yield
      }
    }
    // becomes
    module {
      func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
        return %x : tensor<4xf32>
      }
    }
    ```
  }];
  let options = [
    Option<"entry", "entry", "std::string", /*default=*/"", "Name of the sequence to run, e.g. __transform_main">
  ];
}

def VerifyInput : Pass<"mica-verify-input", "mlir::ModuleOp"> {
  let summary = "refuse what Mica does not compile, all of it at once";
  let description = [{
    Reports every operation, type and constant of the program that no later phase takes, each with its position: ops of
    other dialects and single ops of accepted dialects, unranked tensors, memrefs, element types without code, functions
    without a body, recursion, and weights whose bytes are missing (`dense_resource<__elided__>`). Fails where it
    reported anything; changes nothing.

    Example:

    ```mlir
    func.func @f(%m: memref<4xf32>) {          // error: 'func.func' takes a value of type memref<4xf32>
      %c0 = arith.constant 0 : index
      %0 = memref.load %m[%c0] : memref<4xf32> // error: op 'memref.load' is not taken on input
      return
    }
    ```
  }];
  let options = [Option<"limit", "limit", "unsigned", "20", "Positions reported per kind of problem; the rest is counted">];
}

def ExternalizeConstants : Pass<"mica-externalize-constants", "mlir::ModuleOp"> {
  let summary = "name large constants by their contents";
  let description = [{
    Constants of more than `limit` elements, splats apart, become resources `mica_<hash>`, where the hash is that of the
    bytes: constants of equal bytes are one resource, whatever the input called them. Smaller resources become
    constants in the text. After this pass a layer shows weights by handle only, and every handle says what it holds.

    Example:

    ```mlir
    %w = arith.constant dense_resource<torch_tensor_84_120> : tensor<84x120xf32>
    // becomes
    %w = arith.constant dense_resource<mica_5c1f0e9a77d2b3e4> : tensor<84x120xf32>
    ```
  }];
  let options = [Option<"limit", "limit", "int64_t", "64", "Elements that a constant in the text may have">];
}

//===------------------------------------------------------------------------------===//
// Phase tensor
//===------------------------------------------------------------------------------===//

def ResolveGlobals : Pass<"mica-resolve-globals", "mlir::ModuleOp"> {
  let summary = "replace loads of ml_program globals that nobody stores to by their values";
  let description = [{
    Exporters leave globals behind (`@global_seed`), most of them without a use. A global without a store is its initial
    value; loads of it become constants. Globals without uses are removed. mica-verify-input has refused stores.

    Example:

    ```mlir
    ml_program.global private mutable @seed(dense<7> : tensor<i64>) : tensor<i64>
    func.func @f() -> tensor<i64> {
      %0 = ml_program.global_load @seed : tensor<i64>
    // becomes
      %0 = arith.constant dense<7> : tensor<i64>
    ```
  }];
  let dependentDialects = ["mlir::arith::ArithDialect"];
}

def AssignIds : Pass<"mica-assign-ids", "mlir::ModuleOp"> {
  let summary = "give every op of the program its id";
  let description = [{
    Runs first in phase `tensor`, on the program as parsed. Each op of a function, constants and terminators apart, gets a
    fused location whose metadata is `mica.op:` and 12 hex digits: the first of the SHA-256 of the function's name, the op's
    kind and the op's ordinal among its kind in the function, one to a line. Operations in a region that is an op's own
    computation (the body of `linalg.generic`, of `tensor.pad`) carry the id of that op; those in control flow (`scf.for`,
    `tosa.while_loop`) have their own.

    Whatever is made later from an op takes its location, and so its id. An op that already carries ids keeps them, so a
    recorded layer can be compiled again.

    On entry: anything. On exit: every op named above carries at least one id.

    Example:

    ```mlir
    func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
      %0 = math.exp %x : tensor<4xf32> loc("f.mlir":2:8)
      return %0 : tensor<4xf32>
    }
    // becomes: the first op of kind math.exp in @f
      %0 = math.exp %x : tensor<4xf32> loc(fused<"mica.op:a81e53e8196c">["f.mlir":2:8])
    ```
  }];
}

def StructureControlFlow : Pass<"mica-tensor-structure-control-flow", "mlir::ModuleOp"> {
  let summary = "branches between blocks become loops and conditionals";
  let description = [{
    Upstream's transformation of `cf` to `scf`, on each function and region that has more than one block. What a path leaves
    undefined is an empty tensor, or poison where it is a scalar.

    On entry: anything. On exit: every region is one block.

    Example:

    ```mlir
    func.func @f(%c: i1, %x: i32, %y: i32) -> i32 {
      cf.cond_br %c, ^end(%x : i32), ^end(%y : i32)
    ^end(%r: i32):
      return %r : i32
    }
    // becomes
    func.func @f(%c: i1, %x: i32, %y: i32) -> i32 {
      %r = scf.if %c -> (i32) {
        scf.yield %x : i32
      } else {
        scf.yield %y : i32
      }
      return %r : i32
    }
    ```
  }];
  let dependentDialects = ["mlir::arith::ArithDialect", "mlir::cf::ControlFlowDialect", "mlir::scf::SCFDialect",
                           "mlir::tensor::TensorDialect", "mlir::ub::UBDialect"];
}

def LiftBuffers : Pass<"mica-tensor-lift-buffers", "mlir::ModuleOp"> {
  let summary = "programs on buffers become programs on tensors";
  let description = [{
    Buffers hold values: from the top of a function to its end each allocation, argument, global and
    `bufferization.to_buffer` holds one tensor at a time. Structured ops on buffers become the same ops on tensors, subviews
    become slices; loops, loads and stores are gathered into `mica_sched.on_buffers`, which has a result for each buffer it
    stores to. Code that prints or calls out of the program becomes such an op with `host`. Calls of functions on buffers
    are put in place.

    On entry: arguments do not overlap, functions are one block. On exit: no buffer outside of `mica_sched.on_buffers`.
    What a public function stores to an argument is a further result, with the attribute `mica_sched.updates`.

    Example:

    ```mlir
    func.func @f(%x: memref<4xf32>, %y: memref<4xf32>) {
      linalg.exp ins(%x : memref<4xf32>) outs(%y : memref<4xf32>)
      return
    }
    // becomes
    func.func @f(%x: tensor<4xf32>, %y: tensor<4xf32>) -> (tensor<4xf32> {mica_sched.updates = 1 : i64}) {
      %0 = linalg.exp ins(%x : tensor<4xf32>) outs(%y : tensor<4xf32>) -> tensor<4xf32>
      return %0 : tensor<4xf32>
    }
    ```
  }];
  let dependentDialects = ["mica::sched::MicaSchedDialect", "mlir::arith::ArithDialect", "mlir::memref::MemRefDialect",
                           "mlir::bufferization::BufferizationDialect", "mlir::scf::SCFDialect",
                           "mlir::tensor::TensorDialect"];
}

def ConvertTosaToMica : Pass<"convert-tosa-to-mica"> {
  let summary = "Turn operations of tosa into their twins in mica, one to one";
  let description = [{
    On entry: any IR. On exit: each operation of `tosa` that `mica` can say has become one operation of `mica` with its
    location: the elementwise operations but `clz`, `reciprocal`, `rescale` and `table`, `matmul`, `conv2d`,
    `depthwise_conv2d`, `transpose_conv2d`, `max_pool2d`, `avg_pool2d`, `pad`, `resize`, `reduce_sum`, `reduce_product`,
    `reduce_max`, `reduce_min`, `reduce_any`, `reduce_all`, `argmax`, `reshape`, `transpose`, `const`, and `concat`,
    `gather`, `scatter`, `slice`, `tile`, `reverse` where places and multiples are constants. An operation stays in `tosa`
    where its twin has another meaning: zero points or a shift that are not a constant 0, NaN modes other than
    `PROPAGATE`, right shifts that round, element types that `mica` does not have, sums in a type of their own, means and
    interpolations of integers, and dynamic dimensions of elementwise operands that are not known to be equal (tosa
    repeats one that is 1 at run time, mica does not). Constants used by operations that stay also stay.

    Example:

    ```mlir
    func.func @mul(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
      %shift = "tosa.const"() <{values = dense<0> : tensor<1xi8>}> : () -> tensor<1xi8>
      %0 = tosa.mul %a, %b, %shift : (tensor<4xf32>, tensor<4xf32>, tensor<1xi8>) -> tensor<4xf32>
      return %0 : tensor<4xf32>
    }
    ```
  }];
  let dependentDialects = ["::mica::MicaDialect"];
}

def GuardFolds : Pass<"mica-tensor-guard-folds"> {
  let summary = "Replace ops of unknown size that upstream folds to constants";
  let description = [{
    `arith.xori %x, %x` folds to a constant of its type, also where that has an unknown size: no constant has one. On
    tensors of unknown size it becomes `mica.bitwise_xor`, of booleans `mica.logical_xor`, and `arith.subi` becomes
    `mica.sub`. A size that `tensor.expand_shape`
    is given as a number, and its type does not say, is given as a value: upstream's fold reads one. A slice that drops
    dimensions is given sizes that are constants as numbers: upstream's fold would drop others. Runs before anything folds.

    Example:

    ```mlir
    %0 = arith.xori %x, %y : tensor<2x?xi32>
    // becomes
    %0 = mica.bitwise_xor %x, %y : (tensor<2x?xi32>, tensor<2x?xi32>) -> tensor<2x?xi32>
    ```
  }];
  let dependentDialects = ["::mica::MicaDialect", "::mlir::arith::ArithDialect"];
}

def LowerTosaImages : Pass<"mica-tensor-lower-tosa-images"> {
  let summary = "Lower sizes of images and means of integers of tosa to linalg";
  let description = [{
    On entry: any IR. On exit: no `tosa.resize` whose scale, offset and border are constants and no `tosa.avg_pool2d` of
    integers whose zero points are. Each has become one or two operations of `linalg` with its location. Any dimension may
    have an unknown size. Elements narrower than f32 are interpolated in f32 and rounded once; integers as the
    specification of tosa has it, and so are means of them. Runs after `convert-tosa-to-mica`, for what has no twin there, and
    before upstream's conversions, which take a batch of unknown size only.

    Example:

    ```mlir
    func.func @twice(%x: tensor<1x?x?x3xf32>) -> tensor<1x?x?x3xf32> {
      %scale = tosa.const_shape {values = dense<[2, 1, 2, 1]> : tensor<4xindex>} : () -> !tosa.shape<4>
      %zero = tosa.const_shape {values = dense<0> : tensor<2xindex>} : () -> !tosa.shape<2>
      %0 = tosa.resize %x, %scale, %zero, %zero {mode = BILINEAR} : (tensor<1x?x?x3xf32>, !tosa.shape<4>, !tosa.shape<2>, !tosa.shape<2>) -> tensor<1x?x?x3xf32>
      return %0 : tensor<1x?x?x3xf32>
    }
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect", "::mlir::math::MathDialect",
                           "::mlir::tensor::TensorDialect", "::mlir::tosa::TosaDialect"];
}

def FinishTosaLowering : Pass<"mica-tensor-finish-tosa-lowering"> {
  let summary = "Remove unused constants of tosa, and name every operation of tosa that is left";
  let description = [{
    Runs after upstream's conversions of tosa. On entry: any IR. On exit: no operation of `tosa`; the pass fails where one
    is left that is used or has effects, with an error for each.

    Example:

    ```mlir
    func.func @unused() {
      %0 = tosa.const_shape {values = dense<[2, 2]> : tensor<2xindex>} : () -> !tosa.shape<2>
      return
    }
    ```
  }];
}

def CoverOutputs : Pass<"mica-tensor-cover-outputs"> {
  let summary = "Rewrite structured ops that write a part of an output as ops that write it whole";
  let description = [{
    The elements of an init that a linalg op does not write are part of its result, also where the body does not read the
    init. Passes behind this one, upstream's canonicalization and bufferization among them, take an init that is not read for
    uninitialized memory. So an op with an output map that leaves elements out (an offset, a stride, a constant, a diagonal)
    is rewritten: where the map names one loop or constant per dimension the op works on a slice of the init, else it becomes
    loops that change the init element by element, in `mica_sched.on_buffers`, or on tensors inside of `scf.forall` and in
    kernels. The same holds where a loop that the output map does not name may write an element several times, or not at all:
    any but a reduction loop with an accumulator.

    On exit: each structured op on tensors writes every element of each output, or reads its init.

    Example:

    ```mlir
    %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i + 1)>],
                         iterator_types = ["parallel"]} ins(%x : tensor<3xf32>) outs(%y : tensor<4xf32>) { .. }
    // becomes
    %e = tensor.empty() : tensor<3xf32>
    %1 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
                         iterator_types = ["parallel"]} ins(%x : tensor<3xf32>) outs(%e : tensor<3xf32>) { .. }
    %0 = tensor.insert_slice %1 into %y[1] [3] [1] : tensor<3xf32> into tensor<4xf32>
    ```
  }];
  let dependentDialects = ["mica::sched::MicaSchedDialect", "mlir::affine::AffineDialect", "mlir::arith::ArithDialect",
                           "mlir::linalg::LinalgDialect", "mlir::memref::MemRefDialect", "mlir::scf::SCFDialect",
                           "mlir::tensor::TensorDialect"];
}

def Simplify : Pass<"mica-tensor-simplify"> {
  let summary = "canonicalize and merge equal ops, keeping ids";
  let description = [{
    Upstream's canonicalization and common subexpression elimination, as one pass because a listener watches both: where
    an op takes the place of another one, it takes its ids too, and those of ops that were only read by the other one. An
    op that stands for several equal ones carries the ids of all of them. Fills, broadcasts and `tensor.empty` are not
    merged: each kernel makes its own. Operations of `mica` on casts take what was cast, where its sizes are known. What a fold leaves nothing of (`x * 1`, an op on
    constants) leaves no id either.

    On entry: any IR. On exit: the same computation; what was not folded carries the ids it had, and those of the ops that
    it replaced.

    Example:

    ```mlir
    func.func @twice(%x: tensor<4xf32>) -> tensor<4xf32> {
      %0 = mica.exp %x : tensor<4xf32>              // id A
      %1 = mica.exp %x : tensor<4xf32>              // id B
      %2 = mica.add %0, %1 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
      return %2 : tensor<4xf32>
    }
    // becomes
      %0 = mica.exp %x : tensor<4xf32>              // ids A, B
      %1 = mica.add %0, %0 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    ```
  }];
  let options = [Option<"maxIterations", "max-iterations", "int64_t", /*default=*/"10",
                        "Rounds over the IR after which canonicalization stops">];
}

def AnnotateKinds : Pass<"mica-annotate-kinds", "mlir::func::FuncOp"> {
  let summary = "write on each linalg op what kind of op it is";
  let description = [{
    Gives each op of linalg on tensors the attribute `mica.kind`: `fill`, `copy`, `transpose`, `broadcast`, `gather`,
    `move`, `elementwise`, `reduction`, `softmax`, `matmul`, `matvec`, `dot` (with `batch_` before them where there are batch
    dimensions), `conv2d`, `depthwise_conv2d`, `max_pool2d` and their relatives. The kind follows from the structure of the
    op, whatever its name: a `linalg.generic` that multiplies matrices is a `matmul`. It is there to be read; the
    formation of kernels asks the structure again, so an edited op needs no new kind, and a kind that is wrong misleads
    people only. Run again it renews every kind.

    On entry: any IR. On exit: every linalg op on tensors has the kind of its structure.

    Example:

    ```mlir
    %1 = linalg.generic {...a product of matrices...} ins(%a, %b) outs(%c) ...
    // becomes
    %1 = linalg.generic {...a product of matrices...} ins(%a, %b) outs(%c) attrs = {mica.kind = "matmul"} ...
    ```
  }];
}

#endif // MICA_PASSES_TENSOR_PASSES
