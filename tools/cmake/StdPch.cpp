// The object of the precompiled headers' targets: CMake makes a precompiled header for a target with sources only.
