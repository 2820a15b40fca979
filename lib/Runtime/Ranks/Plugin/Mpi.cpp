//===- Mpi.cpp - messages between ranks by MPI -----------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===-----------------------------------------------------------------------------------------------------------===//
//
// The plug-in of include/mica/ABI/Ranks.h. It is compiled once for each MPI library that there are headers of, because
// their binary interfaces differ. Calls are MPI-3's non-blocking ones, so that a rank can give up waiting.
//
//===-----------------------------------------------------------------------------------------------------------===//

#include "mica/ABI/Ranks.h"

#include <climits>
#include <cstdio>
#include <cstring>
#include <map>
#include <vector>

#include <mpi.h>

namespace {

mica_ranks_combine_v1 combineElements = nullptr;

// The runtime closes the library when the process ends, maybe after destructors of this file have run. So these have
// none.
/// A communicator per group, made by its members alone when they first call together.
auto &groups = *new std::map<std::vector<int>, MPI_Comm>;
auto &types = *new std::map<int64_t, MPI_Datatype>; ///< by bytes of an element

constexpr int kTypes = 32, kReductions = 7;
MPI_Op operations[kTypes][kReductions];
bool made[kTypes][kReductions];

struct Request {
  MPI_Request requests[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
};

int32_t fail(int code, const char *what, char *message, int64_t capacity) {
  char text[MPI_MAX_ERROR_STRING] = "";
  int length = 0;
  MPI_Error_string(code, text, &length);
  std::snprintf(message, size_t(capacity), "%s: %s", what, text);
  return -1;
}

/// MPI passes no data of ours to the function of an operation, so each pair of type and reduction has its own.
template <int Type, int Reduction> void combine(void *other, void *into, int *count, MPI_Datatype *) {
  combineElements(Type, Reduction, into, other, *count);
}
template <int Type, int Reduction> void fill(MPI_User_function **table) {
  table[Type * kReductions + Reduction] = combine<Type, Reduction>;
  if constexpr (Reduction + 1 < kReductions)
    fill<Type, Reduction + 1>(table);
  else if constexpr (Type + 1 < kTypes)
    fill<Type + 1, 0>(table);
}

int operationOf(int type, int reduction, MPI_Op *operation) {
  static MPI_User_function *table[kTypes * kReductions];
  if (!table[0])
    fill<0, 0>(table);
  if (!made[type][reduction]) {
    if (const int code =
            MPI_Op_create(table[type * kReductions + reduction], /*commute=*/1, &operations[type][reduction]))
      return code;
    made[type][reduction] = true;
  }
  *operation = operations[type][reduction];
  return MPI_SUCCESS;
}

int typeOf(int64_t bytes, MPI_Datatype *type) {
  const auto known = types.find(bytes);
  if (known != types.end()) {
    *type = known->second;
    return MPI_SUCCESS;
  }
  if (const int code = MPI_Type_contiguous(int(bytes), MPI_BYTE, type))
    return code;
  if (const int code = MPI_Type_commit(type))
    return code;
  types[bytes] = *type;
  return MPI_SUCCESS;
}

int groupOf(const mica_ranks_call_v1 &call, MPI_Comm *comm) {
  if (call.num_members == 0) {
    *comm = MPI_COMM_WORLD;
    return MPI_SUCCESS;
  }
  const std::vector<int> members(call.members, call.members + call.num_members);
  const auto known = groups.find(members);
  if (known != groups.end()) {
    *comm = known->second;
    return MPI_SUCCESS;
  }
  MPI_Group world, group;
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  int code = MPI_Group_incl(world, call.num_members, members.data(), &group);
  if (code == MPI_SUCCESS)
    code = MPI_Comm_create_group(MPI_COMM_WORLD, group, /*tag=*/1, comm);
  if (code == MPI_SUCCESS) {
    MPI_Comm_set_errhandler(*comm, MPI_ERRORS_RETURN);
    groups[members] = *comm;
  }
  return code;
}

const char *library() {
  static char text[MPI_MAX_LIBRARY_VERSION_STRING] = "";
  if (!text[0]) {
    int length = 0;
    MPI_Get_library_version(text, &length);
    // "Open MPI v4.1.4, package: ..." and "MPICH Version:\t4.0.2\nMPICH Release date: ...".
    text[std::strcspn(text, ",\n")] = '\0';
    for (char *tab = std::strchr(text, '\t'); tab; tab = std::strchr(tab, '\t'))
      *tab = ' ';
  }
  return text;
}

int32_t rank() {
  int value = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &value);
  return value;
}
int32_t size() {
  int value = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &value);
  return value;
}

