//===- NamedInputs.cpp - matching arguments with tensors of files by name ---------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// See the header.
//
//===-------------------------------------------------------------------------------------------------------===//

#include "mica/Compare/NamedInputs.h"

#include "mica/Support/Text.h"

#include <algorithm>

namespace mica {
namespace {

std::string shownArgument(const artifact::TensorSpec &argument, size_t position) {
  return "input " + std::to_string(position) + (argument.name.empty() ? "" : " (" + argument.name + ")");
}

/// A note about the tensors of `archive`, for users.
std::string noteOf(const TensorArchive &archive, const NamedInputs &inputs, const artifact::EntryRecord &entry) {
  std::vector<std::string> bound, used;
  for (size_t i = 0; i < inputs.arguments.size(); ++i) {
    const std::optional<NamedInput> &input = inputs.arguments[i];
    if (!input || input->archive.get() != &archive)
      continue;
    bound.push_back("input " + std::to_string(i) + " is " + input->tensor);
    used.push_back(input->tensor);
  }
  std::vector<std::string> unused;
  std::sort(used.begin(), used.end());
  for (const std::string &tensor : archive.names())
    if (!std::binary_search(used.begin(), used.end(), tensor))
      unused.push_back(tensor);
  return archive.file() + ": " + std::to_string(bound.size()) + " of " + std::to_string(entry.args.size()) +
         " arguments: " + joinNames(bound) + (unused.empty() ? "" : "; not used: " + joinNames(unused));
}

/// The error for a file without any tensor for an argument.
Error nothingBound(const TensorArchive &archive, const artifact::EntryRecord &entry, const std::vector<bool> &given) {
  std::vector<std::string> wanted;
  for (size_t i = 0; i < entry.args.size(); ++i)
    if (i >= given.size() || !given[i])
      wanted.push_back(argumentNames(entry.args[i], i).front());
  return Error{ErrorCode::InvalidInput,
               archive.file() + ": none of its tensors is an argument of '" + entry.name + "'; it has " +
                   (archive.names().empty() ? "none" : joinNames(archive.names())),
               wanted.empty() ? "every argument has an --input already"
                              : "the names looked for are " + joinNames(wanted) + "; --input=@" + archive.file() +
                                    ":NAME takes a tensor of another name"};
}

} // namespace

std::vector<std::string> argumentNames(const artifact::TensorSpec &argument, size_t position) {
  std::vector<std::string> names;
  if (!argument.name.empty())
    names.push_back(argument.name);
  names.push_back("arg" + std::to_string(position));
  names.push_back("arr_" + std::to_string(position));
  return names;
}

Result<NamedInputs> bindByName(const Archives &archives, const artifact::EntryRecord &entry,
                               const std::vector<bool> &given) {
  NamedInputs inputs;
  inputs.arguments.resize(entry.args.size());
  for (size_t i = 0; i < entry.args.size(); ++i) {
    if (i < given.size() && given[i])
      continue;
    std::optional<NamedInput> &input = inputs.arguments[i];
    for (const std::string &name : argumentNames(entry.args[i], i)) {
      for (const std::shared_ptr<const TensorArchive> &archive : archives) {
        if (!archive->has(name))
          continue;
        if (input)
          return Error{ErrorCode::InvalidInput,
                       shownArgument(entry.args[i], i) + " is in two files: '" + name + "' of " +
                           input->archive->file() + " and of " + archive->file(),
                       "leave one of them out, or say which with --input=@FILE:NAME"};
        input = NamedInput{archive, name};
      }
      if (input)
        break;
    }
  }
  for (const std::shared_ptr<const TensorArchive> &archive : archives) {
    const bool bound = std::any_of(inputs.arguments.begin(), inputs.arguments.end(),
                                   [&](const auto &input) { return input && input->archive == archive; });
    if (!bound)
      return nothingBound(*archive, entry, given);
    inputs.notes.push_back(noteOf(*archive, inputs, entry));
  }
  return inputs;
}

} // namespace mica
