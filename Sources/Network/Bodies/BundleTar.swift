import Basics
import Bundles

/// A bundle as one tar archive: the bag's files in the folder `TRIAL/`, by path, so that equal bundles give equal bytes.
package enum BundleTar: Sendable {
  /// The media type.
  package static let type = "application/x-tar"

  /// The tag files of a bag that an archive holds.
  private static let tags = ["bag-info.txt", "bagit.txt", OutgoingBundle.manifest, "tagmanifest-sha256.txt"]

  /// The paths of all files of a bundle, in the order of an archive.
  static func paths(of bundle: OutgoingBundle) -> [String] {
    (tags + bundle.files.map(\.path)).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  /// The archive of a bundle.
  ///
  /// - Throws: ``SendProblem`` for a file that cannot be read, or is not what the manifest says.
  package static func body(of bundle: OutgoingBundle) throws(SendProblem) -> Body {
    try bundle.check()
    var pieces: [Body.Piece] = []
    for path in paths(of: bundle) {
      let size: Int
      do throws(FileError) { size = try bundle.bundle.open(path).size() } catch { throw .bundleUnreadable("\(error)") }
      pieces.append(.bytes(TarHeader.file("\(bundle.trial)/\(path)", size: size)))
      pieces.append(.file(folder: bundle.bundle.path, path: path, size: size))
      pieces.append(.bytes(TarHeader.padding(after: size)))
    }
    pieces.append(.bytes(TarHeader.end))
    return Body(pieces: pieces, type: type)
  }
}
