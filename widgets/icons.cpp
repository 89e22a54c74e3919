// SPDX-License-Identifier: Apache-2.0
#include "widgets/icons.h"

#include <QFile>
#include <QIconEngine>
#include <QPainter>
#include <QSvgRenderer>

namespace tidemark {
namespace {

QByteArray colored(const QString& name, const QColor& color) {
    QFile file(QStringLiteral(":/icons/%1.svg").arg(name));
    if (!file.open(QIODevice::ReadOnly)) return {};
    return file.readAll().replace("currentColor", color.name().toLatin1());
}

class SvgIconEngine : public QIconEngine {
public:
    explicit SvgIconEngine(QByteArray svg) : m_svg(std::move(svg)) {}

    void paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State) override {
        QSvgRenderer renderer(m_svg);
        painter->save();
        if (mode == QIcon::Disabled) painter->setOpacity(0.4);
        renderer.render(painter, rect);
        painter->restore();
    }

    QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State state) override {
        QPixmap picture(size);
        picture.fill(Qt::transparent);
        QPainter painter(&picture);
        paint(&painter, QRect(QPoint(0, 0), size), mode, state);
        return picture;
    }

    QIconEngine* clone() const override { return new SvgIconEngine(m_svg); }
    QString key() const override { return QStringLiteral("tidemark-svg"); }
    QList<QSize> availableSizes(QIcon::Mode, QIcon::State) override {
        return {{16, 16}, {20, 20}, {24, 24}, {32, 32}, {64, 64}};
    }

private:
    QByteArray m_svg;
};

}  // namespace

QIcon icon(const QString& name, const QColor& color) { return QIcon(new SvgIconEngine(colored(name, color))); }

QPixmap iconPixmap(const QString& name, const QColor& color, int side, qreal devicePixelRatio) {
    QPixmap picture(QSize(side, side) * devicePixelRatio);
    picture.fill(Qt::transparent);
    picture.setDevicePixelRatio(devicePixelRatio);
    QPainter painter(&picture);
    QSvgRenderer(colored(name, color)).render(&painter, QRectF(0, 0, side, side));
    return picture;
}

}  // namespace tidemark
