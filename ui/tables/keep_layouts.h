// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QWidget;

namespace wb {

class Settings;

/// Gives every table within the widget the columns that were chosen for it last time, and remembers what is
/// chosen from now on, by the tables' object names.
void keepLayouts(QWidget& root, Settings& settings);

}  // namespace wb
