#pragma once
#include <stdint.h>
#include <sys/timex.h>
#include <time.h>

/// `renameat2` is declared by <stdio.h> only under _GNU_SOURCE, with which Swift does not read the C library.
int renameat2(int, const char *, int, const char *, unsigned int);

/// RENAME_NOREPLACE of <linux/fs.h>: refuse where the new name is taken.
static const unsigned int csystem_rename_noreplace = 1;

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
