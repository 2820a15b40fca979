//===- MicaSchedOps.td - the operations of the dialect `mica_sched` ---*- tablegen -*-===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------===//

#ifndef MICASCHED_OPS
#define MICASCHED_OPS

include "dialects/MicaSched/IR/MicaSchedDialect.td"
include "mlir/IR/BuiltinAttributeInterfaces.td"
include "mlir/IR/CommonAttrConstraints.td"
include "mlir/IR/OpAsmInterface.td"
include "mlir/IR/RegionKindInterface.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def MicaSched_Scalar : AnyTypeOf<[AnySignlessInteger, Index], "an integer or index">;


//===------------------------------------------------------------------------------===//
// On tensors: phase dispatch
//===------------------------------------------------------------------------------===//

def MicaSched_DispatchOp : MicaSched_Op<"dispatch", [
    AttrSizedOperandSegments, Pure, DeclareOpInterfaceMethods<SymbolUserOpInterface>,
    DeclareOpInterfaceMethods<ReifyRankedShapedTypeOpInterface, ["reifyResultShapes"]>]> {
  let summary = "one call of a kernel, on tensors";
  let description = [{
    Calls kernel `kernel` with `inputs` and `scalars`; the results are what it writes. `sizes` gives the dynamic sizes of
    the results, result by result, outermost dimension first. `op_ids` are the ids of the ops this call stands for, in
    the order of the kernel's own list: the same kernel called elsewhere stands for other ops.

    Constraints:
    - (C1) `kernel` names a module with the attribute `mica_sched.kernel` that holds a function of the module's name.
    - (C2) `inputs` have the types of the kernel's buffers of access `read` and `readwrite`, in order.
    - (C3) the results have the types of the kernel's buffers of access `write` and `readwrite`, in order.
    - (C4) `scalars` have the types of the kernel's scalar arguments, in order.
    - (C5) there are as many `sizes` as dynamic dimensions in the results.
    - (C6) where given, `op_ids` has as many entries as the kernel's `mica_sched.op_ids`.

    Example:

    ```mlir
    %r = mica_sched.dispatch @double_rows(%x) scalars(%n) sizes(%n) {op_ids = ["00000000000a"]}
       : (tensor<?x4xf32>, index) -> tensor<?x4xf32>
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$kernel, Variadic<AnyRankedTensor>:$inputs,
                       Variadic<MicaSched_Scalar>:$scalars, Variadic<Index>:$sizes,
                       OptionalAttr<StrArrayAttr>:$op_ids);
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// The values of `getSizes()` that belong to result `index`.
    ::mlir::OperandRange getResultSizes(unsigned index);
  }];
}

#endif // MICASCHED_OPS
