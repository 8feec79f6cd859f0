// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/tables/column_widths.h"

#include <algorithm>
#include <set>

namespace wb {

std::vector<int> columnWidths(std::span<const ColumnWish> wishes, int room) {
  std::vector<int> widths;
  int natural = 0, least = 0, takers = 0;
  std::set<int> turns;
  for (const ColumnWish& wish : wishes) {
    widths.push_back(wish.natural);
    natural += wish.natural;
    least += std::min(wish.least, wish.natural);
    takers += wish.takesRest ? 1 : 0;
    turns.insert(wish.turn);
  }
  if (least > room) return widths;
  if (natural <= room) {
    int rest = room - natural;
    for (std::size_t i = 0; i < wishes.size() && takers > 0; ++i) {
      if (!wishes[i].takesRest) continue;
      const int part = rest / takers--;
      widths[i] += part;
      rest -= part;
    }
    return widths;
  }
  int tooMuch = natural - room;
  for (const int turn : turns) {
    int gives = 0;
    for (const ColumnWish& wish : wishes)
      if (wish.turn == turn) gives += std::max(0, wish.natural - wish.least);
    int take = std::min(tooMuch, gives);
    tooMuch -= take;
    for (std::size_t i = 0; i < wishes.size() && gives > 0; ++i) {
      if (wishes[i].turn != turn) continue;
      const int own = std::max(0, wishes[i].natural - wishes[i].least);
      const int part = int(static_cast<long long>(take) * own / gives);
      widths[i] -= part;
      take -= part;
      gives -= own;
    }
  }
  return widths;
}

}  // namespace wb
