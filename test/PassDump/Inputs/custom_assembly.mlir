// Custom assembly as CIRCT, Triton, IREE, flang, ClangIR, StableHLO, torch-mlir and the LLVM and transform dialects print it.
// Each line that begins with an op, "dialect.name" behind results, is one op; there are no others but those without a dialect.
#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [32, 1], warpsPerCTA = [4, 1], order = [1, 0]}>
#shared = #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, elementBitWidth = 16}>
!s32i = !cir.int<s, 32>
module attributes {"ttg.num-ctas" = 1 : i32, "ttg.num-warps" = 4 : i32, ttg.target = "cuda:100"} {
  tt.func public @matmul(%a: !tt.ptr<f16> {tt.divisibility = 16 : i32}, %desc: !tt.tensordesc<tensor<128x64xf16, #shared>>) attributes {noinline = false} {
    %true = arith.constant true
    %cst = arith.constant dense<0.000000e+00> : tensor<128x128xf32, #blocked>
    %0 = ttg.local_alloc : () -> !ttg.memdesc<3x128x64xf16, #shared, #smem, mutable>
    %1 = ttng.init_barrier %0, 1 : !ttg.memdesc<1xi64, #shared, #smem, mutable>
    %2:3 = scf.for %arg3 = %true to %true step %true iter_args(%arg4 = %cst, %arg5 = %0, %arg6 = %1) -> (tensor<128x128xf32, #blocked>, i32, i32)  : i32 {
      %9 = tt.load %a, %true, %cst {loop.cluster = 1 : i32, loop.stage = 0 : i32} : tensor<128x64x!tt.ptr<f16>, #blocked>
      %10 = tt.dot %9, %9, %arg4, inputPrecision = tf32 : tensor<128x64xf16, #ttg.dot_op<{opIdx = 0, parent = #mma}>> * tensor<64x128xf16> -> tensor<128x128xf32>
      %11 = "tt.reduce"(%10) <{axis = 1 : i32}> ({
      ^bb0(%arg7: f32, %arg8: f32):
        %12 = arith.maxnumf %arg7, %arg8 : f32
        tt.reduce.return %12 : f32
      }) : (tensor<128x128xf32, #blocked>) -> tensor<128xf32, #ttg.slice<{dim = 1, parent = #blocked}>>
      scf.yield %10, %arg5, %arg6 : tensor<128x128xf32, #blocked>, i32, i32
    } {tt.disallow_acc_multi_buffer, tt.num_stages = 3 : i32}
    ttg.warp_specialize(%0, %1) attributes {warpGroupStartIds = array<i32: 4, 8>}
    default {
      ttg.warp_yield
    }
    partition0(%arg10: !ttg.memdesc<1xi64>, %arg11: i32) num_warps(4) {
      %13 = arith.constant 1 : i32
      ttg.warp_return
    }
    partition1(%arg10: !ttg.memdesc<1xi64>, %arg11: i32) num_warps(2) {
      ttg.warp_return
    } : (!ttg.memdesc<1xi64>, i32) -> ()
    tt.return
  }
}
hw.module @Foo(in %clock : !seq.clock, in %a : i8, out b : i8) {
  %c0_i8 = hw.constant 0 : i8
  %r = seq.firreg %0 clock %clock {firrtl.random_init_start = 0 : ui64} : i8
  %0 = comb.add bin %a, %r : i8
  %1 = comb.icmp bin eq %0, %c0_i8 : i8
  %inst.b, %inst.c = hw.instance "inst" @Bar(clock: %clock: !seq.clock, a: %a: i8) -> (b: i8, c: i1)
  sv.ifdef @SYNTHESIS {
  } else {
    sv.always posedge %1 {
      sv.if %1 {
        sv.fwrite %c0_i8, "hello {{0}} %d\0A"(%a) : i8
      } else {
        sv.fatal.nonprocedural
      }
    }
    sv.case %a : i8
    case b00000000: {
      sv.bpassign %r, %a : i8
    }
    default: {
      sv.assign %r, %a : i8
    }
  }
  sv.initial {
    sv.verbatim "// foo \22bar\22"
  }
  hw.output %0 : i8
}
firrtl.circuit "Top" attributes {annotations = [{class = "foo"}]} {
  firrtl.module @DrawAcc(in %clock: !firrtl.clock, in %io: !firrtl.bundle<a: uint<8>, b flip: uint<1>>, out %o: !firrtl.uint<8>) attributes {convention = #firrtl<convention scalarized>} {
    %w = firrtl.wire interesting_name {name = "w"} : !firrtl.uint<8>
    %0 = firrtl.subfield %io[a] : !firrtl.bundle<a: uint<8>, b flip: uint<1>>
    firrtl.when %0 : !firrtl.uint<1> {
      firrtl.matchingconnect %o, %0 : !firrtl.uint<8>
    } else {
      firrtl.skip
    }
    %m_r, %m_w = firrtl.mem Undefined {depth = 8 : i64, name = "m", portNames = ["r", "w"], readLatency = 1 : i32} : !firrtl.bundle<addr: uint<3>>, !firrtl.bundle<addr: uint<3>>
  }
}
func.func @fir_(%arg0: !fir.ref<!fir.array<?xf64>> {fir.bindc_name = "x"}, %b: !fir.box<!fir.type<_QFTt{a:i32,b:f32}>>) {
  %0 = fir.declare %arg0 {uniq_name = "_QFEx"} : (!fir.ref<!fir.array<?xf64>>) -> !fir.ref<!fir.array<?xf64>>
  %1:2 = hlfir.declare %0(%2) dummy_scope %3 {uniq_name = "_QFEx"} : (!fir.ref<!fir.array<?xf64>>, !fir.shape<1>) -> (!fir.box<!fir.array<?xf64>>, !fir.ref<!fir.array<?xf64>>)
  %4 = hlfir.elemental %2 unordered : (!fir.shape<1>) -> !hlfir.expr<?xf64> {
  ^bb0(%i: index):
    %5 = hlfir.designate %1#0 (%i)  : (!fir.box<!fir.array<?xf64>>, index) -> !fir.ref<f64>
    hlfir.yield_element %5 : f64
  }
  %6:2 = fir.iterate_while (%i = %2 to %2 step %2) and (%ok = %true) iter_args(%x = %2) -> (i1, index) {
    fir.result %ok, %x : i1, index
  }
  fir.select_case %7 : i32 [#fir.point, %8, ^bb1, #fir.lower, %9, ^bb2, unit, ^bb3]
^bb1:  // pred: ^bb0
  fir.if %ok {
    fir.call @_FortranAStopStatement(%7) fastmath<contract> : (i32) -> none
  }
  omp.parallel {
    omp.wsloop private(@_QFEi_private_i32 %1#0 -> %arg3 : !fir.ref<i32>) {
      omp.loop_nest (%arg1, %arg2) : i32 = (%7, %7) to (%8, %8) inclusive step (%9, %9) {
        omp.yield
      }
    }
    omp.terminator
  }
  cf.br ^bb2
^bb2:  // 2 preds: ^bb0, ^bb1
  cf.switch %7 : i32, [
    default: ^bb3,
    42: ^bb1(%8 : i32),
    -1: ^bb2
  ]
^bb3:
  fir.unreachable
}
fir.global linkonce @_QQcl.abc constant : !fir.char<1,3> {
  %0 = fir.string_lit "a}b"(3) : !fir.char<1,3>
  fir.has_value %0 : !fir.char<1,3>
}
cir.func dso_local @main(%arg0: !s32i loc(fused[#loc3, #loc4])) -> !s32i extra(#fn_attr) {
  %0 = cir.alloca !s32i, !cir.ptr<!s32i>, ["__retval"] {alignment = 4 : i64}
  cir.scope {
    cir.for : cond {
      %3 = cir.cmp(lt, %1, %2) : !s32i, !cir.bool
      cir.condition(%3)
    } body {
      cir.if %3 {
        cir.break
      } else {
        cir.continue
      }
      cir.yield
    } step {
      %4 = cir.unary(inc, %1) : !s32i, !s32i
      cir.yield
    }
  }
  cir.switch (%1 : !s32i) {
    cir.case (equal, [#cir.int<1> : !s32i]) {
      cir.break
    }
    cir.yield
  }
  cir.return %0 : !s32i
}
util.func public @main$async(%arg0: !hal.buffer_view, %arg1: !hal.fence) -> !hal.buffer_view attributes {inlining_policy = #util.inline.never, iree.abi.stub} {
  %0 = hal.tensor.import wait(%arg1) => %arg0 "input0" : !hal.buffer_view -> tensor<?x4xf32>{%dim}
  %results, %result_timepoint = stream.async.execute await(%tp) => with(%0 as %arg2: !stream.resource<external>{%c16}) -> !stream.resource<external>{%c16} {
    %4 = stream.async.dispatch @d::@e::@f[%c1](%arg2[%c0 to %c16 for %c16]) : (!stream.resource<external>{%c16}) -> !stream.resource<external>{%c16}
    stream.yield %4 : !stream.resource<external>{%c16}
  } => !stream.timepoint
  %5 = flow.dispatch.workgroups[%c1, %c1](%0) : (tensor<4xf32>) -> tensor<4xf32> =
      (%arg3: !iree_tensor_ext.dispatch.tensor<readonly:tensor<4xf32>>, %arg4: !iree_tensor_ext.dispatch.tensor<writeonly:tensor<4xf32>>) {
    %6 = iree_tensor_ext.dispatch.tensor.load %arg3, offsets = [0], sizes = [4], strides = [1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<4xf32>> -> tensor<4xf32>
    flow.return
  } count(%x: index) -> (index, index, index) {
    flow.return %x, %x, %x : index, index, index
  }
  hal.executable private @ex {
    hal.executable.variant public @embedded_elf_x86_64 target(<"llvm-cpu", "embedded-elf-x86_64", {cpu = "znver4", data_layout = "e-m:e"}>) {
      hal.executable.export public @e ordinal(0) layout(#hal.pipeline.layout<bindings = [#hal.pipeline.binding<storage_buffer, Indirect>]>) count(%arg0: !hal.device, %arg1: index) -> (index, index, index) attributes {workgroup_size = [64 : index]} {
        hal.return %x, %y, %z : index, index, index
      }
      builtin.module {
        func.func @e() attributes {translation_info = #iree_codegen.translation_info<pipeline = CPUDoubleTilingExpert, {enable_loop_peeling}>} {
          %7 = hal.interface.binding.subspan layout(<bindings = [#hal.pipeline.binding<storage_buffer>]>) binding(0) alignment(64) offset(%c0) flags("ReadOnly|Indirect") : memref<4xf32>
          scf.forall (%arg5, %arg6) in (4, 8) shared_outs(%arg7 = %7) -> (tensor<4xf32>) {
            scf.forall.in_parallel {
              tensor.parallel_insert_slice %7 into %arg7[%arg5] [1] [1] : tensor<1xf32> into tensor<4xf32>
            }
          } {mapping = [#iree_codegen.workgroup_mapping<x>]}
          return
        }
      }
    }
  }
  vm.func private @init(%r0 : i32) {
    vm.cond_br %r0, ^bb1, ^bb2(%r0 : i32)
  ^bb1:
    vm.return
  }
  util.return %5 : tensor<4xf32>
}
func.func @stablehlo_(%arg0: tensor<4xf32>) -> tensor<f32> {
  %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.add across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  %1 = stablehlo.reduce(%arg0 init: %cst) across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
   reducer(%arg1: tensor<f32>, %arg2: tensor<f32>)  {
    %9 = stablehlo.maximum %arg1, %arg2 : tensor<f32>
    stablehlo.return %9 : tensor<f32>
  }
  %2:2 = stablehlo.while(%iterArg = %c, %iterArg_0 = %arg0) : tensor<i32>, tensor<4xf32>
    cond {
    %3 = stablehlo.compare  LT, %iterArg, %c_1,  SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %3 : tensor<i1>
  } do {
    %4 = stablehlo.add %iterArg, %c_2 : tensor<i32>
    stablehlo.return %4, %iterArg_0 : tensor<i32>, tensor<4xf32>
  }
  %5 = "stablehlo.scatter"(%arg0, %1, %2) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0]>}> ({
  ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
    stablehlo.return %arg4 : tensor<f32>
  }) : (tensor<4xf32>, tensor<1xi32>, tensor<1xf32>) -> tensor<4xf32>
  sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"x"}]>] out_shardings=[<@mesh, [{}]>] manual_axes={"x"} (%arg5: tensor<2xf32>) {
    sdy.return %arg5 : tensor<2xf32>
  } : (tensor<4xf32>) -> tensor<4xf32>
  %6 = torch.aten.add.Tensor %arg0, %arg0, %int1 : !torch.vtensor<[4],f32>, !torch.vtensor<[4],f32>, !torch.int -> !torch.vtensor<[4],f32>
  %7 = torch.prim.ListConstruct  : () -> !torch.list<int>
  %8 = torch.operator "onnx.Conv"(%arg0) {torch.onnx.pads = [0 : si64]} : (!torch.vtensor<[4],f32>) -> !torch.vtensor<[4],f32> 
  torch.prim.Loop %int1, %true, init(%6) {
  ^bb0(%arg9: !torch.int, %arg10: !torch.vtensor):
    torch.prim.Loop.condition %true, iter(%arg10 : !torch.vtensor)
  } : (!torch.int, !torch.bool, !torch.vtensor) -> !torch.vtensor
  return %0 : tensor<f32>
}
llvm.func @printf(!llvm.ptr, ...) -> i32 attributes {passthrough = [["target-cpu", "x"]]}
llvm.mlir.global internal constant @str("a\0A{%\00") {addr_space = 0 : i32} : !llvm.array<5 x i8>
llvm.func internal @k(%arg0: !llvm.ptr<3> {llvm.noalias}) attributes {gpu.kernel, nvvm.kernel, nvvm.maxntid = array<i32: 128>} {
  %0 = llvm.inline_asm has_side_effects asm_dialect = att "mov.u32 $0, 0x0;\0A\09@$2 ld.global { $0 };", "=r,l,b" %arg0, %arg0 : (!llvm.ptr<3>, !llvm.ptr<3>) -> i32
  llvm.switch %0 : i32, ^bb1 [
    1: ^bb2,
    2: ^bb3(%0 : i32)
  ]
^bb1:
  llvm.cond_br %0 weights([1, 2]), ^bb2, ^bb3(%0 : i32) {loop_annotation = #loop}
^bb2:
  %1 = llvm.call @printf(%arg0, %0) vararg(!llvm.func<i32 (ptr, ...)>) : (!llvm.ptr<3>, i32) -> i32
  llvm.return
^bb3(%2: i32):
  llvm.unreachable
}
transform.named_sequence @__transform_main(%arg0: !transform.any_op {transform.readonly}) {
  %0 = transform.structured.match ops{["linalg.matmul"]} in %arg0 : (!transform.any_op) -> !transform.any_op
  %tiled, %loops:2 = transform.structured.tile_using_for %0 tile_sizes [4, [8], 0] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
  transform.foreach %0 : !transform.any_op {
  ^bb0(%arg1: !transform.any_op):
    transform.apply_patterns to %arg1 {
      transform.apply_patterns.canonicalization
      transform.apply_patterns.vector.lower_contraction lowering_strategy = "outerproduct"
    } : !transform.any_op
  }
  transform.yield
}
