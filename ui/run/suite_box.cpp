// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/run/suite_box.h"

#include <QAbstractItemView>
#include <QDir>
#include <QFileInfo>

#include "ui/style/icon.h"
#include "ui/tables/two_line_delegate.h"

namespace wb {
namespace {

const QString fileItem = QStringLiteral("\n");  // no suite and no file has this name
constexpr int popupWidth = 600;

}  // namespace

SuiteBox::SuiteBox(QWidget* parent) : QComboBox(parent) {
  setItemDelegate(new TwoLineDelegate(this));
  view()->setTextElideMode(Qt::ElideRight);
  view()->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setSuites({});
  connect(this, &QComboBox::activated, this, [this](int index) {
    if (itemData(index, suiteRole).toString() == fileItem) {
      setCurrentIndex(before_);
      emit fileWanted();
      return;
    }
    before_ = index;
    emit chosenChanged();
  });
}

void SuiteBox::add(const QString& title, const QString& summary, const QString& picture,
                   const QString& suite) {
  addItem(icon(picture, IconTone::secondary), title, suite);
  setItemData(count() - 1, summary, TwoLineDelegate::summaryRole);
  setItemData(count() - 1, summary, Qt::ToolTipRole);
}

void SuiteBox::setSuites(const std::vector<SuiteInfo>& suites) {
  const QString was = chosen();
  clear();
  for (const SuiteInfo& suite : suites) {
    add(QString::fromStdString(suite.name), QString::fromStdString(suite.description),
        suite.file.empty() ? QStringLiteral("layers") : QStringLiteral("list-check"),
        QString::fromStdString(suite.name));
    setItemData(count() - 1, suite.takesDtype, dtypeRole);
  }
  add(tr("File…"), tr("A trace: .txt in the operator-log format, or BackendBench's .parquet"),
      QStringLiteral("folder2-open"), fileItem);
  choose(was.isEmpty() ? QStringLiteral("smoke") : was);
}

void SuiteBox::choose(const QString& nameOrFile) {
  if (nameOrFile.isEmpty() || nameOrFile == fileItem) return;
  int at = findData(nameOrFile, suiteRole);
  if (at < 0) {
    const bool isFile = nameOrFile.contains(QLatin1Char('/'));
    at = count() - 1;
    insertItem(at, icon(QStringLiteral("file-earmark-text"), IconTone::secondary),
               isFile ? QFileInfo(nameOrFile).fileName() : nameOrFile, nameOrFile);
    if (isFile) {
      const QString shown = QDir::toNativeSeparators(nameOrFile);
      setItemData(at, shown, TwoLineDelegate::summaryRole);
      setItemData(at, shown, Qt::ToolTipRole);
    }
  }
  setCurrentIndex(at);
  before_ = at;
  emit chosenChanged();
}

QString SuiteBox::chosen() const {
  return currentData(suiteRole).toString();
}

bool SuiteBox::takesDtype() const {
  return currentData(dtypeRole).toBool();
}

void SuiteBox::showPopup() {
  view()->setMinimumWidth(std::max(width(), popupWidth));
  QComboBox::showPopup();
  fitPopup(*this);
}

}  // namespace wb
