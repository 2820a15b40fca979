//===- ConvertVHLOToStableHLO.cpp - versioned ops as those of stablehlo -------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// An op of vhlo has the operands, results and regions of that of stablehlo. Its attributes are all there, also those
// that have their default value, and structs are spread over several:
//
//   "vhlo.dot_general_v1"(%a, %b) {lhs_batching_dimensions = dense<> .., lhs_contracting_dimensions = dense<1> .., ..}
// becomes
//   stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : ..
//
// Names of functions are strings there.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "passes/StableHLO/Passes.h"

#include "dialects/StableHLO/IR/StableHLODialect.h"
#include "dialects/StableHLO/IR/VHLODialect.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/StringSwitch.h"

namespace mica {
#define GEN_PASS_DEF_CONVERTVHLOTOSTABLEHLO
#include "passes/StableHLO/Passes.h.inc"
} // namespace mica

using namespace mlir;
using namespace mica;

namespace {
/// The attributes of one op on their way. Errors are kept to the end, so that the conversions read as lists of fields.
class Attributes {
public:
  explicit Attributes(Operation *op) : op(op), left(op->getAttrs()) {}

  MLIRContext *context() const { return op->getContext(); }

  /// Takes the attribute `name` out; null if there is none, or one of another kind, which is an error.
  template <typename AttrT = Attribute> AttrT take(StringRef name) {
    auto value = dyn_cast_if_present<AttrT>(left.erase(name));
    if (!value)
      missing = name.str();
    return value;
  }

  int64_t takeInt(StringRef name) {
    auto value = take<IntegerAttr>(name);
    return value ? value.getInt() : 0;
  }

  SmallVector<int64_t> takeInts(StringRef name) {
    auto value = take<DenseIntElementsAttr>(name);
    if (value && !value.getElementType().isInteger(64))
      missing = name.str();
    return value && value.getElementType().isInteger(64) ? llvm::to_vector(value.getValues<int64_t>())
                                                         : SmallVector<int64_t>();
  }

  void set(StringRef name, Attribute value) { left.set(name, value); }

  /// Replaces the string `name`, the name of a function, by a reference to it.
  void makeSymbol(StringRef name) {
    if (auto text = take<StringAttr>(name))
      set(name, FlatSymbolRefAttr::get(text));
  }

  /// Removes the attribute `name` if `isDefault` holds for it.
  void dropIf(StringRef name, llvm::function_ref<bool(Attribute)> isDefault) {
    if (Attribute value = left.get(name); value && isDefault(value))
      left.erase(name);
  }

  /// Writes lists of integers and of booleans as lists, which are tensors of one dimension there.
  void makeLists() {
    for (NamedAttribute attribute : llvm::to_vector(left.getAttrs())) {
      auto elements = dyn_cast<DenseIntElementsAttr>(attribute.getValue());
      if (!elements || elements.getType().getRank() != 1)
        continue;
      if (elements.getElementType().isInteger(64))
        set(attribute.getName(), DenseI64ArrayAttr::get(context(), llvm::to_vector(elements.getValues<int64_t>())));
      else if (elements.getElementType().isInteger(1))
        set(attribute.getName(), DenseBoolArrayAttr::get(context(), llvm::to_vector(elements.getValues<bool>())));
    }
  }

  /// The attributes of the new op, or failure after an error at the old one.
  FailureOr<DictionaryAttr> finish() {
    if (!missing.empty())
      return op->emitError() << "attribute '" << missing << "' is missing, or is of another kind than '"
                             << op->getName() << "' has",
             failure();
    return left.getDictionary(context());
  }

private:
  Operation *op;
  NamedAttrList left;
  std::string missing;
};
} // namespace

static bool hasNoElements(Attribute value) {
  if (auto array = dyn_cast<ArrayAttr>(value))
    return array.empty();
  if (auto text = dyn_cast<StringAttr>(value))
    return text.empty();
  if (auto elements = dyn_cast<ElementsAttr>(value))
    return elements.getNumElements() == 0;
  auto dictionary = dyn_cast<DictionaryAttr>(value);
  return dictionary && dictionary.empty();
}

static bool isFalse(Attribute value) {
  auto flag = dyn_cast<BoolAttr>(value);
  return flag && !flag.getValue();
}

static bool isInteger(Attribute value, uint64_t expected) {
  auto number = dyn_cast<IntegerAttr>(value);
  return number && number.getValue() == expected;
}

/// Every product is of the default precision.
static bool isDefaultPrecision(Attribute value) {
  auto array = dyn_cast<ArrayAttr>(value);
  return array && llvm::all_of(array, [](Attribute element) {
           auto precision = dyn_cast<stablehlo::PrecisionAttr>(element);
           return precision && precision.getValue() == stablehlo::Precision::DEFAULT;
         });
}

