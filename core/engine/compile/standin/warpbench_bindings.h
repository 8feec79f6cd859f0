// SPDX-License-Identifier: Apache-2.0
// PYBIND11_MODULE for modules that Python calls (torch.utils.cpp_extension): `m.def` makes a function over
// IValues of what it is given, with its parameters' names and defaults. What has no conversion here is
// refused by a static_assert that the engine knows.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "warpbench_arguments.h"
#include "warpbench_function.h"
#include "warpbench_modules.h"

namespace warpbench_glue {

/// Coded<D>::text(): what Python may give for a parameter of type D (see WarpbenchFunction::codes).
template <class D>
struct Coded {
  static constexpr bool known = false;
  static std::string text() { return {}; }
};
template <char letter>
struct Letter {
  static constexpr bool known = true;
  static std::string text() { return {letter}; }
};
template <char mark, class Inner>
struct Marked {
  static constexpr bool known = Inner::known;
  static std::string text() { return mark + Inner::text(); }
};
template <>
struct Coded<at::Tensor> : Letter<'t'> {};
template <>
struct Coded<at::Scalar> : Letter<'s'> {};
template <>
struct Coded<bool> : Letter<'b'> {};
template <class D>
requires std::is_integral_v<D>
struct Coded<D> : Letter<'i'> {
};
template <class D>
requires std::is_floating_point_v<D>
struct Coded<D> : Letter<'d'> {
};
template <>
struct Coded<std::string> : Letter<'z'> {};
template <>
struct Coded<std::string_view> : Letter<'z'> {};
template <>
struct Coded<const char*> : Letter<'z'> {};
template <class T>
struct Coded<std::optional<T>> : Marked<'?', Coded<T>> {};
template <class T>
struct Coded<std::vector<T>> : Marked<'*', Coded<T>> {};
template <class T>
struct Coded<at::ArrayRef<T>> : Marked<'*', Coded<T>> {};
template <class T, std::size_t n>
struct Coded<std::array<T, n>> : Marked<'*', Coded<T>> {};
template <class T>
struct Coded<c10::List<T>> : Marked<'*', Coded<T>> {};
template <class T>
struct Coded<c10::OptionalArrayRef<T>> : Marked<'?', Marked<'*', Coded<T>>> {};
template <>
struct Coded<at::ITensorListRef> : Marked<'*', Letter<'t'>> {};

/// Given<D>::make: a result of type D for Python.
template <class D>
struct Given {
  static constexpr bool known = false;
};
struct GivenAsItIs {
  static constexpr bool known = true;
  template <class T>
  static c10::IValue make(T&& value) {
    return c10::IValue(std::forward<T>(value));
  }
};
template <>
struct Given<at::Tensor> : GivenAsItIs {};
template <>
struct Given<at::Scalar> : GivenAsItIs {};
template <>
struct Given<bool> : GivenAsItIs {};
template <>
struct Given<std::string> : GivenAsItIs {};
template <>
struct Given<std::vector<at::Tensor>> : GivenAsItIs {};
template <>
struct Given<c10::List<at::Tensor>> : GivenAsItIs {};
template <class D>
requires std::is_integral_v<D>
struct Given<D> {
  static constexpr bool known = true;
  static c10::IValue make(D value) { return static_cast<std::int64_t>(value); }
};
template <class D>
requires std::is_floating_point_v<D>
struct Given<D> {
  static constexpr bool known = true;
  static c10::IValue make(D value) { return static_cast<double>(value); }
};
template <>
struct Given<const char*> {
  static constexpr bool known = true;
  static c10::IValue make(const char* value) { return std::string(value); }
};
template <class T>
requires std::is_arithmetic_v<T>
struct Given<std::vector<T>> {
  static constexpr bool known = true;
  static c10::IValue make(const std::vector<T>& values) {
    using Held = std::conditional_t<std::is_same_v<T, bool>, bool,
                                    std::conditional_t<std::is_integral_v<T>, std::int64_t, double>>;
    c10::List<Held> list;
    for (const T each : values) list.push_back(static_cast<Held>(each));
    return list;
  }
};
template <class T>
requires Given<T>::known struct Given<std::optional<T>> {
  static constexpr bool known = true;
  static c10::IValue make(const std::optional<T>& value) {
    return value ? Given<T>::make(*value) : c10::IValue();
  }
};
template <class... T>
requires(Given<std::remove_cvref_t<T>>::known&&...) struct Given<std::tuple<T...>> {
  static constexpr bool known = true;
  static c10::IValue make(const std::tuple<T...>& values) {
    return std::apply(
        [](const auto&... value) {
          return c10::ivalue::Tuple::create(
              std::vector<c10::IValue>{Given<std::remove_cvref_t<decltype(value)>>::make(value)...});
        },
        values);
  }
};
template <class A, class B>
requires(Given<A>::known&& Given<B>::known) struct Given<std::pair<A, B>> {
  static constexpr bool known = true;
  static c10::IValue make(const std::pair<A, B>& values) {
    return Given<std::tuple<A, B>>::make({values.first, values.second});
  }
};

/// A bound function; lives to the end of the process.
struct BoundFunction {
  std::string name, doc;
  std::vector<std::string> names, codes;
  std::vector<std::optional<c10::IValue>> defaults;
  std::function<void(std::vector<c10::IValue>&)> call;
};
inline std::vector<std::unique_ptr<BoundFunction>>& boundFunctions() {
  static std::vector<std::unique_ptr<BoundFunction>> all;
  return all;
}

template <class R, class... A, class F, std::size_t... i>
void callBound(F& f, std::vector<c10::IValue>& stack, std::index_sequence<i...>) {
  TORCH_CHECK(stack.size() == sizeof...(A), "the function takes ", sizeof...(A), " arguments and got ",
              stack.size());
  // They live until the end of the call: parameters may be views of them.
  [[maybe_unused]] std::tuple<Argument<A>...> arguments{Argument<A>(std::move(stack[i]), "")...};
  if constexpr (std::is_void_v<R>) {
    f(std::get<i>(arguments).get()...);
    stack.assign(1, c10::IValue());
  } else {
    c10::IValue result = Given<std::remove_cvref_t<R>>::make(f(std::get<i>(arguments).get()...));
    stack.assign(1, std::move(result));
  }
}

template <class R, class... A, class F>
void fill(BoundFunction& bound, F f) {
  constexpr bool parameters =
      ((Coded<std::remove_cvref_t<A>>::known && Taker<std::remove_cvref_t<A>>::known) && ...);
  constexpr bool result = std::is_void_v<R> || Given<std::remove_cvref_t<R>>::known;
  static_assert(parameters, "warpbench-binding: a parameter's type");
  static_assert(result, "warpbench-binding: the type of the result");
  if constexpr (parameters && result) {
    (bound.codes.push_back(Coded<std::remove_cvref_t<A>>::text()), ...);
    bound.names.resize(sizeof...(A));
    bound.defaults.resize(sizeof...(A));
    bound.call = [f](std::vector<c10::IValue>& stack) mutable {
      callBound<R, A...>(f, stack, std::index_sequence_for<A...>{});
    };
  }
}
template <class R, class... A>
void fillFrom(BoundFunction& bound, R (*f)(A...)) {
  fill<R, A...>(bound, f);
}
template <class F, class R, class C, class... A>
void fillMethod(BoundFunction& bound, F f, R (C::*)(A...) const) {
  fill<R, A...>(bound, std::move(f));
}
template <class F, class R, class C, class... A>
void fillMethod(BoundFunction& bound, F f, R (C::*)(A...)) {
  fill<R, A...>(bound, std::move(f));
}
template <class F>
requires std::is_class_v<F>
void fillFrom(BoundFunction& bound, F f) {
  fillMethod(bound, std::move(f), &F::operator());
}

/// What stands behind the function in `m.def`: its text, names and defaults of parameters, policies.
class Extras {
 public:
  explicit Extras(BoundFunction& bound) : bound_(bound) {}
  void take(const char* doc) { bound_.doc = doc; }
  void take(const ::pybind11::arg& argument) { name(argument.name); }
  void take(const ::pybind11::arg_v& argument) {
    name(argument.name);
    if (at_ > 0 && at_ <= bound_.defaults.size()) bound_.defaults[at_ - 1] = argument.value;
  }
  template <class... Guards>
  void take(const ::pybind11::call_guard<Guards...>&) {}

