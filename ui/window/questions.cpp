// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/questions.h"

#include <QFileDialog>
#include <QMessageBox>
#include <QPushButton>

#include "ui/diff/conflict_dialog.h"

namespace wb {
namespace {

QString kernels() {
  return QObject::tr("Kernels (*.cpp *.cu *.py);;Requests of the evaluation server (*.json);;All files (*)");
}

SaveAnswer askToSave(QWidget* window, const QString& title) {
  QMessageBox box(QMessageBox::NoIcon, QObject::tr("Save changes?"),
                  QObject::tr("%1 has changes that are not saved.").arg(title), QMessageBox::NoButton,
                  window);
  box.setInformativeText(QObject::tr("They are lost if you do not save them."));
  box.addButton(QMessageBox::Save);
  box.addButton(QMessageBox::Discard);
  box.addButton(QMessageBox::Cancel);
  box.setDefaultButton(QMessageBox::Save);
  switch (box.exec()) {
    case QMessageBox::Save:
      return SaveAnswer::save;
    case QMessageBox::Discard:
      return SaveAnswer::discard;
    default:
      return SaveAnswer::cancel;
  }
}

void askToResolve(QWidget* window, const Conflict& conflict,
                  const std::function<void(std::optional<QString>)>& chosen) {
  auto* dialog = new ConflictDialog(conflict.title, conflict.mine, conflict.theirs, window);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  QObject::connect(dialog, &ConflictDialog::resolved, window,
                   [chosen](const QString& text) { chosen(text); });
  QObject::connect(dialog, &QDialog::rejected, window, [chosen] { chosen(std::nullopt); });
  dialog->open();
}

bool askForUtf8(QWidget* window, const QString& title, const QString& encoding) {
  QMessageBox box(
      QMessageBox::NoIcon, QObject::tr("Save as UTF-8?"),
      QObject::tr("%1 is %2, which has no place for some characters of the text.").arg(title, encoding),
      QMessageBox::NoButton, window);
  box.setInformativeText(QObject::tr("Saved as UTF-8, all characters stay."));
  const QPushButton* save = box.addButton(QObject::tr("Save as UTF-8"), QMessageBox::AcceptRole);
  box.addButton(QMessageBox::Cancel);
  box.exec();
  return box.clickedButton() == save;
}

void showError(QWidget* window, const Error& error) {
  QMessageBox box(QMessageBox::Warning, QObject::tr("Warpbench"), QString::fromStdString(error.text),
                  QMessageBox::Ok, window);
  box.setInformativeText(QString::fromStdString(error.hint));
  box.exec();
}

}  // namespace

Questions dialogs(QWidget& window) {
  QWidget* over = &window;
  Questions questions;
  questions.saveChanges = [over](const QString& title) { return askToSave(over, title); };
  questions.saveAsUtf8 = [over](const QString& title, const QString& encoding) {
    return askForUtf8(over, title, encoding);
  };
  questions.resolve = [over](const Conflict& conflict,
                             const std::function<void(std::optional<QString>)>& chosen) {
    askToResolve(over, conflict, chosen);
  };
  questions.filesToOpen = [over] {
    return QFileDialog::getOpenFileNames(over, QObject::tr("Open kernels"), {}, kernels());
  };
  questions.fileToSaveAs = [over](const QString& suggestion) {
    return QFileDialog::getSaveFileName(over, QObject::tr("Save kernel as"), suggestion, kernels());
  };
  questions.tell = [over](const Error& error) { showError(over, error); };
  return questions;
}

}  // namespace wb
