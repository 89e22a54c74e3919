// SPDX-License-Identifier: Apache-2.0
#include "widgets/layertreemodel.h"

#include "widgets/text.h"

#include <QFont>

#include <algorithm>
#include <numeric>

namespace tidemark {
namespace {

constexpr double kMarkedShare = 0.5;

/// Broken at the first space, so that a column of numbers need not be as wide as its title.
QString twoLines(QString title) {
    const qsizetype space = title.indexOf(QLatin1Char(' '));
    if (space > 0) title[space] = QLatin1Char('\n');
    return title;
}

QString columnHint(int column) {
    switch (column) {
    case LayerTreeModel::Layer: return LayerTreeModel::tr("Name of the module");
    case LayerTreeModel::Type: return LayerTreeModel::tr("Class of the module");
    case LayerTreeModel::Output: return LayerTreeModel::tr("Type and shape of what the module returns");
    case LayerTreeModel::Parameters: return LayerTreeModel::tr("Number of parameters; shared ones count once");
    case LayerTreeModel::Weights: return LayerTreeModel::tr("Bytes of the parameters in the model file's type");
    case LayerTreeModel::Saved:
        return LayerTreeModel::tr(
            "What the forward pass keeps for the backward pass: the part that grows with the batch");
    case LayerTreeModel::Gradients: return LayerTreeModel::tr("Gradients of the parameters");
    case LayerTreeModel::OptimizerState: return LayerTreeModel::tr("What the optimizer keeps for the parameters");
    case LayerTreeModel::ForwardTemporary:
        return LayerTreeModel::tr("Most that the forward pass allocated and freed again");
    case LayerTreeModel::BackwardTemporary:
        return LayerTreeModel::tr("Most that the backward pass allocated and freed again");
    case LayerTreeModel::LiveAtPeak: return LayerTreeModel::tr("Bytes of this layer that are alive at the peak");
    case LayerTreeModel::ShareOfPeak:
        return LayerTreeModel::tr("Share of the allocated peak that belongs to this layer");
    case LayerTreeModel::Calls: return LayerTreeModel::tr("How often the forward pass calls the module");
    case LayerTreeModel::MultiplyAccumulates:
        return LayerTreeModel::tr("Multiply-accumulate operations of one forward pass");
    default: return {};
    }
}

}  // namespace

LayerTreeModel::LayerTreeModel(QObject* parent) : QAbstractItemModel(parent) {}

bool LayerTreeModel::isSize(int column) { return column >= Weights && column <= LiveAtPeak; }

QString LayerTreeModel::columnTitle(int column) {
    switch (column) {
    case Layer: return tr("Layer");
    case Type: return tr("Type");
    case Output: return tr("Output");
    case Parameters: return tr("Params");
    case Weights: return tr("Weights");
    case Saved: return tr("Saved activations");
    case Gradients: return tr("Gradients");
    case OptimizerState: return tr("Optimizer state");
    case ForwardTemporary: return tr("Forward temp");
    case BackwardTemporary: return tr("Backward temp");
    case LiveAtPeak: return tr("Live at peak");
    case ShareOfPeak: return tr("% of peak");
    case Calls: return tr("Calls");
    case MultiplyAccumulates: return tr("MACs");
    default: return {};
    }
}

void LayerTreeModel::setModel(const ModelInfo& model) {
    beginResetModel();
    m_model = model;
    const auto count = m_model.layers.size();
    m_children.assign(count, {});
    m_rowInParent.assign(count, 0);
    for (std::size_t i = 0; i < count; ++i) {
        const int parent = m_model.layers[i].parent;
        if (parent < 0 || parent >= static_cast<int>(i)) continue;
        m_rowInParent[i] = static_cast<int>(m_children[parent].size());
        m_children[parent].push_back(static_cast<int>(i));
    }
    m_use.clear();
    m_hasUse = false;
    m_peak = {};
    m_peakLayer = -1;
    m_checkpointed.assign(count, false);
    rebuildFigures();
    endResetModel();
}

void LayerTreeModel::clear() { setModel({}); }

void LayerTreeModel::setUse(const std::vector<LayerUse>& use, Bytes peak, const std::string& peakLayer) {
    if (use.size() != m_model.layers.size() || use.empty()) {
        clearUse();
        return;
    }
    m_use = use;
    m_peak = peak;
    m_peakLayer = m_model.indexOf(peakLayer);
    m_hasUse = true;
    rebuildFigures();
    figuresChanged();
}

void LayerTreeModel::clearUse() {
    if (!m_hasUse) return;
    m_use.clear();
    m_hasUse = false;
    m_peakLayer = -1;
    rebuildFigures();
    figuresChanged();
}

void LayerTreeModel::setCheckpointed(const std::vector<std::string>& paths) {
    std::vector<bool> marks(m_model.layers.size(), false);
    for (const auto& path : paths) {
        const int layer = m_model.indexOf(path);
        if (layer >= 0) marks[layer] = true;
    }
    if (marks == m_checkpointed) return;
    m_checkpointed = std::move(marks);
    figuresChanged();
}

void LayerTreeModel::setUnits(ByteUnits units) {
    if (units == m_units) return;
    m_units = units;
    figuresChanged();
    emit headerDataChanged(Qt::Horizontal, 0, ColumnCount - 1);
}

void LayerTreeModel::setFlat(bool flat) {
    if (flat == m_flat) return;
    beginResetModel();
    m_flat = flat;
    endResetModel();
}

void LayerTreeModel::rebuildFigures() {
    const auto count = m_model.layers.size();
    m_own.assign(count, {});
    for (std::size_t i = 0; i < count; ++i) {
        auto& own = m_own[i].values;
        own[Parameters] = m_model.layers[i].parameters;
        own[Weights] = m_model.layers[i].weights.count;
        if (!m_hasUse) continue;
        const LayerUse& use = m_use[i];
        own[Saved] = use.saved.count;
        own[Gradients] = use.gradients.count;
        own[OptimizerState] = use.optimizerState.count;
        own[ForwardTemporary] = use.forwardTemporary.count;
        own[BackwardTemporary] = use.backwardTemporary.count;
        own[LiveAtPeak] = use.liveAtPeak.count;
        own[MultiplyAccumulates] = use.multiplyAccumulates;
    }
    m_total = m_own;
    for (std::size_t i = count; i-- > 1;) {
        const int parent = m_model.layers[i].parent;
        if (parent < 0) continue;
        for (int column = 0; column < ColumnCount; ++column)
            m_total[parent].values[column] += m_total[i].values[column];
    }
    markPeakCauses();
}

void LayerTreeModel::markPeakCauses() {
    const auto count = m_model.layers.size();
    m_peakCause.assign(count, false);
    if (!m_hasUse || m_peak.count <= 0) return;
    std::vector<int> order(count);
    std::iota(order.begin(), order.end(), 0);
    const auto live = [this](int layer) { return m_own[layer].values[LiveAtPeak]; };
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return live(a) > live(b); });
    const qint64 all =
        std::accumulate(order.begin(), order.end(), qint64{0}, [&](qint64 sum, int i) { return sum + live(i); });
    qint64 covered = 0;
    for (const int layer : order) {
        if (live(layer) <= 0 || static_cast<double>(covered) >= kMarkedShare * static_cast<double>(all)) break;
        m_peakCause[layer] = true;
        covered += live(layer);
    }
}