 private:
  void name(const char* text) {
    if (at_ < bound_.names.size()) bound_.names[at_] = text;
    ++at_;
  }
  BoundFunction& bound_;
  std::size_t at_ = 0;
};

/// The `m` of PYBIND11_MODULE.
struct Module {
  template <class F, class... Extra>
  Module& def(const char* name, F&& f, const Extra&... extra) {
    auto bound = std::make_unique<BoundFunction>();
    bound->name = name;
    fillFrom(*bound, std::decay_t<F>(std::forward<F>(f)));
    Extras extras(*bound);
    (extras.take(extra), ...);
    boundFunctions().push_back(std::move(bound));
    return *this;
  }
  const char*& doc() { return doc_; }

 private:
  const char* doc_ = nullptr;
};

inline void listBound(void* receiver, void (*take)(void*, const WarpbenchFunction*)) {
  for (const auto& bound : boundFunctions()) {
    std::vector<const char*> names, codes;
    std::vector<const c10::IValue*> defaults;
    for (std::size_t i = 0; i < bound->codes.size(); ++i) {
      names.push_back(bound->names[i].c_str());
      codes.push_back(bound->codes[i].c_str());
      defaults.push_back(bound->defaults[i] ? &*bound->defaults[i] : nullptr);
    }
    const WarpbenchFunction function{bound->name.c_str(),
                                     bound->doc.c_str(),
                                     codes.size(),
                                     names.data(),
                                     codes.data(),
                                     defaults.data(),
                                     [](const void* self, std::vector<c10::IValue>* stack) {
                                       static_cast<const BoundFunction*>(self)->call(*stack);
                                     },
                                     bound.get()};
    take(receiver, &function);
  }
}

}  // namespace warpbench_glue

// What PYBIND11_MODULE becomes in such a module.
#define WARPBENCH_MODULE(variable)                                            \
  static void warpbench_bindings(::warpbench_glue::Module&);                  \
  extern "C" __attribute__((visibility("default"))) void wb_module_functions( \
      void* receiver, void (*take)(void*, const WarpbenchFunction*)) {        \
    if (::warpbench_glue::boundFunctions().empty()) {                         \
      ::warpbench_glue::Module module;                                        \
      warpbench_bindings(module);                                             \
    }                                                                         \
    ::warpbench_glue::listBound(receiver, take);                              \
  }                                                                           \
  static void warpbench_bindings([[maybe_unused]] ::warpbench_glue::Module& variable)
