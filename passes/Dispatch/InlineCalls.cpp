//===- InlineCalls.cpp - inlining calls, callers first ----------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Upstream's pass `inline` begins with the functions that call none. An op of such a function is moved once for each
// level of calls above it, and its call path is made anew each time. Here each op is moved or cloned once, to where it
// stays:
//
//   @main: call @f         @main: call @g    (at the call of @f)        @main: math.exp   (at the call of @g, at that
//   @f:    call @g    =>   @g:    math.exp                         =>                      of @f)
//   @g:    math.exp
//
//===------------------------------------------------------------------------------------------------------------===//

#include "dialects/Mica/IR/CallPaths.h"
#include "passes/Dispatch/Passes.h"
#include "passes/Tensor/ExpandAffine.h"
#include "passes/Tensor/PropagateConditions.h"

#include "mlir/Analysis/CallGraph.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Transforms/InliningUtils.h"
#include "llvm/ADT/SCCIterator.h"
#include "llvm/ADT/SetVector.h"

namespace mica {
#define GEN_PASS_DEF_INLINECALLS
#include "passes/Dispatch/Passes.h.inc"
} // namespace mica

using namespace mlir;
using namespace mica;

namespace {
class InlineCalls : public mica::impl::InlineCallsBase<InlineCalls> {
public:
  void runOnOperation() override {
    Inliner inliner(getOperation());
    inliner.run();
  }

private:
  class Inliner {
  public:
    explicit Inliner(ModuleOp program) : program(program), symbols(program), interface(program.getContext()) {}

    void run() {
      findCycles();
      countUses();
      // Functions that only inlined calls reach are dead afterwards: nothing is inlined into them.
      for (size_t i = 0; i < live.size(); ++i)
        runOnFunction(live[i]);
    }

  private:
    void findCycles() {
      const CallGraph graph(program);
      for (auto component = llvm::scc_begin(&graph); !component.isAtEnd(); ++component)
        if (component.hasCycle())
          for (const CallGraphNode *node : *component)
            if (!node->isExternal())
              cyclic.insert(node->getCallableRegion()->getParentOp());
    }

    void countUses() {
      std::optional<SymbolTable::UseRange> found = SymbolTable::getSymbolUses(&program.getBodyRegion());
      // Unregistered ops can use any function.
      isCounted = found.has_value();
      for (auto function : program.getOps<func::FuncOp>())
        if (!function.isPrivate() || !isCounted)
          live.insert(function);
      if (!isCounted)
        return;
      for (SymbolTable::SymbolUse use : *found) {
        auto function = symbols.lookup<func::FuncOp>(use.getSymbolRef().getRootReference());
        if (!function)
          continue;
        ++uses[function];
        if (!isa<func::CallOp>(use.getUser()))
          live.insert(function);
      }
    }

    void runOnFunction(func::FuncOp caller) {
      bool changed = false;
      SmallVector<func::CallOp> calls;
      caller.walk([&](func::CallOp call) { calls.push_back(call); });
      while (!calls.empty()) {
        func::CallOp call = calls.pop_back_val();
        auto callee = symbols.lookup<func::FuncOp>(call.getCalleeAttr().getAttr());
        if (!callee || callee.isExternal())
          continue;
        if (!cyclic.contains(callee))
          expandAffineForCall(call, callee);
        if (isLegal(call, callee) && succeeded(inlineBody(call, callee, calls)))
          changed = true;
        else
          live.insert(callee);
      }
      if (changed)
        propagateConditions(caller, /*leastUses=*/2);
    }

    bool isLegal(func::CallOp call, func::FuncOp callee) {
      // A function of several blocks needs a region that may have several.
      return !cyclic.contains(callee) && interface.isLegalToInline(call, callee, /*wouldBeCloned=*/true) &&
             (callee.getBody().hasOneBlock() || !call->getParentOp()->mightHaveTrait<OpTrait::SingleBlock>());
    }

    bool areLegal(Region &from, Region *into, IRMapping &mapping) {
      return llvm::all_of(from.getOps(), [&](Operation &op) {
        return interface.isLegalToInline(&op, into, /*wouldBeCloned=*/true, mapping) &&
               (!interface.shouldAnalyzeRecursively(&op) ||
                llvm::all_of(op.getRegions(), [&](Region &region) { return areLegal(region, into, mapping); }));
      });
    }

