// SPDX-License-Identifier: Apache-2.0
#include "core/figures/charts/scale.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>

#include "core/base/quantity.h"

namespace wb {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// An interval whose ends differ by more than this factor says nothing, and has no part in the scale.
constexpr double widest = 1000;
/// Below this whole width (about 0.95 to 1.05) a difference would look larger than it is.
constexpr double leastFactor = 1.1;
/// How far an interval may reach beyond all values, at most.
constexpr double farthestFactor = 4;

/// A value on an axis, with its interval where it has one.
struct Extent {
  double value = 0, low = 0, high = 0;
};

/// What has to be on a scale, in the axis's own steps: logarithms or plain numbers.
class Fit {
 public:
  explicit Fit(bool logarithmic) : logarithmic_(logarithmic) {}
  void take(double value) {
    const double at = place(value);
    if (!std::isfinite(at)) return;
    low_ = std::min(low_, at);
    high_ = std::max(high_, at);
  }
  void take(const Extent& extent) {
    take(extent.value);
    const double at = place(extent.value), low = place(extent.low), high = place(extent.high);
    if (!std::isfinite(at) || !std::isfinite(low) || !std::isfinite(high) || high <= low) return;
    if (logarithmic_ && extent.high / extent.low > widest) return;
    arms_.push_back(std::max(at - low, high - at));
    lowEnd_ = std::min(lowEnd_, low);
    highEnd_ = std::max(highEnd_, high);
  }
  [[nodiscard]] bool hasValues() const { return low_ <= high_; }
  /// The ends of the scale in the axis's own steps.
  [[nodiscard]] std::pair<double, double> ends() const {
    if (arms_.empty()) return {low_, high_};
    const double span = high_ - low_;
    std::vector<double> arms = arms_;
    // Of two, the shorter one: half of the intervals being useless is no reason to show them whole.
    const auto middle = arms.begin() + static_cast<std::ptrdiff_t>((arms.size() - 1) / 2);
    std::nth_element(arms.begin(), middle, arms.end());
    const double usual = std::max(span / 4, 2 * *middle);
    const double reach =
        logarithmic_ ? std::min(std::max(usual, std::log(1.05)), std::max(span, std::log(farthestFactor)))
                     : usual;
    return {std::min(low_, std::max(lowEnd_, low_ - reach)),
            std::max(high_, std::min(highEnd_, high_ + reach))};
  }

 private:
  [[nodiscard]] double place(double value) const { return logarithmic_ ? std::log(value) : value; }

