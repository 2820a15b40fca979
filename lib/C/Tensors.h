//===- Tensors.h - DLPack tensors and the runtime's ------------------------------------------------------------===//
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

/// The DLPack type whose elements lie in memory as those of `type` do (i4: int8; index: int64).
DLDataType dlType(DType type);

/// `tensor` as a view. Fails with InvalidInput or Unsupported when it is of another type, not
/// packed, or not in CPU memory; the message names argument `index` of `entry`, whose type it is to have.
Result<runtime::TensorView> viewOf(const DLTensor *tensor, const artifact::EntryRecord &entry, size_t index);

/// `tensor` as a managed DLPack tensor, to be freed by its `deleter`. Takes the memory and leaves the shape, whose
/// storage a next result can use again.
DLManagedTensorVersioned *exportTensor(runtime::Tensor &tensor);

} // namespace mica::capi

#endif // MICA_LIB_C_TENSORS_H
