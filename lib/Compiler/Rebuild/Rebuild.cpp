//===- Rebuild.cpp - rebuilding an artifact from edited files -----------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// One route per kind of file (mica/Artifact/Edits.h). Each reads the edited file, makes the dependent files in
// .orig/building, and leaves the rest of the artifact unchanged; RebuildCommit.cpp moves the new files into place.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "mica/Compiler/Rebuild/Rebuild.h"

#include "dialects/RegisterDialects.h"
#include "lib/Compiler/Emit/ArtifactFiles.h"
#include "lib/Compiler/Emit/ReportFiles.h"
#include "lib/Compiler/Rebuild/EditedText.h"
#include "lib/Compiler/Rebuild/RebuildCommit.h"
#include "lib/Compiler/Rebuild/RebuildMessages.h"
#include "lib/Compiler/Rebuild/RebuildPlan.h"
#include "lib/Compiler/Record/RecordMerge.h"
#include "mica/Artifact/Edits.h"
#include "mica/Compiler/Codegen/Codegen.h"
#include "mica/Compiler/Program/Constants.h"
#include "mica/Compiler/Program/Describe.h"
#include "mica/Compiler/Program/ScheduleAudit.h"
#include "mica/Compiler/Program/Version.h"
#include "mica/Compiler/Record/RecordedState.h"
#include "mica/Support/Files.h"
#include "mica/Support/Text.h"
#include "passes/Codegen/Common/Passes.h"
#include "passes/Codegen/GPU/Ptxas.h"
#include "passes/Pipelines/Phases.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/Threading.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Support/FileUtilities.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

#include <chrono>
#include <set>

using namespace mlir;
using namespace mica;
using namespace mica::compiler;
namespace fs = std::filesystem;

namespace {

/// One rebuild of the edited files.
class Rebuild {
public:
  Rebuild(const RebuildOptions &options, artifact::Artifact artifact, RebuildCommit &commit)
      : options(options), home(std::move(artifact)), commit(commit), files(commit.staging(), home),
        context(makeRegistry()), handler(sources, &context, llvm::errs()) {}

  Status run(const std::vector<artifact::Edit> &edits);

private:
  static DialectRegistry makeRegistry() {
    DialectRegistry registry;
    registerAllDialects(registry);
    return registry;
  }

  Status buildAssembly(const artifact::Edit &edit);
  Status buildLlvm(const artifact::Edit &edit);
  Status buildKernelText(const artifact::Edit &edit);
  Status buildSnapshot(const artifact::Edit &edit);
  Status buildSchedule(const artifact::Edit &edit);
  Status buildHost(const artifact::Edit &edit);
  Status buildPtx(const artifact::Edit &edit);
  Status buildDeviceLlvm(const artifact::Edit &edit);

  Result<EditedText> readText(const std::string &path);
  Status takeKernelSnapshot(const std::string &kernel);
  Status preparePasses(const std::vector<std::string> &pipelines);
  Status runPasses(size_t which, ModuleOp module);
  Status checkKernel(ModuleOp program);
  Status takeKernel(ModuleOp kernel, const Snapshot &snapshot);
  Status generateKernels(ModuleOp program, const std::set<std::string> &wanted);
  Status generateHost(ModuleOp program);
  Status mergeSnapshots(const std::string &kernel, int position);
  Status checkEntries(ModuleOp program, const std::string &path);
  Status checkSchedule(ModuleOp program, const std::string &path, const Snapshot *text = nullptr);
  Status checkSymbol(const GeneratedCode &code, const std::string &kernel, const std::string &path);
  /// Records the snapshot and code of an edited kernel, after checking it.
  Status takeKernelCode(const artifact::Edit &edit, const GeneratedCode &code);
  Status checkDeviceEntries(const std::string &kernel, const std::string &ptx, const std::string &path);
  Status checkEntryNames(const artifact::Edit &edit, const GeneratedCode &code, const CodeTarget &gpu) const;
  Result<CodeTarget> editedTargetOf(const artifact::Edit &edit) const;
  void dropBinary(const std::string &kernel);
  Status removeOtherKernels(ModuleOp program);
  std::string pathOf(const std::string &name) const { return home.path(name).string(); }

  /// The record of the current route: each route has its own.
  fs::path recordFolder() const { return commit.staging() / ("record" + std::to_string(records)); }
  fs::path nextRecordFolder() {
    ++records;
    return recordFolder();
  }

