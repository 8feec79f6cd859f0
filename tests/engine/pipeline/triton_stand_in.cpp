// SPDX-License-Identifier: Apache-2.0
// A library that is called as Triton's compiler is, with a handler of signals.
extern "C" __attribute__((visibility("default"))) void handlerOfTriton(int) {}
