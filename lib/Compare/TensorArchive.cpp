//===- TensorArchive.cpp - files of named tensors ---------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// Parts that both formats share.
//
//===-------------------------------------------------------------------------------------------------------===//

#include "mica/Compare/TensorArchive.h"

#include "lib/Compare/Archives.h"
#include "mica/Support/Files.h"
#include "mica/Support/MappedFile.h"
#include "mica/Support/Text.h"

#include <algorithm>
#include <set>

namespace mica {
namespace {

ArchiveResult openForm(ArchiveForm form, std::string_view contents, std::string file,
                       std::shared_ptr<const void> owner) {
  return form == ArchiveForm::Npz ? openNpz(contents, std::move(file), std::move(owner))
                                  : openSafetensors(contents, std::move(file), std::move(owner));
}

Result<FilePieces> piecesOf(ArchiveForm form, std::span<const NamedTensor> tensors) {
  std::set<std::string_view> names;
  for (const NamedTensor &tensor : tensors)
    if (!names.insert(tensor.name).second)
      return Error{ErrorCode::InvalidInput, "two tensors of one file are called '" + tensor.name + "'",
                   "give each a name of its own"};
  return form == ArchiveForm::Npz ? npzPieces(tensors) : safetensorsPieces(tensors);
}

} // namespace

std::optional<ArchiveForm> archiveForm(const std::filesystem::path &file) {
  const std::string ending = file.extension().string();
  if (ending == ".npz")
    return ArchiveForm::Npz;
  if (ending == ".safetensors")
    return ArchiveForm::Safetensors;
  return std::nullopt;
}

ArchiveMember splitArchiveMember(std::string_view text) {
  // Names of tensors, and folders, may contain colons: the first colon after an archive's extension is used.
  for (size_t colon = text.find(':'); colon != std::string_view::npos; colon = text.find(':', colon + 1))
    if (std::filesystem::path file = text.substr(0, colon); archiveForm(file))
      return {std::move(file), std::string(text.substr(colon + 1))};
  return {text, ""};
}

ArchiveResult TensorArchive::open(const std::filesystem::path &file) {
  const std::optional<ArchiveForm> form = archiveForm(file);
  if (!form)
    return Error{ErrorCode::InvalidInput, file.string() + ": not a file of named tensors",
                 "those end in .npz or .safetensors"};
  MICA_ASSIGN_OR_RETURN(std::shared_ptr<MappedFile> mapped, MappedFile::open(file));
  const std::string_view contents = mapped->contents();
  return openForm(*form, contents, file.string(), std::move(mapped));
}

ArchiveResult TensorArchive::parse(std::string_view contents, ArchiveForm form, std::string file) {
  return openForm(form, contents, std::move(file), nullptr);
}

bool TensorArchive::has(std::string_view tensor) const {
  return std::find(members.begin(), members.end(), tensor) != members.end();
}

Error TensorArchive::unknown(std::string_view tensor) const {
  return Error{ErrorCode::NotFound, name + ": has no tensor '" + std::string(tensor) + "'",
               members.empty() ? "it holds no tensors" : unknownNameHint(tensor, members)};
}

void FilePieces::addText(std::string text) {
  texts.push_back(std::make_unique<std::string>(std::move(text)));
  addBytes(*texts.back());
}

Status writeTensorArchive(const std::filesystem::path &file, std::span<const NamedTensor> tensors) {
  const std::optional<ArchiveForm> form = archiveForm(file);
  if (!form)
    return Error{ErrorCode::InvalidInput, file.string() + ": not the name of a file of named tensors",
                 "those end in .npz or .safetensors"};
  MICA_ASSIGN_OR_RETURN(const FilePieces pieces, piecesOf(*form, tensors));
  return writeFileAtomic(file, pieces.all());
}

Result<std::string> printTensorArchive(ArchiveForm form, std::span<const NamedTensor> tensors) {
  MICA_ASSIGN_OR_RETURN(const FilePieces pieces, piecesOf(form, tensors));
  std::string text;
  for (std::string_view piece : pieces.all())
    text += piece;
  return text;
}

} // namespace mica
