// SPDX-License-Identifier: Apache-2.0
#include "tests/window/synthetic.h"
#include "widgets/layertreeview.h"

#include <QAbstractItemModelTester>
#include <QApplication>
#include <QClipboard>
#include <QLineEdit>
#include <QSignalSpy>
#include <QTest>
#include <QTreeView>

using namespace tidemark;

namespace {

/// A small network: two blocks of two layers under a root that owns one parameter itself.
ModelInfo smallModel() {
    ModelInfo model;
    const auto add = [&](const char* path, const char* name, const char* type, int parent, std::int64_t parameters) {
        LayerInfo layer;
        layer.path = path;
        layer.name = name;
        layer.type = type;
        layer.parent = parent;
        layer.parameters = layer.trainable = parameters;
        layer.weights = {parameters * 4};
        model.layers.push_back(layer);
    };
    add("", "Net", "Net", -1, 1);
    add("a", "a", "Block", 0, 0);
    add("a.conv", "conv", "Conv2d", 1, 1000);
    add("a.norm", "norm", "BatchNorm2d", 1, 20);
    add("b", "b", "Block", 0, 0);
    add("b.conv", "conv", "Conv2d", 4, 3000);
    return model;
}

std::vector<LayerUse> smallUse() {
    std::vector<LayerUse> use(6);
    const auto set = [&](int i, std::int64_t saved, std::int64_t live) {
        use[i].saved = kMiB * saved;
        use[i].liveAtPeak = kMiB * live;
        use[i].calls = 1;
    };
    set(0, 0, 1);
    set(2, 30, 31);
    set(3, 10, 10);
    set(5, 5, 58);
    return use;
}

/// The rows as text: name and the shown value of one column, indented by depth.
QString dump(const QAbstractItemModel& model, int column, const QModelIndex& parent = {}, int depth = 0) {
    QString text;
    for (int row = 0; row < model.rowCount(parent); ++row) {
        const QModelIndex index = model.index(row, 0, parent);
        text += QString(depth * 2, ' ') + index.data().toString() + ' ' +
                index.siblingAtColumn(column).data().toString() + '\n';
        text += dump(model, column, index, depth + 1);
    }
    return text;
}

}  // namespace

class LayerTreeTest : public QObject {
    Q_OBJECT

private slots:
    void modelKeepsItsPromisesThroughChanges() {
        LayerTreeModel model;
        QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.setModel(smallModel());
        model.setUse(smallUse(), kMiB * 100, "b.conv");
        model.setFlat(true);
        model.setUnits(ByteUnits::Decimal);
        model.setCheckpointed({"a"});
        model.setFlat(false);
        model.clearUse();
        model.setModel(syntheticModel());
        model.clear();
        QCOMPARE(model.rowCount(), 0);
    }

    void parentsSumTheirChildren() {
        LayerTreeModel model;
        model.setModel(smallModel());
        model.setUse(smallUse(), kMiB * 100, "");
        QCOMPARE(dump(model, LayerTreeModel::Saved), QStringLiteral("Net 45.0\n"
                                                                    "  a 40.0\n"
                                                                    "    conv 30.0\n"
                                                                    "    norm 10.0\n"
                                                                    "  b 5.0\n"
                                                                    "    conv 5.0\n"));
        QCOMPARE(dump(model, LayerTreeModel::Parameters), QStringLiteral("Net 4,021\n"
                                                                         "  a 1,020\n"
                                                                         "    conv 1,000\n"
                                                                         "    norm 20\n"
                                                                         "  b 3,000\n"
                                                                         "    conv 3,000\n"));
    }

    void flatRowsShowLayersAlone() {
        LayerTreeModel model;
        model.setModel(smallModel());
        model.setUse(smallUse(), kMiB * 100, "");
        model.setFlat(true);
        QCOMPARE(dump(model, LayerTreeModel::ShareOfPeak),
                 QStringLiteral("Net 1.0\na 0.0\na.conv 31.0\na.norm 10.0\nb 0.0\nb.conv 58.0\n"));
    }

    void everyColumnSumsToTheWhole() {
        const ModelInfo info = syntheticModel();
        const Measurement measured = syntheticMeasurement(info, {}, {}, true, false);
        LayerTreeModel model;
        model.setModel(info);
        model.setUse(measured.layers, measured.steady.allocated, "");
        const QModelIndex root = model.index(0, LayerTreeModel::LiveAtPeak);
        QCOMPARE(root.data(LayerTreeModel::RawRole).toLongLong(), qint64(measured.steady.allocated.count));
        Bytes saved;
        for (const auto& use : measured.layers) saved += use.saved;
        QVERIFY(saved.count > 0);
        QCOMPARE(root.siblingAtColumn(LayerTreeModel::Saved).data(LayerTreeModel::RawRole).toLongLong(),
                 qint64(saved.count));
    }

