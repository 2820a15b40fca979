//===- InputSpec.cpp - values of --input -------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// Parsing, filling and checking of inputs.
//
//===-------------------------------------------------------------------------------------------------------===//

#include "mica/Compare/InputSpec.h"

#include "lib/Compare/Random.h"
#include "mica/Compare/NamedInputs.h"
#include "mica/Compare/Npy.h"
#include "mica/Compare/TensorProto.h"
#include "mica/Support/Checked.h"
#include "mica/Support/MemoryLimit.h"
#include "mica/Support/Text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <new>

namespace mica {
namespace {

constexpr std::string_view kForms =
    "an input is @file.npy, @file.pb of ONNX, @file.npz:NAME, @file.safetensors:NAME, a "
    "literal such as 0.5, 4x8xf32=0.5 or 2x2xf32=1,2,3,4, random:SEED[:LO:HI], 4x8xf32=random:SEED, or a type alone, "
    "4x8xf32, for the default values in that shape";
/// Larger literals and random inputs would exceed the memory, and are mistakes.
constexpr int64_t kMaxElements = int64_t(1) << 36;

Error badSpec(std::string_view text, const std::string &what) {
  return Error{ErrorCode::InvalidInput, "--input=" + std::string(text) + ": " + what, std::string(kForms)};
}

template <typename T> bool parseNumber(std::string_view text, T &value) {
  if (text.starts_with("+"))
    text.remove_prefix(1);
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() && !text.empty();
}

std::string argumentName(const artifact::TensorSpec &argument, size_t position) {
  return "input " + std::to_string(position) + " (" + (argument.name.empty() ? "" : argument.name + ": ") +
         shapedTypeString(argument.shape, argument.dtype) + ")";
}

/// Whether `text` is "8", "-1.5,nan" or "true": values without a type.
/// "1.5-2j", "2j" or "1.5", as Python writes them; `parts` gets the real and the imaginary one.
bool parseComplex(std::string_view text, std::array<double, 2> &parts) {
  parts = {};
  if (!text.ends_with('j'))
    return parseNumber(text, parts[0]);
  text.remove_suffix(1);
  // The sign of the imaginary part is the last one that is not of an exponent.
  size_t sign = text.size();
  while (sign > 0 && --sign > 0)
    if ((text[sign] == '+' || text[sign] == '-') && text[sign - 1] != 'e' && text[sign - 1] != 'E')
      break;
  if (sign == 0)
    return parseNumber(text, parts[1]);
  return parseNumber(text.substr(0, sign), parts[0]) && parseNumber(text.substr(sign), parts[1]);
}

bool isNumberList(std::string_view text) {
  const std::vector<std::string> parts = splitText(text, ',');
  return std::all_of(parts.begin(), parts.end(), [](const std::string &part) {
    std::array<double, 2> number{};
    return part == "true" || part == "false" || parseComplex(part, number);
  });
}

Status parseRandom(std::string_view text, std::string_view whole, InputSpec &spec) {
  spec.kind = InputSpec::Kind::Random;
  const std::vector<std::string> parts = splitText(text.substr(std::string_view("random:").size()), ':');
  if (!parseNumber(parts[0], spec.seed))
    return badSpec(whole, "the seed '" + parts[0] + "' is not a whole number");
  if (parts.size() == 1)
    return {};
  double low = 0, high = 0;
  if (parts.size() != 3 || !parseNumber(parts[1], low) || !parseNumber(parts[2], high))
    return badSpec(whole, "after the seed come two numbers, the bounds LO:HI");
  if (!std::isfinite(low) || !std::isfinite(high) || !(low < high))
    return badSpec(whole, "the bounds are not LO < HI");
  spec.low = low;
  spec.high = high;
  return {};
}

/// Parses one element of a literal into `tensor`.
Status setElement(HostTensor &tensor, int64_t i, const std::string &value, const InputSpec &spec) {
  const std::string type(dtypeName(tensor.dtype));
  if (tensor.dtype == DType::I1 && (value == "true" || value == "false")) {
    tensor.setInt(i, value == "true");
    return {};
  }
  if (isFloat(tensor.dtype)) {
    double number = 0;
    if (!parseNumber(value, number)) {
      auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
      if (error != std::errc::result_out_of_range || end != value.data() + value.size())
        return badSpec(spec.text, "'" + value + "' is not a number");
      return badSpec(spec.text, value + " is beyond the range of f64");
    }
    tensor.setDouble(i, number);
    if (std::isfinite(number) && !std::isfinite(tensor.asDouble(i)))
      return badSpec(spec.text, value + " is beyond the range of " + type);
    return {};
  }
  if (isComplex(tensor.dtype)) {
    std::array<double, 2> number{};
    if (!parseComplex(value, number))
      return badSpec(spec.text, "'" + value + "' is not a complex number, such as 1.5-2j");
    HostTensor parts(partOf(tensor.dtype), {2});
    for (size_t part : {0, 1}) {
      parts.setDouble(int64_t(part), number[part]);
      if (std::isfinite(number[part]) && !std::isfinite(parts.asDouble(int64_t(part))))
        return badSpec(spec.text, value + " is beyond the range of " + type);
    }
    std::copy(parts.data.begin(), parts.data.end(),
              tensor.data.begin() + static_cast<ptrdiff_t>(parts.data.size()) * i);
    return {};
  }
  int64_t number = 0;
  uint64_t natural = 0;
  if (tensor.dtype == DType::UI64 && parseNumber(value, natural)) {
    tensor.setInt(i, static_cast<int64_t>(natural));
    return {};
  }
  if (!parseNumber(value, number)) {
    double fraction = 0;
    return badSpec(spec.text,
                   "'" + value + "' is not a whole number" +
                       (parseNumber(value, fraction) ? " of the range of " + type + ", which is an integer type" : ""));
  }
  tensor.setInt(i, number);
  if (tensor.asInt(i) != number || (tensor.dtype == DType::UI64 && number < 0))
    return badSpec(spec.text, value + " is beyond the range of " + type);
  return {};
}

/// Checks that the argument accepts the type, before memory is allocated.
Status checkType(DType dtype, const std::vector<int64_t> &shape, const artifact::TensorSpec &argument,
                 size_t position) {
  HostTensor type;
  type.dtype = dtype;
  type.shape = shape;
  return checkArgument(type, argument, position);
}

Result<HostTensor> makeLiteral(const InputSpec &spec, const artifact::TensorSpec &argument, size_t position) {
  // Values without a type have that of the argument, whose sizes must be static.
  for (size_t d = 0; !spec.dtype && d < argument.shape.size(); ++d)
    if (argument.shape[d] < 0)
      return badSpec(spec.text, "dimension " + std::to_string(d) + " of " + argumentName(argument, position) +
                                    " is dynamic: say the type in front, such as 4x8xf32=0.5");
  MICA_ASSIGN_OR_RETURN(HostTensor tensor, spec.dtype ? makeHostTensor(*spec.dtype, spec.shape)
                                                      : makeHostTensor(argument.dtype, argument.shape));
  const int64_t count = tensor.numElements();
  const auto given = static_cast<int64_t>(spec.values.size());
  if (given != 1 && given != count)
    return badSpec(spec.text, std::to_string(given) + " values for " + tensor.typeString() + ", which has " +
                                  std::to_string(count) + " elements: give one value for all, or each");
  for (int64_t i = 0; i < given && i < count; ++i)
    MICA_RETURN_IF_ERROR(setElement(tensor, i, spec.values[static_cast<size_t>(i)], spec));
  const size_t width = static_cast<size_t>(dtypeBytes(tensor.dtype));
  if (given == 1)
    for (size_t at = width; at < tensor.data.size(); ++at)
      tensor.data[at] = tensor.data[at - width];
  return tensor;
}

Result<HostTensor> readFileInput(const InputSpec &spec, const artifact::TensorSpec &argument, size_t position) {
  const TypeCheck check = [&](const HostTensor &type) { return checkArgument(type, argument, position); };
  if (!archiveForm(spec.file))
    return readTensorFile(spec.file, argument.dtype, check);
  MICA_ASSIGN_OR_RETURN(const auto archive, TensorArchive::open(spec.file));
  if (!spec.tensor.empty())
    return archive->read(spec.tensor, argument.dtype, check);
  for (const std::string &name : argumentNames(argument, position))
    if (archive->has(name))
      return archive->read(name, argument.dtype, check);
  if (archive->names().size() == 1)
    return archive->read(archive->names().front(), argument.dtype, check);
  return Error{ErrorCode::InvalidInput,
               "--input=" + spec.text + ": which of its tensors is " + argumentName(argument, position) + "?",
               archive->names().empty()
                   ? "the file holds no tensors"
                   : "say it with --input=@" + spec.file.string() + ":NAME; there are: " + joinNames(archive->names())};
}

/// The shape of an argument with 1 for each dynamic dimension.
std::vector<int64_t> shapeWithOnes(const artifact::TensorSpec &argument) {
  std::vector<int64_t> shape = argument.shape;
  for (int64_t &size : shape)
    size = size < 0 ? 1 : size;
  return shape;
}

} // namespace

Result<artifact::TensorSpec> parseTensorType(std::string_view text) {
  // Some names of types contain an 'x' as well.
  size_t start = text.rfind('x') + 1;
  for (std::string_view withX : {"index", "complex<f32>", "complex<f64>"})
    if (text.ends_with(withX))
      start = text.size() - withX.size();
  const std::string name(text.substr(start));
  const std::vector<std::string> parts = splitText(text.substr(0, start), 'x');
  const size_t dims = parts.size() - 1; // the last part is what is before the name
  const std::optional<DType> dtype = parseDType(name);
  if (!dtype)
    return Error{ErrorCode::InvalidInput, "'" + name + "' is not an element type",
                 "there are f64, f32, f16, bf16, f8E4M3FN, f8E5M2, i64, i32, i16, i8, i4, i1, ui64, ui32, ui16, ui8, "
                 "index, complex<f32>, complex<f64>"};
  std::vector<int64_t> shape;
  for (size_t d = 0; d < dims; ++d) {
    int64_t size = 0;
    if (!parseNumber(parts[d], size) || size < 0)
      return Error{ErrorCode::InvalidInput, "'" + parts[d] + "' is not a dimension size",
                   parts[d] == "?" ? "an input has sizes, not '?'" : ""};
    shape.push_back(size);
  }
  if (checkedElements(shape).value_or(kMaxElements + 1) > kMaxElements)
    return Error{ErrorCode::InvalidInput, std::string(text) + " has more than 2^36 elements", ""};
  return artifact::TensorSpec{"", *dtype, std::move(shape)};
}

Result<InputSpec> parseInputSpec(std::string_view text) {
  InputSpec spec;
  spec.text = text;
  if (text.starts_with("@")) {
    spec.kind = InputSpec::Kind::File;
    const ArchiveMember place = splitArchiveMember(text.substr(1));
    spec.file = place.file;
    spec.tensor = place.tensor;
    if (spec.file.empty())
      return badSpec(text, "no file name after @");
    return spec;
  }
  if (text.starts_with("random:")) {
    MICA_RETURN_IF_ERROR(parseRandom(text, text, spec));
    return spec;
  }
  const size_t equals = text.find('=');
  if (equals == std::string_view::npos && isNumberList(text)) {
    spec.kind = InputSpec::Kind::Literal;
    spec.values = splitText(text, ',');
    return spec;
  }
  if (equals == std::string_view::npos) {
    if (const Result<artifact::TensorSpec> type = parseTensorType(text); type) {
      spec.dtype = type->dtype;
      spec.shape = type->shape;
      spec.isDefault = true;
      return spec;
    }
    return badSpec(text, text.ends_with(".npy") || archiveForm(splitArchiveMember(text).file)
                             ? "a file is written with @ in front"
                             : "not an input");
  }
  Result<artifact::TensorSpec> type = parseTensorType(text.substr(0, equals));
  if (!type)
    return badSpec(text, type.error().message);
  spec.dtype = type->dtype;
  spec.shape = type->shape;
  const std::string_view value = text.substr(equals + 1);
  if (value.starts_with("random:")) {
    MICA_RETURN_IF_ERROR(parseRandom(value, text, spec));
    return spec;
  }
  spec.kind = InputSpec::Kind::Literal;
  spec.values = splitText(value, ',');
  return spec;
}

void fillRandom(HostTensor &tensor, uint64_t seed, double low, double high) {
  if (isComplex(tensor.dtype)) {
    tensor = tensor.asParts();
    fillRandom(tensor, seed, low, high);
    tensor = fromParts(std::move(tensor));
    return;
  }
  Random random(seed);
  const int64_t count = tensor.numElements();
  const bool whole = isInteger(tensor.dtype);
  for (int64_t i = 0; i < count; ++i) {
    const double value = low + (high - low) * random.uniform();
    tensor.setDouble(i, whole ? std::floor(value) : value);
  }
}

Status checkArgument(const HostTensor &tensor, const artifact::TensorSpec &argument, size_t position) {
  auto mismatch = [&](const std::string &why) {
    return Error{ErrorCode::InvalidInput, argumentName(argument, position) + " got " + tensor.typeString() + ": " + why,
                 "--list shows what each entry takes"};
  };
  if (tensor.dtype != argument.dtype)
    return mismatch("the element type is " + std::string(dtypeName(tensor.dtype)) + ", should be " +
                    std::string(dtypeName(argument.dtype)));
  if (tensor.shape.size() != argument.shape.size())
    return mismatch(std::to_string(tensor.shape.size()) + " dimensions, should be " +
                    std::to_string(argument.shape.size()));
  for (size_t d = 0; d < tensor.shape.size(); ++d)
    if (argument.shape[d] >= 0 && tensor.shape[d] != argument.shape[d])
      return mismatch("dimension " + std::to_string(d) + " is " + std::to_string(tensor.shape[d]) + ", should be " +
                      std::to_string(argument.shape[d]));
  return {};
}

Result<HostTensor> makeInput(const InputSpec &spec, const artifact::TensorSpec &argument, size_t position) try {
  HostTensor tensor;
  switch (spec.kind) {
  case InputSpec::Kind::File: {
    MICA_ASSIGN_OR_RETURN(tensor, readFileInput(spec, argument, position));
    break;
  }
  case InputSpec::Kind::Literal: {
    // For a small tensor, an error in its values is reported before one about its size.
    constexpr int64_t kSmallBytes = int64_t(1) << 20;
    if (spec.dtype && checkedBytes(spec.shape, dtypeBytes(*spec.dtype)).value_or(kSmallBytes + 1) > kSmallBytes)
      MICA_RETURN_IF_ERROR(checkType(*spec.dtype, spec.shape, argument, position));
    MICA_ASSIGN_OR_RETURN(tensor, makeLiteral(spec, argument, position));
    break;
  }
  case InputSpec::Kind::Random: {
    if (spec.dtype)
      MICA_RETURN_IF_ERROR(checkType(*spec.dtype, spec.shape, argument, position));
    if (spec.isDefault) {
      const artifact::TensorSpec given{argument.name, *spec.dtype, spec.shape};
      MICA_RETURN_IF_ERROR(checkDefaultInput(given, position));
      std::string note;
      tensor = makeDefaultInput(given, position, note);
      break;
    }
    MICA_ASSIGN_OR_RETURN(
        tensor, makeHostTensor(spec.dtype.value_or(argument.dtype), spec.dtype ? spec.shape : shapeWithOnes(argument)));
    const bool floats = !isInteger(tensor.dtype);
    fillRandom(tensor, spec.seed, spec.low.value_or(floats ? -1 : 0), spec.high.value_or(floats ? 1 : 10));
    break;
  }
  }
  MICA_RETURN_IF_ERROR(checkArgument(tensor, argument, position));
  return tensor;
} catch (const std::bad_alloc &) {
  return Error{ErrorCode::Io, argumentName(argument, position) + ": not enough memory for it", ""};
}

Status checkDefaultInput(const artifact::TensorSpec &argument, size_t position) {
  Status checked = checkTensorSize(shapeWithOnes(argument), argument.dtype);
  if (!checked)
    return Error{checked.error().code, argumentName(argument, position) + ": " + checked.error().message,
                 checked.error().hint};
  return {};
}

HostTensor makeDefaultInput(const artifact::TensorSpec &argument, size_t position, std::string &note) {
  HostTensor tensor(argument.dtype, shapeWithOnes(argument));
  note = argumentName(argument, position) + " is ";
  if (!isInteger(argument.dtype)) {
    fillRandom(tensor, position, -1, 1);
    note += "random:" + std::to_string(position) + ", uniform in [-1, 1)";
  } else {
    note += "0";
  }
  if (tensor.shape != argument.shape)
    note += ", as " + tensor.typeString();
  return tensor;
}

} // namespace mica
