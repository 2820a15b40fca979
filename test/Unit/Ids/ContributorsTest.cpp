//===- ContributorsTest.cpp - ids against a walk of the data flow -----------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// The ids an op carries say which ops of the program it computes. The same is known from the data flow alone: an op of
// a kernel computes what lies in the program between its operands and its result. The program is the snapshot that ends
// phase tensor, the ops are those of two later snapshots: the end of phase dispatch, and the same kernels after
// mica-codegen-fuse-elementwise, where one op stands for several.
//
// Every value of a later snapshot is *anchored* at an op of the program: the one, of those whose ids the value's op
// carries, that the others lead to. Kernel arguments are anchored through the dispatch that calls the kernel. Then
//
//   dispatch   op_ids = ids met when walking the program backwards from the anchors of the results, up to the anchors
//              of the operands (the function's arguments and constants end every walk)
//   op         the same with the op's own result and operands
//   body op    has one id, of its op; the values it uses come from the same id, or from an id whose op the program's op
//              reads, directly or through movements of data that are part of the fused op
//   return     the function returns what is anchored at the ops that the program returns
//
// A wrong or lost id breaks one of these: for its op, or for the reader of its op, whose walk then ends elsewhere.
//
// A dispatch may compute a part of an op, such as the padding of a convolution: its result has other sizes than the
// op's, the dispatch that computes the rest has the op's id too, and its walk goes on to the operands of the part.
//
// Apart: tensor.empty, constants and tensor.dim compute no elements; reshapes and casts are passed through on both
// sides, for they are views of the host. Of the ops found, 200 are drawn with a fixed seed.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "dialects/Mica/IR/OpIds.h"
#include "dialects/MicaSched/IR/MicaSchedDialect.h"
#include "dialects/RegisterDialects.h"
#include "passes/BuildPipelines.h"
#include "passes/Codegen/Common/Passes.h"

#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/StringExtras.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <iostream>
#include <map>
#include <random>
#include <set>

using namespace mlir;
using namespace mica;

namespace {
constexpr unsigned kSeed = 20261121;
constexpr size_t kSample = 200;

using Ids = std::set<std::string>;
using Ops = llvm::SmallPtrSet<Operation *, 8>;

std::string join(const Ids &ids) { return "{" + llvm::join(ids, ", ") + "}"; }

bool isView(Operation *op) {
  return isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp, tensor::ReshapeOp, tensor::CastOp>(op) ||
         op->getName().getStringRef() == "mica.reshape";
}

bool computesNothing(Operation *op) {
  return isa<tensor::EmptyOp, tensor::DimOp>(op) || op->hasTrait<OpTrait::ConstantLike>() ||
         op->getName().getStringRef() == "mica_sched.constant" ||
         llvm::none_of(op->getResultTypes(), llvm::IsaPred<RankedTensorType>);
}

Value throughViews(Value value) {
  while (Operation *def = value.getDefiningOp()) {
    if (!isView(def))
      break;
    value = def->getOperand(0);
  }
  return value;
}

/// Tensors `op` uses, in its regions too, through views.
SmallVector<Value> tensorsUsed(Operation *op) {
  llvm::SetVector<Value> values(op->operand_begin(), op->operand_end());
  for (Region &region : op->getRegions())
    getUsedValuesDefinedAbove(region, region, values);
  SmallVector<Value> tensors;
  for (Value value : values)
    if (isa<RankedTensorType>(value.getType()))
      tensors.push_back(throughViews(value));
  return tensors;
}

/// Sizes of a tensor without those that are 1.
SmallVector<int64_t> sizesOf(Type type) {
  SmallVector<int64_t> sizes;
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    llvm::copy_if(tensor.getShape(), std::back_inserter(sizes), [](int64_t size) { return size != 1; });
  return sizes;
}

/// The snapshot that ends phase tensor.
class TensorProgram {
public:
  explicit TensorProgram(func::FuncOp function) : function(function) {
    for (Operation &op : function.getBody().front())
      if (!isView(&op) && !computesNothing(&op))
        for (StringRef id : getOpIds(&op))
          byId[id.str()].push_back(&op);
  }

  /// The ops of the program's that carry `id`, in their order.
  ArrayRef<Operation *> ops(const std::string &id) const {
    auto found = byId.find(id);
    return found == byId.end() ? ArrayRef<Operation *>() : ArrayRef<Operation *>(found->second);
  }