  const RebuildOptions &options;
  artifact::Artifact home;
  RebuildCommit &commit;
  ArtifactFiles files;
  llvm::SourceMgr sources;
  MLIRContext context;
  SourceMgrDiagnosticHandler handler;
  std::unique_ptr<PassRecorder> recorder; ///< of the current route
  std::vector<std::unique_ptr<PassManager>> managers;
  Rebuilt rebuilt;
  int records = 0;
};

} // namespace

//===------------------------------------------------------------------------------------------------------------===//
// Common parts of the routes
//===------------------------------------------------------------------------------------------------------------===//

static std::string kernelFile(const std::string &kernel, const char *name) { return "kernels/" + kernel + "/" + name; }

Result<EditedText> Rebuild::readText(const std::string &path) { return readEditedText(pathOf(path), context); }

/// Reads the lines of a kernel's kernel.mlir, for the maps of the code made from it.
Status Rebuild::takeKernelSnapshot(const std::string &kernel) {
  MICA_ASSIGN_OR_RETURN(EditedText text, readText(kernelFile(kernel, "kernel.mlir")));
  files.setSnapshot(kernel, std::move(text.snapshot));
  return Status::ok();
}

/// Makes the pass managers of all `pipelines` before any of them runs, because the recorder numbers passes across all.
Status Rebuild::preparePasses(const std::vector<std::string> &pipelines) {
  managers.clear();
  for (const std::string &pipeline : pipelines) {
    managers.push_back(std::make_unique<PassManager>(&context, "builtin.module"));
    llvm::StringRef text(pipeline);
    text.consume_front("builtin.module(");
    text.consume_back(")");
    if (failed(parsePassPipeline(text, *managers.back())))
      return Error{ErrorCode::Damaged, "the pipeline in the record of " + home.folder().string() + " does not parse",
                   "the record was written by another version; compile the model again"};
    recorder->attach(*managers.back());
  }
  return Status::ok();
}

Status Rebuild::runPasses(size_t which, ModuleOp module) {
  if (succeeded(managers[which]->run(module)))
    return Status::ok();
  return Error{ErrorCode::InvalidInput, home.folder().string() + ": the edited IR was rejected; see the error above",
               "correct the file, or undo the edit with --reset; the last build still runs: "
               "mica-run --no-rebuild"};
}

/// Records the kernel, kernel.mlir and its lines; fails if the signature changed, since its callers are not rebuilt.
Status Rebuild::takeKernel(ModuleOp kernel, const Snapshot &snapshot) {
  Result<artifact::KernelRecord> described = describeKernel(kernel);
  if (!described)
    return Error{ErrorCode::InvalidInput, home.folder().string() + ": " + described.error().message,
                 "keep the names and parameters of the kernel's module and function"};
  const artifact::KernelRecord &record = *described;
  for (const artifact::KernelRecord &old : home.manifest().kernels)
    if (old.name == record.name && signatureOf(old) != signatureOf(record))
      return Error{ErrorCode::InvalidInput,
                   "the edit changes the signature of kernel " + record.name + " from " + signatureOf(old) + " to " +
                       signatureOf(record),
                   "its callers are unchanged; to change both, edit a snapshot of the whole program"};
  return files.recordKernel(kernel, snapshot);
}

/// Applies the run-time check pipeline to the edited kernel, as a compile does.
Status Rebuild::checkKernel(ModuleOp program) {
  const std::map<std::string, std::string> &options = home.manifest().options;
  auto level = options.find("assert-level"), proofs = options.find("check-proofs"),
       reads = options.find("uninitialized-read-check");
  PipelineOptions pipeline;
  pipeline.assertLevel = level == options.end() ? "user" : level->second;
  pipeline.proveChecks = proofs == options.end() || proofs->second != "off";
  pipeline.trackReads = reads != options.end() && reads->second == "on";
  // Device code keeps its checks, and gets no new ones.
  if (checkLevel(pipeline) == "none" ||
      program.walk([](mlir::gpu::GPUModuleOp) { return WalkResult::interrupt(); }).wasInterrupted())
    return Status::ok();
  PassManager checks(&context, "builtin.module");
  addKernelChecks(checks.nest<ModuleOp>(), pipeline);
  if (failed(checks.run(program)))
    return Error{ErrorCode::InvalidInput, home.folder().string() + ": the edited kernel cannot be checked",
                 "correct the file, or undo the edit with --reset"};
  return Status::ok();
}

