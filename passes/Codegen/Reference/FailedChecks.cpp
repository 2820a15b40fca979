//===- FailedChecks.cpp - reports of checks in plain code -------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See FailedChecks.h.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Codegen/Reference/FailedChecks.h"

#include "dialects/Mica/IR/OpIds.h"
#include "dialects/MicaSched/IR/MicaSchedDialect.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/ShapedOpInterfaces.h"

using namespace mlir;
using namespace mica;

/// A branch that is taken unless `ok`; the builder continues after it.
static OpBuilder branchUnless(OpBuilder &builder, Location loc, Value ok) {
  Value yes = arith::ConstantOp::create(builder, loc, builder.getBoolAttr(true));
  auto branch = scf::IfOp::create(builder, loc, arith::XOrIOp::create(builder, loc, ok, yes), /*withElseRegion=*/false);
  return OpBuilder::atBlockBegin(branch.thenBlock());
}

/// In the body of a structured op: the element of its first result that is computed there.
static SmallVector<Value> elementOf(Operation *op) {
  auto structured = op->getParentOfType<linalg::LinalgOp>();
  SmallVector<Value> element;
  if (!structured || structured.getNumDpsInits() == 0)
    return element;
  AffineMap map = structured.getMatchingIndexingMap(structured.getDpsInitOperand(0));
  if (!map.isProjectedPermutation())
    return element;
  OpBuilder builder = OpBuilder::atBlockBegin(structured.getBlock());
  for (AffineExpr dim : map.getResults())
    element.push_back(
        linalg::IndexOp::create(builder, op->getLoc(), cast<AffineDimExpr>(dim).getPosition()).getResult());
  return element;
}

/// ", arith.divsi({0}, {1}), at element [{2}]", as kernels say it.
static std::string elementText(StringRef name, size_t operands, size_t all) {
  auto list = [](size_t from, size_t to) {
    std::string text;
    for (size_t i = from; i < to; ++i)
      text += (i == from ? "{" : ", {") + std::to_string(i) + "}";
    return text;
  };
  return ", " + name.str() + "(" + list(0, operands) + "), at element [" + list(operands, all) + "] of its result";
}

/// The name of `op`; of a check that another pass inserted, that of the operation behind it, or none.
static StringRef nameOf(Operation *op) {
  if (!isa<sched::CheckSizesOp>(op))
    return op->getName().getStringRef();
  const Location loc = op->getLoc();
  auto isChecked = [&](Operation *each) {
    return each->getLoc() == loc &&
           !isa<affine::AffineDialect, arith::ArithDialect, sched::MicaSchedDialect, scf::SCFDialect>(
               each->getDialect()) &&
           !isa<ShapedDimOpInterface>(each);
  };
  while ((op = op->getNextNode())) {
    if (isChecked(op))
      return op->getName().getStringRef();
    // Insertions are in the terminator of their loop.
    if (auto insertions = dyn_cast<scf::InParallelOp>(op))
      for (Operation &insertion : insertions.getYieldingOps())
        if (isChecked(&insertion))
          return insertion.getName().getStringRef();
  }
  return "";
}

void mica::failUnless(OpBuilder &builder, Operation *op, Value ok, const Twine &text,
                      function_ref<SmallVector<Value>(OpBuilder &)> values, StringRef report, StringRef name) {
  if (matchPattern(ok, m_One()))
    return;
  if (name.empty())
    name = nameOf(op);
  SmallVector<Value> element = report.empty() ? elementOf(op) : SmallVector<Value>();
  OpBuilder inside = branchUnless(builder, op->getLoc(), ok);
  SmallVector<Value> made = values(inside);
  std::string message = (name + text).str();
  if (!element.empty() && made.size() + element.size() <= check::kMostValues) {
    message += elementText(name, made.size(), made.size() + element.size());
    llvm::append_range(made, element);
  }
  auto failed = check::FailedOp::create(inside, op->getLoc(), message, made,
                                        /*site=*/IntegerAttr());
  if (!report.empty())
    failed->setAttr(check::kReportAttr, builder.getStringAttr(report));
}

void mica::failUnless(OpBuilder &builder, Operation *op, Value ok, const Twine &text, ArrayRef<Value> values,
                      StringRef report, StringRef name) {
  failUnless(
      builder, op, ok, text, [&](OpBuilder &) { return llvm::to_vector(values); }, report, name);
}

void mica::failUnlessAll(OpBuilder &builder, Operation *op, Value ok, const Twine &text, ArrayRef<Value> values,
                         StringRef name) {
  Location loc = op->getLoc();
  auto flat = [&](OpBuilder &at, Value value) -> Value {
    auto type = cast<VectorType>(value.getType());
    auto row = VectorType::get({type.getNumElements()}, type.getElementType());
    return type == row ? value : vector::ShapeCastOp::create(at, loc, row, value).getResult();
  };
  Value lanes = flat(builder, ok), all = vector::ReductionOp::create(builder, loc, vector::CombiningKind::AND, lanes);
  if (matchPattern(all, m_One()))
    return;
  OpBuilder inside = branchUnless(builder, loc, all);
  Value first = arith::ConstantIndexOp::create(inside, loc, 0), step = arith::ConstantIndexOp::create(inside, loc, 1);
  Value count = arith::ConstantIndexOp::create(inside, loc, cast<VectorType>(lanes.getType()).getNumElements());
  SmallVector<Value> rows = llvm::map_to_vector(values, [&](Value value) { return flat(inside, value); });
  auto loop = scf::ForOp::create(inside, loc, first, count, step);
  inside.setInsertionPointToStart(loop.getBody());
  auto lane = [&](OpBuilder &at, Value row) -> Value {
    return vector::ExtractOp::create(at, loc, row, SmallVector<OpFoldResult>{loop.getInductionVar()});
  };
  // The function is left behind the first.
  failUnless(
      inside, op, lane(inside, lanes), text,
      [&](OpBuilder &at) { return llvm::map_to_vector(rows, [&](Value row) { return lane(at, row); }); },
      /*report=*/"", name);
}

std::string mica::positionText(Location loc) {
  SmallVector<FileLineColLoc> at = getSourcePositions(loc);
  return at.empty() ? ""
                    : " at " + at.back().getFilename().str() + ":" + std::to_string(at.back().getLine()) + ":" +
                          std::to_string(at.back().getColumn());
}

std::string mica::reportedText(check::FailedOp op) {
  const StringRef message = op.getMessage(), name = message.take_until([](char c) { return c == ' ' || c == ':'; });
  const std::string text = message.drop_front(name.size()).str();
  if (hasOpIds(op->getLoc()))
    return opIdsText(op->getLoc()) + text;
  return opIdsText(op->getLoc()) + name.str() + positionText(op->getLoc()) + text;
}
