//===- Play.cpp - a pass that makes only some of its steps --------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See Play.h.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "lib/Bisect/Play.h"

#include "lib/IRTools/Forked.h"
#include "lib/IRTools/TestGenProbe.h"
#include "mica/Support/Base64.h"

#include "mlir/IR/Action.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Transforms/CSE.h"
#include "mlir/Transforms/FoldUtils.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

using namespace mlir;
using namespace mica;
using namespace mica::bisect;

/// Folds make more folds possible; so often all ops are tried.
static constexpr int kFoldRounds = 8;

std::string bisect::printedAlone(Operation *op) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  op->print(stream, OpPrintingFlags().useLocalScope());
  return text;
}

static llvm::json::Value jsonOf(const Made &made) {
  return llvm::json::Array{made.attempt, llvm::json::fixUTF8(made.name), made.op, llvm::json::fixUTF8(made.location)};
}

/// What a child gives back; readPlayed reads it.
static std::string writePlayed(ModuleOp state, int64_t attempts, llvm::ArrayRef<Made> made, const std::string &before,
                               const std::string &after, const std::string &stateThen) {
  llvm::json::Array list;
  for (const Made &step : made)
    list.push_back(jsonOf(step));
  llvm::json::Value value = llvm::json::Array{
      state && succeeded(verify(state)) ? encodeBase64(irtools::serializeModule(state, /*withLocations=*/false)) : "",
      attempts,
      std::move(list),
      llvm::json::fixUTF8(before),
      llvm::json::fixUTF8(after),
      encodeBase64(stateThen)};
  return llvm::formatv("{0}", value).str();
}

static Played readPlayed(const irtools::Forked &forked, MLIRContext *context) {
  Played played;
  if (!forked.ended || forked.signal)
    return played;
  llvm::Expected<llvm::json::Value> json = llvm::json::parse(forked.text);
  if (!json) {
    llvm::consumeError(json.takeError());
    return played;
  }
  const llvm::json::Array *parts = json->getAsArray();
  if (!parts || parts->size() != 6)
    return played;
  auto text = [](const llvm::json::Value &value) { return value.getAsString().value_or("").str(); };
  played.state = irtools::readModule(decodeBase64(text((*parts)[0])).value_or(""), context);
  played.attempts = (*parts)[1].getAsInteger().value_or(0);
  for (const llvm::json::Value &value : *(*parts)[2].getAsArray()) {
    const llvm::json::Array &step = *value.getAsArray();
    played.made.push_back({step[0].getAsInteger().value_or(0), text(step[1]), text(step[2]), text(step[3])});
  }
  played.before = text((*parts)[3]);
  played.after = text((*parts)[4]);
  played.stateThen = irtools::readModule(decodeBase64(text((*parts)[5])).value_or(""), context);
  return played;
}

namespace mica::bisect {
/// In the child: counts attempts, and lets the first of them be made.
class Player {
public:
  Player(ModuleOp module, const Script &script) : module(module), script(script) {}

  void attempt(Operation *op, llvm::function_ref<std::string()> name, llvm::function_ref<void()> perform);
  std::string text(bool ended) const {
    return writePlayed(ended ? module : ModuleOp(), attempts, made, before, after, stateThen);
  }

private:
  ModuleOp module;
  const Script &script;
  int64_t attempts = 0;
  std::vector<Made> made;
  std::string before, after, stateThen;
};
} // namespace mica::bisect

void Player::attempt(Operation *op, llvm::function_ref<std::string()> name, llvm::function_ref<void()> perform) {
  const int64_t number = ++attempts;
  if (number > script.limit)
    return;
  const bool isShown = number == script.shown;
  if (!script.lists && !isShown)
    return perform();
  // Afterwards the op may be gone.
  Made step{number, name(), op->getName().getStringRef().str(), placeText(op->getLoc())};
  Operation *around = op->getParentOfType<FunctionOpInterface>();
  if (!around)
    around = module;
  if (isShown)
    before = printedAlone(around);
  std::optional<OperationFingerPrint> hash;
  if (script.lists)
    hash.emplace(module);
  perform();
  if (isShown) {
    after = printedAlone(around);
    stateThen = irtools::serializeModule(module, /*withLocations=*/false);
  }
  if (isShown || *hash != OperationFingerPrint(module))
    made.push_back(std::move(step));
}

