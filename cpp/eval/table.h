// Tables of numbers that are read at random places.
//
// A table of some megabytes has more pages of 4 kB than a processor remembers the addresses of, so that
// most reads wait for its page to be found as well as for the entry. In pages of 2 MB there are few enough.
// The system is asked for them where it can be; a table works the same without.
#pragma once

#include <cstddef>
#include <new>
#include <vector>

#ifdef __linux__
#include <sys/mman.h>
#endif

namespace glaux {

template <class T>
struct HugePages {
  using value_type = T;

  HugePages() = default;
  template <class U>
  HugePages(const HugePages<U>&) {}

  T* allocate(std::size_t n) {
    const std::size_t bytes = n * sizeof(T);
    if (bytes < least) return static_cast<T*>(::operator new(bytes));
    void* memory = ::operator new(rounded(bytes), std::align_val_t{page});
#ifdef MADV_HUGEPAGE
    madvise(memory, rounded(bytes), MADV_HUGEPAGE);  // advice: what it says of success does not matter
#endif
    return static_cast<T*>(memory);
  }

  void deallocate(T* memory, std::size_t n) {
    if (n * sizeof(T) < least) return ::operator delete(memory);
    ::operator delete(memory, std::align_val_t{page});
  }

  template <class U>
  bool operator==(const HugePages<U>&) const {
    return true;
  }

 private:
  static constexpr std::size_t page = std::size_t{2} << 20, least = page / 4;
  static std::size_t rounded(std::size_t bytes) { return (bytes + page - 1) / page * page; }
};

using Table = std::vector<float, HugePages<float>>;

}  // namespace glaux
