// SPDX-License-Identifier: Apache-2.0
#include "app/window/document.h"

#include <nlohmann/json.hpp>

#include <QElapsedTimer>
#include <QHash>

#include <optional>

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
    PlanEdit(Document& document, Plan after, std::optional<QString> file, Document::StepName name, const QString& key)
        : QUndoCommand(name()),
          m_document(document),
          m_before(document.plan()),
          m_after(std::move(after)),
          m_otherFile(std::move(file)),
          m_name(std::move(name)),
          m_key(key) {
        m_age.start();
    }

    void rename() { setText(m_name()); }

    void undo() override { show(m_before); }
    void redo() override { show(m_after); }
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
    void show(const Plan& plan) {
        const QString file = m_document.file();
        m_document.apply(plan, m_otherFile.value_or(file));
        if (m_otherFile) m_otherFile = file;
    }

    Document& m_document;
    Plan m_before;
    Plan m_after;
    std::optional<QString> m_otherFile;  ///< of the plan out of sight, where the step came with another file
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
    if (plan != m_plan) m_undo.push(new PlanEdit(*this, plan, {}, name, key));
}

void Document::open(const Plan& plan, const StepName& name, const QString& file) {
    if (m_plan.isEmpty()) return reset(plan, file);
    m_undo.push(new PlanEdit(*this, plan, file, name, {}));
    if (!file.isEmpty()) m_undo.setClean();
}

void Document::renameSteps() {
    // The stack shows its commands as constants; all of them were made here.
    for (int i = 0; i < m_undo.count(); ++i)
        const_cast<PlanEdit*>(static_cast<const PlanEdit*>(m_undo.command(i)))->rename();
}

void Document::reset(const Plan& plan, const QString& file) {
    m_undo.clear();
    m_file = file;
    apply(plan, file);
    emit fileChanged();
}

void Document::setSaved(const QString& file) {
    m_file = file;
    m_undo.setClean();
    emit fileChanged();
}

void Document::apply(const Plan& plan, const QString& file) {
    m_plan = plan;
    const bool renamed = m_file != file;
    m_file = file;
    emit changed();
    if (renamed) emit fileChanged();
}

}  // namespace tidemark
