//===- Tensor.h - input and result tensors of the runtime -------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// Inputs are views: they are not copied if their memory is MICA_BUFFER_ALIGNMENT aligned. Results own their memory.
//
//===-----------------------------------------------------------------------------------------------------------===//

#ifndef MICA_RUNTIME_TENSOR_H
#define MICA_RUNTIME_TENSOR_H

#include "mica/Support/HostTensor.h"
#include "mica/Support/Status.h"

#include <cstdint>
#include <span>
#include <vector>

namespace mica::runtime {

/// Owned memory, MICA_BUFFER_ALIGNMENT aligned, with huge pages from 2 MiB on if the system grants them. Uninitialized
/// at first. Move-only.
class Buffer {
public:
  Buffer() = default;
  Buffer(Buffer &&other) noexcept;
  Buffer &operator=(Buffer &&other) noexcept;
  ~Buffer();

  /// At least `bytes` bytes; never a null address, also for 0. Contents are undefined: large memory is that of buffers
  /// which were released. Fails with Io if there is no memory.
  static Result<Buffer> allocate(int64_t bytes);

  void *data() const { return address; }
  /// Usable bytes; at least what was requested.
  int64_t capacity() const { return size; }
  explicit operator bool() const { return address != nullptr; }

private:
  Buffer(void *address, int64_t size) : address(address), size(size) {}
  void *address = nullptr;
  int64_t size = 0;
};

/// A tensor without ownership: packed, row-major, read only. Shape and data must outlive the invocation.
struct TensorView {
  DType dtype = DType::F32;
  std::span<const int64_t> shape;
  const void *data = nullptr;

  TensorView() = default;
  TensorView(DType dtype, std::span<const int64_t> shape, const void *data) : dtype(dtype), shape(shape), data(data) {}
  TensorView(const HostTensor &tensor) : dtype(tensor.dtype), shape(tensor.shape), data(tensor.data.data()) {}
};

/// A tensor that owns its memory: a result. Packed, row-major, aligned.
struct Tensor {
  DType dtype = DType::F32;
  std::vector<int64_t> shape;
  Buffer buffer;

  int64_t numElements() const;
  int64_t bytes() const { return numElements() * dtypeBytes(dtype); }
  template <typename T> T *as() { return static_cast<T *>(buffer.data()); }
  template <typename T> const T *as() const { return static_cast<const T *>(buffer.data()); }
  TensorView view() const { return {dtype, shape, buffer.data()}; }
  /// A copy in pageable memory, for files and comparisons.
  HostTensor toHost() const;
  /// An aligned copy of `tensor`, which as an input is never copied again.
  static Result<Tensor> fromHost(const HostTensor &tensor);
};

} // namespace mica::runtime

#endif // MICA_RUNTIME_TENSOR_H
