//===- Passes.td - Shard pass definitions --------------------------*- tablegen -*-===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------===//

#ifndef MICA_PASSES_SHARD_PASSES
#define MICA_PASSES_SHARD_PASSES

include "mlir/Pass/PassBase.td"

def AnnotateProgram : Pass<"mica-shard-annotate-program", "mlir::ModuleOp"> {
  let summary = "Annotate arguments and results with shardings from the command line";
  let description = [{
    For mica-compile's `--shard`. Each of `shardings` names a value, `FUNCTION:argumentN` or `FUNCTION:resultN`, and for
    each of its dimensions the axes of the grid that split it: `-`, or numbers joined by `+`; dimensions are separated by
    colons. The value gets a `shard.shard`; a program without a `shard.grid` gets one with the sizes of `grid`. In a
    function that has collectives, tensors are parts already, and the value gets the attribute `mica_sched.sharding`.

    It is an error if the program has a grid of other sizes.

    Example, with `grid=4 shardings=f:argument0=0`:

    ```mlir
    func.func @f(%x: tensor<8xf32>) -> tensor<8xf32> {
      %0 = math.exp %x : tensor<8xf32>
      return %0 : tensor<8xf32>
    }
    // becomes
    shard.grid @ranks(shape = 4)
    func.func @f(%x: tensor<8xf32>) -> tensor<8xf32> {
      %s = shard.sharding @ranks split_axes = [[0]] : !shard.sharding
      %part = shard.shard %x to %s annotate_for_users : tensor<8xf32>
      %0 = math.exp %part : tensor<8xf32>
      return %0 : tensor<8xf32>
    }
    ```
  }];
  let options = [
    ListOption<"grid", "grid", "int64_t", "Sizes of the grid of ranks">,
    ListOption<"shardings", "shardings", "std::string", "FUNCTION:VALUE=AXES, such as main:argument0=0:-">,
  ];
  let dependentDialects = ["mlir::shard::ShardDialect"];
}

def PartitionProgram : Pass<"mica-shard-partition-program", "mlir::ModuleOp"> {
  let summary = "Make annotated functions the program of one rank";
  let description = [{
    Only in programs with ops of `shard`. Calls are inlined, and ops of `mica` and elementwise ops become ops of
    `linalg`, because those have sharding interfaces. Then upstream's `sharding-propagation` gives each tensor of an
    annotated function a sharding, and `shard-partition` makes the function what one rank computes on its parts, with
    collectives where a rank needs more. Constants are whole on each rank, which takes its part of them. Arguments and
    results get the attribute `mica_sched.sharding`. A branch on the rank's number whose two sides fill a tensor with
    the same number becomes that fill.

    It is an error if a size is not divisible by the number of ranks along it or is dynamic, if two grids are used, or
    if an op has no sharding interface and an operand or a result that is split.

    Postcondition: no `shard.shard` is left.

    Example:

    ```mlir
    shard.grid @g(shape = 4)
    func.func @f(%x: tensor<8xf32>) -> tensor<8xf32> {
      %s = shard.sharding @g split_axes = [[0]] : !shard.sharding
      %0 = shard.shard %x to %s annotate_for_users : tensor<8xf32>
      %1 = math.exp %0 : tensor<8xf32>
      return %1 : tensor<8xf32>
    }
    // becomes
    shard.grid @g(shape = 4)
    func.func @f(%x: tensor<2xf32> {mica_sched.sharding = {axes = [array<i64: 0>], grid = array<i64: 4>,
                                                           shape = array<i64: 8>}})
        -> (tensor<2xf32> {mica_sched.sharding = {axes = [array<i64: 0>], grid = array<i64: 4>,
                                                  shape = array<i64: 8>}}) {
      %0 = linalg.generic {...} ins(%x : tensor<2xf32>) outs(%x : tensor<2xf32>) { ... math.exp ... } -> tensor<2xf32>
      return %0 : tensor<2xf32>
    }
    ```
  }];
  let dependentDialects = ["mlir::shard::ShardDialect", "mlir::tensor::TensorDialect", "mlir::arith::ArithDialect",
                           "mlir::linalg::LinalgDialect", "mlir::scf::SCFDialect", "mlir::affine::AffineDialect",
                           "mlir::math::MathDialect"];
}

def ConvertShardToMicaSched : Pass<"convert-shard-to-mica-sched", "mlir::ModuleOp"> {
  let summary = "Convert collectives to exchanges of buffers";
  let description = [{
    Each collective of `shard` becomes a `mica_sched.collective` in a `mica_sched.buffer_region`, so that it is a kernel
    of its own, with the id of the op. `shard.process_linear_index` becomes one that gives the rank's number, and
    `shard.process_multi_index` is computed from it. `shard.grid_shape` becomes constants. `shard.update_halo` becomes
    shifts of rows, along one dimension after the other.

    Roots, sources and destinations have to be constants. A collective that converts elements is an error: convert
    before it.

    Postcondition: no op of `shard` is left.

    Example:

    ```mlir
    shard.grid @g(shape = 4)
    func.func @f(%x: tensor<8xf32>) -> tensor<8xf32> {
      %0 = shard.all_reduce %x on @g grid_axes = [0] : tensor<8xf32> -> tensor<8xf32>
      return %0 : tensor<8xf32>
    }
    // becomes
    func.func @f(%x: tensor<8xf32>) -> tensor<8xf32> {
      %e = tensor.empty() : tensor<8xf32>
      %0 = mica_sched.buffer_region reads(%x : tensor<8xf32>) updates(%e : tensor<8xf32>) {
      ^bb0(%from: memref<8xf32>, %to: memref<8xf32>):
        mica_sched.collective all_reduce from %from : memref<8xf32> to %to : memref<8xf32>
          on [4] axes [0] reduction sum
      } -> tensor<8xf32>
      return %0 : tensor<8xf32>
    }
    ```
  }];
  let dependentDialects = ["mlir::tensor::TensorDialect", "mlir::arith::ArithDialect", "mlir::affine::AffineDialect",
                           "::mica::sched::MicaSchedDialect"];
}

#endif // MICA_PASSES_SHARD_PASSES
