// Preloaded by a run of the tests under ThreadSanitizer:
//   clang -shared -fPIC -O2 mutex.c -o mutex.so && LD_PRELOAD=./mutex.so <the .xctest program> --testing-library swift-testing
// Without it a contended Mutex is reported as a race, even in a program of three lines.
// Tells ThreadSanitizer about the slow paths of Synchronization.Mutex, which lie in a library that it does not see into.
#define _GNU_SOURCE
#include <dlfcn.h>

void *mutex_lock_slow, *mutex_unlock_slow;

__attribute__((constructor)) static void find(void) {
  mutex_lock_slow = dlsym(RTLD_NEXT, "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF");
  mutex_unlock_slow = dlsym(RTLD_NEXT, "$s15Synchronization12_MutexHandleV11_unlockSlowyyF");
}

// Swift passes the handle in r13, which C functions keep.
__asm__(
    ".globl \"$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF\"\n"
    "\"$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF\":\n"
    "  push %rbp\n"
    "  mov mutex_lock_slow@GOTPCREL(%rip), %rax\n"
    "  call *(%rax)\n"
    "  mov %r13, %rdi\n"
    "  call __tsan_acquire@PLT\n"
    "  pop %rbp\n"
    "  ret\n"
    ".globl \"$s15Synchronization12_MutexHandleV11_unlockSlowyyF\"\n"
    "\"$s15Synchronization12_MutexHandleV11_unlockSlowyyF\":\n"
    "  push %rbp\n"
    "  mov %r13, %rdi\n"
    "  call __tsan_release@PLT\n"
    "  mov mutex_unlock_slow@GOTPCREL(%rip), %rax\n"
    "  call *(%rax)\n"
    "  pop %rbp\n"
    "  ret\n");
