//===- VHLODialect.td - the dialect `vhlo` --------------------------*- tablegen -*-===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------===//

#ifndef VHLO_DIALECT
#define VHLO_DIALECT

include "mlir/IR/DialectBase.td"

def VHLO_Dialect : Dialect {
  let name = "vhlo";
  let summary = "Versioned StableHLO, as portable artifacts hold it";
  let description = [{
    Frameworks write StableHLO to files (`jax.export`, `stablehlo-translate --serialize`) as bytecode of this dialect:
    each op's name ends with its version, and every attribute is written out. It is read, not written, and
    `convert-vhlo-to-stablehlo` replaces it at once. Types and attributes are read as those of `builtin`, `quant` and
    `stablehlo` that they stand for; `vhlo` has none of its own here.

    Example:

    ```mlir
    "builtin.module"() ({
      "vhlo.func_v1"() <{...}> ({
      ^bb0(%x: tensor<4xf32>):
        %0 = "vhlo.abs_v1"(%x) : (tensor<4xf32>) -> tensor<4xf32>
        "vhlo.return_v1"(%0) : (tensor<4xf32>) -> ()
      })
    })
    ```
  }];
  let cppNamespace = "::mica::vhlo";
  let isExtensible = 1;
  let dependentDialects = ["::mica::stablehlo::StableHLODialect", "::mlir::func::FuncDialect", "::mlir::quant::QuantDialect"];
}

#endif // VHLO_DIALECT