int begin(const mica_ranks_call_v1 &call, Request &made) {
  MPI_Datatype type;
  if (const int code = typeOf(call.element_bytes, &type))
    return code;
  const int count = int(call.count);
  if (call.kind == MICA_RANKS_EXCHANGE) {
    if (call.receive_from >= 0)
      if (const int code =
              MPI_Irecv(call.receive, count, type, call.receive_from, 0, MPI_COMM_WORLD, &made.requests[0]))
        return code;
    return call.send_to < 0 ? MPI_SUCCESS
                            : MPI_Isend(call.send, count, type, call.send_to, 0, MPI_COMM_WORLD, &made.requests[1]);
  }
  MPI_Comm comm;
  if (const int code = groupOf(call, &comm))
    return code;
  MPI_Op operation = MPI_OP_NULL;
  if (call.kind == MICA_RANKS_ALL_REDUCE || call.kind == MICA_RANKS_REDUCE || call.kind == MICA_RANKS_REDUCE_SCATTER)
    if (const int code = operationOf(call.dtype, call.reduction, &operation))
      return code;
  MPI_Request *request = &made.requests[0];
  switch (call.kind) {
  case MICA_RANKS_ALL_GATHER:
    return MPI_Iallgather(call.send, count, type, call.receive, count, type, comm, request);
  case MICA_RANKS_ALL_REDUCE:
    return MPI_Iallreduce(call.send, call.receive, count, type, operation, comm, request);
  case MICA_RANKS_REDUCE_SCATTER:
    return MPI_Ireduce_scatter_block(call.send, call.receive, count, type, operation, comm, request);
  case MICA_RANKS_ALL_TO_ALL:
    return MPI_Ialltoall(call.send, count, type, call.receive, count, type, comm, request);
  case MICA_RANKS_BROADCAST:
    if (call.self == call.root)
      std::memcpy(call.receive, call.send, size_t(call.count * call.element_bytes));
    return MPI_Ibcast(call.receive, count, type, call.root, comm, request);
  case MICA_RANKS_GATHER:
    return MPI_Igather(call.send, count, type, call.receive, count, type, call.root, comm, request);
  case MICA_RANKS_REDUCE:
    return MPI_Ireduce(call.send, call.receive, count, type, operation, call.root, comm, request);
  case MICA_RANKS_SCATTER:
    return MPI_Iscatter(call.send, count, type, call.receive, count, type, call.root, comm, request);
  default:
    return MPI_ERR_ARG;
  }
}

int32_t start(const mica_ranks_call_v1 *call, void **request, char *message, int64_t capacity) {
  if (call->count > INT_MAX) {
    std::snprintf(message, size_t(capacity), "a part of %lld elements is more than MPI counts in one call",
                  static_cast<long long>(call->count));
    return -1;
  }
  Request *made = new Request;
  if (const int code = begin(*call, *made)) {
    delete made;
    return fail(code, "a call cannot begin", message, capacity);
  }
  *request = made;
  return 0;
}

int32_t test(void *request, int32_t *complete, char *message, int64_t capacity) {
  auto *made = static_cast<Request *>(request);
  int flag = 0;
  if (const int code = MPI_Testall(2, made->requests, &flag, MPI_STATUSES_IGNORE))
    return fail(code, "a call cannot be completed", message, capacity);
  *complete = flag;
  if (flag)
    delete made;
  return 0;
}

void abortRanks(int32_t code) { MPI_Abort(MPI_COMM_WORLD, code); }

void closeRanks() {
  int finalized = 0;
  MPI_Finalized(&finalized);
  if (finalized)
    return;
  for (auto &[bytes, type] : types)
    MPI_Type_free(&type);
  for (int type = 0; type < kTypes; ++type)
    for (int reduction = 0; reduction < kReductions; ++reduction)
      if (made[type][reduction])
        MPI_Op_free(&operations[type][reduction]);
  MPI_Finalize();
}

const mica_ranks_api_v1 kApi{MICA_RANKS_VERSION, library, rank, size, start, test, abortRanks, closeRanks};

} // namespace

extern "C" __attribute__((visibility("default"))) const mica_ranks_api_v1 *
mica_ranks_open_v1(mica_ranks_combine_v1 combine, char *message, int64_t capacity) {
  combineElements = combine;
  int provided = MPI_THREAD_SINGLE, initialized = 0;
  MPI_Initialized(&initialized);
  if (!initialized)
    if (const int code = MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SERIALIZED, &provided)) {
      fail(code, "MPI_Init_thread", message, capacity);
      return nullptr;
    }
  if (!initialized && provided < MPI_THREAD_SERIALIZED) {
    std::snprintf(message, size_t(capacity), "the library does not take calls from several threads");
    return nullptr;
  }
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  return &kApi;
}
