// SPDX-License-Identifier: Apache-2.0
// PYBIND11_MODULE and TORCH_LIBRARY compile and do nothing: Warpbench finds the kernel by its name, and an
// operator's name can be registered only once in a process.
#pragma once

#include <torch/library.h>

#include <cstddef>

namespace pybind11 {
struct arg {
  constexpr explicit arg(const char*) {}
  template <class T>
  const arg& operator=(T&&) const {
    return *this;
  }
  const arg& noconvert() const { return *this; }
};
inline namespace literals {
constexpr arg operator""_a(const char* name, std::size_t) {
  return arg(name);
}
}  // namespace literals
struct module_ {
  template <class... Anything>
  module_& def(const char*, Anything&&...) {
    return *this;
  }
  const char*& doc() { return doc_; }

 private:
  const char* doc_ = nullptr;
};
using module = module_;
template <class... Anything>
struct call_guard {};
struct gil_scoped_release {
  ~gil_scoped_release() {}
};
struct gil_scoped_acquire {
  ~gil_scoped_acquire() {}
};
}  // namespace pybind11

namespace warpbench_glue {
struct IgnoredLibrary {
  template <class... Anything>
  IgnoredLibrary& def(Anything&&...) {
    return *this;
  }
  template <class... Anything>
  IgnoredLibrary& impl(Anything&&...) {
    return *this;
  }
  template <class... Anything>
  IgnoredLibrary& fallback(Anything&&...) {
    return *this;
  }
};
}  // namespace warpbench_glue

#define PYBIND11_MODULE(name, variable, ...) \
  [[maybe_unused]] static void warpbench_ignored_bindings([[maybe_unused]] ::pybind11::module_& variable)

#undef TORCH_LIBRARY
#undef TORCH_LIBRARY_FRAGMENT
#undef TORCH_LIBRARY_IMPL
#define TORCH_LIBRARY(name, variable)           \
  [[maybe_unused]] static void C10_CONCATENATE( \
      warpbench_ignored_, C10_UID)([[maybe_unused]] ::warpbench_glue::IgnoredLibrary & variable)
#define TORCH_LIBRARY_FRAGMENT(name, variable) TORCH_LIBRARY(name, variable)
#define TORCH_LIBRARY_IMPL(name, key, variable) TORCH_LIBRARY(name, variable)
