#pragma once
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/timex.h>
#include <time.h>
#include <unistd.h>

/// `renameat2` is declared by <stdio.h> only under _GNU_SOURCE, with which Swift does not read the C library.
int renameat2(int, const char *, int, const char *, unsigned int);

/// So is `pipe2` by <unistd.h>.
int pipe2(int[2], int);

/// RENAME_NOREPLACE of <linux/fs.h>: refuse where the new name is taken.
static const unsigned int csystem_rename_noreplace = 1;

/// `major` and `minor` are macros, which Swift does not see.
static inline unsigned int csystem_device_major(unsigned long device) { return major(device); }
static inline unsigned int csystem_device_minor(unsigned long device) { return minor(device); }

/// A program that is started keeps no descriptor from this one on; declared by <spawn.h> only under _GNU_SOURCE.
static inline int csystem_spawn_close_from(posix_spawn_file_actions_t *actions, int first) {
  extern int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *, int);
  return posix_spawn_file_actions_addclosefrom_np(actions, first);
}

/// A program that is started works in a folder; declared by <spawn.h> only under _GNU_SOURCE.
static inline int csystem_spawn_change_folder(posix_spawn_file_actions_t *actions, const char *path) {
  extern int posix_spawn_file_actions_addchdir_np(posix_spawn_file_actions_t *, const char *);
  return posix_spawn_file_actions_addchdir_np(actions, path);
}

/// `ppoll` is declared by <poll.h> only under _GNU_SOURCE.
int ppoll(struct pollfd *, nfds_t, const struct timespec *, const sigset_t *);

/// POSIX_SPAWN_SETSID of <spawn.h>, also under _GNU_SOURCE only: a session of its own, without our terminal.
static const int16_t csystem_spawn_new_session = 0x80;

/// Which module the members of `timespec` belong to, and are visible with, differs from build to build.
static inline int64_t csystem_nanoseconds(clockid_t clock) {
  struct timespec time;
  clock_gettime(clock, &time);
  return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

/// When a file was changed last, its content or what is known of it, in nanoseconds of the calendar.
static inline int64_t csystem_changed_nanoseconds(const struct stat *status) {
  return (int64_t)status->st_ctim.tv_sec * 1000000000 + status->st_ctim.tv_nsec;
}

/// When a file's content was changed last, in seconds of the calendar.
static inline int64_t csystem_modified_seconds(const struct stat *status) { return status->st_mtim.tv_sec; }

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
/// Waits until it is rung, and quiets it; for so many nanoseconds at most, or without end where they are negative.
static inline void csystem_alarm_wait(int alarm, int64_t nanoseconds) {
  struct pollfd ring = {.fd = alarm, .events = POLLIN};
  struct timespec limit = {nanoseconds / 1000000000, nanoseconds % 1000000000};
  eventfd_t count;
  if (ppoll(&ring, 1, nanoseconds < 0 ? 0 : &limit, 0) > 0) eventfd_read(alarm, &count);
}

/// The next connection to a socket, closed in programs that are started, which never waits; -1 for none.
int csystem_accept(int socket);
/// The user at the other end of a local socket; 4294967295, which is no user, where that is not known.
unsigned int csystem_peer(int socket);

/// <sys/inotify.h> is not part of Swift's Glibc module. Watches what is written into a folder's files; -1 where the system
/// does not let it.
static inline int csystem_folder_watch_open(const char *folder) {
  int watch = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
  if (watch >= 0 && inotify_add_watch(watch, folder, IN_MODIFY | IN_ATTRIB | IN_CREATE | IN_MOVED_TO) < 0) {
    close(watch);
    return -1;
  }
  return watch;
}

/// Takes what has been seen: whether something happened to files whose names start with `prefix`, or too much happened.
static inline int csystem_folder_watch_read(int watch, const char *prefix) {
  char buffer[8192] __attribute__((aligned(__alignof__(struct inotify_event))));
  int found = 0;
  ssize_t count;
  while ((count = read(watch, buffer, sizeof buffer)) > 0)
    for (char *next = buffer; next < buffer + count;) {
      const struct inotify_event *event = (const struct inotify_event *)next;
      if (event->mask & IN_Q_OVERFLOW || (event->len && !strncmp(event->name, prefix, strlen(prefix)))) found = 1;
      next += sizeof *event + event->len;
    }
  return found;
}

/// `fallocate` is declared by <fcntl.h> only under _GNU_SOURCE.
int fallocate(int, int, long, long);

/// FALLOC_FL_KEEP_SIZE of <linux/falloc.h>: take the room, and leave the file's size as it is.
static const int csystem_fallocate_keep_size = 1;

/// `syncfs` is declared by <unistd.h> only under _GNU_SOURCE.
int syncfs(int);

/// Signals.c holds the state behind these: a variable in a header would be a copy in every object file.

/// Makes the counter that signals ring, on which a reader waits; -1 without one.
int csystem_signals_open(void);

/// What a signal other than SIGINT counts.
static const int csystem_signals_request = 1 << 16;

/// Waits for signals and returns how many came: SIGINT counts 1, any other `csystem_signals_request`; -1 where there is no
/// counter.
int csystem_signals_wait(void);

/// Lets a signal ring the counter, or end the process again; one that the caller's parent had ignored stays ignored.
/// The handlers of `struct sigaction` are a union that Swift can neither read nor compare.
void csystem_signal_catch(int number, int is_caught);

/// Lets this thread's sleep end as exactly as the system can, and the thread run before others where that is permitted.
/// <sys/prctl.h> is not part of Swift's Glibc module.
void csystem_thread_be_punctual(void);

/// Lets this thread run only where no other would; returns whether the system lets it. <sched.h> declares SCHED_IDLE only
/// under _GNU_SOURCE.
int csystem_thread_be_idle(void);

/// Does nothing for some microseconds, without sleeping.
void csystem_thread_turn(void);

/// Sleeps until a time of CLOCK_MONOTONIC.
void csystem_sleep_until(int64_t nanoseconds);
