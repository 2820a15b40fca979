//===- LaunchInfo.cpp - launch records of kernels ---------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See LaunchInfo.h, and include/mica/Artifact/Manifest.h for the corresponding fields of launch.json.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Schedule/LaunchInfo.h"

#include "dialects/Mica/IR/OpIds.h"
#include "dialects/MicaCheck/IR/MicaCheckDialect.h"
#include "dialects/MicaCodegen/IR/MicaCodegenDialect.h"
#include "dialects/MicaSched/IR/LaunchAttr.h"
#include "dialects/MicaSched/IR/MicaSchedDialect.h"
#include "passes/Codegen/Common/ContiguousShares.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <vector>

using namespace mlir;
using namespace mica;

static int64_t integerOf(Operation *op, StringRef name, int64_t fallback) {
  auto value = op->getAttrOfType<IntegerAttr>(name);
  return value ? value.getInt() : fallback;
}

/// Whether `function` has a select or a store of the constant -inf, as masks do.
static bool choosesInfinity(Operation *function) {
  auto isNegativeInfinity = [](Value value) {
    if (auto broadcast = value.getDefiningOp<vector::BroadcastOp>())
      value = broadcast.getSource();
    FloatAttr number;
    DenseElementsAttr elements;
    if (matchPattern(value, m_Constant(&elements)) && elements.isSplat() && isa<FloatType>(elements.getElementType()))
      number = elements.getSplatValue<FloatAttr>();
    else if (!matchPattern(value, m_Constant(&number)))
      return false;
    return number && number.getValue().isInfinity() && number.getValue().isNegative();
  };
  // Including the launched device code, which is in the same module.
  WalkResult found = function->getParentOp()->walk([&](Operation *op) {
    if (auto select = dyn_cast<arith::SelectOp>(op))
      if (isNegativeInfinity(select.getTrueValue()) || isNegativeInfinity(select.getFalseValue()))
        return WalkResult::interrupt();
    return isa<memref::StoreOp, vector::StoreOp>(op) && isNegativeInfinity(op->getOperand(0)) ? WalkResult::interrupt()
                                                                                              : WalkResult::advance();
  });
  return found.wasInterrupted();
}

namespace {

/// Analyzes one kernel's function.
class LaunchReader {
public:
  LaunchReader(ModuleOp kernel, func::FuncOp function)
      : kernel(kernel), function(function), builder(kernel.getContext()) {
    if (auto ids = kernel->getAttrOfType<ArrayAttr>(sched::kOpIdsAttr))
      for (Attribute id : ids)
        if (auto text = dyn_cast<StringAttr>(id))
          opIds.push_back(text.getValue());
  }

  DictionaryAttr read(std::string &problem);

private:
  DictionaryAttr readChecks();
  DictionaryAttr readCollective();
  DictionaryAttr readShadows();
  DictionaryAttr site(StringRef kind, StringRef message, Operation *op, Value buffer = {});
  int64_t bindingOf(Value buffer);
  int64_t copiedBindingOf(Value buffer);
  SmallVector<int64_t> opsOf(Operation *op);

  NamedAttribute named(StringRef name, Attribute value) { return builder.getNamedAttr(name, value); }
  NamedAttribute number(StringRef name, int64_t value) { return named(name, builder.getI64IntegerAttr(value)); }
  NamedAttribute numbers(StringRef name, ArrayRef<int64_t> values) {
    return named(name, builder.getDenseI64ArrayAttr(values));
  }

  ModuleOp kernel;
  func::FuncOp function;
  Builder builder;
  SmallVector<StringRef> opIds;
};

} // namespace

/// Positions in the kernel's op_ids of the ops that `op` implements.
SmallVector<int64_t> LaunchReader::opsOf(Operation *op) {
  SmallVector<int64_t> ops;
  for (StringRef id : getOpIds(op->getLoc()))
    if (auto it = llvm::find(opIds, id); it != opIds.end())
      ops.push_back(it - opIds.begin());
  return ops;
}

