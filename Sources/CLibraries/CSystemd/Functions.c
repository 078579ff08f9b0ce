// The functions of libsystemd that the station calls, found when a bus is first connected to: linked, it would slow every
// command. Several of them are variadic besides, which Swift cannot call.

#include "shim.h"
#include <lazy.h>
#include <systemd/sd-bus.h>

#define CSYSTEMD_FUNCTIONS(entry) \
  entry(sd_bus_flush_close_unref) entry(sd_bus_get_events) entry(sd_bus_get_fd) entry(sd_bus_get_timeout) \
  entry(sd_bus_message_append_array) entry(sd_bus_message_append_basic) entry(sd_bus_message_close_container) \
  entry(sd_bus_message_enter_container) entry(sd_bus_message_exit_container) entry(sd_bus_message_get_error) \
  entry(sd_bus_message_get_interface) entry(sd_bus_message_get_member) entry(sd_bus_message_get_path) \
  entry(sd_bus_message_get_reply_cookie) entry(sd_bus_message_get_type) entry(sd_bus_message_new_method_call) \
  entry(sd_bus_message_new_method_errorf) entry(sd_bus_message_new_method_return) entry(sd_bus_message_new_signal) \
  entry(sd_bus_message_open_container) entry(sd_bus_message_peek_type) entry(sd_bus_message_read_array) \
  entry(sd_bus_message_read_basic) entry(sd_bus_message_unref) entry(sd_bus_new) entry(sd_bus_open_system) \
  entry(sd_bus_process) entry(sd_bus_send) entry(sd_bus_set_address) entry(sd_bus_set_bus_client) \
  entry(sd_bus_start) entry(sd_bus_unref)

LAZY_FUNCTIONS(CSYSTEMD_FUNCTIONS)
LAZY_LIBRARY("libsystemd.so.0", CSYSTEMD_FUNCTIONS, 0)

const char *csystemd_open(void) { return lazy_open(); }

int csystemd_bus_connect(csystemd_bus *bus, const char *address) {
  if (!address) return functions.sd_bus_open_system(bus);
  int code = functions.sd_bus_new(bus);
  if (code >= 0) code = functions.sd_bus_set_address(*bus, address);
  if (code >= 0) code = functions.sd_bus_set_bus_client(*bus, 1);
  if (code >= 0) code = functions.sd_bus_start(*bus);
  if (code < 0 && *bus) *bus = functions.sd_bus_unref(*bus);
  return code;
}

void csystemd_bus_close(csystemd_bus bus) { functions.sd_bus_flush_close_unref(bus); }
int csystemd_bus_descriptor(csystemd_bus bus) { return functions.sd_bus_get_fd(bus); }
int csystemd_bus_events(csystemd_bus bus) { return functions.sd_bus_get_events(bus); }

uint64_t csystemd_bus_deadline(csystemd_bus bus) {
  uint64_t deadline = UINT64_MAX;
  return functions.sd_bus_get_timeout(bus, &deadline) < 0 ? UINT64_MAX : deadline;
}

int csystemd_bus_process(csystemd_bus bus, csystemd_message *message) {
  *message = 0;
  return functions.sd_bus_process(bus, message);
}

int csystemd_bus_send(csystemd_bus bus, csystemd_message message, uint64_t *cookie) {
  return functions.sd_bus_send(bus, message, cookie);
}

int csystemd_call_new(
  csystemd_bus bus, csystemd_message *message, const char *name, const char *path, const char *interface,
  const char *member) {
  return functions.sd_bus_message_new_method_call(bus, message, name, path, interface, member);
}

int csystemd_signal_new(
  csystemd_bus bus, csystemd_message *message, const char *path, const char *interface, const char *member) {
  return functions.sd_bus_message_new_signal(bus, message, path, interface, member);
}

int csystemd_answer_new(csystemd_message call, csystemd_message *answer) {
  return functions.sd_bus_message_new_method_return(call, answer);
}

int csystemd_refusal_new(csystemd_message call, csystemd_message *answer, const char *name, const char *text) {
  return functions.sd_bus_message_new_method_errorf(call, answer, name, "%s", text);
}

void csystemd_message_free(csystemd_message message) { functions.sd_bus_message_unref(message); }

int csystemd_message_kind(csystemd_message message) {
  uint8_t kind = 0;
  return functions.sd_bus_message_get_type(message, &kind) < 0 ? 0 : kind;
}

uint64_t csystemd_message_answered(csystemd_message message) {
  uint64_t cookie = 0;
  return functions.sd_bus_message_get_reply_cookie(message, &cookie) < 0 ? 0 : cookie;
}

const char *csystemd_message_path(csystemd_message message) { return functions.sd_bus_message_get_path(message); }
const char *csystemd_message_interface(csystemd_message message) { return functions.sd_bus_message_get_interface(message); }
const char *csystemd_message_member(csystemd_message message) { return functions.sd_bus_message_get_member(message); }

const char *csystemd_message_error_name(csystemd_message message) {
  const sd_bus_error *error = functions.sd_bus_message_get_error(message);
  return error ? error->name : 0;
}

const char *csystemd_message_error_text(csystemd_message message) {
  const sd_bus_error *error = functions.sd_bus_message_get_error(message);
  return error ? error->message : 0;
}

int csystemd_peek(csystemd_message message, char *type, const char **contents) {
  return functions.sd_bus_message_peek_type(message, type, contents);
}

int csystemd_enter(csystemd_message message, char type, const char *contents) {
  return functions.sd_bus_message_enter_container(message, type, contents);
}

int csystemd_exit(csystemd_message message) { return functions.sd_bus_message_exit_container(message); }
int csystemd_read(csystemd_message message, char type, void *value) {
  return functions.sd_bus_message_read_basic(message, type, value);
}

int csystemd_read_bytes(csystemd_message message, const void **bytes, size_t *count) {
  return functions.sd_bus_message_read_array(message, 'y', bytes, count);
}

int csystemd_begin(csystemd_message message, char type, const char *contents) {
  return functions.sd_bus_message_open_container(message, type, contents);
}

int csystemd_end(csystemd_message message) { return functions.sd_bus_message_close_container(message); }
int csystemd_append(csystemd_message message, char type, const void *value) {
  return functions.sd_bus_message_append_basic(message, type, value);
}

int csystemd_append_bytes(csystemd_message message, const void *bytes, size_t count) {
  return functions.sd_bus_message_append_array(message, 'y', bytes, count);
}
