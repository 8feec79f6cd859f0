// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QSet>
#include <QTimer>

namespace wb {

class Document;
class EditorTabs;
class Journal;

/// Writes the texts that are not saved to the journal a moment after each change, and forgets them once they
/// are saved or closed.
class Journaling : public QObject {
  Q_OBJECT
 public:
  Journaling(EditorTabs& tabs, Journal& journal, QObject* parent = nullptr);
  void writeNow();

 private:
  void changed(Document* document);
  void tidy();

  EditorTabs& tabs_;
  Journal& journal_;
  QTimer delay_;
  QSet<QString> changed_, kept_;
};

}  // namespace wb