/// Describes the shadows of a kernel's buffers for the runtime.
DictionaryAttr LaunchReader::readShadows() {
  SmallVector<int64_t> fills;
  for (unsigned i = 0; i < function.getNumArguments(); ++i)
    if (function.getArgAttr(i, check::kFillsAttr))
      fills.push_back(i);
  struct Allocation {
    SmallVector<int64_t> ops, writers;
    Type type;
  };
  std::vector<Allocation> allocations(
      std::clamp<int64_t>(integerOf(function, check::kShadowsAttr, 0), 0, sched::kMaxShadows));
  std::function<void(Value, SmallVector<int64_t> &)> findWriters = [&](Value buffer, SmallVector<int64_t> &writers) {
    for (Operation *user : buffer.getUsers()) {
      for (Value result : user->getResults())
        if (isa<ViewLikeOpInterface>(user))
          findWriters(result, writers);
      auto effects = dyn_cast<MemoryEffectOpInterface>(user);
      if (!effects || effects.getEffectOnValue<MemoryEffects::Write>(buffer) == std::nullopt)
        continue;
      for (int64_t op : opsOf(user))
        if (!llvm::is_contained(writers, op))
          writers.push_back(op);
    }
  };
  function.walk([&](check::OriginOp op) {
    if (op.getLocal() >= allocations.size())
      return;
    Allocation &allocation = allocations[op.getLocal()];
    allocation.ops = opsOf(op);
    for (Operation *user : op->getUsers())
      if (auto store = dyn_cast<memref::StoreOp>(user))
        if (auto shadow = store.getMemref().getDefiningOp<check::ShadowOp>()) {
          findWriters(shadow.getBuffer(), allocation.writers);
          allocation.type = shadow.getBuffer().getType();
        }
  });
  SmallVector<Attribute> records;
  for (const Allocation &allocation : allocations) {
    SmallVector<NamedAttribute> fields{numbers("ops", allocation.ops), numbers("writers", allocation.writers)};
    if (allocation.type)
      fields.push_back(named("type", TypeAttr::get(allocation.type)));
    records.push_back(builder.getDictionaryAttr(fields));
  }
  return builder.getDictionaryAttr({named("allocations", builder.getArrayAttr(records)), numbers("fills", fills)});
}

/// The position of the kernel's buffer of which `buffer` is a view; -1: a temporary.
int64_t LaunchReader::bindingOf(Value buffer) {
  auto sourceOf = [](Value buffer) {
    while (auto view = buffer.getDefiningOp<ViewLikeOpInterface>())
      buffer = view.getViewSource();
    return buffer;
  };
  // The value that the launches of `device` pass for `argument`: null if it differs between launches.
  auto passedFor = [&](mlir::gpu::GPUFuncOp device, unsigned argument) {
    Value passed;
    bool same = true;
    function.walk([&](mlir::gpu::LaunchFuncOp launch) {
      if (launch.getKernelName() != device.getName() || argument >= launch.getNumKernelOperands())
        return;
      Value value = sourceOf(launch.getKernelOperand(argument));
      same &= !passed || passed == value;
      passed = value;
    });
    return same ? passed : Value();
  };
  auto argument = dyn_cast<BlockArgument>(sourceOf(buffer));
  if (argument)
    if (auto device = dyn_cast_or_null<mlir::gpu::GPUFuncOp>(argument.getOwner()->getParentOp()))
      argument = dyn_cast_or_null<BlockArgument>(passedFor(device, argument.getArgNumber()));
  if (!argument || argument.getOwner() != &function.getFunctionBody().front() ||
      !function.getArgAttr(argument.getArgNumber(), sched::kAccessAttr))
    return -1;
  return argument.getArgNumber();
}

/// The position of the kernel's buffer whose elements are copied to the temporary of which `buffer` is a view, to be
/// updated there; -1: none.
int64_t LaunchReader::copiedBindingOf(Value buffer) {
  while (auto view = buffer.getDefiningOp<ViewLikeOpInterface>()) {
    // A temporary in the kernel's scratch memory.
    if (isa<memref::ViewOp>(view))
      break;
    buffer = view.getViewSource();
  }
  auto copiedBy = [&](Value stored, ValueRange indices) -> int64_t {
    Operation *load = stored.getDefiningOp();
    if (!isa_and_nonnull<memref::LoadOp, vector::LoadOp>(load) ||
        !llvm::equal(load->getOperands().drop_front(), indices))
      return -1;
    Value from = load->getOperand(0);
    const int64_t binding = bindingOf(from);
    return binding >= 0 && function.getArgumentTypes()[binding] == buffer.getType() ? binding : -1;
  };
  SmallVector<Value> views{buffer};
  for (size_t i = 0; i < views.size(); ++i)
    for (Operation *user : views[i].getUsers()) {
      int64_t binding = -1;
      if (auto store = dyn_cast<memref::StoreOp>(user); store && store.getMemref() == views[i])
        binding = copiedBy(store.getValue(), store.getIndices());
      else if (auto store = dyn_cast<vector::StoreOp>(user))
        binding = copiedBy(store.getValueToStore(), store.getIndices());
      else if (auto copy = dyn_cast<memref::CopyOp>(user); copy && copy.getTarget() == views[i])
        binding = copy.getSource().getType() == buffer.getType() ? bindingOf(copy.getSource()) : -1;
      else if (isa<ViewLikeOpInterface>(user))
        llvm::append_range(views, user->getResults());
      if (binding >= 0)
        return binding;
    }
  return -1;
}

