"""24 layers that end in a normalization: the worst errors of all together allow any number."""
print("func.func @f(%x0: tensor<8x16xf32>, %w: tensor<16x16xf32>) -> tensor<8x16xf32> {")
row, all = "tensor<8x1xf32>", "tensor<8x16xf32>"
for n in range(24):
    print(f'''  %y{n} = mica.matmul %x{n}, %w : ({all}, tensor<16x16xf32>) -> {all}
  %z{n} = mica.relu %y{n} : {all}
  %m{n} = mica.reduce mean %z{n} dims = [1] keep_dims : ({all}) -> {row}
  %n{n} = mica.broadcast %m{n} : ({row}) -> {all}
  %c{n} = mica.sub %z{n}, %n{n} : {all}
  %s{n} = mica.mul %c{n}, %c{n} : {all}
  %v{n} = mica.reduce mean %s{n} dims = [1] keep_dims : ({all}) -> {row}
  %d{n} = mica.sqrt %v{n} : {row}
  %e{n} = mica.broadcast %d{n} : ({row}) -> {all}
  %x{n + 1} = mica.div %c{n}, %e{n} : {all}''')
print(f"  return %x24 : {all}\n}}")
