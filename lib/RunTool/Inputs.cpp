//===- Inputs.cpp - the inputs of a run -------------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// See the header.
//
//===-------------------------------------------------------------------------------------------------------===//

#include "lib/RunTool/Inputs.h"

#include "lib/RunTool/Golden.h"
#include "mica/ABI/Kernel.h"
#include "mica/Compare/NamedInputs.h"
#include "mica/Support/Diagnostics.h"

#include <cstring>
#include <new>

namespace fs = std::filesystem;

namespace mica::runtool {
namespace {

/// The tensor that --inputs assigns to argument `position`.
Result<Input> readNamed(const NamedInput &named, const artifact::TensorSpec &argument, size_t position, bool writable) {
  MICA_ASSIGN_OR_RETURN(const std::optional<MappedTensor> mapped, named.archive->view(named.tensor, argument.dtype));
  if (mapped) {
    HostTensor type;
    type.dtype = mapped->dtype;
    type.shape = mapped->shape;
    MICA_RETURN_IF_ERROR(checkArgument(type, argument, position));
    return Input::map(*mapped, named.archive, writable);
  }
  const TypeCheck check = [&](const HostTensor &type) { return checkArgument(type, argument, position); };
  MICA_ASSIGN_OR_RETURN(const HostTensor tensor, named.archive->read(named.tensor, argument.dtype, check));
  return Input::own(tensor);
}

/// The tensors that --inputs assigns to arguments; empty without --inputs.
Result<NamedInputs> bindArchives(const Options &options, const artifact::EntryRecord &entry) {
  Archives archives;
  for (const fs::path &file : options.inputArchives) {
    MICA_ASSIGN_OR_RETURN(auto archive, TensorArchive::open(file));
    archives.push_back(std::move(archive));
  }
  std::vector<bool> given;
  for (const std::optional<InputSpec> &spec : options.inputs)
    given.push_back(spec.has_value());
  return bindByName(archives, entry, given);
}

/// The arguments with sizes for dynamic dimensions: those that must equal others do, and all others are 1.
std::vector<artifact::TensorSpec> madeUpSpecs(const artifact::EntryRecord &entry) {
  std::vector<artifact::TensorSpec> specs = entry.args;
  auto relate = [&] {
    for (bool changes = true; changes;) {
      changes = false;
      for (const artifact::SizeRelation &relation : entry.relatedSizes) {
        int64_t &size = specs[size_t(relation.argument)].shape[size_t(relation.dimension)];
        int64_t fixed = relation.size;
        int64_t &other =
            relation.other < 0 ? fixed : specs[size_t(relation.other)].shape[size_t(relation.otherDimension)];
        if ((size < 0) == (other < 0))
          continue;
        (size < 0 ? size : other) = size < 0 ? other : size;
        changes = true;
      }
    }
  };
  relate();
  for (artifact::TensorSpec &spec : specs)
    for (int64_t &size : spec.shape)
      if (size < 0) {
        size = 1;
        relate();
      }
  return specs;
}

} // namespace

std::string signature(const artifact::EntryRecord &entry) {
  auto list = [](const std::vector<artifact::TensorSpec> &specs) {
    std::string text;
    for (const artifact::TensorSpec &spec : specs)
      text += (text.empty() ? "" : ", ") + (spec.name.empty() ? "" : spec.name + ": ") +
              shapedTypeString(spec.shape, spec.dtype) +
              (spec.updates < 0 ? "" : " = argument " + std::to_string(spec.updates) + " stored to");
    return "(" + text + ")";
  };
  return entry.name + list(entry.args) + " -> " + list(entry.results);
}

Result<Input> Input::own(const HostTensor &tensor) {
  Input input;
  input.dtype = tensor.dtype;
  input.shape = tensor.shape;
  MICA_ASSIGN_OR_RETURN(input.owned, runtime::Tensor::fromHost(tensor));
  return input;
}

Result<Input> Input::map(const MappedTensor &tensor, std::shared_ptr<const TensorArchive> archive, bool writable) {
  Input input;
  input.dtype = tensor.dtype;
  input.shape = tensor.shape;
  if (!writable && reinterpret_cast<uintptr_t>(tensor.data.data()) % MICA_BUFFER_ALIGNMENT == 0 &&
      !tensor.data.empty()) {
    input.data = tensor.data;
    input.archive = std::move(archive);
    return input;
  }
  input.owned.dtype = tensor.dtype;
  input.owned.shape = tensor.shape;
  MICA_ASSIGN_OR_RETURN(input.owned.buffer, runtime::Buffer::allocate(static_cast<int64_t>(tensor.data.size())));
  if (!tensor.data.empty())
    std::memcpy(input.owned.buffer.data(), tensor.data.data(), tensor.data.size());
  return input;
}

std::string_view Input::bytes() const {
  if (archive)
    return data;
  return {static_cast<const char *>(owned.buffer.data()), static_cast<size_t>(owned.bytes())};
}

Result<std::vector<Input>> makeInputs(const Options &options, const artifact::EntryRecord &entry,
                                      std::span<const ValueRange> ranges, std::optional<InputSet> set, bool quiet) try {
  if (options.inputs.size() > entry.args.size())
    return Error{ErrorCode::InvalidInput,
                 std::to_string(options.inputs.size()) + " --input for " + std::to_string(entry.args.size()) +
                     " arguments: " + signature(entry),
                 "--input is given once per argument, in order"};
  MICA_ASSIGN_OR_RETURN(const NamedInputs named, bindArchives(options, entry));
  for (const std::string &note : named.notes)
    printNote(kTool, note);
  const bool golden = options.golden && options.inputs.empty() && options.inputArchives.empty();
  // The non-finite element is in one of the nonempty float tensors.
  size_t special = entry.args.size();
  if (set == InputSet::Nan || set == InputSet::Infinity)
    for (size_t i = entry.args.size(); i-- > 0;)
      if (!isInteger(entry.args[i].dtype))
        special = i;
  const std::vector<artifact::TensorSpec> madeUp = madeUpSpecs(entry);
  std::vector<Input> inputs;
  for (size_t i = 0; i < entry.args.size(); ++i) {
    const artifact::TensorSpec &argument = entry.args[i];
    if (named.arguments[i]) {
      MICA_ASSIGN_OR_RETURN(Input input, readNamed(*named.arguments[i], argument, i, options.inPlace));
      inputs.push_back(std::move(input));
      continue;
    }
    HostTensor tensor;
    std::optional<HostTensor> stored;
    if (golden) {
      MICA_ASSIGN_OR_RETURN(stored, options.golden->input(i, argument));
    }
    if (i < options.inputs.size() && options.inputs[i]) {
      MICA_ASSIGN_OR_RETURN(tensor, makeInput(*options.inputs[i], argument, i));
    } else if (stored) {
      tensor = *std::move(stored);
      MICA_RETURN_IF_ERROR(checkArgument(tensor, argument, i));
    } else {
      MICA_RETURN_IF_ERROR(checkDefaultInput(madeUp[i], i));
      // Floats are those of any run, and so are integers without a known range.
      const bool isRandom = !set || *set == InputSet::Random;
      const bool hasRange = i < ranges.size() && (ranges[i].low || ranges[i].high || ranges[i].isNotZero);
      if (isRandom && !(hasRange || (set && isInteger(argument.dtype)))) {
        std::string note;
        tensor = makeDefaultInput(madeUp[i], i, note);
        if (const std::string made = tensor.typeString(), asked = shapedTypeString(argument.shape, argument.dtype);
            made != asked)
          note = note.replace(note.find(made), made.size(), asked) + ", as " + made;
        if (!quiet)
          printNote(kTool, note);
      } else {
        const InputSet which = set.value_or(InputSet::Random);
        tensor = makeSetInput(which, madeUp[i], i, i < ranges.size() ? ranges[i] : ValueRange(), i == special);
        if (!quiet)
          printNote(kTool, "input " + std::to_string(i) + " (" + (argument.name.empty() ? "" : argument.name + ": ") +
                               tensor.typeString() + ") is " + std::string(inputSetName(which)) +
                               (hasRange ? ", in the range that the program requires" : ""));
      }
    }
    MICA_ASSIGN_OR_RETURN(Input input, Input::own(tensor));
    inputs.push_back(std::move(input));
  }
  return inputs;
} catch (const std::bad_alloc &) {
  return Error{ErrorCode::Io, "not enough memory for the inputs", ""};
}

} // namespace mica::runtool
