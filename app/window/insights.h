// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/session/session.h"
#include "engine/snapshot/snapshot.h"
#include "widgets/summaryview.h"

#include <QObject>
#include <QTimer>

#include <map>
#include <optional>
#include <string>
#include <vector>

class QAction;
class QTabWidget;

namespace tidemark {

class AdviceFinder;
class AdviceView;
class AxisPage;
class DataParallelPage;
class InputSets;
class LayerTreeView;
class LiveView;
class SourceView;
class TimelinePlot;
class VariantPlanner;

/// The pages beside the step's timeline that say which layer, which line and which kind of memory it is, and what the
/// old rules would have said. It asks the session for the two steps that only the summary page needs, when it is shown.
class InsightPages : public QObject {
    Q_OBJECT

public:
    /// Adds its pages to `tabs`.
    InsightPages(QTabWidget* tabs, Session& session);

    void setUnits(ByteUnits units);
    void setModel(const ModelInfo& model);
    /// What the advice is for follows the planner's figures.
    void showFigures(const VariantPlanner* planner);
    /// The planner's detail as it is now; null empties the pages.
    void showDetail(const VariantPlanner* planner);

    /// Clicks lead from the pages to the layer table and back, and from a moment of the timeline to what is alive then.
    void connectViews(TimelinePlot* timeline, LayerTreeView* layers);

    /// Lays a PyTorch memory snapshot over the timeline. Nothing in the file is run.
    bool openSnapshot(const QString& file);
    void closeSnapshot();
    /// The step shown, as a file that memory_viz opens.
    bool exportSnapshot(const QString& file);
    /// Commands for the menus: lay a snapshot over the step, remove it, write one.
    QList<QAction*> snapshotActions() const { return {m_openSnapshot, m_closeSnapshot, m_exportSnapshot}; }

    /// Takes away the pages that ask the session, before it or the tabs go.
    void leaveSession();
    std::optional<MemorySnapshot> snapshot() const { return m_snapshot; }
    void setSnapshot(std::optional<MemorySnapshot> snapshot);

    AxisPage* axes() const { return m_axes; }
    AdviceFinder* adviceFinder() const { return m_finder; }
    AdviceView* advice() const { return m_advice; }
    InputSets* inputSets() const { return m_sets; }
    DataParallelPage* dataParallel() const { return m_parallel; }
    LiveView* live() const { return m_live; }
    SummaryView* summary() const { return m_summary; }
    SourceView* source() const { return m_source; }

signals:
    void settingsWished(const tidemark::Settings& settings);
    void failed(const tidemark::Error& error);
    void noted(const QString& text);

private:
    void buildActions();
    void showOverlay();
    /// Advice is measured for the page in sight, or for a report.
    void findAdvice();
    void showAdvice();
    /// Copies of the sources are made for the page in sight alone.
    void showSource();
    /// Traced models keep only files and lines: the text comes from the file itself where it is on this machine, read
    /// once for a model and not for every step that is shown.
    std::vector<SourceText> withTexts(std::vector<SourceText> sources);
    void askTruth();
    Session::RequestId ask(Settings settings);

    QTabWidget* m_tabs;
    Session& m_session;
    LiveView* m_live;
    SummaryView* m_summary;
    SourceView* m_source;
    AxisPage* m_axes;
    InputSets* m_sets;
    DataParallelPage* m_parallel;
    AdviceView* m_advice;
    AdviceFinder* m_finder;
    QTimer m_adviceSoon;   ///< while a slider is dragged, each batch would be a new question
    QTimer m_showSoon;     ///< answers that come together are shown together
    Gpu m_gpu;
    Reserve m_reserve;
    TimelinePlot* m_timeline = nullptr;
    QAction* m_openSnapshot = nullptr;
    QAction* m_closeSnapshot = nullptr;
    QAction* m_exportSnapshot = nullptr;
    ByteUnits m_units = ByteUnits::Binary;
    ModelInfo m_model;
    std::map<std::string, std::string> m_fileTexts;  ///< by path; empty where the file cannot be read
    MeasurementPtr m_detail;
    std::optional<MemorySnapshot> m_snapshot;
    MeasureRequest m_request;  ///< the step that is shown
    SummaryTruth m_truth;
    bool m_truthAsked = true;
    bool m_sourceStale = false;
    Session::RequestId m_mixedId = 0;
    Session::RequestId m_forwardId = 0;
};

}  // namespace tidemark
