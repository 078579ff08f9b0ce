#include "shim.h"
#include <lazy.h>

#define CMHD_FUNCTIONS(entry) \
  entry(MHD_start_daemon) \
  entry(MHD_stop_daemon) \
  entry(MHD_get_daemon_info) \
  entry(MHD_get_connection_info) \
  entry(MHD_get_connection_values) \
  entry(MHD_lookup_connection_value) \
  entry(MHD_create_response_from_buffer) \
  entry(MHD_create_response_from_callback) \
  entry(MHD_add_response_header) \
  entry(MHD_queue_response) \
  entry(MHD_destroy_response) \
  entry(MHD_suspend_connection) \
  entry(MHD_resume_connection)

LAZY_FUNCTIONS(CMHD_FUNCTIONS)
LAZY_LIBRARY("libmicrohttpd.so.12", CMHD_FUNCTIONS, 0)

const char *cmhd_open(void) { return lazy_open(); }

struct MHD_Daemon *cmhd_start(const struct cmhd_settings *settings) {
  struct sockaddr_in address = {
    .sin_family = AF_INET, .sin_port = htons(settings->port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  return functions.MHD_start_daemon(
    MHD_USE_POLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME, settings->port, settings->admits, settings->box,
    settings->takes, settings->box, MHD_OPTION_SOCK_ADDR, &address, MHD_OPTION_CONNECTION_LIMIT, settings->connections,
    MHD_OPTION_CONNECTION_MEMORY_LIMIT, settings->memory, MHD_OPTION_CONNECTION_TIMEOUT, settings->timeout,
    MHD_OPTION_NOTIFY_CONNECTION, settings->connects, settings->box, MHD_OPTION_NOTIFY_COMPLETED, settings->ends,
    settings->box, MHD_OPTION_STRICT_FOR_CLIENT, 1, MHD_OPTION_END);
}

void cmhd_stop(struct MHD_Daemon *server) { functions.MHD_stop_daemon(server); }

uint16_t cmhd_port(struct MHD_Daemon *server) {
  const union MHD_DaemonInfo *info = functions.MHD_get_daemon_info(server, MHD_DAEMON_INFO_BIND_PORT);
  return info ? info->port : 0;
}

const char *cmhd_field(struct MHD_Connection *connection, const char *name) {
  return functions.MHD_lookup_connection_value(connection, MHD_HEADER_KIND, name);
}

struct search {
  const char *name;
  int count;
};

static enum MHD_Result count(void *box, enum MHD_ValueKind kind, const char *key, const char *value) {
  struct search *search = box;
  if (strcasecmp(key, search->name) == 0) search->count += 1;
  return MHD_YES;
}

int cmhd_count(struct MHD_Connection *connection, const char *name) {
  struct search search = {name, 0};
  functions.MHD_get_connection_values(connection, MHD_HEADER_KIND, count, &search);
  return search.count;
}

int cmhd_socket(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info =
    functions.MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
  return info ? info->connect_fd : -1;
}

struct MHD_Response *cmhd_bytes(const void *bytes, size_t count) {
  return functions.MHD_create_response_from_buffer(count, (void *)bytes, MHD_RESPMEM_MUST_COPY);
}

struct MHD_Response *cmhd_stream(MHD_ContentReaderCallback reader, void *box, MHD_ContentReaderFreeCallback release) {
  return functions.MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, 4096, reader, box, release);
}

int cmhd_add(struct MHD_Response *response, const char *name, const char *value) {
  return functions.MHD_add_response_header(response, name, value) == MHD_YES;
}

enum MHD_Result cmhd_answer(struct MHD_Connection *connection, unsigned status, struct MHD_Response *response) {
  enum MHD_Result result = functions.MHD_queue_response(connection, status, response);
  functions.MHD_destroy_response(response);
  return result;
}

void cmhd_suspend(struct MHD_Connection *connection) { functions.MHD_suspend_connection(connection); }
void cmhd_resume(struct MHD_Connection *connection) { functions.MHD_resume_connection(connection); }
