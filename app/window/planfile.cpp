// SPDX-License-Identifier: Apache-2.0
#include "app/window/planfile.h"

#include <nlohmann/json.hpp>

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QSaveFile>

namespace tidemark {
namespace {

constexpr const char* kFormat = "tidemark-plan";
constexpr int kVersion = 1;

struct PlanFile {
    Q_DECLARE_TR_FUNCTIONS(PlanFile)
};

Error wrong(const QString& message, ErrorCode code = ErrorCode::SettingInvalid, const std::string& detail = {}) {
    return {code, message.toStdString(), detail};
}

std::string relativeTo(const QString& folder, const QString& file) {
    const QString relative = QDir(folder).relativeFilePath(file);
    return (folder.isEmpty() || relative.startsWith(QLatin1String("../.."))) ? file.toStdString()
                                                                             : relative.toStdString();
}

nlohmann::json inputSetsJson(const std::vector<std::vector<InputSpec>>& sets) {
    nlohmann::json array = nlohmann::json::array();
    for (const auto& set : sets) {
        array.push_back(nlohmann::json::array());
        for (const InputSpec& input : set) array.back().push_back(formatInputSpec(input));
    }
    return array;
}

Result<std::vector<std::vector<InputSpec>>> inputSetsFrom(const nlohmann::json& array) {
    std::vector<std::vector<InputSpec>> sets;
    for (const auto& set : array) {
        sets.emplace_back();
        for (const auto& text : set) {
            auto input = parseInputSpec(text.get<std::string>());
            if (!input) return input.error();
            sets.back().push_back(std::move(input).value());
        }
    }
    return sets;
}

}  // namespace

QByteArray planToJson(const Plan& plan, const QString& folder) {
    nlohmann::json variants = nlohmann::json::array();
    for (const Variant& variant : plan.variants) {
        variants.push_back({{"name", variant.name.toStdString()},
                            {"model", relativeTo(folder, variant.model)},
                            {"settings", toJson(variant.settings)}});
        if (!variant.inputSets.empty()) variants.back()["input_sets"] = inputSetsJson(variant.inputSets);
    }
    const nlohmann::json json = {{"format", kFormat},
                                 {"version", kVersion},
                                 {"gpu", plan.gpu},
                                 {"memory", plan.memory.count},
                                 {"reserve", plan.reserve.absolute.count},
                                 {"reserve_fraction", plan.reserve.fraction},
                                 {"current", plan.current},
                                 {"baseline", plan.baseline},
                                 {"variants", variants}};
    return QByteArray::fromStdString(json.dump(2) + "\n");
}

Result<Plan> planFromJson(const QByteArray& text, const QString& folder) {
    const auto json = nlohmann::json::parse(text.begin(), text.end(), nullptr, false);
    const auto format = json.is_object() ? json.find("format") : json.end();
    if (format == json.end() || *format != kFormat)
        return wrong(PlanFile::tr("This is no Tidemark plan."), ErrorCode::FileUnreadable);
    try {
        if (json.value("version", 0) > kVersion)
            return wrong(PlanFile::tr("The plan was written by a newer Tidemark (version %1 of the format).")
                             .arg(json.value("version", 0)));
        Plan plan;
        plan.gpu = json.value("gpu", "");
        plan.memory = {std::max<std::int64_t>(0, json.value("memory", std::int64_t{0}))};
        plan.reserve.absolute = {json.value("reserve", std::int64_t{0})};
        plan.reserve.fraction = json.value("reserve_fraction", 0.0);
        for (const auto& entry : json.at("variants")) {
            Variant variant;
            variant.name = QString::fromStdString(entry.value("name", ""));
            variant.model = QDir(folder).absoluteFilePath(QString::fromStdString(entry.at("model").get<std::string>()));
            auto settings = settingsFromJson(entry.value("settings", nlohmann::json::object()));
            if (!settings) return settings.error();
            settings = validated(settings.value());
            if (!settings) return settings.error();
            variant.settings = settings.value();
            auto sets = inputSetsFrom(entry.value("input_sets", nlohmann::json::array()));
            if (!sets) return sets.error();
            variant.inputSets = std::move(sets).value();
            plan.variants.push_back(std::move(variant));
        }
        if (plan.variants.empty()) return wrong(PlanFile::tr("The plan has no variants."));
        if (plan.reserve.absolute < Bytes{} || plan.reserve.fraction < 0 || plan.reserve.fraction >= 1)
            return wrong(PlanFile::tr("The plan keeps more of the card free than there is."));
        const int last = static_cast<int>(plan.variants.size()) - 1;
        plan.current = std::clamp(json.value("current", 0), 0, std::max(0, last));
        plan.baseline = std::clamp(json.value("baseline", 0), 0, std::max(0, last));
        return plan;
    } catch (const nlohmann::json::exception& error) {
        return wrong(PlanFile::tr("The plan has a field of the wrong kind."), ErrorCode::SettingInvalid, error.what());
    }
}

Result<Plan> loadPlan(const QString& file) {
    QFile source(file);
    if (!source.open(QIODevice::ReadOnly))
        return wrong(PlanFile::tr("%1 cannot be read: %2").arg(file, source.errorString()), ErrorCode::FileUnreadable);
    return planFromJson(source.readAll(), QFileInfo(file).absolutePath());
}

Result<bool> savePlan(const Plan& plan, const QString& file) {
    QSaveFile target(file);
    if (target.open(QIODevice::WriteOnly)) {
        target.write(planToJson(plan, QFileInfo(file).absolutePath()));
        if (target.commit()) return true;
    }
    return wrong(PlanFile::tr("%1 cannot be written: %2").arg(file, target.errorString()), ErrorCode::FileUnreadable);
}

bool looksLikePlan(const QString& file) {
    QFile source(file);
    if (!QFileInfo(file).isFile() || !source.open(QIODevice::ReadOnly)) return false;
    return source.read(64).trimmed().startsWith('{');
}

}  // namespace tidemark
