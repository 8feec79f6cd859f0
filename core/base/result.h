// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <type_traits>
#include <utility>
#include <variant>

#include "core/base/error.h"

namespace wb {

/// A value, or the error that kept it from being made: std::expected<T, Error> until C++23 can be used.
/// Errors in `core` are passed this way, never as exceptions. Reading the side that is absent is a bug and
/// throws std::bad_variant_access.
template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value)
      : state_(std::in_place_index<0>, std::move(value)) {}  // NOLINT(google-explicit-constructor)
  Result(Error error)
      : state_(std::in_place_index<1>, std::move(error)) {}  // NOLINT(google-explicit-constructor)
  template <class U>
  requires(std::is_constructible_v<T, U&&>&& std::is_convertible_v<U&&, T> &&
           !std::is_same_v<std::remove_cvref_t<U>, Result> &&
           !std::is_same_v<std::remove_cvref_t<U>, Error> && !std::is_same_v<std::remove_cvref_t<U>, T>)
      Result(U&& value)  // NOLINT(bugprone-forwarding-reference-overload)
      : state_(std::in_place_index<0>, std::forward<U>(value)) {}  // NOLINT(google-explicit-constructor)

  [[nodiscard]] bool has_value() const { return state_.index() == 0; }
  explicit operator bool() const { return has_value(); }
  [[nodiscard]] T& value() & { return std::get<0>(state_); }
  [[nodiscard]] const T& value() const& { return std::get<0>(state_); }
  [[nodiscard]] T&& value() && { return std::get<0>(std::move(state_)); }
  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T&& operator*() && { return std::move(*this).value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }
  template <class U>
  [[nodiscard]] T value_or(U&& other) const& {
    return has_value() ? value() : static_cast<T>(std::forward<U>(other));
  }
  [[nodiscard]] Error& error() & { return std::get<1>(state_); }
  [[nodiscard]] const Error& error() const& { return std::get<1>(state_); }
  [[nodiscard]] Error&& error() && { return std::get<1>(std::move(state_)); }

 private:
  std::variant<T, Error> state_;
};

/// Success or an error. `return {};` is success.
template <>
class [[nodiscard]] Result<void> {
 public:
  Result() = default;
  Result(Error error) : error_(std::move(error)) {}  // NOLINT(google-explicit-constructor)
  [[nodiscard]] bool has_value() const { return !error_; }
  explicit operator bool() const { return has_value(); }
  [[nodiscard]] Error& error() & { return *error_; }
  [[nodiscard]] const Error& error() const& { return *error_; }
  [[nodiscard]] Error&& error() && { return *std::move(error_); }

 private:
  std::optional<Error> error_;
};

/// WB_TRY(auto value, expression): the value of a Result, or return its error from the function that this
/// stands in. WB_DO(expression) is for a Result<void>.
#define WB_TRY(declaration, ...) WB_TRY_AS(WB_JOINED(tried, __LINE__), declaration, __VA_ARGS__)
#define WB_DO(...) \
  if (auto tried = __VA_ARGS__; !tried) return std::move(tried).error()

#define WB_TRY_AS(tried, declaration, ...)     \
  auto tried = __VA_ARGS__;                    \
  if (!tried) return std::move(tried).error(); \
  declaration = *std::move(tried)
#define WB_JOINED(a, b) WB_JOINED_NOW(a, b)
#define WB_JOINED_NOW(a, b) a##b

}  // namespace wb
