// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QSet>
#include <QTimer>

namespace wb {

class Document;
class EditorArea;
class Journal;

/// Writes texts that are on disk nowhere else to the journal shortly after each change, and forgets them once
/// they are saved or closed.
class Journaling : public QObject {
  Q_OBJECT
 public:
  /// How long a change waits before it goes to the thread that writes it, in milliseconds. What is written
  /// takes a few more, so that no keystroke is older than 50 ms before it is safe.
  static constexpr int delay = 10;

  Journaling(EditorArea& tabs, Journal& journal, QObject* parent = nullptr);
  void writeNow();
  /// Takes over a text that was restored: it is on disk already, and goes away when it is saved or closed.
  void adopt(const QString& id) { kept_.insert(id); }
  void forgetAll();

 private:
  void changed(Document* document);
  void tidy();

  EditorArea& tabs_;
  Journal& journal_;
  QTimer delay_;
  QSet<QString> changed_, kept_;
};

}  // namespace wb
