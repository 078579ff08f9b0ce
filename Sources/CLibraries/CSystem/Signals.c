#include "shim.h"

/// The counter that the handler rings: one for the whole process.
static int alarm_descriptor = -1;

/// Only what a signal handler may do: no lock, no allocation, no Swift.
static void signal_arrived(int number) {
  int before = errno;
  eventfd_write(alarm_descriptor, number == SIGINT ? 1 : csystem_signals_request);
  errno = before;
}

int csystem_signals_open(void) { return alarm_descriptor = eventfd(0, EFD_CLOEXEC); }

int csystem_signals_wait(void) {
  eventfd_t count = 0;
  while (eventfd_read(alarm_descriptor, &count) < 0)
    if (errno != EINTR) return -1;
  return (int)count;
}

void csystem_signal_catch(int number, int is_caught) {
  struct sigaction action;
  if (sigaction(number, 0, &action) != 0 || action.sa_handler == SIG_IGN) return;
  action.sa_handler = is_caught ? signal_arrived : SIG_DFL;
  action.sa_flags = SA_RESTART;
  sigemptyset(&action.sa_mask);
  sigaction(number, &action, 0);
}
