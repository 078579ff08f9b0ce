import Basics
import Glibc

/// Opens connections to Unix sockets and TCP servers, on a thread that may block.
enum SocketConnection {
  /// Connects to a Unix socket.
  static func open(unix path: String, on thread: SensorThread) throws(LinkFault) -> Descriptor {
    let action = "cannot connect to “\(path.visible)”"
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let bytes = Array(path.utf8)
    // The path needs a terminating zero byte.
    guard bytes.count < MemoryLayout.size(ofValue: address.sun_path), !bytes.contains(0) else {
      throw LinkFault("\(action): the path of a socket has at most 107 bytes")
    }
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: bytes) }
    let socket = try make(AF_UNIX, action)
    let code = unsafe withUnsafePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe connect(socket.number, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0 ? 0 : errno
      }
    }
    guard code == 0 else {
      // EAGAIN means that the server's backlog is full.
      throw LinkFault(action, code == EAGAIN ? ECONNREFUSED : code)
    }
    return socket
  }

  /// Connects to the first of a host's addresses that answers.
  ///
  /// Name resolution cannot be interrupted.
  static func open(host: String, port: UInt16, on thread: SensorThread) throws(LinkFault) -> Descriptor {
    let action = "cannot connect to \(LineTarget.tcp(host: host, port: port))"
    var hints = unsafe addrinfo()
    unsafe hints.ai_family = AF_UNSPEC
    unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    unsafe hints.ai_flags = AI_NUMERICSERV
    var list: UnsafeMutablePointer<addrinfo>?
    guard thread.setBeyondReach(true) else { throw LinkFault("\(action): stopped") }
    let answer = unsafe getaddrinfo(host, "\(port)", &hints, &list)
    thread.setBeyondReach(false)
    guard answer == 0 else {
      throw LinkFault("\(action): \(unsafe String(cString: gai_strerror(answer)))")
    }
    defer { unsafe freeaddrinfo(list) }
    var fault = LinkFault("\(action): it has no address")
    var entry = unsafe list
    while let current = unsafe entry {
      guard !thread.isStopped else { break }
      do {
        return try unsafe open(current.pointee, action, on: thread)
      } catch {
        fault = error
      }
      unsafe entry = current.pointee.ai_next
    }
    throw fault
  }

  private static func open(
    _ address: addrinfo, _ action: String, on thread: SensorThread
  ) throws(LinkFault) -> Descriptor {
    let socket = try make(unsafe address.ai_family, action)
    if unsafe connect(socket.number, address.ai_addr, address.ai_addrlen) != 0 {
      guard errno == EINPROGRESS else { throw LinkFault(action, errno) }
      while thread.wait([(socket.number, Int(POLLOUT))])[0] == 0 {
        if thread.isStopped { throw LinkFault("\(action): stopped") }
      }
      let code = option(socket.number, SOL_SOCKET, SO_ERROR)
      guard code == 0 else { throw LinkFault(action, code) }
    }
    // A socket that retries a free port of this computer eventually connects to itself.
    guard !meetsItself(socket.number) else { throw LinkFault(action, ECONNREFUSED) }
    // Detects a server that vanished without closing the connection within half a minute.
    set(socket.number, SOL_SOCKET, SO_KEEPALIVE, 1)
    set(socket.number, Int32(IPPROTO_TCP), TCP_KEEPIDLE, 10)
    set(socket.number, Int32(IPPROTO_TCP), TCP_KEEPINTVL, 5)
    set(socket.number, Int32(IPPROTO_TCP), TCP_KEEPCNT, 4)
    return socket
  }

  private static func make(_ family: Int32, _ action: String) throws(LinkFault) -> Descriptor {
    let kind = SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue
    let number = socket(family, Int32(kind), 0)
    guard number >= 0 else { throw LinkFault(action, errno) }
    return Descriptor(number)
  }

  private static func option(_ number: Int32, _ level: Int32, _ name: Int32) -> Int32 {
    var value: Int32 = 0
    var size = socklen_t(MemoryLayout<Int32>.size)
    return unsafe getsockopt(number, level, name, &value, &size) == 0 ? value : errno
  }

  private static func set(_ number: Int32, _ level: Int32, _ name: Int32, _ value: Int32) {
    var value = value
    unsafe _ = setsockopt(number, level, name, &value, socklen_t(MemoryLayout<Int32>.size))
  }

  private static func meetsItself(_ number: Int32) -> Bool {
    func address(_ ask: (Int32, UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Int32) -> [UInt8] {
      var storage = sockaddr_storage()
      var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
      let result = unsafe withUnsafeMutablePointer(to: &storage) { pointer in
        unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe ask(number, $0, &size) }
      }
      guard result == 0 else { return [] }
      return unsafe withUnsafeBytes(of: &storage) { unsafe Array($0.prefix(Int(size))) }
    }
    let own = unsafe address { unsafe getsockname($0, $1, $2) }
    return unsafe !own.isEmpty && own == address { unsafe getpeername($0, $1, $2) }
  }
}
