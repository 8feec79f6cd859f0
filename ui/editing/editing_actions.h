// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace wb {

class Actions;
class Settings;
struct EditorOptions;
struct WindowParts;

/// What is chosen for all editors: the settings editor/wrap, editor/tabWidth, editor/indentWidth,
/// editor/indentTabs and editor/completion.
[[nodiscard]] EditorOptions editorOptions(const Settings& settings);

/// Makes the commands of the editor's two sides, of line ends and of wrapping.
void addEditingActions(Actions& actions, const WindowParts& parts);

/// Fills the dock with the folder's files, if the last window had it open.
void showFolderAgain(const WindowParts& parts);

}  // namespace wb
