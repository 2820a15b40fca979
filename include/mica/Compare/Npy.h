//===- Npy.h - NumPy's .npy files --------------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// Reads versions 1, 2 and 3, either byte order, C and Fortran order; writes version 1 (2 where the header needs it),
// little-endian, C order. NumPy has no names for some of our types; they are written as the bytes that ml_dtypes arrays
// are saved as, which numpy.load(f).view(ml_dtypes.bfloat16) reads: bf16 '<V2', f8E4M3FN '|V1', f8E5M2 '|V1'; i4 is
// '|i1', index '<i8'. Where a descr stands for several of our types the expected type decides: '|V1' may be either f8
// or i4, '<i1' i4, '<f1' is what newer ml_dtypes calls float8_e5m2, and '<u2' and '|u1' are taken as the bits of bf16
// and f8.
//
//===-------------------------------------------------------------------------------------------------------===//

#ifndef MICA_COMPARE_NPY_H
#define MICA_COMPARE_NPY_H

#include "mica/Compare/TensorArchive.h"
#include "mica/Support/HostTensor.h"
#include "mica/Support/Status.h"

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace mica {

/// The tensor in `file`. Errors name the file: NotFound, Io; Damaged (no .npy file, header cut off, fewer or more bytes
/// than the header says); Unsupported (objects, text, complex and structured types). `expected` only chooses among
/// types that share a descr; another type in the file is returned as it is.
Result<HostTensor> readNpy(const std::filesystem::path &file, std::optional<DType> expected = {},
                           const TypeCheck &check = {});

/// The same for contents in memory; `file` is used in messages.
Result<HostTensor> parseNpy(std::string_view contents, std::string_view file, std::optional<DType> expected = {},
                            const TypeCheck &check = {});

/// Element type and shape of the tensor, without data. `contents` may end behind the header.
Result<HostTensor> parseNpyType(std::string_view contents, std::string_view file, std::optional<DType> expected = {});

/// A view of the tensor in `contents`; nothing if its bytes need conversion (big-endian, Fortran order, i1, i4). Errors
/// as parseNpy().
Result<std::optional<MappedTensor>> viewNpy(std::string_view contents, std::string_view file,
                                            std::optional<DType> expected = {});

/// Normalizes every i1 to 0 or 1, and rejects an i4 outside of -8 to 7, since a file may contain any byte. `what`
/// begins the message.
Status normalizeElements(HostTensor &tensor, const std::string &what);

/// Creates or replaces `file` atomically.
Status writeNpy(const std::filesystem::path &file, const HostTensor &tensor);

/// The same without temporary file and fsync, for folders that no other process reads yet.
Status writeNpyInPlace(const std::filesystem::path &file, const HostTensor &tensor);

/// Magic, version and header of the file for such a tensor, a multiple of 64 bytes.
std::string npyHeader(DType dtype, const std::vector<int64_t> &shape);
std::string npyHeader(const HostTensor &tensor);

} // namespace mica

#endif // MICA_COMPARE_NPY_H
