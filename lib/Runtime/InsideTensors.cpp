//===- InsideTensors.cpp - what a kernel keeps inside ----------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// See the header.
//
//===-----------------------------------------------------------------------------------------------------------===//

#include "lib/Runtime/InsideTensors.h"

#include "lib/Runtime/KernelMemory.h"
#include "mica/ABI/Checks.h"
#include "mica/Support/Checked.h"

#include <algorithm>

namespace mica::runtime {
namespace {

/// The dynamic sizes and scalars of a launch, by position.
class LaunchScalars {
public:
  explicit LaunchScalars(const Launch &launch) : launch(launch) {
    for (const artifact::BindingRecord &binding : launch.record->bindings) {
      firstOf.push_back(dims);
      dims +=
          std::count_if(binding.type.shape.begin(), binding.type.shape.end(), [](int64_t size) { return size < 0; });
    }
  }
  /// All dynamic sizes come first.
  int64_t sizes() const { return dims; }

  int64_t operator()(const artifact::DumpReplay::Size &size) const {
    if (size.binding == -2)
      return size.dim;
    if (size.binding == -1)
      return launch.scalars[dims + size.dim];
    const std::vector<int64_t> &shape = launch.record->bindings[size_t(size.binding)].type.shape;
    if (shape[size_t(size.dim)] >= 0)
      return shape[size_t(size.dim)];
    return launch.scalars[firstOf[size_t(size.binding)] + std::count_if(shape.begin(), shape.begin() + size.dim,
                                                                        [](int64_t each) { return each < 0; })];
  }

private:
  const Launch &launch;
  std::vector<int64_t> firstOf; ///< per binding
  int64_t dims = 0;
};

} // namespace

Result<std::vector<InsideTensor>> computeInside(const Launch &launch, mica_kernel_fn_v1 function) {
  const artifact::KernelRecord &kernel = *launch.record;
  const artifact::DumpReplay &replay = *kernel.dumpReplay;
  const LaunchScalars sizeOf(launch);
  std::vector<int64_t> scalars(launch.scalars, launch.scalars + sizeOf.sizes());
  std::vector<void *> buffers(launch.buffers, launch.buffers + kernel.bindings.size());
  std::vector<InsideTensor> tensors;
  for (const artifact::DumpReplay::Tensor &tensor : replay.tensors) {
    std::vector<int64_t> shape = tensor.type.shape;
    size_t next = 0;
    for (int64_t &extent : shape)
      if (extent < 0)
        scalars.push_back(extent = sizeOf(tensor.sizes[next++]));
    const std::optional<int64_t> bytes = checkedBytes(shape, dtypeBytes(tensor.type.dtype));
    if (!bytes)
      return Error{ErrorCode::Io, "its sizes are too large", ""};
    MICA_ASSIGN_OR_RETURN(Buffer data, Buffer::allocate(std::max<int64_t>(*bytes, 1)));
    buffers.push_back(data.data());
    tensors.push_back({std::move(shape), *bytes / dtypeBytes(tensor.type.dtype), std::move(data)});
  }
  scalars.insert(scalars.end(), launch.scalars + sizeOf.sizes(), launch.scalars + sizeOf.sizes() + kernel.scalarArgs);
  MICA_ASSIGN_OR_RETURN(const Buffer scratch, Buffer::allocate(std::max<int64_t>(replay.scratchBytes, 1)));
  std::vector<mica_check_record_v1> records(static_cast<size_t>(replay.checks));
  mica_check_log_v1 log{};
  log.records = records.data();
  mica_kernel_args_v1 args{buffers.data(), scalars.data(), scratch.data(), 0, 1, &log, nullptr};
  KernelMemory memory;
  if (memory.call([&] { return function(&args); }) == MICA_STATUS_NO_MEMORY)
    return memory.error();
  return tensors;
}

} // namespace mica::runtime
