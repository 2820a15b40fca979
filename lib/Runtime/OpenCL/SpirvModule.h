//===- OpenCL/SpirvModule.h - what a module of SPIR-V says of its entries ---------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// OpenCL passes arguments one by one, with their sizes, and pointers by another call than values; drivers need not keep
// what they know of parameters. So it is read from the module itself.
//
//===-----------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_RUNTIME_OPENCL_SPIRVMODULE_H
#define MICA_LIB_RUNTIME_OPENCL_SPIRVMODULE_H

#include "mica/Support/Status.h"

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace mica::runtime::opencl {

/// A parameter of an entry.
struct SpirvParameter {
  enum class Kind { Global, Workgroup, Value };
  Kind kind;
  uint32_t bytes; ///< of a value
};

struct SpirvModule {
  /// Numbers of SPIR-V's Capability.
  enum : uint32_t { kFloat16 = 9, kFloat64 = 10, kInt64 = 11, kInt64Atomics = 12 };

  std::vector<uint32_t> words;
  std::set<uint32_t> capabilities;
  std::map<std::string, std::vector<SpirvParameter>, std::less<>> entries;

  /// Reads the module `bytes` of `file`. Damaged if it is none, is cut off, or has parameters that no wrapper passes.
  static Result<SpirvModule> parse(const std::string &bytes, const std::string &file);

  /// The module with zeros of numbers written as numbers. OpConstantNull, which LLVM writes, is as valid, but the
  /// translators of LLVM 14 and 15 take it for composites and pointers alone (they end on an assertion).
  std::vector<uint32_t> withPlainZeros() const;
};

} // namespace mica::runtime::opencl

#endif // MICA_LIB_RUNTIME_OPENCL_SPIRVMODULE_H
