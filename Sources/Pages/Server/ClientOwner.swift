import Basics

/// The user whose program a connection on the loopback interface comes from.
///
/// The token is private, but other users of the computer could use up connections.
enum ClientOwner: Sendable {
  /// Finds the user of a connection.
  ///
  /// - Parameters:
  ///   - port: the client's port.
  ///   - server: the server's port.
  ///   - table: the kernel's table of connections, `/proc/net/tcp`.
  /// - Returns: the user's number; `nil` where the table has no such connection.
  static func user(ofPort port: UInt16, to server: UInt16, in table: [UInt8]) -> UInt32? {
    // 127.0.0.1 as the kernel writes it on processors whose least byte is the first.
    let ends = "0100007F:\(port.paddedHex) 0100007F:\(server.paddedHex) "
    guard let found = table.firstRange(of: Array(ends.utf8)) else { return nil }
    // The state and what is queued come between the addresses and the user.
    let words = table[found.upperBound...].prefix { $0 != 10 }.split(separator: 32)
    return words.count > 4 ? UInt32(String(decoding: words[4], as: UTF8.self)) : nil
  }
}

extension UInt16 {
  fileprivate var paddedHex: String {
    let digits = String(self, radix: 16, uppercase: true)
    return String(repeating: "0", count: 4 - digits.count) + digits
  }
}
