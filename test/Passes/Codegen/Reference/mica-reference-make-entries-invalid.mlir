// RUN: mica-opt %s --split-input-file --verify-diagnostics --mica-reference-lowering -o /dev/null

// expected-error @+1 {{entry 'unranked' passes a value of type 'memref<*xf32>'; the reference lowering takes tensors, contiguous memrefs, integers, index and floats}}
func.func @unranked(%x: memref<*xf32>) {
  return
}
