//===- Tensors.cpp - converting DLPack tensors -----------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//

#include "lib/C/Tensors.h"

#include <memory>
#include <string>
#include <utility>

namespace mica::capi {

DLDataType dlType(DType type) {
  auto make = [](DLDataTypeCode code, int64_t bits) { return DLDataType{uint8_t(code), uint8_t(bits), 1}; };
  switch (type) {
  case DType::F64:
  case DType::F32:
  case DType::F16:
    return make(kDLFloat, 8 * dtypeBytes(type));
  case DType::BF16:
    return make(kDLBfloat, 16);
  case DType::F8E4M3FN:
    return make(kDLFloat8_e4m3fn, 8);
  case DType::F8E5M2:
    return make(kDLFloat8_e5m2, 8);
  case DType::C64:
  case DType::C128:
    return make(kDLComplex, 8 * dtypeBytes(type));
  case DType::I1:
    return make(kDLBool, 8);
  case DType::I64:
  case DType::I32:
  case DType::I16:
  case DType::I8:
  case DType::I4:
  case DType::Index:
    return make(kDLInt, 8 * dtypeBytes(type));
  case DType::UI64:
  case DType::UI32:
  case DType::UI16:
  case DType::UI8:
    return make(kDLUInt, 8 * dtypeBytes(type));
  }
  return make(kDLOpaqueHandle, 0);
}

/// "float32", "bool8", "code 5 of 64 bits".
static std::string typeName(DLDataType type) {
  std::string bits = std::to_string(type.bits) + (type.lanes == 1 ? "" : "x" + std::to_string(type.lanes));
  switch (type.code) {
  case kDLInt:
    return "int" + bits;
  case kDLUInt:
    return "uint" + bits;
  case kDLFloat:
    return "float" + bits;
  case kDLBfloat:
    return "bfloat" + bits;
  case kDLComplex:
    return "complex" + bits;
  case kDLBool:
    return "bool" + bits;
  default:
    return "type code " + std::to_string(type.code) + " of " + bits + " bits";
  }
}

/// Whether elements are row-major without gaps. Strides of dimensions of size 1 are ignored.
static bool isPacked(const DLTensor &tensor) {
  if (!tensor.strides)
    return true;
  int64_t expected = 1;
  for (int32_t i = tensor.ndim; i-- > 0;) {
    if (tensor.shape[i] == 0)
      return true;
    if (tensor.shape[i] != 1 && tensor.strides[i] != expected)
      return false;
    // The runtime rejects a shape that overflows; here the overflow must only be well-defined.
    if (__builtin_mul_overflow(expected, tensor.shape[i], &expected))
      return false;
  }
  return true;
}

Result<runtime::TensorView> viewOf(const DLTensor *tensor, const artifact::EntryRecord &entry, size_t index) {
  const artifact::TensorSpec &spec = entry.args[index];
  // The text is only formatted on failure.
  auto refuse = [&](ErrorCode code, const std::string &what, const char *hint = "") {
    return Error{code,
                 "entry '" + entry.name + "': argument " + std::to_string(index) +
                     (spec.name.empty() ? "" : " ('" + spec.name + "')") + " " + what,
                 hint};
  };
  if (!tensor)
    return refuse(ErrorCode::InvalidInput, "is NULL");
  if (tensor->ndim < 0 || (tensor->ndim > 0 && !tensor->shape))
    return refuse(ErrorCode::InvalidInput, "has no shape");
  // Checked before the sizes are read, which an uninitialized structure may lack.
  if (size_t(tensor->ndim) > spec.shape.size())
    return refuse(ErrorCode::InvalidInput, "has " + std::to_string(tensor->ndim) + " dimensions, it should be " +
                                               shapedTypeString(spec.shape, spec.dtype));
  if (tensor->device.device_type != kDLCPU)
    return refuse(ErrorCode::Unsupported,
                  "is on a device of kind " + std::to_string(tensor->device.device_type) + ", not on the CPU",
                  "copy it to CPU memory first");
  DLDataType wanted = dlType(spec.dtype);
  if (tensor->dtype.code != wanted.code || tensor->dtype.bits != wanted.bits || tensor->dtype.lanes != wanted.lanes)
    return refuse(ErrorCode::InvalidInput, "has elements of type " + typeName(tensor->dtype) + ", it should have " +
                                               typeName(wanted) + " (" + std::string(dtypeName(spec.dtype)) + ")");
  if (!isPacked(*tensor))
    return refuse(ErrorCode::InvalidInput, "is not contiguous in row-major order", "make it contiguous first");
  const char *data = static_cast<const char *>(tensor->data);
  return runtime::TensorView(spec.dtype, {tensor->shape, size_t(tensor->ndim)},
                             data ? data + tensor->byte_offset : data);
}

namespace {
/// Shapes and strides up to this rank need no separate allocation.
constexpr size_t kSmallRank = 6;

/// A result owned by the caller: DLPack's structure points into it.
struct Exported {
  DLManagedTensorVersioned managed;
  runtime::Buffer buffer;
  int64_t small[2 * kSmallRank];
  std::unique_ptr<int64_t[]> large;
};
} // namespace

DLManagedTensorVersioned *exportTensor(runtime::Tensor &tensor) {
  const size_t rank = tensor.shape.size();
  auto exported = std::make_unique<Exported>();
  exported->buffer = std::move(tensor.buffer);
  if (rank > kSmallRank)
    exported->large = std::make_unique<int64_t[]>(2 * rank);
  int64_t *shape = exported->large ? exported->large.get() : exported->small, *strides = shape + rank, stride = 1;
  for (size_t i = rank; i-- > 0;) {
    shape[i] = tensor.shape[i];
    strides[i] = stride;
    stride *= shape[i];
  }
  DLManagedTensorVersioned &managed = exported->managed;
  managed.flags = 0;
  managed.version = {DLPACK_MAJOR_VERSION, DLPACK_MINOR_VERSION};
  managed.manager_ctx = exported.get();
  managed.deleter = [](DLManagedTensorVersioned *self) { delete static_cast<Exported *>(self->manager_ctx); };
  managed.dl_tensor = {exported->buffer.data(), {kDLCPU, 0}, int32_t(rank), dlType(tensor.dtype), shape, strides, 0};
  return &exported.release()->managed;
}

} // namespace mica::capi
