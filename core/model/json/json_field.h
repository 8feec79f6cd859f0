// SPDX-License-Identifier: Apache-2.0
#pragma once

// What the JSON form of every struct is built of; json_fields.h says more.

#include <array>
#include <concepts>
#include <type_traits>

#include "core/base/error.h"

namespace wb {

/// `S` is `T` or `const T`: reading and writing share one function.
template <class S, class T>
concept Maybe = std::same_as<std::remove_const_t<S>, T>;

/// All values of an enum that has a name(), in order.
template <class E>
inline constexpr std::array<E, 0> enumValues{};
template <class V, Maybe<Place> S>
void fields(V& visit, S& s) {
  visit("file", s.file);
  visit("line", s.line);
  visit("column", s.column);
}

}  // namespace wb
