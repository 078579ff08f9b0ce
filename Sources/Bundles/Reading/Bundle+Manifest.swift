package import Basics

extension Bundle {
  /// A file that the bundle's manifest lists.
  package struct ListedFile: Hashable, Sendable {
    /// Its path inside the bundle.
    package let path: String
    /// The SHA-256 of what it held when the bundle was made.
    package let sha256: String
  }

  /// The files of the payload with their digests, as the manifest lists them; nothing is checked.
  ///
  /// - Throws: `FileError` where the manifest cannot be read.
  package func listedFiles() throws(FileError) -> [ListedFile] { try listedFiles(in: Bag.manifestFile) }

  /// The files that a manifest lists.
  func listedFiles(in manifest: String) throws(FileError) -> [ListedFile] {
    let bytes = try open(manifest).contents(limit: BagContents.maxTagFile)
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n").compactMap { line in
      let parts = line.split(separator: " ", maxSplits: 1)
      guard parts.count == 2 else { return nil }
      return ListedFile(path: Bag.decoded(String(parts[1].drop { $0 == " " || $0 == "*" })), sha256: String(parts[0]))
    }
  }

  /// The title of the protocol, as the bundle's copy of it says; `nil` where it does not.
  package var protocolTitle: String? {
    guard let bytes = try? open(BundleFile.protocolFile).contents(limit: Self.maxResult),
      let document = try? JSONReader.read(bytes).value
    else { return nil }
    return document["title"]?.string
  }
}
