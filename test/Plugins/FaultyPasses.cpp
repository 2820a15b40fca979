//===- FaultyPasses.cpp - passes with one fault of a table --------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// A plugin to measure how well mica-bisect finds what went wrong. `test-fault{fault=NAME at=N how=pattern}` rewrites
// every op that the fault could be made in, correctly but for the Nth; with near=OP instead of at=N, but for those with
// an operand of such an op. With how=walk it does so by itself, and exchanges
// operands of other ops, which does no harm. `test-trusting` is wrong after `test-stale` only. `after=PASS` runs an
// upstream pass first. `log` prints where it was.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Tools/Plugins/PassPlugin.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/Compiler.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

//===------------------------------------------------------------------------------------------------------------===//
// What faults are made of
//===------------------------------------------------------------------------------------------------------------===//

/// Makes the fault in `op`, which `fits` said it can be made in.
using Break = std::function<void(RewriterBase &, Operation *)>;
using Fits = std::function<bool(Operation *)>;

namespace {
struct FaultKind {
  const char *name;
  Fits fits;
  Break breakIt;
  std::function<Operation *(Operation *)> other = {}; ///< that it can as well be said to be in
};
} // namespace

static bool isNamed(Operation *op, ArrayRef<StringRef> names) {
  return llvm::is_contained(names, op->getName().getStringRef());
}

static void setOperand(RewriterBase &rewriter, Operation *op, unsigned index, Value value) {
  rewriter.modifyOpInPlace(op, [&] { op->setOperand(index, value); });
}

static void swapOperands(RewriterBase &rewriter, Operation *op, unsigned a, unsigned b) {
  Value first = op->getOperand(a), second = op->getOperand(b);
  rewriter.modifyOpInPlace(op, [&] {
    op->setOperand(a, second);
    op->setOperand(b, first);
  });
}

static FaultKind swapped(const char *name, std::vector<StringRef> names, unsigned a, unsigned b) {
  return {name,
          [=](Operation *op) {
            return isNamed(op, names) && std::max(a, b) < op->getNumOperands() &&
                   op->getOperand(a) != op->getOperand(b) && op->getOperand(a).getType() == op->getOperand(b).getType();
          },
          [=](RewriterBase &rewriter, Operation *op) { swapOperands(rewriter, op, a, b); }};
}

/// The op is another of the same operands and result types.
static FaultKind renamed(const char *name, std::vector<std::pair<StringRef, StringRef>> names) {
  auto other = [names](Operation *op) -> StringRef {
    for (auto [from, to] : names)
      if (op->getName().getStringRef() == from)
        return to;
    return {};
  };
  return {name, [other](Operation *op) { return !other(op).empty(); },
          [other](RewriterBase &rewriter, Operation *op) {
            rewriter.setInsertionPoint(op);
            OperationState state(op->getLoc(), other(op), op->getOperands(), op->getResultTypes());
            rewriter.replaceOp(op, rewriter.create(state));
          }};
}

/// Uses of the result take operand `index` instead.
static FaultKind bypassed(const char *name, std::vector<StringRef> names, unsigned index) {
  return {name,
          [=](Operation *op) {
            return isNamed(op, names) && op->getNumResults() == 1 &&
                   op->getOperand(index).getType() == op->getResult(0).getType();
          },
          [=](RewriterBase &rewriter, Operation *op) { rewriter.replaceOp(op, op->getOperand(index)); }};
}

static FaultKind erased(const char *name, std::vector<StringRef> names) {
  return {name, [=](Operation *op) { return isNamed(op, names); },
          [](RewriterBase &rewriter, Operation *op) { rewriter.eraseOp(op); }};
}

/// The next number up.
static Attribute increased(Attribute attribute) {
  if (auto number = dyn_cast<IntegerAttr>(attribute))
    return IntegerAttr::get(number.getType(), number.getValue() + 1);
  if (auto number = dyn_cast<FloatAttr>(attribute))
    return FloatAttr::get(number.getType(), number.getValueAsDouble() + 1);
  if (auto numbers = dyn_cast<SplatElementsAttr>(attribute))
    if (Attribute one = increased(numbers.getSplatValue<Attribute>()))
      return SplatElementsAttr::get(numbers.getType(), one);
  return {};
}

