//===- Npy.h - NumPy's .npy files --------------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// Reads versions 1, 2 and 3, either byte order, C and Fortran order; writes version 1 (2 where the header needs it),
// little-endian, C order. NumPy has no names for some of our types: bf16 is written as raw '<V2', the two f8 types as
// '|V1' (what ml_dtypes arrays are saved as; numpy.load(f).view(ml_dtypes.bfloat16) reads them), i4 as '|i1', index as
// '<i8'. Where a descr stands for several of our types the expected type decides.
//
//===-------------------------------------------------------------------------------------------------------===//

#ifndef MICA_COMPARE_NPY_H
#define MICA_COMPARE_NPY_H

#include "mica/Support/HostTensor.h"
#include "mica/Support/Status.h"

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace mica {

/// The tensor in `file`. Errors name the file: NotFound, Io; Damaged (no .npy file, header cut off, fewer or more bytes than
/// the header says); Unsupported (objects, text, complex and structured types). `expected` only chooses among types that share
/// a descr; another type in the file is returned as it is.
Result<HostTensor> readNpy(const std::filesystem::path &file, std::optional<DType> expected = {});

/// The same for contents in memory; `file` is used in messages.
Result<HostTensor> parseNpy(std::string_view contents, std::string_view file, std::optional<DType> expected = {});

/// Creates or replaces `file`, whole or not at all.
Status writeNpy(const std::filesystem::path &file, const HostTensor &tensor);

/// The same without temporary file and fsync, for folders that nobody else reads yet.
Status writeNpyInPlace(const std::filesystem::path &file, const HostTensor &tensor);

/// Magic, version and header of the file for `tensor`, a multiple of 64 bytes.
std::string npyHeader(const HostTensor &tensor);

} // namespace mica

#endif // MICA_COMPARE_NPY_H
