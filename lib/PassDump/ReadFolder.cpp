//===- ReadFolder.cpp - dumps in files of their own -----------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// What a file's name says:
//
//   builtin_module_no-symbol-name/func_func_f/1_2_cse.mlir      -mlir-print-ir-tree-dir: the counters of the nested
//   pass
//                                                               managers, the pass; the folders are what it ran on
//   model.6.flow.mlir                                           IREE, --dump-compilation-phases-to
//   module_0001.jit_f.before_optimizations.txt                  XLA, --xla_dump_to
//   module_0001.jit_f.0003.simplification.after_dce.before_cse.txt   and --xla_dump_hlo_pass_re
//   add_kernel.ttgir                                            Triton, TRITON_KERNEL_DUMP
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
  bool isTree = false, isXla = false;
};

std::vector<std::string> words(const std::string &text, char separator) { return splitText(text, separator); }

bool isNumber(const std::string &text) {
  return !text.empty() && text.size() < 10 && std::all_of(text.begin(), text.end(), isDigit);
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
      file.order = counters;
      file.stage = stem.substr(at);
      file.unit = folder.substr(0, folder.find('/'));
      file.anchor = folder.find('/') == std::string::npos ? "" : folder.substr(folder.find('/') + 1);
      return;
    }
  }
  if (stem.starts_with("module_") && parts.size() >= 2 && isNumber(parts[0].substr(7))) {
    file.isXla = true;
    // The stage begins at the counter of a pass, or is the last part, but for names with dots in them.
    size_t stage = parts.size() - 1;
    for (size_t i = 1; i < parts.size(); ++i)
      if (parts[i].size() == 4 && isNumber(parts[i]) && i + 1 < parts.size()) {
        stage = i;
        break;
      }
    auto join = [&](size_t from, size_t to) {
      std::string text;
      for (size_t i = from; i < to; ++i)
        text += (i > from ? "." : "") + parts[i];
      return text;
    };
    file.unit = join(0, stage);
    const bool isPass = isNumber(parts[stage]);
    const std::string last = parts.back();
    const int64_t place = last.ends_with("before_optimizations") ? 0 : isPass ? 1 : ending == ".txt" ? 2 : 3;
    file.order = {place, isPass ? std::stoll(parts[stage]) : 0};
    file.stage = isPass ? join(stage + 1, parts.size()) : last;
    return;
  }
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

/// XLA writes much that is no program: protocol buffers, options, reports, graphs.
bool isProgram(const File &file) {
  const std::string ending = file.path.extension().string(), name = file.path.filename().string();
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
    readName(file);
    if (isProgram(file))
      files.push_back(std::move(file));
    if (files.size() >= kMostFiles)
      break;
  }
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
    if (entry.path().extension() == ".log")
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
  const bool isTriton = std::any_of(files.begin(), files.end(), [](const File &file) {
    return file.path.extension() == ".ttgir" || file.path.extension() == ".ttir";
  });
  const bool isPhases = std::any_of(files.begin(), files.end(), [](const File &file) {
    return file.stage == "flow" || file.stage == "executable-sources" || file.stage == "executable-targets";
  });
  dump.kind = isTree     ? "tree of MLIR pass dumps"
              : isXla    ? "XLA dump"
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
    state.when = file.isTree ? State::When::After : State::When::Stage;
    state.unit = file.unit;
    state.anchor = file.isTree ? file.anchor : "";
    state.where = file.relative;
    state.text = *text;
    state.language = ending == ".ptx" || ending == ".s" || ending == ".sass" || ending == ".amdgcn" || ending == ".asm"
                         ? Language::Other
                         : guessLanguage(*text);
    dump.states.push_back(std::move(state));
  }
  return Status::ok();
}

} // namespace mica::passdump
