//===- MicaCheckDialect.td - the mica_check dialect ----------------*- tablegen -*-===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------===//

#ifndef MICACHECK_DIALECT
#define MICACHECK_DIALECT

include "mlir/IR/EnumAttr.td"
include "mlir/IR/OpBase.td"

def MicaCheck_Dialect : Dialect {
  let name = "mica_check";
  let cppNamespace = "::mica::check";
  let summary = "run-time checks in kernels";
  let description = [{
    A check consists of two ops: a **predicate**, which is pure, so that it can be hoisted, merged, folded and
    proved, and a **report**, which is executed if the predicate does not hold. The checked operation is guarded
    by the predicate:

    ```mlir
    func.func @read(%a: memref<?xf32>, %i: index) -> f32 {
      %ok = mica_check.in_bounds %a[%i] : memref<?xf32>
      %r = scf.if %ok -> (f32) {
        %0 = memref.load %a[%i] : memref<?xf32>
        scf.yield %0 : f32
      } else {
        mica_check.out_of_bounds load %a[%i] : memref<?xf32>
        %zero = arith.constant 0.0 : f32
        scf.yield %zero : f32
      }
      return %r : f32
    }
    ```

    If the check fails, a load yields 0, a store is dropped, and the kernel continues. If the predicate folds to
    true, branch and report are removed. `mica-check-insert` creates checks, `mica-check-prove` eliminates those
    that cannot fail, and `mica-check-lower` lowers reports to records in the log that the runtime passes to
    each call (include/mica/ABI/Checks.h).

    The `site` of a report is the number of its check in the kernel. The manifest lists, for each site, what it
    checks and for which ops of the program.

    Discardable attributes of a kernel's function:

    | attribute | value |
    |---|---|
    | `mica_check.level` | `warn` (failed checks do not fail the kernel), `safe`, `all`, or `none` (only stored values are checked) |
    | `mica_check.finite` | on a GPU: `all` if every store of a float to a result is checked for NaN and infinities, else `some` |
    | `mica_check.inserted` | i64: number of checks that were inserted |
    | `mica_check.unchecked` | i64: number of memory operations that cannot be checked |
    | `mica_check.sites` | i64: number of sites, that is, of checks that were not proved |
    | `mica_check.shadows` | i64: number of shadowed buffers that the kernel allocates; uses of uninitialized elements are reported |
    | `mica_check.reads` | i64: number of uses of loaded values that are checked, and of loads that need no check |
    | `mica_check.fills` | on an argument: the kernel writes every element of it before it reads any |
    | `mica_check.inside` | on an argument of a replay (mica-codegen-build-dump-replay): the id of the operation whose result goes there |
    | `mica_check.inside_sizes` | on the same: where the sizes of its dynamic dimensions are found |

    Discardable attribute of an operation of the program: `mica_check.dump`, without a value, on an operation with a
    result that is a tensor. Dumps of level 1 and 3 keep what it computes (docs/Dumps.md):

    ```mlir
    func.func @tagged(%x: tensor<4xf32>) -> tensor<4xf32> {
      %0 = math.exp %x {mica_check.dump} : tensor<4xf32>
      return %0 : tensor<4xf32>
    }
    ```

    mica-tensor-assign-ids moves the tag into the location, `fused<"mica.op:...">[fused<"mica_check.dump">[...]]`, which
    passes propagate: it reaches the kernel that computes the operation.
  }];
  let hasConstantMaterializer = 1;
  let hasOperationAttrVerify = 1;
  let hasRegionArgAttrVerify = 1;
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def MicaCheck_Access : I32EnumAttr<"Access", "kind of an access to a buffer", [
    I32EnumAttrCase<"Load", 0, "load">,
    I32EnumAttrCase<"Store", 1, "store">,
    I32EnumAttrCase<"Slice", 2, "slice">]> {
  let cppNamespace = "::mica::check";
}

class MicaCheck_Op<string mnemonic, list<Trait> traits = []> : Op<MicaCheck_Dialect, mnemonic, traits>;

#endif // MICACHECK_DIALECT
