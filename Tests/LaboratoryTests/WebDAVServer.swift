import Basics
import Foundation
import Glibc
import TestSupport

/// nginx with a folder that WebDAV writes into, for the user `lab` with the password `s3cret`.
final class WebDAVServer: Sendable {
  let folder: ScratchFolder
  let port: Int
  private let program: RunningProgram

  init() throws {
    folder = try ScratchFolder()
    // The port is open before nginx runs: connections wait for it, and no other program can take the port.
    let (listener, port) = try Self.listener()
    defer { close(listener) }
    self.port = port
    try Folder.ensure(folder["share/study"])
    try File.create(folder["users"], Array("lab:{PLAIN}s3cret\n".utf8))
    let configuration = """
      daemon off; worker_processes 1; user root; pid \(folder.path)/pid; error_log \(folder.path)/errors warn;
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
    let words = ["/usr/sbin/nginx", "-e", folder["errors"], "-c", folder["nginx.conf"]]
    // The variable names the descriptors on which nginx is to listen.
    program = try RunningProgram(words, environment: ["NGINX=0;"], streams: [listener, STDERR_FILENO, STDERR_FILENO])
  }

  /// What nginx complained of.
  var complaints: String { (try? String(decoding: File.contents(of: folder["errors"]), as: UTF8.self)) ?? "" }

  /// The address of the folder.
  var address: String { "dav://127.0.0.1:\(port)/study/" }

  /// The path of a file in the folder.
  func path(_ name: String) -> String { folder["share/study/\(name)"] }

  /// A socket that listens on a free port.
  private static func listener() throws -> (descriptor: Int32, port: Int) {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isListening = unsafe withUnsafeMutablePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
        unsafe bind(descriptor, pointer, size) == 0 && listen(descriptor, 64) == 0
          && getsockname(descriptor, pointer, &size) == 0
      }
    }
    guard isListening else {
      close(descriptor)
      throw MissingProgram(name: "nginx", reason: "there is no free port")
    }
    return (descriptor, Int(UInt16(bigEndian: address.sin_port)))
  }
}