  /// Of the ops with `ids`, the one that the others lead to; where an id stands for several ops, one whose result has
  /// the sizes of `type`.
  Operation *anchor(const Ids &ids, Type type) const {
    Operation *last = nullptr, *fitting = nullptr;
    auto later = [](Operation *best, Operation *op) { return !best || best->isBeforeInBlock(op) ? op : best; };
    for (const std::string &id : ids)
      for (Operation *op : ops(id)) {
        last = later(last, op);
        if (sizesOf(op->getResult(0).getType()) == sizesOf(type))
          fitting = later(fitting, op);
      }
    return fitting ? fitting : last;
  }

  /// Ids met from `from` (included) backwards up to `stops` (not included).
  Ids walk(Operation *from, const Ops &stops) const {
    Ids ids;
    Ops seen{from};
    SmallVector<Operation *> stack{from};
    while (!stack.empty()) {
      Operation *op = stack.pop_back_val();
      for (StringRef id : getOpIds(op))
        ids.insert(id.str());
      for (Value value : tensorsUsed(op)) {
        Operation *def = value.getDefiningOp();
        if (def && !computesNothing(def) && !stops.contains(def) && seen.insert(def).second)
          stack.push_back(def);
      }
    }
    return ids;
  }

  /// Whether an op with `reader` reads one with `read`, directly or through ops with ids in `through`; or both are one
  /// id.
  bool reads(const std::string &reader, const std::string &read, const Ids &through) const {
    SmallVector<Operation *> stack(ops(reader));
    Ops seen(stack.begin(), stack.end());
    while (!stack.empty()) {
      Operation *op = stack.pop_back_val();
      if (llvm::is_contained(ops(read), op))
        return true;
      for (Value value : tensorsUsed(op)) {
        Operation *def = value.getDefiningOp();
        if (!def || !seen.insert(def).second)
          continue;
        if (llvm::is_contained(ops(read), def))
          return true;
        if (llvm::any_of(getOpIds(def), [&](StringRef id) { return through.count(id.str()); }))
          stack.push_back(def);
      }
    }
    return false;
  }

  mutable func::FuncOp function; ///< mutable as handles of operations are: the program is not changed

private:
  std::map<std::string, SmallVector<Operation *>> byId;
};

/// A later snapshot, compared with the program.
class Snapshot {
public:
  Snapshot(ModuleOp module, const TensorProgram &program) : module(module), program(program) {}

  /// One check that can be drawn: what it is of, and the check, which gives the complaint or "".
  struct Item {
    std::string what;
    std::function<std::string()> check;
  };

  std::vector<Item> items() {
    std::vector<Item> found;
    auto host = module.lookupSymbol<func::FuncOp>(program.function.getSymName());
    host.walk([&](sched::DispatchOp dispatch) {
      std::string name = dispatch.getKernel().str();
      found.push_back({"dispatch of " + name, [=, this] { return checkDispatch(dispatch); }});
      for (Operation &op : kernelOf(dispatch).getBody().front()) {
        if (isa<bufferization::ToTensorOp>(op) || computesNothing(&op) || isView(&op) || op.use_empty())
          continue;
        std::string what = op.getName().getStringRef().str() + " in " + name;
        if (isPartOfReaders(dispatch, &op))
          found.push_back({what, [=, this, &op] {
                             return compare(computing(idsAt(dispatch, &op)), idsOf(anchorOf(dispatch, &op)));
                           }});
        else
          found.push_back({what, [=, this, &op] { return checkOp(dispatch, &op); }});
        if (auto generic = dyn_cast<linalg::GenericOp>(op))
          for (Operation &inner : generic.getBody()->without_terminator())
            if (!inner.hasTrait<OpTrait::ConstantLike>())
              found.push_back({inner.getName().getStringRef().str() + " of " + what,
                               [=, this, &inner] { return checkBodyOp(dispatch, generic, &inner); }});
      }
    });
    return found;
  }

