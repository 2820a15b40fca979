//===- EntrySpecializer.h - one entry of a context and its specializations ---------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-------------------------------------------------------------------------------------------------------===//
//
// Private. What invoke() asks before it runs the kernels for any size. Belongs to a context and is used by one
// invocation at a time, so nothing of it is locked.
//
//===-------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_RUNTIME_SPECIALIZE_ENTRYSPECIALIZER_H
#define MICA_LIB_RUNTIME_SPECIALIZE_ENTRYSPECIALIZER_H

#include "lib/Runtime/Specialize/ShapeClasses.h"
#include "lib/Runtime/Specialize/Specializations.h"

#include <functional>

namespace mica::runtime {

class ContextImpl;

class EntrySpecializer {
public:
  /// Makes a context for a specialized program.
  using MakeContext = std::function<Result<std::unique_ptr<ContextImpl>>(std::shared_ptr<const Program>)>;

  EntrySpecializer(const Program &program, size_t entry, const SpecializePolicy &policy,
                   std::shared_ptr<RunTrace> trace, MakeContext makeContext);
  ~EntrySpecializer();

  struct Variant {
    std::vector<Guard> guards;
    std::unique_ptr<ContextImpl> context;
    size_t entry = 0;   ///< of its program
    int64_t number = 0; ///< the compile [unit/number]
  };

  /// The variant that is made for `inputs`; null: none is. Costs the guards of those there are, and a load where
  /// nothing is left to decide; allocates only for sizes it has not seen.
  const Variant *select(std::span<const TensorView> inputs) {
    for (const Variant &variant : variants)
      if (hold(variant.guards, inputs))
        return &variant;
    return pending.empty() && !classes.open() ? nullptr : consider(inputs);
  }

private:
  struct Pending {
    std::vector<Guard> guards;
    std::shared_ptr<const Specialization> specialization;
  };
  const Variant *consider(std::span<const TensorView> inputs);
  /// Takes over what has become ready.
  void adopt();

  const Program &program;
  const artifact::EntryRecord &record;
  const size_t entry;
  const SpecializePolicy policy;
  const std::shared_ptr<RunTrace> trace;
  const MakeContext makeContext;
  ShapeClasses classes;
  std::vector<Variant> variants;
  std::vector<Pending> pending;
};

} // namespace mica::runtime

#endif // MICA_LIB_RUNTIME_SPECIALIZE_ENTRYSPECIALIZER_H
