// The source of the precompiled headers' targets: CMake requires one.
