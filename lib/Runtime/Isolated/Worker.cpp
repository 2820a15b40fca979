//===- Worker.cpp - the worker's side of an isolated call -------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===--------------------------------------------------------------------------------------------------------------===//
//
// See Isolated.h. The call is on descriptor 3, the answer goes to descriptor 4.
//
//===--------------------------------------------------------------------------------------------------------------===//

#include "lib/Runtime/Isolated/Call.h"
#include "lib/Runtime/Isolated/Message.h"
#include "mica/Runtime/Context.h"
#include "mica/Runtime/Isolated.h"
#include "mica/Support/Log.h"

#include <cstdio>
#include <exception>

using namespace mica;
using namespace mica::runtime;

static Json placeOf(const FaultInfo &fault) {
  return {{"kernel", fault.kernel},     {"operation", fault.opKind}, {"id", fault.opId},
          {"file", fault.file},         {"line", fault.line},        {"column", fault.column},
          {"operands", fault.operands}, {"element", fault.element}};
}

static Result<std::vector<Tensor>> serve(const std::function<Status(const IsolatedCall &)> &confine, FaultInfo &fault) {
  MICA_ASSIGN_OR_RETURN(const std::optional<Message> message, readMessage(kCallDescriptor));
  if (!message)
    return Error{ErrorCode::InvalidInput, "there is no call", "libmica starts this program"};
  MICA_ASSIGN_OR_RETURN(const IsolatedCall call, parseCall(message->head));
  MICA_RETURN_IF_ERROR(confine(call));

  MICA_RETURN_IF_ERROR(configureLogs(logOptionsFromEnvironment(), "libmica"));
  ContextOptions options;
  options.threads = call.threads;
  if (!call.switches.empty())
    MICA_RETURN_IF_ERROR(options.switches.set(call.switches, SwitchSource::Api));
  LoadOptions loading;
  loading.mmapWeights = options.switches.flag(Switch::MmapWeights);
  MICA_ASSIGN_OR_RETURN(const std::shared_ptr<const Program> program, Program::load(call.folder, loading));
  MICA_ASSIGN_OR_RETURN(const size_t entry, program->findEntry(call.entry));
  MICA_ASSIGN_OR_RETURN(const std::unique_ptr<Context> context, Context::create(program, std::move(options)));
  std::vector<TensorView> inputs;
  for (const Tensor &tensor : message->tensors)
    inputs.push_back(tensor.view());
  return context->invoke(entry, inputs, &fault);
}

int mica::runtime::serveIsolatedCall(const std::function<Status(const IsolatedCall &)> &confine) {
  FaultInfo fault;
  Result<std::vector<Tensor>> results = serve(confine, fault);
  Json head = Json::object();
  std::vector<TensorView> views;
  if (results) {
    for (const Tensor &tensor : *results)
      views.push_back(tensor.view());
  } else {
    const Error &error = results.error();
    head["error"] = {{"code", static_cast<int>(error.code)}, {"message", error.message}, {"hint", error.hint}};
    if (fault.known())
      head["place"] = placeOf(fault);
  }
  if (const Status answered = writeMessage(kAnswerDescriptor, std::move(head), views); !answered) {
    std::fprintf(stderr, "mica-run: error: %s\n", answered.error().message.c_str());
    return 1;
  }
  std::fflush(nullptr);
  return 0;
}
