//===- OpKinds.cpp - kinds of ops by structure ------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See OpKinds.h.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Tensor/OpKinds.h"

#include "dialects/MicaSched/IR/MicaSchedDialect.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/IR/LinalgInterfaces.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mica;

static bool readsComputedPlaces(linalg::LinalgOp op) {
  return op.getBlock()->walk([](tensor::ExtractOp) { return WalkResult::interrupt(); }).wasInterrupted();
}

/// Whether the body of `op` only yields a value: no computation except that of the index it is read from.
static bool onlyMoves(linalg::LinalgOp op) {
  bool gathers = readsComputedPlaces(op);
  return llvm::all_of(op.getBlock()->without_terminator(), [&](Operation &inner) {
    if (isa<linalg::IndexOp, tensor::ExtractOp, arith::IndexCastOp>(inner))
      return true;
    bool ofPlace = llvm::all_of(inner.getResultTypes(), [](Type type) { return type.isIndex() || type.isInteger(1); });
    return gathers && (ofPlace || isa<arith::ConstantOp, arith::SelectOp, scf::IfOp>(inner));
  });
}

static bool isFill(linalg::LinalgOp op) {
  if (isa<linalg::FillOp>(op))
    return true;
  return llvm::all_of(op.getDpsInputOperands(), [&](OpOperand *input) { return op.isScalar(input); }) &&
         op.getNumParallelLoops() == op.getNumLoops() && op.getBlock()->without_terminator().empty() &&
         llvm::all_of(op.getDpsInits(),
                      [&](Value init) { return !op.payloadUsesValueFromOperand(op.getDpsInitOperand(0)); });
}

static OpClass classifyLinalg(linalg::LinalgOp op) {
  if (!op.hasPureTensorSemantics())
    return OpClass::Host;
  if (isFill(op))
    return OpClass::Fill;
  if (op.getNumParallelLoops() == op.getNumLoops())
    return onlyMoves(op) ? OpClass::DataMovement : OpClass::Elementwise;
  if (linalg::isaContractionOpInterface(op))
    return OpClass::Contraction;
  if (linalg::isaConvolutionOpInterface(op)) {
    // The window operand of a pooling op only provides a shape.
    OpOperand *window = op.getDpsInputOperand(1);
    return op.payloadUsesValueFromOperand(window) ? OpClass::Convolution : OpClass::Pooling;
  }
  return OpClass::Reduction;
}

OpClass mica::classify(Operation *op) {
  if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op))
    return classifyLinalg(linalgOp);
  if (isa<tensor::PadOp, tensor::ExtractSliceOp, tensor::InsertSliceOp, tensor::ConcatOp, tensor::GenerateOp,
          tensor::GatherOp, tensor::ScatterOp, tensor::InsertOp, linalg::PackOp, linalg::UnPackOp, scf::ForallOp>(op))
    return OpClass::DataMovement;
  if (auto code = dyn_cast<sched::BufferRegionOp>(op))
    return code.getHost() ? OpClass::Host : OpClass::BufferCode;
  return OpClass::Host;
}

//===------------------------------------------------------------------------------------------------------------===//
// Kinds
//===------------------------------------------------------------------------------------------------------------===//

/// "arith.addf" -> "add", "math.rsqrt" -> "rsqrt"; empty for ops that do not characterize a body.
static StringRef shortName(Operation *op) {
  if (isa<arith::ConstantOp, arith::CmpFOp, arith::CmpIOp, linalg::IndexOp, linalg::YieldOp, arith::IndexCastOp>(op))
    return {};
  StringRef name = op->getName().stripDialect();
  if (isa_and_present<arith::ArithDialect>(op->getDialect())) {
    if (isa<arith::MaximumFOp, arith::MaxNumFOp, arith::MaxSIOp, arith::MaxUIOp>(op))
      return "max";
    if (isa<arith::MinimumFOp, arith::MinNumFOp, arith::MinSIOp, arith::MinUIOp>(op))
      return "min";
    if (isa<CastOpInterface>(op))
      return "cast";
    for (StringRef suffix : {"si", "ui", "f", "i"})
      if (name.size() > suffix.size() + 1 && name.ends_with(suffix))
        return name.drop_back(suffix.size());
  }
  return name;
}

/// `max(x, 0)` in any form.
static bool isRelu(linalg::LinalgOp op) {
  auto yield = cast<linalg::YieldOp>(op.getBlock()->getTerminator());
  if (yield.getNumOperands() != 1)
    return false;
  Operation *last = yield.getOperand(0).getDefiningOp();
  auto isZero = [](Value v) { return matchPattern(v, m_AnyZeroFloat()) || matchPattern(v, m_Zero()); };
  if (auto select = dyn_cast_or_null<arith::SelectOp>(last))
    return isZero(select.getFalseValue()) || isZero(select.getTrueValue());
  return last && isa<arith::MaximumFOp, arith::MaxNumFOp, arith::MaxSIOp>(last) &&
         llvm::any_of(last->getOperands(), isZero);
}

/// The distinct short names of a body, in order, at most `limit` of them.
static std::string bodyName(linalg::LinalgOp op, unsigned limit) {
  SmallVector<StringRef> names;
  if (isRelu(op))
    names.push_back("relu");
  for (Operation &inner : op.getBlock()->without_terminator()) {
    StringRef name = shortName(&inner);
    bool ofRelu = !names.empty() && names.front() == "relu" && (name == "max" || name == "select");
    if (!name.empty() && !ofRelu && !llvm::is_contained(names, name))
      names.push_back(name);
  }
  if (names.size() > limit)
    names.resize(limit);
  if (names.size() > 1 && names.front() == "relu")
    std::rotate(names.begin(), names.begin() + 1, names.end());
  return llvm::join(names, "_");
}

