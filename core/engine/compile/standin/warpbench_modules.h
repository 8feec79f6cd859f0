// SPDX-License-Identifier: Apache-2.0
// PYBIND11_MODULE and TORCH_LIBRARY compile and do nothing: Warpbench finds the kernel by its name, and an
// operator's name can be registered only once in a process. (Modules for Python: warpbench_bindings.h.)
#pragma once

#include <ATen/core/ivalue.h>
#include <torch/library.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

namespace pybind11 {
struct none {};
/// A parameter's name with its default.
struct arg_v {
  const char* name;
  c10::IValue value;
};
struct arg {
  const char* name;
  constexpr explicit arg(const char* text) : name(text) {}
  template <class T>
  arg_v operator=(T&& value) const {
    if constexpr (std::is_same_v<std::remove_cvref_t<T>, ::pybind11::none> ||
                  std::is_same_v<std::remove_cvref_t<T>, std::nullopt_t>) {
      return {name, c10::IValue()};
    } else if constexpr (std::is_same_v<std::remove_cvref_t<T>, bool>) {
      return {name, c10::IValue(value)};
    } else if constexpr (std::is_integral_v<std::remove_cvref_t<T>>) {
      return {name, c10::IValue(static_cast<std::int64_t>(value))};
    } else if constexpr (std::is_floating_point_v<std::remove_cvref_t<T>>) {
      return {name, c10::IValue(static_cast<double>(value))};
    } else if constexpr (std::is_convertible_v<T, const char*>) {
      return {name, c10::IValue(std::string(value))};
    } else {
      return {name, c10::IValue(std::forward<T>(value))};
    }
  }
  const arg& noconvert(bool = true) const { return *this; }
  const arg& none(bool = true) const { return *this; }
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
namespace py = pybind11;  // as torch/extension.h has it

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