//===------------------------------------------------------------------------------------------------------------===//
// Structs
//===------------------------------------------------------------------------------------------------------------===//

static void convertDot(Attributes &attributes, unsigned version) {
  const SmallVector<int64_t> lhsBatch = attributes.takeInts("lhs_batching_dimensions"),
                             rhsBatch = attributes.takeInts("rhs_batching_dimensions"),
                             lhsSum = attributes.takeInts("lhs_contracting_dimensions"),
                             rhsSum = attributes.takeInts("rhs_contracting_dimensions");
  attributes.set("dot_dimension_numbers",
                 stablehlo::DotDimensionNumbersAttr::get(attributes.context(), lhsBatch, rhsBatch, lhsSum, rhsSum));
  if (version < 2)
    return;
  // How a product may be computed less precisely is not used, as the precisions are not.
  for (StringRef name : {"accumulation_type", "allow_imprecise_accumulation", "lhs_component_count",
                         "lhs_precision_type", "num_primitive_operations", "rhs_component_count", "rhs_precision_type"})
    attributes.take(name);
}

static void convertGather(Attributes &attributes, unsigned version) {
  const SmallVector<int64_t> offset = attributes.takeInts("offset_dims"),
                             collapsed = attributes.takeInts("collapsed_slice_dims"),
                             map = attributes.takeInts("start_index_map");
  SmallVector<int64_t> operandBatch, indicesBatch;
  if (version >= 2) {
    operandBatch = attributes.takeInts("operand_batching_dims");
    indicesBatch = attributes.takeInts("start_indices_batching_dims");
  }
  attributes.set("dimension_numbers",
                 stablehlo::GatherDimensionNumbersAttr::get(attributes.context(), offset, collapsed, operandBatch,
                                                            indicesBatch, map, attributes.takeInt("index_vector_dim")));
}

static void convertScatter(Attributes &attributes, unsigned version) {
  const SmallVector<int64_t> window = attributes.takeInts("update_window_dims"),
                             inserted = attributes.takeInts("inserted_window_dims"),
                             map = attributes.takeInts("scatter_dims_to_operand_dims");
  SmallVector<int64_t> inputBatch, indicesBatch;
  if (version >= 2) {
    inputBatch = attributes.takeInts("input_batching_dims");
    indicesBatch = attributes.takeInts("scatter_indices_batching_dims");
  }
  attributes.set("scatter_dimension_numbers", stablehlo::ScatterDimensionNumbersAttr::get(
                                                  attributes.context(), window, inserted, inputBatch, indicesBatch, map,
                                                  attributes.takeInt("index_vector_dim")));
}

static void convertConvolution(Attributes &attributes) {
  const SmallVector<int64_t> input = attributes.takeInts("input_spatial_dimensions"),
                             kernel = attributes.takeInts("kernel_spatial_dimensions"),
                             output = attributes.takeInts("output_spatial_dimensions");
  const int64_t inputBatch = attributes.takeInt("input_batch_dimension"),
                inputFeature = attributes.takeInt("input_feature_dimension"),
                kernelInput = attributes.takeInt("kernel_input_feature_dimension"),
                kernelOutput = attributes.takeInt("kernel_output_feature_dimension"),
                outputBatch = attributes.takeInt("output_batch_dimension"),
                outputFeature = attributes.takeInt("output_feature_dimension");
  attributes.set("dimension_numbers", stablehlo::ConvDimensionNumbersAttr::get(
                                          attributes.context(), inputBatch, inputFeature, input, kernelInput,
                                          kernelOutput, kernel, outputBatch, outputFeature, output));
}

/// Channels of ops between processes: number 0 stands for none.
static void convertChannel(Attributes &attributes, bool hasKind) {
  const int64_t id = attributes.takeInt("channel_id"), kind = hasKind ? attributes.takeInt("channel_type") : 0;
  if (id != 0 || hasKind)
    attributes.set("channel_handle", stablehlo::ChannelHandleAttr::get(attributes.context(), id, kind));
}

