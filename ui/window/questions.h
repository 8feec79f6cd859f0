// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>
#include <functional>

#include "core/base/error.h"

class QWidget;

namespace wb {

enum class SaveAnswer { save, discard, cancel };

/// What the window asks of people. A value of functions, so that tests answer without a dialog.
struct Questions {
  std::function<SaveAnswer(const QString& title)> saveChanges;
  std::function<bool(const QString& title)> reloadChanged;  ///< changed on disk and here: take the disk's?
  std::function<QStringList()> filesToOpen;
  std::function<QString(const QString& suggestion)> fileToSaveAs;
  std::function<void(const Error& error)> tell;
};

[[nodiscard]] Questions dialogs(QWidget& window);

}  // namespace wb
