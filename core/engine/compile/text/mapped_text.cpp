// SPDX-License-Identifier: Apache-2.0
#include "core/engine/compile/text/mapped_text.h"

#include <algorithm>

namespace wb {
namespace {

std::size_t offsetOf(const std::string& text, int line, int column) {
  std::size_t start = 0;
  for (int n = 1; n < line; ++n) {
    const auto end = text.find('\n', start);
    if (end == std::string::npos) return text.size();
    start = end + 1;
  }
  return std::min(text.size(), start + static_cast<std::size_t>(std::max(column, 1) - 1));
}

}  // namespace

void MappedText::add(std::size_t begin, std::size_t end) {
  if (begin >= end) return;
  if (!pieces_.empty()) {
    auto& last = pieces_.back();
    if (!last.fixed && last.from + last.size == begin && last.at + last.size == text_.size()) {
      last.size += end - begin;
      return;
    }
  }
  pieces_.push_back({text_.size(), begin, end - begin, false});
}

void MappedText::copy(std::size_t begin, std::size_t end) {
  end = std::min(end, source_.size());
  add(begin, end);
  if (begin < end) text_.append(source_, begin, end - begin);
}

void MappedText::blank(std::size_t begin, std::size_t end) {
  end = std::min(end, source_.size());
  add(begin, end);
  for (auto i = begin; i < end; ++i) text_ += source_[i] == '\n' || source_[i] == '\r' ? source_[i] : ' ';
}

void MappedText::insertAs(std::string_view text, std::size_t from) {
  pieces_.push_back({text_.size(), from, text.size(), true});
  text_ += text;
}

void MappedText::lineEnds(std::size_t begin, std::size_t end) {
  for (auto i = begin; i < std::min(end, source_.size()); ++i)
    if (source_[i] == '\n') insertAs("\n", i);
}

MappedText::LineColumn MappedText::sourceOf(LineColumn place) const {
  if (place.line < 1 || pieces_.empty()) return place;
  const auto offset = offsetOf(text_, place.line, place.column);
  auto after = std::upper_bound(pieces_.begin(), pieces_.end(), offset,
                                [](std::size_t at, const Piece& piece) { return at < piece.at; });
  std::size_t from = 0;
  if (after == pieces_.begin()) {
    from = pieces_.front().from;
  } else {
    const auto& piece = *(after - 1);
    const auto inside = offset - piece.at;
    from = piece.fixed && inside < piece.size ? piece.from
           : inside < piece.size              ? piece.from + inside
           : after != pieces_.end()           ? after->from
                                              : piece.from + piece.size;
  }
  from = std::min(from, source_.size());
  const auto lineStart = from == 0 ? std::string::npos : source_.rfind('\n', from - 1);
  const auto start = lineStart == std::string::npos ? 0 : lineStart + 1;
  LineColumn found;
  found.line = 1 + static_cast<int>(std::count(source_.begin(),
                                               source_.begin() + static_cast<std::ptrdiff_t>(from), '\n'));
  found.column = place.column == 0 ? 0 : static_cast<int>(from - start) + 1;
  return found;
}

}  // namespace wb
