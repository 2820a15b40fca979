// Runs canonicalize and cse on a file, and records them: recorder MODEL.mlir RECORD
#include "mica/Compiler/Record/Record.h"

#include "mlir/InitAllDialects.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  mlir::registerAllDialects(registry);
  mlir::MLIRContext context(registry);
  auto module = mlir::parseSourceFile<mlir::ModuleOp>(argc == 3 ? argv[1] : "-", &context);
  if (!module || argc != 3)
    return 2;
  mlir::PassManager pm(&context);
  pm.addPass(mlir::createCanonicalizerPass());
  pm.addPass(mlir::createCSEPass());
  mica::record(pm, argv[2], "recorder 1.0");
  return mlir::failed(pm.run(*module));
}
