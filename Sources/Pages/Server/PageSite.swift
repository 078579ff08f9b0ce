/// What a server serves.
package protocol PageSite: Sendable {
  /// What its addresses begin with: `participant`.
  var name: String { get }

  /// The file at a path; `nil` where there is none.
  func file(at path: String) -> PageFile?

  /// A client begins to listen.
  ///
  /// - Returns: what it is told from now on.
  func open() -> PageStream

  /// A client listens no more.
  func close(_ stream: PageStream)

  /// Called every few seconds while a client listens.
  func watch()

  /// A client has sent a message.
  ///
  /// - Returns: the status of HTTP.
  func take(_ message: [UInt8]) -> UInt32
}

/// A file of a page.
package struct PageFile: Hashable, Sendable {
  /// Its media type.
  var type: String
  var bytes: [UInt8]
  /// Whether its address has its digest, so that it never changes.
  var isPermanent: Bool
  /// Whether a page of the same server may show it in a frame; then it has no scripts.
  var isFramed = false
}
