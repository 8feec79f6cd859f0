// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>
#include <functional>
#include <optional>

#include "core/base/error.h"

class QWidget;

namespace wb {

enum class SaveAnswer { save, discard, cancel };

/// The two texts of a file that was changed on disk and in the window.
struct Conflict {
  QString title, mine, theirs;
};

/// The questions that the window asks its user. They are functions, so that tests can answer without a
/// dialog.
struct Questions {
  std::function<SaveAnswer(const QString& title)> saveChanges;
  /// The text has characters that the file's encoding lacks: should the file become UTF-8?
  std::function<bool(const QString& title, const QString& encoding)> saveAsUtf8;
  /// A file was changed on disk and in the window. Calls `chosen` with the text that goes on, or with nothing
  /// when the user puts it off.
  std::function<void(const Conflict& conflict, std::function<void(std::optional<QString>)> chosen)> resolve;
  std::function<QStringList()> filesToOpen;
  std::function<QString(const QString& suggestion)> fileToSaveAs;
  std::function<void(const Error& error)> tell;
};

[[nodiscard]] Questions dialogs(QWidget& window);

}  // namespace wb
