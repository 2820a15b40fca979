//===- Codegen.cpp - code generation from the LLVM dialect --------------------------------------------------------===//
//
// Part of Mica, under the Apache License v2.0 with LLVM Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===------------------------------------------------------------------------------------------------------------===//
//
// See Codegen.h. Triple and data layout must be set before optimization: without them the cost model is that of another
// machine (a matmul is a quarter slower).
//
//===------------------------------------------------------------------------------------------------------------===//

#include "mica/Compiler/Codegen/Codegen.h"

#include "lib/Compiler/Codegen/LLVMWorkarounds.h"
#include "lib/Compiler/Codegen/LongFunctions.h"
#include "lib/Compiler/Codegen/PassGate.h"
#include "lib/Compiler/Codegen/ProgramHeader.h"
#include "lib/Compiler/Codegen/SpirvWorkarounds.h"
#include "mica/Compiler/Snapshot/SnapshotPrinter.h"
#include "passes/Codegen/GPU/Passes.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/Transforms/Passes.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/CodeGen/CodeGenTargetMachineImpl.h"
#include "llvm/CodeGen/ExpandReductions.h"
#include "llvm/CodeGen/MachineModuleInfo.h"
#include "llvm/CodeGen/Passes.h"
#include "llvm/CodeGen/TargetPassConfig.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Passes/StandardInstrumentations.h"
#include "llvm/Plugins/PassPlugin.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Target/TargetOptions.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/DCE.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/InferAddressSpaces.h"
#include "llvm/Transforms/Scalar/InstSimplifyPass.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/Scalarizer.h"
#include "llvm/Transforms/Utils/Cloning.h"

#include <map>
#include <mutex>

using namespace mlir;
using namespace mica;
using namespace mica::compiler;

static Error internalError(const llvm::Twine &message) {
  return {ErrorCode::Internal, message.str(),
          "this is a bug in Mica: report it with the reproducer; the snapshots show which pass introduced it"};
}

static Result<std::unique_ptr<llvm::TargetMachine>> makeMachine(const CodeTarget &target, int optLevel) {
  codegen::initializeTargets();
  std::string error;
  llvm::Triple triple(target.triple);
  const llvm::Target *found = llvm::TargetRegistry::lookupTarget(triple, error);
  if (!found)
    return internalError("no code generator for " + target.triple + ": " + error);
  llvm::TargetOptions options;
  options.EnableTLSDESC = true; // __tls_get_addr is in no library that programs are linked with
  options.MCOptions.AsmVerbose = true;
  auto level = optLevel == 0   ? llvm::CodeGenOptLevel::None
               : optLevel == 1 ? llvm::CodeGenOptLevel::Less
               : optLevel == 2 ? llvm::CodeGenOptLevel::Default
                               : llvm::CodeGenOptLevel::Aggressive;
  std::unique_ptr<llvm::TargetMachine> machine(
      found->createTargetMachine(triple, target.cpu, target.features, options, llvm::Reloc::PIC_, std::nullopt, level));
  if (!machine)
    return internalError("cannot create a target machine for " + target.triple);
  return machine;
}

//===------------------------------------------------------------------------------------------------------------===//
// Debug lines
//===------------------------------------------------------------------------------------------------------------===//

/// Replaces every location by its position in the printed kernel; ops without one get their function's. Every op needs
/// one: LLVM's verifier requires a line on every call that could be inlined, and upstream's debug-scope pass requires
/// an enclosing function for every op, globals included.
static void useLinePositions(ModuleOp module, llvm::StringRef file) {
  MLIRContext *context = module.getContext();
  module->setLoc(FileLineColLoc::get(context, file, 1, 1));
  for (Operation &top : module.getOps())
    if (!isa<LLVM::LLVMFuncOp>(top))
      top.walk([&](Operation *op) {
        FileLineColLoc position = getLinePosition(op->getLoc());
        op->setLoc(position ? Location(position) : module.getLoc());
      });
  for (auto function : module.getOps<LLVM::LLVMFuncOp>()) {
    // A function has the position of its first op: the entry that Mica makes has no line of its own.
    FileLineColLoc start = getLinePosition(function.getLoc());
    function.walk([&](Operation *op) {
      if (!start)
        start = getLinePosition(op->getLoc());
    });
    Location fallback = start ? start : FileLineColLoc::get(context, file, 1, 1);
    function.walk([&](Operation *op) {
      FileLineColLoc position = getLinePosition(op->getLoc());
      op->setLoc(position ? Location(position) : fallback);
    });
  }
}

