// RUN: mica-run --target=sim %s | FileCheck %s
// RUN: mica-run --target=sim --mica-debug=sim-schedule=random:3 %s | FileCheck %s
// What the threads of a warp and of a block exchange. 40 threads: the second warp has eight.

// CHECK: sum of a warp: 496
// CHECK: sum of a block: 780
// CHECK: largest: 39
// CHECK: xor: 1 0 3
// CHECK: up: 0 0 1
// CHECK: rotated: 31
// CHECK: from lane 5: 5
// CHECK: ballot: 1431655765
// CHECK: any: 1, all: 0
// CHECK: counted: 40

module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @exchange(%n: memref<i32>) kernel {
      %c0 = arith.constant 0 : index
      %c31 = arith.constant 31 : index
      %one = arith.constant 1 : i32
      %two = arith.constant 2 : i32
      %five = arith.constant 5 : i32
      %width = arith.constant 32 : i32
      %mask = arith.constant -1 : i32
      %t = gpu.thread_id x
      %w = gpu.subgroup_id : index
      %v = arith.index_cast %t : index to i32
      %block = gpu.all_reduce add %v {} : (i32) -> (i32)
      %most = gpu.all_reduce maxsi %v {} : (i32) -> (i32)
      %in_first = arith.cmpi eq, %w, %c0 : index
      scf.if %in_first {
        %sum = gpu.subgroup_reduce add %v : (i32) -> i32
        %xor, %0 = gpu.shuffle xor %v, %one, %width : i32
        %up, %1 = gpu.shuffle up %v, %one, %width : i32
        %rotated, %valid = gpu.rotate %v, 31, 32 : i32
        %fifth = gpu.subgroup_broadcast %v, specific_lane %five : i32
        %even = arith.remui %v, %two : i32
        %is_even = arith.cmpi ne, %even, %one : i32
        %ballot = nvvm.vote.sync ballot %mask, %is_even -> i32
        %any = nvvm.vote.sync any %mask, %is_even -> i1
        %all = nvvm.vote.sync all %mask, %is_even -> i1
        %third, %2 = gpu.shuffle idx %xor, %two, %width : i32
        %zeroth, %3 = gpu.shuffle idx %xor, %one, %width : i32
        %upper, %4 = gpu.shuffle idx %up, %two, %width : i32
        %first, %5 = gpu.shuffle idx %up, %one, %width : i32
        %is0 = arith.cmpi eq, %t, %c0 : index
        scf.if %is0 {
          gpu.printf "sum of a warp: %d\n", %sum : i32
          gpu.printf "sum of a block: %d\n", %block : i32
          gpu.printf "largest: %d\n", %most : i32
          gpu.printf "xor: %d %d %d\n", %xor, %zeroth, %third : i32, i32, i32
          gpu.printf "up: %d %d %d\n", %up, %first, %upper : i32, i32, i32
          gpu.printf "rotated: %d\n", %rotated : i32
          gpu.printf "from lane 5: %d\n", %fifth : i32
          gpu.printf "ballot: %d\n", %ballot : i32
          gpu.printf "any: %d, all: %d\n", %any, %all : i1, i1
        }
      }
      %6 = memref.atomic_rmw addi %one, %n[] : (i32, memref<i32>) -> i32
      gpu.return
    }
  }

  func.func private @printI64(i64)
  func.func private @printNewline()

  func.func @main() {
    %c1 = arith.constant 1 : index
    %c40 = arith.constant 40 : index
    %zero = arith.constant 0 : i32
    %n = memref.alloc() : memref<i32>
    memref.store %zero, %n[] : memref<i32>
    gpu.launch_func @kernels::@exchange blocks in (%c1, %c1, %c1) threads in (%c40, %c1, %c1) args(%n : memref<i32>)
    gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
               threads(%tx, %ty, %tz) in (%sx = %c1, %sy = %c1, %sz = %c1) {
      %v = memref.load %n[] : memref<i32>
      gpu.printf "counted: %d\n", %v : i32
      gpu.terminator
    }
    return
  }
}
