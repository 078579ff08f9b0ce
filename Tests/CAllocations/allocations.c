#include "allocations.h"
#include <stddef.h>

static __thread long count;

long allocations_of_this_thread(void) { return count; }

#if defined(__has_feature)
#if __has_feature(thread_sanitizer) || __has_feature(address_sanitizer)
#define HAS_SANITIZER 1
#endif
#endif

#ifdef HAS_SANITIZER
// A sanitizer brings its own heap and calls those who ask.
int __sanitizer_install_malloc_and_free_hooks(void (*)(const volatile void *, size_t), void (*)(const volatile void *));
static void allocated(const volatile void *block, size_t size) { count++; }
static void freed(const volatile void *block) {}
__attribute__((constructor)) static void install(void) { __sanitizer_install_malloc_and_free_hooks(allocated, freed); }
#else
// The C library's own heap, under the names that it keeps for those who replace `malloc`.
void *__libc_malloc(size_t);
void *__libc_calloc(size_t, size_t);
void *__libc_realloc(void *, size_t);
void *__libc_memalign(size_t, size_t);

void *malloc(size_t size) { count++; return __libc_malloc(size); }
void *calloc(size_t number, size_t size) { count++; return __libc_calloc(number, size); }
void *realloc(void *block, size_t size) { count++; return __libc_realloc(block, size); }
void *aligned_alloc(size_t alignment, size_t size) { count++; return __libc_memalign(alignment, size); }
int posix_memalign(void **block, size_t alignment, size_t size) {
  count++;
  *block = __libc_memalign(alignment, size);
  return *block ? 0 : 12;
}
#endif