  bool logarithmic_;
  double low_ = infinity, high_ = -infinity, lowEnd_ = infinity, highEnd_ = -infinity;
  std::vector<double> arms_;
};

/// How much room the ends have, so that nothing stands on the edge: shares of the whole.
struct Room {
  double below = 0.04, above = 0.04;
};

Scale padded(const Fit& fit, bool logarithmic, double least, Room room = {}) {
  if (!fit.hasValues()) return {.logarithmic = logarithmic};
  auto [low, high] = fit.ends();
  if (high - low < least) {
    const double missing = least - (high - low);
    low -= missing / 2;
    high += missing / 2;
  }
  const double whole = high - low;
  low -= whole * room.below;
  high += whole * room.above;
  return logarithmic ? Scale{std::exp(low), std::exp(high), true} : Scale{low, high, false};
}

Scale scaleOf(const Fit& fit, const ChartAxis& axis, Room room = {}) {
  const double least = axis.logarithmic ? std::log(axis.unit == "×" ? leastFactor : 2) : 1e-12;
  return padded(fit, axis.logarithmic, least, room);
}

/// How many digits behind the point a multiple of the step has.
int decimalsOf(double step) {
  int decimals = 0;
  while (decimals < 9 && std::abs(step - std::round(step)) > 1e-6 * std::abs(step)) {
    step *= 10;
    ++decimals;
  }
  return decimals;
}

/// The prefix for numbers of this size.
struct Prefix {
  double size;
  std::string_view name;
};
Prefix prefixFor(double largest, std::string_view unit) {
  constexpr std::array<Prefix, 4> seconds = {{{1, "s"}, {1e-3, "ms"}, {1e-6, "µs"}, {1e-9, "ns"}}};
  constexpr std::array<Prefix, 6> scaled = {
      {{1e15, "P"}, {1e12, "T"}, {1e9, "G"}, {1e6, "M"}, {1e3, "k"}, {1, ""}}};
  if (unit == "s") {
    for (const Prefix& prefix : seconds)
      if (largest >= prefix.size * 0.9999) return prefix;
    return seconds.back();
  }
  for (const Prefix& prefix : scaled)
    if (largest >= prefix.size * 0.9999) return prefix;
  return scaled.back();
}

/// A mark at a multiple of `step`, on a scale that ends at `largest`.
std::string steppedText(double value, double step, double largest, std::string_view unit) {
  if (unit == "×") return fmt::format("{:.{}f}×", value, decimalsOf(step));
  if (unit == "%") return fmt::format("{:.{}f} %", 100 * value, decimalsOf(100 * step));
  if (unit == "B") return withoutZeros(formatBytes(value));
  if (value == 0) return "0";
  const Prefix prefix = prefixFor(largest, unit);
  const std::string number = fmt::format("{:.{}f}", value / prefix.size, decimalsOf(step / prefix.size));
  const std::string name = std::string(prefix.name) + (unit == "s" ? "" : std::string(unit));
  return name.empty() ? number : number + " " + name;
}

/// A mark that stands alone: a step of a ladder.
std::string textOf(double value, std::string_view unit) {
  if (unit == "×") return withoutZeros(formatRatio(value));
  if (unit == "%") return withoutZeros(formatPercent(value));
  if (unit == "s") return withoutZeros(formatSeconds(value));
  if (unit == "B") return withoutZeros(formatBytes(value));
  if (unit.empty() && value < 1e5) return withoutZeros(formatNumber(value));
  return withoutZeros(formatScaled(value, unit));
}

std::vector<Tick> steps(const Scale& scale, std::string_view unit, int most) {
  const double step = roundStep(scale.high - scale.low, most);
  const double largest = std::max(std::abs(scale.low), std::abs(scale.high));
  std::vector<Tick> ticks;
  const double room = step * 1e-6;
  for (double i = std::ceil((scale.low - room) / step); i * step <= scale.high + room; ++i) {
    const double value = i == 0 ? 0 : i * step;
    ticks.push_back({value, steppedText(value, step, largest, unit)});
    if (ticks.size() > 200) break;
  }
  return ticks;
}

/// The values of a ladder, each in every decade (or, with base 2, powers of two), every so many decades.
std::vector<double> rungs(const Scale& scale, const std::vector<double>& ladder, double base, int every) {
  std::vector<double> values;
  const auto first = static_cast<int>(std::floor(std::log(scale.low) / std::log(base))) - 1;
  const auto last = static_cast<int>(std::ceil(std::log(scale.high) / std::log(base)));
  for (int power = first; power <= last; ++power) {
    if (power % every != 0) continue;
    for (const double rung : ladder) {
      const double value = rung * std::pow(base, power);
      if (value >= scale.low * (1 - 1e-9) && value <= scale.high * (1 + 1e-9)) values.push_back(value);
    }
  }
  return values;
}

std::vector<double> rungsOf(const Scale& scale, bool binary, int most) {
  const auto fits = [most](const std::vector<double>& values) {
    return values.size() <= static_cast<std::size_t>(std::max(2, most));
  };
  if (!binary)
    for (const std::vector<double>& ladder :
         {std::vector<double>{1, 1.5, 2, 3, 4, 5, 7}, std::vector<double>{1, 2, 5}})
      if (auto values = rungs(scale, ladder, 10, 1); fits(values)) return values;
  if (!binary)
    for (int every = 1; every < 400; ++every)
      if (auto values = rungs(scale, {1}, 10, every); fits(values)) {
        if (values.size() > 1) return values;
        break;  // a mark alone is no scale: powers of two are nearer to each other
      }
  for (int every = 1; every < 2000; ++every)
    if (auto values = rungs(scale, {1}, 2, every); fits(values)) return values;
  return {};
}

/// The part of a scale from one share of it to another.
Scale part(const Scale& scale, double from, double to) {
  return {scale.valueAt(from), scale.valueAt(to), scale.logarithmic};
}

}  // namespace