static FaultKind increasedAttribute(const char *name, std::vector<StringRef> names, const char *attribute,
                                    bool isFloat) {
  auto find = [=](Operation *op) {
    Attribute old = isNamed(op, names) ? op->getAttr(attribute) : Attribute();
    auto typed = dyn_cast_or_null<TypedAttr>(old);
    return typed && isa<FloatType>(getElementTypeOrSelf(typed.getType())) == isFloat &&
                   !getElementTypeOrSelf(typed.getType()).isInteger(1)
               ? increased(old)
               : Attribute();
  };
  return {name, [=](Operation *op) { return static_cast<bool>(find(op)); },
          [=](RewriterBase &rewriter, Operation *op) {
            rewriter.modifyOpInPlace(op, [&] { op->setAttr(attribute, find(op)); });
          }};
}

/// An enum attribute has the value `to` instead of `from`.
static FaultKind changedEnum(const char *name, std::vector<StringRef> names, int64_t from, int64_t to) {
  auto value = [](Operation *op) { return dyn_cast_or_null<IntegerAttr>(op->getAttr("predicate")); };
  return {name, [=](Operation *op) { return isNamed(op, names) && value(op) && value(op).getInt() == from; },
          [=](RewriterBase &rewriter, Operation *op) {
            rewriter.modifyOpInPlace(op, [&] { op->setAttr("predicate", IntegerAttr::get(value(op).getType(), to)); });
          }};
}

/// A constant of the operand's type, other than zero.
static Value oneOf(RewriterBase &rewriter, Operation *at, Type type) {
  rewriter.setInsertionPoint(at);
  return arith::ConstantOp::create(rewriter, at->getLoc(), rewriter.getOneAttr(type));
}

/// Element `index` of a static list is one more, or one less where that would be out of range.
static FaultKind offsetSlice() {
  return {"slice-offset",
          [](Operation *op) {
            auto slice = dyn_cast<tensor::ExtractSliceOp>(op);
            return slice && slice.getStaticOffsets().front() == 1;
          },
          [](RewriterBase &rewriter, Operation *op) {
            auto slice = cast<tensor::ExtractSliceOp>(op);
            SmallVector<int64_t> offsets(slice.getStaticOffsets());
            offsets[0] = 0;
            rewriter.modifyOpInPlace(op, [&] { slice.setStaticOffsets(offsets); });
          }};
}

static FaultKind offsetSubview() {
  return {"subview-offset",
          [](Operation *op) {
            auto slice = dyn_cast<memref::ReinterpretCastOp>(op);
            return slice && slice.getStaticOffsets().front() == 1;
          },
          [](RewriterBase &rewriter, Operation *op) {
            auto slice = cast<memref::ReinterpretCastOp>(op);
            rewriter.modifyOpInPlace(op, [&] {
              slice.setStaticOffsets({int64_t(0)});
              slice.getResult().setType(MemRefType::get(slice.getType().getShape(), slice.getType().getElementType()));
            });
          }};
}

/// The loop ends, or begins, one turn off.
static FaultKind loopBound(const char *name, bool isUpper) {
  return {name, [](Operation *op) { return isa<scf::ForOp>(op); },
          [isUpper](RewriterBase &rewriter, Operation *op) {
            auto loop = cast<scf::ForOp>(op);
            rewriter.setInsertionPoint(op);
            if (isUpper)
              setOperand(rewriter, op, 1,
                         arith::SubIOp::create(rewriter, op->getLoc(), loop.getUpperBound(), loop.getStep()));
            else
              setOperand(rewriter, op, 0,
                         arith::AddIOp::create(rewriter, op->getLoc(), loop.getLowerBound(), loop.getStep()));
          }};
}

