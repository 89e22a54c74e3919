// SPDX-License-Identifier: Apache-2.0
#include "app/window/document.h"

#include <nlohmann/json.hpp>

#include <QElapsedTimer>
#include <QHash>

namespace tidemark {
namespace {

constexpr qint64 kMergeWithinMs = 1500;

void applyChange(nlohmann::json& target, const nlohmann::json& before, const nlohmann::json& after) {
    for (const auto& [key, value] : after.items()) {
        const auto old = before.find(key);
        if (old != before.end() && *old == value) continue;
        if (value.is_object() && old != before.end())
            applyChange(target[key], *old, value);
        else
            target[key] = value;
    }
}

}  // namespace

class PlanEdit : public QUndoCommand {
public:
    PlanEdit(Document& document, Plan after, Document::StepName name, const QString& key)
        : QUndoCommand(name()),
          m_document(document),
          m_before(document.plan()),
          m_after(std::move(after)),
          m_name(std::move(name)),
          m_key(key) {
        m_age.start();
    }

    void rename() { setText(m_name()); }

    void undo() override { m_document.apply(m_before); }
    void redo() override { m_document.apply(m_after); }
    int id() const override { return m_key.isEmpty() ? -1 : static_cast<int>(qHash(m_key) & 0x7fffffff); }

    bool mergeWith(const QUndoCommand* other) override {
        const auto* next = static_cast<const PlanEdit*>(other);
        if (next->m_key != m_key || m_age.elapsed() > kMergeWithinMs) return false;
        m_after = next->m_after;
        m_age.restart();
        setObsolete(m_after == m_before);
        return true;
    }

private:
    Document& m_document;
    Plan m_before;
    Plan m_after;
    Document::StepName m_name;
    QString m_key;
    QElapsedTimer m_age;
};

Settings withSameChange(const Settings& target, const Settings& before, const Settings& after) {
    Settings common = after;
    common.inputs = before.inputs;
    common.frozen = before.frozen;
    if (common.checkpoint.mode == CheckpointMode::Layers) common.checkpoint = before.checkpoint;
    nlohmann::json changed = toJson(target);
    applyChange(changed, toJson(before), toJson(common));
    const auto settings = settingsFromJson(changed);
    return settings ? settings.value() : target;
}

Document::Document(QObject* parent) : QObject(parent) {
    connect(&m_undo, &QUndoStack::cleanChanged, this, &Document::fileChanged);
}

const Variant* Document::current() const {
    return m_plan.current >= 0 && m_plan.current < static_cast<int>(m_plan.variants.size())
               ? &m_plan.variants[m_plan.current]
               : nullptr;
}

void Document::edit(const Plan& plan, const StepName& name, const QString& key) {
    if (plan != m_plan) m_undo.push(new PlanEdit(*this, plan, name, key));
}

void Document::renameSteps() {
    // The stack shows its commands as constants; all of them were made here.
    for (int i = 0; i < m_undo.count(); ++i)
        const_cast<PlanEdit*>(static_cast<const PlanEdit*>(m_undo.command(i)))->rename();
}

void Document::reset(const Plan& plan, const QString& file) {
    m_undo.clear();
    m_file = file;
    apply(plan);
    emit fileChanged();
}

void Document::setSaved(const QString& file) {
    m_file = file;
    m_undo.setClean();
    emit fileChanged();
}

void Document::apply(const Plan& plan) {
    m_plan = plan;
    emit changed();
}

}  // namespace tidemark
