// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/figures/figure.h"

namespace wb {

// Which part of an axis a chart shows, and where its marks stand. The window and the HTML report draw by the
// same rule.

/// The part of an axis that is shown.
struct Scale {
  double low = 0.5, high = 2;
  bool logarithmic = true;
  /// Where a value stands from 0 (low) to 1 (high); beyond these for what is outside.
  [[nodiscard]] double at(double value) const;
  /// The value that stands there.
  [[nodiscard]] double valueAt(double share) const;
  bool operator==(const Scale&) const = default;
};

/// The scale of a chart's values. All values and the base are on it; intervals are as far as they do not take
/// the picture away from the values, since one case that was too noisy must not flatten all others.
[[nodiscard]] Scale scaleOf(const BarChart& chart);
/// The scales of a plane's two axes, by the same rule.
[[nodiscard]] std::pair<Scale, Scale> scalesOf(const PlaneChart& chart);

/// A scale zoomed by a factor (below 1 shows less) around a share of it, within `home`, which is all there
/// is; no less than the share `closest` of all is shown.
[[nodiscard]] Scale zoomed(const Scale& scale, const Scale& home, double factor, double around,
                           double closest);
/// A scale moved by a share of its width, within `home`.
[[nodiscard]] Scale moved(const Scale& scale, const Scale& home, double by);

/// Which ends of an interval are beyond the scale: they are drawn as clipped.
struct Clipped {
  bool low = false, high = false;
  bool operator==(const Clipped&) const = default;
};
[[nodiscard]] Clipped clipped(double low, double high, const Scale& scale);

/// A mark of an axis: "0.95×" at 0.95.
struct Tick {
  double value = 0;
  std::string text;
  bool operator==(const Tick&) const = default;
};
/// Round marks on the scale, `most` of them at most but no fewer than two where round numbers allow it, each
/// with as many digits as tell it from its neighbours. On an axis of ratios that holds 1 there is always a
/// mark at 1. `unit` is that of ChartAxis.
[[nodiscard]] std::vector<Tick> ticksOf(const Scale& scale, std::string_view unit, int most);

/// The smallest of 1, 2 or 5 times a power of ten that divides `range` into at most `most` parts.
[[nodiscard]] double roundStep(double range, int most);
/// A formatted quantity without the zeros that only say how exact it is: "1.00×" → "1×", "0.500 µs" → "0.5
/// µs".
[[nodiscard]] std::string withoutZeros(std::string quantity);

}  // namespace wb
