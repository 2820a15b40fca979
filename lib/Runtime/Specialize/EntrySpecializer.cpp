//===- EntrySpecializer.cpp - one entry of a context and its specializations -------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// See the header.
//
//===-------------------------------------------------------------------------------------------------------===//

#include "lib/Runtime/Specialize/EntrySpecializer.h"

#include "lib/Runtime/ContextImpl.h"
#include "mica/Support/Log.h"
#include "mica/Support/Text.h"

#include <algorithm>

namespace mica::runtime {

EntrySpecializer::EntrySpecializer(const Program &program, size_t entry, const SpecializePolicy &policy,
                                   std::shared_ptr<RunTrace> trace, MakeContext makeContext)
    : program(program), record(program.manifest().entries[entry]), entry(entry), policy(policy),
      trace(std::move(trace)), makeContext(std::move(makeContext)), classes(record, policy) {}

EntrySpecializer::~EntrySpecializer() = default;

static std::string listed(const std::vector<std::string> &lines) {
  std::string text;
  for (const std::string &line : lines)
    text += "\n  " + line;
  return text;
}

const EntrySpecializer::Variant *EntrySpecializer::consider(std::span<const TensorView> inputs) {
  adopt();
  const ShapeClasses::Decision decision = classes.note(inputs);
  using Kind = ShapeClasses::Decision::Kind;
  switch (decision.kind) {
  case Kind::Nothing:
    break;
  case Kind::Limit:
    MICA_LOG(Recompiles, Info) << record.name << " is not specialized further: it has " << policy.limit
                               << " shape classes (specialize-limit)" << listed(decision.failed);
    break;
  case Kind::AllVary:
    MICA_LOG(Recompiles, Info) << record.name << " is not specialized further: all its sizes vary"
                               << listed(decision.failed);
    break;
  case Kind::Compile: {
    const std::string text = specializationText(record, decision.guards);
    if (logs(LogTopic::Recompiles)) {
      if (decision.failed.empty())
        MICA_LOG(Recompiles, Info) << record.name << " is compiled for the sizes of its first call: " << text;
      else
        MICA_LOG(Recompiles, Info) << record.name << " is recompiled for " << text
                                   << ": no existing shape class matches" << listed(decision.failed);
    }
    std::shared_ptr<const Specialization> asked =
        program.specializations().request(entry, text, trace, decision.failed);
    if (trace)
      trace->guards(program, entry, asked->number, decision.guards, decision.failed);
    if (policy.wait)
      program.specializations().wait(*asked);
    pending.push_back({decision.guards, std::move(asked)});
    adopt();
    break;
  }
  }
  for (const Variant &variant : variants)
    if (hold(variant.guards, inputs))
      return &variant;
  return nullptr;
}

void EntrySpecializer::adopt() {
  for (size_t i = 0; i < pending.size();) {
    const Specialization &asked = *pending[i].specialization;
    const Specialization::State state = asked.state.load(std::memory_order_acquire);
    if (state == Specialization::State::Pending) {
      ++i;
      continue;
    }
    if (state == Specialization::State::Ready) {
      Result<std::unique_ptr<ContextImpl>> context = makeContext(asked.program);
      if (context) {
        variants.push_back({pending[i].guards, *std::move(context), asked.programEntry, asked.number});
        if (logs(LogTopic::Guards)) {
          std::vector<std::string> lines;
          for (const Guard &guard : pending[i].guards)
            lines.push_back(describeGuard(record, guard));
          MICA_LOG(Guards, Info) << record.name << " has specialized kernels for" << listed(lines);
        }
      } else {
        MICA_LOG(Runtime, Warning) << "kernels for " << asked.text << " cannot run: " << context.error().message
                                   << "; the generic kernels are used";
      }
    }
    pending.erase(pending.begin() + ptrdiff_t(i));
  }
}

} // namespace mica::runtime
