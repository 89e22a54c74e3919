// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QWidget>

#include <vector>

class QLabel;
class QVBoxLayout;

namespace tidemark {

/// A file offered where nothing is open yet.
struct Offer {
    QString title;
    QString hint;
    QString file;
};

/// What the window shows before a model is open: what to do, how to export a model, samples and recent files.
class EmptyState : public QWidget {
    Q_OBJECT

public:
    explicit EmptyState(QWidget* parent = nullptr);

    void setSamples(const std::vector<Offer>& samples);
    void setRecent(const std::vector<Offer>& recent);

signals:
    void openWished();
    void fileWished(const QString& file);

protected:
    void changeEvent(QEvent* event) override;

private:
    void fill(QWidget* group, QVBoxLayout* list, const std::vector<Offer>& offers);
    void refresh();

    QLabel* m_logo;
    QWidget* m_sampleGroup;
    QWidget* m_recentGroup;
    QVBoxLayout* m_samples;
    QVBoxLayout* m_recent;
};

}  // namespace tidemark
