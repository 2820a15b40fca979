//===- Show.cpp - elements of a dump -----------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// See the header.
//
//===-------------------------------------------------------------------------------------------------------===//

#include "lib/DumpTool/Show.h"

#include "lib/DumpTool/List.h"
#include "lib/DumpTool/Picture.h"
#include "lib/DumpTool/Selection.h"
#include "lib/Support/Json.h"
#include "mica/Compare/Npy.h"
#include "mica/Compare/Print.h"
#include "mica/Compare/TensorArchive.h"
#include "mica/Support/Diagnostics.h"
#include "mica/Support/Files.h"
#include "mica/Support/Text.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include <unistd.h>

namespace mica::dumptool {
namespace {

std::string title(const dump::Dump &dump, size_t index) {
  const dump::Tensor &tensor = dump.tensors()[index];
  return "#" + std::to_string(index) + " " + tensorText(dump, tensor) + ", " + (tensor.isAfter ? "after " : "before ") +
         launchText(dump, tensor.launch);
}

/// A .txt file: a line of the shape, then one per element, with its index.
std::string elementLines(const HostTensor &tensor, const std::string &what) {
  std::string text = "# " + what + "\n";
  for (int64_t i = 0; i < tensor.numElements(); ++i)
    text += indexString(i, tensor.shape) + " " + formatElement(tensor, i) + "\n";
  return text;
}

} // namespace

Status showHistogram(const dump::Dump &dump, std::span<const size_t> chosen, const Options &options) {
  Json all = Json::array();
  for (size_t index : chosen) {
    MICA_ASSIGN_OR_RETURN(const HostTensor tensor, readPart(dump, dump.tensors()[index], options.slice));
    const int64_t count = tensor.numElements();
    const dump::Statistics values = dump::statisticsOf(tensor.dtype, tensor.data.data(), count);
    const auto bins = size_t(*options.histogram);
    std::vector<int64_t> numbers(bins, 0);
    const double width = values.max - values.min;
    for (int64_t i = 0; i < count; ++i) {
      const double value = tensor.asDouble(i);
      if (!std::isfinite(value))
        continue;
      const double share = width > 0 ? (value - values.min) / width : 0;
      ++numbers[std::min(bins - 1, size_t(share * double(bins)))];
    }
    if (options.json) {
      all.push_back({{"tensor", index},
                     {"min", values.min},
                     {"max", values.max},
                     {"nan", values.nan},
                     {"inf", values.inf},
                     {"bins", numbers}});
      continue;
    }
    std::printf("%s\n", title(dump, index).c_str());
    const int64_t most = std::max<int64_t>(1, *std::max_element(numbers.begin(), numbers.end()));
    for (size_t i = 0; i < bins && values.finite() > 0; ++i) {
      const double low = values.min + width * double(i) / double(bins);
      std::printf("  %12s %10lld %s\n", numberText(low).c_str(), static_cast<long long>(numbers[i]),
                  std::string(size_t(std::ceil(40.0 * double(numbers[i]) / double(most))), '#').c_str());
    }
    std::printf("  %12s\n  %s\n", numberText(values.max).c_str(), statisticsText(values).c_str());
  }
  if (options.json)
    std::printf("%s", printJson(all).c_str());
  return {};
}

Status showElements(const dump::Dump &dump, std::span<const size_t> chosen, const Options &options) {
  const std::optional<std::string> &slice = options.print->empty() ? options.slice : options.print;
  for (size_t index : chosen) {
    MICA_ASSIGN_OR_RETURN(const HostTensor tensor, readPart(dump, dump.tensors()[index], slice));
    std::printf("%s%s\n%s\n", title(dump, index).c_str(), slice && !slice->empty() ? (", " + *slice).c_str() : "",
                formatTensor(tensor).c_str());
  }
  return {};
}

Status showPartStatistics(const dump::Dump &dump, std::span<const size_t> chosen, const Options &options) {
  for (size_t index : chosen) {
    MICA_ASSIGN_OR_RETURN(const HostTensor tensor, readPart(dump, dump.tensors()[index], options.slice));
    std::printf("%s, %s: %s\n", title(dump, index).c_str(), options.slice->c_str(),
                statisticsText(dump::statisticsOf(tensor.dtype, tensor.data.data(), tensor.numElements())).c_str());
  }
  return {};
}

Status showPicture(const HostTensor &tensor, const std::string &name, const std::string &file) {
  if (!file.empty()) {
    const Picture picture = heatMap(tensor, 1024, 1024);
    if (picture.width == 0 || picture.height == 0)
      return Error{ErrorCode::InvalidInput, name + " has no elements to show", ""};
    MICA_RETURN_IF_ERROR(writeFileAtomic(file, pngOf(picture)));
    std::printf("%s: %s, full color at %s\n", file.c_str(), name.c_str(), numberText(picture.scale).c_str());
    return {};
  }
  const Picture picture = heatMap(tensor, 80, 48);
  std::printf("%s, full color at %s\n%s", name.c_str(), numberText(picture.scale).c_str(),
              terminalText(picture, wantsColor(STDOUT_FILENO)).c_str());
  return {};
}

Status exportTensors(const dump::Dump &dump, std::span<const size_t> chosen, const Options &options) {
  const std::filesystem::path file = options.exportFile;
  const std::string ending = file.extension().string();
  const bool isArchive = archiveForm(file).has_value();
  if (!isArchive && ending != ".npy" && ending != ".txt")
    return Error{ErrorCode::InvalidInput, "--export=@" + file.string() + ": unknown form",
                 "the name ends in .npy, .npz, .safetensors or .txt"};
  if (chosen.empty())
    return Error{ErrorCode::NotFound, "no tensor is selected", "see mica-dump " + options.dumps[0]};
  if (ending == ".npy" && chosen.size() != 1)
    return Error{ErrorCode::InvalidInput,
                 std::to_string(chosen.size()) + " tensors are selected, an .npy file holds one",
                 "choose one with --tensor=N, or write an .npz or .safetensors file"};
  std::vector<HostTensor> tensors;
  std::vector<std::string> names;
  for (size_t index : chosen) {
    MICA_ASSIGN_OR_RETURN(HostTensor tensor, readPart(dump, dump.tensors()[index], options.slice));
    tensors.push_back(std::move(tensor));
    names.push_back(memberName(dump, index));
  }
  if (ending == ".npy") {
    MICA_RETURN_IF_ERROR(writeNpy(file, tensors[0]));
  } else if (isArchive) {
    std::vector<NamedTensor> named;
    for (size_t i = 0; i < tensors.size(); ++i)
      named.push_back({names[i], &tensors[i]});
    MICA_RETURN_IF_ERROR(writeTensorArchive(file, named));
  } else {
    std::string text;
    for (size_t i = 0; i < tensors.size(); ++i)
      text += elementLines(tensors[i], title(dump, chosen[i]));
    MICA_RETURN_IF_ERROR(writeFileAtomic(file, text));
  }
  std::printf("%s: %zu %s\n", file.string().c_str(), tensors.size(), tensors.size() == 1 ? "tensor" : "tensors");
  return {};
}

Result<int> verifyTensors(const dump::Dump &dump, std::span<const size_t> chosen) {
  size_t good = 0, bad = 0, without = 0;
  for (size_t index : chosen) {
    const dump::Tensor &tensor = dump.tensors()[index];
    if (tensor.offset < 0) {
      ++without;
      continue;
    }
    MICA_ASSIGN_OR_RETURN(const bool same, dump.verify(tensor));
    same ? ++good : ++bad;
    if (!same)
      std::printf("%s: the elements are not those that were written\n", title(dump, index).c_str());
  }
  std::printf("%zu tensors verified, %zu differ, %zu have no elements\n", good, bad, without);
  return bad == 0 ? 0 : exitCode(ErrorCode::Difference);
}

} // namespace mica::dumptool
