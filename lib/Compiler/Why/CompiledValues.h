//===- CompiledValues.h - what a run of the compiled program computed ---------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Private: the results of a run, and the results of ops that its kernels wrote, from the dump of its tensors.
//
//===------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_COMPILER_WHY_COMPILEDVALUES_H
#define MICA_LIB_COMPILER_WHY_COMPILEDVALUES_H

#include "mica/Dump/Dump.h"
#include "mica/Support/HostTensor.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include <filesystem>

#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace mica::compiler {

class CompiledValues {
public:
  /// Without a run: nothing is known.
  CompiledValues() = default;
  /// Of the run in `folder` with `numResults` results. Errors: those of the dump, and of data/out/N.npy.
  static Result<CompiledValues> open(const std::filesystem::path &folder, const std::vector<DType> &results);

  bool hasRun() const { return !results.empty(); }
  const HostTensor *result(size_t i) const { return i < results.size() ? &results[i] : nullptr; }
  /// What the compiled program computed for one evaluation of an op.
  struct Value {
    const HostTensor *tensor = nullptr; ///< null: it stayed inside of a kernel, or was laid out otherwise
    std::string name;                   ///< what the source calls it; "" unknown
    bool isLookedUp = false;
  };
  /// Of evaluation `occurrence` of the op `id`, of its result `result`. Several kernels may compute an op, one after
  /// another, and what they hand on looks like its result: a tensor that `agrees` with the reference is taken, else
  /// that of the last of these kernels.
  const Value &of(const std::string &id, int64_t occurrence, unsigned result, DType dtype, int64_t elements,
                  llvm::function_ref<bool(const HostTensor &)> agrees);
  /// The kernel that computed the op; "" unknown.
  std::string kernelOf(const std::string &id) const;

private:
  std::vector<HostTensor> results;
  std::optional<dump::Dump> dump;
  const HostTensor *read(size_t position);

  std::map<std::string, std::vector<size_t>> tensors; ///< per op, positions in dump->tensors(), in order
  std::map<std::string, int64_t> lastSites;           ///< per op, the last place whose kernel computes it
  std::map<std::string, std::string> kernels;
  std::map<size_t, HostTensor> elements;
  std::map<std::tuple<std::string, int64_t, unsigned>, Value> known;
};

} // namespace mica::compiler

#endif // MICA_LIB_COMPILER_WHY_COMPILEDVALUES_H
