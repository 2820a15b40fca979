"""NaN and infinities: where they originate, through how many operations they came, and what is no alarm."""

UNARY = """func.func @f(%a: tensor<4x8x{0}>) -> tensor<4x8x{0}> {{
  %0 = mica.{1} %a : tensor<4x8x{0}> // HERE
  return %0 : tensor<4x8x{0}>
}}
"""
BINARY = """func.func @f(%a: tensor<4x8x{0}>, %b: tensor<4x8x{0}>) -> tensor<4x8x{0}> {{
  %0 = mica.{1} %a, %b : (tensor<4x8x{0}>, tensor<4x8x{0}>) -> tensor<4x8x{0}> // HERE
  return %0 : tensor<4x8x{0}>
}}
"""
# Originates in the division, then through five operations.
CHAIN = """func.func @f(%a: tensor<4x8xf32>, %b: tensor<4x8xf32>, %w: tensor<8x8xf32>) -> tensor<4x8xf32> {
  %0 = mica.div %a, %b : tensor<4x8xf32> // HERE
  %1 = mica.add %0, %a : tensor<4x8xf32>
  %2 = mica.matmul %1, %w : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  %3 = mica.tanh %2 : tensor<4x8xf32>
  %4 = mica.mul %3, %b : tensor<4x8xf32>
  %5 = mica.softmax %4 axis = 1 : tensor<4x8xf32>
  return %5 : tensor<4x8xf32>
}
"""
FUSED = """func.func @f(%a: tensor<4x8xf32>, %b: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = mica.add %a, %b : tensor<4x8xf32>
  %1 = mica.sqrt %0 : tensor<4x8xf32> // HERE
  %2 = mica.mul %1, %b : tensor<4x8xf32>
  %3 = mica.exp %2 : tensor<4x8xf32>
  return %3 : tensor<4x8xf32>
}
"""
# A mask of -inf chosen in the program, and one that comes in.
MASKED = """#m = affine_map<(d0, d1) -> (d0, d1)>
func.func @f(%a: tensor<4x8xf32>, %m: tensor<4x8xf32>) -> tensor<4x8xf32> {{
  %e = tensor.empty() : tensor<4x8xf32>
  %0 = linalg.generic {{indexing_maps = [#m, #m], iterator_types = ["parallel", "parallel"]}} ins(%a : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) {{
  ^bb0(%x: f32, %o: f32):
    %low = arith.constant 0xFF800000 : f32
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %c = arith.cmpi {0}, %i, %j : index
    %y = arith.select %c, %x, %low : f32
    linalg.yield %y : f32
  }} -> tensor<4x8xf32>
  %1 = mica.add %0, %m : tensor<4x8xf32>
  %2 = mica.softmax %1 axis = 1 : tensor<4x8xf32> // HERE
  return %2 : tensor<4x8xf32>
}}
"""
# More elements than an inline constant of a kernel has.
CONSTANT = """func.func @f(%a: tensor<128xf32>) -> tensor<128xf32> {{
  %c = arith.constant dense<[{0}]> : tensor<128xf32>
  %0 = mica.mul %a, %c : tensor<128xf32> // HERE
  return %0 : tensor<128xf32>
}}
"""


def case(name, op, says, program, inputs, clean, **more):
    return dict(name=name, op=op, says=says, faulty=program, clean=more.pop("clean_program", program), inputs=inputs,
                clean_inputs=clean, **more)


