// SPDX-License-Identifier: Apache-2.0
#include "tests/window/synthetic.h"
#include "widgets/comparisonview.h"
#include "widgets/settingstext.h"

#include <QSignalSpy>
#include <QStandardItemModel>
#include <QTest>
#include <QTreeView>

using namespace tidemark;

namespace {

Settings changed() {
    Settings settings;
    settings.precision = Precision::AmpBf16;
    settings.checkpoint.mode = CheckpointMode::All;
    return settings;
}

/// The rows of one group: the value of a column by name.
QHash<QString, qint64> values(const ComparisonView& view, int group, int column) {
    QHash<QString, qint64> found;
    const QStandardItem* parent = view.model()->item(group);
    for (int row = 0; row < parent->rowCount(); ++row)
        found[parent->child(row, ComparisonView::Name)->text()] =
            parent->child(row, column)->data(ComparisonView::kBytesRole).toLongLong();
    return found;
}

}  // namespace

class ComparisonViewTest : public QObject {
    Q_OBJECT

private:
    ModelInfo m_model = syntheticModel();
    Measurement m_a = syntheticMeasurement(m_model, {}, {}, true, false);
    Measurement m_b = syntheticMeasurement(m_model, changed(), {}, true, false);

    void show(ComparisonView& view) {
        view.showComparison({"fp32", "bf16", describeDifference({}, changed(), m_model), "fits", "fits too",
                             compare(m_model, m_a, m_model, m_b)});
    }

private slots:
    void kindsSumToTheDifferenceOfThePeaks() {
        ComparisonView view;
        show(view);
        const auto delta = values(view, 0, ComparisonView::Delta);
        qint64 sum = 0;
        for (auto it = delta.begin(); it != delta.end(); ++it)
            if (it.key() != "Allocated" && it.key() != "Reserved") sum += it.value();
        QCOMPARE(sum, qint64((m_b.steady.allocated - m_a.steady.allocated).count));
        QCOMPARE(delta["Allocated"], sum);
        QCOMPARE(delta["Reserved"], qint64((m_b.steady.reserved - m_a.steady.reserved).count));
    }

    void layersSumToTheDifferenceOfThePeaks() {
        ComparisonView view;
        show(view);
        qint64 sum = 0;
        for (const qint64 delta : values(view, 1, ComparisonView::Delta)) sum += delta;
        QCOMPARE(sum, qint64((m_b.steady.allocated - m_a.steady.allocated).count));
        QVERIFY(sum < 0);
    }

    void rowsHoldTheSumOfAllBelowThem() {
        ComparisonView view;
        show(view);
        const auto bytesOf = [](const QStandardItem* parent, int row) {
            return parent->child(row, ComparisonView::Delta)->data(ComparisonView::kBytesRole).toLongLong();
        };
        const Comparison c = compare(m_model, m_a, m_model, m_b);
        qint64 own = 0;
        for (const ComparedLayer& layer : c.layers)
            if (layer.path == "layer2" || layer.path.rfind("layer2.", 0) == 0) own += layer.liveAtPeak.delta().count;
        const QStandardItem* root = nullptr;
        for (int row = 0; row < view.model()->item(1)->rowCount(); ++row)
            if (view.model()->item(1)->child(row)->rowCount() > 0) root = view.model()->item(1)->child(row);
        QVERIFY(root);
        qint64 shown = 0;
        for (int row = 0; row < root->rowCount(); ++row)
            if (root->child(row)->text() == "layer2") shown = bytesOf(root, row);
        QVERIFY(own != 0);
        QCOMPARE(shown, own);
    }

    void addedRemovedAndRenamedLayersAreTold() {
        ModelInfo other = m_model;
        Measurement b = m_b;
        other.layers[static_cast<std::size_t>(other.indexOf("fc"))].path = "head";
        other.layers.push_back(other.layers.back());
        other.layers.back().path = "extra";
        other.layers.back().type = "Dropout";
        other.layers.back().parent = 0;
        b.layers.push_back({});
        ComparisonView view;
        view.showComparison({"old", "new", {}, "fits", "fits too", compare(m_model, m_a, other, b)});
        QStringList names;
        const auto walk = [&](auto&& self, const QStandardItem* item) -> void {
            for (int row = 0; row < item->rowCount(); ++row) {
                names << item->child(row)->text();
                self(self, item->child(row));
            }
        };
        walk(walk, view.model()->item(1));
        QVERIFY2(names.contains("head  (was fc)"), qPrintable(names.join('|')));
        QVERIFY2(names.contains("extra  (added)"), qPrintable(names.join('|')));
    }

    void selectionIsCopiedWithItsHeader() {
        ComparisonView view;
        show(view);
        view.resize(600, 600);
        view.show();
        view.view()->setCurrentIndex(view.model()->item(0)->child(0)->index());
        const QStringList lines = view.selectionText().split('\n', Qt::SkipEmptyParts);
        QCOMPARE(lines.size(), 2);
        QVERIFY(lines[0].startsWith("Name\tfp32, MiB\tbf16, MiB"));
        QVERIFY(lines[1].startsWith("Weights\t"));
    }

    void signsAreInTheTextNotInTheColourAlone() {
        ComparisonView view;
        show(view);
        const QStandardItem* kinds = view.model()->item(0);
        for (int row = 0; row < kinds->rowCount(); ++row) {
            const qint64 delta =
                kinds->child(row, ComparisonView::Delta)->data(ComparisonView::kBytesRole).toLongLong();
            const QString text = kinds->child(row, ComparisonView::Delta)->text();
            if (delta < 0) QVERIFY(text.startsWith(QChar(0x2212)));
            if (delta > 0) QVERIFY(text.startsWith('+'));
            if (delta == 0) QCOMPARE(text, QStringLiteral("–"));
        }
    }

    void differencesOfSettingsAreNamed() {
        const QStringList lines = describeDifference({}, changed(), m_model);
        QCOMPARE(lines, (QStringList{QStringLiteral("Precision: Single (fp32) → Mixed, bf16 (AMP)"),
                                     QStringLiteral("Checkpointing: none → all 16 blocks")}));
        QVERIFY(describeDifference(changed(), changed(), m_model).isEmpty());
    }

    void csvHoldsExactBytes() {
        ComparisonView view;
        show(view);
        const QStringList lines = view.toCsv().split('\n');
        QCOMPARE(lines.first(), QStringLiteral("Name,fp32 (bytes),bf16 (bytes),Δ (bytes)"));
        const QString wanted = QStringLiteral("Allocated,%1,%2,%3")
                                   .arg(m_a.steady.allocated.count)
                                   .arg(m_b.steady.allocated.count)
                                   .arg((m_b.steady.allocated - m_a.steady.allocated).count);
        QVERIFY(lines.contains(wanted));
    }

    void clickOnALayerPicksIt() {
        ComparisonView view;
        show(view);
        view.resize(600, 600);
        view.show();
        QVERIFY(QTest::qWaitForWindowExposed(&view));
        QSignalSpy picked(&view, &ComparisonView::layerPicked);
        const QModelIndex layer = view.model()->item(1)->child(0)->index();
        emit view.view()->clicked(layer);
        QCOMPARE(picked.size(), 1);
        emit view.view()->clicked(view.model()->item(0)->child(0)->index());
        QCOMPARE(picked.size(), 1);
    }
};

QTEST_MAIN(ComparisonViewTest)
#include "tst_comparisonview.moc"
