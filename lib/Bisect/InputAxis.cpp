//===- InputAxis.cpp - the part of the inputs that shows a fault --------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See InputAxis.h. First whole inputs, then along each dimension the range that is kept is halved from both ends.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "lib/Bisect/InputAxis.h"

#include "lib/Bisect/Judgement.h"

#include <chrono>
#include <cstring>

using namespace mica;
using namespace mica::bisect;

namespace {

/// Of each dimension the elements from `begin` to before `end`.
struct Box {
  std::vector<int64_t> begin, end;

  bool isEmpty() const {
    for (size_t d = 0; d < begin.size(); ++d)
      if (begin[d] >= end[d])
        return true;
    return false;
  }
};

class InputSearch {
public:
  InputSearch(mlir::ModuleOp written, const Entry &entry, Runner &runner, double seconds,
              const std::function<Outcome(const Entry &)> &run)
      : written(written), entry(entry), runner(runner), runForm(run),
        deadline(std::chrono::steady_clock::now() + std::chrono::duration_cast<std::chrono::steady_clock::duration>(
                                                        std::chrono::duration<double>(seconds))) {
    for (const HostTensor &input : entry.inputs)
      boxes.push_back({std::vector<int64_t>(input.shape.size(), 0), input.shape});
    zero.resize(boxes.size(), false);
  }

  std::optional<InputSlice> find();

private:
  bool isOver() const { return std::chrono::steady_clock::now() >= deadline; }
  /// Whether the program goes wrong with these parts of the inputs; then they are taken.
  bool take(size_t input, bool isZero, Box box);
  void shrink(size_t input, size_t dim);
  std::string describe(size_t input) const;

  mlir::ModuleOp written;
  const Entry &entry;
  Runner &runner;
  const std::function<Outcome(const Entry &)> &runForm;
  std::chrono::steady_clock::time_point deadline;
  std::vector<Box> boxes;
  std::vector<bool> zero;
  std::optional<InputSlice> best;
};

} // namespace

/// `tensor` with 0 outside of `box`; of a scalar, everywhere where the box `isZero`.
static HostTensor keepBox(const HostTensor &tensor, bool isZero, const Box &box) {
  HostTensor kept = tensor;
  const int64_t count = tensor.numElements();
  if (count == 0)
    return kept;
  const size_t bytes = tensor.data.size() / static_cast<size_t>(count);
  for (int64_t i = 0; i < count; ++i) {
    bool isInside = !isZero;
    int64_t rest = i;
    for (size_t d = tensor.shape.size(); d-- > 0;) {
      const int64_t at = rest % tensor.shape[d];
      rest /= tensor.shape[d];
      isInside = isInside && at >= box.begin[d] && at < box.end[d];
    }
    if (!isInside)
      std::memset(kept.data.data() + static_cast<size_t>(i) * bytes, 0, bytes);
  }
  return kept;
}

bool InputSearch::take(size_t input, bool isZero, Box box) {
  if (isOver())
    return false;
  Entry tried = entry;
  for (size_t i = 0; i < boxes.size(); ++i)
    tried.inputs[i] = i == input ? keepBox(entry.inputs[i], isZero, box) : keepBox(entry.inputs[i], zero[i], boxes[i]);
  const UndefinedFinding finding = runner.undefinedBehavior(written, tried);
  if (!finding.isKnown || finding.origin)
    return false;
  Outcome expected = runner.evaluate(written, tried);
  if (!expected.ran())
    return false;
  Outcome actual = runForm(tried);
  if (judgeOutcome(actual, expected).is != Is::Wrong)
    return false;
  zero[input] = isZero;
  boxes[input] = std::move(box);
  best = InputSlice{std::move(tried), {}, std::move(expected), std::move(actual)};
  return true;
}

/// Keeps as few places of dimension `dim` as suffice, side by side.
void InputSearch::shrink(size_t input, size_t dim) {
  for (int64_t step = (boxes[input].end[dim] - boxes[input].begin[dim] + 1) / 2; step > 0 && !isOver();) {
    Box lower = boxes[input], upper = boxes[input];
    lower.end[dim] -= step;
    upper.begin[dim] += step;
    if ((!lower.isEmpty() && take(input, false, lower)) || (!upper.isEmpty() && take(input, false, upper)))
      step = std::min(step, (boxes[input].end[dim] - boxes[input].begin[dim] + 1) / 2);
    else
      step /= 2;
    if (boxes[input].end[dim] - boxes[input].begin[dim] <= 1)
      return;
  }
}

std::string InputSearch::describe(size_t input) const {
  const HostTensor &tensor = entry.inputs[input];
  const std::string name = "input " + std::to_string(input) + ": ";
  if (zero[input])
    return name + "0 everywhere";
  std::string places;
  bool isWhole = true;
  for (size_t d = 0; d < tensor.shape.size(); ++d) {
    const int64_t begin = boxes[input].begin[d], end = boxes[input].end[d];
    isWhole = isWhole && begin == 0 && end == tensor.shape[d];
    places += (d ? ", " : "") + std::to_string(begin) + (end - begin > 1 ? " to " + std::to_string(end - 1) : "");
  }
  return name + (isWhole ? "as it was" : "[" + places + "] of " + tensor.typeString() + ", 0 elsewhere");
}

std::optional<InputSlice> InputSearch::find() {
  for (size_t i = 0; i < boxes.size(); ++i) {
    if (entry.inputs[i].numElements() == 0)
      continue;
    if (take(i, true, boxes[i]))
      continue;
    for (size_t d = 0; d < boxes[i].begin.size(); ++d)
      shrink(i, d);
  }
  if (!best)
    return std::nullopt;
  for (size_t i = 0; i < boxes.size(); ++i)
    best->kept.push_back(describe(i));
  return std::move(best);
}

std::optional<InputSlice> bisect::sliceInputs(mlir::ModuleOp written, const Entry &entry, Runner &runner,
                                              double seconds, const std::function<Outcome(const Entry &)> &run) {
  return InputSearch(written, entry, runner, seconds, run).find();
}
