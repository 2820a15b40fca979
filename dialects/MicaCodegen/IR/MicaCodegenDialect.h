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

/// Names of the discardable attributes; the dialect's description documents them.
inline constexpr llvm::StringLiteral kLoweringConfigAttr = "mica_codegen.lowering_config";
inline constexpr llvm::StringLiteral kDistributeAttr = "mica_codegen.distribute";
inline constexpr llvm::StringLiteral kKeepLoopsAttr = "mica_codegen.keep_loops";
/// On the function of a kernel that runs on the host: the reason.
inline constexpr llvm::StringLiteral kHostReasonAttr = "mica_codegen.host_reason";
/// On a device function that the host launches.
inline constexpr llvm::StringLiteral kEntryAttr = "mica_codegen.entry";
/// On a kernel's module whose wrapper allocates device memory.
inline constexpr llvm::StringLiteral kDeviceMemoryAttr = "mica_codegen.memory";
/// On a kernel's function whose last argument is the launch place of mica-codegen-convert-kernel-entry.
inline constexpr llvm::StringLiteral kLaunchesAttr = "mica_codegen.launches";
/// On the module of a kernel with checks in device code: the level.
inline constexpr llvm::StringLiteral kDeviceChecksAttr = "mica_codegen.checks";
/// On nvgpu.device_async_create_group without operands: without an attribute its text cannot be parsed.
inline constexpr llvm::StringLiteral kCopiesAttr = "mica_codegen.copies";

/// The config of `op`; null if it has none, or one of another kind.
template <typename ConfigT> ConfigT loweringConfigOf(mlir::Operation *op) {
  return op->getAttrOfType<ConfigT>(kLoweringConfigAttr);
}

/// `[1, 2]`, or `[]`.
mlir::FailureOr<llvm::SmallVector<int64_t>> parseSizes(mlir::AsmParser &parser);

} // namespace mica::codegen

#endif // MICA_DIALECTS_MICACODEGEN_IR_MICACODEGENDIALECT_H
