// SPDX-License-Identifier: Apache-2.0
// Makes a user's C++ function callable with a stack of IValues, the arguments in the operator's schema order,
// whatever of the usual C++ types its parameters have. The generated end of each kernel's source uses this
// (core/engine/compile/host/translation_unit.cpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "warpbench_arguments.h"

namespace warpbench_glue {

template <int N>
struct Rank : Rank<N - 1> {};
template <>
struct Rank<0> {};

// A user's `exp` overloads the C library's: what returns tensors is the kernel.
template <class... A>
constexpr auto pickKernel(at::Tensor (*f)(A...), Rank<1>) {
  return f;
}
template <class... A>
constexpr auto pickKernel(at::Tensor& (*f)(A...), Rank<1>) {
  return f;
}
template <class... A>
constexpr auto pickKernel(const at::Tensor& (*f)(A...), Rank<1>) {
  return f;
}
template <class... T, class... A>
constexpr auto pickKernel(std::tuple<T...> (*f)(A...), Rank<1>) {
  return f;
}
template <class... A>
constexpr auto pickKernel(std::vector<at::Tensor> (*f)(A...), Rank<1>) {
  return f;
}
template <class R, class... A>
constexpr auto pickKernel(R (*f)(A...), Rank<0>) {
  return f;
}

// Where the library's overloads are templates (std::exp for integers), nothing can be deduced: the types that
// unary and binary kernels have are tried one by one.
template <class F>
struct Type {};
template <class... F>
struct Types {};
template <class First, class... Second>
using Binary = Types<at::Tensor (*)(First, Second)...>;
template <class First>
using BinaryOf = Binary<First, at::Tensor, const at::Tensor&, at::Tensor&, at::Tensor&&, at::Scalar,
                        const at::Scalar&, double, float, std::int64_t, int>;

/// How many of the types `probe` can give, and the one.
template <class Probe, class... F>
constexpr int countMatches(const Probe& probe, Types<F...>) {
  return (int{requires { probe(Type<F>{});
}
} + ... + 0);
}
/// `rank` makes the call depend on a template's argument, so that it is not looked at where it is not needed.
template <int n, class Probe, class F, class... Rest>
constexpr auto firstMatch(Rank<n> rank, const Probe& probe, Types<F, Rest...>) {
  if constexpr (requires { probe(Type<F>{}); }) {
    return probe(Type<F>{});
  } else {
    return firstMatch(rank, probe, Types<Rest...>{});
  }
}
template <class... A, class... B>
constexpr Types<A..., B...> both(Types<A...>, Types<B...>) {
  return {};
}
using OverloadTypes = decltype(both(
    Types<at::Tensor (*)(at::Tensor), at::Tensor (*)(const at::Tensor&), at::Tensor (*)(at::Tensor&),
          at::Tensor (*)(at::Tensor&&)>{},
    both(both(BinaryOf<at::Tensor>{}, BinaryOf<const at::Tensor&>{}),
         both(BinaryOf<at::Tensor&>{}, both(Binary<at::Scalar, at::Tensor, const at::Tensor&>{},
                                            Binary<const at::Scalar&, at::Tensor, const at::Tensor&>{})))));
template <class Probe>
constexpr bool isOneOverload = countMatches(Probe{}, OverloadTypes{}) == 1;

template <class F>
struct Signature;
template <class R, class... A>
struct Signature<R (*)(A...)> {
  using Return = R;
  static constexpr int parameters = sizeof...(A);

