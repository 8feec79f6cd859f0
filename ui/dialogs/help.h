// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <vector>

class QWidget;

namespace wb {

/// A page of resources/help.
struct HelpPage {
  /// The page's first heading.
  QString title;
  QString file;
};

/// The pages by file name, "getting-started" first. This reads the folder, so it is not for the UI thread.
[[nodiscard]] std::vector<HelpPage> helpPages();

/// Opens a page in a window of its own; links to other pages work.
void showHelp(const QString& file, QWidget* parent);

void showAbout(QWidget* parent);

}  // namespace wb
