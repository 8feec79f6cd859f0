// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/kept/holdings.h"

#include <QApplication>
#include <QFile>
#include <QWidget>
#include <algorithm>
#include <cstdio>
#include <functional>
#include <utility>
#include <vector>

#include <malloc.h>
#include <unistd.h>

namespace wb::test {
namespace {

std::size_t residentBytes() {
  QFile file(QStringLiteral("/proc/self/statm"));
  if (!file.open(QIODevice::ReadOnly)) return 0;
  return file.readAll().split(' ').value(1).toULongLong() * std::size_t(sysconf(_SC_PAGESIZE));
}

void count(const QObject& root, std::map<QByteArray, int>& counts) {
  ++counts[root.metaObject()->className()];
  for (const QObject* child : root.findChildren<QObject*>()) ++counts[child->metaObject()->className()];
}

}  // namespace

void Holdings::print(int inputs, int tabs) {
  std::map<QByteArray, int> now;
  count(*qApp, now);
  for (const QWidget* widget : QApplication::topLevelWidgets())
    if (!widget->parent()) count(*widget, now);
  std::vector<std::pair<int, QByteArray>> grown;
  int all = 0;
  for (const auto& [name, objects] : now) {
    all += objects;
    if (objects > before_[name]) grown.emplace_back(objects - before_[name], name);
  }
  std::ranges::sort(grown, std::greater());
  const auto heap = mallinfo2();
  std::printf("[ holds    ] %d inputs: %zu MB resident, %zu MB of the heap in use, %d tabs, %d objects;",
              inputs, residentBytes() >> 20, (heap.uordblks + heap.hblkhd) >> 20, tabs, all);
  for (std::size_t i = 0; i < std::min<std::size_t>(grown.size(), 6); ++i)
    std::printf(" %s +%d", grown[i].second.constData(), grown[i].first);
  std::printf("\n");
  std::fflush(stdout);
  before_ = std::move(now);
}

}  // namespace wb::test
