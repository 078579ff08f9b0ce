import Foundation

/// A folder for one test, which is removed with everything in it when the test lets go of it.
package final class ScratchFolder: Sendable {
  /// The folder's path, without a slash at its end.
  package let path: String

  /// Makes an empty folder; in memory where the system has such a place, so that many waits for the disk cost nothing.
  ///
  /// - Parameter isOnDisk: whether it must not be in memory: programs may refuse what lies below `/dev`.
  /// - Throws: why it cannot be made.
  package init(isOnDisk: Bool = false) throws {
    let memory = "/dev/shm"
    let isInMemory = !isOnDisk && FileManager.default.isWritableFile(atPath: memory)
    let parent = isInMemory ? memory : NSTemporaryDirectory()
    path = URL(filePath: parent).appending(path: "station-test-\(UUID().uuidString)").path(percentEncoded: false)
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// The path of something in the folder.
  package subscript(name: String) -> String { "\(path)/\(name)" }
}
