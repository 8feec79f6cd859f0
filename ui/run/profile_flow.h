// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <memory>

#include "core/base/error.h"

namespace wb {

class Document;
class RunController;
class RunFlow;
struct CaseFigures;
struct WindowParts;

/// Carries a profile through the window: the Profile page and the editor point at each other, and the
/// editor's margin has what the page shows.
class ProfileFlow : public QObject {
  Q_OBJECT
 public:
  ProfileFlow(const WindowParts& parts, RunController& controller, RunFlow& flow, QObject* parent = nullptr);
  /// The views are there now.
  void connectViews();
  void showHeat(bool show);
  void updateCommands();  ///< what the chosen device cannot do is disabled, and says why

 private:
  void tellRefused();
  void showMargin();
  void followCaret();
  void point(const Place& place);
  [[nodiscard]] Document* document() const;
  [[nodiscard]] bool isOwn(const Place& place) const;

  const WindowParts& parts_;
  RunController& controller_;
  RunFlow& flow_;
  QString document_;  ///< id of the one whose margin has the heat
  std::shared_ptr<const CaseFigures> inMargin_;
};

}  // namespace wb
