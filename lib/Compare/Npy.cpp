//===- Npy.cpp - NumPy's .npy files ------------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// Types, byte order, element order and size checks around the header's reader.
//
//===-------------------------------------------------------------------------------------------------------===//

#include "mica/Compare/Npy.h"

#include "lib/Compare/NpyHeader.h"
#include "mica/Support/Checked.h"
#include "mica/Support/Files.h"
#include "mica/Support/MappedFile.h"
#include "mica/Support/Text.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace mica {
namespace {

/// NumPy's name of a type (without the byte order), and the corresponding type.
struct DescrRow {
  std::string_view name;
  DType type;
};
constexpr std::array<DescrRow, 21> kDescrs{{
    {"f8", DType::F64},
    {"f4", DType::F32},
    {"f2", DType::F16},
    {"c8", DType::C64},
    {"c16", DType::C128},
    {"i8", DType::I64},
    {"i4", DType::I32},
    {"i2", DType::I16},
    {"i1", DType::I8},
    {"u8", DType::UI64},
    {"u4", DType::UI32},
    {"u2", DType::UI16},
    {"u1", DType::UI8},
    {"b1", DType::I1},
    {"?", DType::I1},
    {"V2", DType::BF16},
    {"f1", DType::F8E5M2}, // the other f8 types are V1 in ml_dtypes
    // Names that writers without NumPy's type codes use.
    {"bfloat16", DType::BF16},
    {"float8_e4m3fn", DType::F8E4M3FN},
    {"float8_e5m2", DType::F8E5M2},
    {"int4", DType::I4},
}};

std::string descrFor(DType type) {
  switch (type) {
  case DType::F64:
    return "<f8";
  case DType::F32:
    return "<f4";
  case DType::F16:
    return "<f2";
  case DType::BF16:
    return "<V2";
  case DType::F8E4M3FN:
  case DType::F8E5M2:
    return "|V1";
  case DType::C64:
    return "<c8";
  case DType::C128:
    return "<c16";
  case DType::I64:
  case DType::Index:
    return "<i8";
  case DType::I32:
    return "<i4";
  case DType::I16:
    return "<i2";
  case DType::I8:
  case DType::I4:
    return "|i1";
  case DType::I1:
    return "|b1";
  case DType::UI64:
    return "<u8";
  case DType::UI32:
    return "<u4";
  case DType::UI16:
    return "<u2";
  case DType::UI8:
    return "|u1";
  }
  return "";
}

/// The type of `descr`; sets `swap` if its bytes are big-endian.
Result<DType> typeOf(std::string descr, std::string_view file, std::optional<DType> expected, bool &swap) {
  const std::string shown = descr.empty() ? "a structured type" : "'" + descr + "'";
  if (!descr.empty() && std::string_view("<>|=").find(descr[0]) != std::string_view::npos) {
    swap = descr[0] == '>';
    descr.erase(0, 1);
  }
  if (descr == "V1") {
    if (expected == DType::F8E4M3FN || expected == DType::F8E5M2 || expected == DType::I4)
      return *expected;
    return Error{ErrorCode::Unsupported,
                 std::string(file) + ": elements are raw bytes (" + shown + "), which may be f8E4M3FN, f8E5M2 or i4",
                 "the entry's argument decides: give the file where it takes one of them"};
  }
  // Writers without ml_dtypes store such tensors as their bits.
  if ((descr == "u1" && (expected == DType::F8E4M3FN || expected == DType::F8E5M2)) ||
      (descr == "u2" && expected == DType::BF16))
    return *expected;
  for (const DescrRow &row : kDescrs) {
    if (row.name != descr)
      continue;
    if ((row.type == DType::I64 && expected == DType::Index) || (row.type == DType::I8 && expected == DType::I4))
      return *expected;
    return row.type;
  }
  std::string what = shown;
  const std::string hint = "convert the array first, with .astype(numpy.float32) for example";
  if (descr.starts_with("O"))
    what += " (Python objects)";
  else if (descr.starts_with("U") || descr.starts_with("S"))
    what += " (text)";
  return Error{ErrorCode::Unsupported, std::string(file) + ": element type " + what + " has no counterpart in Mica",
               hint};
}

void swapBytes(std::vector<uint8_t> &data, int64_t width) {
  for (size_t i = 0; i + static_cast<size_t>(width) <= data.size(); i += static_cast<size_t>(width))
    std::reverse(data.begin() + static_cast<int64_t>(i), data.begin() + static_cast<int64_t>(i) + width);
}

/// Reorders elements from Fortran (first dimension fastest) to row-major.
void toRowMajor(HostTensor &tensor) {
  const size_t width = static_cast<size_t>(dtypeBytes(tensor.dtype)), rank = tensor.shape.size();
  std::vector<int64_t> stride(rank, 1), index(rank, 0);
  for (size_t d = 1; d < rank; ++d)
    stride[d] = stride[d - 1] * tensor.shape[d - 1];
  std::vector<uint8_t> result(tensor.data.size());
  int64_t source = 0;
  for (size_t target = 0; target < result.size(); target += width) {
    std::memcpy(result.data() + target, tensor.data.data() + static_cast<size_t>(source) * width, width);
    for (size_t d = rank; d-- > 0;) {
      source += stride[d];
      if (++index[d] < tensor.shape[d])
        break;
      source -= stride[d] * tensor.shape[d];
      index[d] = 0;
    }
  }
  tensor.data = std::move(result);
}

/// A parsed file: its contents, and the required conversions.
struct Located {
  NpyHeader header;
  DType type = DType::F32;
  std::string_view data;
  bool swap = false;    ///< big-endian
  bool reorder = false; ///< Fortran order
};

Result<Located> locate(std::string_view contents, std::string_view file, std::optional<DType> expected) {
  Located located;
  MICA_ASSIGN_OR_RETURN(located.header, parseNpyHeader(contents, file));
  MICA_ASSIGN_OR_RETURN(located.type, typeOf(located.header.descr, file, expected, located.swap));
  const std::vector<int64_t> &shape = located.header.shape;
  const std::optional<int64_t> counted = checkedBytes(shape, dtypeBytes(located.type));
  if (!counted)
    return Error{ErrorCode::Damaged, std::string(file) + ": a shape of more than 2^63 bytes", "the header is damaged"};
  const int64_t bytes = *counted;
  located.data = contents.substr(located.header.dataOffset);
  const auto given = static_cast<int64_t>(located.data.size());
  const std::string shown = shapedTypeString(shape, located.type);
  if (given < bytes)
    return Error{ErrorCode::Damaged,
                 std::string(file) + ": too short: " + groupDigits(given) + " bytes of data, " + shown + " takes " +
                     groupDigits(bytes),
                 "the file was cut off: copy or save it again"};
  if (given > bytes)
    return Error{ErrorCode::Damaged,
                 std::string(file) + ": " + groupDigits(given - bytes) + " bytes follow the data of " + shown,
                 "the file is damaged, or holds several arrays: save one array per file"};
  located.swap = located.swap && dtypeBytes(located.type) > 1;
  located.reorder = located.header.fortranOrder && shape.size() > 1;
  return located;
}

} // namespace

