//===- SdyOps.td - the dialect `sdy` --------------------------------*- tablegen -*-===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------===//

#ifndef SDY_OPS
#define SDY_OPS

include "mlir/IR/OpBase.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Sdy_Dialect : Dialect {
  let name = "sdy";
  let summary = "How tensors are spread over devices, as JAX annotates it (Shardy)";
  let description = [{
    Annotations of programs for several devices. They do not change what a program computes, and Mica runs it on one
    device: `legalize-stablehlo-types` removes them. Attributes are kept as text. A computation that runs once for each
    device (`manual_computation`, from `jax.shard_map`) is refused.

    Example:

    ```mlir
    sdy.mesh @mesh = <["x"=2, "y"=4]>
    func.func @main(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {} ]>}) -> tensor<8x8xf32> {
      %0 = sdy.sharding_constraint %a <@mesh, [{}, {"y"} ]> : tensor<8x8xf32>
      return %0 : tensor<8x8xf32>
    }
    ```
  }];
  let cppNamespace = "::mica::sdy";
  let extraClassDeclaration = [{
    /// Any attribute, kept as its text.
    mlir::Attribute parseAttribute(mlir::DialectAsmParser &parser, mlir::Type type) const override;
  }];
}

def Sdy_MeshOp : Op<Sdy_Dialect, "mesh", [Symbol]> {
  let summary = "names of the axes along which devices are arranged, and how many there are along each";
  let arguments = (ins SymbolNameAttr:$sym_name, AnyAttr:$mesh);
  let assemblyFormat = "$sym_name `=` custom<Annotation>($mesh) attr-dict";
}

class Sdy_ShardOp<string mnemonic, string text>
    : Op<Sdy_Dialect, mnemonic, [Pure, AllTypesMatch<["input", "result"]>]> {
  let summary = text;
  let arguments = (ins AnyType:$input, AnyAttr:$sharding);
  let results = (outs AnyType:$result);
  let assemblyFormat = "$input custom<Annotation>($sharding) attr-dict `:` type($result)";
}
def Sdy_ShardingConstraintOp : Sdy_ShardOp<"sharding_constraint", "the operand, spread over devices as it says">;
def Sdy_ReshardOp : Sdy_ShardOp<"reshard", "the operand, spread over devices in another way">;

def Sdy_ShardingGroupOp : Op<Sdy_Dialect, "sharding_group"> {
  let summary = "tensors that are spread over devices in one way";
  let arguments = (ins AnyType:$input, I64Attr:$group_id);
  let assemblyFormat = "$input `group_id` `=` $group_id attr-dict `:` type($input)";
}

def Sdy_ManualComputationOp : Op<Sdy_Dialect, "manual_computation"> {
  let summary = "a computation that runs on each device with its part of the operands; refused";
  let arguments = (ins Variadic<AnyType>:$tensors, AnyAttr:$in_shardings, AnyAttr:$manual_axes,
                       AnyAttr:$out_shardings);
  let results = (outs Variadic<AnyType>:$results);
  let regions = (region AnyRegion:$body);
  let assemblyFormat = [{
    `(` operands `)` `in_shardings` `=` custom<Annotation>($in_shardings) `out_shardings` `=`
    custom<Annotation>($out_shardings) `manual_axes` `=` custom<Annotation>($manual_axes) custom<Body>($body)
    attr-dict `:` functional-type(operands, results)
  }];
}

def Sdy_ReturnOp : Op<Sdy_Dialect, "return", [Pure, Terminator]> {
  let summary = "terminator of the regions of the dialect";
  let arguments = (ins Variadic<AnyType>:$results);
  let assemblyFormat = "($results^)? attr-dict (`:` type($results)^)?";
}

#endif // SDY_OPS
