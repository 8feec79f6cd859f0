// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/assembly/assembly_view.h"

#include <QAbstractItemView>
#include <QAction>
#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QStackedLayout>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <array>
#include <tuple>

#include "ui/style/icon.h"

namespace wb {
namespace {

constexpr std::size_t mostEarlier = 4;
// What NVRTC 13 and Triton compile for; the box offers them beside what there is.
constexpr std::array architectures{"sm_75", "sm_80", "sm_86", "sm_89", "sm_90", "sm_100", "sm_120"};

QString qt(std::string_view text) {
  return QString::fromUtf8(text.data(), qsizetype(text.size()));
}

/// Keeps the choice of a box whose items are made anew.
class KeptChoice {
 public:
  explicit KeptChoice(QComboBox& box) : box_(box), before_(box.currentText()), quiet_(&box) { box.clear(); }
  ~KeptChoice() {
    const int at = box_.findText(before_);
    box_.setCurrentIndex(at >= 0 ? at : first_);
  }
  KeptChoice(const KeptChoice&) = delete;
  KeptChoice& operator=(const KeptChoice&) = delete;
  void preferred(int index) { first_ = index; }

 private:
  QComboBox& box_;
  QString before_;
  QSignalBlocker quiet_;
  int first_ = 0;
};

}  // namespace

AssemblyView::AssemblyView(QWidget* parent) : QWidget(parent), pane_(new CodePane), empty_(new QLabel) {
  setObjectName(QStringLiteral("assembly"));
  empty_->setObjectName(QStringLiteral("hint"));
  empty_->setAlignment(Qt::AlignCenter);
  empty_->setWordWrap(true);
  empty_->setMargin(24);
  empty_->setText(
      tr("No code yet. F6 compiles the kernel and lists its code beside the source; a GPU is not "
         "needed."));
  auto* body = new QWidget;
  stack_ = new QStackedLayout(body);
  stack_->addWidget(empty_);
  stack_->addWidget(pane_);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  bar_ = buildBoxes();
  column->addWidget(bar_);
  column->addWidget(body, 1);
  setFocusProxy(pane_);
  choose(nullptr);
}

QComboBox* AssemblyView::addBox(const QString& name, const QString& tip) {
  auto* box = new QComboBox;
  box->setAccessibleName(name);
  box->setToolTip(tip);
  box->setSizeAdjustPolicy(QComboBox::AdjustToContents);
  box->setMinimumContentsLength(4);
  return box;
}

QWidget* AssemblyView::buildBoxes() {
  language_ =
      addBox(tr("Language of the code"), tr("SASS is what the GPU runs; the others are on the way there"));
  function_ = addBox(tr("Function"), tr("The function whose code is shown"));
  dtype_ = addBox(tr("Dtype"), tr("The dtype that it was compiled for"));
  architecture_ = addBox(tr("Architecture"), tr("The architecture that it was compiled for"));
  counter_ = addBox(tr("What the margins show"), tr("What the margins show of each row and line"));
  comparison_ = addBox(tr("Compare with"), tr("Shows what has changed against another version"));
  // These have long items, which the lists show whole.
  for (QComboBox* box : {function_, counter_, comparison_}) {
    box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    box->setMinimumContentsLength(6);
    box->view()->setTextElideMode(Qt::ElideNone);
  }
  architecture_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  architecture_->setMinimumContentsLength(5);
  for (QComboBox* box : {architecture_, function_, counter_, comparison_})
    connect(box, &QComboBox::currentTextChanged, box, [box, tip = box->toolTip()](const QString& text) {
      box->setToolTip(text.isEmpty() ? tip : text + QLatin1Char('\n') + tip);
    });
  boxes_ = {language_, function_, dtype_, architecture_};
  more_ = new QToolButton;
  more_->setObjectName(QStringLiteral("outlined"));
  more_->setText(tr("Hide"));
  more_->setAccessibleName(tr("What is hidden"));
  more_->setToolTip(tr("Which rows are hidden, and whether both sides scroll together"));
  more_->setPopupMode(QToolButton::InstantPopup);
  buildFilters();
  auto* bar = new QWidget;
  auto* rows = new QVBoxLayout(bar);
  rows->setContentsMargins(8, 6, 8, 6);
  rows->setSpacing(6);
  const auto addRow = [rows](std::initializer_list<std::pair<QWidget*, int>> widgets) {
    auto* row = new QHBoxLayout;
    row->setSpacing(6);
    for (const auto& [widget, stretch] : widgets) row->addWidget(widget, stretch);
    rows->addLayout(row);
  };
  addRow({{language_, 0}, {function_, 1}, {dtype_, 0}, {architecture_, 0}});
  addRow({{counter_, 1}, {comparison_, 1}, {more_, 0}});
  for (QComboBox* box : boxes_)
    connect(box, &QComboBox::activated, this, [this, box] {
      formChosen_ = true;
      choose(box);
    });
  connect(counter_, &QComboBox::activated, this, [this] {
    counterChosen_ = true;
    showMarks();
  });
  connect(comparison_, &QComboBox::activated, this, [this] {
    wantedComparison_.clear();
    choose(nullptr);
  });
  return bar;
}

void AssemblyView::buildFilters() {
  filters_ = new QMenu(this);
  const CodeFilters start;
  const auto add = [this](const char* name, const QString& text, bool on) {
    QAction* action = filters_->addAction(text);
    action->setObjectName(QLatin1String(name));
    action->setCheckable(true);
    action->setChecked(on);
    connect(action, &QAction::toggled, this, &AssemblyView::readFilters);
    return action;
  };
  add("directives", tr("Hide &directives"), start.directives);
  add("labels", tr("Hide &labels"), start.labels);
  add("comments", tr("Hide &comments and blank lines"), start.comments);
  add("nops", tr("Hide &NOPs"), start.nops);
  add("library", tr("Hide code of &other files"), start.library);
  filters_->addSeparator();
  together_ = add("together", tr("&Scroll together with the source"), true);
  more_->setMenu(filters_);
}

void AssemblyView::readFilters() {
  const auto on = [this](const char* name) {
    return filters_->findChild<QAction*>(QLatin1String(name))->isChecked();
  };
  pane_->setFilters({on("directives"), on("labels"), on("comments"), on("nops"), on("library")});
}

bool AssemblyView::scrollsTogether() const {
  return together_->isChecked();
}

void AssemblyView::setCodeFont(const QString& family, int pixels) {
  pane_->setCodeFont(family, pixels);
}

AssemblyChoices AssemblyView::choices() const {
  AssemblyChoices made;
  if (formChosen_)
    for (const QComboBox* box : boxes_) made.form << box->currentText();
  if (counterChosen_) made.counter = counter_->currentText();
  made.comparison = comparison_->currentIndex() > 0 ? comparison_->currentText() : wantedComparison_;
  for (const QAction* action : filters_->actions())
    if (action->isChecked()) made.filters << action->objectName();
  return made;
}

// The boxes are given what was chosen as their only item, which is kept once the listing has it too.
void AssemblyView::restore(const AssemblyChoices& choices) {
  for (QAction* action : filters_->actions())
    if (action->isCheckable()) action->setChecked(choices.filters.contains(action->objectName()));
  const auto put = [](QComboBox& box, const QString& text) {
    const QSignalBlocker quiet(box);
    box.clear();
    box.addItem(text);
  };
  if (std::size_t(choices.form.size()) == boxes_.size()) {
    for (std::size_t i = 0; i < boxes_.size(); ++i) put(*boxes_[i], choices.form[qsizetype(i)]);
    formChosen_ = true;
  }
  if (!choices.counter.isEmpty()) {
    put(*counter_, choices.counter);
    counterChosen_ = true;
  }
  wantedComparison_ = choices.comparison;
  if (listing_) choose(nullptr);
}

void AssemblyView::setListing(std::shared_ptr<const CodeListing> listing) {
  if (listing == listing_) return;
  if (listing_ && listing && listing_->path != listing->path) {
    earlier_.clear();
    formChosen_ = counterChosen_ = false;
  }
  // A running job gives many listings of one run.
  if (listing_ && listing && listing_->path == listing->path && listing_->startedAt != listing->startedAt &&
      !listing_->forms.empty()) {
    earlier_.insert(earlier_.begin(), listing_);
    if (earlier_.size() > mostEarlier) earlier_.pop_back();
  }
  listing_ = std::move(listing);
  // While nobody has chosen, the look is at what matters most, which may come after other forms.
  if (!formChosen_ && listing_ && !listing_->forms.empty()) {
    const CodeForm& form = listing_->forms[firstForm(*listing_)];
    const std::array<std::string_view, 4> words{form.language, form.function, form.dtype, form.architecture};
    for (std::size_t i = 0; i < boxes_.size(); ++i) {
      const QSignalBlocker quiet(boxes_[i]);
      boxes_[i]->clear();
      boxes_[i]->addItem(qt(words[i]));
    }
  }
  choose(nullptr);
}

void AssemblyView::setPinned(std::shared_ptr<const CodeListing> listing) {
  if (listing == pinned_) return;
  pinned_ = std::move(listing);
  choose(nullptr);
}

/// The forms that agree with the choices in the first boxes.
std::vector<std::size_t> AssemblyView::fitting(int boxes) const {
  std::vector<std::size_t> found;
  for (std::size_t i = 0; listing_ && i < listing_->forms.size(); ++i) {
    const CodeForm& form = listing_->forms[i];
    const std::array<std::string_view, 4> words{form.language, form.function, form.dtype, form.architecture};
    bool fits = true;
    for (int box = 0; box < boxes; ++box)
      fits = fits && boxes_[std::size_t(box)]->currentText() == qt(words[std::size_t(box)]);
    if (fits) found.push_back(i);
  }
  return found;
}

const CodeForm* AssemblyView::form() const {
  if (!listing_ || listing_->forms.empty()) return nullptr;
  if (language_->currentText() == qt(source_.language)) return &source_;
  const std::vector<std::size_t> found = fitting(4);
  return found.empty() ? nullptr : &listing_->forms[found.front()];
}

void AssemblyView::choose(QComboBox* from) {
  const auto at = std::find(boxes_.begin(), boxes_.end(), from);
  // The choices before it stay, and so do those after it where they are still there.
  const int first = at == boxes_.end() ? 0 : int(at - boxes_.begin()) + 1;
  if (from == architecture_ && fitting(4).empty() && language_->currentText() != qt(source_.language)) {
    const QString wanted = architecture_->currentText().section(QLatin1Char(' '), 0, 0);
    choose(dtype_);
    emit architectureWanted(wanted);
    return;
  }
  for (int box = first; listing_ && box < 4; ++box) {
    QComboBox& filled = *boxes_[std::size_t(box)];
    KeptChoice kept(filled);
    for (const std::size_t i : fitting(box)) {
      const CodeForm& form = listing_->forms[i];
      const std::array<std::string_view, 4> words{form.language, form.function, form.dtype,
                                                  form.architecture};
      if (filled.findText(qt(words[std::size_t(box)])) < 0) filled.addItem(qt(words[std::size_t(box)]));
    }
    const bool compares = comparison_->currentIndex() > 0 || !wantedComparison_.isEmpty();
    if (box == 0 && compares && filled.count() > 0) filled.addItem(QStringLiteral("Source"));
  }
  // Another architecture is compiled for on demand.
  if (listing_ && architecture_->currentText().startsWith(QLatin1String("sm_"))) {
    const QSignalBlocker quiet(architecture_);
    for (const char* each : architectures)
      if (architecture_->findText(QLatin1String(each)) < 0)
        architecture_->addItem(tr("%1 (compile)").arg(QLatin1String(each)));
  }
  for (QComboBox* box : {function_, dtype_, architecture_})
    box->setVisible(box->count() > 1 || !box->currentText().isEmpty());
  fillComparisons();
  showForms();
}

void AssemblyView::fillComparisons() {
  versions_.clear();
  versions_.push_back({tr("No comparison"), nullptr, -1});
  const auto architectureOf = [](const CodeListing& one) {
    for (const CodeForm& form : one.forms)
      if (form.kind != ListingKind::host) return qt(form.architecture);
    return QString();
  };
  for (std::size_t i = 0; i < earlier_.size(); ++i) {
    const QString name = i == 0 ? tr("Last run") : tr("%1 runs before").arg(i + 1);
    const QString there = architectureOf(*earlier_[i]);
    versions_.push_back({there.isEmpty() ? name : tr("%1, %2").arg(name, there), earlier_[i], -1});
  }
  if (pinned_ && pinned_ != listing_) versions_.push_back({tr("Pinned run"), pinned_, -1});
  if (const CodeForm* here = form(); here && here != &source_)
    for (std::size_t i = 0; i < listing_->forms.size(); ++i) {
      const CodeForm& other = listing_->forms[i];
      const bool alike = other.kind == here->kind && &other != here &&
                         (other.dtype != here->dtype || other.architecture != here->architecture);
      if (alike)
        versions_.push_back(
            {qt(other.dtype + (other.dtype.empty() ? "" : ", ") + other.architecture), listing_, int(i)});
    }
  {
    KeptChoice kept(*comparison_);
    for (const Version& each : versions_) comparison_->addItem(each.title);
  }
  if (const int at = comparison_->findText(wantedComparison_); at > 0) {
    const QSignalBlocker quiet(comparison_);
    comparison_->setCurrentIndex(at);
    wantedComparison_.clear();
  }
  comparison_->setEnabled(versions_.size() > 1);
}

const CodeForm* AssemblyView::comparedForm() const {
  const int at = comparison_->currentIndex();
  const CodeForm* here = form();
  if (at <= 0 || at >= int(versions_.size()) || !here) return nullptr;
  const Version& version = versions_[std::size_t(at)];
  if (here == &source_) return &sourceBefore_;
  if (version.form >= 0) return &version.listing->forms[std::size_t(version.form)];
  const CodeForm* best = nullptr;
  std::tuple<bool, bool, bool> closest;
  for (const CodeForm& other : version.listing->forms) {
    const std::tuple<bool, bool, bool> near{other.function == here->function, other.dtype == here->dtype,
                                            other.architecture == here->architecture};
    if (other.kind != here->kind || (best && near <= closest)) continue;
    best = &other;
    closest = near;
  }
  return best;
}

void AssemblyView::showForms() {
  const int at = comparison_->currentIndex();
  if (language_->currentText() == QLatin1String("Source") && listing_) {
    source_ = sourceForm(*listing_);
    if (at > 0 && at < int(versions_.size())) sourceBefore_ = sourceForm(*versions_[std::size_t(at)].listing);
  }
  const CodeForm* here = form();
  pane_->setForms(here, comparedForm());
  if (listing_ && !here) empty_->setText(qt(listing_->empty));
  stack_->setCurrentWidget(here ? static_cast<QWidget*>(pane_) : empty_);
  bar_->setVisible(here != nullptr);
  fillCounters();
  showMarks();
}

void AssemblyView::fillCounters() {
  if (!listing_ && counterChosen_) return;  // what was chosen waits for a listing
  if (!counterChosen_) counter_->clear();   // what is there chose itself, before there were samples
  KeptChoice kept(*counter_);
  counter_->addItem(tr("No margins"), QString());
  if (const CodeForm* here = form())
    for (const CodeCounter& each : codeCounters(*listing_, *here)) {
      counter_->addItem(qt(each.title), qt(each.id));
      counter_->setItemData(counter_->count() - 1, qt(each.meaning), Qt::ToolTipRole);
    }
  // Samples first where there are some; without them nothing is hot.
  kept.preferred(listing_ && listing_->samples > 0 && counter_->count() > 1 ? 1 : 0);
}

std::string AssemblyView::counter() const {
  return counter_->currentData().toString().toStdString();
}

std::map<int, CodeMark> AssemblyView::marksOfLines() const {
  const CodeForm* here = form();
  return here && !counter().empty() ? lineMarks(*listing_, *here, counter()) : std::map<int, CodeMark>();
}

void AssemblyView::showMarks() {
  const CodeForm* here = form();
  std::map<std::size_t, CodeMark> marks;
  std::string unit;
  if (here && !counter().empty()) {
    marks = rowMarks(*listing_, *here, counter());
    for (const CodeCounter& each : codeCounters(*listing_, *here))
      if (each.id == counter()) unit = each.unit;
  }
  pane_->setMarks(std::move(marks), unit);
  emit formChanged();
}

void AssemblyView::goToHot(int by) {
  if (const int row = pane_->nextHot(by); row >= 0) pane_->setCurrentRow(row);
}

}  // namespace wb
