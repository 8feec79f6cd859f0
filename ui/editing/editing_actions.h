// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace wb {

class Actions;
struct WindowParts;

/// Makes the commands of the two sides of the editor.
void addEditingActions(Actions& actions, const WindowParts& parts);

}  // namespace wb
