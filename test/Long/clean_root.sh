#!/bin/sh
# Installs a Debian package in a root folder that holds Debian's base system and what the package depends on, and NumPy, nothing else, and takes the
# first steps of the README there. For root, with mmdebstrap and a Debian mirror.
# usage: clean_root.sh PACKAGE.deb NEW_FOLDER
set -eu
package=$1 root=$2
[ ! -e "$root" ] || { echo "clean_root.sh: '$root' exists; give a new folder" >&2; exit 1; }
depends=$(dpkg-deb -f "$package" Depends | sed 's/ ([^)]*)//g; s/, /,/g')
mmdebstrap --quiet --mode=root --variant=apt --include="$depends,python3-numpy" bookworm "$root" "deb http://deb.debian.org/debian bookworm main" \
  "deb http://deb.debian.org/debian-security bookworm-security main"
cp "$package" "$root/tmp/mica.deb"
# dpkg refuses to configure it where a dependency is missing.
chroot "$root" dpkg -i /tmp/mica.deb
cat > "$root/root/steps.sh" <<'STEPS'
set -e
cd /root
cp -r /usr/share/doc/mica/examples .
mica-compile examples/classifier/classifier.mlir -o c
mica-run c --input=@examples/classifier/digits.npy --check-reference
mica-report c -o r
mica-run --doctor
python3 - <<'PYTHON'
import mica, numpy as np
program = mica.compile("examples/classifier/classifier.mlir")
print("python", program(np.load("examples/classifier/digits.npy")), bool(program.check_reference()))
PYTHON
printf '%s\n// -----\n' '{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"capabilities":{}}}' '{"jsonrpc":"2.0","id":1,"method":"shutdown"}' \
  '{"jsonrpc":"2.0","method":"exit"}' | mica-lsp-server --lit-test 2>/dev/null | grep -o '"hoverProvider": *true'
for tool in mica-run mica-compile mica-opt; do
  gunzip -cf /usr/share/man/man1/$tool.1* | grep -c '^.SH'
  bash -c ". /usr/share/bash-completion/completions/$tool && complete -p $tool"
  test -s /usr/share/zsh/vendor-completions/_$tool
  test -s /usr/share/fish/vendor_completions.d/$tool.fish
done
STEPS
# The mount goes with the processes.
unshare --mount --pid --fork sh -ec 'mount -t proc proc "$1/proc" && chroot "$1" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root sh /root/steps.sh' \
  sh "$root"
