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
  static func user(ofPort port: UInt16, to server: UInt16, in table: some StringProtocol) -> UInt32? {
    let (ours, theirs) = (port.paddedHex, server.paddedHex)
    for line in table.split(separator: "\n").dropFirst() {
      let words = line.split(separator: " ", omittingEmptySubsequences: true)
      guard words.count > 7, words[1].hasSuffix(":\(ours)"), words[2].hasSuffix(":\(theirs)") else { continue }
      return UInt32(words[7])
    }
    return nil
  }
}

extension UInt16 {
  fileprivate var paddedHex: String {
    let digits = String(self, radix: 16, uppercase: true)
    return String(repeating: "0", count: 4 - digits.count) + digits
  }
}
