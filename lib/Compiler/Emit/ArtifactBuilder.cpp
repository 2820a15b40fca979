//===- ArtifactBuilder.cpp - building the folder of an artifact ---------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See ArtifactBuilder.h.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "lib/Compiler/Emit/ArtifactBuilder.h"

#include "lib/Compiler/Emit/OriginalProgram.h"
#include "lib/Compiler/Emit/Originals.h"
#include "lib/Compiler/Emit/PerfHints.h"
#include "lib/Compiler/Emit/ReportFiles.h"
#include "lib/Compiler/Emit/Stages.h"
#include "lib/Compiler/Program/InputRanges.h"
#include "lib/Compiler/Snapshot/SnapshotGraph.h"
#include "mica/Artifact/Edits.h"
#include "mica/Compiler/Codegen/Codegen.h"
#include "mica/Compiler/Input/Input.h"
#include "mica/Compiler/Program/Describe.h"
#include "mica/Compiler/Program/Version.h"
#include "mica/Support/Hash.h"
#include "mica/Support/Machine.h"
#include "mica/Support/Text.h"
#include "passes/Schedule/TaskLists.h"
#include "passes/Tensor/ConstantNames.h"

#include "mlir/IR/AsmState.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <ctime>

using namespace mlir;
using namespace mica;
using namespace mica::compiler;
namespace fs = std::filesystem;

/// Whether the artifact in `output` was made from the program that is compiled now: the same file, also if the tree
/// around both was moved, or the same text.
static bool isSameProgram(const artifact::Artifact &old, const artifact::BuildRecord &now, const std::string &hash) {
  const artifact::BuildRecord &then = old.build();
  if (then.program.empty()) // written before build.json existed, or it was removed
    return fs::path(old.manifest().inputFile).filename() == fs::path(now.program).filename();
  return then.program == now.program || then.programFromHere == now.programFromHere ||
         (!hash.empty() && old.manifest().inputHash == hash);
}

Status ArtifactBuilder::checkOutput(const std::string &output, bool force, const artifact::BuildRecord &build,
                                    const std::string &hash) {
  const bool isReplaced = artifact::isArtifact(output);
  if (isReplaced && !force) {
    // Replacing one's own output is normal; replacing hand edits would destroy work.
    Result<artifact::Artifact> old = artifact::Artifact::open(output);
    if (!old)
      return Error{ErrorCode::InvalidInput, output + " holds an artifact that cannot be read: " + old.error().message,
                   "give another -o, or --force to replace it"};
    if (!isSameProgram(*old, build, hash))
      return Error{ErrorCode::InvalidInput,
                   output + " holds the artifact of another program, " +
                       (old->build().program.empty() ? old->manifest().inputFile : old->build().program),
                   "give another -o, or --force to replace it"};
    MICA_ASSIGN_OR_RETURN(std::vector<std::string> edited, artifact::editedByHand(*old));
    if (!edited.empty())
      return Error{ErrorCode::InvalidInput, output + " was edited by hand: " + joinNames(edited),
                   "give another -o, or --force to lose the edits"};
  }
  return artifact::checkReplaceable(output, force || isReplaced);
}

/// "2026-11-23T02:35:32Z".
static std::string utcNow() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  ::gmtime_r(&now, &parts);
  char text[32];
  return {text, std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts)};
}

static artifact::BuildRecord buildOf(const CompileOptions &options) {
  artifact::BuildRecord build;
  build.started = utcNow();
  std::error_code error;
  build.workingFolder = fs::current_path(error).string();
  build.commandLine = options.commandLine;
  // A resumed compile starts from a state of its artifact's program.
  const std::string from = options.resume.substr(0, options.resume.rfind(':'));
  for (const std::string &folder : {options.resume, from})
    if (!options.resume.empty() && artifact::isArtifact(folder)) {
      build.program = artifact::readBuildRecord(folder).program;
      break;
    }
  if (options.resume.empty())
    build.program = options.input == "-" ? "<stdin>" : fs::absolute(options.input, error).lexically_normal().string();
  if (build.program.starts_with('/'))
    build.programFromHere = fs::path(build.program)
                                .lexically_relative(fs::weakly_canonical(fs::absolute(options.output, error), error))
                                .string();
  return build;
}

