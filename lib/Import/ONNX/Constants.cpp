//===- Constants.cpp - the elements of tensors ----------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// A TensorProto holds its elements as raw bytes, in a field by type, or in a file beside the model. What its sizes say
// and what it holds must agree before anything of that size is allocated.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "lib/Import/ONNX/Importer.h"
#include "lib/Import/ONNX/SmallTypes.h"

#include "mlir/IR/AsmState.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "llvm/Support/CheckedArithmetic.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace mica;
using namespace mica::importer;

/// Constants of more elements are resources, whose bytes no pass looks at.
static constexpr int64_t kMostDenseElements = 64;
/// Elements of integer tensors that sizes may be computed of.
static constexpr int64_t kMostKnownElements = 1024;

namespace {
/// Where a tensor's bytes lie in a file.
struct ExternalPlace {
  std::string location;
  uint64_t offset = 0;
  std::optional<uint64_t> length;
};
} // namespace

static std::optional<ExternalPlace> externalPlace(const ::onnx::TensorProto &tensor, std::string &problem) {
  ExternalPlace place;
  for (const auto &entry : tensor.external_data()) {
    uint64_t number = 0;
    if (entry.key() == "location") {
      place.location = entry.value();
    } else if (entry.key() == "offset" || entry.key() == "length") {
      if (llvm::StringRef(entry.value()).getAsInteger(10, number)) {
        problem = "its " + entry.key() + " '" + entry.value() + "' is no number";
        return std::nullopt;
      }
      (entry.key() == "offset" ? place.offset : place.length.emplace()) = number;
    }
  }
  // Only files in the model's folder: a model must not read what its sender names.
  llvm::SmallVector<llvm::StringRef> parts;
  llvm::StringRef(place.location).split(parts, '/');
  if (place.location.empty() || llvm::sys::path::is_absolute(place.location) || llvm::is_contained(parts, "..") ||
      llvm::StringRef(place.location).contains('\0') || llvm::StringRef(place.location).contains('\\')) {
    problem = "its file '" + place.location + "' is not within the folder of the model";
    return std::nullopt;
  }
  return place;
}

/// The bytes of a tensor in a file of `folder`; `expected` bytes.
static std::unique_ptr<llvm::MemoryBuffer> readExternal(const ::onnx::TensorProto &tensor, llvm::StringRef folder,
                                                        uint64_t expected, std::string &problem) {
  std::optional<ExternalPlace> place = externalPlace(tensor, problem);
  if (!place)
    return nullptr;
  if (place->length && *place->length != expected) {
    problem =
        "its length is " + std::to_string(*place->length) + " bytes, but its shape needs " + std::to_string(expected);
    return nullptr;
  }
  llvm::SmallString<256> path(folder), realFolder, realFile;
  llvm::sys::path::append(path, place->location);
  if (llvm::sys::fs::real_path(folder.empty() ? "." : folder, realFolder) || llvm::sys::fs::real_path(path, realFile)) {
    problem = "its file '" + path.str().str() + "' cannot be read";
    return nullptr;
  }
  // A symbolic link leads out as well as "..".
  if (realFolder != "/" &&
      !(realFile.starts_with(realFolder) && realFile.str().drop_front(realFolder.size()).starts_with("/"))) {
    problem = "its file '" + place->location + "' is not within the folder of the model";
    return nullptr;
  }
  uint64_t size = 0;
  if (llvm::sys::fs::file_size(realFile, size) || place->offset > size || expected > size - place->offset) {
    problem = "its file '" + path.str().str() + "' has " + std::to_string(size) + " bytes, but " +
              std::to_string(expected) + " are needed from offset " + std::to_string(place->offset);
    return nullptr;
  }
  auto buffer = llvm::MemoryBuffer::getFileSlice(realFile, expected, place->offset);
  if (!buffer) {
    problem = "its file '" + path.str().str() + "' cannot be read: " + buffer.getError().message();
    return nullptr;
  }
  return std::move(*buffer);
}

/// Appends the low `width` bytes of each value, of those fields that hold narrower elements.
template <typename List> static std::string packed(const List &values, unsigned width) {
  std::string bytes;
  bytes.reserve(values.size() * width);
  for (auto value : values)
    bytes.append(reinterpret_cast<const char *>(&value), width);
  return bytes;
}

/// The elements as little-endian bytes, a byte per i1.
static std::string typedBytes(const ::onnx::TensorProto &tensor, unsigned width) {
  switch (tensor.data_type()) {
  case ::onnx::TensorProto::FLOAT:
    return packed(tensor.float_data(), 4);
  case ::onnx::TensorProto::DOUBLE:
    return packed(tensor.double_data(), 8);
  case ::onnx::TensorProto::INT64:
    return packed(tensor.int64_data(), 8);
  case ::onnx::TensorProto::UINT32:
  case ::onnx::TensorProto::UINT64:
    return packed(tensor.uint64_data(), width);
  default:
    return packed(tensor.int32_data(), width);
  }
}

