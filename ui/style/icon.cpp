// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/style/icon.h"

#include <QFile>
#include <QGuiApplication>
#include <QIconEngine>
#include <QPainter>
#include <QPixmapCache>
#include <QSvgRenderer>

#include "ui/style/theme.h"

namespace wb {
namespace {

QColor colorOf(const Theme& theme, IconTone tone) {
  switch (tone) {
    case IconTone::secondary:
      return theme.secondary;
    case IconTone::accent:
      return theme.accent;
    case IconTone::onAccent:
      return theme.onAccent;
    case IconTone::good:
      return theme.good;
    case IconTone::bad:
      return theme.bad;
    case IconTone::warning:
      return theme.warning;
    case IconTone::text:
      break;
  }
  return theme.text;
}

class TintedIcon : public QIconEngine {
 public:
  TintedIcon(QString name, IconTone tone) : name_(std::move(name)), tone_(tone) {}

  void paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State state) override {
    const qreal scale = painter->device() ? painter->device()->devicePixelRatioF() : 1;
    painter->drawPixmap(rect, scaledPixmap(rect.size() * scale, mode, state, scale));
  }

  QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State state) override {
    return scaledPixmap(size, mode, state, 1);
  }

  QPixmap scaledPixmap(const QSize& size, QIcon::Mode mode, QIcon::State, qreal) override {
    if (size.isEmpty()) return {};
    const Theme& theme = themeOf(QGuiApplication::palette());
    const QColor color = mode == QIcon::Disabled ? theme.muted : colorOf(theme, tone_);
    const QString key =
        QStringLiteral("wb-icon/%1/%2/%3x%4").arg(name_, color.name()).arg(size.width()).arg(size.height());
    QPixmap pixmap;
    if (QPixmapCache::find(key, &pixmap)) return pixmap;
    QFile file(QStringLiteral(":/icons/%1.svg").arg(name_));
    if (!file.open(QIODevice::ReadOnly)) return {};
    QSvgRenderer renderer(file.readAll().replace("currentColor", color.name().toLatin1()));
    pixmap = QPixmap(size);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    renderer.render(&painter);
    painter.end();
    QPixmapCache::insert(key, pixmap);
    return pixmap;
  }

  QString iconName() override { return name_; }
  QString key() const override { return QStringLiteral("wb-tinted"); }
  bool isNull() override { return !QFile::exists(QStringLiteral(":/icons/%1.svg").arg(name_)); }
  QIconEngine* clone() const override { return new TintedIcon(*this); }

 private:
  QString name_;
  IconTone tone_;
};

}  // namespace

QIcon icon(const QString& name, IconTone tone) {
  return QIcon(new TintedIcon(name, tone));
}

}  // namespace wb