/// A loop gives on what it was given.
static FaultKind lostIteration() {
  return {"lost-iteration", [](Operation *op) { return isa<scf::ForOp>(op) && op->getNumResults() > 0; },
          [](RewriterBase &rewriter, Operation *op) {
            auto loop = cast<scf::ForOp>(op);
            setOperand(rewriter, loop.getBody()->getTerminator(), 0, loop.getRegionIterArg(0));
          },
          [](Operation *op) { return cast<scf::ForOp>(op).getBody()->getTerminator(); }};
}

/// A reduction keeps the last number only.
static FaultKind missingAccumulate() {
  return {"missing-accumulate",
          [](Operation *op) {
            auto generic = dyn_cast<linalg::GenericOp>(op);
            return generic && generic.getNumReductionLoops() > 0;
          },
          [](RewriterBase &rewriter, Operation *op) {
            Block *body = cast<linalg::GenericOp>(op).getBody();
            setOperand(rewriter, body->getTerminator(), 0, body->getArgument(0));
          },
          [](Operation *op) { return cast<linalg::GenericOp>(op).getBody()->getTerminator(); }};
}

static FaultKind transposedMap() {
  return {"transposed-map",
          [](Operation *op) {
            auto generic = dyn_cast<linalg::GenericOp>(op);
            if (!generic)
              return false;
            AffineMap map = generic.getIndexingMapsArray().front();
            auto type = dyn_cast<ShapedType>(op->getOperand(0).getType());
            return map.getNumResults() == 2 && type && type.getDimSize(0) == type.getDimSize(1);
          },
          [](RewriterBase &rewriter, Operation *op) {
            auto generic = cast<linalg::GenericOp>(op);
            SmallVector<AffineMap> maps = generic.getIndexingMapsArray();
            maps[0] =
                AffineMap::get(maps[0].getNumDims(), 0, {maps[0].getResult(1), maps[0].getResult(0)}, op->getContext());
            rewriter.modifyOpInPlace(op, [&] { generic.setIndexingMapsAttr(rewriter.getAffineMapArrayAttr(maps)); });
          }};
}

static FaultKind wrongFill() {
  return {"wrong-fill", [](Operation *op) { return isa<linalg::FillOp>(op); },
          [](RewriterBase &rewriter, Operation *op) {
            setOperand(rewriter, op, 0, oneOf(rewriter, op, op->getOperand(0).getType()));
          }};
}

/// What is read beyond the end, or written into the edge, is another number.
static FaultKind wrongPadding() {
  return {"wrong-padding", [](Operation *op) { return isa<vector::TransferReadOp>(op); },
          [](RewriterBase &rewriter, Operation *op) {
            auto read = cast<vector::TransferReadOp>(op);
            Value one = oneOf(rewriter, op, read.getPadding().getType());
            rewriter.modifyOpInPlace(op, [&] { read.getPaddingMutable().assign(one); });
          }};
}

static FaultKind droppedMask() {
  return {"dropped-mask",
          [](Operation *op) {
            return isNamed(op, {"vector.maskedload", "vector.maskedstore"});
          },
          [](RewriterBase &rewriter, Operation *op) {
            for (OpOperand &operand : op->getOpOperands()) {
              auto type = dyn_cast<VectorType>(operand.get().getType());
              if (!type || !type.getElementType().isInteger(1))
                continue;
              rewriter.setInsertionPoint(op);
              setOperand(rewriter, op, operand.getOperandNumber(),
                         arith::ConstantOp::create(rewriter, op->getLoc(), DenseElementsAttr::get(type, true)));
            }
          }};
}

static FaultKind rotatedShuffle() {
  return {"rotated-shuffle", [](Operation *op) { return isa<vector::ShuffleOp>(op); },
          [](RewriterBase &rewriter, Operation *op) {
            auto shuffle = cast<vector::ShuffleOp>(op);
            SmallVector<int64_t> mask(shuffle.getMask());
            std::rotate(mask.begin(), mask.begin() + 1, mask.end());
            rewriter.modifyOpInPlace(op, [&] { shuffle.setMask(mask); });
          }};
}