DictionaryAttr LaunchReader::site(StringRef kind, StringRef message, Operation *op, Value buffer) {
  const int64_t binding = buffer ? bindingOf(buffer) : -1;
  SmallVector<NamedAttribute> fields{number("binding", binding), named("kind", builder.getStringAttr(kind)),
                                     named("message", builder.getStringAttr(message)), numbers("ops", opsOf(op))};
  // Nested operations have the id of their parent, and a position of their own.
  if (SmallVector<FileLineColLoc> positions = getSourcePositions(op->getLoc()); !positions.empty())
    fields.push_back(numbers("at", {positions.back().getLine(), positions.back().getColumn()}));
  if (binding < 0 && isa<check::OutOfBoundsOp>(op))
    if (const int64_t copied = copiedBindingOf(buffer); copied >= 0)
      fields.front() = number("binding", copied);
  // By which view of the buffer the access goes.
  if (auto view = buffer ? buffer.getDefiningOp<ViewLikeOpInterface>() : ViewLikeOpInterface();
      view && binding >= 0 && isa<check::OutOfBoundsOp>(op))
    if (SmallVector<int64_t> ops = opsOf(view); !ops.empty())
      fields.push_back(numbers("of", {ops.front()}));
  // Whose buffer a temporary is.
  while (auto view = buffer ? buffer.getDefiningOp<ViewLikeOpInterface>() : ViewLikeOpInterface())
    buffer = view.getViewSource();
  if (Operation *made = binding < 0 && buffer ? buffer.getDefiningOp() : nullptr)
    if (SmallVector<int64_t> ops = opsOf(made); !ops.empty())
      fields.push_back(numbers("of", {ops.front()}));
  return builder.getDictionaryAttr(fields);
}

/// The remaining checks of a kernel's function, in the order of their sites.
DictionaryAttr LaunchReader::readChecks() {
  SmallVector<Attribute> sites;
  int64_t checked = 0;
  auto place = [&](std::optional<uint64_t> position, DictionaryAttr record) {
    const size_t index = position.value_or(sites.size());
    if (index >= sched::kMaxCheckSites)
      return;
    // A site without a check has an empty record.
    while (sites.size() <= index)
      sites.push_back(builder.getDictionaryAttr({number("binding", -1), named("kind", builder.getStringAttr("")),
                                                 named("message", builder.getStringAttr("")), numbers("ops", {})}));
    sites[index] = record;
  };
  // The checks of launched device code are in the same module.
  kernel.walk([&](Operation *op) {
    if (auto access = dyn_cast<check::OutOfBoundsOp>(op))
      place(access.getSite(), site(check::stringifyAccess(access.getAccess()), "", op, access.getBuffer()));
    else if (auto other = dyn_cast<check::FailedOp>(op))
      place(other.getSite(), site(op->hasAttr(check::kReportAttr) ? sched::kLoopSiteKind : "", other.getMessage(), op));
    else if (auto read = dyn_cast<check::UninitializedOp>(op))
      place(read.getSite(), site("use", "", op, read.getBuffer()));
    else if (auto found = dyn_cast<check::NotFiniteOp>(op))
      place(found.getSite(),
            site(found.getIsNan() ? sched::kNanSiteKind : sched::kInfinitySiteKind, "", op, found.getBuffer()));
  });
  for (Attribute record : sites) {
    StringRef kind = cast<DictionaryAttr>(record).getAs<StringAttr>("kind").getValue();
    checked += kind != sched::kNanSiteKind && kind != sched::kInfinitySiteKind && kind != sched::kLoopSiteKind;
  }
  SmallVector<NamedAttribute> fields{
      number("not_checkable", integerOf(function, check::kUncheckedAttr, 0)),
      number("proved", std::max<int64_t>(0, integerOf(function, check::kInsertedAttr, 0) +
                                                integerOf(function, check::kReadsAttr, 0) - checked)),
      named("sites", builder.getArrayAttr(sites))};
  if (auto finite = function->getAttrOfType<StringAttr>(check::kFiniteAttr))
    fields.push_back(named("finite", finite));
  if (function->hasAttr(check::kShadowsAttr))
    fields.push_back(named("shadows", readShadows()));
  return builder.getDictionaryAttr(fields);
}

