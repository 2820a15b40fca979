// Loads Mica's dialects from an installed package and prints their names.
#include "dialects/RegisterDialects.h"

#include "mlir/IR/DialectRegistry.h"
#include "llvm/Support/raw_ostream.h"

int main() {
  mlir::DialectRegistry registry;
  mica::registerMicaDialects(registry);
  for (llvm::StringRef name : registry.getDialectNames())
    llvm::outs() << name << "\n";
}
