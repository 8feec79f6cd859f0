// SPDX-License-Identifier: GPL-3.0-or-later
// What the keyboard, the mouse and the system do to the editor.
#include <QAccessible>
#include <QDragEnterEvent>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMimeData>
#include <QToolTip>
#include <QWheelEvent>
#include <utility>

#include "editor/input/typing.h"
#include "editor/kernel_editor_impl.h"
#include "editor/language/completion.h"
#include "editor/scintilla.h"

namespace wb {
namespace {

constexpr int announcedChanges =
    QsciScintillaBase::SC_MOD_BEFOREINSERT | QsciScintillaBase::SC_MOD_BEFOREDELETE;

/// Lets go of what a screen reader would ask of the editor, when there is none. Any change of the text makes
/// it anew, and at each painting it counts the characters before the caret: 6 ms in a text of 20 000 lines.
void forgetAccessible(QsciScintilla& editor) {
  if (QAccessible::isActive()) return;
  if (QAccessibleInterface* made = QAccessible::queryAccessibleInterface(&editor))
    QAccessible::deleteAccessibleInterface(QAccessible::uniqueId(made));
}

}  // namespace

QString KernelEditor::callsAt(const QPoint& place) const {
  const long position = send(*this, SCI_POSITIONFROMPOINTCLOSE, place.x(), place.y());
  if (position < 0 || impl_->completion_ == nullptr) return {};
  const auto wordAt = [this](long at) {
    const long from = send(*this, SCI_WORDSTARTPOSITION, at, 1), to = send(*this, SCI_WORDENDPOSITION, at, 1);
    return std::pair(from, text(static_cast<int>(from), static_cast<int>(to)));
  };
  const auto [from, name] = wordAt(position);
  long before = from;
  while (before > 0 && (charAt(*this, before - 1) == ':' || charAt(*this, before - 1) == '.')) --before;
  const QString qualifier = before < from ? wordAt(before).second : QString();
  return name.isEmpty() ? QString() : impl_->completion_->callsOf(qualifier, name).join(QLatin1Char('\n'));
}

bool KernelEditor::viewportEvent(QEvent* event) {
  if (event->type() == QEvent::Paint) forgetAccessible(*this);
  if (event->type() != QEvent::ToolTip) return QsciScintilla::viewportEvent(event);
  const auto* help = static_cast<QHelpEvent*>(event);
  const QString calls = callsAt(help->pos());
  if (!calls.isEmpty()) {
    QToolTip::showText(help->globalPos(),
                       QStringLiteral("<pre>") + calls.toHtmlEscaped() + QStringLiteral("</pre>"),
                       viewport());
    return true;
  }
  QToolTip::hideText();
  const long position = send(*this, SCI_POSITIONFROMPOINTCLOSE, help->x(), help->y());
  if (position >= 0) {
    const long line = lineOf(*this, position);
    emit wordHovered(static_cast<int>(line) + 1, static_cast<int>(position - lineStart(*this, line)) + 1,
                     help->globalPos());
  }
  return true;
}

void KernelEditor::keyPressEvent(QKeyEvent* event) {
  const auto is = [event](Qt::KeyboardModifiers modifiers, int key) {
    return (event->modifiers() & ~Qt::KeypadModifier) == modifiers && event->key() == key;
  };
  if (event->matches(QKeySequence::Undo)) return undo();
  if (event->matches(QKeySequence::Redo) || is(Qt::ControlModifier, Qt::Key_Y)) return redo();
  if (is(Qt::ControlModifier, Qt::Key_Slash)) return toggleComment();
  if (is(Qt::ControlModifier, Qt::Key_D)) return selectNextOccurrence();
  if (is(Qt::ControlModifier | Qt::ShiftModifier, Qt::Key_D)) return duplicateLines();
  if (is(Qt::AltModifier, Qt::Key_Up)) return moveLinesUp();
  if (is(Qt::AltModifier, Qt::Key_Down)) return moveLinesDown();
  if (is(Qt::ControlModifier, Qt::Key_Space)) return autoCompleteFromAPIs();
  bool isTyped = false;
  changeByKey([&] { isTyped = typeSmartly(*this, *event); });
  if (isTyped) return;
  // Alt with a letter is a menu's or nobody's; AltGr, which types, comes without Alt or with Ctrl beside it.
  const bool altAlone = (event->modifiers() & (Qt::AltModifier | Qt::ControlModifier)) == Qt::AltModifier;
  if (altAlone && !event->text().isEmpty() && event->text().front().isPrint()) return event->ignore();
  changeByKey([&] { QsciScintilla::keyPressEvent(event); });
}

void KernelEditor::changeByKey(const std::function<void()>& change) {
  KernelEditor& owner = impl_->owner().editor_;
  const int linesBefore = owner.lines();
  bool isChanged = false;
  const auto listening = connect(&owner, &QsciScintillaBase::SCN_MODIFIED, &owner,
                                 [&isChanged](int, int kind, const char*, int, int, int, int, int, int, int) {
                                   isChanged = isChanged || (kind & announcedChanges) != 0;
                                 });
  {
    // What is announced comes without its text, of which nothing is counted.
    const MutedNotifications muted(owner, SC_MOD_CHANGEFOLD | announcedChanges);
    change();
  }
  disconnect(listening);
  if (!isChanged) return;
  emit owner.textChanged();
  if (owner.lines() != linesBefore) emit owner.linesChanged();
}

void KernelEditor::wheelEvent(QWheelEvent* event) {
  if ((event->modifiers() & Qt::ControlModifier) == 0) return QsciScintilla::wheelEvent(event);
  event->ignore();  // the size of letters is one for all editors, so whoever holds them sets it
}

// Files that are dropped go to the window, which opens them. Text that is dropped goes to the editor.
void KernelEditor::dragEnterEvent(QDragEnterEvent* event) {
  if (event->mimeData()->hasUrls()) return event->ignore();
  QsciScintilla::dragEnterEvent(event);
}

void KernelEditor::dragMoveEvent(QDragMoveEvent* event) {
  if (event->mimeData()->hasUrls()) return event->ignore();
  QsciScintilla::dragMoveEvent(event);
}

void KernelEditor::dropEvent(QDropEvent* event) {
  if (event->mimeData()->hasUrls()) return event->ignore();
  QsciScintilla::dropEvent(event);
}

// QScintilla takes colours from the application's palette when that changes; the theme's colours stay here.
void KernelEditor::changeEvent(QEvent* event) {
  QsciScintilla::changeEvent(event);
  if (impl_ != nullptr && (event->type() == QEvent::PaletteChange || event->type() == QEvent::StyleChange))
    impl_->applyColors();
}

}  // namespace wb
