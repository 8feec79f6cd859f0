// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace wb {

/// About how wide a text of 12 pixels is drawn; nobody knows the reader's font.
[[nodiscard]] double widthOf(std::string_view text);
/// A text that is at most so wide, with "…" at its end where something is missing.
[[nodiscard]] std::string shortened(const std::string& text, double width);

/// A picture as it is drawn: things in pixels from its upper left corner. Colours are classes, so that they
/// follow the reader's screen (light or dark): "good", "bad", "same", "line", "text", "soft", "s0" to "s7".
class SvgPicture {
 public:
  enum class Anchor { start, middle, end };

  explicit SvgPicture(double width) : width_(width) {}

  void rectangle(double left, double top, double width, double height, std::string_view colour,
                 std::string_view tip = {});
  void line(double x1, double y1, double x2, double y2, std::string_view colour, bool isDashed = false);
  /// Points of a line, each in pixels.
  void path(const std::vector<std::pair<double, double>>& points, std::string_view colour, bool isDashed);
  void dot(double x, double y, double radius, std::string_view colour, std::string_view tip);
  void text(double x, double y, std::string_view text, Anchor anchor = Anchor::start,
            std::string_view classes = "soft");
  /// What is drawn from here to endClip() is seen inside this rectangle alone.
  void beginClip(double left, double top, double width, double height);
  void endClip();

  /// The whole of it, so high.
  [[nodiscard]] std::string whole(std::string_view title, double height) const;

 private:
  double width_;
  std::string body_;
  int clips_ = 0;
};

}  // namespace wb
