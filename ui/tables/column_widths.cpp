// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/tables/column_widths.h"

#include <algorithm>
#include <set>

namespace wb {

namespace {

/// Takes so many pixels from the first `count` columns, in turn, and none more than down to its floor; says
/// how many could not be taken.
int shrink(std::vector<int>& widths, std::span<const ColumnWish> wishes, std::size_t count,
           int ColumnWish::*floor, int tooMuch) {
  std::set<int> turns;
  for (std::size_t i = 0; i < count; ++i) turns.insert(wishes[i].turn);
  for (const int turn : turns) {
    const auto givesOf = [&](std::size_t i) {
      return wishes[i].turn == turn ? std::max(0, widths[i] - wishes[i].*floor) : 0;
    };
    int gives = 0;
    for (std::size_t i = 0; i < count; ++i) gives += givesOf(i);
    int take = std::min(tooMuch, gives);
    tooMuch -= take;
    for (std::size_t i = 0; i < count && gives > 0; ++i) {
      const int own = givesOf(i);
      const int part = int(static_cast<long long>(take) * own / gives);
      widths[i] -= part;
      take -= part;
      gives -= own;
    }
  }
  return tooMuch;
}

}  // namespace

std::vector<int> columnWidths(std::span<const ColumnWish> wishes, int room) {
  std::vector<int> widths;
  int natural = 0, least = 0, takers = 0;
  for (const ColumnWish& wish : wishes) {
    widths.push_back(wish.natural);
    natural += wish.natural;
    least += std::min(wish.least, wish.natural);
    takers += wish.takesRest ? 1 : 0;
  }
  if (natural <= room) {
    int rest = room - natural;
    for (std::size_t i = 0; i < wishes.size(); ++i) {
      const int more = std::min(rest, std::max(0, wishes[i].full - wishes[i].natural));
      widths[i] += more;
      rest -= more;
    }
    for (std::size_t i = 0; i < wishes.size() && takers > 0; ++i) {
      if (!wishes[i].takesRest) continue;
      const int part = rest / takers--;
      widths[i] += part;
      rest -= part;
    }
    return widths;
  }
  if (least <= room) {
    shrink(widths, wishes, wishes.size(), &ColumnWish::least, natural - room);
    return widths;
  }
  std::size_t seen = wishes.size();
  while (seen > 0 && !wishes[seen - 1].mustBeSeen) --seen;
  int inFront = 0;
  for (std::size_t i = 0; i < seen; ++i) inFront += widths[i];
  const int left = shrink(widths, wishes, seen, &ColumnWish::least, std::max(0, inFront - room));
  shrink(widths, wishes, seen, &ColumnWish::tight, left);
  return widths;
}

}  // namespace wb
