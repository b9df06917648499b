// The words with new states that a layer adds, as a list while they are few.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <iterator>
#include <limits>
#include <span>
#include <utility>
#include <vector>

namespace slidelab {

// A word by its number, and some of its bits. Several entries may have one word, with different bits.
struct WordBits {
    std::uint64_t word, bits;
};

// The words of a list in ascending order, each once with all its bits.
inline std::vector<WordBits> merged(std::vector<WordBits> all) {
    std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.word < b.word; });
    std::size_t count = 0;
    for (const auto& entry : all) {
        if (count && all[count - 1].word == entry.word) all[count - 1].bits |= entry.bits;
        else all[count++] = entry;
    }
    all.resize(count);
    return all;
}

// Threads add words, each to its own list. If they become more than `limit`, the list is given up, and only the first
// `kept` words by their numbers stay, whichever thread found them.
class FreshWords {
public:
    FreshWords() = default;
    FreshWords(FreshWords&& other) noexcept { *this = std::move(other); }
    FreshWords& operator=(FreshWords&& other) noexcept {
        lists_ = std::move(other.lists_);
        limit_ = other.limit_;
        kept_ = other.kept_;
        count_ = other.count_.load();
        return *this;
    }

    void begin(unsigned threads, std::uint64_t limit, std::uint64_t kept) {
        lists_ = std::vector<List>(threads);  // frees what was there
        limit_ = limit;
        kept_ = std::max<std::uint64_t>(kept, 1);
        count_ = 0;
    }

    void add(unsigned thread, WordBits entry) {
        List& list = lists_[thread];
        if (complete()) {
            count_.fetch_add(1, std::memory_order_relaxed);
        } else {
            if (entry.word > list.last) return;
            if (list.entries.size() >= 2 * kept_) list.keep_first(kept_);
        }
        list.entries.push_back(entry);
    }

    // Whether this word and all later ones need not be added.
    bool ends_before(unsigned thread, std::uint64_t word) const { return !complete() && lists_[thread].last < word; }

    bool complete() const { return count_.load(std::memory_order_relaxed) <= limit_; }

    // The entries of each thread.
    std::size_t threads() const { return lists_.size(); }
    std::span<const WordBits> entries(std::size_t thread) const { return lists_[thread].entries; }

    std::uint64_t size() const {
        std::uint64_t sum = 0;
        for (const auto& list : lists_) sum += list.entries.size();
        return sum;
    }

    // The words in ascending order, each once; only the first `kept` if the list is not complete.
    std::vector<WordBits> sorted() const {
        std::vector<WordBits> all;
        for (const auto& list : lists_) all.insert(all.end(), list.entries.begin(), list.entries.end());
        all = merged(std::move(all));
        if (!complete() && all.size() > kept_) all.resize(kept_);
        return all;
    }

private:
    struct List {
        std::vector<WordBits> entries;
        std::uint64_t last = std::numeric_limits<std::uint64_t>::max();  // later words are not needed

        void keep_first(std::size_t count) {
            const auto smaller = [](const auto& a, const auto& b) { return a.word < b.word; };
            const auto end = entries.begin() + static_cast<std::ptrdiff_t>(count);
            std::nth_element(entries.begin(), std::prev(end), entries.end(), smaller);
            last = std::prev(end)->word;
            std::erase_if(entries, [this](const auto& entry) { return entry.word > last; });
        }
    };

    std::vector<List> lists_;
    std::uint64_t limit_ = 0, kept_ = 1;
    std::atomic<std::uint64_t> count_{0};
};

// Bytes for the words that are kept of two layers that have no list, beyond the usual thousand.
inline std::uint64_t kept_bytes(std::uint64_t kept, unsigned threads) {
    constexpr std::uint64_t usual = 1000;
    return 4 * sizeof(WordBits) * std::uint64_t{threads} * (kept - std::min(kept, usual));
}

}  // namespace slidelab
