//===- OwnProgram.cpp - programs that Mica compiles ---------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See the header.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "lib/Bisect/OwnProgram.h"

#include "dialects/RegisterDialects.h"
#include "lib/Bisect/Lowering.h"
#include "lib/Bisect/Strip.h"
#include "lib/Bisect/ToolParts.h"
#include "mica/Artifact/Artifact.h"
#include "mica/Artifact/BuildRecord.h"
#include "mica/Compiler/Program/Constants.h"
#include "mica/Support/Diagnostics.h"
#include "mica/Support/Files.h"
#include "mica/Support/Process.h"

#include "mlir/IR/DialectRegistry.h"
#include "llvm/Support/raw_ostream.h"

using namespace mica;
using namespace mica::bisect;
namespace fs = std::filesystem;

/// The program of an artifact as it was before any pass.
static Result<mlir::OwningOpRef<mlir::ModuleOp>> programOf(const fs::path &artifact, mlir::MLIRContext &context) {
  std::error_code ignored;
  fs::path file = artifact / artifact::kOriginalFile;
  if (!fs::exists(file, ignored))
    file = artifact / artifact::kInputFile;
  MICA_ASSIGN_OR_RETURN(irtools::Document document, irtools::readProgram(file.string(), context));
  std::string error;
  if (!compiler::attachConstants(*document.root, artifact.string(), error))
    return Error{ErrorCode::Damaged, error, "compile the program again"};
  return std::move(document.root);
}

/// The record of a compile that failed, where a pass ended the compiler.
static std::optional<Recorded> crashOf(const fs::path &artifact) {
  Result<Recorded> recorded = Recorded::open(artifact.string() + ".failed");
  if (!recorded || !recorded->record().failure() || recorded->record().failure()->how == "failed")
    return std::nullopt;
  return std::move(*recorded);
}

/// A compile takes longer than a program.
static constexpr double kCompileFactor = 10;

/// Compiles `name` for `target` to `artifact`. A verdict where that ends the compiler; `isRefused` where the compiler
/// does not take the program.
static Result<std::optional<Verdict>> compileProgram(const BisectOptions &options, const std::string &name,
                                                     const std::string &target, const CompiledProgram &program,
                                                     const Entry &entry, const Baseline &baseline,
                                                     mlir::MLIRContext &context, Runner &runner, bool &isRefused) {
  std::vector<std::string> command{runner.tool("mica-compile").string(),
                                   name,
                                   "-o",
                                   program.folder.string(),
                                   "--target=" + target,
                                   "--no-check-schedule"};
  command.insert(command.end(), options.compileFlags.begin(), options.compileFlags.end());
  command.insert(command.end(), program.plugins.begin(), program.plugins.end());
  ProcessOptions process;
  process.standardOutput = runner.folder() / "compile.out";
  process.standardError = runner.folder() / "compile.err";
  process.secondsLimit = runner.limits().seconds * kCompileFactor;
  process.memoryLimit = runner.limits().memoryBytes;
  MICA_ASSIGN_OR_RETURN(const int code, runProcess(command, process));
  if (code == 0)
    return std::optional<Verdict>();
  if (const std::optional<Recorded> crashed = crashOf(program.folder)) {
    MICA_ASSIGN_OR_RETURN(Verdict verdict, bisectPasses(*crashed, entry, baseline, context, runner, options.settings));
    return std::optional(std::move(verdict));
  }
  MICA_ASSIGN_OR_RETURN(const std::string said, readFile(process.standardError));
  isRefused = code == 1;
  if (isRefused)
    return Error{ErrorCode::InvalidInput, "the program cannot be compiled:\n" + llvm::StringRef(said).rtrim().str(),
                 "mica-compile " + name + " --target=" + target};
  Verdict verdict;
  verdict.kind = Verdict::Kind::Crash;
  verdict.headline = "mica-compile ended with exit code " + std::to_string(code);
  verdict.evidence.push_back(llvm::StringRef(said).rtrim().str());
  return std::optional(std::move(verdict));
}

/// How `program` is compiled, for people: plugins without their folders.
static std::string compileText(const BisectOptions &options, const std::string &program, const std::string &target,
                               const std::vector<std::string> &plugins) {
  std::vector<std::string> arguments{fs::path(program).filename().string(), "-o", "artifact"};
  if (!target.empty())
    arguments.push_back("--target=" + target);
  arguments.insert(arguments.end(), options.compileFlags.begin(), options.compileFlags.end());
  for (const std::string &plugin : plugins) {
    const size_t at = plugin.find('=');
    arguments.push_back(plugin.substr(0, at + 1) + fs::path(plugin.substr(at + 1)).filename().string());
  }
  return shellText("mica-compile", arguments);
}

/// How an artifact was compiled, for people: files without their folders.
static std::string compileText(const artifact::BuildRecord &build) {
  std::vector<std::string> arguments;
  for (size_t i = 1; i < build.commandLine.size(); ++i) {
    const llvm::StringRef word = build.commandLine[i];
    if (word == "-o") {
      ++i;
      continue;
    }
    if (word == "--force")
      continue;
    const bool namesFile =
        llvm::any_of(std::initializer_list<llvm::StringRef>{"--load-pass-plugin=", "--load-llvm-pass-plugin=",
                                                            "--machine=", "--link="},
                     [&](llvm::StringRef flag) { return word.starts_with(flag); });
    const size_t from = word.starts_with("-") ? word.find('=') + 1 : 0;
    arguments.push_back(word.starts_with("-") && !namesFile
                            ? word.str()
                            : word.take_front(from).str() + fs::path(word.substr(from).str()).filename().string());
  }
  arguments.insert(arguments.end(), {"-o", "artifact"});
  return shellText("mica-compile", arguments);
}

