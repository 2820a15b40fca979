//===- ControlFlowOps.td - conditionals and loops ------------------*- tablegen -*-===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------===//
//
// Control flow on tensors. docs/Rationale/ControlFlow.md says why the dialect does not use scf for it.
//
//===------------------------------------------------------------------------------===//

#ifndef MICA_CONTROL_FLOW_OPS
#define MICA_CONTROL_FLOW_OPS

include "dialects/Mica/IR/MicaEnums.td"

/// An op with regions; it is pure if the ops in its regions are.
class Mica_ControlOp<string mnemonic>
    : Op<Mica_Dialect, mnemonic, [RecursiveMemoryEffects, RecursivelySpeculatable, SingleBlock]> {
  let hasRegionVerifier = 1;
}

def Mica_IfOp : Mica_ControlOp<"if"> {
  let summary = "conditional execution of one of two regions";
  let description = [{
    If `condition` is 1, the results are the values that the first region yields, otherwise those that the
    second region yields. Only the selected region is executed. Both regions may use values from the enclosing
    scope. The host function waits until the condition is computed.

    Constraints:
    - (C1) the condition is a tensor of rank 0 of `i1`;
    - (C2) the regions have no arguments;
    - (C3) both regions yield values of the result types.

    Example:

    ```mlir
    func.func @if(%c: tensor<i1>, %x: tensor<4xf32>) -> tensor<4xf32> {
      %0 = mica.if %c : (tensor<i1>) -> tensor<4xf32> {
        %1 = mica.exp %x : tensor<4xf32>
        mica.yield %1 : tensor<4xf32>
      } else {
        mica.yield %x : tensor<4xf32>
      }
      return %0 : tensor<4xf32>
    }
    ```
  }];
  let arguments = (ins Mica_Tensor:$condition);
  let results = (outs Variadic<Mica_Tensor>:$results);
  let regions = (region SizedRegion<1>:$then_region, SizedRegion<1>:$else_region);
  let assemblyFormat = [{
    $condition `:` functional-type(operands, results) $then_region `else` $else_region attr-dict
  }];
}

def Mica_WhileOp : Mica_ControlOp<"while"> {
  let summary = "loop that runs while a condition holds";
  let description = [{
    The first region computes the condition from the loop-carried values. If it yields 1, the second region
    computes the next values from the same loop-carried values; if it yields 0, the loop-carried values are the
    results. Both regions may use values from the enclosing scope. The host function waits until each condition
    is computed.

    Constraints:
    - (C1) the initial values, the results and the arguments of both regions have the same types;
    - (C2) the first region yields a tensor of rank 0 of `i1`;
    - (C3) the second region yields values of the loop-carried types.

    Example:

    ```mlir
    func.func @while(%x: tensor<4xf32>) -> tensor<4xf32> {
      %n = mica.constant dense<3> : tensor<i32>
      %0:2 = mica.while(%n, %x) : (tensor<i32>, tensor<4xf32>) -> (tensor<i32>, tensor<4xf32>) {
      ^bb0(%i: tensor<i32>, %a: tensor<4xf32>):
        %left = tensor.extract %i[] : tensor<i32>
        %zero = arith.constant 0 : i32
        %more = arith.cmpi sgt, %left, %zero : i32
        %1 = tensor.from_elements %more : tensor<i1>
        mica.yield %1 : tensor<i1>
      } do {
      ^bb0(%i: tensor<i32>, %a: tensor<4xf32>):
        %one = mica.constant dense<1> : tensor<i32>
        %1 = mica.sub %i, %one : tensor<i32>
        %2 = mica.add %a, %a : tensor<4xf32>
        mica.yield %1, %2 : tensor<i32>, tensor<4xf32>
      }
      return %0#1 : tensor<4xf32>
    }
    ```
  }];
  let arguments = (ins Variadic<Mica_Tensor>:$inits);
  let results = (outs Variadic<Mica_Tensor>:$results);
  let regions = (region SizedRegion<1>:$condition, SizedRegion<1>:$body);
  let assemblyFormat = [{
    `(` $inits `)` `:` functional-type(operands, results) $condition `do` $body attr-dict
  }];
}

def Mica_YieldOp : Op<Mica_Dialect, "yield", [Pure, Terminator]> {
  let summary = "terminator of the regions of mica.if and mica.while";
  let description = [{
    Yields values from a region of `mica.if` or `mica.while`, whose constraints define their types.

    Constraints:
    - (C1) the op terminates a region of `mica.if` or `mica.while`.

    Example:

    ```mlir
    func.func @same(%c: tensor<i1>, %x: tensor<4xf32>) -> tensor<4xf32> {
      %0 = mica.if %c : (tensor<i1>) -> tensor<4xf32> {
        mica.yield %x : tensor<4xf32>
      } else {
        mica.yield %x : tensor<4xf32>
      }
      return %0 : tensor<4xf32>
    }
    ```
  }];
  let arguments = (ins Variadic<Mica_Tensor>:$values);
  let assemblyFormat = "attr-dict ($values^ `:` type($values))?";
  let hasVerifier = 1;
}

#endif // MICA_CONTROL_FLOW_OPS
