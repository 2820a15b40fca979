//===- Message.cpp - what an isolated call sends and receives ---------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------------------------------------------===//
//
// See Message.h.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "lib/Runtime/Isolated/Message.h"

#include "mica/Support/Checked.h"
#include "mica/Support/Files.h"

#include <cerrno>
#include <cstring>

#include <sys/stat.h>
#include <unistd.h>

namespace mica::runtime {
namespace {

constexpr uint64_t kComplete = 0x314b41434953494d; // "MISICAK1"
constexpr int64_t kAlignment = 64, kHeaderBytes = 16, kMostHeadBytes = int64_t(16) << 20;
constexpr size_t kMostTensors = size_t(1) << 20, kMostRank = 1024;

int64_t aligned(int64_t offset) { return (offset + kAlignment - 1) / kAlignment * kAlignment; }

Error damaged(const std::string &what) {
  return {ErrorCode::Damaged, "the message of an isolated call is damaged: " + what,
          "the program's code may have done this"};
}

Status writeAll(int file, const void *data, int64_t bytes, int64_t offset) {
  const char *next = static_cast<const char *>(data);
  while (bytes > 0) {
    const ssize_t written = ::pwrite(file, next, static_cast<size_t>(bytes), offset);
    if (written < 0 && errno == EINTR)
      continue;
    if (written <= 0)
      return systemError("write", "the message of an isolated call", errno);
    next += written, bytes -= written, offset += written;
  }
  return {};
}

/// False where the file ends before.
bool readAll(int file, void *data, int64_t bytes, int64_t offset) {
  char *next = static_cast<char *>(data);
  while (bytes > 0) {
    const ssize_t read = ::pread(file, next, static_cast<size_t>(bytes), offset);
    if (read < 0 && errno == EINTR)
      continue;
    if (read <= 0)
      return false;
    next += read, bytes -= read, offset += read;
  }
  return true;
}

/// Type and shape of one tensor; its buffer is not made yet.
std::optional<Tensor> parseTensor(const Json &json) {
  if (!json.is_object() || !json.contains("dtype") || !json["dtype"].is_string() || !json.contains("shape") ||
      !json["shape"].is_array() || json["shape"].size() > kMostRank)
    return std::nullopt;
  const std::optional<DType> dtype = parseDType(json["dtype"].get_ref<const std::string &>());
  if (!dtype)
    return std::nullopt;
  Tensor tensor;
  tensor.dtype = *dtype;
  for (const Json &size : json["shape"]) {
    if (!size.is_number_integer() || size.get<int64_t>() < 0)
      return std::nullopt;
    tensor.shape.push_back(size.get<int64_t>());
  }
  return tensor;
}

/// Nothing where they cannot be counted.
std::optional<int64_t> bytesOf(std::span<const int64_t> shape, DType dtype) {
  std::optional<int64_t> bytes = dtypeBytes(dtype);
  for (const int64_t size : shape)
    if (size == 0)
      return 0;
  for (const int64_t size : shape)
    if (bytes = checkedMul(*bytes, size); !bytes)
      return std::nullopt;
  return bytes;
}

} // namespace

Status writeMessage(int file, Json head, std::span<const TensorView> tensors) {
  Json &described = head["tensors"] = Json::array();
  for (const TensorView &tensor : tensors)
    described.push_back({{"dtype", std::string(dtypeName(tensor.dtype))},
                         {"shape", std::vector<int64_t>(tensor.shape.begin(), tensor.shape.end())}});
  const std::string text = head.dump(-1, ' ', false, Json::error_handler_t::replace);
  const uint64_t textBytes = text.size();
  MICA_RETURN_IF_ERROR(writeAll(file, &textBytes, sizeof textBytes, sizeof kComplete));
  MICA_RETURN_IF_ERROR(writeAll(file, text.data(), static_cast<int64_t>(text.size()), kHeaderBytes));
  int64_t offset = aligned(kHeaderBytes + static_cast<int64_t>(text.size()));
  for (const TensorView &tensor : tensors) {
    const std::optional<int64_t> bytes = bytesOf(tensor.shape, tensor.dtype);
    if (!bytes)
      return Error{ErrorCode::InvalidInput, "a tensor of an isolated call has more bytes than can be counted", ""};
    MICA_RETURN_IF_ERROR(writeAll(file, tensor.data, *bytes, offset));
    offset = aligned(offset + *bytes);
  }
  return writeAll(file, &kComplete, sizeof kComplete, 0);
}

Result<std::optional<Message>> readMessage(int file) {
  struct stat information {};
  uint64_t mark = 0, textBytes = 0;
  if (::fstat(file, &information) != 0)
    return systemError("read", "the message of an isolated call", errno);
  const int64_t fileBytes = information.st_size;
  if (!readAll(file, &mark, sizeof mark, 0) || mark != kComplete)
    return std::optional<Message>();
  if (!readAll(file, &textBytes, sizeof textBytes, sizeof mark) || textBytes > static_cast<uint64_t>(kMostHeadBytes))
    return damaged("its head is too long");
  std::string text(static_cast<size_t>(textBytes), '\0');
  if (!readAll(file, text.data(), static_cast<int64_t>(textBytes), kHeaderBytes))
    return damaged("its head is cut off");
  Message message;
  MICA_ASSIGN_OR_RETURN(JsonDocument document, parseJson(text, "the message of an isolated call"));
  message.head = std::move(document.root());
  if (!message.head.is_object() || !message.head.contains("tensors") || !message.head["tensors"].is_array() ||
      message.head["tensors"].size() > kMostTensors)
    return damaged("it describes no tensors");
  int64_t offset = aligned(kHeaderBytes + static_cast<int64_t>(textBytes));
  for (const Json &described : message.head["tensors"]) {
    std::optional<Tensor> tensor = parseTensor(described);
    const std::optional<int64_t> bytes = tensor ? bytesOf(tensor->shape, tensor->dtype) : std::nullopt;
    if (!bytes || *bytes > std::max<int64_t>(0, fileBytes - offset))
      return damaged("a tensor is not in it");
    MICA_ASSIGN_OR_RETURN(tensor->buffer, Buffer::allocate(*bytes));
    if (!readAll(file, tensor->buffer.data(), *bytes, offset))
      return damaged("a tensor is cut off");
    message.tensors.push_back(std::move(*tensor));
    offset = aligned(offset + *bytes);
  }
  return std::optional<Message>(std::move(message));
}

} // namespace mica::runtime
