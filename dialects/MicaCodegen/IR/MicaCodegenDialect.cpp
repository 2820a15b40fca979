//===- MicaCodegenDialect.cpp - the dialect `mica_codegen` ------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Registration, and where each discardable attribute may be. What a configuration holds is verified in the file of its kind.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "dialects/MicaCodegen/IR/MicaCodegenDialect.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

#include "dialects/MicaCodegen/IR/MicaCodegenDialect.cpp.inc"
#include "dialects/MicaCodegen/IR/MicaCodegenEnums.cpp.inc"

#include "dialects/MicaCodegen/IR/MicaCodegenAttrInterfaces.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "dialects/MicaCodegen/IR/MicaCodegenAttrs.cpp.inc"

using namespace mlir;
using namespace mica::codegen;

void MicaCodegenDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "dialects/MicaCodegen/IR/MicaCodegenAttrs.cpp.inc"
      >();
}

FailureOr<SmallVector<int64_t>> mica::codegen::parseSizes(AsmParser &parser) {
  SmallVector<int64_t> sizes;
  if (failed(parser.parseCommaSeparatedList(AsmParser::Delimiter::Square,
                                            [&] { return parser.parseInteger(sizes.emplace_back()); })))
    return failure();
  return sizes;
}

/// Whether `op` is an OpT and the attribute `isValid`; `expected` says what it may be.
template <typename OpT>
static LogicalResult verifyAttributeOf(Operation *op, NamedAttribute attribute, bool isValid, StringRef expected) {
  if (isa<OpT>(op) && isValid)
    return success();
  return op->emitOpError() << "has '" << attribute.getName().getValue() << "' = " << attribute.getValue()
                           << ", expected " << expected;
}

LogicalResult MicaCodegenDialect::verifyOperationAttribute(Operation *op, NamedAttribute attribute) {
  if (attribute.getName() == kLoweringConfigAttr) {
    if (auto config = dyn_cast<LoweringConfigAttrInterface>(attribute.getValue()))
      return config.verifyOn(op);
    return op->emitOpError() << "has '" << kLoweringConfigAttr << "' = " << attribute.getValue()
                             << ", expected #mica_codegen.contraction_config, #mica_codegen.gpu_contraction_config or "
                                "#mica_codegen.gpu_reduction_config";
  }
  if (attribute.getName() == kDistributeAttr) {
    auto partitions = dyn_cast<IntegerAttr>(attribute.getValue());
    const bool isValid = isa<UnitAttr>(attribute.getValue()) ||
                         (partitions && partitions.getType().isInteger(64) && partitions.getInt() > 0);
    return verifyAttributeOf<scf::ForallOp>(op, attribute, isValid, "nothing or an i64 of at least 1, on scf.forall");
  }
  if (attribute.getName() == kKeepLoopsAttr)
    return verifyAttributeOf<linalg::LinalgOp>(op, attribute, isa<UnitAttr>(attribute.getValue()),
                                               "no value, on an operation of linalg");
  return op->emitOpError() << "unknown attribute '" << attribute.getName().getValue() << "'";
}