    void layersThatHoldHalfThePeakAreMarked() {
        LayerTreeModel model;
        model.setModel(smallModel());
        model.setUse(smallUse(), kMiB * 100, "a.norm");
        QStringList marked;
        for (int layer = 0; layer < 6; ++layer)
            if (model.indexOfLayer(layer).data(LayerTreeModel::PeakCauseRole).toBool())
                marked << model.indexOfLayer(layer).data(LayerTreeModel::PathRole).toString();
        QCOMPARE(marked, QStringList{"b.conv"});
        QVERIFY(model.indexOfLayer(3).data(LayerTreeModel::PeakMomentRole).toBool());
        QVERIFY(!model.indexOfLayer(2).data(LayerTreeModel::PeakMomentRole).toBool());
    }

    void sizesSortAsNumbersNotAsText() {
        LayerTreeView view;
        view.model()->setModel(smallModel());
        view.model()->setUse(smallUse(), kMiB * 100, "");
        view.setFlat(true);
        view.view()->sortByColumn(LayerTreeModel::Saved, Qt::DescendingOrder);
        QStringList order;
        for (int row = 0; row < 3; ++row) order << view.view()->model()->index(row, 0).data().toString();
        QCOMPARE(order, (QStringList{"a.conv", "a.norm", "b.conv"}));
    }

    void filterKeepsParents() {
        LayerTreeView view;
        view.model()->setModel(smallModel());
        view.filterBox()->setText("b.conv");
        QCOMPARE(dump(*view.view()->model(), LayerTreeModel::Type),
                 QStringLiteral("Net Net\n  b Block\n    conv Conv2d\n"));
        view.filterBox()->setText("batchnorm");
        QCOMPARE(dump(*view.view()->model(), LayerTreeModel::Type),
                 QStringLiteral("Net Net\n  a Block\n    norm BatchNorm2d\n"));
        view.filterBox()->setText("nothing like it");
        QCOMPARE(view.view()->model()->rowCount(), 0);
        view.filterBox()->clear();
        QCOMPARE(view.view()->model()->rowCount(), 1);
    }

    void brokenRegexKeepsTheLastFilter() {
        LayerFilter filter;
        LayerTreeModel model;
        model.setModel(smallModel());
        filter.setSourceModel(&model);
        QVERIFY(filter.setPattern("^a\\.", true));
        const QString before = dump(filter, LayerTreeModel::Type);
        QVERIFY(!filter.setPattern("^a(", true));
        QCOMPARE(dump(filter, LayerTreeModel::Type), before);
        QVERIFY(filter.setPattern("^a(", false));
        QCOMPARE(filter.rowCount(), 0);
    }

    void csvHoldsBytesAndRespectsFilterAndColumns() {
        LayerTreeView view;
        view.model()->setModel(smallModel());
        view.model()->setUse(smallUse(), kMiB * 100, "");
        for (int column = 0; column < LayerTreeModel::ColumnCount; ++column) view.setColumnVisible(column, false);
        view.setColumnVisible(LayerTreeModel::Saved, true);
        view.filterBox()->setText("a.conv");
        QCOMPARE(view.toCsv(),
                 QStringLiteral("Layer,Saved activations (bytes)\nNet,47185920\na,41943040\na.conv,31457280\n"));
    }

    void copyTakesTheSelectionWithAHeader() {
        LayerTreeView view;
        view.model()->setModel(smallModel());
        for (int column = 0; column < LayerTreeModel::ColumnCount; ++column) view.setColumnVisible(column, false);
        view.setColumnVisible(LayerTreeModel::Parameters, true);
        view.view()->expandAll();
        view.selectLayer(5);
        view.show();
        view.view()->setFocus();
        QTest::keyClick(view.view(), Qt::Key_C, Qt::ControlModifier);
        QCOMPARE(QApplication::clipboard()->text(), QStringLiteral("Layer\tParams\n    conv\t3,000\n"));
    }

    void selectionIsAnnouncedAndKeptAcrossForms() {
        LayerTreeView view;
        view.model()->setModel(smallModel());
        QSignalSpy selected(&view, &LayerTreeView::layerSelected);
        view.selectLayer(3);
        QCOMPARE(selected.last().first().toInt(), 3);
        view.setFlat(true);
        QCOMPARE(view.selectedLayer(), 3);
        view.selectLayer(-1);
        QCOMPARE(view.selectedLayer(), -1);
    }
};

QTEST_MAIN(LayerTreeTest)
#include "tst_layertree.moc"
