//===- StableHLOProgramOps.td - control flow, calls, other processes -----*- tablegen -*-===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------===//
//
// Ops of the dialect `stablehlo` that compute no elements: those that carry values, call, branch, and exchange.
//
//===------------------------------------------------------------------------------===//

#ifndef STABLEHLO_PROGRAM_OPS
#define STABLEHLO_PROGRAM_OPS

include "dialects/StableHLO/IR/StableHLODialect.td"

//===------------------------------------------------------------------------------===//
// Tuples and tokens
//===------------------------------------------------------------------------------===//

def StableHLO_TupleOp : StableHLO_Op<"tuple"> {
  let summary = "tuple of its operands";
  let arguments = (ins Variadic<StableHLO_Value>:$val);
  let results = (outs AnyTuple:$result);
  let assemblyFormat = "$val attr-dict `:` custom<TupleType>(type($val), type($result))";
  let hasVerifier = 1;
}

def StableHLO_GetTupleElementOp : StableHLO_Op<"get_tuple_element"> {
  let summary = "element of a tuple";
  let arguments = (ins AnyTuple:$operand, I32Attr:$index);
  let results = (outs StableHLO_Value:$result);
  let assemblyFormat = "$operand `[` $index `]` attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
}

def StableHLO_AfterAllOp : StableHLO_Op<"after_all"> {
  let summary = "token after all of its operands";
  let arguments = (ins Variadic<StableHLO_Token>:$inputs);
  let results = (outs StableHLO_Token:$result);
  let assemblyFormat = "$inputs attr-dict `:` type($result)";
}

def StableHLO_CreateTokenOp : StableHLO_Op<"create_token"> {
  let summary = "token without operands";
  let results = (outs StableHLO_Token:$output);
  let assemblyFormat = "attr-dict `:` type(results)";
}

//===------------------------------------------------------------------------------===//
// Collective ops
//===------------------------------------------------------------------------------===//

class StableHLO_NumberOp<string mnemonic, string text> : StableHLO_Op<mnemonic> {
  let summary = text;
  let results = (outs StableHLO_Tensor:$result);
  let assemblyFormat = "attr-dict `:` type(results)";
}
def StableHLO_PartitionIdOp : StableHLO_NumberOp<"partition_id", "number of the partition that runs the program">;
def StableHLO_ReplicaIdOp : StableHLO_NumberOp<"replica_id", "number of the replica that runs the program">;

/// Ops between processes, in groups of replicas or partitions.
class StableHLO_CollectiveOp<string mnemonic, string text, dag more = (ins)> : StableHLO_Op<mnemonic> {
  let summary = text;
  let arguments = !con((ins Variadic<StableHLO_Tensor>:$operands), more,
                       (ins OptionalAttr<StableHLO_ChannelHandleAttr>:$channel_handle));
  let results = (outs Variadic<StableHLO_Tensor>:$results);
}
def StableHLO_AllGatherOp
    : StableHLO_CollectiveOp<"all_gather", "operands of all processes of a group, concatenated",
                             (ins I64Attr:$all_gather_dim, I64ElementsAttr:$replica_groups,
                                  OptionalAttr<UnitAttr>:$use_global_device_ids)>;
def StableHLO_AllReduceOp
    : StableHLO_CollectiveOp<"all_reduce", "operands of all processes of a group, combined by a computation",
                             (ins I64ElementsAttr:$replica_groups, OptionalAttr<UnitAttr>:$use_global_device_ids)> {
  let regions = (region SizedRegion<1>:$computation);
}
def StableHLO_ReduceScatterOp
    : StableHLO_CollectiveOp<"reduce_scatter", "part of the operands of a group, combined by a computation",
                             (ins I64Attr:$scatter_dimension, I64ElementsAttr:$replica_groups,
                                  OptionalAttr<UnitAttr>:$use_global_device_ids)> {
  let regions = (region SizedRegion<1>:$computation);
}
def StableHLO_AllToAllOp
    : StableHLO_CollectiveOp<"all_to_all", "parts of the operands of all processes of a group, concatenated",
                             (ins I64Attr:$split_dimension, I64Attr:$concat_dimension, I64Attr:$split_count,
                                  I64ElementsAttr:$replica_groups)>;
def StableHLO_CollectiveBroadcastOp
    : StableHLO_CollectiveOp<"collective_broadcast", "operand of the first process of a group; 0 outside of groups",
                             (ins I64ElementsAttr:$replica_groups)>;
def StableHLO_CollectivePermuteOp
    : StableHLO_CollectiveOp<"collective_permute", "operand of the process that sends to this one; 0 without one",
                             (ins I64ElementsAttr:$source_target_pairs)>;

//===------------------------------------------------------------------------------===//
// Other processes
//===------------------------------------------------------------------------------===//

/// Ops that a program of one process cannot run; they are refused by name.
class StableHLO_ForeignOp<string mnemonic, string text, dag operands, dag values> : Op<StableHLO_Dialect, mnemonic> {
  let summary = text;
  let arguments = operands;
  let results = values;
}
def StableHLO_InfeedOp
    : StableHLO_ForeignOp<"infeed", "values from a queue of the host; refused",
                          (ins StableHLO_Token:$token, OptionalAttr<StrAttr>:$infeed_config,
                               OptionalAttr<ArrayAttr>:$layout),
                          (outs Variadic<StableHLO_Value>:$results)>;