/// Generates code for the kernels `wanted` of a program of phase lowered.
Status Rebuild::generateKernels(ModuleOp program, const std::set<std::string> &wanted) {
  std::vector<OwningOpRef<ModuleOp>> modules, devices;
  for (ModuleOp kernel : kernelsOf(program))
    if (wanted.count(kernel.getName().value_or("").str())) {
      modules.push_back(kernel.clone());
      devices.push_back(takeDeviceModule(*modules.back()));
    }
  MICA_ASSIGN_OR_RETURN(const CodeTarget target, targetOf(home.manifest()));
  std::vector<std::optional<Result<GeneratedCode>>> results(modules.size());
  mlir::parallelFor(&context, 0, modules.size(), [&](size_t i) {
    const std::string name = modules[i]->getName().value_or("").str();
    results[i] = generateCode(*modules[i], target, {optLevelOf(home.manifest()), kernelFile(name, "kernel.mlir")});
  });
  for (size_t i = 0; i < modules.size(); ++i) {
    if (!*results[i])
      return results[i]->status();
    const std::string name = modules[i]->getName().value_or("").str();
    MICA_RETURN_IF_ERROR(files.recordKernelCode(name, **results[i]));
    if (devices[i]) {
      MICA_ASSIGN_OR_RETURN(const CodeTarget gpu, deviceTarget(home.manifest().target));
      MICA_ASSIGN_OR_RETURN(
          const GeneratedCode code,
          generateCode(*devices[i], gpu, {optLevelOf(home.manifest()), kernelFile(name, "kernel.mlir")}));
      if (lookupTarget(gpu.device)->emitsPtx() && codegen::findPtxas().empty())
        dropBinary(name);
      MICA_RETURN_IF_ERROR(files.recordDeviceCode(name, code, gpu));
    }
    rebuilt.kernels.insert(name);
  }
  rebuilt.hasNewObjects |= !modules.empty();
  return Status::ok();
}

Status Rebuild::generateHost(ModuleOp program) {
  OwningOpRef<ModuleOp> host = hostModule(program);
  MICA_ASSIGN_OR_RETURN(const CodeTarget target, targetOf(home.manifest()));
  MICA_ASSIGN_OR_RETURN(const GeneratedCode code, generateCode(*host, target, {optLevelOf(home.manifest()), ""}));
  rebuilt.hasNewObjects = true;
  return files.recordHostCode(code);
}

/// Merges the snapshots of the passes after `position` into those of the artifact.
Status Rebuild::mergeSnapshots(const std::string &kernel, int position) {
  if (failed(recorder->finish(&context)))
    return Error{ErrorCode::Io, recorder->error(), "free some space on the disk"};
  MICA_ASSIGN_OR_RETURN(MergedRecord merged, mergeRecord(files.fileOf("passes_dump/index.json").string(),
                                                         recordFolder().string(), position, kernel));
  for (const std::string &name : merged.removed)
    commit.remove("passes_dump/" + name);
  for (const auto &[name, snapshot] : merged.snapshots)
    MICA_RETURN_IF_ERROR(
        files.writeSnapshot("passes_dump/" + name, snapshot.text, snapshot.map, "mica-compile: record"));
  return files.write("passes_dump/index.json", merged.index, {}, "mica-compile: record");
}

/// Fails if entries changed, because callers depend on them.
Status Rebuild::checkEntries(ModuleOp program, const std::string &path) {
  auto text = [](const std::vector<artifact::EntryRecord> &entries) {
    std::vector<std::string> lines;
    for (const artifact::EntryRecord &entry : entries) {
      auto list = [](const std::vector<artifact::TensorSpec> &specs) {
        std::vector<std::string> types;
        for (const artifact::TensorSpec &spec : specs)
          types.push_back(shapedTypeString(spec.shape, spec.dtype));
        return joinNames(types);
      };
      lines.push_back(entry.name + "(" + list(entry.args) + ") -> (" + list(entry.results) + ")");
    }
    return joinNames(lines);
  };
  const std::string before = text(home.manifest().entries), after = text(describeEntries(program));
  if (before == after)
    return Status::ok();
  return Error{ErrorCode::InvalidInput, pathOf(path) + " changes the entries from " + before + " to " + after,
               "keep the signature, or compile another program: mica-compile FILE -o DIR"};
}

//===------------------------------------------------------------------------------------------------------------===//
// Kernels
//===------------------------------------------------------------------------------------------------------------===//

Status Rebuild::checkSymbol(const GeneratedCode &code, const std::string &kernel, const std::string &path) {
  if (definesSymbol(code.object, "mica_kernel_" + kernel))
    return Status::ok();
  return Error{ErrorCode::InvalidInput, pathOf(path) + " no longer defines mica_kernel_" + kernel + ", which is called",
               "keep its name and parameters; --reset restores the compiler's file"};
}

