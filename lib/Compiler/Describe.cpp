//===- Describe.cpp - what the manifest says, read from the IR --------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See Describe.h.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "mica/Compiler/Describe.h"

#include "dialects/Mica/IR/OpIds.h"
#include "dialects/MicaCheck/IR/MicaCheckDialect.h"
#include "dialects/MicaSched/IR/MicaSchedDialect.h"
#include "mica/Support/Hash.h"
#include "passes/Cpu/ContiguousShares.h"
#include "passes/Dispatch/Passes.h"
#include "passes/Gpu/Passes.h"
#include "passes/Plain/Passes.h"
#include "passes/Tensor/OpNumbering.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mica;
using namespace mica::compiler;

std::optional<DType> compiler::dtypeOf(Type type) {
  if (auto integer = dyn_cast<IntegerType>(type); integer && integer.isSigned())
    type = IntegerType::get(type.getContext(), integer.getWidth());
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return parseDType(text);
}

std::optional<artifact::TensorSpec> compiler::specOf(Type type) {
  artifact::TensorSpec spec;
  Type element = type;
  if (auto shaped = dyn_cast<ShapedType>(type)) {
    if (!shaped.hasRank())
      return std::nullopt;
    for (int64_t size : shaped.getShape())
      spec.shape.push_back(ShapedType::isDynamic(size) ? -1 : size);
    element = shaped.getElementType();
  }
  std::optional<DType> dtype = dtypeOf(element);
  if (!dtype)
    return std::nullopt;
  spec.dtype = *dtype;
  return spec;
}

/// What mica-dispatch-relate-sizes found, once it has run.
static std::vector<artifact::SizeRelation> relatedSizes(func::FuncOp function) {
  std::vector<artifact::SizeRelation> relations;
  auto attributes = function->getAttrOfType<ArrayAttr>(kRelatedSizesAttr);
  for (Attribute attribute : attributes ? attributes.getValue() : ArrayRef<Attribute>()) {
    auto relation = dyn_cast<DictionaryAttr>(attribute);
    auto sizes = relation ? relation.getAs<DenseI64ArrayAttr>("sizes") : nullptr;
    auto op = relation ? relation.getAs<StringAttr>("op") : nullptr;
    if (sizes && sizes.size() == 5 && op)
      relations.push_back({sizes[0], sizes[1], sizes[2], sizes[3], sizes[4], op.str()});
  }
  return relations;
}

/// The attribute of an argument or result that names it for those who run the program.
static constexpr llvm::StringLiteral kNameAttr = "mica.name";

std::vector<artifact::EntryRecord> compiler::describeEntries(ModuleOp program) {
  std::vector<artifact::EntryRecord> entries;
  for (auto function : program.getOps<func::FuncOp>()) {
    // The plain lowering renames entries and remembers their names.
    auto marked = function->getAttrOfType<ArrayAttr>(kPlainEntryAttr);
    if ((function.isPrivate() && !marked) || function.isExternal())
      continue;
    artifact::EntryRecord entry;
    entry.name = marked ? cast<StringAttr>(marked[0]).str() : function.getName().str();
    for (auto [index, type] : llvm::enumerate(function.getArgumentTypes())) {
      artifact::TensorSpec spec = specOf(type).value_or(artifact::TensorSpec());
      if (auto name = function.getArgAttrOfType<StringAttr>(index, kNameAttr))
        spec.name = name.str();
      else if (auto location = dyn_cast<NameLoc>(function.getArgument(index).getLoc()))
        spec.name = location.getName().str();
      if (auto positions = getSourcePositions(function.getArgument(index).getLoc()); !positions.empty())
        spec.position = artifact::SourcePosition{positions.back().getFilename().str(),
                                                 static_cast<int64_t>(positions.back().getLine()),
                                                 static_cast<int64_t>(positions.back().getColumn())};
      entry.args.push_back(std::move(spec));
    }
    for (auto [index, type] : llvm::enumerate(function.getResultTypes())) {
      artifact::TensorSpec spec = specOf(type).value_or(artifact::TensorSpec());
      if (auto name = function.getResultAttrOfType<StringAttr>(index, kNameAttr))
        spec.name = name.str();
      if (auto argument = function.getResultAttrOfType<IntegerAttr>(index, sched::kUpdatesAttr))
        spec.updates = argument.getInt();
      entry.results.push_back(std::move(spec));
    }
    entry.relatedSizes = relatedSizes(function);
    entries.push_back(std::move(entry));
  }
  return entries;
}

