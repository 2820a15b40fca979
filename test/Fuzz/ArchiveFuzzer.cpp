//===- ArchiveFuzzer.cpp - .npz and .safetensors files ----------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// MICA_FUZZ_FORM is the form; what can be read is written and read again.
//
//===-------------------------------------------------------------------------------------------------------===//

#include "test/Fuzz/Fuzz.h"

#include "mica/Compare/TensorArchive.h"

#include <vector>

using namespace mica;

using Archive = std::shared_ptr<const TensorArchive>;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  constexpr ArchiveForm kForm = ArchiveForm::MICA_FUZZ_FORM;
  Result<Archive> archive = TensorArchive::parse(fuzz::view(data, size), kForm, "x");
  if (!archive) {
    fuzz::checkRefusal(archive.error());
    return 0;
  }
  std::vector<HostTensor> tensors;
  std::vector<std::string> names;
  for (const std::string &name : (*archive)->names()) {
    Result<HostTensor> tensor = (*archive)->read(name, DType::BF16);
    Result<std::optional<MappedTensor>> view = (*archive)->view(name, DType::BF16);
    if (!tensor) {
      fuzz::checkRefusal(tensor.error());
      continue;
    }
    fuzz::expect(view.isOk(), "what can be read can be viewed, or is said to have to be read");
    if (*view)
      fuzz::expect((*view)->dtype == tensor->dtype && (*view)->shape == tensor->shape &&
                       std::vector<uint8_t>((*view)->data.begin(), (*view)->data.end()) == tensor->data,
                   "a view is what is read");
    tensors.push_back(std::move(*tensor));
    names.push_back(name);
  }
  std::vector<NamedTensor> named;
  for (size_t i = 0; i < tensors.size(); ++i)
    named.push_back({names[i], &tensors[i]});
  Result<std::string> text = printTensorArchive(kForm, named);
  fuzz::expect(text.isOk(), "what was read can be written");
  Result<Archive> second = TensorArchive::parse(*text, kForm, "again");
  fuzz::expect(second.isOk(), "and read");
  for (size_t i = 0; i < tensors.size(); ++i) {
    Result<HostTensor> again = (*second)->read(names[i], tensors[i].dtype);
    fuzz::expect(again.isOk() && again->dtype == tensors[i].dtype && again->shape == tensors[i].shape &&
                     again->data == tensors[i].data,
                 "and is the same");
  }
  return 0;
}
