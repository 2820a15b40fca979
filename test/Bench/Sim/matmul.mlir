// A product of matrices by tiles of 16x16 in workgroup memory, K = 512: of a tile and thread 2 loads of global memory, 2 stores to and
// 32 loads of workgroup memory, 16 fused multiplications: 52 operations. bench_sim.py runs it.
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @matmul(%a: memref<512x512xf32>, %b: memref<512x512xf32>, %c: memref<512x512xf32>)
        workgroup(%as: memref<16x16xf32, #gpu.address_space<workgroup>>, %bs: memref<16x16xf32, #gpu.address_space<workgroup>>)
        kernel attributes {known_block_size = array<i32: 16, 16, 1>} {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c16 = arith.constant 16 : index
      %c512 = arith.constant 512 : index
      %zero = arith.constant 0.0 : f32
      %tx = gpu.thread_id x
      %ty = gpu.thread_id y
      %bx = gpu.block_id x
      %by = gpu.block_id y
      %row0 = arith.muli %by, %c16 : index
      %row = arith.addi %row0, %ty : index
      %col0 = arith.muli %bx, %c16 : index
      %col = arith.addi %col0, %tx : index
      %sum = scf.for %k0 = %c0 to %c512 step %c16 iter_args(%acc = %zero) -> (f32) {
        %ka = arith.addi %k0, %tx : index
        %kb = arith.addi %k0, %ty : index
        %va = memref.load %a[%row, %ka] : memref<512x512xf32>
        %vb = memref.load %b[%kb, %col] : memref<512x512xf32>
        memref.store %va, %as[%ty, %tx] : memref<16x16xf32, #gpu.address_space<workgroup>>
        memref.store %vb, %bs[%ty, %tx] : memref<16x16xf32, #gpu.address_space<workgroup>>
        gpu.barrier
        %next = scf.for %k = %c0 to %c16 step %c1 iter_args(%s = %acc) -> (f32) {
          %x = memref.load %as[%ty, %k] : memref<16x16xf32, #gpu.address_space<workgroup>>
          %y = memref.load %bs[%k, %tx] : memref<16x16xf32, #gpu.address_space<workgroup>>
          %f = math.fma %x, %y, %s : f32
          scf.yield %f : f32
        }
        gpu.barrier
        scf.yield %next : f32
      }
      memref.store %sum, %c[%row, %col] : memref<512x512xf32>
      gpu.return
    }
  }

  func.func private @rtclock() -> f64
  func.func private @printF64(f64)
  func.func private @printNewline()

  func.func @main() {
    %c1 = arith.constant 1 : index
    %c16 = arith.constant 16 : index
    %c32 = arith.constant 32 : index
    %c0 = arith.constant 0 : index
    %repeats = arith.constant 5 : index
    %one = arith.constant 1.0 : f32
    %a = memref.alloc() : memref<512x512xf32>
    %b = memref.alloc() : memref<512x512xf32>
    %c = memref.alloc() : memref<512x512xf32>
    linalg.fill ins(%one : f32) outs(%a : memref<512x512xf32>)
    linalg.fill ins(%one : f32) outs(%b : memref<512x512xf32>)
    scf.for %i = %c0 to %repeats step %c1 {
      %start = func.call @rtclock() : () -> f64
      gpu.launch_func @kernels::@matmul blocks in (%c32, %c32, %c1) threads in (%c16, %c16, %c1)
        args(%a : memref<512x512xf32>, %b : memref<512x512xf32>, %c : memref<512x512xf32>)
      %end = func.call @rtclock() : () -> f64
      %time = arith.subf %end, %start : f64
      func.call @printF64(%time) : (f64) -> ()
      func.call @printNewline() : () -> ()
    }
    %v = memref.load %c[%c16, %c32] : memref<512x512xf32>
    %d = arith.extf %v : f32 to f64
    func.call @printF64(%d) : (f64) -> ()
    func.call @printNewline() : () -> ()
    return
  }
}