/// A hash of what the op computes: kind, attributes, types, and for each operand the value it is, as far as that is written
/// at the op itself (an argument's number, a constant, the kind and result number of the op before).
static std::string fingerprint(Operation *op) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << op->getName() << op->getAttrDictionary() << "(";
  for (Value operand : op->getOperands()) {
    Attribute constant;
    if (auto argument = dyn_cast<BlockArgument>(operand))
      os << "arg" << argument.getArgNumber();
    else if (matchPattern(operand, m_Constant(&constant)))
      os << constant;
    else
      os << operand.getDefiningOp()->getName() << "#" << cast<OpResult>(operand).getResultNumber();
    os << ":" << operand.getType() << ",";
  }
  os << ")";
  for (Type type : op->getResultTypes())
    os << type << ",";
  // The body of a generic is part of what it computes; ops of the program inside loops have fingerprints of their own.
  if (!holdsOpsOfProgram(op))
    for (Region &region : op->getRegions())
      region.walk([&](Operation *inner) {
        os << inner->getName() << inner->getAttrDictionary();
        for (Value operand : inner->getOperands())
          if (auto argument = dyn_cast<BlockArgument>(operand))
            os << argument.getArgNumber() << ",";
      });
  return hashHex(text).substr(0, 16);
}

std::vector<artifact::OpRecord> compiler::describeOps(ModuleOp program) {
  std::vector<artifact::OpRecord> ops;
  forEachNumberedOp(program, [&](const NumberedOp &numbered) {
    artifact::OpRecord record;
    record.id = numbered.id;
    record.kind = numbered.op->getName().getStringRef().str();
    record.function = numbered.function.str();
    record.ordinal = numbered.ordinal;
    record.fingerprint = fingerprint(numbered.op);
    for (FileLineColLoc position : getSourcePositions(numbered.op->getLoc()))
      record.positions.push_back({position.getFilename().str(), static_cast<int64_t>(position.getLine()),
                                  static_cast<int64_t>(position.getColumn())});
    ops.push_back(std::move(record));
  });
  return ops;
}

std::vector<ModuleOp> compiler::kernelsOf(ModuleOp program) {
  std::vector<ModuleOp> kernels;
  for (auto module : program.getOps<ModuleOp>())
    if (module->hasAttr(sched::kKernelAttr))
      kernels.push_back(module);
  return kernels;
}

static std::vector<std::string> stringsOf(Operation *op, llvm::StringRef name) {
  std::vector<std::string> result;
  if (auto array = op->getAttrOfType<ArrayAttr>(name))
    for (Attribute attr : array)
      if (auto text = dyn_cast<StringAttr>(attr))
        result.push_back(text.getValue().str());
  return result;
}

static std::string stringOf(Operation *op, llvm::StringRef name) {
  auto text = op->getAttrOfType<StringAttr>(name);
  return text ? text.getValue().str() : "";
}

static int64_t integerOf(Operation *op, llvm::StringRef name, int64_t fallback) {
  auto value = op->getAttrOfType<IntegerAttr>(name);
  return value ? value.getInt() : fallback;
}

/// Whether `function` has a select or a store of the constant -inf: what masks are made with.
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
  // With what it launches, which lies beside it.
  WalkResult found = function->getParentOp()->walk([&](Operation *op) {
    if (auto select = dyn_cast<arith::SelectOp>(op))
      if (isNegativeInfinity(select.getTrueValue()) || isNegativeInfinity(select.getFalseValue()))
        return WalkResult::interrupt();
    return isa<memref::StoreOp, vector::StoreOp>(op) && isNegativeInfinity(op->getOperand(0)) ? WalkResult::interrupt()
                                                                                              : WalkResult::advance();
  });
  return found.wasInterrupted();
}

