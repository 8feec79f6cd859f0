// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/run/checking_button.h"

#include <QButtonGroup>
#include <QCheckBox>
#include <QDoubleValidator>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QRadioButton>
#include <QSpinBox>
#include <QVBoxLayout>
#include <array>

#include "ui/settings/settings.h"
#include "ui/style/icon.h"

namespace wb {
namespace {

struct Preset {
  const char *id, *word, *title, *hint;
};
// The presets in the order of the button group's ids.
constexpr std::array presets{
    Preset{
        "torch", QT_TR_NOOP("torch"), QT_TR_NOOP("As torch's own tests"),
        QT_TR_NOOP("By dtype. A case over it passes while it is at most twice as far from float64 as ATen.")},
    Preset{"backendbench", QT_TR_NOOP("BackendBench"), QT_TR_NOOP("As BackendBench"),
           QT_TR_NOOP("1e-2, absolute and relative, for every dtype.")},
    Preset{"strict", QT_TR_NOOP("strict"), QT_TR_NOOP("Strict"),
           QT_TR_NOOP("At most twice as far from float64 as ATen itself, and nothing more.")},
    Preset{"given", QT_TR_NOOP("own bounds"), QT_TR_NOOP("These bounds"),
           QT_TR_NOOP("Within absolute + relative × the reference's value.")},
};

QLineEdit* bound(const QString& name, double value) {
  auto* field = new QLineEdit(QString::number(value));
  field->setAccessibleName(name);
  field->setFixedWidth(90);
  auto* valid = new QDoubleValidator(0, 1e30, 20, field);
  valid->setLocale(QLocale::c());
  field->setValidator(valid);
  return field;
}

}  // namespace

CheckingButton::CheckingButton(Settings& settings, QWidget* parent)
    : QToolButton(parent),
      settings_(settings),
      panel_(new OptionsPanel(380, this)),
      presets_(new QButtonGroup(this)),
      rtol_(bound(tr("Relative bound"), 1e-3)),
      atol_(bound(tr("Absolute bound"), 1e-5)),
      workers_(new QSpinBox) {
  setIcon(wb::icon(QStringLiteral("clipboard2-check"), IconTone::secondary));
  setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  setObjectName(QStringLiteral("checkingButton"));
  buildPanel();
  restore();
  connect(this, &QToolButton::clicked, this, &CheckingButton::open);
  connect(&settings_, &Settings::changed, this, [this](const QString& key) {
    const bool isOurs = key.startsWith(QLatin1String("check/")) || key == QLatin1String("run/workers");
    if (isOurs && !remembering_) restore();
  });
}

void CheckingButton::buildPanel() {
  QVBoxLayout* column = panel_->column();
  column->addWidget(OptionsPanel::heading(tr("Tolerance")));
  column->addSpacing(4);
  for (size_t i = 0; i < presets.size(); ++i) {
    auto* choice = new QRadioButton(tr(presets[i].title));
    choice->setAccessibleDescription(tr(presets[i].hint));
    presets_->addButton(choice, int(i));
    column->addWidget(choice);
    column->addWidget(OptionsPanel::hint(tr(presets[i].hint)));
  }
  auto* bounds = new QHBoxLayout;
  bounds->setContentsMargins(24, 0, 0, 0);
  bounds->setSpacing(8);
  for (auto [name, field] : {std::pair{tr("relative"), rtol_}, std::pair{tr("absolute"), atol_}}) {
    bounds->addWidget(new QLabel(name));
    bounds->addWidget(field);
  }
  bounds->addStretch();
  column->addLayout(bounds);
  column->addSpacing(12);
  column->addWidget(OptionsPanel::heading(tr("Also look at")));
  column->addSpacing(4);
  repeat_ =
      addCheck(tr("Check determinism"), tr("Runs each case again on the same input, and compares the bits."));
  oracle_ =
      addCheck(tr("Compare with float64 (slower)"),
               tr("For every case. Without it only for those that it decides, or where it costs little."));
  column->addSpacing(8);
  auto* spread = new QHBoxLayout;
  spread->addWidget(OptionsPanel::heading(tr("Workers")), 1);
  spread->addWidget(workers_);
  workers_->setAccessibleName(tr("Workers"));
  workers_->setRange(1, 64);
  workers_->setFixedWidth(76);
  column->addLayout(spread);
  auto* hint = OptionsPanel::hint(
      tr("Cases are checked by several processes, or on several GPUs, at once. Choose the operator "
         "for one kernel's cases to be spread. On the CPU one of them alone measures time."));
  hint->setContentsMargins(0, 0, 0, 0);
  column->addWidget(hint);
  connect(workers_, &QSpinBox::valueChanged, this, [this] { remember(); });
  const auto changed = [this] { remember(); };
  connect(presets_, &QButtonGroup::idToggled, this, changed);
  for (QCheckBox* box : {repeat_, oracle_}) connect(box, &QCheckBox::toggled, this, changed);
  for (QLineEdit* field : {rtol_, atol_}) connect(field, &QLineEdit::textEdited, this, changed);
}

QCheckBox* CheckingButton::addCheck(const QString& text, const QString& hint) {
  auto* box = new QCheckBox(text);
  box->setAccessibleDescription(hint);
  panel_->column()->addWidget(box);
  panel_->column()->addWidget(OptionsPanel::hint(hint));
  return box;
}

void CheckingButton::restore() {
  const QSignalBlocker quiet(presets_), quietRepeat(repeat_), quietOracle(oracle_), quietWorkers(workers_);
  rtol_->setText(QString::number(settings_.real("check/rtol", 1e-3)));
  atol_->setText(QString::number(settings_.real("check/atol", 1e-5)));
  repeat_->setChecked(settings_.number("check/repeat", 1) != 0);
  oracle_->setChecked(settings_.number("check/oracle", 0) != 0);
  workers_->setValue(settings_.number("run/workers", 1));
  presets_->button(0)->setChecked(true);
  setPreset(settings_.text("check/tolerance", QStringLiteral("torch")));
  remember();
}

void CheckingButton::setPreset(const QString& preset) {
  for (size_t i = 0; i < presets.size(); ++i)
    if (preset == QLatin1String(presets[i].id)) presets_->button(int(i))->setChecked(true);
}

Tolerance CheckingButton::tolerance() const {
  Tolerance tolerance;
  tolerance.preset = presets[size_t(std::max(0, presets_->checkedId()))].id;
  if (tolerance.preset != "given") return tolerance;
  tolerance.rtol = rtol_->text().toDouble();
  tolerance.atol = atol_->text().toDouble();
  return tolerance;
}

int CheckingButton::workers() const {
  return workers_->value();
}

Checking CheckingButton::checking() const {
  Checking checking;
  checking.repeat = repeat_->isChecked();
  checking.oracle = oracle_->isChecked();
  return checking;
}

void CheckingButton::remember() {
  remembering_ = true;
  const Tolerance now = tolerance();
  const bool given = now.preset == "given";
  rtol_->setEnabled(given);
  atol_->setEnabled(given);
  settings_.setText("check/tolerance", QString::fromStdString(now.preset));
  settings_.setReal("check/rtol", rtol_->text().toDouble());
  settings_.setReal("check/atol", atol_->text().toDouble());
  settings_.setNumber("check/repeat", repeat_->isChecked() ? 1 : 0);
  settings_.setNumber("check/oracle", oracle_->isChecked() ? 1 : 0);
  settings_.setNumber("run/workers", workers());
  remembering_ = false;
  const QString word = tr(presets[size_t(std::max(0, presets_->checkedId()))].word);
  setText(now.preset == "torch" ? tr("Checking") : tr("Checking: %1").arg(word));
  QStringList says{given ? tr("Tolerance: relative %1, absolute %2").arg(rtol_->text(), atol_->text())
                         : tr("Tolerance: %1").arg(word)};
  if (repeat_->isChecked()) says << tr("each case twice");
  if (oracle_->isChecked()) says << tr("float64 for every case");
  if (workers() > 1) says << tr("%1 workers").arg(workers());
  setToolTip(says.join(QStringLiteral("  ·  ")));
  setAccessibleName(text());
}

void CheckingButton::open() {
  panel_->openBelow(*this);
  presets_->checkedButton()->setFocus();
}

}  // namespace wb
