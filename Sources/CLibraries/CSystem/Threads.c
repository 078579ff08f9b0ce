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

int csystem_thread_be_idle(void) {
  struct sched_param parameters = {.sched_priority = 0};
  return pthread_setschedparam(pthread_self(), SCHED_IDLE, &parameters) == 0;
}

void csystem_thread_turn(void) {
  // The processor is told that nothing is done, and takes less power.
  for (int turn = 0; turn < 256; turn++) {
#if defined __x86_64__
    __builtin_ia32_pause();
#elif defined __aarch64__
    __asm__ volatile("yield");
#endif
  }
}

void csystem_sleep_until(int64_t nanoseconds) {
  struct timespec time = {.tv_sec = nanoseconds / 1000000000, .tv_nsec = nanoseconds % 1000000000};
  while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, 0) == EINTR) {}
}
