//===- MicaCheckDialect.cpp - the dialect `mica_check` ----------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Registration of the dialect's operations. Verifiers and folders are in CheckOps.cpp.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "dialects/MicaCheck/IR/MicaCheckDialect.h"

#include "dialects/AttributeRules.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"

#include "dialects/MicaCheck/IR/MicaCheckDialect.cpp.inc"
#include "dialects/MicaCheck/IR/MicaCheckEnums.cpp.inc"

#define GET_OP_CLASSES
#include "dialects/MicaCheck/IR/MicaCheckOps.cpp.inc"

void mica::check::MicaCheckDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "dialects/MicaCheck/IR/MicaCheckOps.cpp.inc"
      >();
}

mlir::Operation *mica::check::MicaCheckDialect::materializeConstant(mlir::OpBuilder &builder, mlir::Attribute value,
                                                                    mlir::Type type, mlir::Location loc) {
  return mlir::arith::ConstantOp::materialize(builder, value, type, loc);
}

static bool isDumpable(mlir::Operation *op) {
  return llvm::any_of(op->getResultTypes(), [](mlir::Type type) { return mlir::isa<mlir::TensorType>(type); });
}

static bool isSizes(mlir::Attribute value) {
  auto sizes = mlir::dyn_cast<mlir::DenseI64ArrayAttr>(value);
  return sizes && sizes.size() % 2 == 0;
}

static constexpr mica::AttributeRule kRules[] = {
    {mica::check::kLevelAttr, mica::isFunction,
     [](mlir::Attribute value) {
       return mica::isOneOf(value, {"none", "divisions", "warn", "safe", "all"});
     },
     "\"none\", \"divisions\", \"warn\", \"safe\" or \"all\", on a function"},
    {mica::check::kFiniteAttr, mica::isFunction,
     [](mlir::Attribute value) {
       return mica::isOneOf(value, {"all", "some"});
     },
     "\"all\" or \"some\", on a function"},
    {mica::check::kKeptViewsAttr, mica::isFunction, mica::isUnit, "no value, on a function"},
    {mica::check::kInsertedAttr, mica::isFunction, mica::isCount, "an i64 of at least 0, on a function"},
    {mica::check::kUncheckedAttr, mica::isFunction, mica::isCount, "an i64 of at least 0, on a function"},
    {mica::check::kSitesAttr, mica::isFunction, mica::isCount, "an i64 of at least 0, on a function"},
    {mica::check::kShadowsAttr, mica::isFunction, mica::isCount, "an i64 of at least 0, on a function"},
    {mica::check::kReadsAttr, mica::isFunction, mica::isCount, "an i64 of at least 0, on a function"},
    // On a check of sizes: what does not hold is that a loop ends.
    {mica::check::kReportAttr,
     [](mlir::Operation *op) {
       return mlir::isa<mica::check::FailedOp>(op) || op->getName().getStringRef() == "mica_sched.check_sizes";
     },
     [](mlir::Attribute value) {
       return mica::isOneOf(value, {mica::check::kFloatReport, mica::check::kLoopReport, mica::check::kSizesReport,
                                    mica::check::kAccessReport});
     },
     "float, loop, sizes or access, on mica_check.failed or mica_sched.check_sizes"},
    {mica::check::kDumpAttr, isDumpable, mica::isUnit, "no value, on an operation with a result that is a tensor"},
    {mica::check::kReportsAttr, mica::isModule, mica::isUnit, "no value, on a module"},
};

static constexpr mica::AttributeRule kArgumentRules[] = {
    {mica::check::kFillsAttr, mica::isFunction, mica::isUnit, "no value, on an argument of a function"},
    {mica::check::kInsideAttr, mica::isFunction, mica::isText, "the id of an operation, on an argument of a function"},
    {mica::check::kInsideSizesAttr, mica::isFunction, isSizes, "pairs of i64, on an argument of a function"},
};

llvm::LogicalResult mica::check::MicaCheckDialect::verifyOperationAttribute(mlir::Operation *op,
                                                                            mlir::NamedAttribute attribute) {
  return verifyByRules(op, attribute, kRules);
}

llvm::LogicalResult mica::check::MicaCheckDialect::verifyRegionArgAttribute(mlir::Operation *op, unsigned,
                                                                            unsigned number,
                                                                            mlir::NamedAttribute attribute) {
  return verifyByRules(op, attribute, kArgumentRules, "argument " + std::to_string(number) + " ");
}