static FaultKind reductionKind() {
  return {"reduction-kind",
          [](Operation *op) {
            auto reduction = dyn_cast<vector::ReductionOp>(op);
            return reduction && reduction.getKind() == vector::CombiningKind::ADD;
          },
          [](RewriterBase &rewriter, Operation *op) {
            rewriter.modifyOpInPlace(op, [&] {
              cast<vector::ReductionOp>(op).setKind(isa<FloatType>(op->getResult(0).getType())
                                                        ? vector::CombiningKind::MAXIMUMF
                                                        : vector::CombiningKind::MAXSI);
            });
          }};
}

/// An accumulation forgets what it adds to.
static FaultKind droppedAddend() {
  return {"dropped-addend", [](Operation *op) { return isa<vector::FMAOp>(op); },
          [](RewriterBase &rewriter, Operation *op) {
            rewriter.setInsertionPoint(op);
            rewriter.replaceOpWithNewOp<arith::MulFOp>(op, op->getOperand(0), op->getOperand(1));
          }};
}

/// Rounds to nearest what is to be cut off.
static FaultKind wrongRounding() {
  return {"wrong-rounding", [](Operation *op) { return isa<arith::FPToSIOp>(op); },
          [](RewriterBase &rewriter, Operation *op) {
            rewriter.setInsertionPoint(op);
            Type type = op->getOperand(0).getType();
            Value half = arith::ConstantOp::create(rewriter, op->getLoc(), rewriter.getFloatAttr(type, 0.5));
            setOperand(rewriter, op, 0, arith::AddFOp::create(rewriter, op->getLoc(), op->getOperand(0), half));
          }};
}

/// A read goes before the write that it depends on.
static FaultKind lostDependency() {
  auto writer = [](Operation *op) -> Operation * {
    auto load = dyn_cast<memref::LoadOp>(op);
    for (Operation *before = op->getPrevNode(); load && before; before = before->getPrevNode())
      if (auto store = dyn_cast<memref::StoreOp>(before); store && store.getMemRef() == load.getMemRef())
        return llvm::all_of(load.getIndices(),
                            [&](Value index) {
                              Operation *made = index.getDefiningOp();
                              return !made || made->getBlock() != op->getBlock() || made->isBeforeInBlock(before);
                            })
                   ? before
                   : nullptr;
    return nullptr;
  };
  return {"lost-dependency", [=](Operation *op) { return writer(op) != nullptr; },
          [=](RewriterBase &rewriter, Operation *op) { rewriter.moveOpBefore(op, writer(op)); }, writer};
}

static FaultKind movedElement() {
  return {"move-llvm",
          [](Operation *op) {
            auto element = dyn_cast<LLVM::GEPOp>(op);
            return element && element.getDynamicIndices().size() == 1;
          },
          [](RewriterBase &rewriter, Operation *op) {
            rewriter.setInsertionPoint(op);
            Value index = op->getOperand(1);
            Value one = LLVM::ConstantOp::create(rewriter, op->getLoc(), index.getType(), 1);
            setOperand(rewriter, op, 1, LLVM::XOrOp::create(rewriter, op->getLoc(), index, one));
          }};
}

/// A buffer lies where another one does.
static FaultKind arenaOverlap() {
  return {"arena-overlap",
          [](Operation *op) {
            auto offset = isNamed(op, {"mica_sched.arena"}) ? op->getAttrOfType<IntegerAttr>("offset") : IntegerAttr();
            return offset && offset.getInt() != 0;
          },
          [](RewriterBase &rewriter, Operation *op) {
            auto offset = op->getAttrOfType<IntegerAttr>("offset");
            rewriter.modifyOpInPlace(op, [&] { op->setAttr("offset", IntegerAttr::get(offset.getType(), 0)); });
          }};
}

/// The mask of a rest is one lane short.
static FaultKind shortMask() {
  return {"short-mask", [](Operation *op) { return isa<vector::CreateMaskOp>(op); },
          [](RewriterBase &rewriter, Operation *op) {
            const unsigned last = op->getNumOperands() - 1;
            Value one = oneOf(rewriter, op, op->getOperand(last).getType());
            setOperand(rewriter, op, last, arith::SubIOp::create(rewriter, op->getLoc(), op->getOperand(last), one));
          }};
}

