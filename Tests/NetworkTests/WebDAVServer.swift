import Basics
import Foundation
import Glibc
import TestSupport

/// nginx with a folder that WebDAV writes into, for the user `lab` with the password `s3cret`.
final class WebDAVServer: Sendable {
  let folder: ScratchFolder
  let port: Int
  private let program: RunningProgram

  init() async throws {
    folder = try ScratchFolder()
    port = try Self.freePort()
    try Folder.ensure(folder["share/study"])
    try File.create(folder["users"], Array("lab:{PLAIN}s3cret\n".utf8))
    let configuration = """
      daemon off; master_process off; pid \(folder.path)/pid; error_log \(folder.path)/errors warn;
      events { worker_connections 64; }
      http {
        access_log off; client_body_temp_path \(folder.path)/body; client_max_body_size 0;
        proxy_temp_path \(folder.path)/p; fastcgi_temp_path \(folder.path)/f; uwsgi_temp_path \(folder.path)/u;
        scgi_temp_path \(folder.path)/s;
        server {
          listen 127.0.0.1:\(port); root \(folder.path)/share; auth_basic laboratory;
          auth_basic_user_file \(folder.path)/users; dav_methods PUT DELETE MKCOL COPY MOVE;
        }
      }
      """
    try File.create(folder["nginx.conf"], Array(configuration.utf8))
    guard Folder.exists("/usr/sbin/nginx") else { throw MissingProgram(name: "nginx") }
    program = try RunningProgram(
      ["/usr/sbin/nginx", "-e", folder["errors"], "-c", folder["nginx.conf"]], environment: [],
      streams: [STDIN_FILENO, STDERR_FILENO, STDERR_FILENO])
    // The file with its number is written when the port is open.
    let clock = ContinuousClock()
    let end = clock.now + .seconds(20)
    while !Folder.exists(folder["pid"]) {
      guard program.isRunning, clock.now < end else { throw MissingProgram(name: "nginx", reason: "it did not start") }
      try await Task.sleep(for: .milliseconds(10))
    }
  }

  /// The address of the folder.
  var address: String { "dav://127.0.0.1:\(port)/study/" }

  /// The path of a file in the folder.
  func path(_ name: String) -> String { folder["share/study/\(name)"] }

  private static func freePort() throws -> Int {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(descriptor) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = unsafe withUnsafeMutablePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
        unsafe bind(descriptor, pointer, size) == 0 && getsockname(descriptor, pointer, &size) == 0
      }
    }
    guard isBound else { throw MissingProgram(name: "nginx", reason: "there is no free port") }
    return Int(UInt16(bigEndian: address.sin_port))
  }
}
