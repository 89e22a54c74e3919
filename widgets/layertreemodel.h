// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/plan/measurement.h"
#include "engine/plan/modelinfo.h"

#include <QAbstractItemModel>

#include <vector>

namespace tidemark {

/// The layers of a model as a tree, with what each takes in the steady step. A row shows the sum of the layer and
/// everything below it; in the flat form each row shows the layer alone, so that sorting finds the largest one.
class LayerTreeModel : public QAbstractItemModel {
    Q_OBJECT

public:
    enum Column {
        Layer,
        Type,
        Output,
        Parameters,
        Weights,
        Saved,
        Gradients,
        OptimizerState,
        ForwardTemporary,
        BackwardTemporary,
        LiveAtPeak,
        ShareOfPeak,
        Calls,
        MultiplyAccumulates,
        ColumnCount
    };
    enum Role {
        SortRole = Qt::UserRole + 1,  ///< number or text to sort by
        RawRole,                      ///< the exact value for export: bytes, counts, shares as numbers
        RawHeaderRole,                ///< header with the unit of RawRole: "Weights (bytes)"
        LayerIndexRole,               ///< index into ModelInfo::layers
        PathRole,                     ///< "layer1.0.conv1"
        PeakCauseRole,                ///< true for the layers that hold the larger half of the peak
        PeakMomentRole,               ///< true for the layer that runs at the moment of the peak
        CheckpointedRole              ///< true when the settings checkpoint this layer
    };

    explicit LayerTreeModel(QObject* parent = nullptr);

    void setModel(const ModelInfo& model);
    void clear();
    /// What the layers take; index i belongs to ModelInfo::layers[i]. A vector of another size clears the figures.
    void setUse(const std::vector<LayerUse>& use, Bytes peak, const std::string& peakLayer);
    void clearUse();
    void setCheckpointed(const std::vector<std::string>& paths);
    void setUnits(ByteUnits units);
    void setFlat(bool flat);
    bool isFlat() const { return m_flat; }

    const ModelInfo& model() const { return m_model; }
    bool hasUse() const { return !m_own.empty() && m_hasUse; }
    QModelIndex indexOfLayer(int layer, int column = Layer) const;
    static bool isSize(int column);
    static QString columnTitle(int column);

    QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
    QModelIndex parent(const QModelIndex& child) const override;
    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

private:
    /// The additive figures of a layer, in the order of Column.
    struct Figures {
        qint64 values[ColumnCount] = {};
    };

    void rebuildFigures();
    void markPeakCauses();
    const Figures& figuresOf(int layer) const { return m_flat ? m_own[layer] : m_total[layer]; }
    QVariant displayData(int layer, int column) const;
    QVariant rawData(int layer, int column) const;
    QString toolTip(int layer, int column) const;
    QString sizeNumber(Bytes bytes) const;
    void figuresChanged();

    ModelInfo m_model;
    std::vector<LayerUse> m_use;
    std::vector<std::vector<int>> m_children;
    std::vector<int> m_rowInParent;
    std::vector<Figures> m_own;
    std::vector<Figures> m_total;
    std::vector<bool> m_peakCause;
    std::vector<bool> m_checkpointed;
    Bytes m_peak;
    int m_peakLayer = -1;
    bool m_hasUse = false;
    bool m_flat = false;
    ByteUnits m_units = ByteUnits::Binary;
};

}  // namespace tidemark
