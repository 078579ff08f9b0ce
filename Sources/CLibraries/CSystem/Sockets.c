#define _GNU_SOURCE
#include "shim.h"

#include <sys/socket.h>

// In a file of its own: a header that includes <sys/socket.h> takes its constants away from Swift's Glibc module.

int csystem_accept(int socket) { return accept4(socket, 0, 0, SOCK_CLOEXEC | SOCK_NONBLOCK); }

unsigned int csystem_peer(int socket) {
  struct ucred peer;
  socklen_t size = sizeof peer;
  return getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 ? peer.uid : (unsigned int)-1;
}
