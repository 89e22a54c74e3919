// SPDX-License-Identifier: Apache-2.0
#include "engine/session/modelfile.h"

#include <QDateTime>
#include <QFileInfo>

#include <fmt/format.h>

namespace tidemark {

std::optional<Error> checkModelFile(const QString& path) {
    const QFileInfo file(path);
    const std::string name = path.toStdString();
    if (path.isEmpty() || !file.exists())
        return Error{ErrorCode::FileNotFound, Message::tr("There is no file \"{}\"; check the path.", name), {}};
    if (file.isDir())
        return Error{ErrorCode::FileUnreadable,
                     Message::tr("\"{}\" is a folder; give the TorchScript file inside it.", name), {}};
    if (!file.isReadable())
        return Error{ErrorCode::FileUnreadable,
                     Message::tr("\"{}\" may not be read; check its permissions.", name), {}};
    if (!file.isFile())
        return Error{ErrorCode::FileUnreadable, Message::tr("\"{}\" is a device or a pipe; give a TorchScript file.", name), {}};
    if (file.size() == 0)
        return Error{ErrorCode::FileEmpty, Message::tr("\"{}\" is empty; export the model again.", name), {}};
    return {};
}

QString identityOf(const QString& path) {
    const QFileInfo file(path);
    return QStringLiteral("%1|%2|%3").arg(file.absoluteFilePath()).arg(file.size()).arg(
        file.lastModified().toMSecsSinceEpoch());
}

}  // namespace tidemark
