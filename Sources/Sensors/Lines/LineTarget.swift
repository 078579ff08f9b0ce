/// The source of a stream of lines.
package enum LineTarget: Hashable, Sendable, CustomStringConvertible {
  /// Standard input.
  case standardInput
  /// A file, a FIFO or a character device.
  case path(String)
  /// A TCP server.
  case tcp(host: String, port: UInt16)
  /// A server at a Unix socket.
  case unix(path: String)
  /// The output of a command run by `/bin/sh`.
  case exec(command: String)

  /// The target as written after `lines:`.
  package var description: String {
    switch self {
    case .standardInput: "-"
    case .path(let path): path
    case .tcp(let host, let port): host.contains(":") ? "tcp://[\(host)]:\(port)" : "tcp://\(host):\(port)"
    case .unix(let path): "unix:\(path)"
    case .exec(let command): "exec:\(command)"
    }
  }

  /// Whether a broken connection is retried.
  var reconnects: Bool {
    switch self {
    case .tcp, .unix: true
    case .standardInput, .path, .exec: false
    }
  }
}
