// SPDX-License-Identifier: Apache-2.0
#include "core/engine/check/compare/bad_places.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace wb {
namespace {

constexpr double unlikely = 2;  // −log10 of the chance that places at random show a pattern

/// Where the wrong elements lie along one dimension, or along the flat output.
struct Span {
  std::int64_t size = 0, low = 0, high = 0, period = 0;

  [[nodiscard]] std::int64_t length() const { return high - low + 1; }
  [[nodiscard]] bool whole() const { return length() == size; }
  /// Whether independent places would hardly all lie in a span of this length; at an end that is less likely
  /// still.
  [[nodiscard]] bool rangeTells(double places) const {
    if (whole()) return false;
    const bool atEnd = low == 0 || high == size - 1;
    return (atEnd ? places : places - 1) * std::log10(double(size) / double(length())) >= unlikely;
  }
  /// Whether the period tells anything; any two or three places have one.
  [[nodiscard]] bool periodTells(double places) const {
    return places > 3 && period > 1 && (places - 1) * std::log10(double(period)) >= unlikely;
  }
  /// Lengthens the span: where only every n-th place is kept, the ends of a long dimension may be missing.
  void stretch(std::int64_t step) {
    if (size / 16 <= step) return;
    if (low < step) low = 0;
    if (high >= size - step) high = size - 1;
  }
};

std::string ordinal(std::int64_t n) {
  const std::int64_t tens = n % 100, ones = n % 10;
  const bool teen = tens >= 11 && tens <= 13;
  return fmt::format("{}{}", n,
                     !teen && ones == 1   ? "st"
                     : !teen && ones == 2 ? "nd"
                     : !teen && ones == 3 ? "rd"
                                          : "th");
}

/// What lies along a dimension, for words: "column", "columns"; "" where it has no name but its number.
struct Axis {
  std::string one, many;
};
Axis axisOf(std::size_t dimension, std::size_t dimensions) {
  if (dimensions == 1) return {"element", "elements"};
  if (dimensions == 2) return dimension == 0 ? Axis{"row", "rows"} : Axis{"column", "columns"};
  return {};
}

/// Whether a span at the end is what is left over when blocks of some usual size are cut off.
bool isTail(const Span& span) {
  for (std::int64_t block = 4; block <= 1024 && block < span.size; block *= 2)
    if (span.length() < block && span.size % block == span.length()) return true;
  return false;
}

/// Whether a span at the end is one whole block of a usual size.
bool isBlock(const Span& span) {
  const std::int64_t length = span.length();
  return length >= 32 && (length & (length - 1)) == 0 && span.size % length == 0;
}

std::string endText(const Span& span, const Axis& axis, std::size_t dimension) {
  const std::int64_t length = span.length();
  const bool last = span.high == span.size - 1;
  std::string text = fmt::format("the {} ", last ? "last" : "first");
  if (last && isBlock(span)) text += "block of ";
  if (axis.one.empty())
    text += fmt::format("{} of dimension {}", length, dimension);
  else
    text += length == 1 ? axis.one : fmt::format("{} {}", length, axis.many);
  return last && isTail(span) ? text + ": a tail that is not handled" : text;
}

std::string spanText(const Span& span, const Axis& axis, std::size_t dimension) {
  if (span.high == span.size - 1 || span.low == 0) return endText(span, axis, dimension);
  const std::string range =
      span.length() == 1 ? fmt::format("{}", span.low) : fmt::format("{}…{}", span.low, span.high);
  if (axis.one.empty()) return fmt::format("{} of dimension {}", range, dimension);
  return fmt::format("{} {}", span.length() == 1 ? axis.one : axis.many, range);
}

class Spans {
 public:
  Spans(const BadPlaces& bad, c10::IntArrayRef shape) : flat_{1, bad.places()[0], bad.last(), 0} {
    for (const std::int64_t size : shape) flat_.size *= size;
    const std::vector<std::int64_t> first = index(bad.places()[0], shape);
    for (std::size_t d = 0; d < shape.size(); ++d) dimensions_.push_back({shape[d], first[d], first[d], 0});
    for (const std::int64_t place : bad.places()) {
      flat_.period = std::gcd(flat_.period, place - bad.places()[0]);
      std::int64_t rest = place;
      for (std::size_t d = shape.size(); d-- > 0; rest /= shape[d]) {
        const std::int64_t at = rest % shape[d];
        Span& span = dimensions_[d];
        span.period = std::gcd(span.period, std::abs(at - first[d]));
        span.low = std::min(span.low, at);
        span.high = std::max(span.high, at);
      }
    }
    if (bad.step() > 1)
      for (Span& span : dimensions_) span.stretch(bad.step());
  }

  [[nodiscard]] std::string describe(const BadPlaces& bad) const {
    const double places = static_cast<double>(bad.places().size());
    const std::string box = boxText(places);
    if (!box.empty() && boxVolume() == bad.count()) return box;
    if (bad.count() == flat_.length() && flat_.rangeTells(places)) return flatRangeText();
    if (!box.empty()) return box;
    return periodText(places);
  }

 private:
  static std::vector<std::int64_t> index(std::int64_t place, c10::IntArrayRef shape) {
    std::vector<std::int64_t> at(shape.size());
    for (std::size_t d = shape.size(); d-- > 0; place /= shape[d]) at[d] = place % shape[d];
    return at;
  }

  [[nodiscard]] std::int64_t boxVolume() const {
    std::int64_t volume = 1;
    for (const Span& span : dimensions_) volume *= span.length();
    return volume;
  }

  [[nodiscard]] std::string boxText(double places) const {
    if (dimensions_.size() == 1) return dimensions_[0].rangeTells(places) ? flatRangeText() : "";
    std::vector<std::string> parts;
    for (std::size_t d = 0; d < dimensions_.size(); ++d)
      if (dimensions_[d].rangeTells(places))
        parts.push_back(spanText(dimensions_[d], axisOf(d, dimensions_.size()), d));
    return fmt::format("{}", fmt::join(parts, " and "));
  }

  [[nodiscard]] std::string flatRangeText() const { return spanText(flat_, axisOf(0, 1), 0); }

  [[nodiscard]] std::string periodText(double places) const {
    for (std::size_t d = 0; dimensions_.size() > 1 && d < dimensions_.size(); ++d)
      if (const Span& span = dimensions_[d]; span.periodTells(places))
        return fmt::format("every {} {}, from {}", ordinal(span.period),
                           dimensions_.size() == 2 ? axisOf(d, 2).one : fmt::format("of dimension {}", d),
                           span.low);
    if (flat_.periodTells(places))
      return fmt::format("every {} element, from {}", ordinal(flat_.period), flat_.low);
    return {};
  }

  Span flat_;
  std::vector<Span> dimensions_;
};

}  // namespace

void BadPlaces::add(std::int64_t element) {
  last_ = element;
  if (count_++ % step_ != 0) return;
  places_.push_back(element);
  if (places_.size() < most) return;
  for (std::size_t i = 0; i < places_.size() / 2; ++i) places_[i] = places_[2 * i];
  places_.resize(places_.size() / 2);
  step_ *= 2;
}

std::string clusterText(const BadPlaces& bad, c10::IntArrayRef shape) {
  std::int64_t elements = 1;
  for (const std::int64_t size : shape) elements *= size;
  if (bad.count() < 2) return {};
  if (bad.count() == elements) return "everywhere";
  return Spans(bad, shape).describe(bad);
}

}  // namespace wb
