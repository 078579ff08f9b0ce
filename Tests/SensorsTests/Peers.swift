import Glibc
import TestSupport
import Testing

@testable import Quantities
@testable import Sensors

/// A folder for one test, removed with it.
final class TemporaryFolder {
  let path: String

  init() {
    var template = Array("/tmp/sensors-XXXXXX".utf8CString)
    unsafe _ = mkdtemp(&template)
    path = String(decoding: template.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  deinit {
    for name in ["fifo", "socket", "file", "pid"] { unsafe _ = unlink("\(path)/\(name)") }
    unsafe _ = rmdir(path)
  }

  func file(_ text: String, name: String = "file") -> String {
    let path = "\(path)/\(name)"
    let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o644)
    send(text, descriptor)
    close(descriptor)
    return path
  }
}

/// Writes a text to a descriptor.
func send(_ text: String, _ descriptor: Int32) {
  var bytes = Array(text.utf8)[...]
  while !bytes.isEmpty {
    let written = unsafe bytes.withUnsafeBytes { unsafe write(descriptor, $0.baseAddress, $0.count) }
    if written < 0 { return }
    bytes = bytes.dropFirst(written)
  }
}

/// A server on the loopback interface or at a Unix socket, which never keeps a thread waiting.
struct LineServer: ~Copyable {
  let descriptor: Int32
  let target: LineTarget

  init(unix path: String) {
    descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue), 0)
    target = .unix(path: path)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: Array(path.utf8)) }
    unsafe withUnsafePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe _ = bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    listen(descriptor, 8)
  }

  /// On a free port of 127.0.0.1.
  init(backlog: Int32 = 8, listens: Bool = true) {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let number = descriptor
    unsafe withUnsafeMutablePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe _ = bind(number, $0, size)
        unsafe _ = getsockname(number, $0, &size)
      }
    }
    if listens { listen(descriptor, backlog) }
    target = .tcp(host: "127.0.0.1", port: UInt16(bigEndian: address.sin_port))
  }

  deinit { close(descriptor) }

  /// The next connection.
  func accept() async -> Int32 {
    while true {
      let peer = Glibc.accept(descriptor, nil, nil)
      if peer >= 0 { return peer }
      await Task.yield()
    }
  }
}

/// Whether a process is there and not dead.
func isAlive(_ process: pid_t) -> Bool {
  let descriptor = unsafe open("/proc/\(process)/stat", O_RDONLY)
  guard descriptor >= 0 else { return false }
  defer { close(descriptor) }
  var buffer = [UInt8](repeating: 0, count: 512)
  let count = unsafe buffer.withUnsafeMutableBytes { unsafe read(descriptor, $0.baseAddress, $0.count) }
  guard count > 0, let mark = buffer.lastIndex(of: UInt8(ascii: ")")) else { return false }
  return buffer[mark + 2] != UInt8(ascii: "Z")
}

/// Waits until so many sleep on the clock; there is no event for it.
func waitForSleepers(_ count: Int, on clock: HandClock) async {
  while clock.sleeperCount < count { await Task.yield() }
}

/// The rates of all readings in some events.
func rates(_ events: [SensorEvent]) -> [Double?] {
  events.flatMap { event -> [Double?] in
    guard case .readings(let readings) = event else { return [] }
    return readings.map(\.heartRate)
  }
}
