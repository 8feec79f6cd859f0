// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QMenu;

namespace wb {

class TablePanel;

/// Fills the menu of a row: what its table's owner offers, opening, copying, searching, sorting, columns.
void fillRowMenu(QMenu& menu, TablePanel& panel);
/// Fills the menu of a column's title; with -1 that of the room beside the titles.
void fillHeaderMenu(QMenu& menu, TablePanel& panel, int column);

}  // namespace wb
