//===- Npz.cpp - .npz files -------------------------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// A zip file whose members <name>.npy are the tensors. Other members are ignored, as in NumPy.
//
//===-------------------------------------------------------------------------------------------------------===//

#include "lib/Compare/Zip.h"
#include "mica/Compare/Npy.h"

#include <map>
#include <new>

namespace mica {
namespace {

constexpr std::string_view kEnding = ".npy";

class Npz final : public TensorArchive {
public:
  Npz(std::string file, std::shared_ptr<const void> owner) : TensorArchive(std::move(file)), owner(std::move(owner)) {}

  Status parse(std::string_view contents);
  Result<HostTensor> read(std::string_view tensor, std::optional<DType> expected,
                          const TypeCheck &check) const override;
  Result<std::optional<MappedTensor>> view(std::string_view tensor, std::optional<DType> expected) const override;

private:
  std::string shown(std::string_view tensor) const { return name + ":" + std::string(tensor); }

  std::shared_ptr<const void> owner;
  std::map<std::string, ZipMember, std::less<>> entries;
};

Status Npz::parse(std::string_view contents) {
  MICA_ASSIGN_OR_RETURN(std::vector<ZipMember> all, readZipDirectory(contents, name));
  for (ZipMember &member : all) {
    if (!member.name.ends_with(kEnding))
      continue;
    const std::string tensor = member.name.substr(0, member.name.size() - kEnding.size());
    if (!entries.emplace(tensor, std::move(member)).second)
      return Error{ErrorCode::Damaged, name + ": two members are called '" + tensor + ".npy'",
                   "save it again with numpy.savez"};
    members.push_back(tensor);
  }
  return {};
}

Result<HostTensor> Npz::read(std::string_view tensor, std::optional<DType> expected, const TypeCheck &check) const try {
  const auto it = entries.find(tensor);
  if (it == entries.end())
    return unknown(tensor);
  std::string buffer;
  if (check) {
    constexpr size_t kLongestHeader = size_t(1) << 17;
    MICA_ASSIGN_OR_RETURN(const std::string_view head, readZipMemberHead(it->second, kLongestHeader, name, buffer));
    MICA_ASSIGN_OR_RETURN(const HostTensor type, parseNpyType(head, shown(tensor), expected));
    MICA_RETURN_IF_ERROR(check(type));
  }
  MICA_ASSIGN_OR_RETURN(const std::string_view contents, readZipMember(it->second, name, buffer));
  return parseNpy(contents, shown(tensor), expected);
} catch (const std::bad_alloc &) {
  return Error{ErrorCode::Io, shown(tensor) + ": not enough memory for it", ""};
}

Result<std::optional<MappedTensor>> Npz::view(std::string_view tensor, std::optional<DType> expected) const {
  const auto it = entries.find(tensor);
  if (it == entries.end())
    return unknown(tensor);
  if (it->second.method != 0)
    return std::optional<MappedTensor>();
  std::string buffer;
  MICA_ASSIGN_OR_RETURN(const std::string_view contents, readZipMember(it->second, name, buffer));
  return viewNpy(contents, shown(tensor), expected);
}

} // namespace

ArchiveResult openNpz(std::string_view contents, std::string file, std::shared_ptr<const void> owner) {
  auto archive = std::make_shared<Npz>(std::move(file), std::move(owner));
  MICA_RETURN_IF_ERROR(archive->parse(contents));
  return std::shared_ptr<const TensorArchive>(std::move(archive));
}

FilePieces npzPieces(std::span<const NamedTensor> tensors) {
  ZipWriter writer;
  for (const NamedTensor &tensor : tensors)
    writer.add(tensor.name + std::string(kEnding), npyHeader(*tensor.tensor), bytesOf(*tensor.tensor));
  return writer.finish();
}

} // namespace mica
