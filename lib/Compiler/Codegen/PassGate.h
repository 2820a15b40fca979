//===- PassGate.h - the first of LLVM's passes --------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Private: a limit on LLVM's own passes, as `opt -opt-bisect-limit` has one. Passes that code generation cannot do
// without are not counted.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_COMPILER_CODEGEN_PASSGATE_H
#define MICA_LIB_COMPILER_CODEGEN_PASSGATE_H

#include "llvm/IR/OptBisect.h"

#include <cstdint>
#include <string>
#include <vector>

namespace mica::compiler {

/// Lets the first `limit` passes of one LLVMContext run, which it has to outlive. For one thread.
class PassGate : public llvm::OptPassGate {
public:
  explicit PassGate(int64_t limit) : limit(limit) {}

  bool isEnabled() const override { return true; }
  bool shouldRunPass(llvm::StringRef pass, llvm::StringRef where) const override {
    asked.push_back((pass + " on " + where).str());
    return static_cast<int64_t>(asked.size()) <= limit;
  }
  /// "InstCombinePass on mica_body_k", in the order in which they ran or would have run.
  std::vector<std::string> takePasses() { return std::move(asked); }

private:
  int64_t limit;
  mutable std::vector<std::string> asked;
};

} // namespace mica::compiler

#endif // MICA_LIB_COMPILER_CODEGEN_PASSGATE_H
