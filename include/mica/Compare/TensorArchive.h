//===- TensorArchive.h - files of named tensors -----------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// Reads and writes NumPy's .npz (a zip file of .npy members, stored or deflated, of any size) and .safetensors. The
// file is mapped: opening it reads only its directory, and tensors that need no conversion are not copied.
//
// .safetensors names bf16 and the f8 types. It has no i4, which is written as I8 and read from I8 where i4 is expected,
// and no index, which is I64; as in .npy files U16 and U8 are taken as the bits of bf16 and f8 where those are
// expected.
//
//===-------------------------------------------------------------------------------------------------------===//

#ifndef MICA_COMPARE_TENSORARCHIVE_H
#define MICA_COMPARE_TENSORARCHIVE_H

#include "mica/Support/HostTensor.h"
#include "mica/Support/Status.h"

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace mica {

enum class ArchiveForm { Npz, Safetensors };

/// By the file name extension; nothing for any other.
std::optional<ArchiveForm> archiveForm(const std::filesystem::path &file);

/// FILE.npz:NAME, parsed; `tensor` is "" if `text` names no tensor, or no archive.
struct ArchiveMember {
  std::filesystem::path file;
  std::string tensor;
};
ArchiveMember splitArchiveMember(std::string_view text);

/// A tensor in a mapped archive; valid as long as the archive.
struct MappedTensor {
  DType dtype = DType::F32;
  std::vector<int64_t> shape;
  std::string_view data; ///< packed, row-major; not aligned
};

/// A filter that is called with a tensor's element type and shape, without data, before memory is allocated. The reader
/// returns its error.
using TypeCheck = std::function<Status(const HostTensor &type)>;

/// An opened file. Reading is safe from several threads.
class TensorArchive {
public:
  /// Errors name the file: NotFound, Io; Damaged (not of the form that its name implies, truncated, directory
  /// inconsistent); Unsupported (encrypted or compressed by a method other than deflate).
  static Result<std::shared_ptr<const TensorArchive>> open(const std::filesystem::path &file);
  /// The same for contents in memory, which must outlive the archive; `file` is used in messages.
  static Result<std::shared_ptr<const TensorArchive>> parse(std::string_view contents, ArchiveForm form,
                                                            std::string file);
  virtual ~TensorArchive() = default;

  /// The file as given.
  const std::string &file() const { return name; }
  /// The tensors, in the file's order.
  const std::vector<std::string> &names() const { return members; }
  bool has(std::string_view tensor) const;

  /// A copy of a tensor. Errors: NotFound (with the available names), and problems of this tensor. `expected` chooses
  /// among types with the same name, as for .npy files.
  virtual Result<HostTensor> read(std::string_view tensor, std::optional<DType> expected = {},
                                  const TypeCheck &check = {}) const = 0;
  /// A view of the tensor; nothing if its bytes need conversion (deflated, big-endian, Fortran order, i1 and i4, whose
  /// values are checked). Errors as read().
  virtual Result<std::optional<MappedTensor>> view(std::string_view tensor,
                                                   std::optional<DType> expected = {}) const = 0;

protected:
  explicit TensorArchive(std::string name) : name(std::move(name)) {}
  Error unknown(std::string_view tensor) const;

  std::string name;
  std::vector<std::string> members;
};

/// A tensor to write.
struct NamedTensor {
  std::string name;
  const HostTensor *tensor = nullptr;
};

/// Creates or replaces `file` atomically, in the form of its extension. Members are stored, not deflated; in
/// .safetensors they are ordered by element size, so that each is aligned to its own. InvalidInput: duplicate names.
Status writeTensorArchive(const std::filesystem::path &file, std::span<const NamedTensor> tensors);

/// The contents of such a file as a string: for tests.
Result<std::string> printTensorArchive(ArchiveForm form, std::span<const NamedTensor> tensors);

} // namespace mica

#endif // MICA_COMPARE_TENSORARCHIVE_H
