// The only source of the target that owns the precompiled header (tools/cmake/MicaTargets.cmake).
