//===- Ptxas.cpp - running NVIDIA's assembler -------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
//   ptxas info    : Compiling entry function 'relu_0' for 'sm_80'
//   ptxas info    : Function properties for relu_0
//       0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
//   ptxas info    : Used 12 registers, used 1 barriers, 256 bytes smem, 384 bytes cmem[0]
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/Codegen/GPU/Ptxas.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"

using namespace mica;
using namespace mica::codegen;

std::string codegen::findPtxas() {
  if (llvm::ErrorOr<std::string> found = llvm::sys::findProgramByName("ptxas"))
    return *found;
  if (llvm::ErrorOr<std::string> found = llvm::sys::findProgramByName("ptxas", {"/usr/local/cuda/bin"}))
    return *found;
  return "";
}

/// The number before `unit` in a line such as "Used 12 registers, 256 bytes smem"; -1 if there is none.
static int64_t numberBefore(llvm::StringRef line, llvm::StringRef unit) {
  size_t at = line.find(unit);
  if (at == llvm::StringRef::npos)
    return -1;
  llvm::StringRef before = line.take_front(at).rtrim();
  llvm::StringRef digits = before.take_back(before.size() - (before.find_last_not_of("0123456789") + 1));
  int64_t number = -1;
  return digits.getAsInteger(10, number) ? -1 : number;
}

void codegen::readPtxasOutput(llvm::StringRef said, std::vector<artifact::DeviceEntry> &entries) {
  artifact::DeviceEntry *entry = nullptr;
  while (!said.empty()) {
    auto [line, rest] = said.split('\n');
    said = rest;
    if (line.contains("Compiling entry function")) {
      llvm::StringRef name = line.split('\'').second.split('\'').first;
      entry = nullptr;
      for (artifact::DeviceEntry &each : entries)
        if (each.name == name)
          entry = &each;
    }
    if (!entry)
      continue;
    if (int64_t bytes = numberBefore(line, "bytes spill stores"); bytes >= 0)
      entry->spillBytes = bytes;
    if (int64_t registers = numberBefore(line, "registers"); registers >= 0) {
      entry->registers = registers;
      entry->sharedBytes = std::max<int64_t>(0, numberBefore(line, "bytes smem"));
    }
  }
}

/// For every entry, the first word after `.entry` and the text in the parentheses after it, ignoring comments.
static std::vector<std::pair<std::string, std::string>> entriesOf(llvm::StringRef ptx) {
  std::string plain;
  for (llvm::StringRef rest = ptx; !rest.empty();) {
    auto [line, after] = rest.split('\n');
    rest = after;
    plain += line.split("//").first.str() + "\n";
  }
  llvm::StringRef text = plain;
  std::vector<std::pair<std::string, std::string>> entries;
  for (size_t at = text.find(".entry"); at != llvm::StringRef::npos; at = text.find(".entry", at + 1)) {
    llvm::StringRef rest = text.drop_front(at + 6).ltrim();
    llvm::StringRef name = rest.take_until([](char c) { return c == '(' || llvm::isSpace(c); });
    rest = rest.drop_front(name.size()).ltrim();
    entries.push_back({name.str(), rest.consume_front("(") ? rest.split(')').first.str() : ""});
  }
  return entries;
}

std::vector<std::string> codegen::ptxSignatures(llvm::StringRef ptx) {
  std::vector<std::string> signatures;
  for (const auto &[name, parameters] : entriesOf(ptx)) {
    std::string types;
    llvm::SmallVector<llvm::StringRef> each, words;
    llvm::StringRef(parameters).split(each, ',', -1, /*KeepEmpty=*/false);
    for (llvm::StringRef parameter : each) {
      // ".param .u64 .ptr .align 1 add_0_param_0": the type is the first word with a size; an array has its length
      // after the name.
      words.clear();
      llvm::SplitString(parameter, words);
      auto type = llvm::find_if(words, [](llvm::StringRef word) {
        return word.size() > 2 && llvm::StringRef("usbf").contains(word[1]) && llvm::isDigit(word[2]);
      });
      const size_t length = parameter.find('[');
      types += (types.empty() ? "" : ", ") + (type == words.end() ? parameter.trim().str() : type->str()) +
               (length == llvm::StringRef::npos ? "" : parameter.drop_front(length).trim().str());
    }
    signatures.push_back(name + "(" + types + ")");
  }
  return signatures;
}

Result<std::vector<artifact::DeviceEntry>> codegen::describePtx(llvm::StringRef ptx, const std::string &file,
                                                                const std::string &chip, const std::string &ptxas,
                                                                const std::string &cubin) {
  std::vector<artifact::DeviceEntry> entries;
  for (const auto &[name, parameters] : entriesOf(ptx))
    entries.push_back({name});
  if (ptxas.empty())
    return entries;
  llvm::SmallString<128> output;
  if (llvm::sys::fs::createTemporaryFile("mica-ptxas", "txt", output))
    return entries;
  const std::string arch = "-arch=" + chip, binary = cubin.empty() ? "/dev/null" : cubin;
  // Profilers and compute-sanitizer also read lines from binaries.
  llvm::StringRef arguments[] = {ptxas, "-v", "-lineinfo", arch, file, "-o", binary};
  std::optional<llvm::StringRef> redirects[] = {std::nullopt, output.str(), output.str()};
  int code = llvm::sys::ExecuteAndWait(ptxas, arguments, std::nullopt, redirects);
  auto text = llvm::MemoryBuffer::getFile(output);
  std::string said = text ? (*text)->getBuffer().str() : "";
  llvm::sys::fs::remove(output);
  if (code != 0)
    return Error{ErrorCode::Internal, ptxas + " does not take " + file + ": " + llvm::StringRef(said).trim().str(),
                 "this is a bug in Mica: report it with the reproducer; the snapshots show which pass introduced it"};
  readPtxasOutput(said, entries);
  return entries;
}
