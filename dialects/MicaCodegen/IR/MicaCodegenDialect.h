//===- MicaCodegenDialect.h - the dialect `mica_codegen` --------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// The dialect class, its attributes, and the names of the discardable attributes that hold them.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_DIALECTS_MICACODEGEN_IR_MICACODEGENDIALECT_H
#define MICA_DIALECTS_MICACODEGEN_IR_MICACODEGENDIALECT_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpImplementation.h"

#include <string>

#include "dialects/MicaCodegen/IR/MicaCodegenDialect.h.inc"
#include "dialects/MicaCodegen/IR/MicaCodegenEnums.h.inc"

#include "dialects/MicaCodegen/IR/MicaCodegenAttrInterfaces.h.inc"

#define GET_ATTRDEF_CLASSES
#include "dialects/MicaCodegen/IR/MicaCodegenAttrs.h.inc"

namespace mica::codegen {

/// Names of the discardable attributes; the dialect's description says what each holds.
inline constexpr llvm::StringLiteral kLoweringConfigAttr = "mica_codegen.lowering_config";
inline constexpr llvm::StringLiteral kDistributeAttr = "mica_codegen.distribute";
inline constexpr llvm::StringLiteral kKeepLoopsAttr = "mica_codegen.keep_loops";

/// The configuration of `op`; null where it has none, or one of another kind.
template <typename ConfigT> ConfigT loweringConfigOf(mlir::Operation *op) {
  return op->getAttrOfType<ConfigT>(kLoweringConfigAttr);
}

/// `[1, 2]`, or `[]`.
mlir::FailureOr<llvm::SmallVector<int64_t>> parseSizes(mlir::AsmParser &parser);

} // namespace mica::codegen

#endif // MICA_DIALECTS_MICACODEGEN_IR_MICACODEGENDIALECT_H
