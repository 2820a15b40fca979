//===- StableHLODialect.h - the dialect `stablehlo` ---------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// The dialect class, its attributes and its operations.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_DIALECTS_STABLEHLO_IR_STABLEHLODIALECT_H
#define MICA_DIALECTS_STABLEHLO_IR_STABLEHLODIALECT_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace mica::stablehlo {

/// Whether two element types are equal, but for the scales and zero points of quantized ones.
bool areSameElements(mlir::Type a, mlir::Type b);
mlir::LogicalResult verifySameElements(mlir::Operation *op);

template <typename ConcreteOp> class SameElements : public mlir::OpTrait::TraitBase<ConcreteOp, SameElements> {
public:
  static mlir::LogicalResult verifyTrait(mlir::Operation *op) { return verifySameElements(op); }
};

} // namespace mica::stablehlo

#include "dialects/StableHLO/IR/StableHLODialect.h.inc"
#include "dialects/StableHLO/IR/StableHLOEnums.h.inc"

#define GET_ATTRDEF_CLASSES
#include "dialects/StableHLO/IR/StableHLOAttrs.h.inc"

#define GET_TYPEDEF_CLASSES
#include "dialects/StableHLO/IR/StableHLOTypes.h.inc"

#define GET_OP_CLASSES
#include "dialects/StableHLO/IR/StableHLOOps.h.inc"

#include "dialects/StableHLO/IR/CheckDialect.h.inc"

#define GET_OP_CLASSES
#include "dialects/StableHLO/IR/CheckOps.h.inc"

namespace mica::stablehlo {

/// On ops that worked on unsigned integers, after legalize-stablehlo-types: for all operands, then all results, whether
/// their elements were unsigned.
inline constexpr llvm::StringLiteral kUnsignedAttr = "stablehlo.unsigned";

/// The only op of the body of `reduce` besides the return, if that op combines the two arguments in their order and the
/// body returns its result; null otherwise.
mlir::Operation *singleCombiner(ReduceOp reduce);

/// The integers or flags of a list in either of its forms; empty for null.
llvm::SmallVector<int64_t> listOf(mlir::Attribute list);
/// The same, with `rank` times `value` for null.
llvm::SmallVector<int64_t> listOr(mlir::Attribute list, int64_t rank, int64_t value);

} // namespace mica::stablehlo

#endif // MICA_DIALECTS_STABLEHLO_IR_STABLEHLODIALECT_H
