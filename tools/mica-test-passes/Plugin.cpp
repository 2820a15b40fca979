//===- Plugin.cpp - the test passes of mlir-opt as a pass plugin --------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// Registers the passes of mlir-opt that are for its own tests and change programs. Many published reports are about
// pipelines with one of them. Passes that only print are left out, and so are those for the test dialect. No header of
// MLIR declares these functions.
//
//===------------------------------------------------------------------------------------------------------------===//

#include "mlir/Tools/Plugins/PassPlugin.h"

#include "llvm/Config/llvm-config.h"

#define MLIR_PASSES(REGISTER)                                                                                          \
  REGISTER(registerLoopLikeInterfaceTestPasses)                                                                        \
  REGISTER(registerTestAffineDataCopyPass)                                                                             \
  REGISTER(registerTestAffineLoopUnswitchingPass)                                                                      \
  REGISTER(registerTestDecomposeAffineOpPass)                                                                          \
  REGISTER(registerTestGpuMemoryPromotionPass)                                                                         \
  REGISTER(registerTestLoopPermutationPass)                                                                            \
  REGISTER(registerVectorizerTestPass)

#define TEST_PASSES(REGISTER)                                                                                          \
  REGISTER(registerCommutativityUtils)                                                                                 \
  REGISTER(registerInliner)                                                                                            \
  REGISTER(registerSimpleParametricTilingPass)                                                                         \
  REGISTER(registerTestAffineLoopParametricTilingPass)                                                                 \
  REGISTER(registerTestArithEmulateWideIntPass)                                                                        \
  REGISTER(registerTestCfAssertPass)                                                                                   \
  REGISTER(registerTestComposeSubView)                                                                                 \
  REGISTER(registerTestControlFlowSink)                                                                                \
  REGISTER(registerTestDataLayoutPropagation)                                                                          \
  REGISTER(registerTestDecomposeCallGraphTypes)                                                                        \
  REGISTER(registerTestEmulateNarrowTypePass)                                                                          \
  REGISTER(registerTestLLVMLegalizePatternsPass)                                                                       \
  REGISTER(registerTestLinalgDecomposeOps)                                                                             \
  REGISTER(registerTestLinalgDropUnitDims)                                                                             \
  REGISTER(registerTestLinalgElementwiseFusion)                                                                        \
  REGISTER(registerTestLinalgGreedyFusion)                                                                             \
  REGISTER(registerTestLinalgRankReduceContractionOps)                                                                 \
  REGISTER(registerTestLinalgTransforms)                                                                               \
  REGISTER(registerTestLoopFusion)                                                                                     \
  REGISTER(registerTestLoopMappingPass)                                                                                \
  REGISTER(registerTestLoopUnrollingPass)                                                                              \
  REGISTER(registerTestLowerToLLVM)                                                                                    \
  REGISTER(registerTestMakeIsolatedFromAbovePass)                                                                      \
  REGISTER(registerTestMathAlgebraicSimplificationPass)                                                                \
  REGISTER(registerTestMathPolynomialApproximationPass)                                                                \
  REGISTER(registerTestMathToVCIXPass)                                                                                 \
  REGISTER(registerTestMemRefToLLVMWithTransforms)                                                                     \
  REGISTER(registerTestMultiBuffering)                                                                                 \
  REGISTER(registerTestOneShotModuleBufferizePass)                                                                     \
  REGISTER(registerTestPadFusion)                                                                                      \
  REGISTER(registerTestParallelLoopUnrollingPass)                                                                      \
  REGISTER(registerTestSCFUpliftWhileToFor)                                                                            \
  REGISTER(registerTestSCFUtilsPass)                                                                                   \
  REGISTER(registerTestSCFWhileOpBuilderPass)                                                                          \
  REGISTER(registerTestSCFWrapInZeroTripCheckPasses)                                                                   \
  REGISTER(registerTestShapeMappingPass)                                                                               \
  REGISTER(registerTestSingleFold)                                                                                     \
  REGISTER(registerTestTensorCopyInsertionPass)                                                                        \
  REGISTER(registerTestTensorTransforms)                                                                               \
  REGISTER(registerTestVectorLowerings)

#define DECLARE(NAME) void NAME();
namespace mlir {
MLIR_PASSES(DECLARE)
namespace test {
TEST_PASSES(DECLARE)
} // namespace test
} // namespace mlir

#define CALL_OF_MLIR(NAME) mlir::NAME();
#define CALL_OF_TEST(NAME) mlir::test::NAME();

static void registerPasses() {
  MLIR_PASSES(CALL_OF_MLIR)
  TEST_PASSES(CALL_OF_TEST)
}

/// The entry point of a pass plugin.
extern "C" __attribute__((visibility("default"))) mlir::PassPluginLibraryInfo mlirGetPassPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "MicaTestPasses", LLVM_VERSION_STRING, registerPasses};
}