/// Adds the scopes that turn locations into debug lines.
static LogicalResult addDebugScopes(ModuleOp module, bool forPtx) {
  PassManager pm(module->getName());
  LLVM::DIScopeForLLVMFuncOpPassOptions options;
  // ptxas disables optimization for more than line directives.
  options.emissionKind = forPtx ? LLVM::DIEmissionKind::DebugDirectivesOnly : LLVM::DIEmissionKind::LineTablesOnly;
  pm.addPass(LLVM::createDIScopeForLLVMFuncOpPass(options));
  return pm.run(module);
}

/// The lines of LLVM IR text: an instruction's !dbg names a !DILocation further down.
static LineTable readLlvmLines(llvm::StringRef text) {
  std::map<unsigned, unsigned> lineOfNode;
  std::vector<std::pair<unsigned, unsigned>> uses;
  unsigned number = 0;
  for (llvm::StringRef rest = text; !rest.empty();) {
    auto [line, after] = rest.split('\n');
    rest = after;
    ++number;
    unsigned node = 0, target = 0;
    if (line.consume_front("!")) {
      auto [name, value] = line.split(" = ");
      size_t at = value.find("!DILocation(line: ");
      if (at != llvm::StringRef::npos && !name.getAsInteger(10, node) &&
          !value.drop_front(at + 18).consumeInteger(10, target))
        lineOfNode[node] = target;
      continue;
    }
    size_t at = line.rfind("!dbg !");
    if (at == llvm::StringRef::npos || line.starts_with("define"))
      continue;
    llvm::StringRef digits = line.drop_front(at + 6);
    if (!digits.consumeInteger(10, node))
      uses.push_back({number, node});
  }
  LineTable table;
  for (auto [line, node] : uses)
    if (auto it = lineOfNode.find(node); it != lineOfNode.end() && it->second)
      table.push_back({line, it->second});
  return table;
}

/// The lines of assembly: a .loc holds for the instructions up to the next one or the end of the function.
static LineTable readAssemblyLines(llvm::StringRef text) {
  LineTable table;
  unsigned number = 0, current = 0;
  for (llvm::StringRef rest = text; !rest.empty();) {
    auto [line, after] = rest.split('\n');
    rest = after;
    ++number;
    if (!line.starts_with("\t")) {
      continue;
    }
    llvm::StringRef code = line.ltrim();
    if (code.consume_front(".loc")) {
      unsigned file = 0;
      code = code.ltrim();
      if (code.consumeInteger(10, file) || (code = code.ltrim()).consumeInteger(10, current))
        current = 0;
      continue;
    }
    if (code.starts_with(".cfi_endproc") || code.starts_with(".section") || code.starts_with("// -- End"))
      current = 0;
    if (current && !code.empty() && code.front() != '.' && code.front() != '#' && code.front() != ';')
      table.push_back({number, current});
  }
  return table;
}

//===------------------------------------------------------------------------------------------------------------===//
// Translation
//===------------------------------------------------------------------------------------------------------------===//

/// Whether `module` uses vectors of one element, which SPIR-V lacks.
static bool hasSingleVectors(const llvm::Module &module) {
  auto isSingle = [](const llvm::Type *type) {
    const auto *vector = llvm::dyn_cast<llvm::FixedVectorType>(type);
    return vector && vector->getNumElements() == 1;
  };
  for (const llvm::Function &function : module)
    for (const llvm::Instruction &instruction : llvm::instructions(function))
      if (isSingle(instruction.getType()) ||
          llvm::any_of(instruction.operands(), [&](const llvm::Use &use) { return isSingle(use->getType()); }))
        return true;
  return false;
}

