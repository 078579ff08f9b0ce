#pragma once
#include <stddef.h>
#include <stdint.h>

/// Connections and messages of D-Bus, as libsystemd's sd-bus has them. Values that are negative are error numbers.
typedef struct sd_bus *csystemd_bus;
typedef struct sd_bus_message *csystemd_message;

/// Opens the library; -1 with the reason where it is missing.
const char *csystemd_open(void);

/// Connects to a bus; to the system's, or the one that DBUS_SYSTEM_BUS_ADDRESS names, where `address` is null.
int csystemd_bus_connect(csystemd_bus *bus, const char *address);
/// Sends what waits, and closes the connection.
void csystemd_bus_close(csystemd_bus bus);
int csystemd_bus_descriptor(csystemd_bus bus);
int csystemd_bus_events(csystemd_bus bus);
/// The time of CLOCK_MONOTONIC in microseconds at which the bus must be processed; UINT64_MAX for never.
uint64_t csystemd_bus_deadline(csystemd_bus bus);
/// Takes one step: 0 where nothing is left to do. `message` is null where the step took none, else it is the caller's.
int csystemd_bus_process(csystemd_bus bus, csystemd_message *message);
/// Sends a message; `cookie` is the number that its answer will carry.
int csystemd_bus_send(csystemd_bus bus, csystemd_message message, uint64_t *cookie);

int csystemd_call_new(
  csystemd_bus bus, csystemd_message *message, const char *name, const char *path, const char *interface,
  const char *member);
int csystemd_signal_new(
  csystemd_bus bus, csystemd_message *message, const char *path, const char *interface, const char *member);
int csystemd_answer_new(csystemd_message call, csystemd_message *answer);
int csystemd_refusal_new(csystemd_message call, csystemd_message *answer, const char *name, const char *text);
void csystemd_message_free(csystemd_message message);

/// 1 a call, 2 an answer, 3 an error, 4 a signal.
int csystemd_message_kind(csystemd_message message);
/// The number of the call that it answers; 0 for other messages.
uint64_t csystemd_message_answered(csystemd_message message);
/// Each null where the message has none.
const char *csystemd_message_path(csystemd_message message);
const char *csystemd_message_interface(csystemd_message message);
const char *csystemd_message_member(csystemd_message message);
const char *csystemd_message_error_name(csystemd_message message);
const char *csystemd_message_error_text(csystemd_message message);

/// The type of the next value and of what is in it; 0 at the end of a container or message.
int csystemd_peek(csystemd_message message, char *type, const char **contents);
int csystemd_enter(csystemd_message message, char type, const char *contents);
int csystemd_exit(csystemd_message message);
int csystemd_read(csystemd_message message, char type, void *value);
int csystemd_read_bytes(csystemd_message message, const void **bytes, size_t *count);
int csystemd_begin(csystemd_message message, char type, const char *contents);
int csystemd_end(csystemd_message message);
int csystemd_append(csystemd_message message, char type, const void *value);
int csystemd_append_bytes(csystemd_message message, const void *bytes, size_t count);
