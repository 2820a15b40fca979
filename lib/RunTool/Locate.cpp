//===- Locate.cpp - the artifact to run --------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// The cache's key is the hash of the model's contents and path, the flags that change code, the compiler (path, size, time
// of change: a rebuilt compiler of the same version compiles again) and the machine's CPU.
//
//===-------------------------------------------------------------------------------------------------------===//

#include "lib/RunTool/Locate.h"

#include "lib/RunTool/Edits.h"
#include "mica/Artifact/Artifact.h"
#include "mica/Artifact/CompileCache.h"
#include "mica/Support/Diagnostics.h"
#include "mica/Support/Files.h"
#include "mica/Support/Hash.h"
#include "mica/Support/Log.h"
#include "mica/Support/Paths.h"
#include "mica/Support/Process.h"
#include "mica/Support/Text.h"
#include "mica/Support/Version.h"

#include <algorithm>
#include <chrono>

namespace fs = std::filesystem;

namespace mica::runtool {
namespace {

/// A temporary copy of the standard input, which is read twice: for the key and by the child.
struct StandardInputCopy {
  fs::path file;
  ~StandardInputCopy() {
    std::error_code ignored;
    if (!file.empty())
      fs::remove(file, ignored);
  }
};

/// The last --target among the flags for the compiler.
std::string_view targetOf(const Options &options) {
  constexpr std::string_view kFlag = "--target=";
  std::string_view target;
  for (const std::string &flag : options.compileFlags)
    if (flag.starts_with(kFlag))
      target = std::string_view(flag).substr(kFlag.size());
  return target;
}

artifact::CacheKey cacheKey(const Options &options, const std::string &modelHash, const fs::path &compiler) {
  std::error_code ignored;
  artifact::CacheKey key{
      {"mica", std::string(version())},
      {"contents", modelHash},
      {"program", options.program == "-" ? std::string("-") : fs::absolute(options.program, ignored).string()}};
  for (size_t i = 0; i < options.compileFlags.size(); ++i)
    key.emplace_back("flag " + std::to_string(i + 1), options.compileFlags[i]);
  for (const auto &[name, value] : options.debug.codeSwitches(targetOf(options)))
    key.emplace_back("switch " + name, value);
  artifact::addCompilerParts(key, compiler);
  return key;
}

/// Says of an existing artifact which flags change nothing.
void warnOfUselessFlags(const Options &options) {
  std::vector<std::string> flags = options.compileFlags;
  if (!options.artifact.empty())
    flags.push_back("-o");
  if (options.noCache)
    flags.push_back("--no-cache");
  if (!flags.empty())
    printWarning(kTool,
                 joinNames(flags) + (flags.size() > 1 ? " have" : " has") + " no effect: " + options.program +
                     " is compiled already",
                 "give the model's .mlir file, or compile it again with mica-compile");
}

Result<Located> compile(const Options &options, const fs::path &compiler, const fs::path &standardInput,
                        const fs::path &target, bool force) {
  std::vector<std::string> command{compiler.string(), options.program, "-o", target.string()};
  command.insert(command.end(), options.compileFlags.begin(), options.compileFlags.end());
  for (const std::string &flag : logArguments(options.switches))
    command.push_back(flag);
  std::string switches;
  for (const auto &[name, value] : options.debug.codeSwitches(targetOf(options)))
    switches += (switches.empty() ? "--mica-debug=" : ",") + name + "=" + value;
  if (!switches.empty())
    command.push_back(switches);
  if (force)
    command.push_back("--force");
  if (options.time)
    command.push_back("--time");
  ProcessOptions process;
  process.standardInput = standardInput;
  if (options.trace)
    process.environment = {{"MICA_TRACE_PARENT", options.trace->childSetting()}};
  const auto start = std::chrono::steady_clock::now();
  MICA_ASSIGN_OR_RETURN(const int code, runProcess(command, process));
  Located located;
  located.compiled = true;
  located.compileSeconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  located.childExitCode = code;
  if (code >= 128)
    return Error{ErrorCode::Internal, "mica-compile was ended by signal " + std::to_string(code - 128),
                 "run it alone: " + joinNames({command[0] + " " + command[1]})};
  if (code == 0)
    located.folder = target;
  return located;
}

/// The artifact of the same program with other switches that change code: DIR/variants/<switches>, compiled anew from the
/// program where it is not there. Edits by hand are not in it.
Result<Located> compileVariant(const Options &options, const artifact::Artifact &home) {
  std::string name, switches;
  for (const auto &[key, value] : options.debug.codeSwitches(home.manifest().target)) {
    name += (name.empty() ? "" : "-") + key + "-" + value;
    switches += (switches.empty() ? "--mica-debug=" : ",") + key + "=" + value;
  }
  Located located;
  located.folder = home.folder() / "variants" / (name.empty() ? "plain" : name);
  const fs::path input = home.path("input.mlirbc");
  MICA_ASSIGN_OR_RETURN(const std::string hash, hashFile(input));
  if (Result<artifact::Artifact> there = artifact::Artifact::open(located.folder))
    if (Result<std::string> same = hashFile(there->path("input.mlirbc"));
        same && *same == hash && there->manifest().micaVersion == version())
      return located;
  Result<fs::path> compiler = findCompiler();
  if (!compiler)
    return Error{compiler.error().code,
                 "cannot compile " + options.program + " with other checks: " + compiler.error().message,
                 compiler.error().hint};
  printNote(kTool, "compiling " + input.string() + " with " + (switches.empty() ? "no checks" : switches.substr(13)) +
                       " to " + located.folder.string() + "; files edited by hand are not part of it");
  std::vector<std::string> command{compiler->string(), input.string(), "-o", located.folder.string(), "--force"};
  const std::map<std::string, std::string> &made = home.manifest().options;
  if (auto level = made.find("opt-level"); level != made.end())
    command.push_back("-O" + level->second);
  if (home.manifest().target != "cpu")
    command.push_back("--target=" + home.manifest().target);
  command.push_back(switches.empty() ? "--mica-debug=assert-level=user" : switches);
  const auto start = std::chrono::steady_clock::now();
  MICA_ASSIGN_OR_RETURN(located.childExitCode, runProcess(command));
  located.compiled = true;
  located.compileSeconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return located;
}

/// Whether the switches that change code are other ones than `home` was compiled with. Where nobody set any, it runs as it is.
bool wantsVariant(const Options &options, const artifact::Artifact &home) {
  bool differs = false, given = false;
  for (const SwitchInfo &info : switchTable()) {
    const std::string &target = home.manifest().target;
    const bool isSim = target == "sim", hasTensorCores = isSim || target.starts_with("cuda");
    if (!info.changesCode || (info.name.starts_with("sim-") && !isSim) ||
        (info.which == Switch::AllowTf32 && !hasTensorCores))
      continue;
    auto made = home.manifest().options.find(std::string(info.name));
    const std::string before = made == home.manifest().options.end() ? std::string(info.defaultValue) : made->second;
    given = given || options.debug.isSet(info.which);
    differs = differs || (options.debug.isSet(info.which) && options.debug.text(info.which) != before);
  }
  return given && differs;
}

/// An artifact of the layer that --from-layer names, beside the one it comes from: DIR/variants/layer-NNNN.
Result<Located> compileLayer(const Options &options) {
  Result<fs::path> compiler = findCompiler();
  if (!compiler)
    return Error{compiler.error().code,
                 "cannot lower layer " + std::to_string(options.fromLayer) + " of " + options.program + ": " +
                     compiler.error().message,
                 compiler.error().hint};
  const std::string layer = std::to_string(options.fromLayer);
  const fs::path target = fs::path(options.program) / "variants" / ("layer-" + layer);
  const std::vector<std::string> command{
      compiler->string(), "--plain", "--resume=" + options.program + ":" + layer, "-o", target.string(), "--force"};
  const auto start = std::chrono::steady_clock::now();
  MICA_ASSIGN_OR_RETURN(const int code, runProcess(command));
  Located located;
  located.compiled = true;
  located.compileSeconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  located.childExitCode = code;
  located.folder = target;
  if (code >= 128)
    return Error{ErrorCode::Internal, "mica-compile was ended by signal " + std::to_string(code - 128),
                 "run it alone: " + command[0] + " " + command[1] + " " + command[2]};
  return located;
}

} // namespace

Result<Located> locateArtifact(const Options &options) {
  std::error_code error;
  if (options.program != "-") {
    const fs::file_status status = fs::status(options.program, error);
    if (!fs::exists(status))
      return Error{ErrorCode::NotFound, options.program + " does not exist",
                   "give the folder of an artifact, or a model's .mlir file"};
    if (fs::is_directory(status)) {
      warnOfUselessFlags(options);
      if (options.fromLayer >= 0)
        return compileLayer(options);
      if (Result<artifact::Artifact> home = artifact::Artifact::open(options.program);
          home && wantsVariant(options, *home))
        return compileVariant(options, *home);
      Located located;
      located.folder = options.program;
      MICA_ASSIGN_OR_RETURN(located.childExitCode, buildEdits(options, located.folder));
      return located;
    }
  }
  if (!options.reset.empty())
    return Error{ErrorCode::InvalidInput, "--reset needs an artifact; " + options.program + " is a model",
                 "mica-run DIR --reset, with the folder that mica-compile -o wrote"};
  if (options.fromLayer >= 0)
    return Error{ErrorCode::InvalidInput,
                 "--from-layer needs an artifact, which has a record; " + options.program + " is a model",
                 "mica-compile " + options.program +
                     " -o DIR, then mica-run DIR --from-layer=" + std::to_string(options.fromLayer)};
  Result<fs::path> compiler = findCompiler();
  if (!compiler)
    return Error{compiler.error().code, "cannot compile " + options.program + ": " + compiler.error().message,
                 compiler.error().hint};

  StandardInputCopy copy;
  std::string modelHash;
  if (options.program == "-") {
    MICA_ASSIGN_OR_RETURN(const std::string model, readFile("-"));
    modelHash = hashHex(model);
    copy.file = fs::temp_directory_path(error) / ("mica-run-" + runFolderName() + ".mlir");
    MICA_RETURN_IF_ERROR(writeFile(copy.file, model));
  } else {
    MICA_ASSIGN_OR_RETURN(modelHash, hashFile(options.program));
  }
  if (!options.artifact.empty()) {
    MICA_LOG(Cache, Info) << "bypass: " << options.artifact.string() << " (-o)";
    if (options.trace) {
      artifact::CacheOutcome bypass;
      bypass.kind = artifact::CacheOutcome::Kind::Bypass;
      bypass.folder = options.artifact;
      bypass.key = cacheKey(options, modelHash, *compiler);
      bypass.why = "-o";
      options.trace->cache(bypass);
    }
    return compile(options, *compiler, copy.file, options.artifact, options.force);
  }

  MICA_ASSIGN_OR_RETURN(const artifact::CompileCache cache, artifact::CompileCache::open());
  Located located;
  MICA_ASSIGN_OR_RETURN(artifact::CacheOutcome outcome,
                        cache.get(artifact::cacheStem(options.program), cacheKey(options, modelHash, *compiler),
                                  options.noCache ? "--no-cache" : "", [&](const fs::path &folder) -> Result<int> {
                                    MICA_ASSIGN_OR_RETURN(
                                        located, compile(options, *compiler, copy.file, folder, /*force=*/true));
                                    return located.childExitCode;
                                  }));
  located.folder = outcome.folder;
  if (options.trace)
    options.trace->cache(outcome);
  located.cache = std::move(outcome);
  return located;
}

} // namespace mica::runtool
