// A large array of words, zero at first; pages are taken from the system when they are touched.
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <cstdint>
#include <new>
#include <utility>

namespace slidelab {

class BitPlane {
public:
    BitPlane() = default;
    explicit BitPlane(std::size_t words) : words_(words) { map(); }
    BitPlane(BitPlane&& other) noexcept
        : data_(std::exchange(other.data_, nullptr)), words_(std::exchange(other.words_, 0)) {}
    BitPlane& operator=(BitPlane&& other) noexcept {
        std::swap(data_, other.data_);
        std::swap(words_, other.words_);
        return *this;
    }
    ~BitPlane() { unmap(); }

    std::uint64_t* data() { return data_; }
    const std::uint64_t* data() const { return data_; }
    std::size_t size() const { return words_; }
    explicit operator bool() const { return data_ != nullptr; }

    void clear() {
        unmap();
        map();
    }

private:
    std::size_t bytes() const { return words_ * sizeof(std::uint64_t); }

    void map() {
        if (!words_) return;
        void* p = mmap(nullptr, bytes(), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (p == MAP_FAILED) throw std::bad_alloc();
#ifdef MADV_HUGEPAGE
        madvise(p, bytes(), MADV_HUGEPAGE);  // only advice: random access is slow with small pages
#endif
        data_ = static_cast<std::uint64_t*>(p);
    }

    void unmap() {
        if (data_) munmap(data_, bytes());
        data_ = nullptr;
    }

    std::uint64_t* data_ = nullptr;
    std::size_t words_ = 0;
};

}  // namespace slidelab
