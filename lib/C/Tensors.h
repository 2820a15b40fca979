//===- Tensors.h - converting DLPack tensors -------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_C_TENSORS_H
#define MICA_LIB_C_TENSORS_H

#include "mica/Artifact/Manifest.h"
#include "mica/C/DLPack.h"
#include "mica/Runtime/Tensor.h"

namespace mica::capi {

/// The DLPack type with the memory layout of `type` (i4: int8; index: int64).
DLDataType dlType(DType type);

/// `tensor` as a view. Fails with InvalidInput or Unsupported if it has another type, is not packed, or not in CPU
/// memory; the message names argument `index` of `entry`, which determines the expected type.
Result<runtime::TensorView> viewOf(const DLTensor *tensor, const artifact::EntryRecord &entry, size_t index);

/// `tensor` as a managed DLPack tensor, to be freed by its `deleter`. Moves the memory; the shape's storage stays for
/// reuse.
DLManagedTensorVersioned *exportTensor(runtime::Tensor &tensor);

} // namespace mica::capi

#endif // MICA_LIB_C_TENSORS_H
