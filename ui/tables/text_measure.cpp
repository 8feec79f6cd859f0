// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/tables/text_measure.h"

#include <algorithm>
#include <cmath>
#include <string_view>

namespace wb {
namespace {

/// The letter that begins at a byte of a text in UTF-8; the place moves to the next one.
char32_t nextLetter(std::string_view text, std::size_t& at) {
  const auto first = static_cast<unsigned char>(text[at]);
  const std::size_t length = first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
  char32_t c = length == 1 ? first : first & (0xFFU >> (length + 1));
  for (std::size_t k = 1; k < length && at + k < text.size(); ++k)
    c = c << 6U | (static_cast<unsigned char>(text[at + k]) & 0x3FU);
  at = std::min(at + length, text.size());
  return c;
}

/// Whether a line of a name may end behind this letter: "gpu__time|duration", "f32[64,| 128]".
bool endsWord(char32_t c) {
  return std::u32string_view(U" _,/:;-").find(c) != std::u32string_view::npos;
}

}  // namespace

TextMeasure::TextMeasure(const QFont& font) : font_(font), metrics_(font) {
  for (char32_t c = 32; c < plain_.size(); ++c) plain_[c] = float(metrics_.horizontalAdvance(QChar(c)));
}

float TextMeasure::letter(char32_t c) const {
  if (c < plain_.size()) return plain_[c];
  if (const auto known = others_.constFind(c); known != others_.constEnd()) return *known;
  const float width = float(metrics_.horizontalAdvance(QString::fromUcs4(&c, 1)));
  others_.insert(c, width);
  return width;
}

int TextMeasure::width(std::string_view text) const {
  float width = 0;
  for (std::size_t i = 0; i < text.size();) {
    const char32_t c = nextLetter(text, i);
    if (c == U'\n') {
      width += letter(U' ') + letter(U'…');
      break;
    }
    width += letter(c);
  }
  return int(std::ceil(width));
}

TextMeasure::Halves TextMeasure::halve(std::string_view text) const {
  float all = 0;
  for (std::size_t i = 0; i < text.size();) all += letter(nextLetter(text, i));
  // A break within a word is taken only where those between words leave one line much longer than that.
  constexpr float tooUneven = 1.5F;
  Halves between{text.size(), int(std::ceil(all))}, within = between;
  float before = 0, leastBetween = all, leastWithin = all;
  for (std::size_t i = 0; i < text.size();) {
    const char32_t c = nextLetter(text, i);
    const float blank = c == U' ' ? letter(c) : 0;
    // A blank at the end of a line takes no room.
    const float wider = std::max(before + letter(c) - blank, all - before - letter(c));
    before += letter(c);
    if (wider < leastWithin) leastWithin = wider, within = {i, int(std::ceil(wider))};
    if (endsWord(c) && wider <= leastBetween) leastBetween = wider, between = {i, int(std::ceil(wider))};
  }
  return leastBetween > leastWithin * tooUneven ? within : between;
}

}  // namespace wb
