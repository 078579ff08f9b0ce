#pragma once
#include <microhttpd.h>
#include <netinet/in.h>
#include <stdint.h>

// libmicrohttpd as the station uses it: opened when a page is served, since no other command needs it. The functions below
// hand on to the library, some of whose own are variadic, which Swift cannot call.

/// Opens libmicrohttpd and finds every function that the station calls; NULL, or why that is not possible. Only the first
/// call does anything, from any thread; before it succeeds no other function of this header may be called.
const char *cmhd_open(void);

/// What a server is made of.
struct cmhd_settings {
  /// The port on the loopback interface; 0 for a free one.
  uint16_t port;
  /// The maximum number of connections.
  unsigned connections;
  /// The memory of a connection, in bytes, which its head has to fit into.
  size_t memory;
  /// The seconds after which a connection is ended on which nothing moves.
  unsigned timeout;
  /// Whether a client may connect; called on the server's thread, as everything is.
  MHD_AcceptPolicyCallback admits;
  /// A connection has begun, or is over.
  MHD_NotifyConnectionCallback connects;
  /// A request has come, or a part of its body.
  MHD_AccessHandlerCallback takes;
  /// A request is over.
  MHD_RequestCompletedCallback ends;
  /// What all of them are called with.
  void *box;
};

/// Starts a server on the loopback interface with one thread; NULL with `errno` where that is not possible.
struct MHD_Daemon *cmhd_start(const struct cmhd_settings *settings);
/// Ends it and its thread; no connection may be suspended.
void cmhd_stop(struct MHD_Daemon *server);
/// The port that it listens at.
uint16_t cmhd_port(struct MHD_Daemon *server);

/// A field of a request's head; NULL without it.
const char *cmhd_field(struct MHD_Connection *connection, const char *name);
/// How often a field is in a request's head.
int cmhd_count(struct MHD_Connection *connection, const char *name);
/// The socket of a connection; -1 where it is not known.
int cmhd_socket(struct MHD_Connection *connection);

/// An answer with these bytes, which are copied; NULL without memory.
struct MHD_Response *cmhd_bytes(const void *bytes, size_t count);
/// An answer that is made while it is sent, and has no length; NULL without memory.
struct MHD_Response *cmhd_stream(MHD_ContentReaderCallback reader, void *box, MHD_ContentReaderFreeCallback release);
/// Adds a field to an answer's head; whether there was memory for it.
int cmhd_add(struct MHD_Response *response, const char *name, const char *value);
/// Answers a request, and gives the answer up.
enum MHD_Result cmhd_answer(struct MHD_Connection *connection, unsigned status, struct MHD_Response *response);

/// Has a connection wait until it is resumed; only on the server's thread.
void cmhd_suspend(struct MHD_Connection *connection);
/// Goes on with it; on any thread.
void cmhd_resume(struct MHD_Connection *connection);
