#pragma once
#include <stdint.h>
#include <sys/eventfd.h>
#include <sys/timex.h>
#include <time.h>

/// `renameat2` is declared by <stdio.h> only under _GNU_SOURCE, with which Swift does not read the C library.
int renameat2(int, const char *, int, const char *, unsigned int);

/// So is `pipe2` by <unistd.h>.
int pipe2(int[2], int);

/// RENAME_NOREPLACE of <linux/fs.h>: refuse where the new name is taken.
static const unsigned int csystem_rename_noreplace = 1;

/// POSIX_SPAWN_SETSID of <spawn.h>, also under _GNU_SOURCE only: a session of its own, without our terminal.
static const int16_t csystem_spawn_new_session = 0x80;

/// The members of `timespec` are not visible to Swift under MemberImportVisibility.
static inline int64_t csystem_nanoseconds(clockid_t clock) {
  struct timespec time;
  clock_gettime(clock, &time);
  return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

static inline int64_t csystem_monotonic_nanoseconds(void) { return csystem_nanoseconds(CLOCK_MONOTONIC); }
static inline int64_t csystem_realtime_nanoseconds(void) { return csystem_nanoseconds(CLOCK_REALTIME); }

/// <sys/timex.h> does not import. 1: a time server keeps the calendar; 0: none does; -1: the system does not say.
static inline int csystem_calendar_is_synchronized(void) {
  struct timex state = {.modes = 0};
  return adjtimex(&state) < 0 ? -1 : !(state.status & STA_UNSYNC);
}

/// `environ` imports as a global variable, which Swift 6 does not let anyone read.
extern char **environ;
static inline char **csystem_environment(void) { return environ; }

/// <sys/eventfd.h> is not part of Swift's Glibc module. A counter that becomes readable when it is rung; -1 without one.
static inline int csystem_alarm_open(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }
static inline void csystem_alarm_ring(int alarm) { eventfd_write(alarm, 1); }
static inline void csystem_alarm_clear(int alarm) {
  eventfd_t count;
  eventfd_read(alarm, &count);
}
