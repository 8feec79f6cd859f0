// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/welcome/welcome_page.h"

#include <QDateTime>
#include <QDir>
#include <QFileInfo>
#include <QGridLayout>
#include <QLabel>
#include <QListWidget>
#include <QLocale>
#include <QPushButton>
#include <QVBoxLayout>
#include <utility>

#include "core/base/files/paths.h"
#include "core/base/quantity.h"
#include "core/model/languages.h"
#include "ui/style/background.h"
#include "ui/style/icon.h"
#include "ui/style/icon_label.h"
#include "ui/style/text_label.h"
#include "ui/tables/two_line_delegate.h"

namespace wb {
namespace {

constexpr int mostRecent = 6;
constexpr std::size_t mostRuns = 5;
constexpr int pageWidth = 1040;
constexpr int valueRole = Qt::UserRole;

QString qt(std::string_view text) {
  return QString::fromUtf8(text.data(), qsizetype(text.size()));
}

QLabel* heading(const QString& text) {
  auto* label = new QLabel(text);
  label->setObjectName(QStringLiteral("cardTitle"));
  return label;
}

QString iconOf(const GalleryItem& item) {
  const Language* language = detectLanguage(item.file, item.text);
  if (language && language->id == "triton") return QStringLiteral("trident");
  if (language && language->lexer == "python") return QStringLiteral("filetype-py");
  return item.needsGpu ? QStringLiteral("gpu-card") : QStringLiteral("file-earmark-code");
}

QString summaryOf(const KeptRun& run) {
  QStringList parts{QObject::tr("%1 of %2 right").arg(run.passed).arg(run.total)};
  if (run.speedup > 0) parts << qt(formatRatio(run.speedup));
  parts << qt(run.suite) << qt(run.device)
        << QLocale().toString(QDateTime::fromMSecsSinceEpoch(run.when), QLocale::ShortFormat);
  return parts.join(QStringLiteral("  ·  "));
}

}  // namespace

WelcomePage::WelcomePage(std::filesystem::path runs, Examine examine, QWidget* parent)
    : QScrollArea(parent), folder_(std::move(runs)), examine_(std::move(examine)) {
  setObjectName(QStringLiteral("welcome"));
  setFrameShape(QFrame::NoFrame);
  setWidgetResizable(true);
  setFocusPolicy(Qt::NoFocus);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setWidget(buildPage());
}

WelcomePage::~WelcomePage() {
  stop_.request_stop();
}

QWidget* WelcomePage::buildPage() {
  auto* page = new QWidget;
  auto* inner = new QWidget;
  inner->setMaximumWidth(pageWidth);
  auto* around = new QHBoxLayout(page);
  around->setContentsMargins(28, 28, 28, 28);
  around->addStretch(1);
  around->addWidget(inner, 100);
  around->addStretch(1);
  auto* column = new QVBoxLayout(inner);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(18);
  auto* title = new QLabel(tr("No kernel is open"));
  title->setObjectName(QStringLiteral("title"));
  QLabel* hint =
      textLabel(tr("Begin with an operator, with a sample, or with a file; or drop one here."), "hint");
  new_ = new QPushButton(icon(QStringLiteral("file-earmark-plus"), IconTone::onAccent),
                         tr(" New kernel  Ctrl+N"));
  new_->setDefault(true);
  open_ = new QPushButton(icon(QStringLiteral("folder2-open")), tr(" Open a file  Ctrl+O"));
  connect(new_, &QPushButton::clicked, this, &WelcomePage::newWanted);
  connect(open_, &QPushButton::clicked, this, &WelcomePage::openWanted);
  auto* buttons = new QHBoxLayout;
  buttons->addWidget(new_);
  buttons->addWidget(open_);
  buttons->addStretch(1);
  auto* head = new QVBoxLayout;
  head->setSpacing(6);
  head->addWidget(title);
  head->addWidget(hint);
  head->addSpacing(6);
  head->addLayout(buttons);
  column->addLayout(head);
  auto* columns = new QHBoxLayout;
  columns->setSpacing(28);
  auto* left = new QVBoxLayout;
  auto* right = new QVBoxLayout;
  samples_ = addList(*left, tr("Samples that run here"));
  recent_ = addList(*right, tr("Recent files"));
  runs_ = addList(*right, tr("Last runs"));
  machineTitle_ = heading(tr("This machine"));
  machineTitle_->hide();
  machine_ = new QGridLayout;
  machine_->setHorizontalSpacing(10);
  machine_->setVerticalSpacing(5);
  machine_->setColumnStretch(2, 1);
  right->addWidget(machineTitle_);
  right->addLayout(machine_);
  left->addStretch(1);
  right->addStretch(1);
  columns->addLayout(left, 1);
  columns->addLayout(right, 1);
  column->addLayout(columns, 1);
  const auto emitOf = [this](QListWidget* list, auto signal) {
    connect(list, &QListWidget::itemActivated, this, [this, signal](const QListWidgetItem* item) {
      emit(this->*signal)(item->data(valueRole).toString());
    });
    connect(list, &QListWidget::itemClicked, list, &QListWidget::itemActivated);
  };
  emitOf(recent_, &WelcomePage::fileWanted);
  emitOf(runs_, &WelcomePage::runWanted);
  connect(samples_, &QListWidget::itemActivated, this, [this](const QListWidgetItem* item) {
    const GalleryItem& sample = gallery_[size_t(item->data(valueRole).toInt())];
    emit sampleWanted(qt(sample.file), qt(sample.text));
  });
  connect(samples_, &QListWidget::itemClicked, samples_, &QListWidget::itemActivated);
  return page;
}

QListWidget* WelcomePage::addList(QLayout& into, const QString& title) {
  auto* part = new QWidget;
  auto* column = new QVBoxLayout(part);
  column->setContentsMargins(0, 0, 0, 8);
  column->setSpacing(4);
  column->addWidget(heading(title));
  auto* list = new QListWidget;
  list->setAccessibleName(title);
  list->setItemDelegate(new TwoLineDelegate(list));
  list->setFrameShape(QFrame::NoFrame);
  list->setMouseTracking(true);
  list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  list->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  column->addWidget(list);
  into.addWidget(part);
  part->hide();
  return list;
}

// A list is as high as its rows, and its part is hidden where it has none.
void WelcomePage::fit(QListWidget& list) {
  int height = 4;
  for (int row = 0; row < list.count(); ++row) height += list.sizeHintForRow(row);
  list.setFixedHeight(height);
  list.parentWidget()->setVisible(list.count() > 0);
}

void WelcomePage::refresh(const QStringList& recentFiles, bool hasGpu) {
  showRecent(recentFiles);
  if (gallery_.empty())
    inBackground(
        this, [] { return readGallery(resourceFolder()); },
        [this, hasGpu](std::vector<GalleryItem> items) {
          gallery_ = std::move(items);
          showSamples(hasGpu);
        });
  else
    showSamples(hasGpu);
  inBackground(
      this, [folder = folder_] { return keptRuns(folder); },
      [this](const std::vector<KeptRun>& runs) { showRuns(runs); });
  if (!examine_ || std::exchange(examined_, true)) return;
  inBackground(
      this, [examine = examine_, stop = stop_.get_token()] { return examine(stop); },
      [this](const std::vector<DoctorLine>& lines) { showMachine(lines); });
}

void WelcomePage::showSamples(bool hasGpu) {
  samples_->clear();
  for (std::size_t i = 0; i < gallery_.size(); ++i) {
    const GalleryItem& item = gallery_[i];
    if (!item.sample || (item.needsGpu && !hasGpu)) continue;
    auto* row = new QListWidgetItem(icon(iconOf(item), IconTone::accent), qt(item.title), samples_);
    row->setData(valueRole, int(i));
    row->setData(TwoLineDelegate::summaryRole, qt(item.summary));
    row->setToolTip(qt(item.summary));
  }
  fit(*samples_);
}

void WelcomePage::showRecent(const QStringList& files) {
  recent_->clear();
  for (const QString& path : files.mid(0, mostRecent)) {
    const QFileInfo file(path);
    auto* row = new QListWidgetItem(icon(QStringLiteral("file-earmark-text"), IconTone::secondary),
                                    file.fileName(), recent_);
    row->setData(valueRole, path);
    row->setData(TwoLineDelegate::summaryRole, QDir::toNativeSeparators(file.path()));
    row->setToolTip(QDir::toNativeSeparators(path));
  }
  fit(*recent_);
}

void WelcomePage::showRuns(const std::vector<KeptRun>& runs) {
  runs_->clear();
  for (std::size_t i = 0; i < std::min(runs.size(), mostRuns); ++i) {
    auto* row = new QListWidgetItem(icon(QStringLiteral("clock-history"), IconTone::secondary),
                                    qt(runs[i].title), runs_);
    row->setData(valueRole, qt(runFile(folder_, runs[i].id).string()));
    row->setData(TwoLineDelegate::summaryRole, summaryOf(runs[i]));
    row->setToolTip(summaryOf(runs[i]));
  }
  fit(*runs_);
}

void WelcomePage::showMachine(const std::vector<DoctorLine>& lines) {
  machineTitle_->setVisible(!lines.empty());
  machineLines_.clear();
  if (lines.empty()) return;
  machineLines_ << qt(conclusion(lines));
  int row = 0;
  machine_->addWidget(new QLabel(machineLines_.front()), row++, 0, 1, 3);
  for (const DoctorLine& line : lines) {
    const bool isGood = line.state == DoctorLine::State::good;
    auto* mark =
        new IconLabel(14, icon(isGood ? QStringLiteral("check") : QStringLiteral("dash-circle"),
                               line.state == DoctorLine::State::bad ? IconTone::bad : IconTone::secondary));
    mark->setContentsMargins(0, 1, 0, 0);
    mark->setToolTip(qt(name(line.state)));
    auto* what = new QLabel(qt(line.what));
    auto* found = new QLabel(qt(line.found));
    what->setObjectName(QStringLiteral("hint"));
    found->setTextFormat(Qt::PlainText);
    found->setWordWrap(true);
    found->setToolTip(qt(line.hint));
    machine_->addWidget(mark, row, 0, Qt::AlignTop);
    machine_->addWidget(what, row, 1, Qt::AlignTop);
    machine_->addWidget(found, row++, 2, Qt::AlignTop);
    machineLines_ << QStringLiteral("%1: %2").arg(qt(line.what), qt(line.found));
  }
}

}  // namespace wb
