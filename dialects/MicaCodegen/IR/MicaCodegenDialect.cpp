//===- MicaCodegenDialect.cpp - the dialect `mica_codegen` ------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Registration, and where each discardable attribute is allowed. The contents of a config are verified in the file for
// its kind.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "dialects/MicaCodegen/IR/MicaCodegenDialect.h"

#include "dialects/AttributeRules.h"

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

static constexpr mica::AttributeRule kRules[] = {
    {kDistributeAttr, [](Operation *op) { return isa<scf::ForallOp>(op); },
     [](Attribute value) { return mica::isUnit(value) || mica::isInteger(value, 64, 1, INT64_MAX); },
     "nothing or an i64 of at least 1, on scf.forall"},
    {kKeepLoopsAttr, [](Operation *op) { return isa<linalg::LinalgOp>(op); }, mica::isUnit,
     "no value, on an operation of linalg"},
    {kHostReasonAttr, mica::isFunction, mica::isText, "a string that is not empty, on a function"},
    {kEntryAttr, mica::isFunction, mica::isUnit, "no value, on a function"},
    {kLaunchesAttr, mica::isFunction, mica::isUnit, "no value, on a function"},
    {kDeviceMemoryAttr, mica::isModule, mica::isUnit, "no value, on a module"},
    {kDeviceChecksAttr, mica::isModule,
     [](Attribute value) {
       return mica::isOneOf(value, {"none", "divisions", "warn", "safe", "all"});
     },
     "\"none\", \"divisions\", \"warn\", \"safe\" or \"all\", on a module"},
    {kCopiesAttr, [](Operation *op) { return op->getName().getStringRef() == "nvgpu.device_async_create_group"; },
     mica::isUnit, "no value, on nvgpu.device_async_create_group"},
};

LogicalResult MicaCodegenDialect::verifyOperationAttribute(Operation *op, NamedAttribute attribute) {
  if (attribute.getName() != kLoweringConfigAttr)
    return verifyByRules(op, attribute, kRules);
  if (auto config = dyn_cast<LoweringConfigAttrInterface>(attribute.getValue()))
    return config.verifyOn(op);
  return op->emitOpError() << "has '" << kLoweringConfigAttr << "' = " << attribute.getValue()
                           << ", expected #mica_codegen.contraction_config, #mica_codegen.gpu_contraction_config or "
                              "#mica_codegen.gpu_reduction_config";
}