static Status optimize(llvm::Module &module, llvm::TargetMachine &machine, int optLevel, bool isLong,
                       const CodegenOptions &options) {
  llvm::PipelineTuningOptions tuning;
  tuning.LoopUnrolling = optLevel > 1;
  // SPIR-V only has vectors of 2, 3, 4, 8 and 16 elements, and drivers vectorize themselves.
  const bool vectorizes = optLevel > 1 && !machine.getTargetTriple().isSPIRV();
  tuning.LoopVectorization = vectorizes;
  tuning.SLPVectorization = vectorizes && !hasLongScalarBlocks(module);
  llvm::PassInstrumentationCallbacks callbacks;
  llvm::OptPassGateInstrumentation gate(module.getContext());
  gate.registerCallbacks(callbacks);
  llvm::PassBuilder builder(&machine, tuning, std::nullopt, options.passLimit ? &callbacks : nullptr);
  for (const std::string &file : options.llvmPlugins) {
    llvm::Expected<llvm::PassPlugin> plugin = llvm::PassPlugin::Load(file);
    if (!plugin)
      return Error{ErrorCode::InvalidInput, "cannot load '" + file + "': " + llvm::toString(plugin.takeError()),
                   "give a plugin as for opt --load-pass-plugin"};
    plugin->registerPassBuilderCallbacks(builder);
  }
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager components;
  llvm::ModuleAnalysisManager modules;
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);
  auto level = optLevel == 0   ? llvm::OptimizationLevel::O0
               : optLevel == 1 ? llvm::OptimizationLevel::O1
               : optLevel == 2 ? llvm::OptimizationLevel::O2
                               : llvm::OptimizationLevel::O3;
  llvm::ModulePassManager passes =
      optLevel == 0 ? builder.buildO0DefaultPipeline(level) : builder.buildPerModuleDefaultPipeline(level);
  if (isLong) {
    // Simplifies descriptors that are built and taken apart again, which would cost the code generator more time.
    llvm::FunctionPassManager cleanup;
    cleanup.addPass(llvm::SROAPass(llvm::SROAOptions::PreserveCFG));
    cleanup.addPass(llvm::EarlyCSEPass());
    cleanup.addPass(llvm::InstSimplifyPass());
    cleanup.addPass(llvm::DCEPass());
    passes.addPass(llvm::createModuleToFunctionPassAdaptor(std::move(cleanup)));
  }
  if (machine.getTargetTriple().isSPIRV()) {
    // Kernel parameters point to global memory; infer the address space of all derived pointers.
    llvm::FunctionPassManager cleanup;
    cleanup.addPass(llvm::SROAPass(llvm::SROAOptions::ModifyCFG));
    cleanup.addPass(llvm::InstCombinePass());
    cleanup.addPass(llvm::InferAddressSpacesPass(/*AddressSpace=*/0));
    cleanup.addPass(llvm::ExpandReductionsPass());
    cleanup.addPass(llvm::InstCombinePass());
    if (hasSingleVectors(module)) {
      llvm::ScalarizerPassOptions options;
      options.ScalarizeLoadStore = true;
      cleanup.addPass(llvm::ScalarizerPass(options));
      cleanup.addPass(llvm::InstCombinePass());
    }
    passes.addPass(llvm::createModuleToFunctionPassAdaptor(std::move(cleanup)));
  }
  if (isLong)
    hideSharedConditions(module);
  passes.run(module, modules);
  if (isLong)
    showSharedConditions(module);
  return Status::ok();
}

/// Runs the code generator on `module`, which it changes.
static Result<std::string> emitFile(llvm::Module &module, llvm::TargetMachine &machine, const CodeTarget &target,
                                    llvm::CodeGenFileType kind) {
  llvm::SmallString<0> text;
  llvm::raw_svector_ostream os(text);
  llvm::legacy::PassManager passes;
  passes.add(new llvm::TargetLibraryInfoWrapperPass(machine.getTargetTriple()));
  if (machine.addPassesToEmitFile(passes, os, nullptr, kind))
    return internalError("no assembly printer for " + target.triple);
  passes.run(module);
  return text.str().str();
}

namespace {
/// Opens a protected function to emitSpirv().
struct SelectionPasses : llvm::TargetPassConfig {
  static bool add(llvm::TargetPassConfig &config) { return (config.*(&SelectionPasses::addCoreISelPasses))(); }
};
} // namespace

/// Adds what addISelPasses() adds, but for CodeGenPrepare: that makes sums with a flag (OpIAddCarry), which
/// legalizeForSpirv() expands, of comparisons.
static bool addSpirvSelection(llvm::TargetPassConfig &config, llvm::TargetMachine &machine,
                              llvm::legacy::PassManager &passes) {
  passes.add(llvm::createTargetTransformInfoWrapperPass(machine.getTargetIRAnalysis()));
  passes.add(llvm::createPreISelIntrinsicLoweringPass());
  passes.add(llvm::createExpandIRInstsPass(machine.getOptLevel()));
  config.addIRPasses();
  config.addISelPrepare();
  return SelectionPasses::add(config);
}