Status normalizeElements(HostTensor &tensor, const std::string &what) {
  if (tensor.dtype == DType::I1)
    for (uint8_t &value : tensor.data)
      value = value != 0;
  if (tensor.dtype == DType::I4)
    for (size_t i = 0; i < tensor.data.size(); ++i)
      if (const auto value = static_cast<int8_t>(tensor.data[i]); value < -8 || value > 7)
        return Error{ErrorCode::InvalidInput,
                     what + ": element " + std::to_string(i) + " is " + std::to_string(value) + ", an i4 is -8 to 7",
                     ""};
  return {};
}

Result<HostTensor> parseNpyType(std::string_view contents, std::string_view file, std::optional<DType> expected) {
  MICA_ASSIGN_OR_RETURN(NpyHeader header, parseNpyHeader(contents, file));
  HostTensor tensor;
  bool swap = false;
  MICA_ASSIGN_OR_RETURN(tensor.dtype, typeOf(header.descr, file, expected, swap));
  tensor.shape = std::move(header.shape);
  return tensor;
}

Result<HostTensor> parseNpy(std::string_view contents, std::string_view file, std::optional<DType> expected,
                            const TypeCheck &check) {
  MICA_ASSIGN_OR_RETURN(Located located, locate(contents, file, expected));
  HostTensor tensor;
  tensor.dtype = located.type;
  tensor.shape = std::move(located.header.shape);
  if (check)
    MICA_RETURN_IF_ERROR(check(tensor));
  tensor.data.assign(located.data.begin(), located.data.end());
  if (located.swap)
    swapBytes(tensor.data, dtypeBytes(partOf(tensor.dtype)));
  if (located.reorder)
    toRowMajor(tensor);
  MICA_RETURN_IF_ERROR(normalizeElements(tensor, std::string(file)));
  return tensor;
}

