//===- Scan.h - ops of a program text that no parser here knows --------------------------------------*- C++ -*-===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// Reads MLIR of any dialect and version, with custom assembly it has never seen, from the text alone: where an op
// begins and ends, its name, results, operands, regions and location. LLVM IR and HLO are read in the same terms. It
// never fails: lines that it cannot read are listed in `unparsed`. Linear in the length of the text, and it does not
// recurse, so any text is safe to scan.
//
//===-----------------------------------------------------------------------------------------------------------===//

#ifndef MICA_PASSDUMP_SCAN_H
#define MICA_PASSDUMP_SCAN_H

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace mica::passdump {

/// The language of a text.
enum class Language { Mlir, Llvm, Hlo, Other };

/// What a text looks like, from its first lines.
Language guessLanguage(std::string_view text);
/// "MLIR", "LLVM IR", ...
std::string_view languageName(Language language);

/// A use of a value, or what is used.
struct ValueUse {
  int32_t op = -1;       ///< that defines it; -1: not found in the text
  int32_t number = 0;    ///< of the result, or of the argument
  bool argument = false; ///< of a block or region of `op`
  std::string_view name; ///< as printed, with %
};

struct ScannedOp {
  std::string_view name;     ///< "arith.addf"; in LLVM IR and HLO the opcode
  std::string_view symbol;   ///< the first @name of the op, without @; "" where it has none
  std::string_view location; ///< what stands in loc(...), or the name of a location; "" where it has none
  size_t begin = 0;          ///< first byte
  size_t headEnd = 0;        ///< one past the last byte before its first region
  size_t end = 0;            ///< one past its last byte, regions included
  int64_t line = 0;          ///< of the first byte, from 1
  int64_t lastLine = 0;      ///< of the last byte
  int32_t parent = -1;       ///< the op around it, -1 at the top
  int32_t region = 0;        ///< of the parent's regions
  int32_t next = 0;          ///< number of the first op after it and all ops inside
  int32_t results = 0;
  int32_t regions = 0;
  uint32_t firstUse = 0; ///< in Scan::uses
  uint32_t useCount = 0;
  uint64_t own = 0; ///< hash of its text without names of values, location and regions; aliases count as what they name
  uint64_t deep = 0; ///< hash of `own`, of the ops that compute its operands, and of its regions
};

/// Lines that are no part of an op that could be read.
struct UnparsedLines {
  int64_t first = 0, last = 0; ///< from 1
};

struct Scan {
  Language language = Language::Mlir;
  std::vector<ScannedOp> ops; ///< an op comes before those inside it, in the order of the text
  std::vector<ValueUse> uses;
  std::vector<UnparsedLines> unparsed;
  /// What #x and !x stand for, without the name; of the text.
  std::unordered_map<std::string_view, std::string_view> aliases;
  /// Of HLO, what stack frames refer to: rows by the number of their table (FileNames, FileLocations, StackFrames) and
  /// their own.
  std::unordered_map<uint64_t, std::string_view> tables;
  int64_t lines = 0;
  bool isCut = false; ///< the text ends within an op

  int64_t unparsedLines() const;
  /// Hash over all ops: equal programs have equal ones, whatever their values are called.
  uint64_t deep() const;
};

/// `text` must outlive the result. At most `mostOps` ops are read; what follows is unparsed.
Scan scan(std::string_view text, Language language, size_t mostOps = 20'000'000);

/// A position in a source, "file:line:column".
struct SourceLine {
  std::string file;
  int64_t line = 0, column = 0;
  bool operator==(const SourceLine &) const = default;
};
/// The positions that a location names, through the names of locations, each once, at most `most`.
std::vector<SourceLine> sourceLines(const Scan &scan, std::string_view location, size_t most = 8);

} // namespace mica::passdump

#endif // MICA_PASSDUMP_SCAN_H
