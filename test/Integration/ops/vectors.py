"""Vector code on tensors: in parallel loops, in loops, and straight in a function."""
from harness import case, tensor

PARALLEL = """
    %zero = arith.constant 0 : index
    %pad = arith.constant {zero} : $element
    %r = scf.forall (%i) = (0) to (64) step (16) shared_outs(%o = %b) -> $b {{
      %part = tensor.extract_slice %a[%i] [16] [1] : $a to tensor<16x$element>
      %old = tensor.extract_slice %o[%i] [16] [1] : $b to tensor<16x$element>
      %x = vector.transfer_read %part[%zero], %pad {{in_bounds = [true]}} : tensor<16x$element>, vector<16x$element>
      %y = vector.transfer_read %old[%zero], %pad {{in_bounds = [true]}} : tensor<16x$element>, vector<16x$element>
      %s = arith.{add} %x, %y : vector<16x$element>
      %w = vector.transfer_write %s, %old[%zero] {{in_bounds = [true]}} : vector<16x$element>, tensor<16x$element>
      scf.forall.in_parallel {{
        tensor.parallel_insert_slice %w into %o[%i] [16] [1] : tensor<16x$element> into $b
      }}
    }}"""
STRAIGHT = """
    %zero = arith.constant 0 : index
    %pad = arith.constant {one} : $element
    %x = vector.transfer_read %a[%zero, %zero], %pad : $a, vector<4x8x$element>
    %y = vector.transfer_read %b[%zero], %pad {{permutation_map = affine_map<(i) -> (0, i)>}} : $b, vector<4x8x$element>
    %p = arith.{mul} %x, %y : vector<4x8x$element>
    %r = vector.transfer_write %p, %a[%zero, %zero] : vector<4x8x$element>, $a"""
LOOP = """
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    %pad = arith.constant {zero} : $element
    %rows = tensor.dim %a, %zero : $a
    %r = scf.for %i = %zero to %rows step %one iter_args(%o = %a) -> $a {{
      %x = vector.transfer_read %o[%i, %zero], %pad {{in_bounds = [true]}} : $a, vector<8x$element>
      %p = arith.{mul} %x, %x : vector<8x$element>
      %w = vector.transfer_write %p, %o[%i, %zero] {{in_bounds = [true]}} : vector<8x$element>, $a
      scf.yield %w : $a
    }}"""
CONTRACT = """
    %zero = arith.constant 0 : index
    %pad = arith.constant {zero} : $element
    %r = scf.forall (%i, %j) = (0, 0) to (8, 8) step (4, 4) shared_outs(%t = %c) -> $c {{
      %old = tensor.extract_slice %t[%i, %j] [4, 4] [1, 1] : $c to tensor<4x4x$element>
      %x = vector.transfer_read %a[%i, %zero], %pad {{in_bounds = [true, true]}} : $a, vector<4x16x$element>
      %y = vector.transfer_read %b[%zero, %j], %pad {{in_bounds = [true, true]}} : $b, vector<16x4x$element>
      %z = vector.transfer_read %old[%zero, %zero], %pad {{in_bounds = [true, true]}} : tensor<4x4x$element>, vector<4x4x$element>
      %s = vector.contract {{indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>,
           affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}} %x, %y, %z
           : vector<4x16x$element>, vector<16x4x$element> into vector<4x4x$element>
      %w = vector.transfer_write %s, %old[%zero, %zero] {{in_bounds = [true, true]}} : vector<4x4x$element>, tensor<4x4x$element>
      scf.forall.in_parallel {{
        tensor.parallel_insert_slice %w into %t[%i, %j] [4, 4] [1, 1] : tensor<4x4x$element> into $c
      }}
    }}"""
SUM = """
    %zero = arith.constant 0 : index
    %pad = arith.constant {zero} : $element
    %x = vector.transfer_read %a[%zero], %pad : $a, vector<16x$element>
    %s = vector.reduction <add>, %x : vector<16x$element> into $element
    %r = tensor.from_elements %s : $r"""


def cases():
    for dtype in ("f64", "f32", "f16", "i64", "i32", "i8"):
        real = dtype[0] == "f"
        words = {"zero": "0.0" if real else "0", "one": "1.0" if real else "1", "add": "addf" if real else "addi",
                 "mul": "mulf" if real else "muli"}
        yield case("scf.forall", dtype, PARALLEL.format(**words), {"a": "64", "b": "64"}, {"r": "64"}, label="vectors")
        yield case("vector.transfer_write", dtype, STRAIGHT.format(**words), {"a": "3x7", "b": "8"}, {"r": "3x7"}, label="border")
        yield case("vector.transfer_write", dtype, LOOP.format(**words), {"a": "5x=8"}, {"r": "5x=8"}, label="loop")
        yield case("vector.contract", dtype, CONTRACT.format(**words), {"a": "8x16", "b": "16x8", "c": "8x8"}, {"r": "8x8"})
        yield case("vector.reduction", dtype, SUM.format(**words), {"a": "13"}, {"r": tensor("=1")})