/// The attributes of the op of stablehlo, or of func, called `name`.
static FailureOr<DictionaryAttr> convertAttributes(Operation *op, StringRef name, unsigned version) {
  Attributes attributes(op);
  if (name == "dot_general")
    convertDot(attributes, version);
  else if (name == "gather" || name == "dynamic_gather")
    convertGather(attributes, version);
  else if (name == "scatter")
    convertScatter(attributes, version);
  else if (name == "convolution" || name == "dynamic_conv")
    convertConvolution(attributes);
  else if (name == "send" || name == "recv")
    convertChannel(attributes, /*hasKind=*/true);
  else if (op->hasAttr("channel_id"))
    convertChannel(attributes, /*hasKind=*/false);

  // The first version has the padding both as an operand, which counts, and as an attribute.
  if (name == "dynamic_conv" && version == 1)
    attributes.take("padding");
  if (name == "call")
    attributes.makeSymbol("callee");
  if (name == "composite")
    attributes.makeSymbol("decomposition");
  if (op->hasAttr("use_global_device_ids"))
    if (auto flag = attributes.take<BoolAttr>("use_global_device_ids"); flag && flag.getValue())
      attributes.set("use_global_device_ids", UnitAttr::get(op->getContext()));
  if (name == "custom_call") {
    SmallVector<Attribute> symbols;
    if (auto names = attributes.take<ArrayAttr>("called_computations"))
      for (Attribute called : names)
        symbols.push_back(isa<StringAttr>(called) ? FlatSymbolRefAttr::get(cast<StringAttr>(called)) : called);
    attributes.set("called_computations", ArrayAttr::get(op->getContext(), symbols));
  }

  attributes.dropIf("compare_type", [](Attribute value) {
    auto type = dyn_cast<stablehlo::ComparisonTypeAttr>(value);
    return type && type.getValue() == stablehlo::ComparisonType::NOTYPE;
  });
  attributes.dropIf("result_accuracy", [](Attribute value) {
    auto accuracy = dyn_cast<stablehlo::ResultAccuracyAttr>(value);
    return accuracy && accuracy.getMode().getValue() == stablehlo::ResultAccuracyMode::DEFAULT;
  });
  attributes.dropIf("precision_config", isDefaultPrecision);
  for (StringRef flag : {"has_side_effect", "indices_are_sorted", "unique_indices", "is_host_transfer"})
    attributes.dropIf(flag, isFalse);
  for (StringRef list :
       {"arg_attrs", "res_attrs", "sym_visibility", "called_computations", "operand_layouts", "result_layouts",
        "output_operand_aliases", "backend_config", "composite_attributes", "infeed_config", "outfeed_config", "layout",
        "known_expanding_dimensions", "known_nonexpanding_dimensions", "source_target_pairs"})
    if (list != "source_target_pairs" || name == "send" || name == "recv")
      attributes.dropIf(list, hasNoElements);
  attributes.dropIf("api_version", [](Attribute value) { return isInteger(value, 1); });
  if (name == "composite")
    attributes.dropIf("version", [](Attribute value) { return isInteger(value, 0); });
  if (name != "constant")
    attributes.makeLists();
  return attributes.finish();
}

//===------------------------------------------------------------------------------------------------------------===//
// Ops
//===------------------------------------------------------------------------------------------------------------===//

static std::string newName(Operation *op, StringRef name) {
  if (name == "func" || name == "call")
    return ("func." + name).str();
  if (name == "return" && op->getParentOp()->getName().getStringRef().starts_with("vhlo.func_"))
    return "func.return";
  return ("stablehlo." + name).str();
}

static LogicalResult convertOp(Operation *op) {
  const auto [name, version] = vhlo::splitVersion(op->getName().getStringRef());
  if (name.empty() || !vhlo::isKnown(op->getName()))
    return op->emitError() << "op '" << op->getName()
                           << "' is unknown: Mica reads versions 0.9.0 to 1.13.0 of StableHLO"
                           << (vhlo::hasOp(name) ? ", which have older versions of it" : ""),
           failure();
  const FailureOr<DictionaryAttr> attributes = convertAttributes(op, name, version);
  if (failed(attributes))
    return failure();
  const OperationName opName(newName(op, name), op->getContext());
  NamedAttrList list(*attributes);
  if (failed(opName.verifyInherentAttrs(list, [&] { return op->emitError() << "as '" << opName << "': "; })))
    return failure();
  OperationState state(op->getLoc(), opName, op->getOperands(), op->getResultTypes(), list);
  for (Region &region : op->getRegions())
    state.addRegion()->takeBody(region);
  OpBuilder builder(op);
  op->replaceAllUsesWith(builder.create(state));
  op->erase();
  return success();
}

LogicalResult mica::convertVHLOToStableHLO(Operation *root) {
  // Ops first, then those that contain them: a return is told by the function around it.
  return failure(root->walk<WalkOrder::PostOrder>([](Operation *op) {
                       if (op->getName().getStringRef().starts_with("vhlo."))
                         return WalkResult(convertOp(op));
                       // Between types of vhlo and those of other dialects, which are the same here.
                       if (isa<UnrealizedConversionCastOp>(op) && op->getOperandTypes() == op->getResultTypes()) {
                         op->replaceAllUsesWith(op->getOperands());
                         op->erase();
                       }
                       return WalkResult::advance();
                     })
                     .wasInterrupted());
}

namespace {
struct ConvertVHLOToStableHLO : mica::impl::ConvertVHLOToStableHLOBase<ConvertVHLOToStableHLO> {
  void runOnOperation() override {
    if (failed(convertVHLOToStableHLO(getOperation())))
      signalPassFailure();
  }
};
} // namespace
