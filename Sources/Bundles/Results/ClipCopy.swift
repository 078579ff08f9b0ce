import Basics
import Study

/// Copies of clips in trials and bundles.
enum ClipCopy {
  /// Copies a clip into a trial's folder, and makes sure that it is the file that was listed.
  static func embed(_ clip: Clip, in folder: String) throws {
    let target = "\(folder)/\(TrialFile.clipFolder)"
    try Folder.create(target, isPrivate: true)
    let digest = try copy(clip.path, to: "\(target)/\(fileName(of: clip))").digest
    guard digest.description == clip.sha256 else { throw BundleError.clipChanged(path: clip.path) }
    try Folder.synchronize(target)
  }

  /// The name under which a clip's file lies in a bundle.
  ///
  /// It is the file's own name, but for what BagIt tools and `sha256sum` write in different ways or lose: control
  /// characters, `\`, `%`, odd spaces, and spaces at either end.
  static func fileName(of clip: Clip) -> String {
    let scalars = clip.file.unicodeScalars.map { scalar -> Unicode.Scalar in
      let isOdd = scalar.value < 0x20 || scalar.value == 0x7F || scalar.properties.isWhitespace && scalar != " "
      return isOdd || "\\%/".unicodeScalars.contains(scalar) ? "_" : scalar
    }
    let start = scalars.prefix { $0 == " " }.count
    let end = scalars.count - scalars.reversed().prefix { $0 == " " }.count
    let plain = scalars.enumerated().map { index, scalar in start <= index && index < end ? scalar : "_" }
    let name = String(String.UnicodeScalarView(plain))
    return name.isEmpty || name == "." || name == ".." ? "clip.mp3" : name
  }

  /// Copies a file, in pieces, to a name that must be free; on the disk when this returns.
  ///
  /// - Parameters:
  ///   - source: the file.
  ///   - target: the copy.
  ///   - isRegular: whether anything but a regular file is refused, without waiting for it: a pipe, a device, a link.
  /// - Returns: the digest of what was copied, and its size.
  /// - Throws: `FileError`.
  static func copy(
    _ source: String, to target: String, isRegular: Bool = false
  ) throws(FileError) -> (digest: Digest, bytes: Int) {
    let from = try File(source, .read, isRegular: isRegular)
    let to = try File(target, .create, isPrivate: true)
    var hash = SHA256()
    var bytes = 0
    while true {
      let piece = try from.read(upTo: 1 << 16)
      if piece.isEmpty { break }
      try to.write(piece)
      hash.update(piece)
      bytes += piece.count
    }
    try to.synchronize()
    return (hash.digest(), bytes)
  }
}
