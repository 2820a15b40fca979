//===- GuardRecursion.cpp - guarding recursive functions against stack overflow ----------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See mica-reference-guard-recursion. The stack grows towards lower addresses on every host that Mica generates code
// for.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "mica/ABI/Helpers.h"
#include "passes/Codegen/Reference/FailedChecks.h"
#include "passes/Codegen/Reference/Passes.h"

#include "llvm/ADT/SCCIterator.h"
#include "llvm/ADT/SetVector.h"

namespace mica {
#define GEN_PASS_DEF_GUARDRECURSION
#include "passes/Codegen/Reference/Passes.h.inc"
} // namespace mica

using namespace mlir;
using namespace mica;

namespace {

/// A function, and its possible callees.
struct CallNode {
  LLVM::LLVMFuncOp function;
  llvm::SetVector<CallNode *> callees;
};

/// The functions with a body, below a root that calls all of them.
class CallGraph {
public:
  explicit CallGraph(ModuleOp program) {
    nodes.push_back(std::make_unique<CallNode>());
    for (auto function : program.getOps<LLVM::LLVMFuncOp>()) {
      if (function.isExternal())
        continue;
      nodes.push_back(std::make_unique<CallNode>());
      nodes.back()->function = function;
      byName[function.getName()] = nodes.back().get();
      root()->callees.insert(nodes.back().get());
    }
    llvm::SetVector<CallNode *> addressed;
    SmallVector<CallNode *> indirect;
    for (auto &node : llvm::drop_begin(nodes))
      node->function.walk([&](Operation *op) {
        if (auto address = dyn_cast<LLVM::AddressOfOp>(op)) {
          if (CallNode *taken = byName.lookup(address.getGlobalName()))
            addressed.insert(taken);
        } else if (auto call = dyn_cast<LLVM::CallOp>(op)) {
          if (!call.getCallee())
            indirect.push_back(node.get());
          else if (CallNode *callee = byName.lookup(*call.getCallee()))
            node->callees.insert(callee);
        }
      });
    for (CallNode *caller : indirect)
      caller->callees.insert_range(addressed);
  }
  CallNode *root() const { return nodes.front().get(); }

private:
  SmallVector<std::unique_ptr<CallNode>> nodes;
  llvm::StringMap<CallNode *> byName;
};

} // namespace

template <> struct llvm::GraphTraits<CallNode *> {
  using NodeRef = CallNode *;
  using ChildIteratorType = llvm::SetVector<CallNode *>::iterator;
  static NodeRef getEntryNode(CallNode *node) { return node; }
  static ChildIteratorType child_begin(CallNode *node) { return node->callees.begin(); }
  static ChildIteratorType child_end(CallNode *node) { return node->callees.end(); }
};

namespace {

class GuardRecursion : public mica::impl::GuardRecursionBase<GuardRecursion> {
public:
  void runOnOperation() override {
    program = getOperation();
    CallGraph graph(program);
    for (auto scc = llvm::scc_begin(graph.root()); !scc.isAtEnd(); ++scc)
      if (scc.hasCycle())
        for (CallNode *node : *scc)
          guard(node->function);
  }

private:
  void guard(LLVM::LLVMFuncOp function) {
    declareLimit();
    Location loc = function.getLoc();
    OpBuilder builder = OpBuilder::atBlockBegin(&function.getBody().front());
    Type pointer = LLVM::LLVMPointerType::get(&getContext()), i64 = builder.getI64Type();
    // Not the address of a variable, which would prevent tail call elimination.
    Value level = LLVM::ConstantOp::create(builder, loc, builder.getI32IntegerAttr(0));
    Value frame =
        LLVM::CallIntrinsicOp::create(builder, loc, pointer, builder.getStringAttr("llvm.frameaddress.p0"), level)
            .getResult(0);
    Value address = LLVM::PtrToIntOp::create(builder, loc, i64, frame);
    Value limit =
        LLVM::LoadOp::create(builder, loc, i64, LLVM::AddressOfOp::create(builder, loc, pointer, kPlainStackLimit));
    Value ok = LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::uge, address, limit);
    StringRef name = function.getName();
    name.consume_front("_mlir_ciface_");
    name.consume_front(kPlainPrefix);
    name.consume_front("body_");
    std::string text = "the stack is exhausted: function '@" + name.str() + "' calls itself too often";
    if (const std::string place = positionText(loc); !place.empty())
      text += "; it is" + place;
    LLVM::GlobalOp message = makeMessage(program, loc, ("recursion_" + name).str(), text);
    auto callee =
        plainService(program, "assert", LLVM::LLVMVoidType::get(&getContext()), {builder.getI1Type(), pointer});
    LLVM::CallOp::create(builder, loc, callee, ValueRange{ok, LLVM::AddressOfOp::create(builder, loc, message)});
  }

  /// Declares the global with the limit, 0 until the program is entered, and the helper that returns it.
  void declareLimit() {
    if (program.lookupSymbol(kPlainStackLimit))
      return;
    OpBuilder builder(program.getBodyRegion());
    Type i64 = builder.getI64Type();
    LLVM::GlobalOp::create(builder, program.getLoc(), i64, /*isConstant=*/false, LLVM::Linkage::Internal,
                           kPlainStackLimit, builder.getI64IntegerAttr(0), /*alignment=*/0, /*addrSpace=*/0,
                           /*dsoLocal=*/false, /*thread_local_=*/true);
    if (!program.lookupSymbol(MICA_HELPER_STACK_LIMIT))
      LLVM::LLVMFuncOp::create(builder, program.getLoc(), MICA_HELPER_STACK_LIMIT,
                               LLVM::LLVMFunctionType::get(i64, {}));
  }

  ModuleOp program;
};

} // namespace
