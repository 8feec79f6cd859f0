// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/settings/setting_list.h"

#include <QCoreApplication>
#include <QFontDatabase>
#include <algorithm>

namespace wb {
namespace {

constexpr SettingInfo list[] = {
    {.name = "theme",
     .section = QT_TRANSLATE_NOOP("wb", "Look"),
     .title = QT_TRANSLATE_NOOP("wb", "Theme"),
     .help = QT_TRANSLATE_NOOP("wb", "Dark, light, or as the desktop has it."),
     .kind = SettingKind::choice,
     .standardWord = "system"},
    {.name = "editor/zoom",
     .section = QT_TRANSLATE_NOOP("wb", "Look"),
     .title = QT_TRANSLATE_NOOP("wb", "Text size of sources"),
     .help = QT_TRANSLATE_NOOP("wb",
                               "The height of letters in every editor. Ctrl with + and −, and Ctrl with "
                               "the wheel, change the same."),
     .kind = SettingKind::whole,
     .standard = 13,
     .least = 8,
     .most = 32,
     .suffix = " px"},
    {.name = "editor/font",
     .section = QT_TRANSLATE_NOOP("wb", "Look"),
     .title = QT_TRANSLATE_NOOP("wb", "Font of sources"),
     .help =
         QT_TRANSLATE_NOOP("wb", "Of every editor and of the assembly. Fonts whose letters have one width."),
     .kind = SettingKind::choice,
     .standardWord = ""},
    {.name = "view/heat",
     .section = QT_TRANSLATE_NOOP("wb", "Look"),
     .title = QT_TRANSLATE_NOOP("wb", "Hot lines in the editor"),
     .help = QT_TRANSLATE_NOOP("wb", "After a profile, a margin shows where the samples fell."),
     .standard = 1},
    {.name = "editor/wrap",
     .section = QT_TRANSLATE_NOOP("wb", "Editor"),
     .title = QT_TRANSLATE_NOOP("wb", "Wrap long lines"),
     .help =
         QT_TRANSLATE_NOOP("wb", "A line that is longer than the editor is wide goes on in the next row.")},
    {.name = "editor/tabWidth",
     .section = QT_TRANSLATE_NOOP("wb", "Editor"),
     .title = QT_TRANSLATE_NOOP("wb", "Width of a tab"),
     .help = QT_TRANSLATE_NOOP("wb", "How many columns a tab character takes."),
     .kind = SettingKind::whole,
     .standard = 4,
     .least = 1,
     .most = 16},
    {.name = "editor/indentWidth",
     .section = QT_TRANSLATE_NOOP("wb", "Editor"),
     .title = QT_TRANSLATE_NOOP("wb", "Indentation"),
     .help = QT_TRANSLATE_NOOP("wb", "Columns of one step, in texts that do not show their own."),
     .kind = SettingKind::whole,
     .standard = 4,
     .least = 1,
     .most = 16},
    {.name = "editor/indentTabs",
     .section = QT_TRANSLATE_NOOP("wb", "Editor"),
     .title = QT_TRANSLATE_NOOP("wb", "Indent with tabs"),
     .help = QT_TRANSLATE_NOOP("wb", "In texts that do not show whether they use tabs or spaces.")},
    {.name = "editor/completion",
     .section = QT_TRANSLATE_NOOP("wb", "Editor"),
     .title = QT_TRANSLATE_NOOP("wb", "Offer names while you type"),
     .help = QT_TRANSLATE_NOOP("wb", "Without it they are offered when you ask for them."),
     .standard = 1},
    {.name = "editor/clangd",
     .section = QT_TRANSLATE_NOOP("wb", "Editor"),
     .title = QT_TRANSLATE_NOOP("wb", "clangd"),
     .help = QT_TRANSLATE_NOOP("wb",
                               "Where it is installed, it finds errors while you type, definitions and "
                               "names."),
     .standard = 1},
    {.name = "run/effort",
     .section = QT_TRANSLATE_NOOP("wb", "Running"),
     .title = QT_TRANSLATE_NOOP("wb", "Effort"),
     .help = QT_TRANSLATE_NOOP("wb", "How long each case is timed at most."),
     .kind = SettingKind::choice,
     .standard = 1},
    {.name = "run/workers",
     .section = QT_TRANSLATE_NOOP("wb", "Running"),
     .title = QT_TRANSLATE_NOOP("wb", "Workers"),
     .help = QT_TRANSLATE_NOOP("wb",
                               "Cases are checked by so many processes, or on so many GPUs, at once. On "
                               "the CPU one of them alone measures time."),
     .kind = SettingKind::whole,
     .standard = 1,
     .least = 1,
     .most = 64},
    {.name = "run/device",
     .section = QT_TRANSLATE_NOOP("wb", "Running"),
     .title = QT_TRANSLATE_NOOP("wb", "Device"),
     .help = QT_TRANSLATE_NOOP("wb", "Where kernels run."),
     .kind = SettingKind::choice,
     .standardWord = ""},
    {.name = "run/onSave",
     .section = QT_TRANSLATE_NOOP("wb", "Running"),
     .title = QT_TRANSLATE_NOOP("wb", "Run on save"),
     .help = QT_TRANSLATE_NOOP("wb", "Saving a kernel runs it.")},
    {.name = "run/whileTyping",
     .section = QT_TRANSLATE_NOOP("wb", "Running"),
     .title = QT_TRANSLATE_NOOP("wb", "Check while typing"),
     .help = QT_TRANSLATE_NOOP("wb",
                               "A pause in typing compiles and checks the kernel, without timing it. The "
                               "next key ends that.")},
    {.name = "limits/case",
     .section = QT_TRANSLATE_NOOP("wb", "Running"),
     .title = QT_TRANSLATE_NOOP("wb", "Limit of a case"),
     .help = QT_TRANSLATE_NOOP("wb", "A kernel that takes longer is ended and counts as hung."),
     .kind = SettingKind::real,
     .standard = 30,
     .least = 0.1,
     .most = 86400,
     .suffix = " s"},
    {.name = "limits/firstCall",
     .section = QT_TRANSLATE_NOOP("wb", "Running"),
     .title = QT_TRANSLATE_NOOP("wb", "Limit of the first call"),
     .help = QT_TRANSLATE_NOOP("wb",
                               "For languages that compile or tune at the first call of a case, as Triton "
                               "does."),
     .kind = SettingKind::real,
     .standard = 300,
     .least = 0.1,
     .most = 86400,
     .suffix = " s"},
    {.name = "check/tolerance",
     .section = QT_TRANSLATE_NOOP("wb", "Checking"),
     .title = QT_TRANSLATE_NOOP("wb", "Tolerance"),
     .help = QT_TRANSLATE_NOOP("wb", "How far a result may be from the reference's."),
     .kind = SettingKind::choice,
     .standardWord = "torch"},
    {.name = "check/repeat",
     .section = QT_TRANSLATE_NOOP("wb", "Checking"),
     .title = QT_TRANSLATE_NOOP("wb", "Check determinism"),
     .help = QT_TRANSLATE_NOOP("wb", "Each case runs again on the same input and must give the same bits."),
     .standard = 1},
    {.name = "check/oracle",
     .section = QT_TRANSLATE_NOOP("wb", "Checking"),
     .title = QT_TRANSLATE_NOOP("wb", "Compare with float64"),
     .help = QT_TRANSLATE_NOOP("wb",
                               "Slower. Without it float64 is computed only where it decides, or costs "
                               "little.")},
    {.name = "judge/strict",
     .section = QT_TRANSLATE_NOOP("wb", "Trust"),
     .title = QT_TRANSLATE_NOOP("wb", "Judge strictly"),
     .help = QT_TRANSLATE_NOOP("wb",
                               "A kernel then runs in a process of its own, inside walls, which never "
                               "holds the expected answer or the clock. So far this is for the CPU.")},
    {.name = "walls/sandbox",
     .section = QT_TRANSLATE_NOOP("wb", "Trust"),
     .title = QT_TRANSLATE_NOOP("wb", "Run kernels inside walls"),
     .help = QT_TRANSLATE_NOOP("wb",
                               "Kernels and their compilers then reach no files but their own, no network "
                               "and no other processes. Each run starts its worker anew, which takes "
                               "some seconds.")},
    {.name = "files/keepUnsaved",
     .section = QT_TRANSLATE_NOOP("wb", "Files"),
     .title = QT_TRANSLATE_NOOP("wb", "Keep unsaved texts when the window closes"),
     .help = QT_TRANSLATE_NOOP("wb",
                               "They are there again in the next window. Without it you are asked about "
                               "each."),
     .standard = 1},
    {.name = "history/runs",
     .section = QT_TRANSLATE_NOOP("wb", "Files"),
     .title = QT_TRANSLATE_NOOP("wb", "Runs that are kept"),
     .help = QT_TRANSLATE_NOOP("wb", "The oldest go first; pinned runs stay."),
     .kind = SettingKind::whole,
     .standard = 200,
     .least = 1,
     .most = 100000},
    {.name = "history/megabytes",
     .section = QT_TRANSLATE_NOOP("wb", "Files"),
     .title = QT_TRANSLATE_NOOP("wb", "Room for kept runs"),
     .help = QT_TRANSLATE_NOOP("wb", "What the kept runs may take on disk."),
     .kind = SettingKind::whole,
     .standard = 512,
     .least = 1,
     .most = 1000000,
     .suffix = " MiB"},
};

QString tr(const char* text) {
  return QCoreApplication::translate("wb", text);
}

}  // namespace

std::span<const SettingInfo> settingList() {
  return list;
}

const SettingInfo* findSetting(const QString& key) {
  const auto* at = std::ranges::find_if(
      list, [&](const SettingInfo& setting) { return key == QLatin1String(setting.name); });
  return at == std::end(list) ? nullptr : at;
}

QList<SettingChoice> choicesOf(const SettingInfo& setting) {
  const QLatin1String key(setting.name);
  if (key == QLatin1String("theme"))
    return {{QStringLiteral("system"), tr("Follow the system")},
            {QStringLiteral("dark"), tr("Dark")},
            {QStringLiteral("light"), tr("Light")}};
  if (key == QLatin1String("editor/font")) {
    QList<SettingChoice> fonts{{QString(), tr("Warpbench's own")}};
    for (const QString& family : QFontDatabase::families())
      if (QFontDatabase::isFixedPitch(family) && !QFontDatabase::isPrivateFamily(family) &&
          family != QLatin1String("WB Mono"))
        fonts.push_back({family, family});
    return fonts;
  }
  if (key == QLatin1String("run/effort"))
    return {{0, tr("Quick")}, {1, tr("Standard")}, {2, tr("Thorough")}, {3, tr("Check only")}};
  if (key == QLatin1String("check/tolerance"))
    return {{QStringLiteral("torch"), tr("As torch's own tests")},
            {QStringLiteral("backendbench"), tr("As BackendBench")},
            {QStringLiteral("strict"), tr("Strict")},
            {QStringLiteral("given"), tr("The bounds given under Checking")}};
  return {};
}

QVariant standardOf(const SettingInfo& setting) {
  if (setting.standardWord) return QString::fromLatin1(setting.standardWord);
  return setting.kind == SettingKind::real ? QVariant(setting.standard) : QVariant(int(setting.standard));
}

}  // namespace wb
