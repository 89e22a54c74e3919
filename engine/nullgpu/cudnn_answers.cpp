// SPDX-License-Identifier: Apache-2.0
#include "engine/nullgpu/cudnn_answers.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <limits>
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
constexpr std::size_t kEmpty = std::numeric_limits<std::size_t>::max();
constexpr std::size_t kFewestSlots = 1u << 10;

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

Digest questionOf(const Record& record) {
    return Digest::fromParts(record.high, record.low);
}

Record recordAt(const std::string& records, std::size_t at) {
    Record record;
    std::memcpy(&record, records.data() + at, sizeof record);
    return record;
}

bool isSound(const std::string& records, std::size_t at) {
    const Record record = recordAt(records, at);
    return checkOf(record, records.data() + at + sizeof record) == record.check;
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

bool append(int file, const std::string& text) {
    for (std::size_t done = 0; done < text.size();) {
        const ssize_t written = write(file, text.data() + done, text.size() - done);
        if (written <= 0)
            return false;
        done += static_cast<std::size_t>(written);
    }
    return true;
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

/// Goes from record to record and leaves their checks to find(): a worker asks for few of them.
void AnswerFile::load() {
    const LockedFile file(m_path, O_RDONLY, LOCK_SH);
    if (file.get() < 0)
        return;
    m_records = contentOf(file);
    if (m_records.empty())
        return;
    m_damaged = !m_records.starts_with(m_header);
    m_records.erase(0, m_damaged ? m_records.size() : m_header.size());
    rebuildSlots(m_records.size() / sizeof(Record));
    std::size_t at = 0;
    while (m_records.size() - at >= sizeof(Record)) {
        const std::size_t size = recordAt(m_records, at).size;
        if (size > kMostData || m_records.size() - at - sizeof(Record) < size)
            break;
        insert(at);
        at += sizeof(Record) + size;
    }
    m_damaged |= at < m_records.size();
    m_records.resize(at);
    m_written = at;
}

void AnswerFile::rebuildSlots(std::size_t wanted) {
    const std::vector<std::size_t> before = std::exchange(m_slots, {});
    std::size_t size = kFewestSlots;
    while (size < 2 * wanted)
        size *= 2;
    m_slots.assign(size, kEmpty);
    m_used = 0;
    for (const std::size_t at : before)
        if (at != kEmpty)
            insert(at);
}

/// Where the question is, or the empty slot for it.
std::size_t AnswerFile::slotOf(const Digest& question) const {
    const std::size_t mask = m_slots.size() - 1;
    for (std::size_t i = question.low() & mask;; i = (i + 1) & mask)
        if (m_slots[i] == kEmpty || questionOf(recordAt(m_records, m_slots[i])) == question)
            return i;
}

/// Of several records for a question, processes that did not know of each other wrote the later ones.
void AnswerFile::insert(std::size_t at) {
    if (2 * m_used >= m_slots.size())
        rebuildSlots(2 * m_used);
    std::size_t& slot = m_slots[slotOf(questionOf(recordAt(m_records, at)))];
    m_used += slot == kEmpty;
    if (slot == kEmpty || !isSound(m_records, slot))
        slot = at;
}

std::optional<Answer> AnswerFile::find(const Digest& question) const {
    if (m_slots.empty())
        return {};
    const std::size_t at = m_slots[slotOf(question)];
    if (at == kEmpty)
        return {};
    if (!isSound(m_records, at)) {
        m_damaged = true;
        return {};
    }
    const Record record = recordAt(m_records, at);
    const char* const data = m_records.data() + at + sizeof record;
    return Answer{record.status, record.count, {data, data + record.size}};
}

void AnswerFile::keep(const Digest& question, const Answer& answer) {
    if (answer.data.size() > kMostData || find(question))
        return;
    const std::size_t at = m_records.size();
    m_records += textOf(question, answer);
    insert(at);
    if (m_records.size() - m_written > kMostUnwritten)
        flush();
}

std::string AnswerFile::soundRecords() const {
    std::string records;
    for (const std::size_t at : m_slots)
        if (at != kEmpty && isSound(m_records, at))
            records.append(m_records, at, sizeof(Record) + recordAt(m_records, at).size);
    return records;
}

void AnswerFile::flush() {
    const std::size_t already = std::exchange(m_written, m_records.size());
    if (m_path.empty() || already == m_records.size())
        return;
    std::string text = m_damaged ? soundRecords() : m_records.substr(already);
    std::error_code ignored;
    const fs::path folder = fs::path(m_path).parent_path();
    fs::create_directories(folder, ignored);
    {
        const LockedFile file(m_path, O_RDWR | O_CREAT | O_APPEND, LOCK_EX);
        if (file.get() < 0)
            return;
        const std::size_t before = file.size();
        const bool anew = m_damaged || before + text.size() > kMostBytes;
        if (anew && ftruncate(file.get(), 0) != 0)
            return;
        if (anew || before == 0)
            text.insert(0, m_header);
        m_damaged = false;
        // Half a record, on a full disk say, would make the next reader throw everything away.
        if (!append(file.get(), text) && ftruncate(file.get(), static_cast<off_t>(anew ? 0 : before)) != 0)
            m_damaged = true;
        if (before > 0)
            return;
    }
    removeOldest(folder);
}

}  // namespace tidemark::nullgpu
