#!/bin/sh
# dpkg-shlibdeps for `make package`, without the libraries of MPI: a plug-in is loaded only where that library's mpirun
# started the process, so the package recommends them.
dpkg-shlibdeps "$@" | sed -E 's/lib(openmpi|mpich)[0-9a-z]*( \([^)]*\))?(, )?//g; s/, $//'
