//===- Describe.cpp - manifest records from IR --------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See Describe.h.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "mica/Compiler/Program/Describe.h"

#include "dialects/Mica/IR/OpIds.h"
#include "dialects/MicaCheck/IR/MicaCheckDialect.h"
#include "dialects/MicaSched/IR/MicaSchedDialect.h"
#include "mica/Artifact/ComplexEntry.h"
#include "mica/Support/Hash.h"
#include "passes/Codegen/Reference/Passes.h"
#include "passes/Dispatch/Passes.h"
#include "passes/Schedule/LaunchInfo.h"
#include "passes/Tensor/ArgumentNames.h"
#include "passes/Tensor/OpNumbering.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Matchers.h"
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

/// The results of mica-dispatch-infer-dim-equalities, once it has run.
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

static std::optional<artifact::SourcePosition> innermostPosition(Location location) {
  SmallVector<FileLineColLoc> positions = getSourcePositions(location);
  if (positions.empty())
    return std::nullopt;
  return artifact::SourcePosition{positions.back().getFilename().str(),
                                  static_cast<int64_t>(positions.back().getLine()),
                                  static_cast<int64_t>(positions.back().getColumn())};
}

/// A result that is an updated argument has its type.
static void typeUpdates(artifact::EntryRecord &entry) {
  for (artifact::TensorSpec &result : entry.results)
    if (result.updates >= 0 && result.updates < static_cast<int64_t>(entry.args.size()))
      result.dtype = entry.args[result.updates].dtype;
}

/// An entry of mica_sched.host_functions.
static artifact::EntryRecord describeHostEntry(ArrayAttr described) {
  artifact::EntryRecord entry;
  artifact::ImaginaryParts imaginary;
  entry.name = cast<StringAttr>(described[0]).str();
  auto type = cast<FunctionType>(cast<TypeAttr>(described[1]).getValue());
  auto describe = [](ArrayRef<Type> types, Attribute attributes, std::vector<artifact::TensorSpec> &specs,
                     std::vector<bool> &areImaginary) {
    for (auto [type, attribute] : llvm::zip(types, cast<ArrayAttr>(attributes))) {
      artifact::TensorSpec spec = specOf(type).value_or(artifact::TensorSpec());
      auto dictionary = cast<DictionaryAttr>(attribute);
      if (auto name = dictionary.getAs<StringAttr>(kNameAttr))
        spec.name = name.str();
      if (dictionary.contains(kUnsignedAttr))
        spec.dtype = unsignedOf(spec.dtype);
      if (auto argument = dictionary.getAs<IntegerAttr>(sched::kUpdatesAttr))
        spec.updates = argument.getInt();
      areImaginary.push_back(dictionary.contains(kImaginaryAttr));
      specs.push_back(std::move(spec));
    }
  };
  describe(type.getInputs(), described[2], entry.args, imaginary.args);
  describe(type.getResults(), described[3], entry.results, imaginary.results);
  entry = joinComplex(entry, imaginary);
  typeUpdates(entry);
  return entry;
}

/// Adds mica_sched.sharding, if it is there: `spec` becomes that of the whole tensor.
static void addSharding(artifact::TensorSpec &spec, Attribute attribute) {
  auto record = dyn_cast_if_present<DictionaryAttr>(attribute);
  if (!record)
    return;
  spec.shape.clear();
  for (int64_t size : record.getAs<DenseI64ArrayAttr>("shape").asArrayRef())
    spec.shape.push_back(ShapedType::isDynamic(size) ? -1 : size);
  artifact::ShardingRecord sharding{record.getAs<DenseI64ArrayAttr>("grid").asArrayRef().vec(), {}};
  for (auto axes : record.getAs<ArrayAttr>("axes").getAsRange<DenseI64ArrayAttr>())
    sharding.axes.push_back(axes.asArrayRef().vec());
  spec.sharding = std::move(sharding);
}

