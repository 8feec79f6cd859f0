// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFont>
#include <QFontMetricsF>
#include <QHash>
#include <array>
#include <string_view>

namespace wb {

/// Measures texts of one font from the widths of their letters, which it looks up once. That takes a fraction
/// of the time of shaping each text, and errs by what pairs of letters move together.
class TextMeasure {
 public:
  explicit TextMeasure(const QFont& font);
  [[nodiscard]] const QFont& font() const { return font_; }
  /// The width in pixels of the first line of a text in UTF-8, with the sign that more lines follow.
  [[nodiscard]] int width(std::string_view text) const;
  /// Where a name is best broken into two lines: between its words, or where those are too long between any
  /// two letters.
  struct Halves {
    /// The second line begins at this byte.
    std::size_t second = 0;
    /// The width of the wider one in pixels.
    int width = 0;
  };
  [[nodiscard]] Halves halve(std::string_view text) const;

 private:
  [[nodiscard]] float letter(char32_t c) const;

  QFont font_;
  QFontMetricsF metrics_;
  std::array<float, 128> plain_{};
  mutable QHash<char32_t, float> others_;
};

}  // namespace wb
