//===- AnnotateProgram.cpp - shardings from the command line ----------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See Passes.td.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "dialects/MicaSched/IR/MicaSchedDialect.h"
#include "dialects/MicaSched/IR/ShardValues.h"
#include "passes/Shard/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Shard/IR/ShardDialect.h"
#include "mlir/Dialect/Shard/IR/ShardOps.h"

namespace mica {
#define GEN_PASS_DEF_ANNOTATEPROGRAM
#include "passes/Shard/Passes.h.inc"
} // namespace mica

using namespace mlir;
namespace sched = mica::sched;

namespace {
/// "main:argument0=0:-".
struct Annotation {
  StringRef function;
  bool isResult = false;
  unsigned number = 0;
  mica::SplitAxes axes;

  static std::optional<Annotation> parse(StringRef text) {
    Annotation one;
    auto [value, dims] = text.rsplit('=');
    StringRef number;
    std::tie(one.function, number) = value.rsplit(':');
    one.isResult = number.consume_front("result");
    if ((!one.isResult && !number.consume_front("argument")) || number.getAsInteger(10, one.number))
      return std::nullopt;
    for (StringRef dim : llvm::split(dims, ':')) {
      SmallVector<int16_t> &split = one.axes.emplace_back();
      for (StringRef axis : llvm::split(dim == "-" ? StringRef() : dim, '+'))
        if (!axis.empty() && axis.getAsInteger(10, split.emplace_back()))
          return std::nullopt;
    }
    return one;
  }
};

class AnnotateProgram : public mica::impl::AnnotateProgramBase<AnnotateProgram> {
public:
  using AnnotateProgramBase::AnnotateProgramBase;

  void runOnOperation() override {
    ModuleOp program = getOperation();
    auto grids = program.getOps<shard::GridOp>();
    shard::GridOp own = grids.empty() ? shard::GridOp() : *grids.begin();
    if (own && own.getShape() != ArrayRef<int64_t>(grid)) {
      own.emitError() << "the program has a grid of " << joined(own.getShape()) << " ranks, and --shard one of "
                      << joined(ArrayRef<int64_t>(grid));
      return signalPassFailure();
    }
    OpBuilder b = OpBuilder::atBlockBegin(program.getBody());
    if (!own)
      own = shard::GridOp::create(b, program.getLoc(), mica::kGridName, ArrayRef<int64_t>(grid));
    for (const std::string &text : shardings)
      if (failed(annotate(text, own)))
        return signalPassFailure();
  }

private:
  static std::string joined(ArrayRef<int64_t> sizes) {
    return llvm::join(llvm::map_range(sizes, [](int64_t size) { return std::to_string(size); }), "x");
  }

  LogicalResult annotate(StringRef text, shard::GridOp own) {
    const std::optional<Annotation> one = Annotation::parse(text);
    auto function = one ? getOperation().lookupSymbol<func::FuncOp>(one->function) : func::FuncOp();
    if (!function || function.isExternal() || !function.getBody().hasOneBlock() ||
        one->number >= (one->isResult ? function.getNumResults() : function.getNumArguments()))
      return getOperation().emitError() << "--shard: '" << text << "' is no value of a function of one block";
    for (ArrayRef<int16_t> split : one->axes)
      for (int16_t axis : split)
        if (axis < 0 || size_t(axis) >= grid.size())
          return getOperation().emitError() << "--shard: '" << text << "' names axis " << axis << " of a grid of "
                                            << joined(ArrayRef<int64_t>(grid)) << " ranks";
    // A program that is written for each rank: its tensors are parts, and nothing is left to split.
    const bool isPartitioned = function
                                   .walk([](Operation *op) {
                                     return isa_and_present<shard::ShardDialect>(op->getDialect()) &&
                                                    !isa<shard::ShardOp, shard::ShardingOp>(op)
                                                ? WalkResult::interrupt()
                                                : WalkResult::advance();
                                   })
                                   .wasInterrupted();
    return isPartitioned ? describePart(function, *one) : annotateWhole(function, *one, own);
  }

  LogicalResult describePart(func::FuncOp function, const Annotation &one) {
    Type type = one.isResult ? function.getResultTypes()[one.number] : function.getArgumentTypes()[one.number];
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (!tensor || !tensor.hasStaticShape() || one.axes.size() != size_t(tensor.getRank()))
      return function.emitError() << "--shard: " << type << " is no part of a tensor with " << one.axes.size()
                                  << " dimensions of known size";
    SmallVector<int64_t> whole(tensor.getShape());
    for (auto [size, split] : llvm::zip_equal(whole, one.axes))
      for (int16_t axis : split)
        size *= grid[axis];
    DictionaryAttr sharding = mica::describeParts(&getContext(), ArrayRef<int64_t>(grid), one.axes, whole);
    if (one.isResult)
      function.setResultAttr(one.number, sched::kShardingAttr, sharding);
    else
      function.setArgAttr(one.number, sched::kShardingAttr, sharding);
    return success();
  }

  LogicalResult annotateWhole(func::FuncOp function, const Annotation &one, shard::GridOp own) {
    const auto name = FlatSymbolRefAttr::get(own.getSymNameAttr());
    if (one.isResult)
      mica::shardOperand(function.getBody().front().getTerminator()->getOpOperand(one.number), name, one.axes);
    else
      mica::shardArgument(function.getArgument(one.number), name, one.axes);
    return success();
  }
};
} // namespace