Result<ArtifactBuilder> ArtifactBuilder::create(const CompileOptions &options) {
  const std::string &output = options.output;
  const bool force = options.force;
  artifact::BuildRecord build = buildOf(options);
  const std::string hash = options.text ? hashHex(*options.text) : "";
  MICA_RETURN_IF_ERROR(checkOutput(output, force, build, hash));
  // Runs belong to the folder's user, so they are kept.
  MICA_ASSIGN_OR_RETURN(StagedFolder folder, StagedFolder::create(output, {"runs"}));
  ArtifactBuilder builder(std::move(folder), output);
  builder.force = force;
  builder.build = std::move(build);
  return builder;
}

//===------------------------------------------------------------------------------------------------------------===//
// The program
//===------------------------------------------------------------------------------------------------------------===//

Status ArtifactBuilder::recordProgram(ModuleOp program, ModuleOp original, const std::string &inputName,
                                      bool isDispatched) {
  manifest.inputFile = fs::path(inputName).filename().string();
  manifest.entries = describeEntries(program);
  manifest.ops = isDispatched ? describeDispatchedOps(program) : describeOps(program);
  // In a program that is resumed after phase tensor, several ops may have the same id.
  llvm::StringSet<> ids;
  std::erase_if(manifest.ops, [&](const artifact::OpRecord &op) { return !ids.insert(op.id).second; });
  nameConstants(original);
  MICA_RETURN_IF_ERROR(writeInputConstants({program, original}));

  // The weights are stored in constants.bin; the programs refer to them by name.
  const std::string input(artifact::kInputFile), parsed(artifact::kOriginalFile);
  MICA_ASSIGN_OR_RETURN(const std::string before, bytecodeOf(original, parsed));
  MICA_RETURN_IF_ERROR(write(parsed, before, {}, "mica-compile: parse"));
  MICA_RETURN_IF_ERROR(write("report/input_ranges.json", printInputRanges(original), {parsed},
                             "mica-compile: which integers arguments may be"));
  MICA_ASSIGN_OR_RETURN(const std::string after, bytecodeOf(program, input));
  return write(input, after, {parsed}, "mica-compile: phase input");
}

Status ArtifactBuilder::recordOrigin(const artifact::Artifact &origin, ModuleOp program) {
  manifest.inputFile = origin.manifest().inputFile;
  manifest.entries = origin.manifest().entries;
  manifest.ops = origin.manifest().ops;
  // The reference of a snapshot is that of its artifact.
  std::vector<ModuleOp> programs{program};
  OwningOpRef<ModuleOp> original;
  for (std::string_view name : {artifact::kOriginalFile, artifact::kInputFile}) {
    const fs::path file = origin.path(std::string(name));
    if (std::error_code missing; name == artifact::kOriginalFile && !fs::exists(file, missing))
      continue; // an artifact of an earlier version
    MICA_ASSIGN_OR_RETURN(std::string bytes, readFile(file));
    MICA_RETURN_IF_ERROR(write(std::string(name), bytes, {}, "mica-compile: copied from the artifact resumed"));
    if (name != artifact::kOriginalFile)
      continue;
    MICA_ASSIGN_OR_RETURN(Input input, readInput(file.string(), *program.getContext()));
    original = std::move(input.module);
    programs.push_back(*original);
    MICA_RETURN_IF_ERROR(write("report/input_ranges.json", printInputRanges(*original), {std::string(name)},
                               "mica-compile: which integers arguments may be"));
  }
  return writeInputConstants(programs);
}

//===------------------------------------------------------------------------------------------------------------===//
// The end
//===------------------------------------------------------------------------------------------------------------===//

Status ArtifactBuilder::recordReport(const PassRecorder &recorder, const CompileOptions &options) {
  MICA_RETURN_IF_ERROR(
      write("report/remarks.json", printRemarksReport(recorder), {"input.mlirbc"}, "mica-compile: what passes said"));
  MICA_RETURN_IF_ERROR(write("report/fusion.json", printFusionReport(recorder, manifest), {"input.mlirbc"},
                             "mica-compile: what was fused"));
  std::vector<PerfHint> hints = findPerfHints(recorder, manifest, lists);
  if (!options.hostReason.empty())
    hints.insert(hints.begin(), hostHint(options.hostReason, options.hostSource, manifest));
  for (const HostFunction &function : options.hostReasons)
    hints.insert(hints.begin(), hostFunctionHint(function));
  logPerfHints(hints);
  MICA_RETURN_IF_ERROR(write("report/perf_hints.json", printPerfHints(hints), {std::string(artifact::kTasksFile)},
                             "mica-compile: what costs time"));
  return write("report/memory.json", printMemoryReport(manifest, lists), {std::string(artifact::kTasksFile)},
               "mica-compile: where buffers lie");
}

