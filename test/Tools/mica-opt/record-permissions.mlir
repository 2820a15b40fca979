// Others can read a record: the umask alone says who cannot.
// RUN: rm -rf %t && sh -c 'umask 022; mica-opt %s --cse --record=%t/new -o /dev/null; stat -c %%a %t/new %t/new/index.json' | FileCheck %s
// CHECK: 755
// CHECK-NEXT: 644
func.func @f() {
  return
}