Status Rebuild::takeKernelCode(const artifact::Edit &edit, const GeneratedCode &code) {
  MICA_RETURN_IF_ERROR(checkSymbol(code, edit.kernel, edit.path));
  MICA_RETURN_IF_ERROR(takeKernelSnapshot(edit.kernel));
  rebuilt.kernels.insert(edit.kernel);
  rebuilt.hasNewObjects = true;
  return Status();
}

Status Rebuild::buildAssembly(const artifact::Edit &edit) {
  MICA_ASSIGN_OR_RETURN(const std::string text, readFile(home.path(edit.path)));
  MICA_ASSIGN_OR_RETURN(const CodeTarget target, targetOf(home.manifest()));
  MICA_ASSIGN_OR_RETURN(const GeneratedCode code, generateCodeFromAssembly(text, pathOf(edit.path), target));
  MICA_RETURN_IF_ERROR(takeKernelCode(edit, code));
  return files.recordKernelAssembly(edit.kernel, code);
}

Status Rebuild::buildLlvm(const artifact::Edit &edit) {
  MICA_ASSIGN_OR_RETURN(const std::string text, readFile(home.path(edit.path)));
  MICA_ASSIGN_OR_RETURN(const CodeTarget target, targetOf(home.manifest()));
  MICA_ASSIGN_OR_RETURN(const GeneratedCode code, generateCodeFromLlvm(text, pathOf(edit.path), target,
                                                                       {optLevelOf(home.manifest()), edit.kernel}));
  MICA_RETURN_IF_ERROR(takeKernelCode(edit, code));
  return files.recordKernelCode(edit.kernel, code);
}

Status Rebuild::buildHost(const artifact::Edit &edit) {
  MICA_ASSIGN_OR_RETURN(const std::string text, readFile(home.path(edit.path)));
  MICA_ASSIGN_OR_RETURN(const CodeTarget target, targetOf(home.manifest()));
  MICA_ASSIGN_OR_RETURN(const GeneratedCode code,
                        generateCodeFromLlvm(text, pathOf(edit.path), target, {optLevelOf(home.manifest()), ""}));
  rebuilt.hasNewObjects = true;
  return files.recordHostCode(code);
}

//===------------------------------------------------------------------------------------------------------------===//
// Code of a device
//===------------------------------------------------------------------------------------------------------------===//

/// Of the kernel whose PTX or device.ll was edited.
Result<CodeTarget> Rebuild::editedTargetOf(const artifact::Edit &edit) const {
  const bool isPtx = edit.route == artifact::EditRoute::DevicePtx;
  for (const artifact::KernelRecord &kernel : home.manifest().kernels)
    if (kernel.name == edit.kernel && kernel.device) {
      MICA_ASSIGN_OR_RETURN(CodeTarget target, deviceTarget(home.manifest().target));
      const codegen::Target &backend = *lookupTarget(target.device);
      if (isPtx ? backend.emitsPtx() : backend.keepsDeviceLlvm())
        return target;
    }
  return Error{ErrorCode::InvalidInput,
               pathOf(edit.path) + " was edited, and kernel " + edit.kernel +
                   (isPtx ? " has no code for NVIDIA's GPUs" : " has no code that is built from it"),
               "--reset restores the compiler's files"};
}

/// Fails if an entry that the host launches is gone. Parameters are compared at the launch.
Status Rebuild::checkEntryNames(const artifact::Edit &edit, const GeneratedCode &code, const CodeTarget &gpu) const {
  MICA_ASSIGN_OR_RETURN(const std::vector<artifact::DeviceEntry> after,
                        lookupTarget(gpu.device)->describeCode(code.assembly, pathOf(edit.path), gpu, ""));
  std::vector<std::string> names;
  for (const artifact::DeviceEntry &entry : after)
    names.push_back(entry.name);
  for (const artifact::KernelRecord &kernel : home.manifest().kernels)
    if (kernel.name == edit.kernel && kernel.device)
      for (const artifact::DeviceEntry &entry : kernel.device->entries)
        if (!llvm::is_contained(names, entry.name))
          return Error{ErrorCode::InvalidInput,
                       pathOf(edit.path) + " no longer has the entry " + entry.name + "; it has " +
                           (names.empty() ? "none" : joinNames(names)),
                       "kernel.o beside it launches that entry: keep its name; --reset restores the compiler's file"};
  return Status::ok();
}