//===------------------------------------------------------------------------------------------------------------===//
// The kinds of steps
//===------------------------------------------------------------------------------------------------------------===//

Steps bisect::patternsOf(const std::string &pipeline) {
  return [&pipeline](ModuleOp module, Player &player) {
    module.getContext()->registerActionHandler([&](function_ref<void()> run, const tracing::Action &action) {
      Operation *op = action.getTag() == "apply-pattern" && !action.getContextIRUnits().empty()
                          ? llvm::dyn_cast_if_present<Operation *>(action.getContextIRUnits().front())
                          : nullptr;
      if (!op)
        return run();
      // Its class does not say which pattern it is of; its text does.
      auto name = [&] {
        std::string text;
        llvm::raw_string_ostream stream(text);
        action.print(stream);
        return llvm::StringRef(text).split("pattern: ").second.trim("` ").str();
      };
      player.attempt(op, name, run);
    });
    return irtools::runPipeline(module, pipeline);
  };
}

LogicalResult bisect::makeFolds(ModuleOp module, Player &player) {
  OperationFolder folder(module.getContext());
  bool changes = true;
  for (int round = 0; changes && round < kFoldRounds; ++round) {
    changes = false;
    // In post-order: what is folded away holds no op that is still to come.
    SmallVector<Operation *> ops;
    module.walk([&](Operation *op) {
      if (op != module && !op->hasTrait<OpTrait::ConstantLike>())
        ops.push_back(op);
    });
    for (Operation *op : ops)
      player.attempt(
          op, [&] { return "fold of " + op->getName().getStringRef().str(); },
          [&] { changes |= succeeded(folder.tryToFold(op)); });
  }
  return success();
}

namespace {
/// Replaces only where the player lets it. An op that is still used stays.
class PlayedRewriter : public IRRewriter {
public:
  PlayedRewriter(MLIRContext *context, Player &player) : IRRewriter(context), player(player) {}
  void replaceAllUsesWith(Value from, Value to) override {
    attempt(from, to, [&] { IRRewriter::replaceAllUsesWith(from, to); });
  }
  void replaceUsesWithIf(Value from, Value to, function_ref<bool(OpOperand &)> functor,
                         bool *allUsesReplaced = nullptr) override {
    attempt(from, to, [&] { IRRewriter::replaceUsesWithIf(from, to, functor); });
    if (allUsesReplaced)
      *allUsesReplaced = from.use_empty();
  }
  void eraseOp(Operation *op) override {
    if (op->use_empty())
      IRRewriter::eraseOp(op);
  }

private:
  void attempt(Value from, Value to, llvm::function_ref<void()> perform) {
    Operation *op = from.getDefiningOp();
    auto name = [&] {
      const std::string place = placeText(to.getLoc());
      return "equal to the one " + (place.empty() ? "before" : "at " + place);
    };
    player.attempt(op, name, perform);
  }
  Player &player;
};
} // namespace

LogicalResult bisect::makeCommonSubexpressions(ModuleOp module, Player &player) {
  PlayedRewriter rewriter(module.getContext(), player);
  DominanceInfo dominance(module);
  eliminateCommonSubExpressions(rewriter, dominance, module);
  return success();
}

Played bisect::play(ModuleOp input, const Steps &steps, const Script &script, const Limits &limits) {
  const irtools::Forked forked = irtools::runForked(
      [&] {
        OwningOpRef<ModuleOp> module = cast<ModuleOp>(input->clone());
        Player player(*module, script);
        const bool ended = succeeded(steps(*module, player));
        return player.text(ended);
      },
      limits.seconds, limits.memoryBytes);
  return readPlayed(forked, input.getContext());
}