void LayerTreeModel::figuresChanged() {
    const auto announce = [this](auto&& self, const QModelIndex& parent) -> void {
        const int rows = rowCount(parent);
        if (rows == 0) return;
        emit dataChanged(index(0, 0, parent), index(rows - 1, ColumnCount - 1, parent));
        for (int row = 0; row < rows; ++row) self(self, index(row, 0, parent));
    };
    announce(announce, {});
}

QModelIndex LayerTreeModel::indexOfLayer(int layer, int column) const {
    if (layer < 0 || layer >= static_cast<int>(m_model.layers.size())) return {};
    if (m_flat) return createIndex(layer, column, quintptr(layer));
    return createIndex(m_rowInParent[layer], column, quintptr(layer));
}

QModelIndex LayerTreeModel::index(int row, int column, const QModelIndex& parent) const {
    if (!hasIndex(row, column, parent)) return {};
    if (m_flat) return createIndex(row, column, quintptr(row));
    if (!parent.isValid()) return createIndex(0, column, quintptr(0));
    return createIndex(row, column, quintptr(m_children[parent.internalId()][row]));
}

QModelIndex LayerTreeModel::parent(const QModelIndex& child) const {
    if (!child.isValid() || m_flat) return {};
    return indexOfLayer(m_model.layers[child.internalId()].parent);
}

int LayerTreeModel::rowCount(const QModelIndex& parent) const {
    if (parent.column() > 0 || m_model.layers.empty()) return 0;
    if (m_flat) return parent.isValid() ? 0 : static_cast<int>(m_model.layers.size());
    if (!parent.isValid()) return 1;
    return static_cast<int>(m_children[parent.internalId()].size());
}

int LayerTreeModel::columnCount(const QModelIndex&) const { return ColumnCount; }

QVariant LayerTreeModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid()) return {};
    const int layer = static_cast<int>(index.internalId());
    const int column = index.column();
    switch (role) {
    case Qt::DisplayRole: return displayData(layer, column);
    case Qt::ToolTipRole: return toolTip(layer, column);
    case Qt::TextAlignmentRole:
        return column > Output ? QVariant(Qt::AlignRight | Qt::AlignVCenter)
                               : QVariant(Qt::AlignLeft | Qt::AlignVCenter);
    case SortRole:
        if (column == Layer && !m_flat) return layer;
        return rawData(layer, column);
    case RawRole: return rawData(layer, column);
    case LayerIndexRole: return layer;
    case PathRole: return QString::fromStdString(m_model.layers[layer].path);
    case PeakCauseRole: return bool(m_peakCause[layer]);
    case PeakMomentRole: return m_hasUse && layer == m_peakLayer && m_peakLayer > 0;
    case CheckpointedRole: return bool(m_checkpointed[layer]);
    default: return {};
    }
}

