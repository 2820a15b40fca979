// PIPELINE: builtin.module(transform-interpreter)
// FLAGS: --entry=f --input=random:3
// VERDICT: miscompile transform-interpreter
module attributes {transform.with_named_sequence} {
  func.func @f(%m: memref<5x5xi32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c5 = arith.constant 5 : index
    scf.for %i = %c1 to %c5 step %c1 {
      scf.for %j = %c0 to %c4 step %c1 {
        %a = arith.subi %i, %c1 : index
        %b = arith.addi %j, %c1 : index
        %v = memref.load %m[%a, %b] : memref<5x5xi32>
        memref.store %v, %m[%i, %j] : memref<5x5xi32>
      }
    }
    return
  }
  transform.named_sequence @__transform_main(%r: !transform.any_op) {
    %l = transform.structured.match ops{["scf.for"]} in %r : (!transform.any_op) -> !transform.any_op
    %o, %i = transform.split_handle %l : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.loop.unroll_and_jam %i {factor = 2} : !transform.any_op
    transform.yield
  }
}