  /// The complaint about what the function returns, or "".
  std::string checkReturn() {
    auto host = module.lookupSymbol<func::FuncOp>(program.function.getSymName());
    Operation *returned = host.getBody().front().getTerminator();
    Operation *expected = program.function.getBody().front().getTerminator();
    for (auto [now, before] : llvm::zip_equal(returned->getOperands(), expected->getOperands())) {
      Operation *want = throughViews(before).getDefiningOp();
      if (Operation *got = hostAnchor(now); got != want)
        return "returned value is anchored at " + (got ? join(idsOf(got)) : "nothing") + " instead of " +
               (want ? join(idsOf(want)) : "nothing");
    }
    return "";
  }

private:
  static Ids idsOf(Operation *op) {
    Ids ids;
    for (StringRef id : getOpIds(op))
      ids.insert(id.str());
    return ids;
  }

  func::FuncOp kernelOf(sched::DispatchOp dispatch) {
    auto kernel = module.lookupSymbol<ModuleOp>(dispatch.getKernel());
    return *kernel.getOps<func::FuncOp>().begin();
  }

  static ArrayAttr siteIds(sched::DispatchOp dispatch) {
    return dispatch.getOpIds().value_or(ArrayAttr::get(dispatch.getContext(), {}));
  }

  /// The ids of `op`, of `dispatch`'s kernel, as they are at this dispatch: equal kernels are one, with the ids of one.
  Ids idsAt(sched::DispatchOp dispatch, Operation *op) {
    auto listed = module.lookupSymbol<ModuleOp>(dispatch.getKernel())->getAttrOfType<ArrayAttr>(sched::kOpIdsAttr);
    Ids ids;
    for (StringRef id : getOpIds(op)) {
      std::string at = "unlisted " + id.str();
      for (auto [kernelId, siteId] :
           llvm::zip_equal(listed.getAsValueRange<StringAttr>(), siteIds(dispatch).getAsValueRange<StringAttr>()))
        if (kernelId == id)
          at = siteId.str();
      ids.insert(at);
    }
    return ids;
  }

  /// Those of `ids` that stand for more than views and empties.
  Ids computing(const Ids &ids) {
    Ids kept;
    for (const std::string &id : ids)
      if (!program.ops(id).empty() || StringRef(id).starts_with("unlisted"))
        kept.insert(id);
    return kept;
  }

  /// What result `number` of `dispatch` is in its kernel.
  Value written(sched::DispatchOp dispatch, unsigned number) {
    SmallVector<Value> sources;
    for (auto write : kernelOf(dispatch).getOps<bufferization::MaterializeInDestinationOp>())
      sources.push_back(write.getSource());
    return throughViews(sources[number]);
  }

  Operation *anchorOf(sched::DispatchOp dispatch, Operation *op) {
    return program.anchor(idsAt(dispatch, op), op->getResult(0).getType());
  }

  /// The dispatch operand that `value` of the kernel is, or null.
  Value operandOf(sched::DispatchOp dispatch, Value value) {
    auto read = value.getDefiningOp<bufferization::ToTensorOp>();
    auto argument = read ? dyn_cast<BlockArgument>(read.getBuffer()) : BlockArgument();
    if (!argument || argument.getArgNumber() >= dispatch.getInputs().size())
      return {};
    return throughViews(dispatch.getInputs()[argument.getArgNumber()]);
  }

  /// Where a tensor of the host function is anchored; null: an argument or constant.
  Operation *hostAnchor(Value value) {
    value = throughViews(value);
    auto dispatch = value.getDefiningOp<sched::DispatchOp>();
    return dispatch ? anchorIn(dispatch, written(dispatch, cast<OpResult>(value).getResultNumber())) : nullptr;
  }

  /// Where a tensor of a kernel is anchored.
  Operation *anchorIn(sched::DispatchOp dispatch, Value value) {
    value = throughViews(value);
    if (Value operand = operandOf(dispatch, value))
      return hostAnchor(operand);
    Operation *def = value.getDefiningOp();
    return def && !computesNothing(def) ? anchorOf(dispatch, def) : nullptr;
  }

  /// Whether `op` is a part of the op of the program that all its readers are parts of: the bias that a convolution
  /// starts from, a splat that the kernel fills for itself. The last part is compared with the walk, and the others
  /// with it.
  bool isPartOfReaders(sched::DispatchOp dispatch, Operation *op) {
    Operation *anchor = anchorOf(dispatch, op);
    return anchor && llvm::all_of(op->getUsers(), [&](Operation *user) {
             return user->getNumResults() == 1 && anchorIn(dispatch, user->getResult(0)) == anchor;
           });
  }