std::vector<artifact::EntryRecord> compiler::describeEntries(ModuleOp program) {
  std::vector<artifact::EntryRecord> entries;
  for (auto function : program.getOps<func::FuncOp>()) {
    // The reference lowering renames entries and keeps their names in an attribute.
    auto marked = function->getAttrOfType<ArrayAttr>(kPlainEntryAttr);
    // An entry in the LLVM dialect is described by its signature.
    const bool isSignature = function.isExternal() && function->hasAttr(sched::kEntryAttr);
    if (((function.isPrivate() && !marked) || function.isExternal()) && !isSignature)
      continue;
    artifact::EntryRecord entry;
    artifact::ImaginaryParts imaginary;
    entry.name = marked ? cast<StringAttr>(marked[0]).str() : function.getName().str();
    for (auto [index, type] : llvm::enumerate(function.getArgumentTypes())) {
      artifact::TensorSpec spec = specOf(type).value_or(artifact::TensorSpec());
      if (auto name = function.getArgAttrOfType<StringAttr>(index, kNameAttr))
        spec.name = name.str();
      else if (auto location = isSignature ? NameLoc() : dyn_cast<NameLoc>(function.getArgument(index).getLoc()))
        spec.name = location.getName().str();
      if (function.getArgAttr(index, kUnsignedAttr))
        spec.dtype = unsignedOf(spec.dtype);
      imaginary.args.push_back(bool(function.getArgAttr(index, kImaginaryAttr)));
      addSharding(spec, function.getArgAttr(index, sched::kShardingAttr));
      if (isSignature) {
        entry.args.push_back(std::move(spec));
        continue;
      }
      spec.position = innermostPosition(function.getArgument(index).getLoc());
      entry.args.push_back(std::move(spec));
    }
    for (auto [index, type] : llvm::enumerate(function.getResultTypes())) {
      artifact::TensorSpec spec = specOf(type).value_or(artifact::TensorSpec());
      if (auto name = function.getResultAttrOfType<StringAttr>(index, kNameAttr))
        spec.name = name.str();
      if (function.getResultAttr(index, kUnsignedAttr))
        spec.dtype = unsignedOf(spec.dtype);
      imaginary.results.push_back(bool(function.getResultAttr(index, kImaginaryAttr)));
      if (auto argument = function.getResultAttrOfType<IntegerAttr>(index, sched::kUpdatesAttr))
        spec.updates = argument.getInt();
      addSharding(spec, function.getResultAttr(index, sched::kShardingAttr));
      entry.results.push_back(std::move(spec));
    }
    entry.relatedSizes = relatedSizes(function);
    entry = joinComplex(entry, imaginary);
    typeUpdates(entry);
    entries.push_back(std::move(entry));
  }
  for (auto host : program.getOps<sched::HostFunctionsOp>())
    for (auto entry : host.getEntries().getAsRange<ArrayAttr>())
      entries.push_back(describeHostEntry(entry));
  return entries;
}