def cases():
    zero, one = "4x8{}=0", "4x8{}=1"
    for dtype in ("f32", "f64", "f16", "bf16"):
        z, o = "4x8x" + dtype + "=0", "4x8x" + dtype + "=1"
        yield case("zero_by_zero_" + dtype, "mica.div",
                   ["gives -?nan, arith.divf\\(0, 0\\), at element \\[0, 0\\] of %0; the kernel gives 32 NaN and 0 Inf in the 32 elements of %0", "%a: 0, %b: 0", "originates here"],
                   BINARY.format(dtype, "div"), [z, z], [z, o])
    big = {"f32": "88.8", "f64": "710", "f16": "11.2"}
    for dtype, value in big.items():
        yield case("overflow_" + dtype, "mica.exp", ["gives 0 NaN and 32 Inf", "first inf at \\[0, 0\\]", f"%a: {value.split('.')[0]}", "originates here"],
                   UNARY.format(dtype, "exp"), [f"4x8x{dtype}={value}"], [f"4x8x{dtype}=10"])
    yield case("log_of_a_negative", "mica.log", ["gives 32 NaN", "math.log\\(-1\\)", "%a: -1", "originates here"], UNARY.format("f32", "log"),
               ["4x8xf32=-1"], ["4x8xf32=2"])
    numbers = [str(i) + ".0" for i in range(128)]
    yield case("nan_in_a_constant", "mica.mul", ["gives 1 NaN", "at \\[5\\]", "propagated from %\\w+, which the program defines"],
               CONSTANT.format(", ".join(numbers[:5] + ["0x7FC00000"] + numbers[6:])), ["128xf32=1"], ["128xf32=1"],
               clean_program=CONSTANT.format(", ".join(numbers)))
    yield case("log_of_zero", "mica.log", ["0 NaN and 32 Inf", "first -inf", "math.log\\(0\\)", "originates here"], UNARY.format("f32", "log"),
               ["4x8xf32=0"], ["4x8xf32=2"])
    yield case("root_of_a_negative", "mica.sqrt", ["gives 32 NaN"], UNARY.format("f32", "sqrt"), ["4x8xf32=-1"], ["4x8xf32=2"])
    yield case("one_element", "mica.log", ["gives 1 NaN and 0 Inf in the 32 elements", "first -?nan at \\[2, 3\\]", "math.log\\(-1\\), at element \\[2, 3\\] of %0", "%a: -1"],
               UNARY.format("f32", "log"), ["4x8xf32=" + ",".join("-1" if i == 19 else "2" for i in range(32))], ["4x8xf32=2"])
    yield case("through_five", "mica.div", ["32 NaN"], CHAIN, ["4x8xf32=0", "4x8xf32=0", "8x8xf32=1"],
               ["4x8xf32=0", "4x8xf32=1", "8x8xf32=1"])
    yield case("seen_at_the_last", "mica.div", ["mica.softmax .* gives .* NaN", "which originates in kernel 'div"], CHAIN, ["4x8xf32=0", "4x8xf32=0", "8x8xf32=1"],
               ["4x8xf32=0", "4x8xf32=1", "8x8xf32=1"], flags=["-O0"], debug="nan-check=mica.softmax")
    yield case("inside_a_fused_kernel", "mica.sqrt", ["mica.sqrt .* gives -?nan, math.sqrt\\(-1\\), at element \\[0, 0\\] of %1; the kernel gives"], FUSED,
               ["4x8xf32=-1", "4x8xf32=0"], ["4x8xf32=1", "4x8xf32=1"])
    # A whole row of -inf; with the diagonal left in, masks do not alarm.
    yield case("masked_away", "mica.softmax", ["NaN"], MASKED.format("sgt"), ["4x8xf32=1", "4x8xf32=0"], ["4x8xf32=1", "4x8xf32=0"],
               clean_program=MASKED.format("sge"))
    yield case("mask_from_outside", "mica.softmax", ["NaN"], MASKED.format("sge"), ["4x8xf32=1", "4x8xf32=-inf"],
               ["4x8xf32=1", "4x8xf32=" + ",".join("0" if i % 8 == 0 else "-inf" for i in range(32))])
    yield case("nan_from_outside", "mica.add", ["propagated from %a, which comes from outside the program"], BINARY.format("f32", "add"),
               ["4x8xf32=nan", "4x8xf32=1"], ["4x8xf32=1", "4x8xf32=1"])
