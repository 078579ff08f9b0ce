package import Basics
package import Bundles
import Glibc

extension StationFacts {
  /// This computer, and a program of that version.
  package static func here(version: String) -> StationFacts {
    StationFacts(
      identifier: hostName, version: version, system: "\(distribution), \(kernel)",
      timeZone: TimeZone.system?.name)
  }

  /// The kernel's identifier of this boot; `nil` if it does not report one.
  package static var boot: String? {
    let path = "/proc/sys/kernel/random/boot_id"
    guard let bytes = try? File.contents(of: path, limit: 4096) else { return nil }
    let text = String(decoding: bytes, as: UTF8.self).filter { !$0.isWhitespace }
    return text.isEmpty ? nil : text
  }

  fileprivate static var hostName: String {
    var buffer = [CChar](repeating: 0, count: 256)
    guard unsafe gethostname(&buffer, buffer.count - 1) == 0 else { return "unknown" }
    return text(buffer)
  }

  private static var distribution: String {
    let contents = (try? File.contents(of: "/etc/os-release", limit: 1 << 16)) ?? []
    let lines = String(decoding: contents, as: UTF8.self).split(separator: "\n")
    let key = "PRETTY_NAME="
    guard let line = lines.first(where: { $0.hasPrefix(key) }) else { return "Linux" }
    return line.dropFirst(key.count).filter { $0 != "\"" }
  }

  private static var kernel: String {
    let release = (try? File.contents(of: "/proc/sys/kernel/osrelease", limit: 4096)) ?? []
    return "Linux " + String(decoding: release, as: UTF8.self).filter { !$0.isNewline }
  }

  private static func text(_ buffer: [CChar]) -> String {
    String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}

extension SessionHolder {
  /// This process, with the session of a participant.
  package static func here(participant: String, study: String, since: WallTime) -> SessionHolder {
    let device = Folder.realPath("/proc/self/fd/0") ?? ""
    let isTerminal = device.hasPrefix("/dev/pts/") || device.hasPrefix("/dev/tty")
    return SessionHolder(
      participant: participant, study: study, process: getpid(), host: StationFacts.hostName,
      terminal: isTerminal ? device : nil, since: since)
  }
}