Status ArtifactBuilder::commit(const CompileOptions &options, const CodeTarget &target, const Machine &machine,
                               const PassRecorder &recorder, double seconds) {
  manifest.micaVersion = micaVersion();
  manifest.llvmVersion = llvmVersion();
  manifest.target = options.target;
  const TargetInfo &info = *findTarget(options.target);
  if (info.hasDeviceCode) {
    MICA_ASSIGN_OR_RETURN(const CodeTarget device, deviceTarget(options.target));
    manifest.target = device.device; // including the chip
  }
  manifest.triple = target.triple;
  manifest.cpu = target.tune;
  manifest.cpuFeatures = target.cpuinfoFeatures;
  manifest.options["opt-level"] = std::to_string(options.optLevel);
  manifest.options["assert-level"] = options.assertLevel;
  manifest.options["check-proofs"] = options.proveChecks ? "on" : "off";
  manifest.options["uninitialized-read-check"] = options.trackReads ? "on" : "off";
  if (options.nanCheck)
    manifest.options["nan-check"] = "on";
  if (options.dumpExact)
    manifest.options["dump-exact"] = "on";
  if (!options.dumpMaterialize.empty())
    manifest.options["dump-materialize"] = options.dumpMaterialize;
  if (info.hasWarps)
    manifest.options["allow-tf32"] = options.allowTf32 ? "on" : "off";
  if (info.isSimulated) {
    manifest.options["sim-check"] = options.simChecks;
    manifest.options["sim-kernel"] = options.simKernels;
  }
  manifest.options["dump-passes"] = dumpModeName(options.dump);
  manifest.options["dump-format"] = options.archive ? "archive" : "files";
  manifest.options["target-features"] = target.features;
  if (!options.specialize.empty())
    manifest.options["specialize"] = options.specialize;
  if (!options.shard.empty())
    manifest.options["shard"] = options.shard;
  if (!options.hostLevel.empty())
    manifest.options["host-cpu"] = options.hostLevel;
  if (options.plain)
    manifest.options["plain"] = "on";
  for (const auto &[kernel, position] : options.kernelsAt)
    manifest.options["kernels-at"] += std::to_string(position) + ":" + kernel + "\n";
  if (!options.plainKernels.empty())
    manifest.options["plain-kernels"] = llvm::join(options.plainKernels, ",");
  if (!options.limitedKernel.empty())
    manifest.options["llvm-bisect-limit"] = options.limitedKernel + ":" + std::to_string(options.llvmPassLimit);
  if (!options.hostFunctions.empty())
    manifest.options["host-functions"] = options.hostFunctions;
  if (!options.hostOps.empty())
    manifest.options["host-ops"] = options.hostOps;
  if (!options.transform.empty())
    manifest.options["transform"] = options.transform;
  if (options.from)
    manifest.options["compile-from"] = phaseName(*options.from).str();
  if (!options.resume.empty())
    manifest.options["resume"] = options.resume.substr(options.resume.rfind(':') + 1);
  for (const auto &[phase, pipeline] : options.addedPasses)
    manifest.options["add-passes"] += phaseName(phase).str() + ":" + pipeline + "\n";
  for (const std::string &plugin : options.plugins) {
    MICA_ASSIGN_OR_RETURN(const std::string hash, hashFile(plugin));
    manifest.options["load-pass-plugin"] += fs::path(plugin).filename().string() + " " + hash + "\n";
  }
  for (const std::string &plugin : options.llvmPlugins) {
    MICA_ASSIGN_OR_RETURN(const std::string hash, hashFile(plugin));
    manifest.options["load-llvm-pass-plugin"] += fs::path(plugin).filename().string() + " " + hash + "\n";
  }
  MICA_RETURN_IF_ERROR(write(std::string(artifact::kMachineFile), printMachine(machine), {}, "mica-compile: measured"));
  for (const RecordedFile &file : recorder.files())
    manifest.files.push_back(
        {"passes_dump/" + file.name, {"input.mlirbc"}, "mica-compile: record", file.hash, "", file.packed});
  std::vector<std::string> phases;
  for (const RecordedPass &pass : recorder.passes())
    phases.push_back(pass.phase);
  linkSnapshots(manifest, phases);
  // Without a hash: the archive contains the manifest, and has a checksum.
  const std::string originalsFile(artifact::kOriginalsFile);
  constexpr std::string_view kBinaryEndings[] = {".o", ".cubin", ".hsaco", ".spv"};
  std::vector<std::string> packed{std::string(artifact::kManifestFile)};
  for (const artifact::FileRecord &record : manifest.files)
    // A packed snapshot is its own original: an edited text is stored beside it.
    if (!record.packed && (recorder.archive().empty() || !artifact::isSnapshotFile(record.path)) &&
        (artifact::isText(record.path) ||
         llvm::any_of(kBinaryEndings, [&](std::string_view ending) { return record.path.ends_with(ending); })))
      packed.push_back(record.path);
  if (!recorder.archive().empty())
    MICA_RETURN_IF_ERROR(write(std::string(artifact::kOriginalSnapshotsFile), recorder.archive(), {},
                               "mica-compile: the compiler's own version of snapshots"));
  manifest.files.push_back({originalsFile, {}, "mica-compile: the compiler's own version of texts", ""});
  MICA_RETURN_IF_ERROR(writeFile(path() / artifact::kManifestFile, artifact::printManifest(manifest)));
  MICA_ASSIGN_OR_RETURN(std::string originals, packOriginals(path(), packed));
  MICA_RETURN_IF_ERROR(writeFile(path() / originalsFile, originals));
  build.seconds = seconds;
  for (const PassRecord &record : recorder.records())
    build.passTimes.push_back({record.position, record.path, record.milliseconds});
  MICA_RETURN_IF_ERROR(writeFile(path() / artifact::kBuildFile, artifact::printBuildRecord(build)));
  // If an interrupt is removing the folder now, the process ends here; a later interrupt waits.
  std::unique_lock<std::recursive_mutex> held;
  if (options.holdInterrupts)
    held = options.holdInterrupts();
  // Checked again, because the target may have been created during this compile.
  return folder.commitIf([&] { return checkOutput(output, force, build, manifest.inputHash); });
}

