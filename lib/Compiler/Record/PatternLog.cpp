//===- PatternLog.cpp - recording applied rewrite patterns --------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See PatternLog.h.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "lib/Compiler/Record/PatternLog.h"

#include "mica/Support/Schemas.h"

#include "dialects/Mica/IR/OpIds.h"

#include "mlir/IR/Action.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Rewrite/PatternApplicator.h"
#include "llvm/ADT/Hashing.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Threading.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mica;
using namespace mica::compiler;

namespace {
/// A fingerprint of IR, valid in this process.
struct RootState {
  llvm::hash_code hash = 0;
  int64_t ops = 0;

  explicit RootState(Operation *root) {
    root->walk<WalkOrder::PreOrder>([&](Operation *op) {
      ++ops;
      hash = llvm::hash_combine(hash, op, op->getBlock(), op->getRawDictionaryAttrs().getAsOpaquePointer(),
                                op->hashProperties());
      for (Value operand : op->getOperands())
        hash = llvm::hash_combine(hash, operand.getAsOpaquePointer());
      for (Type type : op->getResultTypes())
        hash = llvm::hash_combine(hash, type.getAsOpaquePointer());
      for (Block *successor : op->getSuccessors())
        hash = llvm::hash_combine(hash, successor);
      for (Region &region : op->getRegions())
        for (Block &block : region)
          for (BlockArgument argument : block.getArguments())
            hash = llvm::hash_combine(hash, argument.getAsOpaquePointer(), argument.getType().getAsOpaquePointer());
    });
  }
  bool operator==(const RootState &other) const { return hash == other.hash && ops == other.ops; }
};
} // namespace

/// The name of the pattern, which the action only prints: "`apply-pattern pattern: NAME".
static std::string patternName(const ApplyPatternAction &action) {
  std::string text;
  llvm::raw_string_ostream os(text);
  action.print(os);
  return llvm::StringRef(text).split("pattern: ").second.str();
}

std::shared_ptr<PatternLog> PatternLog::listen(MLIRContext &context) {
  if (context.hasActionHandler())
    return nullptr;
  auto log = std::make_shared<PatternLog>();
  context.registerActionHandler(
      [log](llvm::function_ref<void()> attempt, const tracing::Action &action) { log->apply(attempt, action); });
  return log;
}

void PatternLog::begin(Operation *root) {
  std::lock_guard lock(mutex);
  auto thread = std::make_unique<Thread>();
  thread->root = root;
  threads[llvm::get_threadid()] = std::move(thread);
}

std::vector<PatternStep> PatternLog::end() {
  std::lock_guard lock(mutex);
  auto it = threads.find(llvm::get_threadid());
  if (it == threads.end())
    return {};
  std::vector<PatternStep> steps = std::move(it->second->steps);
  threads.erase(it);
  return steps;
}

void PatternLog::apply(llvm::function_ref<void()> attempt, const tracing::Action &action) {
  const auto *application = llvm::dyn_cast<ApplyPatternAction>(&action);
  Thread *thread = nullptr;
  if (application) {
    std::lock_guard lock(mutex);
    if (auto it = threads.find(llvm::get_threadid()); it != threads.end())
      thread = it->second.get();
  }
  Operation *op = nullptr;
  if (thread && !action.getContextIRUnits().empty())
    op = llvm::dyn_cast_if_present<Operation *>(action.getContextIRUnits().front());
  if (!op)
    return attempt();

  PatternStep step;
  step.pattern = patternName(*application);
  step.op = op->getName().getStringRef().str();
  Location location = op->getLoc();
  RootState before(thread->root);
  size_t position = thread->steps.size();
  step.depth = thread->depth++;
  thread->steps.push_back(std::move(step));
  attempt();
  --thread->depth;
  RootState after(thread->root);
  if (before == after) {
    // Including the patterns applied within it, which were rolled back.
    thread->steps.resize(position);
    return;
  }
  PatternStep &done = thread->steps[position];
  done.opsBefore = before.ops;
  done.opsAfter = after.ops;
  for (llvm::StringRef id : getOpIds(location))
    done.ids.push_back(id.str());
  for (FileLineColLoc source : getSourcePositions(location))
    done.sources.push_back(
        (source.getFilename().getValue() + ":" + llvm::Twine(source.getLine()) + ":" + llvm::Twine(source.getColumn()))
            .str());
}

std::string compiler::printPatternSteps(llvm::ArrayRef<PatternStep> steps) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "{\"schema\": " << schemaNumber(Schema::PatternSteps) << ", \"steps\": [";
  // One line per step.
  for (const PatternStep &step : steps) {
    os << (&step == steps.begin() ? "\n" : ",\n");
    llvm::json::OStream json(os);
    json.object([&] {
      json.attribute("pattern", step.pattern);
      json.attribute("op", step.op);
      json.attribute("ops_before", step.opsBefore);
      json.attribute("ops_after", step.opsAfter);
      if (step.depth)
        json.attribute("depth", step.depth);
      json.attributeArray("ids", [&] {
        for (const std::string &id : step.ids)
          json.value(id);
      });
      json.attributeArray("sources", [&] {
        for (const std::string &source : step.sources)
          json.value(llvm::json::fixUTF8(source));
      });
    });
  }
  os << "]}\n";
  return text;
}
