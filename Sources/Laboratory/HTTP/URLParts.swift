/// The parts of an address on a network: `https://host:443/path?query`.
struct URLParts: Hashable, Sendable {
  /// The scheme, in lower case: `https`.
  let scheme: String
  /// The part before `@`, which may hold a password; `nil` if there is none.
  let user: String?
  /// The host, without brackets.
  let host: String
  /// The port; `nil` for the scheme's own.
  let port: Int?
  /// The path, empty or from a slash on.
  let path: String
  /// What follows the path, from `?` or `#` on; may be empty.
  let rest: String

  /// Takes an address apart; `nil` for what is not one.
  init?(_ text: String) {
    guard let colon = text.firstRange(of: "://"), !text.utf8.contains(where: { $0 <= 0x20 || $0 == 0x7F }) else {
      return nil
    }
    let scheme = text[..<colon.lowerBound].lowercased()
    guard let first = scheme.utf8.first, UInt8(ascii: "a")...UInt8(ascii: "z") ~= first else { return nil }
    let after = text[colon.upperBound...]
    let end = after.firstIndex { "/?#".contains($0) } ?? after.endIndex
    var authority = after[..<end]
    var user: String?
    if let at = authority.lastIndex(of: "@") {
      user = String(authority[..<at])
      authority = authority[authority.index(after: at)...]
    }
    var port: Int?
    if let colon = authority.lastIndex(of: ":"), !authority[colon...].contains("]") {
      guard let number = UInt16(authority[authority.index(after: colon)...]), number > 0 else { return nil }
      port = Int(number)
      authority = authority[..<colon]
    }
    if authority.hasPrefix("["), authority.hasSuffix("]") { authority = authority.dropFirst().dropLast() }
    guard !authority.isEmpty else { return nil }
    let tail = after[end...]
    let query = tail.firstIndex { "?#".contains($0) } ?? tail.endIndex
    self.scheme = scheme
    self.user = user
    host = authority.lowercased()
    self.port = port
    path = String(tail[..<query])
    rest = String(tail[query...])
  }

  /// Whether the host is this computer itself.
  var isLoopback: Bool {
    if ["localhost", "::1"].contains(host) { return true }
    let numbers = host.split(separator: ".", omittingEmptySubsequences: false).map { UInt8($0) }
    return numbers.count == 4 && !numbers.contains(nil) && numbers[0] == 127
  }

  /// The scheme, host and port, if it is not the scheme's own: `https://host:8443`.
  var origin: String {
    let host = host.contains(":") ? "[\(host)]" : host
    let own = ["https", "davs", "s3+https"].contains(scheme) ? 443 : 80
    return "\(scheme)://\(host)" + (port.map { $0 == own ? "" : ":\($0)" } ?? "")
  }

  /// The path without slashes at its end.
  var trimmedPath: String { String(path.reversed().drop { $0 == "/" }.reversed()) }
}
