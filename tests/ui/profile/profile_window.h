// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>

#include "tests/ui/window_test.h"

namespace wb::test {

/// A window whose worker replays a recorded profile.
class ProfileWindow : public WindowTest {
 protected:
  /// Opens it with an event log of tests/golden/events ("made_softmax") and its kernel in the editor.
  Document* openRecording(const std::string& name);
  /// Presses F6 and waits for the report's end.
  const RunFigures& profile(int milliseconds = 20000);
  /// Takes a picture, whose name says whether it has twice the pixels.
  void shoot(QWidget& widget, const QString& name);
  /// Calls it in the dark and in the light theme, with "dark-" and "light-".
  void inBothThemes(const std::function<void(const QString&)>& take);
};

}  // namespace wb::test
