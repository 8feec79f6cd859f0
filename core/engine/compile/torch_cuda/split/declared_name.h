// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

#include "core/engine/compile/torch_cuda/split/items.h"

namespace wb {

/// The name that a declaration introduces.
[[nodiscard]] std::string declaredName(Lexemes lexemes, const Item& declaration);

/// Whether these words stand one after the other from here.
[[nodiscard]] bool startsWith(Lexemes lexemes, std::size_t at, std::initializer_list<std::string_view> words);

/// Whether the lexeme at `at` is named as a member of an object, `a.size` or `a->size`.
[[nodiscard]] bool isMember(Lexemes lexemes, std::size_t at);

}  // namespace wb
