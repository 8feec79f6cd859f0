// SPDX-License-Identifier: Apache-2.0
// What the thread sanitizer is told before it begins, in every program of its preset. It is compiled in, since a file could not be
// read inside walls.

// The package of cpp-httplib is not built for the sanitizer, which therefore cannot see how its function-local constants are guarded
// and takes their first use by two connections at once for a race. Only what the library itself reads is left out: our handlers,
// which it calls, are still watched.
extern "C" __attribute__((visibility("default"))) const char* __tsan_default_suppressions();
extern "C" const char* __tsan_default_suppressions() { return "called_from_lib:libcpp-httplib.so\n"; }
