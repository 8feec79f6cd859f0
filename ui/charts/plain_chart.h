// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QChartView>

namespace wb {

/// Makes a view show nothing but its chart: no frame, legend, background or animation. It takes keys and
/// follows the pointer.
void makePlain(QChartView& view);

}  // namespace wb