Result<std::optional<MappedTensor>> viewNpy(std::string_view contents, std::string_view file,
                                            std::optional<DType> expected) {
  MICA_ASSIGN_OR_RETURN(const Located located, locate(contents, file, expected));
  if (located.swap || located.reorder || located.type == DType::I1 || located.type == DType::I4)
    return std::optional<MappedTensor>();
  return std::optional<MappedTensor>(MappedTensor{located.type, located.header.shape, located.data});
}

Result<HostTensor> readNpy(const std::filesystem::path &file, std::optional<DType> expected, const TypeCheck &check) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(file, error)) { // a pipe
    MICA_ASSIGN_OR_RETURN(const std::string contents, readFile(file));
    return parseNpy(contents, file.string(), expected, check);
  }
  MICA_ASSIGN_OR_RETURN(const std::unique_ptr<MappedFile> mapped, MappedFile::open(file));
  return parseNpy(mapped->contents(), file.string(), expected, check);
}

std::string npyHeader(const HostTensor &tensor) { return npyHeader(tensor.dtype, tensor.shape); }

std::string npyHeader(DType dtype, const std::vector<int64_t> &sizes) {
  std::string shape;
  for (size_t i = 0; i < sizes.size(); ++i)
    shape += (i ? ", " : "") + std::to_string(sizes[i]);
  if (sizes.size() == 1)
    shape += ",";
  std::string text = "{'descr': '" + descrFor(dtype) + "', 'fortran_order': False, 'shape': (" + shape + "), }";
  // Magic, version, length and header together are a multiple of 64; the header ends with a newline.
  const bool isLong = text.size() + 1 + 63 > 65535;
  const size_t start = isLong ? 12 : 10;
  text.append(63 - (start + text.size()) % 64, ' ');
  text += '\n';
  std::string header("\x93NUMPY", 6);
  header += isLong ? '\2' : '\1';
  header += '\0';
  for (size_t shift = 0; shift < (isLong ? 32 : 16); shift += 8)
    header += static_cast<char>(text.size() >> shift & 0xff);
  return header + text;
}

Status writeNpy(const std::filesystem::path &file, const HostTensor &tensor) {
  const std::string_view data(reinterpret_cast<const char *>(tensor.data.data()), tensor.data.size());
  return writeFileAtomic(file, {npyHeader(tensor), data});
}

Status writeNpyInPlace(const std::filesystem::path &file, const HostTensor &tensor) {
  const std::string_view data(reinterpret_cast<const char *>(tensor.data.data()), tensor.data.size());
  return writeFile(file, {npyHeader(tensor), data});
}

} // namespace mica