static const std::vector<FaultKind> &faultTable() {
  static const std::vector<FaultKind> table{
      // Numbers
      swapped("swap-subf", {"arith.subf"}, 0, 1),
      swapped("swap-divf", {"arith.divf"}, 0, 1),
      swapped("swap-subi", {"arith.subi"}, 0, 1),
      swapped("swap-shift", {"arith.shli", "arith.shrsi"}, 0, 1),
      swapped("swap-select", {"arith.select"}, 1, 2),
      renamed("add-to-sub", {{"arith.addf", "arith.subf"}, {"arith.addi", "arith.subi"}}),
      renamed("mul-to-add", {{"arith.mulf", "arith.addf"}, {"arith.muli", "arith.addi"}}),
      renamed("min-to-max", {{"arith.minimumf", "arith.maximumf"}, {"arith.minsi", "arith.maxsi"}}),
      renamed("and-to-or", {{"arith.andi", "arith.ori"}}),
      renamed("wrong-sign",
              {{"arith.extsi", "arith.extui"}, {"arith.sitofp", "arith.uitofp"}, {"arith.shrsi", "arith.shrui"}}),
      renamed("other-function", {{"math.exp", "math.exp2"}, {"math.floor", "math.ceil"}}),
      increasedAttribute("wrong-constant", {"arith.constant", "mica.constant"}, "value", true),
      increasedAttribute("wrong-integer", {"arith.constant"}, "value", false),
      changedEnum("wrong-compare", {"arith.cmpi"}, 2, 3),
      bypassed("lost-negation", {"arith.negf"}, 0),
      bypassed("lost-factor", {"arith.mulf"}, 0),
      wrongRounding(),
      // The program in Mica's own dialect
      swapped("swap-mica", {"mica.sub", "mica.div"}, 0, 1),
      swapped("swap-matmul", {"mica.matmul"}, 0, 1),
      renamed("other-mica", {{"mica.add", "mica.sub"}, {"mica.max", "mica.min"}, {"mica.exp", "mica.tanh"}}),
      bypassed("lost-mica", {"mica.abs", "mica.neg", "mica.tanh", "mica.softmax", "mica.transpose"}, 0),
      // Its schedule
      swapped("swap-buffers", {"mica_sched.task"}, 0, 1),
      swapped("swap-dispatch", {"mica_sched.dispatch"}, 0, 1),
      erased("lost-task", {"mica_sched.task"}),
      arenaOverlap(),
      // Tensors
      swapped("swap-inputs", {"linalg.sub", "linalg.div"}, 0, 1),
      wrongFill(),
      missingAccumulate(),
      transposedMap(),
      offsetSlice(),
      bypassed("lost-insert", {"tensor.insert_slice", "tensor.insert"}, 1),
      bypassed("lost-map", {"linalg.exp", "linalg.abs", "linalg.add"}, 0),
      swapped("swap-extract", {"tensor.extract"}, 1, 2),
      // Loops and memory
      loopBound("short-loop", true),
      loopBound("late-loop", false),
      lostIteration(),
      erased("lost-store", {"memref.store", "vector.store", "vector.transfer_write"}),
      erased("lost-copy", {"memref.copy"}),
      swapped("swap-indices", {"memref.load"}, 1, 2),
      offsetSubview(),
      lostDependency(),
      // Vectors
      wrongPadding(),
      droppedMask(),
      shortMask(),
      rotatedShuffle(),
      reductionKind(),
      droppedAddend(),
      // Lowered
      swapped("swap-llvm", {"llvm.fsub", "llvm.sub", "llvm.fdiv"}, 0, 1),
      renamed("rename-llvm", {{"llvm.fadd", "llvm.fsub"}, {"llvm.add", "llvm.sub"}, {"llvm.sext", "llvm.zext"}}),
      erased("erase-llvm", {"llvm.store"}),
      swapped("select-llvm", {"llvm.select"}, 1, 2),
      movedElement(),
  };
  return table;
}

//===------------------------------------------------------------------------------------------------------------===//
// The pass
//===------------------------------------------------------------------------------------------------------------===//