QString LayerTreeModel::sizeNumber(Bytes bytes) const {
    if (bytes.count == 0) return QStringLiteral("–");
    const double value = m_units == ByteUnits::Binary ? bytes.mib() : static_cast<double>(bytes.count) / 1e6;
    if (value < 0.05) return QStringLiteral("<0.1");
    return QString::number(value, 'f', 1);
}

QVariant LayerTreeModel::displayData(int layer, int column) const {
    const LayerInfo& info = m_model.layers[layer];
    const auto& values = figuresOf(layer).values;
    switch (column) {
    case Layer: return QString::fromStdString(m_flat && !info.path.empty() ? info.path : info.name);
    case Type: return QString::fromStdString(info.type);
    case Output: return m_hasUse ? QString::fromStdString(m_use[layer].output) : QString();
    case Parameters: return values[Parameters] == 0 ? QStringLiteral("–") : countText(values[Parameters]);
    case Weights: return sizeNumber({values[Weights]});
    case ShareOfPeak:
        if (!m_hasUse || m_peak.count <= 0) return {};
        return QString::number(100.0 * static_cast<double>(values[LiveAtPeak]) / static_cast<double>(m_peak.count), 'f',
                               1);
    case Calls: return m_hasUse ? QVariant(countText(m_use[layer].calls)) : QVariant();
    case MultiplyAccumulates:
        if (!m_hasUse) return {};
        return values[MultiplyAccumulates] == 0 ? QStringLiteral("–") : shortCountText(values[MultiplyAccumulates]);
    default: return m_hasUse ? QVariant(sizeNumber({values[column]})) : QVariant();
    }
}

QVariant LayerTreeModel::rawData(int layer, int column) const {
    const LayerInfo& info = m_model.layers[layer];
    const auto& values = figuresOf(layer).values;
    switch (column) {
    case Layer: return QString::fromStdString(info.path.empty() ? info.name : info.path);
    case Type: return QString::fromStdString(info.type);
    case Output: return m_hasUse ? QString::fromStdString(m_use[layer].output) : QString();
    case ShareOfPeak:
        return m_peak.count > 0 ? static_cast<double>(values[LiveAtPeak]) / static_cast<double>(m_peak.count) : 0.0;
    case Calls: return m_hasUse ? m_use[layer].calls : 0;
    default: return values[column];
    }
}

QString LayerTreeModel::toolTip(int layer, int column) const {
    const LayerInfo& info = m_model.layers[layer];
    const auto& values = figuresOf(layer).values;
    const QString path = QString::fromStdString(info.path.empty() ? info.name : info.path);
    if (isSize(column)) {
        const QString whole =
            tr("%1 of %2: %3 (%4)")
                .arg(columnTitle(column), path, sizeText({values[column]}, m_units), exactText({values[column]}));
        const qint64 own = m_own[layer].values[column];
        if (m_flat || m_children[layer].empty() || own == 0) return whole;
        return whole + QLatin1Char('\n') +
               tr("Of this, %1 is its own and not its children's").arg(sizeText({own}, m_units));
    }
    if (column == ShareOfPeak && m_hasUse)
        return tr("%1 of the allocated peak of %2")
            .arg(sizeText({values[LiveAtPeak]}, m_units), sizeText(m_peak, m_units));
    if (column == Parameters) return tr("%1 parameters").arg(countText(values[Parameters]));
    if (column == MultiplyAccumulates) return tr("%1 multiply-accumulates").arg(countText(values[MultiplyAccumulates]));
    QString text = path + QStringLiteral("  ·  ") + QString::fromStdString(info.type);
    if (m_hasUse && !m_use[layer].output.empty())
        text += QLatin1Char('\n') + QString::fromStdString(m_use[layer].output);
    if (m_hasUse && layer == m_peakLayer && layer > 0)
        text += QLatin1Char('\n') + tr("The peak is reached while this layer runs");
    if (m_peakCause[layer]) text += QLatin1Char('\n') + tr("One of the layers that hold half of the peak");
    if (m_checkpointed[layer]) text += QLatin1Char('\n') + tr("Checkpointed: recomputed in the backward pass");
    return text;
}

QVariant LayerTreeModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= ColumnCount) return {};
    const QString unit = m_units == ByteUnits::Binary ? tr("MiB") : tr("MB");
    switch (role) {
    case Qt::DisplayRole:
        return isSize(section) ? twoLines(tr("%1, %2").arg(columnTitle(section), unit)) : columnTitle(section);
    case Qt::ToolTipRole: return columnHint(section);
    case Qt::TextAlignmentRole:
        return section > Output ? QVariant(Qt::AlignRight | Qt::AlignVCenter)
                                : QVariant(Qt::AlignLeft | Qt::AlignVCenter);
    case RawHeaderRole:
        if (isSize(section)) return tr("%1 (bytes)").arg(columnTitle(section));
        if (section == ShareOfPeak) return tr("Share of peak");
        return columnTitle(section);
    default: return {};
    }
}

}  // namespace tidemark
