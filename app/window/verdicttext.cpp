// SPDX-License-Identifier: Apache-2.0
#include "app/window/verdicttext.h"

#include "widgets/text.h"
#include "widgets/theme.h"

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>

namespace tidemark {
namespace {

struct Verdict {
    Q_DECLARE_TR_FUNCTIONS(Verdict)
};

QString cardText(const Gpu& gpu) {
    const QString label = QString::fromStdString(gpu.label);
    return withArticle(gpu).rfind("an ", 0) == 0 ? Verdict::tr("an %1").arg(label) : Verdict::tr("a %1").arg(label);
}

QString largestText(const std::optional<LargestBatch>& largest) {
    if (!largest) return {};
    if (largest->limitReached)
        return Verdict::tr("; batch %1 fits, larger ones were not tried").arg(countText(largest->batch));
    if (!largest->monotone)
        return Verdict::tr("; largest batch %1, though single larger ones fit").arg(countText(largest->batch));
    return largest->batch > 0 ? Verdict::tr("; largest batch %1").arg(countText(largest->batch))
                              : Verdict::tr("; not even batch 1 fits");
}

}  // namespace

QString verdictText(const Fit& fit, const Gpu& gpu, const std::optional<LargestBatch>& largest, ByteUnits units) {
    const QString card = cardText(gpu);
    const auto size = [units](Bytes bytes) { return sizeText(bytes, units); };
    QString head;
    switch (fit.level) {
    case FitLevel::Fits: head = Verdict::tr("Fits %1 with %2 to spare").arg(card, size(fit.spare)); break;
    case FitLevel::Tight:
        head = fit.afterRetry
                   ? Verdict::tr("Just fits %1, because LibTorch gives cached blocks back when it runs out").arg(card)
                   : Verdict::tr("Probably fits %1 with %2 to spare, but may take up to %3 more")
                         .arg(card, size(fit.spare), size(fit.process.high - fit.process.value));
        break;
    case FitLevel::DoesNotFit:
        head = fit.spare < Bytes{} ? Verdict::tr("Does not fit %1: %2 too much").arg(card, size(-fit.spare))
                                   : Verdict::tr("Does not fit %1").arg(card);
    }
    return head + largestText(largest);
}

QString verdictGrounds(const Fit& fit, const CategoryBytes& categories, const Measurement* exact, ByteUnits units) {
    QStringList parts;
    parts << Verdict::tr("Process memory %1 of %2")
                 .arg(sizeText(fit.process.value, units), sizeText(fit.capacity, units));
    const Category part = *std::max_element(kCategories.begin(), kCategories.end(),
                                            [&](Category a, Category b) { return categories[a] < categories[b]; });
    const Bytes total = categories.total();
    if (total.count > 0)
        parts << Verdict::tr("mostly %1 (%2)")
                     .arg(categoryLabel(part).toLower(),
                          percentText(static_cast<double>(categories[part].count) / static_cast<double>(total.count)));
    if (exact && !exact->peakPhase.empty()) {
        const QString phase = phaseText(exact->peakPhase);
        parts << (exact->peakLayer.empty()
                      ? Verdict::tr("peak in %1").arg(phase)
                      : Verdict::tr("peak in %1 at %2").arg(phase, QString::fromStdString(exact->peakLayer)));
    }
    if (exact && exact->deviceReads > 0)
        parts << Verdict::tr("%1 values read back as zero").arg(countText(exact->deviceReads));
    return parts.join(QStringLiteral("  ·  "));
}

}  // namespace tidemark
