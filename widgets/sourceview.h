// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/plan/liveset.h"

#include <QWidget>

#include <map>
#include <memory>

class QComboBox;
class QLabel;
class QStandardItemModel;
class QTreeView;

namespace tidemark {

/// Bytes per line of the model's own source, beside the code: what each line allocates in a step, what of it is kept for
/// backward, and what is alive at the peak.
class SourceView : public QWidget {
    Q_OBJECT

public:
    enum Column { Number, Allocated, Saved, AtPeak, Times, Code, ColumnCount };
    static constexpr int kSortRole = Qt::UserRole + 1;   ///< the line's number, or bytes
    static constexpr int kLayerRole = Qt::UserRole + 2;  ///< the layer that takes most of it, −1 for none

    explicit SourceView(QWidget* parent = nullptr);

    void setUnits(ByteUnits units);
    void setModel(const ModelInfo& model);
    /// Null or one without a timeline empties the view. `sources`: the pieces of source, with text where it was found.
    void setMeasurement(std::shared_ptr<const Measurement> measurement, std::vector<SourceText> sources);
    QTreeView* view() const { return m_view; }
    QComboBox* files() const { return m_files; }

public slots:
    /// Marks the lines that belong to this layer and what is below it, and scrolls to the first.
    void setHighlightedLayer(int layer);

signals:
    void layerPicked(int layer);

protected:
    void showEvent(QShowEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void refresh();
    void fillFiles();
    void fill();
    void addLine(int number, const QString& code, const LineUse* use);
    bool belongsTo(int layer, int ancestor) const;
    void mark();

    std::shared_ptr<const Measurement> m_measurement;
    std::vector<SourceText> m_sources;
    std::vector<LineUse> m_uses;
    ModelInfo m_model;
    int m_highlighted = -1;
    bool m_stale = true;
    ByteUnits m_units = ByteUnits::Binary;
    QLabel* m_hint;
    QComboBox* m_files;
    QTreeView* m_view;
    QStandardItemModel* m_rows;
};

}  // namespace tidemark
