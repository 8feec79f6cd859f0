// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>

namespace wb {

class Actions;
class Settings;
struct EditorOptions;
struct WindowParts;

/// What is chosen for all editors: the settings editor/wrap, editor/tabWidth, editor/indentWidth,
/// editor/indentTabs and editor/completion.
[[nodiscard]] EditorOptions editorOptions(const Settings& settings);

/// Makes the commands of the editor's two sides, of files, of line ends and wrapping, and of clangd; `clangd`
/// is its program with options, or empty.
void addEditingActions(Actions& actions, const WindowParts& parts, const QStringList& clangd);

/// Starts clangd unless the setting editor/clangd says no.
void startClangd(const WindowParts& parts, const QStringList& clangd);

/// Fills the dock with the folder's files, if the last window had it open.
void showFolderAgain(const WindowParts& parts);

}  // namespace wb