/// Fails if the entries that the host launches, or their parameters, changed since the last build.
Status Rebuild::checkDeviceEntries(const std::string &kernel, const std::string &ptx, const std::string &path) {
  MICA_ASSIGN_OR_RETURN(const std::string last, commit.originalOf(kernelFile(kernel, "kernel.ptx")));
  const std::vector<std::string> before = codegen::ptxSignatures(last), after = codegen::ptxSignatures(ptx);
  for (const std::string &entry : before) {
    if (llvm::is_contained(after, entry))
      continue;
    const llvm::StringRef name = llvm::StringRef(entry).split('(').first;
    auto changed = llvm::find_if(after, [&](llvm::StringRef other) { return other.split('(').first == name; });
    if (changed == after.end())
      return Error{ErrorCode::InvalidInput,
                   pathOf(path) + " no longer has the entry " + entry + "; it has " +
                       (after.empty() ? "none" : joinNames(after)),
                   "kernel.o beside it launches that entry: keep its name; --reset restores the compiler's file"};
    return Error{ErrorCode::InvalidInput, pathOf(path) + " changes the entry " + entry + " to " + *changed,
                 "kernel.o passes the old parameters; edit kernel.mlir to change both"};
  }
  return Status::ok();
}

/// Removes the cubin, which the runtime would use instead of the edited text.
void Rebuild::dropBinary(const std::string &kernel) {
  const std::string name = kernelFile(kernel, "kernel.cubin");
  std::error_code ignored;
  if (!fs::exists(home.path(name), ignored))
    return;
  commit.remove(name);
  llvm::erase_if(files.manifest.files, [&](const artifact::FileRecord &record) { return record.path == name; });
  rebuilt.deviceNote = "kernel.cubin removed, as there is no ptxas here (the driver compiles the text)";
}

Status Rebuild::buildPtx(const artifact::Edit &edit) {
  MICA_ASSIGN_OR_RETURN(const std::string text, readFile(home.path(edit.path)));
  MICA_ASSIGN_OR_RETURN(const CodeTarget gpu, editedTargetOf(edit));
  MICA_RETURN_IF_ERROR(checkDeviceEntries(edit.kernel, text, edit.path));
  const std::string ptxas = codegen::findPtxas();
  if (Result<std::vector<artifact::DeviceEntry>> checked =
          codegen::describePtx(text, pathOf(edit.path), gpu.cpu, ptxas);
      !checked)
    return Error{ErrorCode::InvalidInput, checked.error().message,
                 "correct the line, or undo the edit with --reset; the last build still runs: "
                 "mica-run --no-rebuild"};
  MICA_ASSIGN_OR_RETURN(const GeneratedCode code, generateCodeFromAssembly(text, pathOf(edit.path), gpu));
  MICA_RETURN_IF_ERROR(takeKernelSnapshot(edit.kernel));
  rebuilt.kernels.insert(edit.kernel);
  if (ptxas.empty())
    dropBinary(edit.kernel);
  else
    rebuilt.deviceNote = "kernel.cubin by ptxas";
  return files.recordDeviceText(edit.kernel, code, gpu, kernelFile(edit.kernel, "device.ll"));
}

Status Rebuild::buildDeviceLlvm(const artifact::Edit &edit) {
  MICA_ASSIGN_OR_RETURN(const std::string text, readFile(home.path(edit.path)));
  MICA_ASSIGN_OR_RETURN(const CodeTarget gpu, editedTargetOf(edit));
  MICA_ASSIGN_OR_RETURN(const GeneratedCode code,
                        generateCodeFromLlvm(text, pathOf(edit.path), gpu, {optLevelOf(home.manifest()), edit.kernel}));
  const bool isPtx = lookupTarget(gpu.device)->emitsPtx();
  MICA_RETURN_IF_ERROR(isPtx ? checkDeviceEntries(edit.kernel, code.assembly, edit.path)
                             : checkEntryNames(edit, code, gpu));
  MICA_RETURN_IF_ERROR(takeKernelSnapshot(edit.kernel));
  rebuilt.kernels.insert(edit.kernel);
  const std::string ptxas = codegen::findPtxas();
  if (!isPtx)
    rebuilt.deviceNote = lookupTarget(gpu.device)->deviceFiles().binary;
  else if (ptxas.empty())
    dropBinary(edit.kernel);
  else
    rebuilt.deviceNote = "kernel.cubin by ptxas";
  return files.recordDeviceCode(edit.kernel, code, gpu);
}