  /// Can parameter `index` take what the schema says of that argument? Those that the function does not have:
  /// yes.
  static constexpr bool fits([[maybe_unused]] int index, [[maybe_unused]] Kind kind) {
    int i = 0;
    return ((i++ != index || Taker<std::remove_cvref_t<A>>::takes(kind)) && ...);
  }
};

template <class R>
struct Returned {
  static constexpr bool gives(int, Kind, bool) { return false; }
};
/// One value for one return.
template <class R, Kind... kinds>
struct ReturnedOne {
  static constexpr bool gives(int count, Kind first, bool) { return count == 1 && ((first == kinds) || ...); }
  template <class V>
  static void push(std::vector<c10::IValue>& stack, V&& value) {
    stack.emplace_back(std::forward<V>(value));
  }
};
template <>
struct Returned<at::Tensor> : ReturnedOne<at::Tensor, Kind::tensor> {};
template <>
struct Returned<at::Scalar>
    : ReturnedOne<at::Scalar, Kind::scalar, Kind::integer, Kind::real, Kind::boolean> {};
template <>
struct Returned<bool> : ReturnedOne<bool, Kind::boolean, Kind::scalar> {};
template <>
struct Returned<double> : ReturnedOne<double, Kind::real, Kind::scalar> {};
template <>
struct Returned<float> : ReturnedOne<double, Kind::real, Kind::scalar> {};
template <>
struct Returned<std::int64_t> : ReturnedOne<std::int64_t, Kind::integer, Kind::scalar> {};
template <>
struct Returned<int> : ReturnedOne<std::int64_t, Kind::integer, Kind::scalar> {
  static void push(std::vector<c10::IValue>& stack, int value) { stack.emplace_back(std::int64_t{value}); }
};
template <>
struct Returned<c10::List<at::Tensor>> : ReturnedOne<c10::List<at::Tensor>, Kind::tensors> {};
template <>
struct Returned<std::vector<std::int64_t>> : ReturnedOne<std::vector<std::int64_t>, Kind::integers> {};
/// Several tensors: one list, or one return each.
template <>
struct Returned<std::vector<at::Tensor>> {
  static constexpr bool gives(int count, Kind first, bool allTensors) {
    return (count == 1 && first == Kind::tensors) || (count > 1 && allTensors);
  }
  static void push(std::vector<c10::IValue>& stack, std::vector<at::Tensor> values, bool asList) {
    if (asList) {
      stack.emplace_back(std::move(values));
    } else {
      for (auto& value : values) stack.emplace_back(std::move(value));
    }
  }
};
template <class... T>
struct Returned<std::tuple<T...>> {
  static constexpr bool gives(int count, Kind, bool) { return count == static_cast<int>(sizeof...(T)); }
  static void push(std::vector<c10::IValue>& stack, std::tuple<T...> values) {
    std::apply([&](auto&... value) { (stack.emplace_back(std::move(value)), ...); }, values);
  }
};
template <class A, class B>
struct Returned<std::pair<A, B>> {
  static constexpr bool gives(int count, Kind, bool) { return count == 2; }
  static void push(std::vector<c10::IValue>& stack, std::pair<A, B> values) {
    stack.emplace_back(std::move(values.first));
    stack.emplace_back(std::move(values.second));
  }
};
template <>
struct Returned<void> {
  static constexpr bool gives(int, Kind, bool) { return false; }
};

/// `count` returns, the first of kind `first`; `allAliased`: each is one of the arguments, as in add_ or
/// add.out.
template <class K>
constexpr bool gives(int count, Kind first, bool allTensors, bool allAliased) {
  using R = typename Signature<K>::Return;
  if (std::is_void_v<R>) return allAliased;
  return Returned<std::remove_cvref_t<R>>::gives(count, first, allTensors);
}

/// What the generated end of the source knows of the schema.
struct Operator {
  const char* const* names;  // of the arguments
  const int* aliases;        // for each return the argument that it is, or -1
  int returns;
  bool returnsList;
};

template <class R, class... A, std::size_t... i>
void callWith(R (*kernel)(A...), std::vector<c10::IValue>& stack, const Operator& op,
              std::index_sequence<i...>) {
  TORCH_CHECK(stack.size() >= sizeof...(A), "the kernel takes ", sizeof...(A), " arguments and got ",
              stack.size());
  if constexpr (std::is_void_v<R>) {
    std::vector<c10::IValue> results;
    for (int r = 0; r < op.returns; ++r)
      if (op.aliases[r] >= 0) results.push_back(stack[static_cast<std::size_t>(op.aliases[r])]);
    // The arguments live until the end of the call: parameters may be views of them.
    [[maybe_unused]] std::tuple<Argument<A>...> arguments{Argument<A>(std::move(stack[i]), op.names[i])...};
    kernel(std::get<i>(arguments).get()...);
    stack = std::move(results);
  } else {
    using D = std::remove_cvref_t<R>;
    [[maybe_unused]] std::tuple<Argument<A>...> arguments{Argument<A>(std::move(stack[i]), op.names[i])...};
    D result = kernel(std::get<i>(arguments).get()...);
    stack.clear();
    if constexpr (std::is_same_v<D, std::vector<at::Tensor>>) {
      Returned<D>::push(stack, std::move(result), op.returnsList);
    } else {
      Returned<D>::push(stack, std::move(result));
    }
  }
}

/// Replaces the stack's arguments by the kernel's results. A signature that does not fit was reported by a
/// static_assert: no further messages about it.
template <class R, class... A>
void call(R (*kernel)(A...), std::vector<c10::IValue>& stack, const Operator& op) {
  using D = std::remove_cvref_t<R>;
  if constexpr ((Taker<std::remove_cvref_t<A>>::known && ...) &&
                (std::is_void_v<R> || Pushable<Returned<D>, D>)) {
    callWith(kernel, stack, op, std::index_sequence_for<A...>{});
  }
}

}  // namespace warpbench_glue
