// SPDX-License-Identifier: Apache-2.0
#include "core/report/svg/svg_picture.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/report/html/html_text.h"

namespace wb {
namespace {

// The colours of the HTML report (core/report/html/report.css). There are no variables: not all that draw
// pictures know them.
constexpr std::string_view style =
    "text{font:12px Inter,system-ui,\"Segoe UI\",Roboto,\"Noto Sans\",\"DejaVu Sans\",sans-serif}"
    "text.title{font-size:15px;font-weight:650}text.strong{font-weight:600}"
    ".rim{paint-order:stroke;stroke:#fff;stroke-width:4px;stroke-linejoin:round}.f-useful{fill:#0f6c32}"
    ".surface{fill:#fff}text.soft{fill:#535b69}text.text{fill:#1b1f26}text.light{fill:#fff}"
    ".f-good{fill:#1f6feb}.f-bad{fill:#d94f4a}.f-same{fill:#9aa2af}.f-line{fill:#dde0e6}.f-track{fill:#"
    "eef0f4}"
    ".f-s0{fill:#2f7bf6}.f-s1{fill:#d97706}.f-s2{fill:#0d9488}.f-s3{fill:#a855f7}"
    ".f-s4{fill:#db2777}.f-s5{fill:#65a30d}.f-s6{fill:#0891b2}.f-s7{fill:#b45309}.f-warning{fill:#7e5307}"
    "line,polyline{fill:none;stroke-width:1.25}.dashed{stroke-dasharray:5 4}"
    ".l-grid{stroke:#e6e9ee}.l-soft{stroke:#535b69}.l-text{stroke:#1b1f26}"
    ".l-s0{stroke:#2f7bf6}.l-s1{stroke:#d97706}.l-s2{stroke:#0d9488}.l-s3{stroke:#a855f7}"
    ".l-s4{stroke:#db2777}.l-s5{stroke:#65a30d}.l-s6{stroke:#0891b2}.l-s7{stroke:#b45309}"
    "@media (prefers-color-scheme:dark){"
    ".rim{stroke:#1f2229}.f-useful{fill:#46c46b}.surface{fill:#1f2229}text.soft{fill:#a5acb8}text.text{fill:#"
    "e6e8ec}"
    ".f-good{fill:#4c94ff}.f-bad{fill:#f4706b}.f-same{fill:#7b8390}.f-line{fill:#2e333d}.f-track{fill:#"
    "272b34}"
    ".f-s0{fill:#4c97ff}.f-s1{fill:#e8a13a}.f-s2{fill:#2fbfae}.f-s3{fill:#b98bff}"
    ".f-s4{fill:#f472b6}.f-s5{fill:#9ccc4a}.f-s6{fill:#46c4dd}.f-s7{fill:#d08a52}.f-warning{fill:#e0a53a}"
    ".l-grid{stroke:#2c313a}.l-soft{stroke:#a5acb8}.l-text{stroke:#e6e8ec}"
    ".l-s0{stroke:#4c97ff}.l-s1{stroke:#e8a13a}.l-s2{stroke:#2fbfae}.l-s3{stroke:#b98bff}"
    ".l-s4{stroke:#f472b6}.l-s5{stroke:#9ccc4a}.l-s6{stroke:#46c4dd}.l-s7{stroke:#d08a52}}";

bool beginsCharacter(char c) {
  return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
}

std::string tipOf(std::string_view tip) {
  return tip.empty() ? std::string() : "<title>" + escapeHtml(tip) + "</title>";
}

}  // namespace

double widthOf(std::string_view text) {
  constexpr double perCharacter = 6.6;
  return perCharacter * static_cast<double>(std::ranges::count_if(text, beginsCharacter));
}

std::string shortened(const std::string& text, double width) {
  if (widthOf(text) <= width) return text;
  std::string cut = text;
  while (!cut.empty() && widthOf(cut) + widthOf("…") > width) {
    while (!beginsCharacter(cut.back())) cut.pop_back();
    cut.pop_back();
  }
  return cut + "…";
}

void SvgPicture::rectangle(double left, double top, double width, double height, std::string_view colour,
                           std::string_view tip) {
  body_ += fmt::format(
      "<rect class=\"f-{}\" x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" "
      "rx=\"2\">{}</rect>\n",
      colour, left, top, std::max(0.0, width), height, tipOf(tip));
}

void SvgPicture::line(double x1, double y1, double x2, double y2, std::string_view colour, bool isDashed) {
  body_ += fmt::format("<line class=\"l-{}{}\" x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\"/>\n",
                       colour, isDashed ? " dashed" : "", x1, y1, x2, y2);
}

void SvgPicture::path(const std::vector<std::pair<double, double>>& points, std::string_view colour,
                      bool isDashed) {
  body_ += fmt::format("<polyline class=\"l-{}{}\" points=\"", colour, isDashed ? " dashed" : "");
  for (const auto& [x, y] : points) body_ += fmt::format("{:.1f},{:.1f} ", x, y);
  body_ += "\"/>\n";
}

void SvgPicture::dot(double x, double y, double radius, std::string_view colour, std::string_view tip) {
  body_ += fmt::format("<circle class=\"f-{}\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{:.1f}\">{}</circle>\n",
                       colour, x, y, radius, tipOf(tip));
}

void SvgPicture::text(double x, double y, std::string_view text, Anchor anchor, std::string_view classes) {
  const std::string_view at = anchor == Anchor::middle ? " text-anchor=\"middle\""
                              : anchor == Anchor::end  ? " text-anchor=\"end\""
                                                       : "";
  body_ += fmt::format("<text class=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\"{}>{}</text>\n", classes, x, y, at,
                       escapeHtml(text));
}

void SvgPicture::beginClip(double left, double top, double width, double height) {
  body_ += fmt::format(
      "<clipPath id=\"clip{0}\"><rect x=\"{1:.1f}\" y=\"{2:.1f}\" width=\"{3:.1f}\" height=\"{4:.1f}\"/>"
      "</clipPath><g clip-path=\"url(#clip{0})\">\n",
      clips_++, left, top, width, height);
}

void SvgPicture::endClip() {
  body_ += "</g>\n";
}

std::string SvgPicture::whole(std::string_view title, double height) const {
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" aria-label=\"{0}\" width=\"{1:.0f}\" "
      "height=\"{2:.0f}\" viewBox=\"0 0 {1:.0f} {2:.0f}\">\n<style>{3}</style>\n"
      "<rect class=\"surface\" width=\"100%\" height=\"100%\"/>\n"
      "<text class=\"title text\" x=\"20\" y=\"30\">{0}</text>\n{4}</svg>\n",
      escapeHtml(title), width_, height, style, body_);
}

}  // namespace wb
