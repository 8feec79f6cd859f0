// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/editing/journaling.h"

#include "editor/kernel_editor.h"
#include "ui/editing/document.h"
#include "ui/editing/editor_area.h"
#include "ui/editing/journal.h"

namespace wb {
namespace {

// A file that is unchanged holds its text itself; a text without a file is in the journal alone.
bool needsJournal(const Document& document) {
  return document.isModified() || document.path().isEmpty();
}

}  // namespace

Journaling::Journaling(EditorArea& tabs, Journal& journal, QObject* parent)
    : QObject(parent), tabs_(tabs), journal_(journal) {
  delay_.setSingleShot(true);
  delay_.setInterval(delay);
  delay_.setTimerType(Qt::PreciseTimer);
  connect(&delay_, &QTimer::timeout, this, &Journaling::writeNow);
  connect(&tabs_, &EditorArea::documentChanged, this, &Journaling::changed);
  connect(&tabs_, &EditorArea::documentsChanged, this, &Journaling::tidy);
}

// Further typing does not restart the timer, so that a burst is written as it comes and not after its end.
void Journaling::changed(Document* document) {
  changed_.insert(document->id());
  if (!delay_.isActive()) delay_.start();
}

void Journaling::writeNow() {
  delay_.stop();
  for (const QString& id : std::exchange(changed_, {})) {
    const Document* document = tabs_.withId(id);
    if (!document || !needsJournal(*document)) continue;
    kept_.insert(id);
    journal_.write({id, document->path(), document->title(), std::string(document->bytes()),
                    document->editor().currentLine(), document->editor().currentColumn(),
                    document->isModified()});
  }
}

void Journaling::tidy() {
  for (Document* document : tabs_.documents())
    if (needsJournal(*document) && !kept_.contains(document->id())) changed(document);
  for (auto it = kept_.begin(); it != kept_.end();) {
    const Document* document = tabs_.withId(*it);
    if (document && needsJournal(*document)) {
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
