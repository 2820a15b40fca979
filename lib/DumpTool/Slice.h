//===- Slice.h - parts of a tensor -------------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// Private: the part of a tensor that a text such as [0, 2:8, ::2, -1] names, as NumPy has it.
//
//===-------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_DUMPTOOL_SLICE_H
#define MICA_LIB_DUMPTOOL_SLICE_H

#include "mica/Support/HostTensor.h"
#include "mica/Support/Status.h"

#include <string>

namespace mica::dumptool {

/// The elements of `tensor` that `text` names. An index drops its dimension; start:stop:step, each of which may be left
/// out or, but for the step, be negative, keeps it; dimensions that are not named are kept whole; `...` stands for
/// those between. InvalidInput: no such text, too many dimensions, an index outside of its dimension, a step below 1.
Result<HostTensor> sliceOf(const HostTensor &tensor, const std::string &text);

} // namespace mica::dumptool

#endif // MICA_LIB_DUMPTOOL_SLICE_H