namespace {
/// Counts ops that a fault can be made in, and makes it in one.
class Planter {
public:
  Planter(const FaultKind &kind, int64_t at, StringRef near, bool says) : kind(kind), at(at), near(near), says(says) {}

  /// Rewrites an op that fits: wrong for the one, else by a copy of it.
  LogicalResult rewrite(RewriterBase &rewriter, Operation *op) {
    if (!kind.fits(op))
      return failure();
    const bool isNear = llvm::any_of(op->getOperands(), [&](Value value) {
      return !near.empty() && value.getDefiningOp() && value.getDefiningOp()->getName().getStringRef() == near;
    });
    if (near.empty() ? ++count == at : isNear) {
      for (Operation *place : {op, kind.other ? kind.other(op) : nullptr})
        if (says && place)
          llvm::errs() << "planted in " << place->getName() << " at " << place->getLoc() << "\n";
      kind.breakIt(rewriter, op);
      return success();
    }
    rewriter.setInsertionPoint(op);
    rewriter.replaceOp(op, rewriter.clone(*op));
    return success();
  }

private:
  const FaultKind &kind;
  const int64_t at;
  const StringRef near;
  const bool says;
  int64_t count = 0;
};

struct FaultPattern : RewritePattern {
  FaultPattern(MLIRContext *context, Planter &planter)
      : RewritePattern(MatchAnyOpTypeTag(), 1, context), planter(planter) {
    setDebugName("FaultPattern");
  }
  LogicalResult matchAndRewrite(Operation *op, PatternRewriter &rewriter) const override {
    return planter.rewrite(rewriter, op);
  }
  Planter &planter;
};

struct FaultPass : PassWrapper<FaultPass, OperationPass<>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(FaultPass)
  FaultPass() = default;
  FaultPass(const FaultPass &other) : PassWrapper(other) {}
  StringRef getArgument() const final { return "test-fault"; }
  StringRef getDescription() const final { return "Makes one fault of a table"; }
  void getDependentDialects(DialectRegistry &registry) const final {
    registry.insert<affine::AffineDialect, arith::ArithDialect, bufferization::BufferizationDialect,
                    cf::ControlFlowDialect, linalg::LinalgDialect, LLVM::LLVMDialect, math::MathDialect,
                    memref::MemRefDialect, scf::SCFDialect, tensor::TensorDialect, vector::VectorDialect>();
  }
  void runOnOperation() final;

  Option<std::string> fault{*this, "fault", llvm::cl::desc("Name of the fault")};
  Option<int64_t> at{*this, "at", llvm::cl::desc("Which of the ops, from 1"), llvm::cl::init(1)};
  Option<std::string> near{*this, "near", llvm::cl::desc("In all ops with an operand of such an op instead")};
  Option<std::string> how{*this, "how", llvm::cl::desc("pattern or walk"), llvm::cl::init("pattern")};
  Option<std::string> after{*this, "after", llvm::cl::desc("Pass to run first")};
  Option<bool> says{*this, "log", llvm::cl::desc("Print the op"), llvm::cl::init(false)};
};
/// The first subtraction of a function.
struct FirstSubtraction {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(FirstSubtraction)
  explicit FirstSubtraction(Operation *root) {
    root->walk([&](Operation *op) {
      if (!isNamed(op, {"arith.subf"}))
        return WalkResult::advance();
      found = op;
      return WalkResult::interrupt();
    });
  }
  Operation *found = nullptr;
};

/// Makes an addition of the subtraction, which nothing uses any more, and says that the analysis still holds.
struct StalePass : PassWrapper<StalePass, OperationPass<>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(StalePass)
  StringRef getArgument() const final { return "test-stale"; }
  StringRef getDescription() const final { return "Preserves an analysis that it makes wrong"; }
  void runOnOperation() final {
    Operation *op = getAnalysis<FirstSubtraction>().found;
    if (op) {
      OpBuilder builder(op);
      Value negated = arith::NegFOp::create(builder, op->getLoc(), op->getOperand(1));
      Value sum = arith::AddFOp::create(builder, op->getLoc(), negated, op->getOperand(0));
      op->getResult(0).replaceAllUsesWith(sum);
    }
    markAnalysesPreserved<FirstSubtraction>();
  }
};