/// What the runtime has to know of a kernel whose buffers have shadows.
static artifact::KernelShadows describeShadows(FunctionOpInterface function,
                                               llvm::function_ref<std::vector<int64_t>(Operation *)> opsOf) {
  artifact::KernelShadows shadows;
  for (unsigned i = 0; i < function.getNumArguments(); ++i)
    if (function.getArgAttr(i, check::kFillsAttr))
      shadows.fills.push_back(i);
  shadows.allocations.resize(std::clamp<int64_t>(integerOf(function, check::kShadowsAttr, 0), 0, 1 << 16));
  std::function<void(Value, std::vector<int64_t> &)> findWriters = [&](Value buffer, std::vector<int64_t> &writers) {
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
    if (op.getLocal() >= shadows.allocations.size())
      return;
    artifact::KernelShadows::Allocation &allocation = shadows.allocations[op.getLocal()];
    allocation.ops = opsOf(op);
    for (Operation *user : op->getUsers())
      if (auto store = dyn_cast<memref::StoreOp>(user))
        if (auto shadow = store.getMemref().getDefiningOp<check::ShadowOp>()) {
          findWriters(shadow.getBuffer(), allocation.writers);
          if (std::optional<artifact::TensorSpec> spec = specOf(shadow.getBuffer().getType()))
            allocation.type = *spec;
        }
  });
  return shadows;
}

/// The checks that are left in a kernel's function, in the order of their sites.
static artifact::KernelChecks describeChecks(FunctionOpInterface function, ArrayRef<std::string> opIds) {
  artifact::KernelChecks checks;
  checks.notCheckable = integerOf(function, check::kUncheckedAttr, 0);
  auto opsOf = [&](Operation *op) {
    std::vector<int64_t> ops;
    for (StringRef id : getOpIds(op->getLoc()))
      if (auto it = llvm::find(opIds, id); it != opIds.end())
        ops.push_back(it - opIds.begin());
    return ops;
  };
  auto kernel = function->getParentOfType<ModuleOp>();
  auto sourceOf = [](Value buffer) {
    while (auto view = buffer.getDefiningOp<ViewLikeOpInterface>())
      buffer = view.getViewSource();
    return buffer;
  };
  // What the launches of `device` pass for `argument`: null where it is not the same for all.
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
  auto bindingOf = [&](Value buffer) -> int64_t {
    buffer = sourceOf(buffer);
    auto argument = dyn_cast<BlockArgument>(buffer);
    if (argument)
      if (auto device = dyn_cast_or_null<mlir::gpu::GPUFuncOp>(argument.getOwner()->getParentOp()))
        argument = dyn_cast_or_null<BlockArgument>(passedFor(device, argument.getArgNumber()));
    if (!argument || argument.getOwner() != &function.getFunctionBody().front() ||
        !function.getArgAttr(argument.getArgNumber(), sched::kAccessAttr))
      return -1;
    return argument.getArgNumber();
  };
  auto place = [&](std::optional<uint64_t> site, artifact::CheckRecord record) {
    const size_t index = site.value_or(checks.sites.size());
    if (index < (1u << 20)) {
      checks.sites.resize(std::max(checks.sites.size(), index + 1));
      checks.sites[index] = std::move(record);
    }
  };
  // Those of what it launches lie beside the function.
  kernel.walk([&](Operation *op) {
    if (auto access = dyn_cast<check::OutOfBoundsOp>(op))
      place(access.getSite(),
            {check::stringifyAccess(access.getAccess()).str(), "", bindingOf(access.getBuffer()), opsOf(op)});
    else if (auto other = dyn_cast<check::FailedOp>(op))
      place(other.getSite(), {"", other.getMessage().str(), -1, opsOf(op)});
    else if (auto read = dyn_cast<check::UninitializedOp>(op))
      place(read.getSite(), {"use", "", bindingOf(read.getBuffer()), opsOf(op)});
    else if (auto found = dyn_cast<check::NotFiniteOp>(op))
      place(found.getSite(), {std::string(found.getIsNan() ? artifact::kNanSite : artifact::kInfinitySite), "",
                              bindingOf(found.getBuffer()), opsOf(op)});
  });
  checks.finite = stringOf(function, check::kFiniteAttr);
  const auto checked =
      llvm::count_if(checks.sites, [](const artifact::CheckRecord &site) { return !site.isFinding(); });
  checks.proved = std::max<int64_t>(0, integerOf(function, check::kInsertedAttr, 0) +
                                           integerOf(function, check::kReadsAttr, 0) - checked);
  if (function->hasAttr(check::kShadowsAttr))
    checks.shadows = describeShadows(function, opsOf);
  return checks;
}

