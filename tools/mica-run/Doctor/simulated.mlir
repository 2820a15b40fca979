// The kernels of mica-run --doctor that the simulator runs: each goes wrong on some inputs and not on others. As in doctor.mlir, operations that
// can go wrong have positions of their own making.

// Writes behind the end where the offset is too large.
func.func @sim_offset(%x: memref<?xf32>, %offset: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %n = memref.dim %x, %c0 : memref<?xf32>
  %blocks = arith.ceildivui %n, %c32 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %blocks, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c32, %sy = %c1, %sz = %c1) {
    %one = arith.constant 1.0 : f32
    %first = arith.muli %bx, %sx : index
    %i = arith.addi %first, %tx : index
    %k = arith.addi %i, %offset : index
    memref.store %one, %x[%k] : memref<?xf32> loc("planted-sim-bounds":1:1)
    gpu.terminator
  }
  return
}

// A thread reads what another one wrote where the distance is not 0, and no barrier lies between.
func.func @sim_exchange(%x: memref<?xf32>, %distance: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %n = memref.dim %x, %c0 : memref<?xf32>
  %blocks = arith.divui %n, %c32 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %blocks, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c32, %sy = %c1, %sz = %c1)
             workgroup(%s : memref<32xf32, #gpu.address_space<workgroup>>) {
    %first = arith.muli %bx, %sx : index
    %i = arith.addi %first, %tx : index
    %v = memref.load %x[%i] : memref<?xf32>
    memref.store %v, %s[%tx] : memref<32xf32, #gpu.address_space<workgroup>>
    %far = arith.addi %tx, %distance : index
    %other = arith.remui %far, %sx : index
    %w = memref.load %s[%other] : memref<32xf32, #gpu.address_space<workgroup>> loc("planted-sim-race":1:1)
    memref.store %w, %x[%i] : memref<?xf32>
    gpu.terminator
  }
  return
}

// Reads workgroup memory of which the first elements alone were written.
func.func @sim_tail(%x: memref<?xf32>, %written: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %n = memref.dim %x, %c0 : memref<?xf32>
  %blocks = arith.divui %n, %c32 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %blocks, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c32, %sy = %c1, %sz = %c1)
             workgroup(%s : memref<32xf32, #gpu.address_space<workgroup>>) {
    %one = arith.constant 1.0 : f32
    %first = arith.muli %bx, %sx : index
    %i = arith.addi %first, %tx : index
    %writes = arith.cmpi ult, %tx, %written : index
    scf.if %writes {
      memref.store %one, %s[%tx] : memref<32xf32, #gpu.address_space<workgroup>>
    }
    gpu.barrier
    %w = memref.load %s[%tx] : memref<32xf32, #gpu.address_space<workgroup>> loc("planted-sim-init":1:1)
    memref.store %w, %x[%i] : memref<?xf32>
    gpu.terminator
  }
  return
}

// A barrier to which the first threads alone come.
func.func @sim_branch(%x: memref<?xf32>, %coming: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %n = memref.dim %x, %c0 : memref<?xf32>
  %blocks = arith.divui %n, %c64 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %blocks, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c64, %sy = %c1, %sz = %c1) {
    %one = arith.constant 1.0 : f32
    %first = arith.muli %bx, %sx : index
    %i = arith.addi %first, %tx : index
    %comes = arith.cmpi ult, %tx, %coming : index
    scf.if %comes {
      gpu.barrier loc("planted-sim-barrier":1:1)
    }
    memref.store %one, %x[%i] : memref<?xf32>
    gpu.terminator
  }
  return
}

// Reads workgroup memory while a copy is under way: to where it is read, or elsewhere.
func.func @sim_copy(%x: memref<?xf32>, %read: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %n = memref.dim %x, %c0 : memref<?xf32>
  %blocks = arith.divui %n, %c32 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %blocks, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c32, %sy = %c1, %sz = %c1)
             workgroup(%s : memref<64xf32, #gpu.address_space<workgroup>>) {
    %one = arith.constant 1.0 : f32
    %first = arith.muli %bx, %sx : index
    %i = arith.addi %first, %tx : index
    %behind = arith.addi %tx, %sx : index
    memref.store %one, %s[%behind] : memref<64xf32, #gpu.address_space<workgroup>>
    %token = nvgpu.device_async_copy %x[%i], %s[%tx], 1 : memref<?xf32> to memref<64xf32, #gpu.address_space<workgroup>>
    %group = nvgpu.device_async_create_group %token
    %k = arith.addi %tx, %read : index
    %v = memref.load %s[%k] : memref<64xf32, #gpu.address_space<workgroup>> loc("planted-sim-async":1:1)
    nvgpu.device_async_wait %group
    memref.store %v, %x[%i] : memref<?xf32>
    gpu.terminator
  }
  return
}

// Reads four elements at once, at an address that the offset decides.
func.func @sim_vector(%x: memref<?xf32>, %y: memref<?xf32>, %offset: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %n = memref.dim %y, %c0 : memref<?xf32>
  %blocks = arith.divui %n, %c32 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %blocks, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c32, %sy = %c1, %sz = %c1) {
    %four = arith.constant 4 : index
    %first = arith.muli %bx, %sx : index
    %i = arith.addi %first, %tx : index
    %whole = arith.divui %i, %four : index
    %start = arith.muli %whole, %four : index
    %k = arith.addi %start, %offset : index
    %v = vector.load %x[%k] {alignment = 16 : i64} : memref<?xf32>, vector<4xf32> loc("planted-sim-alignment":1:1)
    %r = vector.reduction <add>, %v : vector<4xf32> into f32
    memref.store %r, %y[%i] : memref<?xf32>
    gpu.terminator
  }
  return
}

// Waits until an element is no longer what it may be, which nobody changes.
func.func @sim_wait(%x: memref<?xf32>, %until: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %n = memref.dim %x, %c0 : memref<?xf32>
  %blocks = arith.divui %n, %c32 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %blocks, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c32, %sy = %c1, %sz = %c1) {
    %nothing = arith.constant 0.0 : f32
    scf.while : () -> () {
      %v = memref.atomic_rmw addf %nothing, %x[%tx] : (f32, memref<?xf32>) -> f32 loc("planted-sim-hang":1:1)
      %more = arith.cmpf oeq, %v, %until : f32
      scf.condition(%more)
    } do {
      scf.yield
    }
    gpu.terminator
  }
  return
}