/// From kernel.mlir: phase lowered, for the one kernel.
Status Rebuild::buildKernelText(const artifact::Edit &edit) {
  MICA_ASSIGN_OR_RETURN(EditedText text, readText(edit.path));
  if (text.module->getName().value_or("") != edit.kernel)
    return Error{ErrorCode::InvalidInput,
                 pathOf(edit.path) + " holds module @" + text.module->getName().value_or("").str() +
                     "; its callers know @" + edit.kernel,
                 "keep the names of the module and of its function"};
  OwningOpRef<ModuleOp> program = ModuleOp::create(UnknownLoc::get(&context));
  ModuleOp kernel = *text.module;
  program->push_back(text.module.release());
  attachLinePositions(text.snapshot, kernelFile(edit.kernel, "kernel.mlir"));
  MICA_RETURN_IF_ERROR(checkKernel(*program));
  MICA_RETURN_IF_ERROR(takeKernel(kernel, text.snapshot));
  MICA_ASSIGN_OR_RETURN(const RecordedPlan plan, readPlan(home, nextRecordFolder()));
  recorder = plan.makeRecorder();
  MICA_RETURN_IF_ERROR(preparePasses({plan.range(plan.beforeLowered, plan.count)}));
  MICA_RETURN_IF_ERROR(runPasses(0, *program));
  if (plan.hasRecord)
    MICA_RETURN_IF_ERROR(mergeSnapshots(edit.kernel, plan.beforeLowered));
  return generateKernels(*program, {edit.kernel});
}

//===------------------------------------------------------------------------------------------------------------===//
// Snapshots
//===------------------------------------------------------------------------------------------------------------===//

/// From a snapshot: the passes after it, for its kernel or the whole program.
Status Rebuild::buildSnapshot(const artifact::Edit &edit) {
  const bool isProgram = edit.route == artifact::EditRoute::ProgramSnapshot;
  MICA_ASSIGN_OR_RETURN(const RecordedPlan plan, readPlan(home, nextRecordFolder()));
  if (isProgram && edit.position > plan.beforeKernel)
    return Error{ErrorCode::InvalidInput,
                 pathOf(edit.path) +
                     " was edited, and the program as a whole is not built from a snapshot of phase lowered",
                 "edit host/schedule.mlir, or a snapshot or file of the kernel"};
  std::string problem;
  std::optional<RecordedState> state = loadRecordedState(pathOf("passes_dump"), edit.position, &context, problem);
  if (!state)
    return Error{ErrorCode::InvalidInput, pathOf(edit.path) + ": " + problem,
                 "correct the file, or undo the edit with --reset"};
  OwningOpRef<ModuleOp> program = std::move(state->module);
  if (!isProgram) {
    for (Operation &op : llvm::make_early_inc_range(*program->getBody()))
      if (auto kernel = dyn_cast<ModuleOp>(op); !kernel || kernel.getName().value_or("") != edit.kernel)
        op.erase();
    if (program->getBody()->empty())
      return Error{ErrorCode::InvalidInput, pathOf(edit.path) + " no longer holds kernel " + edit.kernel,
                   "keep its name, or edit a snapshot of the whole program"};
  }
  recorder = plan.makeRecorder();
  const int toKernel = std::max(edit.position, plan.beforeKernel);
  const int toLowered = std::max(edit.position, plan.beforeLowered);
  MICA_RETURN_IF_ERROR(preparePasses({plan.range(edit.position, plan.beforeKernel),
                                      plan.range(toKernel, plan.beforeLowered), plan.range(toLowered, plan.count)}));
  std::set<std::string> wanted;
  if (isProgram) {
    MICA_RETURN_IF_ERROR(runPasses(0, *program));
    MICA_RETURN_IF_ERROR(checkEntries(*program, edit.path));
    MICA_RETURN_IF_ERROR(checkSchedule(*program, edit.path));
    MICA_RETURN_IF_ERROR(files.recordSchedule(*program));
  }
  if (edit.position < plan.beforeLowered)
    MICA_RETURN_IF_ERROR(runPasses(1, *program));
  if (edit.position < plan.beforeLowered || isProgram) {
    // A kernel that did not change keeps its code.
    if (isProgram)
      files.manifest.kernels.clear();
    for (ModuleOp kernel : kernelsOf(*program)) {
      const std::string name = kernel.getName().value_or("").str();
      SnapshotOptions snapshotOptions;
      snapshotOptions.assumeVerified = true;
      Snapshot snapshot = printSnapshot(kernel, snapshotOptions);
      Result<std::string> old = readFile(home.path(kernelFile(name, "kernel.mlir")));
      if (!isProgram || !old || *old != snapshot.text || commit.isEdited(kernelFile(name, "")))
        wanted.insert(name);
      MICA_RETURN_IF_ERROR(takeKernel(kernel, snapshot));
      attachLinePositions(snapshot, kernelFile(kernel.getName().value_or("").str(), "kernel.mlir"));
    }
  } else {
    wanted = {edit.kernel};
    MICA_RETURN_IF_ERROR(takeKernelSnapshot(edit.kernel));
  }
  MICA_RETURN_IF_ERROR(runPasses(2, *program));
  MICA_RETURN_IF_ERROR(mergeSnapshots(edit.kernel, edit.position));
  MICA_RETURN_IF_ERROR(generateKernels(*program, wanted));
  if (!isProgram)
    return Status::ok();
  MICA_RETURN_IF_ERROR(removeOtherKernels(*program));
  MICA_RETURN_IF_ERROR(generateHost(*program));
  MICA_ASSIGN_OR_RETURN(const std::string oldRemarks, readFile(home.path("report/remarks.json")));
  MICA_ASSIGN_OR_RETURN(const std::string remarks,
                        mergeRemarks(oldRemarks, printRemarksReport(*recorder), edit.position));
  MICA_RETURN_IF_ERROR(files.write("report/remarks.json", remarks, {"input.mlirbc"}, "mica-compile: what passes said"));
  return files.write("report/memory.json", printMemoryReport(files.manifest, files.lists),
                     {std::string(artifact::kTasksFile)}, "mica-compile: where buffers lie");
}

