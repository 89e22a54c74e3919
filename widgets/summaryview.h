// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/plan/rulesofthumb.h"

#include <QWidget>

#include <memory>

class QStandardItemModel;
class QTextBrowser;
class QTreeView;

namespace tidemark {

/// What the page needs beyond the step itself.
struct SummaryTruth {
    ProcessMemory process;
    std::shared_ptr<const Measurement> mixed;    ///< the same step under AMP; null until it is there
    std::shared_ptr<const Measurement> forward;  ///< one forward pass of one example; null until it is there
};

/// torchsummary's table and figures for people who know them, torchinfo's figures, the truth beside each of them, and
/// what the rules of thumb make of this model.
class SummaryView : public QWidget {
    Q_OBJECT

public:
    explicit SummaryView(QWidget* parent = nullptr);

    void setUnits(ByteUnits units);
    void clear();
    void showMeasurement(const ModelInfo& model, const Settings& settings, std::shared_ptr<const Measurement> measurement);
    void setTruth(const SummaryTruth& truth);
    QTreeView* table() const { return m_table; }
    QString figuresText() const;

protected:
    void changeEvent(QEvent* event) override;

private:
    void fillTable();
    void fillFigures();
    QString figuresHtml() const;
    QString rulesHtml() const;
    QString formulaHtml() const;
    /// `firstWidth`: of the first column, in pixels.
    QString tableHtml(const QStringList& titles, const QList<QStringList>& rows, int firstWidth) const;
    /// "+25 %" in the colour of its size.
    QString errorHtml(Bytes says, Bytes truth) const;

    ModelInfo m_model;
    Settings m_settings;
    std::shared_ptr<const Measurement> m_measurement;
    SummaryTruth m_truth;
    ByteUnits m_units = ByteUnits::Binary;
    QTreeView* m_table;
    QStandardItemModel* m_rows;
    QTextBrowser* m_figures;
};

}  // namespace tidemark
