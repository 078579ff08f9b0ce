#define _GNU_SOURCE
#include "shim.h"
#include <pthread.h>
#include <sched.h>
#include <sys/prctl.h>

void csystem_thread_be_punctual(void) {
  prctl(PR_SET_TIMERSLACK, 1);
  struct sched_param parameters = {.sched_priority = 5};
  pthread_setschedparam(pthread_self(), SCHED_FIFO, &parameters);
}

void csystem_sleep_until(int64_t nanoseconds) {
  struct timespec time = {.tv_sec = nanoseconds / 1000000000, .tv_nsec = nanoseconds % 1000000000};
  while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, 0) == EINTR) {}
}
