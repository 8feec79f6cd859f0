// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/editing/journaling.h"

#include "editor/kernel_editor.h"
#include "ui/editing/document.h"
#include "ui/editing/editor_area.h"
#include "ui/editing/journal.h"

namespace wb {

Journaling::Journaling(EditorArea& tabs, Journal& journal, QObject* parent)
    : QObject(parent), tabs_(tabs), journal_(journal) {
  delay_.setSingleShot(true);
  delay_.setInterval(300);
  connect(&delay_, &QTimer::timeout, this, &Journaling::writeNow);
  connect(&tabs_, &EditorArea::documentChanged, this, &Journaling::changed);
  connect(&tabs_, &EditorArea::documentsChanged, this, &Journaling::tidy);
}

// Further typing does not restart the timer, so that a burst is written every 300 ms and not after its end.
void Journaling::changed(Document* document) {
  changed_.insert(document->id());
  if (!delay_.isActive()) delay_.start();
}

void Journaling::writeNow() {
  delay_.stop();
  for (const QString& id : std::exchange(changed_, {})) {
    const Document* document = tabs_.withId(id);
    if (!document || !document->isModified()) continue;
    kept_.insert(id);
    journal_.write({id, document->path(), document->title(), document->text(),
                    document->editor().currentLine(), document->editor().currentColumn()});
  }
}

void Journaling::tidy() {
  for (auto it = kept_.begin(); it != kept_.end();) {
    const Document* document = tabs_.withId(*it);
    if (document && document->isModified()) {
      ++it;
      continue;
    }
    journal_.forget(*it);
    it = kept_.erase(it);
  }
}

void Journaling::forgetAll() {
  delay_.stop();
  changed_.clear();
  for (const QString& id : std::exchange(kept_, {})) journal_.forget(id);
}

}  // namespace wb
