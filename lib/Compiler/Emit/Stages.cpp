//===- Stages.cpp - compiles split at a phase ---------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See Stages.h.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "lib/Compiler/Emit/Stages.h"

#include "dialects/Mica/IR/OpIds.h"
#include "dialects/MicaSched/IR/MicaSchedDialect.h"
#include "lib/Compiler/Emit/ArtifactFiles.h"
#include "mica/Artifact/Artifact.h"
#include "mica/Compiler/Program/Describe.h"
#include "mica/Support/Files.h"
#include "passes/Tensor/ArgumentNames.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <filesystem>
#include <map>

using namespace mlir;
using namespace mica;
using namespace mica::compiler;
namespace fs = std::filesystem;

namespace {
/// An option that later phases depend on: its name in the attribute, its name for users, its value.
struct StageOption {
  const char *name, *flag;
  std::string CompileOptions::*text = nullptr;
  bool CompileOptions::*isOn = nullptr;
  int CompileOptions::*number = nullptr;
};
} // namespace

static const StageOption kOptions[] = {
    {"target", "--target=", &CompileOptions::target},
    {"host_cpu", "--host-cpu=", &CompileOptions::hostLevel},
    {"opt_level", "-O", nullptr, nullptr, &CompileOptions::optLevel},
    {"assert_level", "the switch assert-level=", &CompileOptions::assertLevel},
    {"check_proofs", "the switch check-proofs=", nullptr, &CompileOptions::proveChecks},
    {"uninitialized_read_check", "the switch uninitialized-read-check=", nullptr, &CompileOptions::trackReads},
    {"nan_check", "the switch nan-check=", nullptr, &CompileOptions::nanCheck},
    {"dump_exact", "the switch dump-exact=", nullptr, &CompileOptions::dumpExact},
    {"dump_materialize", "the switch dump-materialize=", &CompileOptions::dumpMaterialize},
    {"allow_tf32", "the switch allow-tf32=", nullptr, &CompileOptions::allowTf32},
    {"sim_check", "the switch sim-check=", &CompileOptions::simChecks},
    {"sim_kernel", "the switch sim-kernel=", &CompileOptions::simKernels},
    {"host_functions", "host functions ", &CompileOptions::hostFunctions},
    {"host_ops", "host ops ", &CompileOptions::hostOps},
};

static std::string valueOf(const StageOption &option, const CompileOptions &options) {
  if (option.text)
    return options.*option.text;
  if (option.isOn)
    return options.*option.isOn ? "on" : "off";
  return std::to_string(options.*option.number);
}

/// Sets the option; false if `value` is not valid for it.
static bool setValue(const StageOption &option, CompileOptions &options, const std::string &value) {
  if (option.text) {
    options.*option.text = value;
    return true;
  }
  if (option.isOn) {
    options.*option.isOn = value == "on";
    return value == "on" || value == "off";
  }
  int number = -1;
  if (llvm::StringRef(value).getAsInteger(10, number) || number < 0 || number > 3)
    return false;
  options.*option.number = number;
  return true;
}

/// Sets each option to the result of `valueBefore`, or its default if that is empty. `what` was compiled with it, for
/// errors. With `mayDiffer`, an explicitly given option takes precedence, since nothing has been made with the other
/// value.
static Status setOptions(CompileOptions &options, const std::string &what,
                         llvm::function_ref<std::string(const StageOption &)> valueBefore, bool mayDiffer) {
  const CompileOptions defaults;
  for (const StageOption &option : kOptions) {
    const std::string now = valueOf(option, options), usual = valueOf(option, defaults);
    std::string before = valueBefore(option);
    if (before.empty())
      before = usual;
    const bool isGiven = now != usual || llvm::any_of(options.commandLine, [&](llvm::StringRef argument) {
                           return argument.starts_with(llvm::StringRef(option.flag).rtrim('='));
                         });
    if (isGiven && mayDiffer)
      continue;
    // "cuda" matches any of its chips.
    if (isGiven && now != before && !llvm::StringRef(before).starts_with(now + ":"))
      return Error{ErrorCode::InvalidInput, what + " with " + option.flag + before + ", got " + option.flag + now,
                   "leave the option out: it is taken from there"};
    if (now != before && !setValue(option, options, before))
      return Error{ErrorCode::InvalidInput, what + " with " + option.flag + before + ", which is no value of it",
                   "compile the program again"};
  }
  return Status::ok();
}

