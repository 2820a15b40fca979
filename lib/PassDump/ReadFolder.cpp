//===- ReadFolder.cpp - dumps in files of their own -----------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// What a file's name says:
//
//   builtin_module_no-symbol-name/func_func_f/1_2_cse.mlir
//     -mlir-print-ir-tree-dir: the counters of the nested pass managers, the pass; the folders are what it ran on
//   model.6.flow.mlir
//     IREE, --dump-compilation-phases-to
//   configured_module_main_dispatch_0.mlir, module_main_dispatch_0_cuda_nvptx_fb.optimized.ll
//     IREE, --iree-hal-dump-executable-files-to: an executable as it came, configured, and for each target
//   module_0001.jit_f.before_optimizations.txt, module_0001.jit_f.0003.simplification.after_dce.before_cse.txt,
//   module_0001.jit_f.sm_8.0_gpu_after_optimizations.txt
//     XLA, --xla_dump_to, --xla_dump_hlo_pass_re
//   add_kernel.ttgir
//     Triton, TRITON_KERNEL_DUMP
//   12-4ec5ee3fcb59b9ce-function-1c8c16d2adb22c9e-SROAPass-after.ll
//     LLVM, -ir-dump-directory: the number of the pass, the module, what it ran on, the pass
//   *.log, *.ndjson, *.ndjson.gz
//     logs of passes, as of XLA's Triton kernels; tritonparse
//
// Other files of IR are stages of what their name says before the last dot.
//
//===-----------------------------------------------------------------------------------------------------------===//

#include "lib/PassDump/Readers.h"

#include "lib/PassDump/Cursor.h"
#include "mica/Support/Files.h"
#include "mica/Support/Text.h"

#include <algorithm>
#include <array>
#include <map>

namespace fs = std::filesystem;