double Scale::at(double value) const {
  if (!logarithmic) return (value - low) / (high - low);
  return std::log(value / low) / std::log(high / low);
}

double Scale::valueAt(double share) const {
  return logarithmic ? low * std::pow(high / low, share) : low + share * (high - low);
}

Scale scaleOf(const BarChart& chart) {
  if (chart.linear) {
    double high = 0;
    for (const Bar& bar : chart.bars)
      if (std::isfinite(bar.value)) high = std::max(high, bar.value);
    return {chart.base, high > chart.base ? chart.base + (high - chart.base) * 1.04 : chart.base + 1, false};
  }
  Fit fit(true);
  fit.take(chart.base);
  for (const Bar& bar : chart.bars) fit.take({bar.value, bar.low, bar.high});
  return padded(fit, true, std::log(leastFactor));
}

std::pair<Scale, Scale> scalesOf(const PlaneChart& chart) {
  Fit x(chart.x.logarithmic), y(chart.y.logarithmic);
  for (const ChartLine& line : chart.lines)
    for (const auto& [atX, atY] : line.points) {
      x.take(atX);
      y.take(atY);
    }
  for (const ChartPoint& point : chart.points) {
    x.take(point.x);
    y.take({point.y, point.low, point.high});
  }
  // The names of roofs stand above them.
  const bool hasRoofs = std::any_of(chart.lines.begin(), chart.lines.end(), [](const ChartLine& line) {
    return line.series < 0 && !line.label.empty();
  });
  return {scaleOf(x, chart.x), scaleOf(y, chart.y, {.above = hasRoofs ? 0.14 : 0.04})};
}

Scale zoomed(const Scale& scale, const Scale& home, double factor, double around, double closest) {
  const double width = (home.at(scale.high) - home.at(scale.low)) * factor;
  if (width >= 1) return home;
  const double kept = std::max(closest, width);
  const double at = home.at(scale.valueAt(around));
  const double from = std::clamp(at - around * kept, 0.0, 1 - kept);
  return part(home, from, from + kept);
}

Scale moved(const Scale& scale, const Scale& home, double by) {
  const double from = home.at(scale.low), width = home.at(scale.high) - from;
  if (width >= 1) return home;
  const double to = std::clamp(from + by * width, 0.0, 1 - width);
  return part(home, to, to + width);
}

Clipped clipped(double low, double high, const Scale& scale) {
  // The end of an interval that falls on the edge is seen.
  const double room = 1e-9 * std::max(std::abs(scale.low), std::abs(scale.high));
  return {low<scale.low - room, high> scale.high + room};
}

std::vector<Tick> ticksOf(const Scale& scale, std::string_view unit, int most) {
  if (!(scale.high > scale.low) || (scale.logarithmic && !(scale.low > 0))) return {};
  // On a short stretch of a logarithmic axis equal steps are the rounder ones.
  if (!scale.logarithmic || (scale.high / scale.low <= 4 && unit != "B")) return steps(scale, unit, most);
  std::vector<Tick> ticks;
  for (const double value : rungsOf(scale, unit == "B", most)) ticks.push_back({value, textOf(value, unit)});
  return ticks;
}

double roundStep(double range, int most) {
  if (!(range > 0) || !std::isfinite(range)) return 1;
  const double least = range / std::max(1, most), decade = std::pow(10, std::floor(std::log10(least)));
  for (const double factor : {1.0, 2.0, 5.0})
    if (decade * factor >= least * (1 - 1e-9)) return decade * factor;
  return decade * 10;
}

std::string withoutZeros(std::string quantity) {
  const std::size_t dot = quantity.find('.');
  if (dot == std::string::npos) return quantity;
  std::size_t end = dot + 1;
  while (end < quantity.size() && quantity[end] >= '0' && quantity[end] <= '9') ++end;
  std::size_t keep = end;
  while (keep > dot + 1 && quantity[keep - 1] == '0') --keep;
  if (keep == dot + 1) keep = dot;
  return quantity.erase(keep, end - keep);
}

}  // namespace wb
