/// The bytes of a test's argument, with a description that does not fill the log: arguments are printed.
package struct Content: Sendable, Hashable, CustomStringConvertible {
  /// The bytes.
  package let bytes: [UInt8]

  private let name: String?

  /// Bytes, with a name where their number does not tell them from others.
  package init(_ bytes: some Sequence<UInt8>, _ name: String? = nil) {
    self.bytes = Array(bytes)
    self.name = name
  }

  /// The bytes of a text.
  package init(_ text: String) { self.init(text.utf8, text.utf8.count <= 60 ? "“\(text)”" : nil) }

  /// `noise, 300000 bytes`.
  package var description: String { "\(name.map { "\($0), " } ?? "")\(bytes.count) bytes" }
}