/// Removes kernels that no longer exist in the program.
Status Rebuild::removeOtherKernels(ModuleOp program) {
  std::set<std::string> present;
  for (ModuleOp kernel : kernelsOf(program))
    present.insert(kernel.getName().value_or("").str());
  for (const artifact::KernelRecord &old : home.manifest().kernels) {
    if (present.count(old.name))
      continue;
    for (const artifact::FileRecord &record : home.manifest().files)
      if (record.path.rfind(kernelFile(old.name, ""), 0) == 0)
        commit.remove(record.path);
    files.dropObject(kernelFile(old.name, "kernel.o"));
  }
  return Status::ok();
}

//===------------------------------------------------------------------------------------------------------------===//
// The schedule
//===------------------------------------------------------------------------------------------------------------===//

/// `text`: the lines of the program's ops, where it is as it was read from `path`.
Status Rebuild::checkSchedule(ModuleOp program, const std::string &path, const Snapshot *text) {
  if (!options.checkSchedule)
    return Status::ok();
  llvm::DenseMap<Operation *, Location> lines;
  if (text)
    for (const Snapshot::Line &line : text->lines)
      lines.try_emplace(line.op, FileLineColLoc::get(&context, pathOf(path), line.line, line.column));
  if (succeeded(verifySchedule(program, AuditScope::All, [&](Operation *op) {
        auto found = lines.find(op);
        return found == lines.end() ? op->getLoc() : found->second;
      })))
    return Status::ok();
  return Error{ErrorCode::InvalidInput, pathOf(path) + ": the order of its tasks is not ensured: see the errors above",
               "add what they name, or undo the edit with --reset; mica-compile --rebuild=DIR --no-check-schedule "
               "builds it as it is"};
}

Status Rebuild::buildSchedule(const artifact::Edit &edit) {
  MICA_ASSIGN_OR_RETURN(EditedText text, readText(edit.path));
  ModuleOp program = *text.module;
  MICA_RETURN_IF_ERROR(checkEntries(program, edit.path));
  for (ModuleOp declared : kernelsOf(program)) {
    MICA_ASSIGN_OR_RETURN(const artifact::KernelRecord record, describeKernel(declared));
    auto known = llvm::find_if(home.manifest().kernels,
                               [&](const artifact::KernelRecord &kernel) { return kernel.name == record.name; });
    if (known == home.manifest().kernels.end())
      return Error{ErrorCode::InvalidInput,
                   pathOf(edit.path) + " declares kernel " + record.name + ", which does not exist",
                   "the kernels are those in " + pathOf("kernels")};
    if (signatureOf(*known) != signatureOf(record))
      return Error{ErrorCode::InvalidInput,
                   pathOf(edit.path) + " changes the signature of kernel " + record.name + " from " +
                       signatureOf(*known) + " to " + signatureOf(record),
                   "keep the signature; to change kernel and callers, edit a snapshot of the whole program"};
  }
  std::string problem;
  if (!attachConstants(program, pathOf("passes_dump"), problem))
    return Error{ErrorCode::InvalidInput, pathOf(edit.path) + ": " + problem, ""};
  MICA_RETURN_IF_ERROR(checkSchedule(program, edit.path, &text.snapshot));
  MICA_RETURN_IF_ERROR(files.recordSchedule(program, &text.snapshot));
  MICA_RETURN_IF_ERROR(files.write("report/memory.json", printMemoryReport(files.manifest, files.lists),
                                   {std::string(artifact::kTasksFile)}, "mica-compile: where buffers lie"));
  PassManager pm(&context, "builtin.module");
  PipelineOptions pipelineOptions;
  pipelineOptions.optLevel = optLevelOf(home.manifest());
  buildHostLoweredPhase(pm, pipelineOptions);
  if (failed(pm.run(program)))
    return Error{ErrorCode::InvalidInput, pathOf(edit.path) + " was rejected; see the error above",
                 "correct the file, or undo the edit with --reset"};
  return generateHost(program);
}

