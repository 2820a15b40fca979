//===- CrashNames.cpp - symbolizing program.so in crash handlers ------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// The names come from the file's .symtab, which includes local functions. For a kernel's function, the operations and
// their source lines are printed as well.
//
//===-------------------------------------------------------------------------------------------------------===//

#include "lib/RunTool/CrashNames.h"

#include "mica/Artifact/Artifact.h"
#include "mica/Support/Files.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <dlfcn.h>
#include <elf.h>
#include <memory>
#include <unistd.h>

namespace mica::runtool {
namespace {

struct Function {
  uintptr_t begin, end;
  std::string name;  ///< "mica_body_k"
  std::string about; ///< " kernel 'k' (...)", or ""
};

/// By address. Replaced tables are not freed, because a handler may be reading them.
std::atomic<const std::vector<Function> *> functions{nullptr};

/// The object of type T at `offset` of `bytes`; null if it is out of bounds.
template <typename T> const T *at(std::string_view bytes, uint64_t offset, uint64_t count = 1) {
  if (offset > bytes.size() || count > (bytes.size() - offset) / sizeof(T) || offset % alignof(T) != 0)
    return nullptr;
  return reinterpret_cast<const T *>(bytes.data() + offset);
}

/// The functions of `file`, an ELF file that is loaded at `base`. Empty for damaged files.
std::vector<Function> functionsOf(std::string_view file, uintptr_t base) {
  std::vector<Function> found;
  const auto *header = at<Elf64_Ehdr>(file, 0);
  if (!header || std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 || header->e_ident[EI_CLASS] != ELFCLASS64)
    return found;
  const auto *sections = at<Elf64_Shdr>(file, header->e_shoff, header->e_shnum);
  for (size_t i = 0; sections && i < header->e_shnum; ++i) {
    const Elf64_Shdr &table = sections[i];
    if (table.sh_type != SHT_SYMTAB || table.sh_link >= header->e_shnum)
      continue;
    const Elf64_Shdr &strings = sections[table.sh_link];
    const size_t count = table.sh_size / sizeof(Elf64_Sym);
    const auto *symbols = at<Elf64_Sym>(file, table.sh_offset, count);
    const char *names = at<char>(file, strings.sh_offset, strings.sh_size);
    if (!symbols || !names)
      continue;
    for (size_t s = 0; s < count; ++s) {
      const Elf64_Sym &symbol = symbols[s];
      if (ELF64_ST_TYPE(symbol.st_info) != STT_FUNC || symbol.st_size == 0 || symbol.st_name >= strings.sh_size)
        continue;
      const char *name = names + symbol.st_name;
      found.push_back({base + symbol.st_value, base + symbol.st_value + symbol.st_size,
                       std::string(name, ::strnlen(name, strings.sh_size - symbol.st_name)), ""});
    }
  }
  std::sort(found.begin(), found.end(), [](const Function &a, const Function &b) { return a.begin < b.begin; });
  return found;
}

void put(std::string_view text) { [[maybe_unused]] ssize_t written = ::write(STDERR_FILENO, text.data(), text.size()); }

/// printf is not async-signal-safe.
void putHex(uintptr_t number) {
  char digits[2 + 2 * sizeof number];
  char *begin = digits + sizeof digits;
  do
    *--begin = "0123456789abcdef"[number % 16];
  while ((number /= 16) != 0);
  *--begin = 'x';
  *--begin = '0';
  put({begin, size_t(digits + sizeof digits - begin)});
}

} // namespace

void rememberFunctions(const runtime::Program &program) {
  const artifact::Manifest &manifest = program.manifest();
  Dl_info place{};
  if (manifest.kernels.empty() || ::dladdr(reinterpret_cast<const void *>(program.kernelFunction(0)), &place) == 0)
    return;
  Result<std::string> file = readFile(program.folder() / artifact::kProgramFile);
  if (!file)
    return;
  auto made = std::make_unique<std::vector<Function>>(functionsOf(*file, uintptr_t(place.dli_fbase)));
  for (Function &function : *made)
    for (const artifact::KernelRecord &kernel : manifest.kernels)
      if (function.name == "mica_body_" + kernel.name || function.name == "mica_kernel_" + kernel.name)
        function.about = " " + program.describeLaunch(kernel.name, -1);
  functions.store(made.release(), std::memory_order_release);
}

bool writeFrame(const void *address) {
  const std::vector<Function> *known = functions.load(std::memory_order_acquire);
  if (!known)
    return false;
  const auto where = uintptr_t(address);
  auto it = std::upper_bound(known->begin(), known->end(), where,
                             [](uintptr_t wanted, const Function &function) { return wanted < function.begin; });
  if (it == known->begin() || where >= (--it)->end)
    return false;
  put("program.so(");
  put(it->name);
  put("+");
  putHex(where - it->begin);
  put(")");
  put(it->about);
  put("\n");
  return true;
}

} // namespace mica::runtool