/// The exchange between ranks that the kernel stands for; null: it computes.
DictionaryAttr LaunchReader::readCollective() {
  sched::CollectiveOp collective;
  function.walk([&](sched::CollectiveOp op) { collective = op; });
  if (!collective)
    return {};
  SmallVector<NamedAttribute> fields{
      named("kind", builder.getStringAttr(sched::stringifyCollectiveKind(collective.getKind()))),
      numbers("grid", collective.getGrid()), numbers("axes", collective.getAxes())};
  if (auto reduction = collective.getReduction())
    fields.push_back(named("reduction", builder.getStringAttr(sched::stringifyRankReduction(*reduction))));
  for (auto [name, value] : {std::pair<StringRef, std::optional<uint64_t>>("dim", collective.getDim()),
                             std::pair<StringRef, std::optional<uint64_t>>("concat_dim", collective.getConcatDim()),
                             std::pair<StringRef, std::optional<uint64_t>>("peer", collective.getPeer()),
                             std::pair<StringRef, std::optional<uint64_t>>("shift_axis", collective.getShiftAxis()),
                             std::pair<StringRef, std::optional<uint64_t>>("offset", collective.getOffset())})
    if (value)
      fields.push_back(number(name, int64_t(*value)));
  if (collective.getRotate())
    fields.push_back(named("rotate", builder.getUnitAttr()));
  return builder.getDictionaryAttr(fields);
}

DictionaryAttr LaunchReader::read(std::string &problem) {
  const unsigned trailing = function.isExternal() ? 0 : 2; // %part, %parts, which phase kernel adds
  if (function.getNumArguments() < trailing) {
    problem = "no arguments for the share of work";
    return nullptr;
  }
  SmallVector<Attribute> bindings, accesses;
  SmallVector<int64_t> shares;
  int64_t scalars = 0;
  for (unsigned i = 0; i < function.getNumArguments() - trailing; ++i) {
    auto type = dyn_cast<MemRefType>(function.getArgumentTypes()[i]);
    auto access = function.getArgAttrOfType<StringAttr>(i, sched::kAccessAttr);
    if (!type) {
      ++scalars;
      continue;
    }
    if (!access)
      continue; // the scratch buffer
    bindings.push_back(TypeAttr::get(type));
    accesses.push_back(access);
    auto elements = function.getArgAttrOfType<IntegerAttr>(i, kShareElementsAttr);
    shares.push_back(elements ? elements.getInt() : 0);
  }
  SmallVector<NamedAttribute> fields{named("access", builder.getArrayAttr(accesses)),
                                     named("bindings", builder.getArrayAttr(bindings)),
                                     number("grid", integerOf(function, sched::kGridAttr, 1)),
                                     number("scalars", scalars),
                                     number("scratch_bytes", integerOf(function, sched::kScratchBytesAttr, 0)),
                                     numbers("share_elements", shares)};
  for (auto [name, attribute] : {std::pair<StringRef, StringRef>("strategy", sched::kStrategyAttr),
                                 std::pair<StringRef, StringRef>("host_reason", mica::codegen::kHostReasonAttr)})
    if (auto text = function->getAttrOfType<StringAttr>(attribute))
      fields.push_back(named(name, text));
  if (choosesInfinity(function))
    fields.push_back(named("masks", builder.getUnitAttr()));
  if (DictionaryAttr collective = readCollective())
    fields.push_back(named("collective", collective));
  if (function->hasAttr(check::kSitesAttr))
    fields.push_back(named("checks", readChecks()));
  return builder.getDictionaryAttr(fields);
}

DictionaryAttr mica::launchInfo(ModuleOp kernel, std::string &problem) {
  // An existing record takes precedence, since the kernel may be partly lowered.
  if (auto recorded = kernel->getAttrOfType<DictionaryAttr>(sched::kLaunchAttr))
    return recorded;
  if (auto function = dyn_cast_or_null<func::FuncOp>(sched::kernelFunction(kernel).getOperation()))
    return LaunchReader(kernel, function).read(problem);
  problem = ("no function of its name, and no attribute '" + sched::kLaunchAttr + "'").str();
  return nullptr;
}
