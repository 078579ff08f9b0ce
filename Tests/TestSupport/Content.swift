/// The bytes of a test's argument, with a description that does not fill the log: arguments are printed.
public struct Content: Sendable, Hashable, CustomStringConvertible {
  /// The bytes.
  public let bytes: [UInt8]

  private let name: String?

  /// Bytes, with a name where their number does not tell them from others.
  public init(_ bytes: some Sequence<UInt8>, _ name: String? = nil) {
    self.bytes = Array(bytes)
    self.name = name
  }

  /// The bytes of a text.
  public init(_ text: String) { self.init(text.utf8, text.utf8.count <= 60 ? "“\(text)”" : nil) }

  /// `noise, 300000 bytes`.
  public var description: String { "\(name.map { "\($0), " } ?? "")\(bytes.count) bytes" }
}