    /// Adds the calls of the inlined body to `calls`.
    LogicalResult inlineBody(func::CallOp call, func::FuncOp callee, SmallVectorImpl<func::CallOp> &calls) {
      Block &body = callee.getBody().front();
      // inlineBlocks splits the block of the call, which touches each op after it.
      if (!callee.getBody().hasOneBlock() || !isa<func::ReturnOp>(body.getTerminator()))
        return inlineBlocks(call, callee, calls);
      IRMapping mapping;
      if (!interface.isLegalToInline(call->getParentRegion(), &callee.getBody(), /*wouldBeCloned=*/true, mapping) ||
          !areLegal(callee.getBody(), call->getParentRegion(), mapping))
        return failure();
      if (isCounted && callee.isPrivate() && !live.contains(callee) && uses[callee] == 1)
        moveBody(call, callee, calls);
      else
        cloneBody(call, callee, mapping, calls);
      return success();
    }

    void cloneBody(func::CallOp call, func::FuncOp callee, IRMapping &mapping, SmallVectorImpl<func::CallOp> &calls) {
      OpBuilder builder(call);
      Block &body = callee.getBody().front();
      mapping.map(body.getArguments(), call.getOperands());
      CallPaths paths(call);
      for (Operation &op : body.without_terminator())
        builder.clone(op, mapping)->walk([&](Operation *copy) {
          paths.extend(copy);
          if (auto inner = dyn_cast<func::CallOp>(copy))
            addCall(inner, calls);
        });
      for (auto [result, value] : llvm::zip_equal(call.getResults(), body.getTerminator()->getOperands()))
        result.replaceAllUsesWith(mapping.lookupOrDefault(value));
      dropCall(call, callee);
    }

    void moveBody(func::CallOp call, func::FuncOp callee, SmallVectorImpl<func::CallOp> &calls) {
      Block &body = callee.getBody().front();
      for (auto [argument, value] : llvm::zip_equal(body.getArguments(), call.getOperands()))
        argument.replaceAllUsesWith(value);
      CallPaths paths(call);
      for (Operation &op : body.without_terminator())
        op.walk([&](Operation *inner) {
          paths.extend(inner);
          if (auto innerCall = dyn_cast<func::CallOp>(inner))
            calls.push_back(innerCall);
        });
      Operation *terminator = body.getTerminator();
      for (auto [result, value] : llvm::zip_equal(call.getResults(), terminator->getOperands()))
        result.replaceAllUsesWith(value);
      call->getBlock()->getOperations().splice(call->getIterator(), body.getOperations(), body.begin(),
                                               terminator->getIterator());
      call.erase();
      uses.erase(callee);
      symbols.erase(callee);
    }

    LogicalResult inlineBlocks(func::CallOp call, func::FuncOp callee, SmallVectorImpl<func::CallOp> &calls) {
      SmallVector<func::CallOp> inner;
      auto clone = [&](OpBuilder &, Region *source, Block *block, Block *after, IRMapping &mapping, bool) {
        source->cloneInto(block->getParent(), after->getIterator(), mapping);
        source->walk(
            [&](func::CallOp each) { inner.push_back(cast<func::CallOp>(mapping.lookup(each.getOperation()))); });
      };
      if (failed(inlineCall(interface, clone, call, callee, &callee.getBody())))
        return failure();
      for (func::CallOp each : inner)
        addCall(each, calls);
      dropCall(call, callee);
      return success();
    }

    void addCall(func::CallOp call, SmallVectorImpl<func::CallOp> &calls) {
      calls.push_back(call);
      if (auto callee = symbols.lookup<func::FuncOp>(call.getCalleeAttr().getAttr()))
        ++uses[callee];
    }

    void dropCall(func::CallOp call, func::FuncOp callee) {
      call.erase();
      --uses[callee];
    }

    /// Appends the location of a call to those of the ops that it calls.
    class CallPaths {
    public:
      explicit CallPaths(func::CallOp call) : caller(call.getLoc()) {}

      void extend(Operation *op) {
        op->setLoc(extend(op->getLoc()));
        for (Region &region : op->getRegions())
          for (Block &block : region)
            for (BlockArgument argument : block.getArguments())
              argument.setLoc(extend(argument.getLoc()));
      }

    private:
      Location extend(Location callee) {
        auto [known, isNew] = extended.try_emplace(callee);
        if (isNew)
          known->second = withCaller(callee, caller);
        return Location(known->second);
      }

      Location caller;
      llvm::DenseMap<Location, LocationAttr> extended;
    };

    ModuleOp program;
    SymbolTable symbols;
    InlinerInterface interface;
    llvm::DenseSet<Operation *> cyclic; ///< functions that call themselves, through others too
    llvm::DenseMap<Operation *, unsigned> uses;
    bool isCounted = false;
    llvm::SetVector<func::FuncOp> live;
  };
};
} // namespace