static std::string kindOfContraction(linalg::LinalgOp op) {
  FailureOr<linalg::ContractionDimensions> dims = linalg::inferContractionDims(op);
  if (failed(dims))
    return "matmul";
  std::string kind = dims->batch.empty() ? "" : "batch_";
  if (dims->m.empty() && dims->n.empty())
    return kind + "dot";
  return kind + (dims->m.empty() || dims->n.empty() ? "matvec" : "matmul");
}

static bool computesComparison(linalg::LinalgOp op) {
  return llvm::any_of(*op.getBlock(), [](Operation &inner) { return isa<arith::CmpFOp, arith::CmpIOp>(inner); });
}

static std::string kindOfWindowed(linalg::LinalgOp op, bool pooling) {
  FailureOr<linalg::ConvolutionDimensions> dims = linalg::inferConvolutionDims(op);
  if (failed(dims))
    return pooling ? "pool" : "conv";
  std::string spatial = std::to_string(dims->filterLoop.size()) + "d";
  if (!pooling)
    return (dims->depth.empty() ? "conv" : "depthwise_conv") + spatial;
  std::string body = bodyName(op, 1);
  return (body.empty() ? "" : body + "_") + "pool" + spatial;
}

static std::string kindOfMovement(linalg::LinalgOp op) {
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  if (maps.size() == 2 && maps.front().isPermutation() && maps.back().isPermutation())
    return maps.front() == maps.back() ? "copy" : "transpose";
  if (maps.size() == 2 && maps.front().isProjectedPermutation())
    return "broadcast";
  return readsComputedPlaces(op) ? "gather" : "move";
}

/// "all_reduce" of code that is an exchange between ranks, "" of other code.
static std::string collectiveKind(sched::BufferRegionOp op) {
  Block &body = op.getBody().front();
  auto collective = body.empty() ? sched::CollectiveOp() : dyn_cast<sched::CollectiveOp>(body.front());
  return collective ? sched::stringifyCollectiveKind(collective.getKind()).str() : "";
}

/// The computation of loops of the program: their first few operations other than data movement and index arithmetic.
static std::string wordsOfCode(sched::BufferRegionOp op) {
  if (std::string kind = collectiveKind(op); !kind.empty())
    return kind;
  SmallVector<StringRef> names{"loops"};
  op.getBody().walk([&](Operation *inner) {
    StringRef dialect = inner->getName().getDialectNamespace(), name = shortName(inner);
    bool computes = llvm::is_contained({"math", "linalg"}, dialect) || isa<vector::FMAOp, vector::ReductionOp>(inner) ||
                    (dialect == "arith" && llvm::any_of(inner->getResultTypes(), [](Type type) {
                       return isa<FloatType>(getElementTypeOrSelf(type));
                     }));
    if (computes && !name.empty() && names.size() < 4 && !llvm::is_contained(names, name))
      names.push_back(name);
  });
  return llvm::join(names, "_");
}

std::string mica::kindOf(Operation *op) {
  if (auto kind = op->getAttrOfType<StringAttr>(kLoopKindAttr))
    return kind.str();
  if (auto code = dyn_cast<sched::BufferRegionOp>(op)) {
    std::string kind = collectiveKind(code);
    return kind.empty() ? "loops" : kind;
  }
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  if (!linalgOp)
    return op->getName().stripDialect().str();
  switch (OpClass opClass = classify(op)) {
  case OpClass::Fill:
    return "fill";
  case OpClass::Contraction:
    return kindOfContraction(linalgOp);
  case OpClass::Convolution:
  case OpClass::Pooling:
    return kindOfWindowed(linalgOp, opClass == OpClass::Pooling);
  case OpClass::Reduction:
    return "reduction";
  case OpClass::DataMovement:
    return kindOfMovement(linalgOp);
  case OpClass::Elementwise:
  case OpClass::BufferCode:
  case OpClass::Host:
    return "elementwise";
  }
  llvm_unreachable("all classes are above");
}

/// Whether a result of `op` has an element for each step of a reduction loop: a cumulative sum, for example.
static bool isScan(linalg::LinalgOp op) {
  SmallVector<unsigned> reductions;
  op.getReductionDims(reductions);
  return llvm::any_of(op.getDpsInitsMutable(), [&](OpOperand &init) {
    AffineMap map = op.getMatchingIndexingMap(&init);
    return llvm::any_of(reductions, [&](unsigned dim) { return map.isFunctionOfDim(dim); });
  });
}

std::string mica::wordFor(Operation *op) {
  if (auto code = dyn_cast<sched::BufferRegionOp>(op))
    return wordsOfCode(code);
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  OpClass opClass = classify(op);
  if (linalgOp && opClass == OpClass::Reduction) {
    std::string body = bodyName(linalgOp, 4);
    size_t last = body.rfind('_');
    StringRef combiner = last == std::string::npos ? StringRef(body) : StringRef(body).drop_front(last + 1);
    return (isScan(linalgOp) ? "scan_" : "reduce_") + (combiner == "add" ? std::string("sum") : combiner.str());
  }
  if (linalgOp && (opClass == OpClass::Elementwise || opClass == OpClass::Host)) {
    std::string body = bodyName(linalgOp, 4);
    if (body.empty())
      return computesComparison(linalgOp) ? "compare" : "elementwise";
    return body;
  }
  return kindOf(op);
}