/// Of verdicts for several targets the worst that is not right, with what the others gave. `isRefused`: as of
/// compileProgram.
static Result<Verdict> judgeTargets(const BisectOptions &options, const std::string &name, mlir::ModuleOp written,
                                    const Entry &entry, Runner &runner, std::string &compile, bool &isRefused) {
  Baseline baseline;
  if (std::optional<Verdict> verdict = judgeProgram(written, entry, runner, options.settings, baseline))
    return *verdict;
  mlir::MLIRContext &context = *written.getContext();
  if (isArtifact(name)) {
    CompiledProgram program{name, pluginsOf(name)};
    compile = compileText(artifact::readBuildRecord(name));
    return bisectCompiled(program, written, entry, baseline, runner, options.settings, options.axes);
  }
  std::vector<std::string> targets = options.targets;
  if (targets.empty())
    targets.push_back("cpu");
  std::optional<Verdict> worst;
  std::vector<std::string> others;
  for (const std::string &target : targets) {
    const CompiledProgram program{runner.folder() / ("artifact" + std::to_string(others.size())), pluginFlags(options)};
    MICA_ASSIGN_OR_RETURN(std::optional<Verdict> verdict,
                          compileProgram(options, name, target, program, entry, baseline, context, runner, isRefused));
    if (!verdict) {
      MICA_ASSIGN_OR_RETURN(verdict,
                            bisectCompiled(program, written, entry, baseline, runner, options.settings, options.axes));
    }
    others.push_back("--target=" + target + ": " + kindName(verdict->kind));
    if (worst && exitCodeOf(verdict->kind) <= exitCodeOf(worst->kind))
      continue;
    if (targets.size() > 1 && exitCodeOf(verdict->kind) != 0)
      verdict->headline += (verdict->headline.empty() ? "" : ", ") + ("with --target=" + target);
    worst = std::move(verdict);
    compile = compileText(options, name, target, program.plugins);
  }
  if (targets.size() > 1)
    worst->evidence.insert(worst->evidence.end(), others.begin(), others.end());
  return *worst;
}

/// Nothing asks for Mica's compiler in particular.
static bool isPlain(const BisectOptions &options) {
  return options.targets.empty() && options.compileFlags.empty() && options.llvmPlugin.empty();
}

/// A program, or an artifact, that Mica compiles.
Result<std::optional<int>> bisect::bisectOwn(BisectOptions &options, const std::string &name, trace::ToolTrace &trace,
                                             std::string &rest) {
  const fs::path folder = reportFolder(options, name);
  if (options.report)
    MICA_RETURN_IF_ERROR(checkReportFolder(folder));
  if (isArtifact(name) && (!options.targets.empty() || !options.compileFlags.empty()))
    return Error{ErrorCode::InvalidInput, "--target, -O and --add-passes have no effect on an artifact",
                 "give the program instead"};
  mlir::DialectRegistry registry;
  registerAllDialects(registry);
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  context.allowUnregisteredDialects();
  std::vector<std::string> flags;
  MICA_RETURN_IF_ERROR(loadPlugins(isArtifact(name) ? pluginsOf(name) : pluginFlags(options), flags));
  MICA_ASSIGN_OR_RETURN(const ScratchFolder scratch, ScratchFolder::create("mica-bisect"));
  MICA_ASSIGN_OR_RETURN(Runner runner, Runner::create(options.limits, scratch.path(), outcomesFolder(options)));
  trace.file("read", name);
  mlir::OwningOpRef<mlir::ModuleOp> written;
  std::string file = name;
  if (isArtifact(name)) {
    MICA_ASSIGN_OR_RETURN(written, programOf(name, context));
  } else {
    MICA_ASSIGN_OR_RETURN(irtools::Document document, irtools::readProgram(name, context));
    written = std::move(document.root);
    if (name == "-") {
      file = (scratch.path() / "stdin.mlir").string();
      MICA_RETURN_IF_ERROR(writeFile(file, irtools::printModule(*written, /*withLocations=*/true)));
    }
  }
  if (!isArtifact(name) && isPlain(options) && isLowered(*written)) {
    rest = restOfLowering(*written);
    return std::optional<int>();
  }
  std::vector<std::string> notes;
  MICA_ASSIGN_OR_RETURN(const Entry entry, findEntry(*written, options.entry, options.inputs, notes));
  for (const std::string &note : notes)
    printNote(kTool, note);
  std::string compile = compileText(options, file, "", {});
  bool isRefused = false;
  Result<Verdict> judged = judgeTargets(options, file, *written, entry, runner, compile, isRefused);
  if (!judged && isRefused && isPlain(options)) {
    rest = restOfLowering(*written);
    return std::optional<int>();
  }
  if (!judged)
    return judged.error();
  Verdict verdict = std::move(*judged);
  Entry reported = entry;
  if (options.strip)
    MICA_RETURN_IF_ERROR(stripVerdict(verdict, reported, context));
  const std::string program = options.strip ? "program.mlir" : fs::path(name).filename().string();
  MICA_ASSIGN_OR_RETURN(const int code,
                        finish(options, verdict, folder, {program, "", flags, reported, {}, compile}, &runner, trace));
  if (options.verbose)
    llvm::outs() << runner.runs() << " runs, " << runner.cached() << " outcomes known before\n";
  return std::optional(code);
}