FailureOr<Tensor> Importer::constantOf(const ::onnx::TensorProto &tensor, OpBuilder &builder, Location loc) {
  auto fail = [&](const llvm::Twine &problem) -> FailureOr<Tensor> {
    emitError(loc) << "tensor '" << printable(tensor.name()) << "': " << printable(problem.str());
    return failure();
  };
  Tensor result;
  Type element = elementType(tensor.data_type(), result.isUnsigned);
  if (!element)
    return fail(tensor.data_type() == ::onnx::TensorProto::STRING
                    ? llvm::Twine("holds strings, which are not supported")
                    : "element type " + llvm::Twine(tensor.data_type()) + " of TensorProto.DataType is not supported");
  result.small = smallTypeOf(tensor.data_type(), *builder.getContext());
  // Several elements of 2 or 4 bits are in a byte, the first one in the lowest bits.
  const unsigned bits = (result.small ? result.small : element).getIntOrFloatBitWidth();
  const bool isPacked = bits == 2 || bits == 4;
  const unsigned width = bits < 8 ? 1 : bits / 8;
  constexpr int kMostDims = 32;
  if (tensor.dims_size() > kMostDims)
    return fail("has " + llvm::Twine(tensor.dims_size()) + " dimensions");
  Ints shape(tensor.dims().begin(), tensor.dims().end());
  int64_t count = 1;
  for (int64_t size : shape) {
    std::optional<int64_t> more = size < 0 ? std::nullopt : llvm::checkedMul(count, size);
    if (!more || *more > (int64_t(1) << 40))
      return fail("its sizes are negative or too large");
    count = *more;
  }
  const uint64_t perByte = isPacked ? 8 / bits : 1;
  const uint64_t expected = (static_cast<uint64_t>(count) + perByte - 1) / perByte * width;

  std::string problem, own;
  std::shared_ptr<llvm::MemoryBuffer> external;
  llvm::StringRef bytes;
  if (tensor.data_location() == ::onnx::TensorProto::EXTERNAL) {
    external = readExternal(tensor, folder, expected, problem);
    if (!external)
      return fail(problem);
    bytes = external->getBuffer();
  } else if (tensor.has_raw_data()) {
    bytes = tensor.raw_data();
  } else {
    own = typedBytes(tensor, width);
    bytes = own;
  }
  if (bytes.size() != expected)
    return fail("holds " + llvm::Twine(bytes.size()) + " bytes, but its shape needs " + llvm::Twine(expected));
  std::string unpacked;
  for (uint64_t i = 0; i < static_cast<uint64_t>(count) && isPacked; ++i)
    unpacked += char((uint8_t(bytes[i / perByte]) >> (i % perByte * bits)) & ((1u << bits) - 1));
  if (isPacked)
    bytes = unpacked;
  std::string carried;
  if (result.small) {
    carried = carriedElements(bytes, result.small, result.isUnsigned);
    bytes = carried;
  }

  auto type = RankedTensorType::get(shape, element);
  ElementsAttr value;
  if (element.isInteger(1)) {
    llvm::SmallVector<bool> bits;
    for (char byte : bytes)
      bits.push_back(byte != 0);
    value = DenseElementsAttr::get(type, bits);
  } else if (count <= kMostDenseElements || element.isInteger(4)) {
    value = DenseElementsAttr::getFromRawBuffer(type, llvm::ArrayRef<char>(bytes.data(), bytes.size()));
  } else {
    value = DenseResourceElementsAttr::get(
        type, tensor.name().empty() ? "onnx" : tensor.name(),
        HeapAsmResourceBlob::allocateAndCopyWithAlign(llvm::ArrayRef<char>(bytes.data(), bytes.size()),
                                                      alignof(std::max_align_t)));
  }
  result.value = ConstantOp::create(builder, loc, value);
  if (isa<IntegerType>(element) && shape.size() <= 1 && count <= kMostKnownElements) {
    Sizes elements;
    for (int64_t i = 0; i < count; ++i) {
      uint64_t bits = 0;
      memcpy(&bits, bytes.data() + i * width, width);
      const unsigned shift = 64 - element.getIntOrFloatBitWidth();
      const int64_t number = result.isUnsigned || element.isInteger(1) ? static_cast<int64_t>(bits)
                                                                       : static_cast<int64_t>(bits << shift) >> shift;
      elements.push_back(builder.getIndexAttr(element.isInteger(1) ? number != 0 : number));
    }
    result.elements = std::move(elements);
  }
  return result;
}
