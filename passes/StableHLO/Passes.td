//===- Passes.td - StableHLO pass definitions ----------------------*- tablegen -*-===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------===//

#ifndef MICA_PASSES_STABLEHLO_PASSES
#define MICA_PASSES_STABLEHLO_PASSES

include "mlir/Pass/PassBase.td"

def ConvertVHLOToStableHLO : Pass<"convert-vhlo-to-stablehlo", "mlir::ModuleOp"> {
  let summary = "Convert the versioned ops of portable artifacts to stablehlo";
  let description = [{
    Bytecode that `jax.export` and `stablehlo-translate --serialize` write holds ops of `vhlo`. `mica-compile` converts
    them as it reads a file; with `mica-opt` this pass does. Ops of all versions from 0.9.0 to 1.13.0 are read; one of a
    newer version is an error that names it.

    Postcondition: no op of `vhlo` is left.

    Example:

    ```mlir
    "vhlo.func_v1"() <{...}> ({
    ^bb0(%x: tensor<4xf32>):
      %0 = "vhlo.abs_v1"(%x) : (tensor<4xf32>) -> tensor<4xf32>
      "vhlo.return_v1"(%0) : (tensor<4xf32>) -> ()
    })
    // becomes
    func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
      %0 = stablehlo.abs %x : tensor<4xf32>
      return %0 : tensor<4xf32>
    }
    ```
  }];
  let dependentDialects = ["::mica::stablehlo::StableHLODialect", "::mica::vhlo::VHLODialect",
                           "mlir::func::FuncDialect"];
}

def LegalizeStableHLOTypes : Pass<"legalize-stablehlo-types", "mlir::ModuleOp"> {
  let summary = "Convert complex values to pairs, unsigned integers to signless ones, and remove tuples and quantized types";
  let description = [{
    Only in programs with ops of `stablehlo`, `chlo` or `sdy`. Collectives
    among several processes become those of `shard`, on the grid of ranks with the fewest axes along which their groups
    lie, and a function that is one `sdy.manual_computation` becomes what one rank computes. Annotations of `sdy` are
    removed; in a module with the attribute `stablehlo.use_shardings` those of arguments, results and `sdy.sharding_constraint`, and `mhlo.sharding` of arguments
    and results, become `shard.shard`. Where sizes are dynamic, calls are inlined, integers that follow
    from constants are computed, and types become static where their sizes follow. Tuples become their elements, and tokens
    vanish. An op on quantized elements becomes one on the floats that these express, between conversions; other ops carry
    the integers that store them. Floats of 8 bits that `mica` lacks are carried in `f32`, integers of 2 bits in those of 4,
    and rounded after ops that compute. Ops that others compose are expanded: ops of `chlo` that broadcast, batch normalization,
    random bits, composites; and collective ops in a group of one process. A complex tensor becomes two tensors, its real and its imaginary part,
    also among the arguments and results of functions, where `mica.imaginary` marks the second of the two for callers; ops on it become ops on the parts. Unsigned integers become
    signless ones of their width, and ops that worked on them keep the attribute `stablehlo.unsigned`, which says of all
    operands, then of all results, whether they were unsigned. Ops on complex elements without a conversion are errors, or
    warnings that leave their function out, if other public functions remain and it is not `main`.

    Postcondition: no value has complex, unsigned or quantized elements, or is a tuple or token.

    Example:

    ```mlir
    func.func @f(%x: tensor<4xui8>, %y: tensor<4xui8>) -> tensor<4xui8> {
      %0 = stablehlo.maximum %x, %y : tensor<4xui8>
      return %0 : tensor<4xui8>
    }
    // becomes
    func.func @f(%x: tensor<4xi8>, %y: tensor<4xi8>) -> tensor<4xi8> {
      %0 = stablehlo.maximum %x, %y {stablehlo.unsigned = array<i1: true, true, true>} : tensor<4xi8>
      return %0 : tensor<4xi8>
    }
    ```
  }];
  let dependentDialects = ["::mica::stablehlo::StableHLODialect", "::mica::chlo::CHLODialect",
                           "::mlir::shard::ShardDialect", "::mlir::arith::ArithDialect",
                           "::mlir::tensor::TensorDialect"];
}

def ConvertStableHLOToMica : Pass<"convert-stablehlo-to-mica", "mlir::ModuleOp"> {
  let summary = "Convert stablehlo ops to mica, and to linalg, tensor and arith where mica has no equivalent";
  let description = [{
    Replaces each op of `stablehlo` by the op of `mica` that computes the same, and keeps its location. Where `mica` has
    none, several ops replace it: `dot_general` becomes a `mica.matmul` between transposes and reshapes, `case` a chain
    of `mica.if`, a `reduce` with a computation of its own a `linalg.generic`. docs/StableHLO.md has the table.

    Values have neither complex nor unsigned elements: `legalize-stablehlo-types` runs before. Ops and forms that are not
    supported (such as dynamic sizes in ops other than the elementwise ones) are errors, all reported at once. They are
    warnings, and their function is left out, if other public functions remain and it is not `main`.

    Postcondition: no op of `stablehlo` is left.

    Example:

    ```mlir
    func.func @f(%x: tensor<4x8xf32>) -> tensor<4xf32> {
      %zero = stablehlo.constant dense<0.0> : tensor<f32>
      %0 = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [1]
         : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
      return %0 : tensor<4xf32>
    }
    // becomes
    func.func @f(%x: tensor<4x8xf32>) -> tensor<4xf32> {
      %0 = mica.reduce sum %x dims = [1] : (tensor<4x8xf32>) -> tensor<4xf32>
      return %0 : tensor<4xf32>
    }
    ```
  }];
  let dependentDialects = ["::mica::MicaDialect", "mlir::arith::ArithDialect", "mlir::linalg::LinalgDialect",
                           "mlir::cf::ControlFlowDialect", "mlir::math::MathDialect", "mlir::scf::SCFDialect",
                           "mlir::tensor::TensorDialect"];
}

#endif // MICA_PASSES_STABLEHLO_PASSES
