// RUN: mica-opt %s --mica-schedule-release-memory | FileCheck %s

mica_sched.task_list @f_0(%x: memref<4xf32>, %r: memref<4xf32>) arena 0 {}

// The next iteration is given one buffer, and the others are released.
// CHECK-LABEL: func.func @for
// CHECK:         %[[MARK:.*]] = mica_sched.mark
// CHECK-NEXT:    scf.for
// CHECK:           mica_sched.submit @f_0(%{{.*}}, %[[B:.*]])
// CHECK-NEXT:      mica_sched.release %[[MARK]] keep(%[[B]] : memref<4xf32>)
// CHECK-NEXT:      scf.yield %[[B]], %{{.*}} : memref<4xf32>, f32
func.func @for(%a: memref<4xf32>, %lb: index, %ub: index, %step: index, %f: f32) -> f32 attributes {mica_sched.entry} {
  %r:2 = scf.for %i = %lb to %ub step %step iter_args(%x = %a, %g = %f) -> (memref<4xf32>, f32) {
    %b = mica_sched.alloc : memref<4xf32>
    mica_sched.submit @f_0(%x, %b) : memref<4xf32>, memref<4xf32>
    scf.yield %b, %g : memref<4xf32>, f32
  }
  return %r#1 : f32
}

// Each loop has a mark of its own: an inner one must not release what the iteration of the outer one still uses.
// CHECK-LABEL: func.func @nested
// CHECK:         %[[OUTER:.*]] = mica_sched.mark
// CHECK:         scf.for
// CHECK:           %[[A:.*]] = mica_sched.alloc
// CHECK:           %[[INNER:.*]] = mica_sched.mark
// CHECK:           scf.for
// CHECK:             memref.alloc
// CHECK:             mica_sched.release %[[INNER]]{{$}}
// CHECK:           mica_sched.submit @f_0(%[[A]], %{{.*}})
// CHECK:           mica_sched.release %[[OUTER]]{{$}}
func.func @nested(%y: memref<4xf32>, %lb: index, %ub: index, %step: index) attributes {mica_sched.entry} {
  scf.for %i = %lb to %ub step %step {
    %a = mica_sched.alloc : memref<4xf32>
    scf.for %j = %lb to %ub step %step {
      %b = memref.alloc() : memref<4xf32>
      mica_sched.submit @f_0(%b, %a) : memref<4xf32>, memref<4xf32>
    }
    mica_sched.submit @f_0(%a, %y) : memref<4xf32>, memref<4xf32>
  }
  return
}

// An iteration of a while ends with its second region.
// CHECK-LABEL: func.func @while
// CHECK:         %[[MARK:.*]] = mica_sched.mark
// CHECK:         scf.while
// CHECK-NOT:     mica_sched.release
// CHECK:         } do {
// CHECK:           mica_sched.release %[[MARK]] keep(%[[B:.*]] : memref<4xf32>)
// CHECK-NEXT:      scf.yield %[[B]]
func.func @while(%a: memref<4xf32>, %go: i1) attributes {mica_sched.entry} {
  %r = scf.while (%x = %a) : (memref<4xf32>) -> memref<4xf32> {
    scf.condition(%go) %x : memref<4xf32>
  } do {
  ^bb0(%x: memref<4xf32>):
    %b = mica_sched.alloc : memref<4xf32>
    mica_sched.submit @f_0(%x, %b) : memref<4xf32>, memref<4xf32>
    scf.yield %b : memref<4xf32>
  }
  return
}

// Nothing is allocated.
// MUTATION: stays green, nothing is released.
// CHECK-LABEL: func.func @updates_in_place
// CHECK-NOT:     mica_sched.mark
// CHECK-NOT:     mica_sched.release
func.func @updates_in_place(%a: memref<4xf32>, %y: memref<4xf32>, %lb: index, %ub: index, %step: index) attributes {mica_sched.entry} {
  scf.for %i = %lb to %ub step %step {
    mica_sched.submit @f_0(%a, %y) : memref<4xf32>, memref<4xf32>
  }
  return
}

// What a number or an element of another buffer may be the address of is not released.
// MUTATION: stays green, nothing is released.
// CHECK-LABEL: func.func @known_as_a_number
// CHECK-NOT:     mica_sched.release
func.func @known_as_a_number(%lb: index, %ub: index, %step: index) -> index attributes {mica_sched.entry} {
  %r = scf.for %i = %lb to %ub step %step iter_args(%x = %lb) -> (index) {
    %b = mica_sched.alloc : memref<4xf32>
    %address = memref.extract_aligned_pointer_as_index %b : memref<4xf32> -> index
    scf.yield %address : index
  }
  return %r : index
}

// MUTATION: stays green, nothing is released.
// CHECK-LABEL: func.func @known_to_a_buffer
// CHECK-NOT:     mica_sched.release
func.func @known_to_a_buffer(%lb: index, %ub: index, %step: index) attributes {mica_sched.entry} {
  %buffers = memref.alloc() : memref<8xmemref<4xf32>>
  scf.for %i = %lb to %ub step %step {
    %b = mica_sched.alloc : memref<4xf32>
    memref.store %b, %buffers[%i] : memref<8xmemref<4xf32>>
  }
  return
}
