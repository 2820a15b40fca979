//===- Tensor.cpp - tensors as the runtime takes and gives them ------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//

#include "mica/Runtime/Tensor.h"

#include "lib/Runtime/KeptBlocks.h"
#include "lib/Runtime/Memory.h"
#include "mica/Support/MemoryLimit.h"

#include <cstring>
#include <utility>

namespace mica::runtime {

Buffer::Buffer(Buffer &&other) noexcept
    : address(std::exchange(other.address, nullptr)), size(std::exchange(other.size, 0)) {}

Buffer &Buffer::operator=(Buffer &&other) noexcept {
  std::swap(address, other.address);
  std::swap(size, other.size);
  return *this;
}

Buffer::~Buffer() {
  if (!address)
    return;
  if (size < kHugePage)
    releaseAligned(address, size);
  else
    keptBlocks().give(address, size);
}

Result<Buffer> Buffer::allocate(int64_t bytes) {
  int64_t capacity = 0;
  void *memory = keptBlocks().take(bytes, capacity);
  if (!memory) {
    MICA_ASSIGN_OR_RETURN(memory, allocateAligned(bytes, capacity));
  }
  return Buffer(memory, capacity);
}

int64_t Tensor::numElements() const {
  // Checked when it was made: what does not fit on the way is multiplied by 0.
  uint64_t count = 1;
  for (int64_t size : shape)
    count *= static_cast<uint64_t>(size);
  return static_cast<int64_t>(count);
}

HostTensor Tensor::toHost() const {
  HostTensor host(dtype, shape);
  if (!host.data.empty())
    std::memcpy(host.data.data(), buffer.data(), host.data.size());
  return host;
}

Result<Tensor> Tensor::fromHost(const HostTensor &host) {
  Tensor tensor;
  tensor.dtype = host.dtype;
  tensor.shape = host.shape;
  // Both are there for a while.
  const auto held = int64_t(host.data.size());
  if (!takeMemory(held))
    return outOfMemory(held, "tensor<" + host.typeString() + ">");
  Result<Buffer> buffer = Buffer::allocate(held);
  std::optional<Error> lacking;
  if (!buffer)
    lacking = outOfMemory(held, "a second copy of tensor<" + host.typeString() + ">");
  giveMemoryBack(held);
  if (lacking)
    return *lacking;
  tensor.buffer = *std::move(buffer);
  if (!host.data.empty())
    std::memcpy(tensor.buffer.data(), host.data.data(), host.data.size());
  return tensor;
}

} // namespace mica::runtime
