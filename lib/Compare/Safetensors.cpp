//===- Safetensors.cpp - .safetensors files ---------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// Eight bytes with the length of a JSON header, the header, the tensors. The header gives each tensor's type, shape and
// byte range; the ranges are adjacent, as the format requires.
//
//===-------------------------------------------------------------------------------------------------------===//

#include "lib/Compare/Archives.h"

#include "lib/Support/Json.h"
#include "mica/Compare/Npy.h"
#include "mica/Support/Text.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <map>

namespace mica {
namespace {

/// The limit of the format's own library.
constexpr uint64_t kMaxHeader = 100'000'000;
constexpr size_t kDataAlignment = 64;

struct TypeRow {
  std::string_view name;
  DType type;
};
constexpr std::array<TypeRow, 16> kTypes{{{"F64", DType::F64},
                                          {"F32", DType::F32},
                                          {"F16", DType::F16},
                                          {"BF16", DType::BF16},
                                          {"F8_E4M3", DType::F8E4M3FN},
                                          {"F8_E5M2", DType::F8E5M2},
                                          {"C64", DType::C64},
                                          {"I64", DType::I64},
                                          {"I32", DType::I32},
                                          {"I16", DType::I16},
                                          {"I8", DType::I8},
                                          {"BOOL", DType::I1},
                                          {"U64", DType::UI64},
                                          {"U32", DType::UI32},
                                          {"U16", DType::UI16},
                                          {"U8", DType::UI8}}};

std::string_view typeName(DType type) {
  if (type == DType::Index)
    return "I64";
  if (type == DType::I4)
    return "I8";
  for (const TypeRow &row : kTypes)
    if (row.type == type)
      return row.name;
  return "";
}

/// The type as which a tensor is read if `expected` is requested.
DType resolve(DType stored, std::optional<DType> expected) {
  const bool standsFor = (expected == DType::BF16 && stored == DType::UI16) ||
                         ((expected == DType::F8E4M3FN || expected == DType::F8E5M2) && stored == DType::UI8) ||
                         (expected == DType::I4 && stored == DType::I8) ||
                         (expected == DType::Index && stored == DType::I64);
  return standsFor ? *expected : stored;
}

struct Entry {
  std::optional<DType> dtype; ///< nothing: an unsupported type
  std::string typeName;
  std::vector<int64_t> shape;
  std::string_view data;
};

class Safetensors final : public TensorArchive {
public:
  Safetensors(std::string file, std::shared_ptr<const void> owner)
      : TensorArchive(std::move(file)), owner(std::move(owner)) {}

  Status parse(std::string_view contents);
  Result<HostTensor> read(std::string_view tensor, std::optional<DType> expected,
                          const TypeCheck &check) const override;
  Result<std::optional<MappedTensor>> view(std::string_view tensor, std::optional<DType> expected) const override;

private:
  Error damaged(const std::string &what) const {
    return Error{ErrorCode::Damaged, name + ": " + what, "the file was cut off or edited: copy or save it again"};
  }
  Status parseEntry(const std::string &tensor, const JsonCursor &cursor, std::string_view data);
  /// Checks that the byte ranges are adjacent and fill the file.
  Status checkPlaces(std::string_view data) const;
  Result<const Entry *> find(std::string_view tensor) const;

