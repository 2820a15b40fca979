func.func @inner_loop(%a: memref<64xf32>, %x: f32, %n: index) {
  %e = math.exp %x : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %k = %c0 to %n step %c1 {
    scf.forall (%i) in (64) {
      memref.store %e, %a[%i] : memref<64xf32>
    } {mica_codegen.distribute}
  }
  return
}
func.func @fine() { return }