fs::path ArtifactBuilder::failedPath() const {
  fs::path kept = folder.target();
  kept += ".failed";
  return kept;
}

Status ArtifactBuilder::keepFailed() {
  std::error_code code;
  fs::remove_all(failedPath(), code);
  fs::rename(path(), failedPath(), code);
  if (code)
    return Error{ErrorCode::Io, "the record could not be kept as " + failedPath().string() + ": " + code.message(), ""};
  return Status::ok();
}

std::string ArtifactBuilder::summary(double seconds) const {
  std::vector<std::string> entries;
  for (const artifact::EntryRecord &entry : manifest.entries)
    entries.push_back(entry.name);
  std::string text;
  llvm::raw_string_ostream os(text);
  os << output << ": " << manifest.kernels.size() << (manifest.kernels.size() == 1 ? " kernel, " : " kernels, ")
     << manifest.ops.size() << " ops, " << (entries.size() == 1 ? "entry " : "entries ") << joinNames(entries) << "; "
     << llvm::format("%.2f s", seconds);
  // For kernels whose checks were all proved, the sum is sufficient.
  int64_t proved = 0, kept = 0, notCheckable = 0;
  std::string lines;
  bool anyChecks = false;
  for (const artifact::KernelRecord &kernel : manifest.kernels) {
    if (!kernel.checks)
      continue;
    const int64_t sites = std::count_if(kernel.checks->sites.begin(), kernel.checks->sites.end(),
                                        [](const artifact::CheckRecord &site) { return !site.isFinding(); });
    // Kernels whose only checks are those of nan-check, or of loops, are not listed.
    if (sites == 0 && kernel.checks->proved == 0 && (!kernel.checks->finite.empty() || !kernel.checks->sites.empty()))
      continue;
    anyChecks = true;
    proved += kernel.checks->proved;
    kept += sites;
    notCheckable += kernel.checks->notCheckable;
    if (sites > 0 || kernel.checks->notCheckable > 0)
      lines += "\n  " + kernel.name + ": " + std::to_string(kernel.checks->proved) + " checks proved, " +
               std::to_string(sites) + " kept, " + std::to_string(kernel.checks->notCheckable) +
               " operations not checkable";
  }
  if (anyChecks)
    os << "; checks: " << proved << " proved, " << kept << " kept, " << notCheckable << " operations not checkable"
       << lines;
  return text;
}