void compiler::noteStage(ModuleOp program, Phase phase, const CompileOptions &options) {
  for (auto function : program.getOps<func::FuncOp>())
    nameArguments(function);
  Builder builder(program.getContext());
  SmallVector<NamedAttribute> stage{builder.getNamedAttr("phase", builder.getStringAttr(phaseName(phase)))};
  const CompileOptions defaults;
  for (const StageOption &option : kOptions)
    if (std::string value = valueOf(option, options); value != valueOf(option, defaults))
      stage.push_back(builder.getNamedAttr(option.name, builder.getStringAttr(value)));
  program->setAttr(kStageAttr, builder.getDictionaryAttr(stage));
}

Status compiler::adoptStage(ModuleOp program, CompileOptions &options) {
  Attribute given = program->getAttr(kStageAttr);
  if (!given)
    return Status::ok();
  auto stage = dyn_cast<DictionaryAttr>(given);
  auto textOf = [&](llvm::StringRef name) {
    auto text = stage ? stage.getAs<StringAttr>(name) : nullptr;
    return text ? text.getValue() : llvm::StringRef();
  };
  const std::optional<Phase> phase = parsePhase(textOf("phase"));
  if (!phase)
    return Error{ErrorCode::InvalidInput, options.input + ": the attribute '" + kStageAttr.str() + "' names no phase",
                 "leave it as --compile-to wrote it, or remove it"};
  program->removeAttr(kStageAttr);
  // The reference lowering accepts a program of any phase.
  if (options.plain)
    return Status::ok();
  if (!options.from && !options.specialize.empty())
    return *phase == Phase::Input
               ? Status::ok()
               : Status(Error{ErrorCode::InvalidInput,
                              "--specialize=" + options.specialize + ": cannot be done: " + options.input +
                                  " is what phase " + phaseName(*phase).str() + " gave",
                              "give the program as it was written"});
  if (!options.from)
    options.from = phase;
  if (*phase > *options.from)
    return Error{ErrorCode::InvalidInput,
                 options.input + ": is what phase " + phaseName(*phase).str() +
                     " gave, got --compile-from=" + phaseName(*options.from).str(),
                 "--compile-from=" + phaseName(*phase).str()};
  return setOptions(
      options, options.input + ": was compiled to phase " + phaseName(*phase).str(),
      [&](const StageOption &option) { return textOf(option.name).str(); }, /*mayDiffer=*/*phase == Phase::Input);
}

Status compiler::adoptOptions(const artifact::Manifest &origin, CompileOptions &options) {
  return setOptions(
      options, options.resume + ": was compiled",
      [&](const StageOption &option) {
        std::string name = option.name;
        // An artifact records the resulting features instead.
        if (option.text == &CompileOptions::hostLevel)
          return options.hostLevel;
        std::replace(name.begin(), name.end(), '_', '-');
        auto found = origin.options.find(name);
        return name == "target" ? origin.target : found == origin.options.end() ? "" : found->second;
      },
      /*mayDiffer=*/false);
}

//===------------------------------------------------------------------------------------------------------------===//
// Ops
//===------------------------------------------------------------------------------------------------------------===//