/// Trusts the analysis: changes the addition before the subtraction, as if that were used.
struct TrustingPass : PassWrapper<TrustingPass, OperationPass<>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TrustingPass)
  StringRef getArgument() const final { return "test-trusting"; }
  StringRef getDescription() const final { return "Changes an addition by an analysis of a pass before"; }
  void runOnOperation() final {
    std::optional<std::reference_wrapper<FirstSubtraction>> known = getCachedAnalysis<FirstSubtraction>();
    Operation *op = known ? known->get().found : nullptr;
    if (op && op->getPrevNode() && isNamed(op->getPrevNode(), {"arith.addf"}))
      op->getPrevNode()->setOperand(1, op->getPrevNode()->getOperand(0));
  }
};
/// (a + b) + c becomes a + (b + c).
struct ReassociatePass : PassWrapper<ReassociatePass, OperationPass<>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(ReassociatePass)
  StringRef getArgument() const final { return "test-reassociate"; }
  StringRef getDescription() const final { return "Adds in another order"; }
  void runOnOperation() final {
    getOperation()->walk([](arith::AddFOp outer) {
      auto inner = outer.getLhs().getDefiningOp<arith::AddFOp>();
      if (!inner)
        return;
      OpBuilder builder(outer);
      Value sum = arith::AddFOp::create(builder, outer.getLoc(), inner.getRhs(), outer.getRhs());
      outer->setOperands({inner.getLhs(), sum});
    });
  }
};

/// Leaves a program that cannot be linked.
struct CallElsewherePass : PassWrapper<CallElsewherePass, OperationPass<>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(CallElsewherePass)
  StringRef getArgument() const final { return "test-call-elsewhere"; }
  StringRef getDescription() const final { return "Makes calls of @elsewhere of subtractions"; }
  void runOnOperation() final {
    getOperation()->walk([](arith::SubIOp op) {
      OpBuilder builder(op);
      OperationState state(op.getLoc(), "func.call", op->getOperands(), op->getResultTypes());
      state.addAttribute("callee", FlatSymbolRefAttr::get(op.getContext(), "elsewhere"));
      op->getResult(0).replaceAllUsesWith(builder.create(state)->getResult(0));
    });
  }
};
} // namespace

void FaultPass::runOnOperation() {
  auto kind = llvm::find_if(faultTable(), [&](const FaultKind &entry) { return entry.name == fault; });
  if (kind == faultTable().end()) {
    getOperation()->emitError("there is no fault '") << fault << "'";
    return signalPassFailure();
  }
  if (!after.empty()) {
    OpPassManager upstream(getOperation()->getName().getStringRef());
    if (failed(parsePassPipeline(after, upstream)) || failed(runPipeline(upstream, getOperation())))
      return signalPassFailure();
  }
  Planter planter(*kind, at, near.getValue(), says);
  if (how == "pattern") {
    RewritePatternSet patterns(&getContext());
    patterns.add<FaultPattern>(&getContext(), planter);
    walkAndApplyPatterns(getOperation(), std::move(patterns));
    return;
  }
  SmallVector<Operation *> ops;
  getOperation()->walk([&](Operation *op) { ops.push_back(op); });
  IRRewriter rewriter(&getContext());
  for (Operation *op : ops) {
    if (isNamed(op, {"arith.mulf", "arith.muli", "arith.andi", "llvm.fmul"}) && !kind->fits(op))
      swapOperands(rewriter, op, 0, 1);
    (void)planter.rewrite(rewriter, op);
  }
}

extern "C" LLVM_ATTRIBUTE_VISIBILITY_DEFAULT PassPluginLibraryInfo mlirGetPassPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "MicaFaultyPasses", LLVM_VERSION_STRING, [] {
            PassRegistration<FaultPass>();
            PassRegistration<StalePass>();
            PassRegistration<TrustingPass>();
            PassRegistration<ReassociatePass>();
            PassRegistration<CallElsewherePass>();
          }};
}
