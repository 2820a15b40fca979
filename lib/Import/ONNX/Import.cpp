//===- Import.cpp - ONNX models as programs -------------------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See Import.h.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "mica/Import/ONNX/Import.h"

#include "lib/Import/ONNX/Importer.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/Support/Path.h"

#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>
#include <google/protobuf/stubs/logging.h>

using namespace mlir;
using namespace mica;
using namespace mica::importer;

Result<OwningOpRef<ModuleOp>> importer::importOnnx(const std::string &file, llvm::StringRef bytes, MLIRContext &context,
                                                   llvm::SourceMgr &sources) {
  constexpr size_t kMostBytes = size_t(1) << 31;
  if (bytes.size() >= kMostBytes)
    return Error{ErrorCode::InvalidInput, file + ": the model has more than 2 GiB, which protobuf does not read",
                 "store its weights as external data: onnx.save(model, path, save_as_external_data=True)"};
  google::protobuf::LogSilencer silencer;
  google::protobuf::io::ArrayInputStream stream(bytes.data(), static_cast<int>(bytes.size()));
  google::protobuf::io::CodedInputStream coded(&stream);
  ::onnx::ModelProto model;
  if (!model.ParseFromCodedStream(&coded) || !coded.ConsumedEntireMessage() || !model.has_ir_version())
    return Error{ErrorCode::InvalidInput, file + ": this is not an ONNX model, or it is cut off",
                 "check it: python3 -c 'import onnx; onnx.checker.check_model(\"" + file + "\")'"};
  context.loadDialect<MicaDialect, arith::ArithDialect, func::FuncDialect, linalg::LinalgDialect, math::MathDialect,
                      scf::SCFDialect, tensor::TensorDialect>();
  const Listing listing(model, file);
  sources.AddNewSourceBuffer(llvm::MemoryBuffer::getMemBufferCopy(listing.text(), file), llvm::SMLoc());
  OwningOpRef<ModuleOp> module = ModuleOp::create(listing.start(context));
  Importer importer(model, llvm::sys::path::parent_path(file).str(), *module, listing);
  if (failed(importer.run()))
    return Error{ErrorCode::InvalidInput, file + ": not imported: see the errors above", ""};
  return std::move(module);
}
