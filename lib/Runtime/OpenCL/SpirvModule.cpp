//===- OpenCL/SpirvModule.cpp - what a module of SPIR-V says of its entries -------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// See the header. An instruction is a word with its length and opcode, and operands.
//
//===-----------------------------------------------------------------------------------------------------------===//

#include "lib/Runtime/OpenCL/SpirvModule.h"

#include <cstring>
#include <functional>
#include <span>

namespace mica::runtime::opencl {
namespace {

enum : uint32_t {
  kMagic = 0x07230203,
  kHeaderWords = 5,
  kEntryPoint = 15,
  kCapability = 17,
  kTypeBool = 20,
  kTypeInt = 21,
  kTypeFloat = 22,
  kTypeVector = 23,
  kTypePointer = 32,
  kConstantFalse = 42,
  kConstant = 43,
  kConstantNull = 46,
  kFunction = 54,
  kFunctionParameter = 55,
  kFunctionEnd = 56,
  kWorkgroupStorage = 4,
};

using Instruction = std::span<const uint32_t>;

uint32_t opcode(Instruction instruction) { return instruction[0] & 0xffff; }

/// Calls `visit` for every instruction. False if the module is cut off.
bool walk(const std::vector<uint32_t> &words, const std::function<void(Instruction)> &visit) {
  for (size_t at = kHeaderWords; at < words.size();) {
    const size_t length = words[at] >> 16;
    if (length == 0 || length > words.size() - at)
      return false;
    visit(Instruction(&words[at], length));
    at += length;
  }
  return true;
}

/// Types of parameters, by id.
class Types {
public:
  void add(Instruction i) {
    const uint32_t op = opcode(i);
    if (op == kTypeInt && i.size() > 2)
      known[i[1]] = {SpirvParameter::Kind::Value, i[2] / 8};
    else if (op == kTypeFloat && i.size() > 2)
      known[i[1]] = {SpirvParameter::Kind::Value, i[2] / 8};
    else if (op == kTypeVector && i.size() > 3)
      known[i[1]] = {SpirvParameter::Kind::Value, known[i[2]].bytes * (i[3] == 3 ? 4 : i[3])};
    else if (op == kTypePointer && i.size() > 3)
      known[i[1]] = {i[2] == kWorkgroupStorage ? SpirvParameter::Kind::Workgroup : SpirvParameter::Kind::Global, 8};
  }
  SpirvParameter find(uint32_t id) const {
    auto it = known.find(id);
    return it == known.end() ? SpirvParameter{SpirvParameter::Kind::Value, 0} : it->second;
  }

private:
  std::map<uint32_t, SpirvParameter> known;
};

} // namespace

Result<SpirvModule> SpirvModule::parse(const std::string &bytes, const std::string &file) {
  SpirvModule module;
  module.words.resize(bytes.size() / 4);
  std::memcpy(module.words.data(), bytes.data(), module.words.size() * 4);
  const Error damaged{ErrorCode::Damaged, file + " is no complete module of SPIR-V",
                      "mica-run DIR --reset restores the compiler's files"};
  if (module.words.size() < kHeaderWords || bytes.size() % 4 != 0 || module.words[0] != kMagic)
    return damaged;
  Types types;
  std::map<uint32_t, std::string> names;
  std::vector<SpirvParameter> *parameters = nullptr;
  bool isInFunction = false;
  const bool isWhole = walk(module.words, [&](Instruction i) {
    types.add(i);
    const uint32_t op = opcode(i);
    if (op == kCapability && i.size() > 1) {
      module.capabilities.insert(i[1]);
    } else if (op == kEntryPoint && i.size() > 3) {
      // The name ends with a zero byte, and is followed by ids.
      std::string name(reinterpret_cast<const char *>(&i[3]), (i.size() - 3) * 4);
      names[i[2]] = name.substr(0, name.find('\0'));
    } else if (op == kFunctionEnd) {
      isInFunction = false;
    } else if (op == kFunction && i.size() > 2) {
      isInFunction = true;
      auto name = names.find(i[2]);
      parameters = name == names.end() ? nullptr : &module.entries[name->second];
    } else if (op == kFunctionParameter && i.size() > 1 && parameters) {
      parameters->push_back(types.find(i[1]));
    }
  });
  if (!isWhole || isInFunction)
    return damaged;
  // So much is read where a wrapper has the value.
  for (const auto &[name, all] : module.entries)
    for (const SpirvParameter &parameter : all)
      if (parameter.kind == SpirvParameter::Kind::Value && (parameter.bytes == 0 || parameter.bytes > 8))
        return Error{damaged.code,
                     file + ": entry '" + name +
                         "' has a parameter that is neither a pointer nor a number of at most 64 "
                         "bits",
                     damaged.hint};
  return module;
}

std::vector<uint32_t> SpirvModule::withPlainZeros() const {
  std::vector<uint32_t> plain(words.begin(), words.begin() + kHeaderWords);
  std::map<uint32_t, uint32_t> widths; // in words; 0 of truth values
  walk(words, [&](Instruction i) {
    const uint32_t op = opcode(i);
    if (op == kTypeBool && i.size() > 1)
      widths[i[1]] = 0;
    else if ((op == kTypeInt || op == kTypeFloat) && i.size() > 2 && i[2] > 0 && i[2] <= 64)
      widths[i[1]] = (i[2] + 31) / 32;
    const auto width = op == kConstantNull && i.size() > 2 ? widths.find(i[1]) : widths.end();
    if (width == widths.end()) {
      plain.insert(plain.end(), i.begin(), i.end());
      return;
    }
    plain.push_back((3 + width->second) << 16 | (width->second == 0 ? kConstantFalse : kConstant));
    plain.insert(plain.end(), {i[1], i[2]});
    plain.insert(plain.end(), width->second, 0);
  });
  return plain;
}

} // namespace mica::runtime::opencl
