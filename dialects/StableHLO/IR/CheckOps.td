//===- CheckOps.td - ops of the dialect `check` ---------------------*- tablegen -*-===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------===//
//
// The checks that test programs of StableHLO contain. A check that fails makes the run fail.
//
//===------------------------------------------------------------------------------===//

#ifndef STABLEHLO_CHECK_OPS
#define STABLEHLO_CHECK_OPS

include "dialects/StableHLO/IR/StableHLODialect.td"

def Check_Dialect : Dialect {
  let name = "check";
  let cppNamespace = "::mica::hlocheck";
  let summary = "Checks in test programs of StableHLO";
  let description = [{
    Checks of values. `convert-stablehlo-to-mica` converts them to assertions, so that the run fails with the name of
    the check that does not hold.

    Example:

    ```mlir
    func.func @main() {
      %0 = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
      %1 = stablehlo.add %0, %0 : tensor<2xi32>
      check.expect_eq_const %1, dense<[2, 4]> : tensor<2xi32>
      return
    }
    ```
  }];
}

class Check_ConstOp<string mnemonic, string text, dag more = (ins)> : Op<Check_Dialect, mnemonic,
         [TypesMatchWith<"the operand has the value's type", "value", "lhs", "$_self">]> {
  let summary = text;
  let arguments = !con((ins StableHLO_Tensor:$lhs, ElementsAttr:$value), more);
  let assemblyFormat = "$lhs `,` $value attr-dict";
}

class Check_PairOp<string mnemonic, string text, dag more = (ins)> : Op<Check_Dialect, mnemonic> {
  let summary = text;
  let arguments = !con((ins StableHLO_Tensor:$actual, StableHLO_Tensor:$expected), more);
  let assemblyFormat = "$actual `,` $expected attr-dict `:` custom<PairTypes>(type($actual), type($expected))";
  let hasVerifier = 1;
}

def Check_ExpectEqConstOp : Check_ConstOp<"expect_eq_const", "checks that all elements are equal to a constant's">;
def Check_ExpectAlmostEqConstOp
    : Check_ConstOp<"expect_almost_eq_const", "checks that all elements are near a constant's",
                    (ins DefaultValuedOptionalAttr<F64Attr, "0.0001">:$tolerance)>;
def Check_ExpectEqOp : Check_PairOp<"expect_eq", "checks that all elements are equal">;
def Check_ExpectAlmostEqOp
    : Check_PairOp<"expect_almost_eq", "checks that all elements are near each other",
                   (ins DefaultValuedOptionalAttr<F64Attr, "0.0001">:$tolerance)>;
def Check_ExpectCloseOp
    : Check_PairOp<"expect_close", "checks that few floats lie between each two elements",
                   (ins DefaultValuedOptionalAttr<UI64Attr, "3">:$max_ulp_difference,
                        DefaultValuedOptionalAttr<UI64Attr, "0">:$min_ulp_difference)>;

#endif // STABLEHLO_CHECK_OPS