def StableHLO_OutfeedOp
    : StableHLO_ForeignOp<"outfeed", "values to a queue of the host; refused",
                          (ins Variadic<StableHLO_Value>:$inputs, OptionalAttr<StrAttr>:$outfeed_config),
                          (outs StableHLO_Token:$result)>;
def StableHLO_SendOp
    : StableHLO_ForeignOp<"send", "values to another process; refused",
                          (ins Variadic<StableHLO_Value>:$inputs, StableHLO_ChannelHandleAttr:$channel_handle,
                               OptionalAttr<BoolAttr>:$is_host_transfer,
                               OptionalAttr<I64ElementsAttr>:$source_target_pairs),
                          (outs StableHLO_Token:$result)>;
def StableHLO_RecvOp
    : StableHLO_ForeignOp<"recv", "values from another process; refused",
                          (ins StableHLO_Token:$token, StableHLO_ChannelHandleAttr:$channel_handle,
                               OptionalAttr<BoolAttr>:$is_host_transfer,
                               OptionalAttr<I64ElementsAttr>:$source_target_pairs),
                          (outs Variadic<StableHLO_Value>:$results)>;
def StableHLO_AsyncStartOp
    : StableHLO_ForeignOp<"async_start", "start of an asynchronous computation; refused",
                          (ins Variadic<AnyType>:$inputs), (outs Variadic<AnyType>:$results)> {
  let regions = (region VariadicRegion<AnyRegion>:$computations);
}
def StableHLO_AsyncDoneOp
    : StableHLO_ForeignOp<"async_done", "results of an asynchronous computation; refused",
                          (ins Variadic<AnyType>:$inputs), (outs Variadic<AnyType>:$results)>;

//===------------------------------------------------------------------------------===//
// Calls
//===------------------------------------------------------------------------------===//

def StableHLO_CustomCallOp : Op<StableHLO_Dialect, "custom_call"> {
  let summary = "call of code that an implementation provides";
  let arguments = (ins Variadic<StableHLO_Value>:$inputs, StrAttr:$call_target_name,
                       DefaultValuedOptionalAttr<BoolAttr, "false">:$has_side_effect,
                       OptionalAttr<AnyAttr>:$backend_config, OptionalAttr<AnyAttr>:$api_version,
                       OptionalAttr<ArrayAttr>:$called_computations, OptionalAttr<ArrayAttr>:$operand_layouts,
                       OptionalAttr<ArrayAttr>:$result_layouts, OptionalAttr<ArrayAttr>:$output_operand_aliases);
  let results = (outs Variadic<StableHLO_Value>:$results);
  let assemblyFormat = [{
    custom<CallTarget>($call_target_name) `(` $inputs `)` attr-dict `:` functional-type(operands, results)
  }];
}

def StableHLO_CompositeOp : Op<StableHLO_Dialect, "composite"> {
  let summary = "op whose function 'decomposition' computes the same";
  let arguments = (ins Variadic<StableHLO_Tensor>:$inputs, StrAttr:$name,
                       OptionalAttr<DictionaryAttr>:$composite_attributes, FlatSymbolRefAttr:$decomposition,
                       DefaultValuedOptionalAttr<I32Attr, "0">:$version);
  let results = (outs Variadic<StableHLO_Tensor>:$results);
  let assemblyFormat = "$name $inputs attr-dict `:` functional-type(operands, results)";
}

//===------------------------------------------------------------------------------===//
// Control flow
//===------------------------------------------------------------------------------===//

class StableHLO_ControlOp<string mnemonic>
    : Op<StableHLO_Dialect, mnemonic, [RecursiveMemoryEffects, RecursivelySpeculatable, SingleBlock]>;

def StableHLO_IfOp : StableHLO_ControlOp<"if"> {
  let summary = "choice between two computations";
  let arguments = (ins StableHLO_Tensor:$pred);
  let results = (outs Variadic<StableHLO_Value>:$results);
  let regions = (region SizedRegion<1>:$true_branch, SizedRegion<1>:$false_branch);
  let hasVerifier = 1;
}

def StableHLO_CaseOp : StableHLO_ControlOp<"case"> {
  let summary = "choice between computations by an index; an index out of range chooses the last";
  let arguments = (ins StableHLO_Tensor:$index);
  let results = (outs Variadic<StableHLO_Value>:$results);
  let regions = (region VariadicRegion<SizedRegion<1>>:$branches);
  let hasVerifier = 1;
}

def StableHLO_WhileOp : StableHLO_ControlOp<"while"> {
  let summary = "loop that runs while a condition holds";
  let arguments = (ins Variadic<StableHLO_Value>:$operand);
  let results = (outs Variadic<StableHLO_Value>:$results);
  let regions = (region SizedRegion<1>:$cond, SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}

def StableHLO_ReturnOp : Op<StableHLO_Dialect, "return", [Pure, Terminator]> {
  let summary = "terminator of the regions of the dialect";
  let arguments = (ins Variadic<StableHLO_Value>:$results);
  let assemblyFormat = "($results^)? attr-dict (`:` type($results)^)?";
}

#endif // STABLEHLO_PROGRAM_OPS