/// A hash of what the op computes: kind, attributes, types, and for each operand a local description (argument number,
/// constant, or kind and result number of its defining op).
static std::string fingerprint(Operation *op) {
  std::string text;
  llvm::raw_string_ostream os(text);
  NamedAttrList attributes(op->getAttrDictionary());
  attributes.erase(check::kDumpAttr);
  os << op->getName() << attributes.getDictionary(op->getContext()) << "(";
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
  // The body of a generic is part of what it computes; ops of the program inside loops have their own fingerprints.
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

/// The operations inside an op's own region.
static std::vector<artifact::BodyOpRecord> describeBody(Operation *op) {
  std::vector<artifact::BodyOpRecord> body;
  if (holdsOpsOfProgram(op))
    return body;
  op->walk<WalkOrder::PreOrder>([&](Operation *inner) {
    if (inner != op && !inner->hasTrait<OpTrait::IsTerminator>())
      body.push_back({inner->getName().getStringRef().str(), innermostPosition(inner->getLoc())});
  });
  return body;
}

/// The names that a frontend gave to `location` and to its parents.
static std::vector<std::string> namesIn(Location location) {
  std::vector<std::string> names;
  location->walk([&](Location part) {
    if (auto named = dyn_cast<NameLoc>(part); named && !llvm::is_contained(names, named.getName().str()))
      names.push_back(named.getName().str());
    return WalkResult::advance();
  });
  return names;
}

/// The sizes of the first result of `op`, if some are 1; else none.
static std::vector<int64_t> shapeWithUnitDims(Operation *op) {
  auto type = op->getNumResults() > 0 ? dyn_cast<RankedTensorType>(op->getResult(0).getType()) : RankedTensorType();
  std::vector<int64_t> shape;
  if (type && llvm::is_contained(type.getShape(), 1))
    for (int64_t size : type.getShape())
      shape.push_back(ShapedType::isDynamic(size) ? -1 : size);
  return shape;
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
    record.body = describeBody(numbered.op);
    record.shape = shapeWithUnitDims(numbered.op);
    record.isTagged = hasTag(numbered.op->getLoc(), kDumpTag) || numbered.op->hasAttr(check::kDumpAttr);
    if (std::vector<std::string> names = namesIn(numbered.op->getLoc()); !names.empty()) {
      record.name = names.front();
      record.scopes.assign(names.rbegin(), names.rend() - 1);
    }
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

static artifact::Access accessOf(llvm::StringRef name) {
  return name == "read"    ? artifact::Access::Read
         : name == "write" ? artifact::Access::Write
                           : artifact::Access::ReadWrite;
}

/// The value of an integer, string or list of a verified dictionary (A13 of mica_sched).
static int64_t integerIn(DictionaryAttr record, llvm::StringRef name) {
  return record.getAs<IntegerAttr>(name).getInt();
}
static std::string textIn(DictionaryAttr record, llvm::StringRef name) {
  auto text = record.getAs<StringAttr>(name);
  return text ? text.getValue().str() : "";
}
static std::vector<int64_t> integersIn(DictionaryAttr record, llvm::StringRef name) {
  return record.getAs<DenseI64ArrayAttr>(name).asArrayRef().vec();
}

static artifact::KernelChecks checksOf(DictionaryAttr record) {
  artifact::KernelChecks checks;
  checks.proved = integerIn(record, "proved");
  checks.notCheckable = integerIn(record, "not_checkable");
  checks.finite = textIn(record, "finite");
  for (auto site : record.getAs<ArrayAttr>("sites").getAsRange<DictionaryAttr>())
    checks.sites.push_back(
        {textIn(site, "kind"), textIn(site, "message"), integerIn(site, "binding"), integersIn(site, "ops")});
  auto shadows = record.getAs<DictionaryAttr>("shadows");
  if (!shadows)
    return checks;
  checks.shadows.emplace().fills = integersIn(shadows, "fills");
  for (auto allocation : shadows.getAs<ArrayAttr>("allocations").getAsRange<DictionaryAttr>()) {
    artifact::KernelShadows::Allocation &made = checks.shadows->allocations.emplace_back();
    if (auto type = allocation.getAs<TypeAttr>("type"))
      made.type = specOf(type.getValue()).value_or(artifact::TensorSpec());
    made.ops = integersIn(allocation, "ops");
    made.writers = integersIn(allocation, "writers");
  }
  return checks;
}

static artifact::CollectiveRecord collectiveOf(DictionaryAttr record) {
  artifact::CollectiveRecord collective;
  collective.kind = textIn(record, "kind");
  collective.grid = integersIn(record, "grid");
  collective.axes = integersIn(record, "axes");
  collective.reduction = textIn(record, "reduction");
  for (auto [name, member] : {std::pair<llvm::StringRef, int64_t *>("dim", &collective.dim),
                              std::pair<llvm::StringRef, int64_t *>("concat_dim", &collective.concatDim),
                              std::pair<llvm::StringRef, int64_t *>("peer", &collective.peer),
                              std::pair<llvm::StringRef, int64_t *>("shift_axis", &collective.shiftAxis),
                              std::pair<llvm::StringRef, int64_t *>("offset", &collective.offset)})
    if (record.contains(name))
      *member = integerIn(record, name);
  collective.rotates = record.contains("rotate");
  return collective;
}

Result<artifact::KernelRecord> compiler::describeKernel(ModuleOp kernel) {
  artifact::KernelRecord record;
  record.name = kernel.getName().value_or("").str();
  auto malformed = [&](const std::string &what) {
    return Error{ErrorCode::Internal, "kernel '" + record.name + "' after phase kernel: " + what, ""};
  };
  std::string problem;
  DictionaryAttr launch = launchInfo(kernel, problem);
  if (!launch)
    return malformed(problem);
  record.rootKind = stringOf(kernel, sched::kRootKindAttr);
  record.opIds = stringsOf(kernel, sched::kOpIdsAttr);
  record.opKinds = stringsOf(kernel, sched::kOpKindsAttr);
  record.hash = stringOf(kernel, sched::kHashAttr);
  record.flops = integerOf(kernel, sched::kFlopsAttr, -1);
  record.grid = integerIn(launch, "grid");
  record.scratchBytes = integerIn(launch, "scratch_bytes");
  record.scalarArgs = integerIn(launch, "scalars");
  record.strategy = textIn(launch, "strategy");
  record.hostReason = textIn(launch, "host_reason");
  record.masks = launch.contains("masks");
  for (auto [type, access, elements] :
       llvm::zip_equal(launch.getAs<ArrayAttr>("bindings").getAsValueRange<TypeAttr>(),
                       launch.getAs<ArrayAttr>("access").getAsValueRange<StringAttr>(),
                       launch.getAs<DenseI64ArrayAttr>("share_elements").asArrayRef())) {
    std::optional<artifact::TensorSpec> spec = specOf(type);
    if (!spec)
      return malformed("a buffer of an element type the runtime does not have");
    record.bindings.push_back({*spec, accessOf(access), elements});
  }
  if (auto checks = launch.getAs<DictionaryAttr>("checks"))
    record.checks = checksOf(checks);
  if (auto collective = launch.getAs<DictionaryAttr>("collective"))
    record.collective = collectiveOf(collective);
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