Result<artifact::KernelRecord> compiler::describeKernel(ModuleOp kernel) {
  artifact::KernelRecord record;
  record.name = kernel.getName().value_or("").str();
  auto malformed = [&](const std::string &what) {
    return Error{ErrorCode::Internal, "kernel '" + record.name + "' after phase kernel: " + what, ""};
  };
  auto function = kernel.lookupSymbol<func::FuncOp>(record.name);
  if (!function)
    return malformed("no function of its name");
  record.rootKind = stringOf(kernel, sched::kRootKindAttr);
  record.opIds = stringsOf(kernel, "mica_sched.op_ids");
  record.opKinds = stringsOf(kernel, "mica_sched.op_kinds");
  record.hash = stringOf(kernel, "mica_sched.hash");
  record.flops = integerOf(kernel, sched::kFlopsAttr, -1);
  record.grid = integerOf(function, "mica_sched.grid", 1);
  record.scratchBytes = integerOf(function, "mica_sched.scratch_bytes", 0);
  record.strategy = stringOf(function, "mica_sched.strategy");
  unsigned trailing = function.isExternal() ? 0 : 2; // %part, %parts, which phase kernel adds
  unsigned arguments = function.getNumArguments();
  if (arguments < trailing)
    return malformed("no arguments for the share of work");
  for (unsigned i = 0; i < arguments - trailing; ++i) {
    Type type = function.getArgumentTypes()[i];
    auto access = function.getArgAttrOfType<StringAttr>(i, "mica_sched.access");
    if (!isa<MemRefType>(type)) {
      ++record.scalarArgs;
      continue;
    }
    if (!access)
      continue; // the scratch buffer
    artifact::BindingRecord binding;
    std::optional<artifact::TensorSpec> spec = specOf(type);
    if (!spec)
      return malformed("a buffer of an element type the runtime does not have");
    binding.type = *spec;
    binding.access = access.getValue() == "read"    ? artifact::Access::Read
                     : access.getValue() == "write" ? artifact::Access::Write
                                                    : artifact::Access::ReadWrite;
    if (auto elements = function.getArgAttrOfType<IntegerAttr>(i, kShareElementsAttr))
      binding.shareElements = elements.getInt();
    record.bindings.push_back(std::move(binding));
  }
  record.hostReason = stringOf(function, kHostReasonAttr);
  record.masks = choosesInfinity(function);
  if (function->hasAttr(check::kSitesAttr))
    record.checks = describeChecks(function, record.opIds);
  return record;
}

OwningOpRef<ModuleOp> compiler::scheduleOf(ModuleOp program) {
  OwningOpRef<ModuleOp> schedule = cast<ModuleOp>(program->cloneWithoutRegions());
  schedule->getBodyRegion().emplaceBlock();
  OpBuilder builder(schedule->getBodyRegion());
  for (Operation &op : *program.getBody()) {
    auto kernel = dyn_cast<ModuleOp>(op);
    if (!kernel || !kernel->hasAttr(sched::kKernelAttr)) {
      builder.clone(op);
      continue;
    }
    auto declaration = cast<ModuleOp>(builder.insert(kernel->cloneWithoutRegions()));
    declaration.getBodyRegion().emplaceBlock();
    OpBuilder inner = OpBuilder::atBlockBegin(declaration.getBody());
    for (auto function : kernel.getOps<func::FuncOp>()) {
      auto copy = cast<func::FuncOp>(inner.insert(function->cloneWithoutRegions()));
      copy.setPrivate();
    }
  }
  return schedule;
}
