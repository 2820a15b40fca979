//===- Locate.cpp - finding or compiling the artifact to run -----------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// The cache's key is a hash of the model's contents and path, the flags that change code, the compiler (path, size,
// change time: a rebuilt compiler of the same version compiles again) and the machine's CPU.
//
//===-------------------------------------------------------------------------------------------------------===//

#include "lib/RunTool/Locate.h"

#include "lib/RunTool/Edits.h"
#include "mica/Artifact/Artifact.h"
#include "mica/Artifact/CompileCache.h"
#include "mica/Artifact/SnapshotName.h"
#include "mica/Artifact/Verify.h"
#include "mica/Support/Diagnostics.h"
#include "mica/Support/Files.h"
#include "mica/Support/Hash.h"
#include "mica/Support/Log.h"
#include "mica/Support/Paths.h"
#include "mica/Support/PrivateFile.h"
#include "mica/Support/Process.h"
#include "mica/Support/Targets.h"
#include "mica/Support/Text.h"
#include "mica/Support/Version.h"

#include <algorithm>
#include <cerrno>
#include <chrono>

#include <unistd.h>

namespace fs = std::filesystem;

namespace mica::runtool {
namespace {

/// The last --target among the compiler's flags.
std::string_view targetOf(const Options &options) {
  constexpr std::string_view kFlag = "--target=";
  std::string_view target = "cpu";
  for (const std::string &flag : options.compileFlags)
    if (flag.starts_with(kFlag))
      target = std::string_view(flag).substr(kFlag.size());
  return target;
}

/// The value of `--name=` among the compiler's flags; "" if it is not given.
std::string flagValue(const Options &options, const std::string &name) {
  std::string value;
  for (const std::string &flag : options.compileFlags)
    if (flag.starts_with(name + "="))
      value = flag.substr(name.size() + 1);
  return value;
}

/// Files beside `model` that a compile reads (lib/Compiler/Input/Input.cpp): a snapshot's line map, and the index and
/// bytes of the weights of snapshots.
std::vector<fs::path> filesBeside(const fs::path &model) {
  std::vector<fs::path> files;
  std::error_code ignored;
  auto add = [&](const fs::path &file) {
    if (!fs::exists(file, ignored))
      return false;
    files.push_back(file);
    return true;
  };
  add(model.string() + ".map.json");
  fs::path folder = model.has_parent_path() ? model.parent_path() : fs::path(".");
  for (int level = 0; level < 3; ++level, folder /= "..")
    for (const char *name : {"constants.json", "passes_dump/constants.json"})
      if (add(folder / name)) {
        add((folder / name).parent_path() / ".." / artifact::kConstantsFile);
        add((folder / name).parent_path() / artifact::kConstantsFile);
        return files;
      }
  return files;
}

Result<artifact::CacheKey> cacheKey(const Options &options, const std::string &modelHash, const fs::path &compiler) {
  std::error_code ignored;
  artifact::CacheKey key{
      {"mica", std::string(version())},
      {"contents", modelHash},
      {"program", options.program == "-" ? std::string("-") : fs::absolute(options.program, ignored).string()}};
  if (options.program != "-")
    for (const fs::path &file : filesBeside(options.program)) {
      MICA_ASSIGN_OR_RETURN(std::string hash, artifact::sampledHash(file));
      key.emplace_back("beside it: " + file.filename().string(), std::move(hash));
    }
  for (size_t i = 0; i < options.compileFlags.size(); ++i)
    key.emplace_back("flag " + std::to_string(i + 1), options.compileFlags[i]);
  for (const auto &[name, value] : options.debug.codeSwitches(targetOf(options)))
    key.emplace_back("switch " + name, value);
  MICA_RETURN_IF_ERROR(artifact::addCompilerParts(key, compiler, flagValue(options, "--machine")));
  return key;
}

/// Warns about flags that have no effect on an existing artifact.
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

/// The command for compiling `model` by hand.
std::string commandByHand(const fs::path &compiler, const Options &options) {
  return joinNames({compiler.string() + " " + options.program});
}

/// Compiles the bytes of `model` to `target`, even if the file changes meanwhile. `lock`: see CompileCache::get.
Result<Located> compile(const Options &options, const fs::path &compiler, const PrivateFile &model,
                        const fs::path &target, bool force, int lock = -1) {
  std::vector<std::string> command{compiler.string(), "-"};
  if (options.program != "-")
    command.push_back("--input-name=" + options.program);
  command.push_back("--input-hash=" + model.hash());
  command.insert(command.end(), {"-o", target.string()});
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
  if (::lseek(model.descriptor(), 0, SEEK_SET) != 0)
    return systemError("read", options.program, errno);
  process.standardInputDescriptor = model.descriptor();
  if (lock >= 0)
    process.kept = {lock};
  if (options.trace)
    process.environment = {{"MICA_TRACE_PARENT", options.trace->childSetting()}};
  const auto start = std::chrono::steady_clock::now();
  MICA_ASSIGN_OR_RETURN(const int code, runProcess(command, process));
  Located located;
  located.compiled = true;
  located.compileSeconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  located.childExitCode = code;
  if (code >= 128)
    return Error{ErrorCode::Internal, "mica-compile was killed by signal " + std::to_string(code - 128),
                 "run it alone: " + commandByHand(compiler, options)};
  if (code == 0)
    located.folder = target;
  return located;
}

/// The key of a variant, stored beside it: with another compiler or program, it is made again.
Result<std::string> variantKey(const artifact::Artifact &home, const std::string &switches, const fs::path &compiler) {
  artifact::CacheKey key{{"mica", std::string(version())}, {"switches", switches}, {"target", home.manifest().target}};
  for (std::string_view name : {artifact::kInputFile, artifact::kOriginalFile, artifact::kConstantsFile}) {
    std::error_code error;
    if (!fs::exists(home.path(name), error))
      continue;
    MICA_ASSIGN_OR_RETURN(std::string hash, artifact::sampledHash(home.path(name)));
    key.emplace_back(std::string(name), std::move(hash));
  }
  if (auto level = home.manifest().options.find("opt-level"); level != home.manifest().options.end())
    key.emplace_back("opt-level", level->second);
  MICA_RETURN_IF_ERROR(artifact::addCompilerParts(key, compiler));
  return artifact::hashOf(key);
}

/// The artifact of the same program with other code-changing switches: DIR/variants/<switches>, compiled from the
/// program if it does not exist. It does not contain hand edits.
Result<Located> compileVariant(const Options &options, const artifact::Artifact &home) {
  std::string name, switches;
  for (const auto &[key, value] : options.debug.codeSwitches(home.manifest().target)) {
    name += (name.empty() ? "" : "-") + key + "-" + (value == "*" ? "all" : value);
    switches += (switches.empty() ? "--mica-debug=" : ",") + key + "=" + value;
  }
  Located located;
  located.program = ProgramName{home.manifest().inputFile, home.manifest().inputHash};
  located.folder = variantsOf(home.folder()) / (name.empty() ? "plain" : name);
  const fs::path input = home.path(artifact::kInputFile), note = located.folder.string() + ".key";
  Result<fs::path> compiler = findCompiler();
  if (!compiler)
    return Error{compiler.error().code,
                 "cannot compile " + options.program + " with other checks: " + compiler.error().message,
                 compiler.error().hint};
  MICA_ASSIGN_OR_RETURN(const std::string key, variantKey(home, switches, *compiler));
  if (const Result<std::string> noted = readFile(note); noted && *noted == key)
    if (Result<artifact::Artifact> there = artifact::Artifact::open(located.folder);
        there && artifact::verifyLoaded(*there))
      return located;
  printNote(kTool, "compiling " + input.string() + " with " + (switches.empty() ? "no checks" : switches.substr(13)) +
                       " to " + located.folder.string() + "; files edited by hand are not part of it");
  std::vector<std::string> command{compiler->string(), input.string(), "-o", located.folder.string(), "--force"};
  const std::map<std::string, std::string> &made = home.manifest().options;
  if (auto level = made.find("opt-level"); level != made.end())
    command.push_back("-O" + level->second);
  if (const TargetInfo *target = findTarget(home.manifest().target); !target || target->launches)
    command.push_back("--target=" + home.manifest().target);
  command.push_back(switches.empty() ? "--mica-debug=assert-level=user" : switches);
  const auto start = std::chrono::steady_clock::now();
  MICA_ASSIGN_OR_RETURN(located.childExitCode, runProcess(command));
  located.compiled = true;
  located.compileSeconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  if (located.childExitCode == 0)
    MICA_RETURN_IF_ERROR(writeFileAtomic(note, key));
  return located;
}

/// Whether the code-changing switches differ from those with which `home` was compiled. If none are set, it runs as it
/// is.
bool wantsVariant(const Options &options, const artifact::Artifact &home) {
  bool differs = false, given = false;
  const TargetInfo *target = findTarget(home.manifest().target);
  for (const SwitchInfo &info : switchTable()) {
    // Without the code that it adds, dump-exact can do nothing.
    if (!(info.changesCode || info.which == Switch::DumpExact) ||
        (info.name.starts_with("sim-") && !(target && target->isSimulated)) ||
        (info.which == Switch::AllowTf32 && !(target && target->hasWarps)))
      continue;
    auto made = home.manifest().options.find(std::string(info.name));
    const std::string before = made == home.manifest().options.end() ? std::string(info.defaultValue) : made->second;
    given = given || options.debug.isSet(info.which);
    differs = differs || (options.debug.isSet(info.which) && options.debug.text(info.which) != before);
  }
  return given && differs;
}

/// The artifact of the snapshot of --from-snapshot, beside its artifact: DIR/variants/snapshot-NNNN.
Result<Located> compileSnapshot(const Options &options) {
  Result<fs::path> compiler = findCompiler();
  if (!compiler)
    return Error{compiler.error().code,
                 "cannot lower snapshot " + options.fromSnapshot + " of " + options.program + ": " +
                     compiler.error().message,
                 compiler.error().hint};
  MICA_ASSIGN_OR_RETURN(const int64_t position, artifact::findSnapshot(options.program, options.fromSnapshot));
  const std::string snapshot = std::to_string(position);
  const fs::path target = variantsOf(options.program) / ("snapshot-" + snapshot);
  const std::vector<std::string> command{
      compiler->string(), "--plain", "--resume=" + options.program + ":" + snapshot, "-o", target.string(), "--force"};
  const auto start = std::chrono::steady_clock::now();
  MICA_ASSIGN_OR_RETURN(const int code, runProcess(command));
  Located located;
  located.compiled = true;
  located.compileSeconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  located.childExitCode = code;
  located.folder = target;
  if (const Result<artifact::Artifact> home = artifact::Artifact::open(options.program))
    located.program = ProgramName{home->manifest().inputFile, home->manifest().inputHash};
  if (code >= 128)
    return Error{ErrorCode::Internal, "mica-compile was killed by signal " + std::to_string(code - 128),
                 "run it alone: " + command[0] + " " + command[1] + " " + command[2]};
  return located;
}

} // namespace

fs::path variantsOf(const fs::path &home) {
  const fs::path inside = home / "variants";
  std::error_code error;
  const fs::path checked = fs::exists(inside, error) ? inside : home;
  const Result<fs::path> cache = cacheFolder();
  if (::access(checked.c_str(), W_OK) == 0 || !cache)
    return inside;
  const fs::path whole = fs::weakly_canonical(fs::absolute(home, error), error);
  return *cache / "variants" / (whole.filename().string() + "-" + hashHex(whole.string()).substr(0, 16));
}

std::vector<std::pair<std::string, std::string>> Located::provenance() const {
  if (!cache)
    return {};
  const bool isHit = cache->kind == artifact::CacheOutcome::Kind::Hit;
  artifact::CacheKey parts{{"cache", isHit ? "was taken from the cache" : "was compiled anew (" + cache->why + ")"}};
  parts.insert(parts.end(), cache->key.begin(), cache->key.end());
  return parts;
}

Result<Located> locateArtifact(const Options &options) {
  std::error_code error;
  if (options.program != "-") {
    const fs::file_status status = fs::status(options.program, error);
    if (!fs::exists(status))
      return Error{ErrorCode::NotFound, options.program + " does not exist",
                   "give the folder of an artifact, or a model's .mlir file"};
    if (fs::is_directory(status)) {
      warnOfUselessFlags(options);
      if (!options.fromSnapshot.empty())
        return compileSnapshot(options);
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
  if (!options.fromSnapshot.empty())
    return Error{ErrorCode::InvalidInput,
                 "--from-snapshot needs an artifact, which has a record; " + options.program + " is a model",
                 "mica-compile " + options.program +
                     " -o DIR, then mica-run DIR --from-snapshot=" + options.fromSnapshot};
  Result<fs::path> compiler = findCompiler();
  if (!compiler)
    return Error{compiler.error().code, "cannot compile " + options.program + ": " + compiler.error().message,
                 compiler.error().hint};

  // Hashed and compiled from the same bytes, because the file may be saved at any moment.
  MICA_ASSIGN_OR_RETURN(const PrivateFile model, PrivateFile::copy(options.program));
  if (!options.artifact.empty()) {
    MICA_LOG(Cache, Info) << "bypass: " << options.artifact.string() << " (-o)";
    if (options.trace) {
      artifact::CacheOutcome bypass;
      bypass.kind = artifact::CacheOutcome::Kind::Bypass;
      bypass.folder = options.artifact;
      MICA_ASSIGN_OR_RETURN(bypass.key, cacheKey(options, model.hash(), *compiler));
      bypass.why = "-o";
      options.trace->cache(bypass);
    }
    return compile(options, *compiler, model, options.artifact, options.force);
  }

  MICA_ASSIGN_OR_RETURN(const artifact::CompileCache cache, artifact::CompileCache::open());
  Located located;
  MICA_ASSIGN_OR_RETURN(artifact::CacheKey key, cacheKey(options, model.hash(), *compiler));
  const auto make = [&](const fs::path &folder, int lock) -> Result<int> {
    MICA_ASSIGN_OR_RETURN(located, compile(options, *compiler, model, folder, /*force=*/true, lock));
    // If the compiler, or a file beside the model, was replaced during the compile, this is not the artifact of the
    // key.
    MICA_ASSIGN_OR_RETURN(const artifact::CacheKey now, cacheKey(options, model.hash(), *compiler));
    if (now == key || located.childExitCode != 0)
      return located.childExitCode;
    std::error_code ignored;
    fs::remove_all(folder, ignored);
    return Error{ErrorCode::InvalidInput,
                 "the compiler, or a file that " + options.program + " needs, was replaced while it was compiled",
                 "run again"};
  };
  MICA_ASSIGN_OR_RETURN(artifact::CacheOutcome outcome, cache.get(artifact::cacheStem(options.program), key,
                                                                  options.noCache ? "--no-cache" : "", make));
  located.folder = outcome.folder;
  if (options.trace)
    options.trace->cache(outcome);
  located.cache = std::move(outcome);
  return located;
}

} // namespace mica::runtool
