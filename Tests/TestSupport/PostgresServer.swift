import CSystem
import Foundation
import Glibc
import Synchronization

/// A PostgreSQL server for this run of the tests alone.
///
/// It listens on a Unix socket in a folder of its own, has no port, and is gone with the process, however that ends. The
/// system's own servers and databases are not touched.
package final class PostgresServer: Sendable {
  /// The folder of its socket.
  package let folder: String

  private let guardian: RunningProgram

  private static let starting = Task { try await PostgresServer() }

  /// The one server, which the first test that needs it starts.
  ///
  /// - Throws: ``PostgresServerError`` with the reason why it could not be started.
  package static var shared: PostgresServer { get async throws { try await starting.value } }

  /// The URL of one of its databases.
  ///
  /// - Parameters:
  ///   - database: the database; `postgres` is there from the beginning.
  ///   - user: who asks, with a password or without; `postgres` may do everything, and needs none.
  /// - Returns: a URL as libpq reads it.
  package func url(_ database: String = "postgres", user: String = "postgres") -> String {
    "postgresql://\(user)@/\(database)?host=\(folder)"
  }

  /// Ends when its standard input does, which this process alone holds open, and takes the server and its folder along.
  private static let script = """
    set -eu
    folder=$1
    PATH=$(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | sort -V | tail -n 1):$PATH
    as_user() { exec "$@"; }
    # The server refuses to run as root.
    if [ "$(id -u)" -eq 0 ]; then
      user=postgres; id "$user" >/dev/null 2>&1 || user=nobody
      chown "$user" "$folder"
      as_user() { exec setpriv --reuid="$user" --regid="$(id -g "$user")" --clear-groups --pdeathsig=QUIT "$@"; }
    fi
    server=
    finish() {
      trap - EXIT
      [ -z "$server" ] || { kill -QUIT "$server" 2>/dev/null || true; wait "$server" || true; }
      rm -rf "$folder"
    }
    trap finish EXIT
    trap 'exit 1' HUP INT TERM
    cd "$folder"
    (as_user initdb --pgdata="$folder/data" --username=postgres --auth=trust --encoding=UTF8 --locale=C --no-sync) \\
      >"$folder/log" 2>&1 </dev/null || { cat "$folder/log"; exit 1; }
    # A user whose name is “guarded” has to know a password.
    printf 'local all guarded scram-sha-256\\nlocal all all trust\\n' >"$folder/data/pg_hba.conf"
    as_user postgres -D "$folder/data" -k "$folder" -c listen_addresses= -c fsync=off -c full_page_writes=off \\
      -c synchronous_commit=off -c max_connections=400 -c shared_buffers=64MB -c max_parallel_workers_per_gather=0 \\
      -c autovacuum=off >>"$folder/log" 2>&1 </dev/null &
    server=$!
    for attempt in $(seq 600); do
      if pg_isready --quiet --host="$folder"; then echo ready; break; fi
      kill -0 "$server" 2>/dev/null || { cat "$folder/log"; exit 1; }
      sleep 0.05
    done
    while read -r word; do :; done
    """

  private init() async throws {
    // On a disk, for a server's files may be more than a container's memory folder takes; and short, as sockets' names are.
    let folder = "/tmp/station-postgres-\(UUID().uuidString.prefix(8))"
    self.folder = folder
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    let (input, output) = (try Pipe.closedInPrograms(), try Pipe.closedInPrograms())
    let environment = ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("PG") }
    guardian = try RunningProgram(
      ["/bin/bash", "-c", Self.script, "guardian", folder], environment: environment.map { "\($0.key)=\($0.value)" },
      streams: [input.read, output.write, output.write])
    close(input.read)
    close(output.write)
    // A thread of its own waits, so that no other test has to.
    let said = await withCheckedContinuation { continuation in
      Thread.detachNewThread { continuation.resume(returning: Self.read(output.read)) }
    }
    guard said.hasSuffix("ready\n") else {
      throw PostgresServerError(description: "the tests' PostgreSQL server did not start: \(said)")
    }
    Self.last.withLock { $0 = (guardian, input.write, output.read) }
    _ = atexit { PostgresServer.finish() }
  }

  /// What has to be waited for when this process ends, and what holds it open.
  private static let last = Mutex<(guardian: RunningProgram, order: Int32, answer: Int32)?>(nil)

  private static func finish() {
    guard let (guardian, order, answer) = last.withLock({ $0.take() }) else { return }
    close(order)
    // The guardian alone holds the other end, until it ends.
    var end = pollfd(fd: answer, events: Int16(POLLIN), revents: 0)
    _ = unsafe poll(&end, 1, 10_000)
    withExtendedLifetime(guardian) {}
  }

  /// Reads until the server is ready, or has given up.
  private static func read(_ pipe: Int32) -> String {
    var (text, buffer) = ([UInt8](), [UInt8](repeating: 0, count: 4096))
    while !text.ends(with: Array("ready\n".utf8)) {
      let count = unsafe Glibc.read(pipe, &buffer, buffer.count)
      guard count > 0 else { break }
      text += buffer.prefix(count)
    }
    return String(decoding: text, as: UTF8.self)
  }
}

/// Why there is no server.
package struct PostgresServerError: Error, Sendable, CustomStringConvertible {
  /// What the server or `initdb` said.
  package let description: String
}

private enum Pipe {
  /// A pipe of which programs that are started inherit nothing.
  static func closedInPrograms() throws -> (read: Int32, write: Int32) {
    var ends: [Int32] = [0, 0]
    guard unsafe pipe2(&ends, O_CLOEXEC) == 0 else {
      throw PostgresServerError(description: "there is no pipe to be had (errno \(errno))")
    }
    return (ends[0], ends[1])
  }
}

extension [UInt8] {
  fileprivate func ends(with other: [UInt8]) -> Bool { suffix(other.count).elementsEqual(other) }
}
