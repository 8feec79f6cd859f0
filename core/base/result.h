// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tl/expected.hpp>
#include <utility>

#include "core/base/error.h"

namespace wb {

/// A value or the error that kept it from being. Errors in `core` travel this way, never as exceptions.
template <class T>
class [[nodiscard]] Result : public tl::expected<T, Error> {
 public:
  using Base = tl::expected<T, Error>;
  using Base::Base;
  Result(Base base) : Base(std::move(base)) {}                   // NOLINT(google-explicit-constructor)
  Result(Error error) : Base(tl::unexpect, std::move(error)) {}  // NOLINT(google-explicit-constructor)
};

}  // namespace wb
