// The functions of libsystemd that the station calls, found when a bus is first connected to: linked, it would slow every
// command. Several of them are variadic besides, which Swift cannot call.

#include "shim.h"
#include <dlfcn.h>
#include <pthread.h>
#include <string.h>
#include <systemd/sd-bus.h>

#define CSYSTEMD_FUNCTIONS(entry) \
  entry(flush_close_unref) entry(get_events) entry(get_fd) entry(get_timeout) entry(message_append_array) \
  entry(message_append_basic) entry(message_close_container) entry(message_enter_container) entry(message_exit_container) \
  entry(message_get_error) entry(message_get_interface) entry(message_get_member) entry(message_get_path) \
  entry(message_get_reply_cookie) entry(message_get_type) entry(message_new_method_call) entry(message_new_method_errorf) \
  entry(message_new_method_return) entry(message_new_signal) entry(message_open_container) entry(message_peek_type) \
  entry(message_read_array) entry(message_read_basic) entry(message_unref) entry(new) entry(open_system) entry(process) \
  entry(send) entry(set_address) entry(set_bus_client) entry(start) entry(unref)

static struct {
#define CSYSTEMD_MEMBER(name) __typeof__(&sd_bus_##name) name;
  CSYSTEMD_FUNCTIONS(CSYSTEMD_MEMBER)
#undef CSYSTEMD_MEMBER
} functions;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static char problem[512];

static void open_library(void) {
  void *library = dlopen("libsystemd.so.0", RTLD_NOW | RTLD_LOCAL);
  const char *missing = library ? 0 : dlerror();
#define CSYSTEMD_LOAD(name) \
  if (library && !missing && !(*(void **)&functions.name = dlsym(library, "sd_bus_" #name))) missing = "sd_bus_" #name;
  CSYSTEMD_FUNCTIONS(CSYSTEMD_LOAD)
#undef CSYSTEMD_LOAD
  if (missing) strncpy(problem, missing, sizeof problem - 1);
}

int csystemd_open(char *reason, size_t size) {
  pthread_once(&once, open_library);
  if (!problem[0]) return 0;
  strncpy(reason, problem, size - 1);
  reason[size - 1] = 0;
  return -1;
}

int csystemd_bus_connect(csystemd_bus *bus, const char *address) {
  if (!address) return functions.open_system(bus);
  int code = functions.new(bus);
  if (code >= 0) code = functions.set_address(*bus, address);
  if (code >= 0) code = functions.set_bus_client(*bus, 1);
  if (code >= 0) code = functions.start(*bus);
  if (code < 0 && *bus) *bus = functions.unref(*bus);
  return code;
}

void csystemd_bus_close(csystemd_bus bus) { functions.flush_close_unref(bus); }
int csystemd_bus_descriptor(csystemd_bus bus) { return functions.get_fd(bus); }
int csystemd_bus_events(csystemd_bus bus) { return functions.get_events(bus); }

uint64_t csystemd_bus_deadline(csystemd_bus bus) {
  uint64_t deadline = UINT64_MAX;
  return functions.get_timeout(bus, &deadline) < 0 ? UINT64_MAX : deadline;
}

int csystemd_bus_process(csystemd_bus bus, csystemd_message *message) {
  *message = 0;
  return functions.process(bus, message);
}

int csystemd_bus_send(csystemd_bus bus, csystemd_message message, uint64_t *cookie) {
  return functions.send(bus, message, cookie);
}

int csystemd_call_new(
  csystemd_bus bus, csystemd_message *message, const char *name, const char *path, const char *interface,
  const char *member) {
  return functions.message_new_method_call(bus, message, name, path, interface, member);
}

int csystemd_signal_new(
  csystemd_bus bus, csystemd_message *message, const char *path, const char *interface, const char *member) {
  return functions.message_new_signal(bus, message, path, interface, member);
}

int csystemd_answer_new(csystemd_message call, csystemd_message *answer) {
  return functions.message_new_method_return(call, answer);
}

int csystemd_refusal_new(csystemd_message call, csystemd_message *answer, const char *name, const char *text) {
  return functions.message_new_method_errorf(call, answer, name, "%s", text);
}

void csystemd_message_free(csystemd_message message) { functions.message_unref(message); }

int csystemd_message_kind(csystemd_message message) {
  uint8_t kind = 0;
  return functions.message_get_type(message, &kind) < 0 ? 0 : kind;
}

uint64_t csystemd_message_answered(csystemd_message message) {
  uint64_t cookie = 0;
  return functions.message_get_reply_cookie(message, &cookie) < 0 ? 0 : cookie;
}

const char *csystemd_message_path(csystemd_message message) { return functions.message_get_path(message); }
const char *csystemd_message_interface(csystemd_message message) { return functions.message_get_interface(message); }
const char *csystemd_message_member(csystemd_message message) { return functions.message_get_member(message); }

const char *csystemd_message_error_name(csystemd_message message) {
  const sd_bus_error *error = functions.message_get_error(message);
  return error ? error->name : 0;
}

const char *csystemd_message_error_text(csystemd_message message) {
  const sd_bus_error *error = functions.message_get_error(message);
  return error ? error->message : 0;
}

int csystemd_peek(csystemd_message message, char *type, const char **contents) {
  return functions.message_peek_type(message, type, contents);
}

int csystemd_enter(csystemd_message message, char type, const char *contents) {
  return functions.message_enter_container(message, type, contents);
}

int csystemd_exit(csystemd_message message) { return functions.message_exit_container(message); }
int csystemd_read(csystemd_message message, char type, void *value) {
  return functions.message_read_basic(message, type, value);
}

int csystemd_read_bytes(csystemd_message message, const void **bytes, size_t *count) {
  return functions.message_read_array(message, 'y', bytes, count);
}

int csystemd_begin(csystemd_message message, char type, const char *contents) {
  return functions.message_open_container(message, type, contents);
}

int csystemd_end(csystemd_message message) { return functions.message_close_container(message); }
int csystemd_append(csystemd_message message, char type, const void *value) {
  return functions.message_append_basic(message, type, value);
}

int csystemd_append_bytes(csystemd_message message, const void *bytes, size_t count) {
  return functions.message_append_array(message, 'y', bytes, count);
}