namespace mica::passdump {

namespace {

constexpr size_t kMostFiles = 100'000;
constexpr size_t kLongestFile = size_t(1) << 30;

/// Endings in the order in which compilers make such files.
constexpr std::array<std::string_view, 16> kEndings = {".py",  ".source", ".stablehlo", ".mlir",  ".ttir",   ".ttgir",
                                                       ".hlo", ".txt",    ".llir",      ".ll",    ".amdgcn", ".ptx",
                                                       ".s",   ".sass",   ".asm",       ".spvasm"};

size_t endingOrder(const std::string &ending) {
  return static_cast<size_t>(std::find(kEndings.begin(), kEndings.end(), ending) - kEndings.begin());
}

/// Names in which digits count as numbers.
bool naturalLess(const std::string &x, const std::string &y) {
  size_t i = 0, j = 0;
  while (i < x.size() && j < y.size()) {
    if (isDigit(x[i]) && isDigit(y[j])) {
      size_t p = i, q = j;
      while (p < x.size() && isDigit(x[p]))
        ++p;
      while (q < y.size() && isDigit(y[q]))
        ++q;
      std::string_view m = std::string_view(x).substr(i, p - i), n = std::string_view(y).substr(j, q - j);
      while (m.size() > 1 && m[0] == '0')
        m.remove_prefix(1);
      while (n.size() > 1 && n[0] == '0')
        n.remove_prefix(1);
      if (m.size() != n.size())
        return m.size() < n.size();
      if (m != n)
        return m < n;
      i = p;
      j = q;
    } else if (x[i] != y[j]) {
      return x[i] < y[j];
    } else {
      ++i;
      ++j;
    }
  }
  return x.size() - i < y.size() - j;
}

struct File {
  fs::path path;
  std::string relative, unit, stage, anchor;
  std::vector<int64_t> order;
  std::string xlaModule;             ///< "module_0001" and what stands before it
  std::vector<std::string> xlaParts; ///< what follows, between dots
  bool isTree = false, isXla = false, isIree = false, isLog = false;
  State::When when = State::When::Stage;
};

std::string join(const std::vector<std::string> &parts, size_t from, size_t to) {
  std::string text;
  for (size_t i = from; i < to; ++i)
    text += (i > from ? "." : "") + parts[i];
  return text;
}

std::vector<std::string> words(const std::string &text, char separator) { return splitText(text, separator); }

bool isNumber(const std::string &text) {
  return !text.empty() && text.size() < 10 && std::all_of(text.begin(), text.end(), isDigit);
}

/// module_0001.jit_f.before_optimizations: which part is the name of the module, placeXla finds with the other files.
bool readXlaName(File &file, const std::vector<std::string> &parts) {
  for (size_t i = 0; i + 1 < parts.size() && i < 4; ++i) {
    if (!parts[i].starts_with("module_") || !isNumber(parts[i].substr(7)))
      continue;
    file.isXla = true;
    file.xlaModule = join(parts, 0, i + 1);
    file.xlaParts.assign(parts.begin() + static_cast<ptrdiff_t>(i) + 1, parts.end());
    return true;
  }
  return false;
}

/// The part at which the stage begins where the name says so: the counter of a pass, or the first text. Else 0.
size_t surePart(const std::vector<std::string> &parts) {
  for (size_t i = 0; i < parts.size(); ++i)
    if ((parts[i].size() == 4 && isNumber(parts[i]) && i + 1 < parts.size()) || parts[i] == "before_optimizations")
      return i;
  return 0;
}

/// Names of modules have dots, and so have stages (sm_8.0_gpu_after_optimizations): the name of a module is known from
/// the files of which the stage is sure.
void placeXla(std::vector<File> &files) {
  std::map<std::string, size_t> lengths; ///< of names of modules, in parts
  for (const File &file : files)
    if (const size_t sure = surePart(file.xlaParts); file.isXla && sure)
      lengths.emplace(file.xlaModule, sure);
  for (File &file : files) {
    if (!file.isXla)
      continue;
    const std::vector<std::string> &parts = file.xlaParts;
    size_t stage = parts.size() - 1;
    if (const auto known = lengths.find(file.xlaModule); known != lengths.end() && known->second <= parts.size())
      stage = known->second;
    else if (stage > 1 && parts[stage - 1].starts_with("sm_"))
      --stage;
    const std::string ending = file.path.extension().string();
    const bool isPass = stage + 1 < parts.size() && isNumber(parts[stage]);
    const int64_t place = parts.back() == "before_optimizations" ? 0 : isPass ? 1 : ending == ".txt" ? 2 : 3;
    file.unit = file.xlaModule + (stage ? "." + join(parts, 0, stage) : "");
    file.order = {place, isPass ? std::stoll(parts[stage]) : static_cast<int64_t>(endingOrder(ending))};
    file.stage = join(parts, stage + isPass, parts.size());
    if (place == 3 && ending != ".ll")
      file.stage += file.stage.empty() ? ending.substr(1) : ending;
  }
}

/// configured_module_main_dispatch_0, module_main_dispatch_0_cuda_nvptx_fb.optimized
bool readIreeName(File &file, const std::string &stem, const std::string &ending) {
  constexpr std::string_view kConfigured = "configured_", kDispatch = "_dispatch_";
  const bool isConfigured = stem.starts_with(kConfigured);
  const std::string name = isConfigured ? stem.substr(kConfigured.size()) : stem;
  size_t end = name.find(kDispatch);
  if (!name.starts_with("module_") || end == std::string::npos)
    return false;
  end += kDispatch.size();
  const size_t digits = end;
  while (end < name.size() && isDigit(name[end]))
    ++end;
  if (end == digits || (end < name.size() && name[end] != '_' && name[end] != '.'))
    return false;
  const std::string rest = name.substr(std::min(end + 1, name.size()));
  file.isIree = true;
  file.unit = name.substr(0, end);
  file.stage = rest.empty() ? isConfigured ? "configured" : "source" : rest + ending;
  // A benchmark of the executable is no stage of it.
  if (rest.ends_with("benchmark"))
    file.unit += "_benchmark";
  // Texts of LLVM in the order in which they are made.
  const int64_t step = rest.ends_with(".linked") ? 1 : rest.ends_with(".optimized") ? 2 : 0;
  file.order = {rest.empty() ? isConfigured : 2, static_cast<int64_t>(endingOrder(ending)), step};
  return true;
}

/// 12-HASH-module-SROAPass-after, 12-HASH-function-HASH-SROAPass-after
bool readLlvmName(File &file, const std::string &stem) {
  std::vector<std::string> parts = words(stem, '-');
  if (parts.size() < 5 || !isNumber(parts[0]) || parts[1].size() != 16)
    return false;
  const std::string &when = parts.back();
  const size_t pass = parts[2] == "module" ? 3 : 4;
  if ((when != "before" && when != "after" && when != "invalidated") || pass + 1 >= parts.size())
    return false;
  file.isTree = true;
  file.when = when == "before" ? State::When::Before : State::When::After;
  file.unit = "module " + parts[1];
  file.order = {std::stoll(parts[0]), when != "before"};
  for (size_t i = pass; i + 1 < parts.size(); ++i)
    file.stage += (i > pass ? "-" : "") + parts[i];
  return true;
}

/// Reads unit, stage and order from the name.
void readName(File &file) {
  const std::string stem = file.path.stem().string(), ending = file.path.extension().string();
  const std::string folder = fs::path(file.relative).parent_path().string();
  std::vector<std::string> parts = words(stem, '.');
  // 1_2_cse
  if (ending == ".mlir" && isDigit(stem[0])) {
    size_t at = 0;
    std::vector<int64_t> counters;
    while (at < stem.size() && isDigit(stem[at])) {
      size_t end = at;
      while (end < stem.size() && isDigit(stem[end]))
        ++end;
      if (end >= stem.size() || stem[end] != '_' || end - at > 9)
        break;
      counters.push_back(std::stoll(stem.substr(at, end - at)));
      at = end + 1;
    }
    if (!counters.empty() && at < stem.size()) {
      file.isTree = true;
      file.when = State::When::After;
      file.order = counters;
      file.stage = stem.substr(at);
      file.unit = folder.substr(0, folder.find('/'));
      file.anchor = folder.find('/') == std::string::npos ? "" : folder.substr(folder.find('/') + 1);
      return;
    }
  }
  if (readXlaName(file, parts) || readIreeName(file, stem, ending) || (ending == ".ll" && readLlvmName(file, stem)))
    return;
  if (parts.size() >= 3 && isNumber(parts[parts.size() - 2])) {
    file.unit = parts[0];
    for (size_t i = 1; i + 2 < parts.size(); ++i)
      file.unit += "." + parts[i];
    file.order = {std::stoll(parts[parts.size() - 2])};
    file.stage = parts.back();
    return;
  }
  file.unit = (folder.empty() ? "" : folder + "/") + parts[0];
  std::string stage;
  for (size_t i = 1; i < parts.size(); ++i)
    stage += (i > 1 ? "." : "") + parts[i];
  file.order = {static_cast<int64_t>(endingOrder(ending))};
  file.stage = stage.empty() ? (ending.empty() ? stem : ending.substr(1)) : stage + ending;
}

/// A log of passes, or a trace; what it holds is looked at.
bool isLogName(const std::string &name) {
  return name.ends_with(".log") || name.ends_with(".ndjson") || name.ends_with(".ndjson.gz");
}

/// XLA writes much that is no program: protocol buffers, options, reports, graphs.
bool isProgram(const File &file) {
  const std::string ending = file.path.extension().string(), name = file.path.filename().string();
  if (file.isLog)
    return isDump(file.path);
  if (endingOrder(ending) == kEndings.size())
    return false;
  if (ending == ".txt")
    return file.isXla && name.find("buffer-assignment") == std::string::npos &&
           name.find("memory-usage") == std::string::npos && name.find("debug_options") == std::string::npos &&
           name.find("config") == std::string::npos && name.find("thunk_sequence") == std::string::npos &&
           name.find("execution_options") == std::string::npos;
  return true;
}

std::vector<File> listFiles(const fs::path &folder) {
  std::vector<File> files;
  std::error_code error;
  for (fs::recursive_directory_iterator it(folder, fs::directory_options::skip_permission_denied, error), end;
       it != end && !error; it.increment(error)) {
    std::error_code ignored;
    if (it.depth() > 24)
      it.disable_recursion_pending();
    // A link may lead anywhere.
    if (fs::is_symlink(it->symlink_status(ignored)) || !it->is_regular_file(ignored))
      continue;
    File file;
    file.path = it->path();
    file.relative = fs::relative(it->path(), folder, ignored).string();
    if (file.path.filename().string().starts_with("."))
      continue;
    file.isLog = isLogName(file.path.filename().string());
    if (!file.isLog)
      readName(file);
    else
      file.unit = file.relative;
    if (isProgram(file))
      files.push_back(std::move(file));
    if (files.size() >= kMostFiles)
      break;
  }
  placeXla(files);
  return files;
}

} // namespace

bool isDumpFolder(const fs::path &folder) {
  std::error_code error;
  // An artifact, a record, and the pages of a report with the products of a trace.
  for (const char *name : {"manifest.json", "passes_dump", "index.json", "compile_directory.json", "raw.jsonl"})
    if (fs::exists(folder / name, error))
      return false;
  for (const fs::directory_entry &entry : fs::directory_iterator(folder, error))
    if (entry.path().extension() == ".log" && !isDump(entry.path()))
      return false;
  const std::vector<File> files = listFiles(folder);
  return std::any_of(files.begin(), files.end(), [](const File &file) { return file.path.extension() != ".py"; });
}

Status readFolder(const fs::path &folder, Dump &dump) {
  std::vector<File> files = listFiles(folder);
  if (files.empty())
    return Error{ErrorCode::InvalidInput, folder.string() + " holds no files of IR",
                 "give the folder that the compiler's dump flag named"};
  const bool isTree = std::any_of(files.begin(), files.end(), [](const File &file) { return file.isTree; });
  std::sort(files.begin(), files.end(), [&](const File &x, const File &y) {
    if (x.unit != y.unit)
      return naturalLess(x.unit, y.unit);
    if (x.order != y.order)
      return x.order < y.order;
    return naturalLess(x.relative, y.relative);
  });
  const bool isXla = std::any_of(files.begin(), files.end(), [](const File &file) { return file.isXla; });
  const bool isIree = std::any_of(files.begin(), files.end(), [](const File &file) { return file.isIree; });
  const bool isTriton = std::any_of(files.begin(), files.end(), [](const File &file) {
    return file.path.extension() == ".ttgir" || file.path.extension() == ".ttir";
  });
  const bool isLogs = std::all_of(files.begin(), files.end(), [](const File &file) { return file.isLog; });
  const bool isPhases = std::any_of(files.begin(), files.end(), [](const File &file) {
    return file.stage == "flow" || file.stage == "executable-sources" || file.stage == "executable-targets";
  });
  const bool isLlvm = std::all_of(files.begin(), files.end(),
                                  [](const File &file) { return file.isTree && file.path.extension() == ".ll"; });
  dump.kind = isLlvm     ? "folder of LLVM pass dumps"
              : isTree   ? "tree of MLIR pass dumps"
              : isLogs   ? "folder of logs"
              : isXla    ? "XLA dump"
              : isIree   ? "IREE executables"
              : isTriton ? "Triton kernels"
              : isPhases ? "IREE compilation phases"
                         : "folder of IR";
  for (File &file : files) {
    std::error_code error;
    if (fs::file_size(file.path, error) > kLongestFile || error) {
      dump.notes.push_back(file.relative + " is too long to be read");
      continue;
    }
    Result<std::string_view> text = loadFile(file.path, dump);
    if (!text)
      return text.status();
    if (text->find('\0') != std::string_view::npos) {
      dump.notes.push_back(file.relative + " is no text");
      continue;
    }
    if (file.isLog) {
      readLog(*text, file.relative, dump);
      continue;
    }
    const std::string ending = file.path.extension().string();
    if (ending == ".py" || ending == ".source") {
      // Triton's .source is its IR before any pass, with the extension that older versions gave the program.
      if (ending == ".py" || guessLanguage(*text) != Language::Mlir) {
        dump.sources.push_back({file.path.filename().string(), *text});
        continue;
      }
    }
    State state;
    state.pass = file.stage;
    state.when = file.when;
    // The files of a tree begin with the line that a log would have.
    if (const std::optional<Header> header =
            file.isTree ? findHeader(text->substr(0, lineEnd(*text, 0)), 0) : std::nullopt) {
      state = header->state;
      *text = text->substr(header->end);
    }
    state.unit = file.unit;
    state.anchor = file.isTree ? file.anchor : "";
    state.where = file.relative;
    state.text = *text;
    state.language = ending == ".ptx" || ending == ".s" || ending == ".sass" || ending == ".amdgcn" || ending == ".asm"
                         ? Language::Other
                         : guessLanguage(*text);
    // Of the texts that XLA writes, the programs are shown.
    if (file.isXla && ending == ".txt" && state.language == Language::Other) {
      dump.notes.push_back(file.relative + " is no program and left out");
      continue;
    }
    dump.states.push_back(std::move(state));
  }
  return Status::ok();
}

} // namespace mica::passdump
