// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/plan/fit.h"
#include "engine/plan/settings.h"

#include <QObject>
#include <QString>
#include <QUndoStack>

#include <functional>
#include <vector>

namespace tidemark {

/// One way to run a model: a file and the settings of its step.
struct Variant {
    int id = 0;  ///< never used twice while the window lives
    QString name;
    QString model;  ///< absolute path of the TorchScript file
    Settings settings;
    std::vector<std::vector<InputSpec>> inputSets{};  ///< other inputs to look at beside those of the settings
    bool operator==(const Variant&) const = default;
};

/// What a plan file holds. The card is common to all variants.
struct Plan {
    std::string gpu;
    Bytes memory;     ///< of the card, when it is planned with another size than its own; 0: its own
    Reserve reserve;  ///< what is to stay free of the card
    std::vector<Variant> variants;
    int current = 0;   ///< index into variants
    int baseline = 0;  ///< the variant that others are compared with
    bool operator==(const Plan&) const = default;

    bool isEmpty() const { return variants.empty(); }
};

/// `target` with every setting changed that tells `after` from `before`, so that one change can be made to several
/// variants. What belongs to one model alone (inputs, layers chosen by hand) is left out.
Settings withSameChange(const Settings& target, const Settings& before, const Settings& after);

/// The plan being edited, with undo. Every change goes through edit(), so that views follow one signal.
class Document : public QObject {
    Q_OBJECT

public:
    explicit Document(QObject* parent = nullptr);

    const Plan& plan() const { return m_plan; }
    const Variant* current() const;
    QUndoStack* undoStack() { return &m_undo; }
    int newId() { return ++m_lastId; }

    /// What a step of undo is called, in the language of the moment.
    using StepName = std::function<QString()>;

    /// Replaces the plan as one step of undo. Steps with the same non-empty key that follow each other closely, as
    /// while a slider is dragged, become one.
    void edit(const Plan& plan, const StepName& name, const QString& key = {});
    /// Another plan in the place of this one, as a step of undo, so that a file opened by mistake costs nothing. `file`
    /// is where it is saved; empty for a model.
    void open(const Plan& plan, const StepName& name, const QString& file = {});
    /// Says the steps of undo in another language.
    void renameSteps();
    /// Starts anew: nothing to undo, nothing unsaved.
    void reset(const Plan& plan, const QString& file = {});

    QString file() const { return m_file; }
    void setSaved(const QString& file);
    bool isModified() const { return !m_undo.isClean(); }

signals:
    void changed();
    void fileChanged();

private:
    friend class PlanEdit;
    void apply(const Plan& plan, const QString& file);

    Plan m_plan;
    QUndoStack m_undo;
    QString m_file;
    int m_lastId = 0;
};

}  // namespace tidemark
