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
  /// Called when the views exist.
  void connectViews();
  void showHeat(bool show);
  /// Disables what the chosen device cannot do, and says why.
  void updateCommands();

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
  /// The id of the document whose margin has the heat.
  QString document_;
  std::shared_ptr<const CaseFigures> inMargin_;
};

}  // namespace wb
