// SPDX-License-Identifier: Apache-2.0
#include "widgets/settingspanel.h"

#include "engine/plan/axissweep.h"
#include "widgets/batchslider.h"
#include "widgets/icons.h"
#include "widgets/sizebox.h"
#include "widgets/text.h"
#include "widgets/theme.h"

#include <QCheckBox>
#include <QComboBox>
#include <QCompleter>
#include <QEvent>
#include <QFileInfo>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QScrollBar>
#include <QSlider>
#include <QSpinBox>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <set>

namespace tidemark {
namespace {

constexpr int kLabelCharacters = 17;
constexpr int kLargestCards = 65536;
constexpr int kLargestBucket = 65536;
constexpr int kLargestAccumulate = 4096;
constexpr int kLargestAxis = 1'000'000;

template <class E>
QComboBox* enumBox(std::initializer_list<E> values, QWidget* parent) {
    auto* box = new QComboBox(parent);
    for (const E value : values) box->addItem(labelOf(value), static_cast<int>(value));
    box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    box->setMinimumContentsLength(12);
    return box;
}

template <class E>
void choose(QComboBox* box, E value) {
    const int row = box->findData(static_cast<int>(value));
    if (row < 0) box->addItem(labelOf(value), static_cast<int>(value));
    box->setCurrentIndex(row < 0 ? box->count() - 1 : row);
}

template <class E>
E chosen(const QComboBox* box) {
    return static_cast<E>(box->currentData().toInt());
}

}  // namespace

SettingsPanel::SettingsPanel(QWidget* parent) : QScrollArea(parent) {
    setWidgetResizable(true);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setFrameShape(QFrame::NoFrame);
    setAccessibleName(tr("Settings"));
    auto* body = new QWidget(this);
    m_column = new QVBoxLayout(body);
    m_column->setContentsMargins(14, 10, 14, 16);
    m_column->setSpacing(4);
    buildModel();
    buildCard();
    buildBatch();
    buildTraining();
    buildMore();
    m_column->addStretch();
    setWidget(body);
    refreshIcons();
    showSettings();
    setMinimumWidth(body->minimumSizeHint().width() + verticalScrollBar()->sizeHint().width() + 2);
}

QVBoxLayout* SettingsPanel::addSection(const QString& title) {
    if (m_column->count() > 0) {
        auto* rule = new QFrame(this);
        rule->setProperty("rule", true);
        m_column->addSpacing(7);
        m_column->addWidget(rule);
        m_column->addSpacing(5);
    }
    if (!title.isEmpty()) {
        auto* label = new QLabel(title, this);
        label->setProperty("heading", true);
        m_column->addWidget(label);
    }
    auto* section = new QVBoxLayout;
    section->setSpacing(3);
    m_column->addLayout(section);
    return section;
}

QLabel* SettingsPanel::addField(QVBoxLayout* section, const QString& label, QWidget* control, const QString& hint) {
    if (label.isEmpty())
        section->addWidget(control);
    else {
        auto* name = new QLabel(label, this);
        name->setBuddy(control);
        name->setFixedWidth(fontMetrics().averageCharWidth() * kLabelCharacters);
        auto* row = new QHBoxLayout;
        row->setSpacing(6);
        row->addWidget(name);
        row->addWidget(control, 1);
        section->addSpacing(5);
        section->addLayout(row);
        control->setAccessibleName(label);
    }
    auto* line = new QLabel(hint, this);
    line->setProperty("muted", true);
    line->setWordWrap(true);
    QFont small = line->font();
    small.setPointSizeF(small.pointSizeF() * 0.92);
    line->setFont(small);
    section->addWidget(line);
    // The wheel scrolls the panel and never changes a setting by accident.
    control->installEventFilter(this);
    return line;
}

QCheckBox* SettingsPanel::addSwitch(QVBoxLayout* section, const QString& label, const QString& hint,
                                    std::function<bool&(Settings&)> field) {
    auto* box = new QCheckBox(label, this);
    box->setAccessibleName(label);
    QLabel* line = addField(section, {}, box, hint);
    line->setIndent(23);
    box->setToolTip(hint);
    connect(box, &QCheckBox::toggled, this, [this, field](bool on) { change([&](Settings& s) { field(s) = on; }); });
    m_switches.emplace_back(box, std::move(field));
    return box;
}

void SettingsPanel::buildModel() {
    QVBoxLayout* section = addSection(tr("Model"));
    m_file = new QLabel(tr("No model is open"), this);
    m_file->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_file->setWordWrap(true);
    section->addWidget(m_file);
    m_modelHint = new QLabel(this);
    m_modelHint->setProperty("muted", true);
    m_modelHint->setWordWrap(true);
    section->addWidget(m_modelHint);
    m_input = new QLineEdit(this);
    m_input->setPlaceholderText(QStringLiteral("float32[B,3,224,224]"));
    m_input->setToolTip(
        tr("Type and shape of each argument: float32[B,3,224,224]; several are separated by semicolons.\n"
           "B is the batch; other names become sizes of their own: int64[B,T]"));
    m_inputHint = addField(section, tr("Input"), m_input, {});
    m_axes = new QWidget(this);
    m_axesForm = new QFormLayout(m_axes);
    m_axesForm->setContentsMargins(0, 4, 0, 0);
    section->addWidget(m_axes);
    m_axes->hide();
    connect(m_input, &QLineEdit::editingFinished, this, &SettingsPanel::readInput);
}

void SettingsPanel::buildCard() {
    QVBoxLayout* section = addSection(tr("GPU"));
    m_gpu = new QComboBox(this);
    m_gpu->setEditable(true);
    m_gpu->setInsertPolicy(QComboBox::NoInsert);
    m_gpu->setMaxVisibleItems(18);
    m_gpu->completer()->setCompletionMode(QCompleter::PopupCompletion);
    m_gpu->completer()->setFilterMode(Qt::MatchContains);
    m_gpu->completer()->setCaseSensitivity(Qt::CaseInsensitive);
    m_gpu->setAccessibleName(tr("GPU"));
    m_gpu->setToolTip(tr("The card the step is planned for. Type part of its name to search."));
    m_gpuHint = addField(section, {}, m_gpu, {});
    m_memoryBox = new SizeBox(this);
    m_memoryBox->setSpecialValueText(tr("as the card has"));
    m_memoryBox->setToolTip(
        tr("Plan for another size than the card's own: 48 GiB, 81920 MiB, 80 GB.\n"
           "The line of the card in the plot can be dragged as well"));
    addField(section, tr("Memory"), m_memoryBox, tr("Type another size to plan for a card that has it."));
    m_reserveBox = new SizeBox(this);
    m_reserveBox->setToolTip(tr("Memory of the card that the step must not take: 512 MiB, 1.5 GiB, 500 MB, 10 %"));
    addField(section, tr("Keep free"), m_reserveBox, tr("For the desktop and other programs, or as a margin."));
    connect(m_memoryBox, &QSpinBox::valueChanged, this, [this] {
        if (!m_showing) emit memoryChanged(m_memoryBox->bytes());
    });
    connect(m_reserveBox, &QSpinBox::valueChanged, this, [this] {
        if (m_showing) return;
        m_reserve.absolute = m_reserveBox->bytes();
        emit reserveChanged(m_reserve);
    });
    connect(m_gpu, &QComboBox::currentIndexChanged, this, [this](int row) {
        showHints();
        if (!m_showing && row >= 0) emit gpuChanged(m_gpu->itemData(row).toString());
    });
    connect(m_gpu->lineEdit(), &QLineEdit::editingFinished, this, [this] {
        if (m_gpu->findText(m_gpu->currentText()) < 0) m_gpu->setEditText(m_gpu->itemText(m_gpu->currentIndex()));
    });
}

void SettingsPanel::buildBatch() {
    QVBoxLayout* section = addSection(tr("Batch"));
    m_batch = new BatchSlider(this);
    m_batch->setToolTip(
        tr("Examples per forward pass. Arrow keys step by one, page keys double and halve, a double click\n"
           "goes to the largest batch that fits (green mark)."));
    m_batch->slider()->setAccessibleName(tr("Batch size"));
    m_batch->spinBox()->setAccessibleName(tr("Batch size"));
    m_batchHint = addField(section, {}, m_batch, {});
    m_accumulate = new QSpinBox(this);
    m_accumulate->setRange(1, kLargestAccumulate);
    m_accumulate->setKeyboardTracking(false);
    m_accumulate->setToolTip(tr("Micro-batches whose gradients are added up before the optimizer steps"));
    m_accumulateHint = addField(section, tr("Accumulation"), m_accumulate, {});
    connect(m_batch, &BatchSlider::valueChanged, this,
            [this](int value) { change([=](Settings& s) { s.batch = value; }); });
    connect(m_batch, &BatchSlider::resetWished, this, [this] {
        const int fitting = m_batch->slider()->largestFitting();
        if (fitting > 0) m_batch->setValue(fitting);
    });
    connect(m_accumulate, &QSpinBox::valueChanged, this,
            [this](int value) { change([=](Settings& s) { s.accumulate = value; }); });
}

void SettingsPanel::buildTraining() {
    QVBoxLayout* section = addSection(tr("Step"));
    m_precision =
        enumBox({Precision::Fp32, Precision::AmpFp16, Precision::AmpBf16, Precision::Fp16, Precision::Bf16}, this);
    m_precisionHint = addField(section, tr("Precision"), m_precision, {});
    auto* checkpoint = new QWidget(this);
    auto* row = new QHBoxLayout(checkpoint);
    row->setContentsMargins(0, 0, 0, 0);
    m_checkpoint = new QSlider(Qt::Horizontal, checkpoint);
    m_checkpoint->setRange(0, 0);
    m_checkpoint->setPageStep(1);
    m_checkpoint->setAccessibleName(tr("Checkpointed blocks"));
    m_checkpoint->installEventFilter(this);
    m_checkpointBox = new QSpinBox(checkpoint);
    m_checkpointBox->setRange(0, 0);
    m_checkpointBox->setKeyboardTracking(false);
    m_checkpointBox->setSpecialValueText(tr("none"));
    m_checkpointBox->setAccessibleName(tr("Checkpointed blocks"));
    m_checkpointBox->installEventFilter(this);
    row->addWidget(m_checkpoint, 1);
    row->addWidget(m_checkpointBox);
    checkpoint->setToolTip(
        tr("How many of the model's repeated blocks run their forward pass again during backward\n"
           "instead of keeping their activations. A double click on the slider goes back to none"));
    m_checkpointHint = addField(section, tr("Checkpointing"), checkpoint, {});
    checkpoint->setFocusProxy(m_checkpoint);

    m_optimizer = enumBox({OptimizerKind::Sgd, OptimizerKind::Momentum, OptimizerKind::Nesterov, OptimizerKind::Adam,
                           OptimizerKind::AdamW, OptimizerKind::RmsProp, OptimizerKind::Adagrad, OptimizerKind::None},
                          this);
    m_optimizerHint = addField(section, tr("Optimizer"), m_optimizer, {});
    m_impl =
        enumBox({OptimizerImpl::Default, OptimizerImpl::Foreach, OptimizerImpl::Fused, OptimizerImpl::ForLoop}, this);
    m_implHint = addField(section, tr("Implementation"), m_impl, {});

    m_mode = enumBox({StepMode::Train, StepMode::Infer, StepMode::EvalAfterTrain, StepMode::TrainAndEval}, this);
    m_modeHint = addField(section, tr("Mode"), m_mode, {});

    const auto settingOf = [this](QComboBox* box, auto&& edit) {
        connect(box, &QComboBox::currentIndexChanged, this,
                [this, box, edit] { change([&](Settings& s) { edit(s, box); }); });
    };
    settingOf(m_mode, [](Settings& s, QComboBox* box) { s.mode = chosen<StepMode>(box); });
    settingOf(m_precision, [](Settings& s, QComboBox* box) { s.precision = chosen<Precision>(box); });
    settingOf(m_optimizer, [](Settings& s, QComboBox* box) { s.optimizer.kind = chosen<OptimizerKind>(box); });
    settingOf(m_impl, [](Settings& s, QComboBox* box) { s.optimizer.impl = chosen<OptimizerImpl>(box); });
    connect(m_checkpointBox, &QSpinBox::valueChanged, m_checkpoint, &QSlider::setValue);
    connect(m_checkpoint, &QSlider::valueChanged, this, [this](int value) {
        change([&](Settings& s) {
            s.checkpoint = {};
            if (value == m_checkpoint->maximum() && value > 0)
                s.checkpoint.mode = CheckpointMode::All;
            else if (value > 0)
                s.checkpoint = {CheckpointMode::First, value, {}};
        });
    });
}

void SettingsPanel::buildMore() {
    QVBoxLayout* section = addSection({});
    m_more = new QToolButton(this);
    m_more->setText(tr("More settings"));
    m_more->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_more->setCheckable(true);
    m_more->setToolTip(tr("Loss, workspaces, memory format, allocator"));
    section->addWidget(m_more, 0, Qt::AlignLeft);
    m_moreBox = new QWidget(this);
    auto* more = new QVBoxLayout(m_moreBox);
    more->setContentsMargins(0, 0, 0, 0);
    more->setSpacing(3);
    section->addWidget(m_moreBox);
    m_moreBox->hide();
    connect(m_more, &QToolButton::toggled, this, [this](bool on) {
        m_moreBox->setVisible(on);
        refreshIcons();
    });

    m_loss = enumBox({LossKind::CrossEntropy, LossKind::BceWithLogits, LossKind::Mse, LossKind::Mean, LossKind::Model},
                     this);
    m_lossHint = addField(more, tr("Loss"), m_loss, {});
    m_workspace = enumBox({WorkspaceSource::Cudnn, WorkspaceSource::Estimate, WorkspaceSource::None}, this);
    m_workspaceHint = addField(more, tr("Workspaces"), m_workspace, {});
    connect(m_loss, &QComboBox::currentIndexChanged, this,
            [this] { change([&](Settings& s) { s.loss = chosen<LossKind>(m_loss); }); });
    connect(m_workspace, &QComboBox::currentIndexChanged, this,
            [this] { change([&](Settings& s) { s.workspace = chosen<WorkspaceSource>(m_workspace); }); });

    more->addSpacing(6);
    m_channelsLast = addSwitch(more, tr("Channels last"), tr("Model and input in NHWC memory format."),
                               [](Settings& s) -> bool& { return s.channelsLast; });
    addSwitch(more, tr("zero_grad sets to None"), tr("Gradients are freed between steps, as PyTorch does by default."),
              [](Settings& s) -> bool& { return s.zeroGradToNone; });
    addSwitch(more, tr("Clip gradients by norm"), tr("clip_grad_norm_ before the optimizer step."),
              [](Settings& s) -> bool& { return s.clipGradNorm; });
    addSwitch(more, tr("Average of the weights (EMA)"), tr("A second copy of all weights."),
              [](Settings& s) -> bool& { return s.ema; });
    addSwitch(more, tr("Weight decay"), tr("A non-zero weight decay needs copies in some optimizers."),
              [](Settings& s) -> bool& { return s.optimizer.weightDecay; });
    addSwitch(more, tr("AMSGrad"), tr("Adam keeps a third value per parameter."),
              [](Settings& s) -> bool& { return s.optimizer.amsgrad; });
    addSwitch(more, tr("TF32 in matrix products"), tr("torch.backends.cuda.matmul.allow_tf32."),
              [](Settings& s) -> bool& { return s.matmulTf32; });
    addSwitch(more, tr("TF32 in cuDNN"), tr("torch.backends.cudnn.allow_tf32, on by default."),
              [](Settings& s) -> bool& { return s.cudnnTf32; });
    addSwitch(more, tr("cuDNN benchmark"), tr("The first iteration tries algorithms and may need large workspaces."),
              [](Settings& s) -> bool& { return s.cudnnBenchmark; });
    addSwitch(more, tr("cuDNN deterministic"), tr("torch.backends.cudnn.deterministic: only algorithms that repeat exactly."),
              [](Settings& s) -> bool& { return s.cudnnDeterministic; });
    addSwitch(more, tr("Expandable segments"),
              tr("expandable_segments:True in PYTORCH_ALLOC_CONF: less fragmentation."),
              [](Settings& s) -> bool& { return s.allocator.expandableSegments; });
    buildDataParallel(more);
}

void SettingsPanel::buildDataParallel(QVBoxLayout* section) {
    section->addSpacing(6);
    m_cards = new QSpinBox(this);
    m_cards->setRange(1, kLargestCards);
    m_cards->setKeyboardTracking(false);
    m_cards->setSpecialValueText(tr("one card"));
    m_cardsHint = addField(section, tr("Data parallel"), m_cards, {});
    m_parallelBox = new QWidget(this);
    auto* more = new QVBoxLayout(m_parallelBox);
    more->setContentsMargins(0, 0, 0, 0);
    more->setSpacing(3);
    section->addWidget(m_parallelBox);
    m_bucketCap = new QSpinBox(this);
    m_bucketCap->setRange(0, kLargestBucket);
    m_bucketCap->setKeyboardTracking(false);
    m_bucketCap->setSuffix(tr(" MiB"));
    m_bucketCap->setSpecialValueText(tr("default"));
    addField(more, tr("Bucket size"), m_bucketCap,
             tr("bucket_cap_mb; PyTorch's default is 25 MiB, the first bucket 1."));
    addSwitch(more, tr("Gradients are views of the buckets"),
              tr("gradient_as_bucket_view: no second copy once they arrived."),
              [](Settings& s) -> bool& { return s.dataParallel.gradientAsBucketView; });
    addSwitch(more, tr("Look for unused parameters"),
              tr("find_unused_parameters: for models whose parameters do not all get a gradient."),
              [](Settings& s) -> bool& { return s.dataParallel.findUnusedParameters; });
    addSwitch(more, tr("Static graph"), tr("static_graph: the same operators in every step."),
              [](Settings& s) -> bool& { return s.dataParallel.staticGraph; });
    connect(m_cards, &QSpinBox::valueChanged, this,
            [this](int value) { change([=](Settings& s) { s.dataParallel.cards = value; }); });
    connect(m_bucketCap, &QSpinBox::valueChanged, this,
            [this](int value) { change([=](Settings& s) { s.dataParallel.bucketCapMiB = value; }); });
}

void SettingsPanel::showDataParallel() {
    const int cards = m_settings.dataParallel.cards;
    m_cards->setValue(cards);
    m_cards->setEnabled(m_settings.mode != StepMode::Infer);
    m_bucketCap->setValue(m_settings.dataParallel.bucketCapMiB);
    m_parallelBox->setVisible(cards > 1);
    m_cardsHint->setText(
        cards > 1 ? tr("The step on each of %1 cards under DistributedDataParallel; the page Data parallel sets ZeRO "
                       "beside it.")
                        .arg(cards)
                  : tr("Cards that share a batch under DistributedDataParallel."));
}

void SettingsPanel::setGpus(const std::vector<Gpu>& gpus) {
    const std::string before = gpuId();
    m_showing = true;
    m_gpus.clear();
    m_gpu->clear();
    for (const Gpu& gpu : gpus) {
        if (!gpu.supported) continue;
        m_gpus.push_back(gpu);
        m_gpu->addItem(QString::fromStdString(gpu.label), QString::fromStdString(gpu.id));
    }
    m_showing = false;
    setGpu(before);
}

void SettingsPanel::setGpu(const std::string& id) {
    m_showing = true;
    const int row = m_gpu->findData(QString::fromStdString(id));
    if (row >= 0) m_gpu->setCurrentIndex(row);
    m_showing = false;
    showHints();
}

void SettingsPanel::setReserve(const Reserve& reserve) {
    m_reserve = reserve;
    m_showing = true;
    m_reserveBox->setBytes(reserve.absolute);
    m_showing = false;
}

void SettingsPanel::setMemory(Bytes memory) {
    m_showing = true;
    m_memoryBox->setBytes(memory);
    m_showing = false;
}

std::string SettingsPanel::gpuId() const { return m_gpu->currentData().toString().toStdString(); }

void SettingsPanel::setModel(const ModelInfo& model) {
    m_model = model;
    m_file->setText(QFileInfo(QString::fromStdString(model.file)).fileName());
    m_file->setToolTip(QString::fromStdString(model.file));
    const qint64 count = model.parameterCount();
    m_modelHint->setText(tr("%1, %2 parameters, %3")
                             .arg(QString::fromStdString(model.name), shortCountText(count),
                                  model.traced ? tr("traced") : tr("scripted")));
    m_modelHint->setToolTip(
        tr("%1 parameters, of which %2 are trainable").arg(countText(count), countText(model.trainableCount())));
    showSettings();
}

void SettingsPanel::clearModel(const QString& file, const QString& hint) {
    m_model = {};
    m_file->setText(file.isEmpty() ? tr("No model is open") : QFileInfo(file).fileName());
    m_file->setToolTip(file);
    m_modelHint->setText(hint);
    showSettings();
}

void SettingsPanel::setSettings(const Settings& settings) {
    m_settings = settings;
    showSettings();
}

void SettingsPanel::setLargestFitting(std::int64_t batch) {
    m_batch->setLargestFitting(static_cast<int>(std::clamp<std::int64_t>(batch, 0, 1'000'000)));
}

void SettingsPanel::setUnits(ByteUnits units) {
    m_units = units;
    showHints();
}

void SettingsPanel::askForInput(const QString& question) {
    m_inputHint->setText(question);
    ensureWidgetVisible(m_input);
    m_input->setFocus(Qt::OtherFocusReason);
}

void SettingsPanel::showSettings() {
    m_showing = true;
    if (!m_input->hasFocus() || !m_input->isModified())
        m_input->setText(inputText(m_settings.inputs.empty() ? m_model.inputs : m_settings.inputs));
    m_batch->setValue(static_cast<int>(m_settings.batch));
    m_accumulate->setValue(m_settings.accumulate);
    choose(m_mode, m_settings.mode);
    choose(m_precision, m_settings.precision);
    choose(m_optimizer, m_settings.optimizer.kind);
    choose(m_impl, m_settings.optimizer.impl);
    choose(m_loss, m_settings.loss);
    choose(m_workspace, m_settings.workspace);
    for (auto& [box, field] : m_switches) box->setChecked(field(m_settings));
    showCheckpoint();
    showDataParallel();
    showAxes();
    m_showing = false;
    showHints();
}

void SettingsPanel::showCheckpoint() {
    const int blocks = static_cast<int>(m_model.blockPaths().size());
    const CheckpointSettings& c = m_settings.checkpoint;
    m_checkpoint->setRange(0, qMax(blocks, c.count));
    m_checkpointBox->setRange(0, m_checkpoint->maximum());
    m_checkpointBox->setSuffix(blocks > 0 ? tr(" of %1").arg(blocks) : QString());
    const int shown = c.mode == CheckpointMode::All ? blocks : c.mode == CheckpointMode::First ? c.count : 0;
    m_checkpoint->setValue(shown);
    m_checkpointBox->setSpecialValueText(c.mode == CheckpointMode::Layers ? tr("by hand") : tr("none"));
    m_checkpointBox->setValue(shown);
    for (QWidget* control : {static_cast<QWidget*>(m_checkpoint), static_cast<QWidget*>(m_checkpointBox)})
        control->setEnabled(blocks > 0 && m_settings.mode != StepMode::Infer);
}

void SettingsPanel::showAxes() {
    std::set<std::string> names;
    for (const auto& input : m_settings.inputs.empty() ? m_model.inputs : m_settings.inputs)
        for (const Dim& dim : input.shape)
            if (!dim.axis.empty() && dim.axis != "B") names.insert(dim.axis);
    const auto present = [this](const std::string& name) {
        return static_cast<int>(std::max<std::int64_t>(sizeOfAxis(m_model, m_settings, name), 1));
    };
    if (names == m_axisNames) {
        for (QSpinBox* box : m_axes->findChildren<QSpinBox*>())
            box->setValue(present(box->objectName().toStdString()));
        return;
    }
    m_axisNames = names;
    while (m_axesForm->rowCount() > 0) m_axesForm->removeRow(0);
    for (const std::string& name : names) {
        auto* box = new QSpinBox(m_axes);
        box->setObjectName(QString::fromStdString(name));
        box->setRange(1, kLargestAxis);
        box->setKeyboardTracking(false);
        box->setAccessibleName(tr("Size of axis %1").arg(QString::fromStdString(name)));
        box->setValue(present(name));
        connect(box, &QSpinBox::valueChanged, this,
                [this, name](int value) { change([&](Settings& s) { s.axes[name] = value; }); });
        m_axesForm->addRow(QString::fromStdString(name), box);
    }
    m_axes->setVisible(!names.empty());
}

void SettingsPanel::showHints() {
    m_modeHint->setText(hintOf(m_settings.mode));
    m_precisionHint->setText(hintOf(m_settings.precision));
    m_optimizerHint->setText(hintOf(m_settings.optimizer.kind));
    m_implHint->setText(hintOf(m_settings.optimizer.impl));
    m_lossHint->setText(hintOf(m_settings.loss));
    const bool refused = m_settings.workspace == WorkspaceSource::Cudnn && !m_workspaceProblem.isEmpty();
    m_workspaceHint->setText(refused ? tr("Estimated instead: %1.").arg(m_workspaceProblem)
                                     : hintOf(m_settings.workspace));
    m_batchHint->setText(
        m_settings.effectiveBatch() != m_settings.batch
            ? tr("Examples per forward pass; effective batch %1.").arg(countText(m_settings.effectiveBatch()))
            : tr("Examples per forward pass."));
    m_accumulateHint->setText(m_settings.accumulate > 1
                                  ? tr("%1 micro-batches for each optimizer step.").arg(m_settings.accumulate)
                                  : tr("The optimizer steps after every batch."));
    switch (m_model.inputSource) {
    case InputSource::TracedInputs: m_inputHint->setText(tr("As recorded in the file; B is the batch.")); break;
    case InputSource::FirstLayer: m_inputHint->setText(tr("Guessed from the first layer; B is the batch.")); break;
    case InputSource::None:
        m_inputHint->setText(m_model.inputQuestion.empty()
                                 ? tr("Type and shape of the model's argument; B is the batch.")
                                 : localText(m_model.inputQuestion));
    }
    if (!m_settings.inputs.empty() && m_settings.inputs != m_model.inputs)
        m_inputHint->setText(tr("As you stated it; B is the batch. Empty the line for the default."));

    const int row = m_gpu->currentIndex();
    if (row >= 0 && row < static_cast<int>(m_gpus.size())) {
        const Gpu& gpu = m_gpus[row];
        m_reserveBox->setWhole(gpu.memory);
        m_gpuHint->setText(tr("%1 of memory, %2, capability %3.%4.")
                               .arg(sizeText(gpu.memory, m_units), QString::fromStdString(gpu.architecture))
                               .arg(gpu.capabilityMajor)
                               .arg(gpu.capabilityMinor));
    } else
        m_gpuHint->setText(tr("The card the step is planned for."));

    const int blocks = static_cast<int>(m_model.blockPaths().size());
    const CheckpointSettings& c = m_settings.checkpoint;
    const int count = c.mode == CheckpointMode::All ? blocks : c.mode == CheckpointMode::First ? c.count : 0;
    if (c.mode == CheckpointMode::Layers)
        m_checkpointHint->setText(
            tr("%n layer(s) chosen in the layer table.", nullptr, static_cast<int>(c.layers.size())));
    else if (m_settings.mode == StepMode::Infer)
        m_checkpointHint->setText(tr("Inference keeps no activations."));
    else if (!m_model.layers.empty() && blocks == 0)
        m_checkpointHint->setText(tr("This model has no repeated blocks; choose layers in the layer table."));
    else
        m_checkpointHint->setText(count == 0 ? tr("Every block keeps its activations for backward.")
                                             : tr("Recomputes these blocks in backward: less memory, more time."));
    const bool training = m_settings.mode != StepMode::Infer;
    for (QWidget* control : {static_cast<QWidget*>(m_optimizer), static_cast<QWidget*>(m_impl),
                             static_cast<QWidget*>(m_accumulate), static_cast<QWidget*>(m_loss)})
        control->setEnabled(training);
}

void SettingsPanel::setWorkspaceProblem(const QString& problem) {
    if (problem == m_workspaceProblem) return;
    m_workspaceProblem = problem;
    showHints();
}

void SettingsPanel::readInput() {
    if (m_showing || !m_input->isModified()) return;
    const auto inputs = inputFromText(m_input->text());
    m_input->setProperty("invalid", !inputs.ok());
    m_input->style()->unpolish(m_input);
    m_input->style()->polish(m_input);
    if (!inputs) {
        m_inputHint->setText(localText(inputs.error().message));
        return;
    }
    m_input->setModified(false);
    change(
        [&](Settings& s) { s.inputs = inputs.value() == m_model.inputs ? std::vector<InputSpec>() : inputs.value(); });
    m_showing = true;
    m_input->setText(inputText(m_settings.inputs.empty() ? m_model.inputs : m_settings.inputs));
    showAxes();
    m_showing = false;
}

void SettingsPanel::change(const std::function<void(Settings&)>& edit) {
    if (m_showing) return;
    const Settings before = m_settings;
    edit(m_settings);
    if (m_settings == before) return;
    m_showing = true;
    showCheckpoint();
    showDataParallel();
    m_showing = false;
    showHints();
    emit settingsChanged(m_settings);
}

QString SettingsPanel::inputText(const std::vector<InputSpec>& inputs) {
    QStringList parts;
    for (const auto& input : inputs) parts << QString::fromStdString(formatInputSpec(input));
    return parts.join(QStringLiteral("; "));
}

Result<std::vector<InputSpec>> SettingsPanel::inputFromText(const QString& text) {
    std::vector<InputSpec> inputs;
    for (const QString& part : text.split(QLatin1Char(';'), Qt::SkipEmptyParts)) {
        if (part.trimmed().isEmpty()) continue;
        auto input = parseInputSpec(part.trimmed().toStdString());
        if (!input) return input.error();
        inputs.push_back(input.value());
    }
    return inputs;
}

void SettingsPanel::refreshIcons() {
    m_more->setIcon(icon(m_more->isChecked() ? QStringLiteral("chevron-down") : QStringLiteral("chevron-right"),
                         Theme::of(palette()).mutedText));
}

void SettingsPanel::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange && m_more) refreshIcons();
    QScrollArea::changeEvent(event);
}

bool SettingsPanel::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::MouseButtonDblClick && watched == m_checkpoint) {
        m_checkpoint->setValue(0);
        return true;
    }
    if (event->type() == QEvent::Wheel && qobject_cast<QWidget*>(watched) && watched != viewport()) {
        event->ignore();
        return true;
    }
    return QScrollArea::eventFilter(watched, event);
}

}  // namespace tidemark
