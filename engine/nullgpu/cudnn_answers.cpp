// SPDX-License-Identifier: Apache-2.0
#include "engine/nullgpu/cudnn_answers.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <optional>
#include <string_view>
#include <utility>

namespace tidemark::nullgpu {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view kMagic = "tidemark answers 1\n";
/// Unwritten answers beyond this go to the file without waiting for a flush().
constexpr std::size_t kMostUnwritten = 1u << 16;
/// An answer is a status, a number and some notes; more is damage.
constexpr std::uint32_t kMostData = 1u << 16;

/// Before the data of each record.
struct Record {
    std::uint64_t high = 0;
    std::uint64_t low = 0;
    std::int32_t status = 0;
    std::int32_t count = 0;
    std::uint32_t size = 0;
    std::uint32_t check = 0;
};
static_assert(sizeof(Record) == 32);

std::uint32_t checkOf(Record record, const char* data) {
    record.check = 0;
    return static_cast<std::uint32_t>(Digest().add(&record, sizeof record).add(data, record.size).low());
}

std::string textOf(const Digest& question, const Answer& answer) {
    Record record{question.high(), question.low(), answer.status, static_cast<std::int32_t>(answer.count),
                  static_cast<std::uint32_t>(answer.data.size()), 0};
    record.check = checkOf(record, answer.data.data());
    std::string text(reinterpret_cast<const char*>(&record), sizeof record);
    return text.append(answer.data.data(), answer.data.size());
}

/// An open file that is locked against other processes as long as this lives.
class LockedFile {
public:
    LockedFile(const std::string& path, int flags, int lock) : m_file(open(path.c_str(), flags | O_CLOEXEC, 0644)) {
        if (m_file >= 0 && flock(m_file, lock) != 0)
            close(std::exchange(m_file, -1));
    }
    LockedFile(const LockedFile&) = delete;
    LockedFile& operator=(const LockedFile&) = delete;
    ~LockedFile() {
        if (m_file >= 0)
            close(m_file);
    }
    int get() const { return m_file; }
    std::size_t size() const {
        struct stat status {};
        return fstat(m_file, &status) == 0 ? static_cast<std::size_t>(status.st_size) : 0;
    }

private:
    int m_file;
};

std::string contentOf(const LockedFile& file) {
    std::string content(std::min(file.size(), 2 * AnswerFile::kMostBytes), '\0');
    std::size_t done = 0;
    while (done < content.size()) {
        const ssize_t got = pread(file.get(), content.data() + done, content.size() - done, static_cast<off_t>(done));
        if (got <= 0)
            break;
        done += static_cast<std::size_t>(got);
    }
    content.resize(done);
    return content;
}

void removeOldest(const fs::path& folder) {
    std::error_code ignored;
    std::size_t count = 0;
    std::optional<std::pair<fs::file_time_type, fs::path>> oldest;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, ignored)) {
        if (entry.path().extension() != ".answers")
            continue;
        ++count;
        const std::pair candidate{entry.last_write_time(ignored), entry.path()};
        if (!oldest || candidate < *oldest)
            oldest = candidate;
    }
    if (count > AnswerFile::kMostFiles)
        fs::remove(oldest->second, ignored);
}

}  // namespace

AnswerFile::AnswerFile(std::string path, const Digest& key) : m_path(std::move(path)), m_header(kMagic) {
    const std::uint64_t parts[] = {key.high(), key.low()};
    m_header.append(reinterpret_cast<const char*>(parts), sizeof parts);
    if (!m_path.empty())
        load();
}

void AnswerFile::load() {
    const LockedFile file(m_path, O_RDONLY, LOCK_SH);
    if (file.get() < 0)
        return;
    const std::string content = contentOf(file);
    if (content.empty())
        return;
    m_damaged = !content.starts_with(m_header);
    m_answers.reserve(content.size() / sizeof(Record));
    std::size_t at = m_header.size();
    while (!m_damaged && at < content.size()) {
        Record record;
        if (content.size() - at < sizeof record) {
            m_damaged = true;
            break;
        }
        std::memcpy(&record, content.data() + at, sizeof record);
        at += sizeof record;
        if (record.size > kMostData || content.size() - at < record.size ||
            checkOf(record, content.data() + at) != record.check) {
            m_damaged = true;
            break;
        }
        const char* data = content.data() + at;
        m_answers.try_emplace(Digest::fromParts(record.high, record.low),
                              Answer{record.status, record.count, std::vector<char>(data, data + record.size)});
        at += record.size;
    }
}

const Answer* AnswerFile::find(const Digest& question) const {
    const auto it = m_answers.find(question);
    return it == m_answers.end() ? nullptr : &it->second;
}

void AnswerFile::keep(const Digest& question, Answer answer) {
    const auto [it, added] = m_answers.try_emplace(question, std::move(answer));
    if (!added || m_path.empty() || it->second.data.size() > kMostData)
        return;
    m_unwritten += textOf(question, it->second);
    if (m_unwritten.size() > kMostUnwritten)
        flush();
}

bool AnswerFile::append(int file) const {
    for (std::size_t done = 0; done < m_unwritten.size();) {
        const ssize_t written = write(file, m_unwritten.data() + done, m_unwritten.size() - done);
        if (written <= 0)
            return false;
        done += static_cast<std::size_t>(written);
    }
    return true;
}

void AnswerFile::flush() {
    if (m_unwritten.empty())
        return;
    std::error_code ignored;
    const fs::path folder = fs::path(m_path).parent_path();
    fs::create_directories(folder, ignored);
    {
        const LockedFile file(m_path, O_RDWR | O_CREAT | O_APPEND, LOCK_EX);
        if (file.get() < 0)
            return m_unwritten.clear();
        const std::size_t before = file.size();
        const bool anew = m_damaged || before + m_unwritten.size() > kMostBytes;
        if (m_damaged) {
            m_unwritten.clear();
            for (const auto& [question, answer] : m_answers)
                m_unwritten += textOf(question, answer);
        }
        if (anew && ftruncate(file.get(), 0) != 0)
            return m_unwritten.clear();
        if (anew || before == 0)
            m_unwritten.insert(0, m_header);
        m_damaged = false;
        // Half a record, on a full disk say, would make the next reader throw everything away.
        if (!append(file.get()) && ftruncate(file.get(), static_cast<off_t>(anew ? 0 : before)) != 0)
            m_damaged = true;
        m_unwritten.clear();
        if (before > 0)
            return;
    }
    removeOldest(folder);
}

}  // namespace tidemark::nullgpu
