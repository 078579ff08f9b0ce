import Synchronization

/// What windows of a console show in a frame or play: each at an address that only the window knows that asked for it.
package final class ConsoleDocuments: Sendable {
  /// How many are kept; the oldest one gives way.
  private static let maxCount = 16

  private let all = Mutex<[(path: String, file: PageFile)]>([])

  package init() {}

  /// Keeps a document.
  ///
  /// - Parameters:
  ///   - bytes: its content.
  ///   - type: its media type.
  /// - Returns: its path.
  package func add(_ bytes: [UInt8], type: String) -> String {
    let path = "/d/\(PageToken().text)"
    all.withLock { all in
      if all.count >= Self.maxCount { all.removeFirst() }
      all.append((path, PageFile(type: type, bytes: bytes, isPermanent: false, isFramed: true)))
    }
    return path
  }

  subscript(path: String) -> PageFile? { all.withLock { $0.first { $0.path == path }?.file } }
}
