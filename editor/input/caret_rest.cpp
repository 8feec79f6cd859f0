// SPDX-License-Identifier: GPL-3.0-or-later
#include "editor/input/caret_rest.h"

#include <QEvent>

#include "editor/scintilla.h"

namespace wb {

CaretRest::CaretRest(QsciScintilla& editor, std::chrono::milliseconds after)
    : QObject(&editor), editor_(editor), period_(send(editor, QsciScintillaBase::SCI_GETCARETPERIOD)) {
  pause_.setSingleShot(true);
  pause_.setInterval(after);
  connect(&pause_, &QTimer::timeout, this,
          [this] { send(editor_, QsciScintillaBase::SCI_SETCARETPERIOD, 0); });
  editor.installEventFilter(this);
  editor.viewport()->installEventFilter(this);
}

bool CaretRest::eventFilter(QObject* watched, QEvent* event) {
  switch (event->type()) {
    case QEvent::FocusIn:
    case QEvent::KeyPress:
    case QEvent::InputMethod:
    case QEvent::MouseButtonPress:
      send(editor_, QsciScintillaBase::SCI_SETCARETPERIOD, period_);
      pause_.start();
      break;
    case QEvent::FocusOut:
      pause_.stop();
      break;
    default:
      break;
  }
  return QObject::eventFilter(watched, event);
}

}  // namespace wb
