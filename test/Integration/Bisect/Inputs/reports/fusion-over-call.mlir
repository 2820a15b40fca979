// PIPELINE: builtin.module(func.func(affine-loop-fusion{mode=producer maximal}))
// FLAGS: --entry=f --input=random:3 --input=8xf64=0 --input=8xf64=0
// VERDICT: miscompile affine-loop-fusion
func.func private @count(%m: memref<8xf64>) {
  %o = arith.constant 1.0 : f64
  affine.for %i = 0 to 8 {
    %a = affine.load %m[%i] : memref<8xf64>
    %b = arith.addf %a, %o : f64
    affine.store %b, %m[%i] : memref<8xf64>
  }
  return
}
func.func @f(%in: memref<8xf64>, %mid: memref<8xf64>, %out: memref<8xf64>) {
  affine.for %i = 0 to 6 {
    %a = affine.load %in[%i] : memref<8xf64>
    %b = arith.addf %a, %a : f64
    affine.store %b, %mid[%i] : memref<8xf64>
    func.call @count(%mid) : (memref<8xf64>) -> ()
  }
  affine.for %j = 0 to 6 {
    %c = affine.load %mid[%j] : memref<8xf64>
    %d = arith.addf %c, %c : f64
    affine.store %d, %out[%j] : memref<8xf64>
  }
  return
}
