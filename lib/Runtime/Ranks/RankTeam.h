//===- RankTeam.h - all ranks of a program ---------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// The context of a program for several ranks: it has a context for each rank that is in this process, gives each its
// part of the inputs, and puts the results together.
//
//===-----------------------------------------------------------------------------------------------------------===//

#ifndef MICA_LIB_RUNTIME_RANKS_RANKTEAM_H
#define MICA_LIB_RUNTIME_RANKS_RANKTEAM_H

#include "lib/Runtime/Ranks/RankSession.h"
#include "mica/Runtime/Context.h"
#include "mica/Support/Files.h"

namespace mica::runtime {

class RankTeam {
public:
  /// Ranks are threads of this process, or, if a launcher of MPI started it, processes, of which this is one.
  static Result<std::unique_ptr<RankTeam>> create(std::shared_ptr<const Program> program, int32_t count,
                                                  ContextOptions options);
  ~RankTeam();

  /// As Context::invoke; inputs and results are whole tensors, on each process.
  Status invoke(size_t entry, std::span<const TensorView> inputs, std::vector<Tensor> &results, FaultInfo *fault);
  std::vector<MemoryUse> memoryUse() const;

private:
  struct Member;
  RankTeam(std::shared_ptr<const Program> program, int32_t count);
  Status addMembers(ContextOptions options);
  Status invokeMember(Member &member, size_t entry, std::span<const TensorView> inputs);
  Status compareRanks(size_t entry);
  Status collect(size_t entry, std::vector<Tensor> &results);

  std::shared_ptr<const Program> program;
  const int32_t count;
  std::optional<ScratchFolder> scratch; ///< of the ledgers, where this process made it
  std::vector<std::unique_ptr<Member>> members;
};

} // namespace mica::runtime

#endif // MICA_LIB_RUNTIME_RANKS_RANKTEAM_H
