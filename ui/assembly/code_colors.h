// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>
#include <vector>

#include "core/base/enum.h"
#include "core/model/profile.h"

namespace wb {

/// What a part of a row of code is; themes choose colours for it.
WB_ENUM(CodeToken, plain, opcode, reg, number, label, comment, string);

struct CodePart {
  int start = 0, length = 0;
  CodeToken token = CodeToken::plain;
  bool operator==(const CodePart&) const = default;
};

/// The parts of a row that are more than plain text, from left to right.
[[nodiscard]] std::vector<CodePart> codeParts(ListingKind kind, std::string_view row);

}  // namespace wb