//===------------------------------------------------------------------------------------------------------------===//
// All of it
//===------------------------------------------------------------------------------------------------------------===//

Status Rebuild::run(const std::vector<artifact::Edit> &edits) {
  const auto start = std::chrono::steady_clock::now();
  for (const artifact::Edit &edit : edits) {
    Status status;
    switch (edit.route) {
    case artifact::EditRoute::Assembly:
      status = buildAssembly(edit);
      break;
    case artifact::EditRoute::LlvmIR:
      status = buildLlvm(edit);
      break;
    case artifact::EditRoute::KernelIR:
      status = buildKernelText(edit);
      break;
    case artifact::EditRoute::KernelSnapshot:
    case artifact::EditRoute::ProgramSnapshot:
      status = buildSnapshot(edit);
      break;
    case artifact::EditRoute::Schedule:
      status = buildSchedule(edit);
      break;
    case artifact::EditRoute::HostLlvm:
      status = buildHost(edit);
      break;
    case artifact::EditRoute::DevicePtx:
      status = buildPtx(edit);
      break;
    case artifact::EditRoute::DeviceLlvm:
      status = buildDeviceLlvm(edit);
      break;
    case artifact::EditRoute::Tasks:
      break; // it was read and checked when the artifact was opened
    }
    MICA_RETURN_IF_ERROR(status);
  }
  if (rebuilt.hasNewObjects)
    MICA_RETURN_IF_ERROR(files.link());
  MICA_RETURN_IF_ERROR(commit.finish(files, edits));
  if (!options.quiet) {
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    llvm::errs() << summaryOf(rebuilt, home.folder(), edits, files, seconds.count()) << "\n";
  }
  return Status::ok();
}

Status compiler::rebuild(const RebuildOptions &options) {
  if (!artifact::isArtifact(options.folder))
    return artifact::Artifact::open(options.folder).status();
  MICA_ASSIGN_OR_RETURN(RebuildCommit commit, RebuildCommit::create(options.folder));
  MICA_ASSIGN_OR_RETURN(artifact::Artifact artifact, artifact::Artifact::open(options.folder));
  commit.noteEarlierEdits(artifact.manifest());
  // Undoing the last edit restores the artifact bit for bit.
  bool restoresAll = options.reset == "all";
  if (!options.reset.empty() && !restoresAll) {
    MICA_ASSIGN_OR_RETURN(std::vector<std::string> edited, artifact::editedByHand(artifact));
    restoresAll = edited.size() == 1 && edited.front() == options.reset;
  }
  if (restoresAll) {
    MICA_ASSIGN_OR_RETURN(const size_t restored, commit.restoreAll());
    if (!options.quiet)
      llvm::errs() << options.folder << ": " << restored << (restored == 1 ? " file" : " files") << " restored\n";
    return Status::ok();
  }
  if (!options.reset.empty())
    MICA_RETURN_IF_ERROR(commit.restore(options.reset));
  MICA_ASSIGN_OR_RETURN(const std::vector<std::string> changed, artifact::changedSinceBuild(artifact));
  MICA_ASSIGN_OR_RETURN(const std::vector<artifact::Edit> edits, artifact::planEdits(artifact, changed));
  if (edits.empty()) {
    if (!options.quiet)
      llvm::errs() << options.folder << ": nothing was edited since the last build\n";
    return Status::ok();
  }
  MICA_RETURN_IF_ERROR(commit.begin(edits));
  Rebuild build(options, std::move(artifact), commit);
  return build.run(edits);
}
