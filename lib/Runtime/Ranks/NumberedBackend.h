//===- NumberedBackend.h - wrappers that know which kernel a launch is of -----------------------------*- C++ -*-===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// What ranks do with a launch depends on what the manifest says of its kernel.
//
//===-----------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_RUNTIME_RANKS_NUMBEREDBACKEND_H
#define MICA_LIB_RUNTIME_RANKS_NUMBEREDBACKEND_H

#include "mica/Runtime/ForwardingBackend.h"
#include "mica/Runtime/Program.h"

#include <unordered_map>
#include <utility>

namespace mica::runtime {

class NumberedBackend : public ForwardingBackend {
public:
  NumberedBackend(std::unique_ptr<Backend> inner, const Program &program)
      : ForwardingBackend(std::move(inner)), program(program) {}

  Result<KernelHandle> load(const KernelSource &source) override {
    MICA_ASSIGN_OR_RETURN(const KernelHandle handle, inner->load(source));
    kernels[handle] = size_t(source.record - program.manifest().kernels.data());
    return handle;
  }

  void launch(Launch &launch) final {
    if (const auto known = kernels.find(launch.kernel); known != kernels.end())
      launchKernel(launch, known->second);
    else
      inner->launch(launch);
  }

protected:
  /// A launch of a kernel that `load` of this class loaded: `kernel` is its position in the manifest.
  virtual void launchKernel(Launch &launch, size_t kernel) = 0;

private:
  const Program &program;
  std::unordered_map<KernelHandle, size_t> kernels;
};

} // namespace mica::runtime

#endif // MICA_LIB_RUNTIME_RANKS_NUMBEREDBACKEND_H
