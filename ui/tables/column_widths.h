// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <vector>

namespace wb {

/// What a column wants of the room for a table, in pixels.
struct ColumnWish {
  /// The width at which nothing in it is cut; a long name may need a second line.
  int natural = 0;
  /// The width to which it may shrink: `natural` where nothing may ever be cut.
  int least = 0;
  /// Those of a lower number shrink first.
  int turn = 0;
  /// It takes the room that nobody needs.
  bool takesRest = false;
  /// The width to which it may shrink where the view scrolls, so that those that must be seen are in view.
  int tight = natural;
  /// It must be seen whole without scrolling.
  bool mustBeSeen = false;
  /// The width that it takes where there is room to spare, before the rest is given away.
  int full = natural;
};

/// The widths of all columns. Where there is room, nothing is cut; what is left goes to those that are not
/// full yet, and then to those that take the rest. Where there is too little, columns shrink in turn. When
/// even that is not enough, the view scrolls, so each keeps its natural width; those up to the last one that
/// must be seen shrink further, until it is in view.
[[nodiscard]] std::vector<int> columnWidths(std::span<const ColumnWish> wishes, int room);

}  // namespace wb
