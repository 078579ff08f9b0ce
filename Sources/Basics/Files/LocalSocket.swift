import CSystem
import Glibc

/// Sockets between processes of one user on this computer, each at a path in a folder.
package enum LocalSocket {
  /// How many connections may wait to be accepted.
  private static let backlog: Int32 = 16

  /// Listens at a path, in the place of a socket that was left by a process that has ended.
  ///
  /// Its user alone can connect. What accepts connections never waits.
  ///
  /// - Throws: ``FileError``; code `EADDRINUSE` where another process listens.
  package static func listen(at path: String) throws(FileError) -> Descriptor {
    let action = "listen at the socket"
    let socket = try make(action, path)
    if let error = try bind(socket, to: path, action) {
      guard error.code == EADDRINUSE, try isLeft(path) else { throw error }
      try Folder.removeFile(path)
      if let error = try bind(socket, to: path, action) { throw error }
    }
    guard Glibc.listen(socket.number, backlog) == 0 else { throw FileError.last(action, path) }
    return socket
  }

  /// Connects to the process that listens at a path.
  ///
  /// - Throws: ``FileError``; code `ECONNREFUSED` where none does.
  package static func connect(to path: String) throws(FileError) -> Descriptor {
    let action = "connect to the socket"
    let socket = try make(action, path)
    let code = try unsafe named(path, action) { address, length in
      unsafe Glibc.connect(socket.number, address, length) == 0 ? 0 : errno
    }
    // The backlog of a process that does not accept is full.
    guard code == 0 else { throw FileError(action, path, code: code == EAGAIN ? ECONNREFUSED : code) }
    return socket
  }

  /// The next connection to a socket, of this user; `nil` where none waits.
  package static func accept(from socket: borrowing Descriptor) -> Descriptor? {
    while true {
      let number = csystem_accept(socket.number)
      guard number >= 0 else { return nil }
      let connection = Descriptor(number)
      if csystem_peer(number) == getuid() { return connection }
    }
  }

  /// Sends what a connection takes at once.
  ///
  /// - Returns: how many bytes; `nil` where the other end is closed.
  package static func send(_ bytes: ArraySlice<UInt8>, on connection: borrowing Descriptor) -> Int? {
    guard !bytes.isEmpty else { return 0 }
    let count = unsafe bytes.withUnsafeBytes {
      unsafe Glibc.send(connection.number, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
    }
    if count >= 0 { return count }
    return errno == EAGAIN || errno == EINTR ? 0 : nil
  }

  /// Whether a socket was left by a process that has ended.
  private static func isLeft(_ path: String) throws(FileError) -> Bool {
    do throws(FileError) {
      _ = try connect(to: path)
      return false
    } catch {
      guard error.code == ECONNREFUSED else { throw error }
      return true
    }
  }

  private static func make(_ action: String, _ path: String) throws(FileError) -> Descriptor {
    let kind = SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue
    let number = socket(AF_UNIX, Int32(kind), 0)
    guard number >= 0 else { throw FileError.last(action, path) }
    return Descriptor(number)
  }

  /// Gives a socket its path; the error where that cannot be.
  private static func bind(_ socket: borrowing Descriptor, to path: String, _ action: String) throws(FileError)
    -> FileError?
  {
    let number = socket.number
    // The path has the socket's permissions from its first moment on.
    guard fchmod(number, 0o600) == 0 else { throw FileError.last(action, path) }
    let code = try unsafe named(path, action) { address, length in
      unsafe Glibc.bind(number, address, length) == 0 ? 0 : errno
    }
    return code == 0 ? nil : FileError(action, path, code: code)
  }

  /// Does something with the address of a path, which may be longer than an address: it is named by its folder, opened.
  private static func named(
    _ path: String, _ action: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
  ) throws(FileError) -> Int32 {
    let folder = unsafe open(Folder.parent(of: path), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard folder >= 0 else { throw FileError.last(action, path) }
    defer { close(folder) }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let bytes = Array("/proc/self/fd/\(folder)/\(Folder.name(of: path))".utf8)
    guard bytes.count < MemoryLayout.size(ofValue: address.sun_path), !bytes.contains(0) else {
      throw FileError(action, path, code: ENAMETOOLONG)
    }
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: bytes) }
    return unsafe withUnsafePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
  }
}
