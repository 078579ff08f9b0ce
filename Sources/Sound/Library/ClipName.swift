/// What files and clips may be called.
enum ClipName {
  private static let suffix = Array(".mp3".utf8)

  /// Whether a name ends like an mp3 file's, in capitals or not, and says something before that.
  static func isMP3(_ file: String) -> Bool {
    let bytes = Array(file.utf8)
    guard bytes.count > suffix.count else { return false }
    return zip(bytes.suffix(suffix.count), suffix).allSatisfy { $0 == $1 || ($0 | 0x20 == $1 && $1 >= 0x61) }
  }

  /// Whether it is the bare name of an mp3 file that is not hidden, not a path.
  static func isPlainFile(_ file: String) -> Bool {
    isMP3(file) && !file.utf8.contains(UInt8(ascii: "/")) && !file.utf8.contains(0) && !isHidden(file)
      && file.utf8.count <= 255
  }

  /// Whether a listing passes over it.
  static func isHidden(_ file: String) -> Bool { file.utf8.first == UInt8(ascii: ".") }

  /// A file's name without `.mp3`.
  static func stem(of file: String) -> String { String(decoding: file.utf8.dropLast(suffix.count), as: UTF8.self) }

  /// Why a list may not give that name to a clip; `nil` when it may.
  static func objection(to name: String) -> String? {
    if name == "." || name == ".." || name.utf8.contains(UInt8(ascii: "/")) {
      return "the name “\(name)” would be a path; take another"
    }
    if name.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F }) {
      return "a clip's name has no control characters or line breaks"
    }
    if name.utf8.count > 255 { return "a clip's name has at most 255 bytes, not \(name.utf8.count)" }
    return nil
  }
}
