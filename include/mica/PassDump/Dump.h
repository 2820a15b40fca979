//===- Dump.h - what other compilers write about their passes ----------------------------------------*- C++ -*-===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// A dump is a sequence of program texts, each with the pass before or after which it was printed. docs/PassDumps.md
// lists the tools whose dumps are read. No compiler is needed: texts are scanned (Scan.h), not parsed.
//
//===-----------------------------------------------------------------------------------------------------------===//

#ifndef MICA_PASSDUMP_DUMP_H
#define MICA_PASSDUMP_DUMP_H

#include "mica/PassDump/ScanDiff.h"
#include "mica/Support/Status.h"

#include <deque>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace mica::passdump {

/// A text as it was printed.
struct State {
  enum class When { Before, After, Stage };

  std::string pass;     ///< "Canonicalizer"; of a file its stage, "ttgir"
  std::string argument; ///< "canonicalize"; "" where the dump does not say
  When when = When::After;
  bool failed = false;    ///< the pass failed
  bool unchanged = false; ///< the dump says so, and holds no text
  bool isDiff = false;    ///< the text is that of a difference, with + and -
  std::string anchor;     ///< the function or module that the pass ran on, where the dump names it
  std::string unit;       ///< what was compiled, where the dump names it: a kernel, a module; "" else
  std::string where;      ///< file or line of the dump
  std::string_view text;
  Language language = Language::Mlir;
};

/// A source text that came with a dump.
struct DumpSource {
  std::string file; ///< as locations name it
  std::string_view text;
};

struct Dump {
  Dump() = default;
  Dump(Dump &&) = default;
  Dump &operator=(Dump &&) = default;

  std::string kind; ///< "MLIR pass dump", ...
  std::deque<State> states;
  std::vector<DumpSource> sources;
  std::vector<std::string> notes; ///< what was left out, and why
  /// What texts point into.
  std::deque<std::string> storage;
  std::vector<std::shared_ptr<const void>> files;
  std::vector<std::shared_ptr<const Dump>> parts; ///< that it was made of
};

/// Whether `path`, a file or folder, is a dump. "-" is not looked at.
bool isDump(const std::filesystem::path &path);

/// Errors: those of reading files; InvalidInput where it holds no dump. "-" is the standard input. A file may be
/// compressed by gzip or zstd.
Result<Dump> readDump(const std::filesystem::path &path);

/// The same for what is in memory; `name` is used in messages.
Result<Dump> parseDump(std::string text, const std::string &name);

/// A pass as it ran, or a stage.
struct Run {
  int64_t number = 0;            ///< from 1 in the dump
  const State *state = nullptr;  ///< names the pass
  std::string unit;              ///< what was compiled: numbered where the dump does not name it
  std::string on;                ///< the op that it ran on: "func.func @f", "" for the whole
  const State *before = nullptr; ///< the text before; null where the dump does not have it
  const State *after = nullptr;  ///< the text after; null where the dump does not have it
  int64_t opsBefore = -1, opsAfter = -1;
  bool isNewLanguage = false;               ///< before and after are in different languages: they are not compared
  bool beforeIsPart = false;                ///< `before` is a part of that text, from line `beforeLine` on
  std::string ownBefore;                    ///< the text before where it was put together from several; else ""
  std::optional<ScanDifference> difference; ///< where there are both
  bool changed = false;
  int64_t unparsed = 0; ///< lines of `after` that could not be read
  bool isCut = false;   ///< `after`, or else `before`, ends within an op
};

/// Calls `take` for each run in the order of the dump, with the scan of the text after; null where there is none.
/// Differences point into texts of the dump.
void walkRuns(const Dump &dump, const std::function<void(Run &&, const Scan *after)> &take);

} // namespace mica::passdump

#endif // MICA_PASSDUMP_DUMP_H
