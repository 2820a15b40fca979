//===- MicaCheckDialect.td - the dialect `mica_check` ---*- tablegen -*-===//
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
  let summary = "what a kernel checks while it runs";
  let description = [{
    A check is two operations: a **predicate**, which is pure, so that it can be shared, moved, folded and proved; and a
    **report**, which says at run time that the predicate did not hold. What is checked lies between them:

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

    So a failing load gives 0, a failing store is dropped, and the kernel goes on. A predicate that folds to true takes its
    branch and its report away. `mica-check-insert` makes checks, `mica-check-prove` removes those that cannot fail, and
    `mica-check-lower` makes reports records in the log that the runtime gives to each call (include/mica/ABI/Checks.h).

    A report's `site` is the number of its check in the kernel; the manifest says for each what it checks and for which
    operations of the program.

    Discardable attributes of a kernel's function:

    | attribute | value |
    |---|---|
    | `mica_check.level` | `warn`, `safe` or `all`: what was checked; with `warn` the kernel succeeds whatever fails; `none`: it looks at what it stores alone |
    | `mica_check.finite` | on a device: `all` if every store of a float to the kernel's results is looked at, `some` if others write there |
    | `mica_check.inserted` | i64: checks that were made |
    | `mica_check.unchecked` | i64: operations that touch memory in a form that has no check |
    | `mica_check.sites` | i64: checks that are left, which are its sites |
    | `mica_check.shadows` | i64: reads of what nobody wrote are reported; so many buffers are allocated inside |
    | `mica_check.reads` | i64: uses of loaded values that were looked at, and loads that needed no look |
    | `mica_check.fills` | of an argument: every element of it is written, before any is read |
  }];
  let hasConstantMaterializer = 1;
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def MicaCheck_Access : I32EnumAttr<"Access", "what is done with elements of a buffer", [
    I32EnumAttrCase<"Load", 0, "load">,
    I32EnumAttrCase<"Store", 1, "store">,
    I32EnumAttrCase<"Slice", 2, "slice">]> {
  let cppNamespace = "::mica::check";
}

class MicaCheck_Op<string mnemonic, list<Trait> traits = []> : Op<MicaCheck_Dialect, mnemonic, traits>;

#endif // MICACHECK_DIALECT
