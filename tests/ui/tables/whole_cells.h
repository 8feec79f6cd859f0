// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace wb {
class TablePanel;
}

namespace wb::test {

/// Every name of a column has room on one line, or on two of smaller letters.
void expectNamesWhole(const TablePanel& panel, int column);
/// Of every column but prose each cell has room.
void expectWhole(TablePanel& panel);

}  // namespace wb::test
