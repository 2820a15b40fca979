//===- Helpers.h - functions that programs call by name --------------------------------------------*- C++ -*-===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------------------------------------------===//
//
// The helpers of mica/ABI/Helpers.h and their addresses. They write what upstream's libraries of the same names write.
//
//===----------------------------------------------------------------------------------------------------------===//

#ifndef MICA_RUNTIME_HELPERS_HELPERS_H
#define MICA_RUNTIME_HELPERS_HELPERS_H

#include <span>
#include <string>
#include <vector>

namespace mica::runtime {

struct Helper {
  std::string name;
  void *address;
};

/// Every helper, by the name programs declare it with.
std::vector<Helper> allHelpers();

/// Those that take buffers; part of allHelpers.
void appendBufferHelpers(std::vector<Helper> &helpers);
/// Those that code of the async dialect calls; part of allHelpers.
void appendAsyncHelpers(std::vector<Helper> &helpers);

/// Writes `text` to stdout at once, so that it keeps its place among what others write.
void writeOut(const std::string &text);

} // namespace mica::runtime

#endif // MICA_RUNTIME_HELPERS_HELPERS_H
