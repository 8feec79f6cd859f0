// SPDX-License-Identifier: Apache-2.0
// A function of a module as the engine finds it in the built shared object: the one thing that the engine
// and what it compiles both include.
#pragma once

#include <ATen/core/ivalue.h>

#include <cstddef>
#include <vector>

extern "C" {
struct WarpbenchFunction {
  const char* name;
  const char* doc;
  std::size_t parameters;
  const char* const* names;  // of the parameters; "" where none was given
  // What Python may give for each, by its first letter: t tensor, i integer, d real, b truth value, s number,
  // z text; "?x" None or x, "*x" a list of x.
  const char* const* codes;
  const c10::IValue* const* defaults;  // null where there is none
  // Replaces the arguments by the one result, None for void. Throws what the function throws.
  void (*call)(const void* self, std::vector<c10::IValue>* stack);
  const void* self;
};
/// `wb_module_functions` of the shared object.
typedef void (*WarpbenchListFunctions)(void* receiver, void (*take)(void*, const WarpbenchFunction*));
}
