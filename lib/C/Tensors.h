//===- Tensors.h - DLPack tensors and the runtime's ------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_C_TENSORS_H
#define MICA_LIB_C_TENSORS_H

#include "mica/C/DLPack.h"
#include "mica/Runtime/Tensor.h"

#include <string>

namespace mica::capi {

/// The DLPack type whose elements lie in memory as those of `type` do (i4: int8; index: int64).
DLDataType dlType(DType type);

/// `tensor` as a view of element type `expected`. Fails with InvalidInput or Unsupported when it is of another type, not
/// packed, or not in CPU memory; `what` names it in the message ("argument 0 ('x')").
Result<runtime::TensorView> viewOf(const DLTensor *tensor, DType expected, const std::string &what);

/// `tensor` with its memory as a managed DLPack tensor, to be freed by its `deleter`.
DLManagedTensorVersioned *exportTensor(runtime::Tensor tensor);

} // namespace mica::capi

#endif // MICA_LIB_C_TENSORS_H