/// Runs LLVM's SPIR-V back end on `module`, which is not modified. On one thread at a time.
///
/// The back end keeps the numbers of blocks for the life of the process, keyed by the address of their machine
/// function: a new function at the address of a freed one would get the same numbers, and ids would be defined twice.
/// So machine functions are never freed here, unlike in addPassesToEmitFile(); their memory is leaked. A target machine
/// caches values of its module, so each call makes a new one.
static Result<std::string> emitSpirv(const llvm::Module &module, const CodeTarget &target, llvm::CodeGenOptLevel level,
                                     llvm::CodeGenFileType kind) {
  std::unique_ptr<llvm::Module> copy = llvm::CloneModule(module);
  MICA_ASSIGN_OR_RETURN(std::unique_ptr<llvm::TargetMachine> machine, makeMachine(target, static_cast<int>(level)));
  llvm::SmallString<0> text;
  llvm::raw_svector_ostream os(text);
  auto *functions = new llvm::MachineModuleInfoWrapperPass(machine.get());
  llvm::legacy::PassManager &passes = *new llvm::legacy::PassManager; // owns `functions`; leaked as well
  passes.add(new llvm::TargetLibraryInfoWrapperPass(machine->getTargetTriple()));
  llvm::TargetPassConfig *config = machine->createPassConfig(passes);
  config->setDisableVerify(true);
  passes.add(config);
  passes.add(functions);
  if (addSpirvSelection(*config, *machine, passes))
    return internalError("no instruction selection for " + target.triple);
  config->addMachinePasses();
  config->setInitialized();
  auto &generator = static_cast<llvm::CodeGenTargetMachineImpl &>(*machine);
  if (generator.addAsmPrinter(passes, os, nullptr, kind, functions->getMMI().getContext()))
    return internalError("no assembly printer for " + target.triple);
  passes.run(*copy);
  return text.str().str();
}

static Status emitAssembly(llvm::Module &module, llvm::TargetMachine &machine, const CodeTarget &target,
                           GeneratedCode &code) {
  if (machine.getTargetTriple().isSPIRV()) {
    // There is no assembler for SPIR-V. LLVM's back end has global state that is not thread-safe: it crashes, or does
    // not terminate.
    static std::mutex oneAtATime;
    std::lock_guard<std::mutex> held(oneAtATime);
    const llvm::CodeGenOptLevel level = machine.getOptLevel();
    MICA_ASSIGN_OR_RETURN(code.object, emitSpirv(module, target, level, llvm::CodeGenFileType::ObjectFile));
    MICA_ASSIGN_OR_RETURN(code.assembly, emitSpirv(module, target, level, llvm::CodeGenFileType::AssemblyFile));
    return Status::ok();
  }
  MICA_ASSIGN_OR_RETURN(code.assembly, emitFile(module, machine, target, llvm::CodeGenFileType::AssemblyFile));
  return Status::ok();
}

OwningOpRef<ModuleOp> compiler::hostModule(ModuleOp program) {
  OwningOpRef<ModuleOp> host = ModuleOp::create(program.getLoc(), "host");
  OpBuilder builder(host->getBodyRegion());
  for (Operation &op : *program.getBody())
    if (isa_and_present<LLVM::LLVMDialect>(op.getDialect()))
      builder.clone(op);
  addProgramHeader(*host, requiredFeatures(program));
  return host;
}

