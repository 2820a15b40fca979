//===- Message.h - what an isolated call sends and receives -------------------------------------------*- C++ -*-===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------------------------------------------===//
//
// A message is a file: 8 bytes that say it is complete, the size of a JSON object, the object, and the bytes of the
// tensors that its member "tensors" describes, each at a multiple of 64.
//
//===--------------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_RUNTIME_ISOLATED_MESSAGE_H
#define MICA_LIB_RUNTIME_ISOLATED_MESSAGE_H

#include "lib/Support/Json.h"
#include "mica/Runtime/Tensor.h"

#include <optional>
#include <span>
#include <vector>

namespace mica::runtime {

struct Message {
  Json head;
  std::vector<Tensor> tensors;
};

/// Writes `head` and `tensors` to `file`, which is empty. The mark of completeness comes last.
Status writeMessage(int file, Json head, std::span<const TensorView> tensors);

/// The message in `file`, nothing where none is complete. Everything in it is checked against the size of the file:
/// whoever wrote it may be hostile. The tensors are copies.
Result<std::optional<Message>> readMessage(int file);

} // namespace mica::runtime

#endif // MICA_LIB_RUNTIME_ISOLATED_MESSAGE_H