  std::shared_ptr<const void> owner;
  std::map<std::string, Entry, std::less<>> entries;
};

Status Safetensors::parse(std::string_view contents) {
  if (contents.size() < 8)
    return damaged("not a .safetensors file: " + std::to_string(contents.size()) +
                   " bytes, it begins with the 8-byte length of its header");
  uint64_t length = 0;
  for (size_t i = 8; i-- > 0;)
    length = length << 8 | static_cast<uint8_t>(contents[i]);
  if (length > kMaxHeader || (contents.size() > 8 && contents[8] != '{'))
    return Error{ErrorCode::Damaged, name + ": not a .safetensors file (no header of JSON after its length)",
                 contents.starts_with("PK") ? "this is a zip file: a PyTorch checkpoint or an .npz by another name"
                                            : "give a file that safetensors' save_file wrote"};
  if (contents.size() - 8 < length)
    return damaged("cut off in the header: " + groupDigits(static_cast<int64_t>(contents.size())) +
                   " bytes, the header ends at " + groupDigits(static_cast<int64_t>(length + 8)));
  const std::string_view data = contents.substr(8 + length);
  MICA_ASSIGN_OR_RETURN(const JsonDocument document, parseJson(contents.substr(8, length), name));
  const Json &json = document.root();
  JsonReport report{name, "the file was cut off or edited: copy or save it again", {}};
  const JsonCursor root(json, report);
  Status failure;
  root.forEachMember([&](const std::string &tensor, const JsonCursor &cursor) {
    if (tensor != "__metadata__" && failure)
      failure = parseEntry(tensor, cursor, data);
  });
  if (report.failure)
    return *report.failure;
  MICA_RETURN_IF_ERROR(failure);
  return checkPlaces(data);
}

Status Safetensors::parseEntry(const std::string &tensor, const JsonCursor &cursor, std::string_view data) {
  Entry entry;
  entry.typeName = cursor.field("dtype").string();
  entry.shape = cursor.field("shape").integers(0);
  const std::vector<int64_t> place = cursor.field("data_offsets").integers(0);
  if (cursor.failed())
    return {};
  const std::string shown = "tensor '" + tensor + "': ";
  if (place.size() != 2 || place[0] > place[1])
    return damaged(shown + "data_offsets are not the two ends of its place");
  if (static_cast<uint64_t>(place[1]) > data.size())
    return damaged(shown + "ends at byte " + groupDigits(place[1]) + " of the data, which has " +
                   groupDigits(static_cast<int64_t>(data.size())));
  entry.data = data.substr(static_cast<size_t>(place[0]), static_cast<size_t>(place[1] - place[0]));
  for (const TypeRow &row : kTypes)
    if (row.name == entry.typeName)
      entry.dtype = row.type;
  if (entry.dtype) {
    int64_t bytes = dtypeBytes(*entry.dtype);
    for (int64_t size : entry.shape)
      if (__builtin_mul_overflow(bytes, size, &bytes))
        return damaged(shown + "a shape of more than 2^63 bytes");
    if (bytes != place[1] - place[0])
      return damaged(shown + groupDigits(place[1] - place[0]) + " bytes, " +
                     shapedTypeString(entry.shape, *entry.dtype) + " takes " + groupDigits(bytes));
  }
  members.push_back(tensor);
  entries.emplace(tensor, std::move(entry));
  return {};
}

Status Safetensors::checkPlaces(std::string_view data) const {
  std::vector<std::string_view> places;
  for (const auto &[tensor, entry] : entries)
    places.push_back(entry.data);
  std::sort(places.begin(), places.end(), [](std::string_view a, std::string_view b) {
    return a.data() != b.data() ? a.data() < b.data() : a.size() < b.size();
  });
  const char *at = data.data();
  for (std::string_view place : places) {
    if (place.data() != at)
      return damaged("the places of its tensors " + std::string(place.data() < at ? "overlap" : "leave a gap") +
                     " at byte " + groupDigits(std::min(place.data(), at) - data.data()) + " of the data");
    at = place.data() + place.size();
  }
  if (at != data.data() + data.size())
    return damaged(groupDigits(data.data() + static_cast<int64_t>(data.size()) - at) +
                   " bytes follow the last of its tensors");
  return {};
}

Result<const Entry *> Safetensors::find(std::string_view tensor) const {
  const auto it = entries.find(tensor);
  if (it == entries.end())
    return unknown(tensor);
  if (!it->second.dtype)
    return Error{ErrorCode::Unsupported,
                 name + ": tensor '" + std::string(tensor) + "' is of type " + it->second.typeName +
                     ", which has no counterpart in Mica",
                 "convert it first, to F32 for example"};
  return &it->second;
}

Result<HostTensor> Safetensors::read(std::string_view tensor, std::optional<DType> expected,
                                     const TypeCheck &check) const {
  MICA_ASSIGN_OR_RETURN(const Entry *entry, find(tensor));
  HostTensor result;
  result.dtype = resolve(*entry->dtype, expected);
  result.shape = entry->shape;
  if (check)
    MICA_RETURN_IF_ERROR(check(result));
  result.data.assign(entry->data.begin(), entry->data.end());
  MICA_RETURN_IF_ERROR(normalizeElements(result, name + ": tensor '" + std::string(tensor) + "'"));
  return result;
}

Result<std::optional<MappedTensor>> Safetensors::view(std::string_view tensor, std::optional<DType> expected) const {
  MICA_ASSIGN_OR_RETURN(const Entry *entry, find(tensor));
  const DType type = resolve(*entry->dtype, expected);
  if (type == DType::I1 || type == DType::I4)
    return std::optional<MappedTensor>();
  return std::optional<MappedTensor>(MappedTensor{type, entry->shape, entry->data});
}

} // namespace

ArchiveResult openSafetensors(std::string_view contents, std::string file, std::shared_ptr<const void> owner) {
  auto archive = std::make_shared<Safetensors>(std::move(file), std::move(owner));
  MICA_RETURN_IF_ERROR(archive->parse(contents));
  return std::shared_ptr<const TensorArchive>(std::move(archive));
}

Result<FilePieces> safetensorsPieces(std::span<const NamedTensor> tensors) {
  std::vector<const NamedTensor *> order;
  for (const NamedTensor &tensor : tensors) {
    if (typeName(tensor.tensor->dtype).empty())
      return Error{ErrorCode::Unsupported,
                   "tensor '" + tensor.name + "': the format .safetensors has no type for " +
                       tensor.tensor->typeString(),
                   "write a .npz file"};
    order.push_back(&tensor);
  }
  std::stable_sort(order.begin(), order.end(), [](const NamedTensor *a, const NamedTensor *b) {
    return dtypeBytes(a->tensor->dtype) > dtypeBytes(b->tensor->dtype);
  });
  Json header = Json::object();
  size_t offset = 0;
  for (const NamedTensor *tensor : order) {
    const size_t end = offset + tensor->tensor->data.size();
    header[tensor->name] = {
        {"dtype", typeName(tensor->tensor->dtype)}, {"shape", tensor->tensor->shape}, {"data_offsets", {offset, end}}};
    offset = end;
  }
  std::string text = printJsonLine(header);
  // The format allows blanks after the header, by which the data are aligned as the runtime requires.
  text.append((kDataAlignment - (8 + text.size()) % kDataAlignment) % kDataAlignment, ' ');
  std::string length;
  for (size_t shift = 0; shift < 64; shift += 8)
    length += static_cast<char>(static_cast<uint64_t>(text.size()) >> shift & 0xff);
  FilePieces pieces;
  pieces.addText(length + text);
  for (const NamedTensor *tensor : order)
    pieces.addBytes(bytesOf(*tensor->tensor));
  return pieces;
}

} // namespace mica
