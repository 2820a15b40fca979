// RUN: mica-opt %s --mica-sim-convert-nvgpu -split-input-file -verify-diagnostics

// The driver makes no tensor maps of bytes with a sign.
func.func @element(%x: memref<*xi8>, %n: index) {
  // expected-error @+1 {{'nvgpu.tma.create.descriptor' op is not simulated: the driver has no tensor maps of 'i8'; those of f16, bf16, f32, f64, i32, i64 and ui8 to ui64 are possible}}
  %0 = nvgpu.tma.create.descriptor %x box[%n, %n] : memref<*xi8> -> !nvgpu.tensormap.descriptor<tensor = memref<32x32xi8, 3>, swizzle = none, l2promo = none, oob = zero, interleave = none>
  return
}

// -----

func.func @space() {
  // expected-error @+1 {{'nvgpu.mbarrier.create' op is not simulated: mbarriers are in workgroup memory}}
  %0 = nvgpu.mbarrier.create -> !nvgpu.mbarrier.group<memorySpace = #gpu.address_space<private>>
  return
}

// -----

func.func @sums() {
  // expected-error @+1 {{'nvgpu.warpgroup.mma.init.accumulator' op is not simulated: accumulators are f32 or i32}}
  %0 = nvgpu.warpgroup.mma.init.accumulator -> !nvgpu.warpgroup.accumulator<fragmented = vector<64x16xf16>>
  return
}

// -----

func.func @columns(%a: !nvgpu.warpgroup.descriptor<tensor = memref<64x24xf16, 3>>, %b: !nvgpu.warpgroup.descriptor<tensor = memref<24x16xf16, 3>>,
                   %c: !nvgpu.warpgroup.accumulator<fragmented = vector<64x16xf32>>) {
  // expected-error @+1 {{'nvgpu.warpgroup.mma' op is not simulated: rows are multiples of 64, columns multiples of 8 of at most 256, and the dimension between them is a multiple of 16}}
  %0 = nvgpu.warpgroup.mma %a, %b, %c : <tensor = memref<64x24xf16, 3>>, <tensor = memref<24x16xf16, 3>>, <fragmented = vector<64x16xf32>> -> <fragmented = vector<64x16xf32>>
  return
}
