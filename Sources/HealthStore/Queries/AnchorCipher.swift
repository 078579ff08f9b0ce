import Basics

/// Encrypts the change numbers in a client's anchors, so that they do not reveal how many changes others have made.
///
/// Only the store can decrypt them.
///
/// A Feistel network over 62 bits, whose rounds are SHA-256 of the store's secret and the client's name.
struct AnchorCipher {
  private let key: [UInt8]

  private static let rounds: [UInt8] = Array(0..<8)
  private static let half: Int64 = 0x7FFF_FFFF

  init(secret: String, client: String) { key = Array("\(secret) \(client)".utf8) }

  /// Encrypts a number below 2⁶².
  func hide(_ number: Int64) -> Int64 {
    var (left, right) = (number >> 31, number & Self.half)
    for round in Self.rounds { (left, right) = (right, left ^ mix(right, round)) }
    return left << 31 | right
  }

  /// Decrypts a number; an invalid one gives `Int64.max`, which no store reaches.
  func reveal(_ hidden: Int64) -> Int64 {
    var (left, right) = (hidden >> 31, hidden & Self.half)
    guard left <= Self.half else { return .max }
    for round in Self.rounds.reversed() { (left, right) = (right ^ mix(left, round), left) }
    return left << 31 | right
  }

  private func mix(_ half: Int64, _ round: UInt8) -> Int64 {
    let bytes = (0..<4).map { UInt8(truncatingIfNeeded: half >> ($0 * 8)) }
    return SHA256.digest(of: key + [0, round] + bytes).bytes.prefix(4).reduce(0) { $0 << 8 | Int64($1) } & Self.half
  }
}