Result<GeneratedCode> compiler::generateCode(ModuleOp module, const CodeTarget &target, const CodegenOptions &options) {
  std::string name = module.getName().value_or("host").str();
  // LLVM writes no lines into SPIR-V, and fails on modules that have some.
  if (!options.lineFile.empty() && !llvm::Triple(target.triple).isSPIRV()) {
    useLinePositions(module, options.lineFile);
    if (failed(addDebugScopes(module, llvm::Triple(target.triple).isNVPTX())))
      return internalError("debug lines of '" + name + "' could not be made");
  }
  PassGate gate(options.passLimit.value_or(0));
  llvm::LLVMContext context;
  if (options.passLimit)
    context.setOptPassGate(gate);
  std::unique_ptr<llvm::Module> llvmModule = translateModuleToLLVMIR(module, context, name);
  if (!llvmModule)
    return internalError("'" + name + "' could not be translated to LLVM IR");
  // Host functions have no line file.
  const bool isLong = !target.isGpu() && options.lineFile.empty() && hasLongCalls(*llvmModule);
  const int optLevel = isLong ? 0 : options.optLevel;
  MICA_ASSIGN_OR_RETURN(std::unique_ptr<llvm::TargetMachine> machine, makeMachine(target, optLevel));
  llvmModule->setTargetTriple(machine->getTargetTriple());
  llvmModule->setDataLayout(machine->createDataLayout());
  for (llvm::Function &function : *llvmModule) {
    if (function.isDeclaration() || target.isGpu())
      continue;
    function.addFnAttr("target-cpu", target.cpu);
    function.addFnAttr("target-features", target.features);
    if (!target.tune.empty())
      function.addFnAttr("tune-cpu", target.tune);
    if (target.vectorBits >= 512)
      function.addFnAttr("prefer-vector-width", "512");
  }
  std::string problem;
  llvm::raw_string_ostream problemStream(problem);
  if (llvm::verifyModule(*llvmModule, &problemStream))
    return internalError("the LLVM IR of '" + name + "' is invalid: " + problem);
  dropUnsignedWraps(*llvmModule);
  MICA_RETURN_IF_ERROR(optimize(*llvmModule, *machine, optLevel, isLong && options.optLevel > 0, options));
  storeSingleLanes(*llvmModule);
  if (llvm::Triple(target.triple).isAMDGCN())
    widenRemainders(*llvmModule);
  if (llvm::Triple(target.triple).isNVPTX())
    hideNegations(*llvmModule);
  if (llvm::Triple(target.triple).isSPIRV())
    legalizeForSpirv(*llvmModule);

  GeneratedCode code;
  {
    llvm::raw_string_ostream os(code.llvmIR);
    llvmModule->print(os, nullptr);
  }
  MICA_RETURN_IF_ERROR(emitAssembly(*llvmModule, *machine, target, code));
  if (!options.lineFile.empty()) {
    code.llvmLines = readLlvmLines(code.llvmIR);
    code.assemblyLines = readAssemblyLines(code.assembly);
  }
  if (llvm::Triple triple(target.triple); !triple.isNVPTX() && !triple.isSPIRV()) {
    MICA_ASSIGN_OR_RETURN(code.object, assemble(code.assembly, target, name));
  }
  code.passes = gate.takePasses();
  return code;
}

Result<GeneratedCode> compiler::generateCodeFromLlvm(llvm::StringRef text, llvm::StringRef file,
                                                     const CodeTarget &target, const CodegenOptions &options) {
  llvm::LLVMContext context;
  llvm::SMDiagnostic diagnostic;
  std::unique_ptr<llvm::Module> llvmModule =
      llvm::parseAssembly(llvm::MemoryBufferRef(text, file), diagnostic, context);
  std::string problem;
  llvm::raw_string_ostream problemStream(problem);
  if (!llvmModule) {
    diagnostic.print(nullptr, problemStream, /*ShowColors=*/false);
    return Error{ErrorCode::InvalidInput, llvm::StringRef(problem).trim().str(),
                 "write IR of LLVM " LLVM_VERSION_STRING "; --reset restores the compiler's file"};
  }
  if (llvm::verifyModule(*llvmModule, &problemStream))
    return Error{ErrorCode::InvalidInput, file.str() + ": " + llvm::StringRef(problem).trim().str(),
                 "opt -passes=verify reproduces this error of LLVM's verifier"};
  // Host functions have no line file.
  const bool isLong = !target.isGpu() && options.lineFile.empty() && hasLongCalls(*llvmModule);
  const int optLevel = isLong ? 0 : options.optLevel;
  MICA_ASSIGN_OR_RETURN(std::unique_ptr<llvm::TargetMachine> machine, makeMachine(target, optLevel));
  GeneratedCode code;
  code.llvmIR = text.str();
  code.llvmLines = readLlvmLines(code.llvmIR);
  MICA_RETURN_IF_ERROR(emitAssembly(*llvmModule, *machine, target, code));
  code.assemblyLines = readAssemblyLines(code.assembly);
  if (!target.isGpu()) {
    MICA_ASSIGN_OR_RETURN(code.object, assemble(code.assembly, target, file));
  }
  return code;
}

Result<GeneratedCode> compiler::generateCodeFromAssembly(llvm::StringRef text, llvm::StringRef file,
                                                         const CodeTarget &target) {
  GeneratedCode code;
  code.assembly = text.str();
  code.assemblyLines = readAssemblyLines(code.assembly);
  if (!target.isGpu()) {
    MICA_ASSIGN_OR_RETURN(code.object, assemble(code.assembly, target, file));
  }
  return code;
}