std::vector<artifact::OpRecord> compiler::describeDispatchedOps(ModuleOp program) {
  std::vector<artifact::OpRecord> ops;
  llvm::StringMap<size_t> positions; // by id
  std::map<std::pair<std::string, std::string>, int64_t> ordinals;
  auto add = [&](llvm::StringRef id, llvm::StringRef kind, llvm::StringRef function) {
    auto [it, isNew] = positions.try_emplace(id, ops.size());
    if (isNew)
      ops.push_back({id.str(), kind.str(), function.str(), ordinals[{function.str(), kind.str()}]++, "", {}});
  };
  auto stringsOf = [](Attribute attribute) {
    SmallVector<llvm::StringRef> texts;
    if (auto array = dyn_cast_or_null<ArrayAttr>(attribute))
      for (Attribute element : array)
        if (auto text = dyn_cast<StringAttr>(element))
          texts.push_back(text.getValue());
    return texts;
  };
  // A dispatch lists one op for each op of its kernel, of the same kind.
  SymbolTableCollection symbols;
  auto addUses = [&](Operation *user, llvm::StringRef name, ArrayAttr ids, llvm::StringRef function) {
    ModuleOp kernel = sched::lookupKernel(user, name, symbols);
    if (!kernel)
      return;
    SmallVector<llvm::StringRef> kinds = stringsOf(kernel->getAttr(sched::kOpKindsAttr));
    SmallVector<llvm::StringRef> own = stringsOf(ids ? Attribute(ids) : kernel->getAttr(sched::kOpIdsAttr));
    for (auto [i, id] : llvm::enumerate(own))
      add(id, i < kinds.size() ? kinds[i] : "op", function);
  };
  program.walk([&](Operation *op) {
    auto parent = op->getParentOfType<SymbolOpInterface>();
    llvm::StringRef function = parent ? parent.getName() : "";
    if (auto dispatch = dyn_cast<sched::DispatchOp>(op))
      addUses(op, dispatch.getKernel(), dispatch.getOpIdsAttr(), function);
    else if (auto task = dyn_cast<sched::TaskOp>(op))
      addUses(task->getParentOp(), task.getKernel(), task.getOpIdsAttr(), function);
  });
  for (ModuleOp kernel : kernelsOf(program)) {
    SmallVector<llvm::StringRef> kinds = stringsOf(kernel->getAttr(sched::kOpKindsAttr));
    for (auto [i, id] : llvm::enumerate(stringsOf(kernel->getAttr(sched::kOpIdsAttr))))
      add(id, i < kinds.size() ? kinds[i] : "op", kernel.getName().value_or(""));
  }
  program.walk([&](Operation *op) {
    SmallVector<llvm::StringRef> ids = getOpIds(op);
    auto known = ids.size() == 1 ? positions.find(ids.front()) : positions.end();
    if (known == positions.end() || !ops[known->second].positions.empty())
      return;
    for (FileLineColLoc position : getSourcePositions(op->getLoc()))
      ops[known->second].positions.push_back({position.getFilename().str(), static_cast<int64_t>(position.getLine()),
                                              static_cast<int64_t>(position.getColumn())});
  });
  return ops;
}

//===------------------------------------------------------------------------------------------------------------===//
// Phase object
//===------------------------------------------------------------------------------------------------------------===//

Status compiler::linkAgain(const CompileOptions &options) {
  if (options.emit != Emit::Artifact)
    return Error{ErrorCode::InvalidInput, "--compile-from=object links an artifact, and prints nothing",
                 "leave out --emit; kernels/*/kernel.{mlir,ll,s} of " + options.input + " are the texts"};
  MICA_ASSIGN_OR_RETURN(artifact::Artifact home, artifact::Artifact::open(options.input));
  std::error_code code;
  if (fs::equivalent(options.input, options.output, code))
    return Error{ErrorCode::InvalidInput, "-o " + options.output + " is the artifact that is read", "give another -o"};
  MICA_RETURN_IF_ERROR(
      artifact::checkReplaceable(options.output, options.force || artifact::isArtifact(options.output)));
  std::unique_lock<std::recursive_mutex> held;
  if (options.holdInterrupts)
    held = options.holdInterrupts();
  MICA_ASSIGN_OR_RETURN(StagedFolder folder, StagedFolder::create(options.output, {"runs"}));
  if (options.onFolder)
    options.onFolder(folder.path(), {});
  if (held)
    held.unlock();
  for (const fs::directory_entry &entry : fs::directory_iterator(home.folder(), code))
    if (entry.path().filename() != "runs" && !code)
      fs::copy(entry.path(), folder.path() / entry.path().filename(), fs::copy_options::recursive, code);
  if (code)
    return Error{ErrorCode::Io, "cannot copy " + options.input + ": " + code.message(), "choose another -o"};
  ArtifactFiles files(folder.path(), home);
  MICA_RETURN_IF_ERROR(files.link());
  for (const artifact::FileRecord &record : files.manifest.files)
    for (const artifact::FileRecord &old : home.manifest().files)
      if (record.path == artifact::kProgramFile && old.path == record.path && old.hash != record.hash)
        MICA_RETURN_IF_ERROR(
            writeFile(folder.path() / artifact::kManifestFile, artifact::printManifest(files.manifest)));
  if (options.holdInterrupts)
    held = options.holdInterrupts();
  MICA_RETURN_IF_ERROR(folder.commit(fs::exists(options.output)));
  if (options.onFolder)
    options.onFolder({}, {});
  if (!options.quiet)
    llvm::errs() << options.output << ": linked again from the objects of " << options.input << "\n";
  return Status::ok();
}
