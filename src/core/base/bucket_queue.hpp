// A priority queue for small integer priorities.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace slidelab {

// One bucket for each `width` priorities; within a bucket the last entry pushed comes first.
template <class Entry>
class BucketQueue {
public:
    explicit BucketQueue(std::size_t width = 1) : width_(width) {}

    bool empty() const { return size_ == 0; }
    void clear() {
        for (std::size_t i = lowest_; i < end_; ++i) buckets_[i].clear();
        lowest_ = end_ = size_ = 0;
    }
    void push(std::size_t priority, Entry entry) {
        const std::size_t bucket = priority / width_;
        if (bucket >= buckets_.size()) buckets_.resize(bucket + 256);
        lowest_ = end_ == 0 ? bucket : std::min(lowest_, bucket);
        end_ = std::max(end_, bucket + 1);
        buckets_[bucket].push_back(entry);
        ++size_;
    }
    Entry pop() {
        while (buckets_[lowest_].empty()) ++lowest_;
        const Entry entry = buckets_[lowest_].back();
        buckets_[lowest_].pop_back();
        --size_;
        return entry;
    }

private:
    std::size_t width_;
    std::vector<std::vector<Entry>> buckets_;
    std::size_t lowest_ = 0, end_ = 0, size_ = 0;  // all entries are in buckets lowest_ to end_ - 1
};

}  // namespace slidelab