  /// Where the walk for `op` ends. Values anchored where `op` is are parts of the same op of the program.
  void stopsOfOp(sched::DispatchOp dispatch, Operation *op, Operation *anchor, Ops &stops) {
    for (Value value : tensorsUsed(op)) {
      if (Value operand = operandOf(dispatch, value)) {
        stopsOfOperand(operand, anchor, stops);
        continue;
      }
      Operation *def = value.getDefiningOp();
      if (!def || computesNothing(def))
        continue;
      if (Operation *stop = anchorOf(dispatch, def); stop != anchor)
        stops.insert(stop);
      else
        stopsOfOp(dispatch, def, anchor, stops);
    }
  }

  void stopsOfOperand(Value operand, Operation *anchor, Ops &stops) {
    auto dispatch = operand.getDefiningOp<sched::DispatchOp>();
    if (!dispatch)
      return;
    Operation *stop = hostAnchor(operand);
    if (stop != anchor && stop && sizesOf(stop->getResult(0).getType()) == sizesOf(operand.getType()))
      stops.insert(stop);
    else // A part of an op whose rest comes later: what that part was made from.
      for (Value input : dispatch.getInputs())
        stopsOfOperand(throughViews(input), anchor, stops);
  }

  std::string compare(const Ids &listed, const Ids &walked) {
    return listed == walked ? "" : "lists " + join(listed) + ", the data flow gives " + join(walked);
  }

  std::string checkDispatch(sched::DispatchOp dispatch) {
    Ids listed, walked;
    for (StringRef id : siteIds(dispatch).getAsValueRange<StringAttr>())
      listed.insert(id.str());
    for (unsigned number = 0; number < dispatch->getNumResults(); ++number) {
      Operation *anchor = anchorIn(dispatch, written(dispatch, number));
      if (!anchor)
        return "a result is no op's";
      Ops stops;
      for (Value input : dispatch.getInputs())
        stopsOfOperand(throughViews(input), anchor, stops);
      Ids ids = program.walk(anchor, stops);
      walked.insert(ids.begin(), ids.end());
    }
    return compare(computing(listed), walked);
  }

  std::string checkOp(sched::DispatchOp dispatch, Operation *op) {
    Operation *anchor = anchorOf(dispatch, op);
    if (!anchor)
      return "carries no id of the program";
    Ops stops;
    stopsOfOp(dispatch, op, anchor, stops);
    return compare(computing(idsAt(dispatch, op)), program.walk(anchor, stops));
  }

  std::string checkBodyOp(sched::DispatchOp dispatch, linalg::GenericOp generic, Operation *inner) {
    Ids own = computing(idsAt(dispatch, inner)), around = idsAt(dispatch, generic);
    if (own.size() != 1 || !around.count(*own.begin()))
      return "carries " + join(own) + " in an op of " + join(around);
    // Movements of data that were fused in have no operation of their own in the body.
    Ids moved = around;
    for (Operation &other : generic.getBody()->without_terminator())
      for (const std::string &id : idsAt(dispatch, &other))
        moved.erase(id);
    for (Value operand : inner->getOperands()) {
      Ids read;
      auto argument = dyn_cast<BlockArgument>(operand);
      if (argument && argument.getOwner() == generic.getBody()) {
        OpOperand *outer = generic.getMatchingOpOperand(argument);
        if (Operation *anchor = anchorIn(dispatch, outer->get()))
          read = idsOf(anchor);
      } else if (Operation *def = operand.getDefiningOp(); def && !def->hasTrait<OpTrait::ConstantLike>()) {
        read = computing(idsAt(dispatch, def));
      }
      for (const std::string &id : read)
        if (!program.reads(*own.begin(), id, moved))
          return "of " + *own.begin() + " uses a value of " + id + ", which that op does not read";
    }
    return "";
  }

  ModuleOp module;
  const TensorProgram &program;
};

/// The examples, and published models where they are.
std::vector<std::filesystem::path> models() {
  std::filesystem::path source = MICA_TEST_SOURCE_DIR;
  std::vector<std::filesystem::path> files{source / "docs/examples/classifier/classifier.mlir",
                                           source / "docs/examples/transformer/block.mlir"};
  const char *given = std::getenv("MICA_REAL_INPUTS");
  std::filesystem::path folder = given ? std::filesystem::path(given) : source / "../shared/inputs";
  for (const char *name :
       {"lenet", "fp32-query-times-key", "fp32-out-softmax-times-value", "torch-dynamo-mlp-fp32-3x1024"})
    if (auto file = folder / "models" / (std::string(name) + ".mlir"); std::filesystem::exists(file))
      files.push_back(file);
  return files;
}

/// Everything about one model; snapshots keep pointers into it.
struct Model {
  std::string name;
  OwningOpRef<ModuleOp> tensor, dispatch, fused;
  std::vector<std::unique_ptr<TensorProgram>> programs;
  std::vector<std::unique_ptr<Snapshot>> snapshots;
};

std::unique_ptr<Model> load(const std::filesystem::path &file, MLIRContext &context) {
  auto model = std::make_unique<Model>();
  model->name = file.stem().string();
  model->tensor = parseSourceFile<ModuleOp>(file.string(), &context);
  if (!model->tensor)
    return nullptr;
  PipelineOptions options;
  PassManager first(&context);
  buildPipeline(Phase::Input, Phase::Tensor, first, options);
  if (failed(first.run(*model->tensor)))
    return nullptr;
  model->dispatch = model->tensor->clone();
  PassManager second(&context);
  buildPhasePipeline(Phase::Dispatch, second, options);
  if (failed(second.run(*model->dispatch)))
    return nullptr;
  model->fused = model->dispatch->clone();
  PassManager third(&context);
  third.nest<ModuleOp>().addNestedPass<func::FuncOp>(createFuseElementwisePass());
  if (failed(third.run(*model->fused)))
    return nullptr;
  for (func::FuncOp function : model->tensor->getOps<func::FuncOp>()) {
    if (!function.isPublic() || function.isExternal())
      continue;
    model->programs.push_back(std::make_unique<TensorProgram>(function));
    for (ModuleOp snapshot : {*model->dispatch, *model->fused})
      model->snapshots.push_back(std::make_unique<Snapshot>(snapshot, *model->programs.back()));
  }
  return model;
}

TEST(ContributorsTest, AreThoseThatAWalkOfTheDataFlowGives) {
  DialectRegistry registry;
  registerAllDialects(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  std::vector<std::unique_ptr<Model>> loaded;
  std::vector<Snapshot::Item> items;
  for (const std::filesystem::path &file : models()) {
    loaded.push_back(load(file, context));
    ASSERT_TRUE(loaded.back()) << file;
    for (const std::unique_ptr<Snapshot> &snapshot : loaded.back()->snapshots) {
      EXPECT_EQ(snapshot->checkReturn(), "") << loaded.back()->name;
      for (Snapshot::Item &item : snapshot->items())
        items.push_back({loaded.back()->name + ": " + item.what, std::move(item.check)});
    }
  }
  ASSERT_GE(items.size(), kSample);
  std::shuffle(items.begin(), items.end(), std::mt19937(kSeed));
  if (!std::getenv("MICA_TEST_LONG"))
    items.resize(kSample);
  std::cout << items.size() << " ops, seed " << kSeed << "\n";
  for (const Snapshot::Item &item : items)
    EXPECT_EQ(item.check(), "") << item.what;
}

/// Whether any check of `snapshot` complains.
bool complains(Snapshot &snapshot) {
  if (!snapshot.checkReturn().empty())
    return true;
  std::vector<Snapshot::Item> items = snapshot.items();
  return llvm::any_of(items, [](const Snapshot::Item &item) { return !item.check().empty(); });
}

/// The checks find every op of a kernel that has lost its ids, or has those of the op before it.
TEST(ContributorsTest, ALostOrWrongIdIsFound) {
  DialectRegistry registry;
  registerAllDialects(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  std::unique_ptr<Model> model = load(models()[1], context);
  ASSERT_TRUE(model);
  SmallVector<linalg::LinalgOp> ops;
  model->fused->walk([&](linalg::LinalgOp op) { ops.push_back(op); });
  ASSERT_GE(ops.size(), 10u);
  Snapshot &snapshot = *model->snapshots.back();
  ASSERT_FALSE(complains(snapshot));
  Location before = UnknownLoc::get(&context);
  for (linalg::LinalgOp op : ops) {
    Location own = op->getLoc();
    for (Location wrong : {Location(UnknownLoc::get(&context)), before}) {
      op->setLoc(wrong);
      EXPECT_TRUE(complains(snapshot)) << op->getName().getStringRef().str() << " with wrong ids";
    }
    op->setLoc(own);
    before = own;
  }
}

} // namespace
