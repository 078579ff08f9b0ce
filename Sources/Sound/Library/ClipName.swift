/// Rules for the names of files and clips.
enum ClipName {
  /// Whether a name is that of a clip's file: not hidden, not a path.
  static func isPlainFile(_ file: String) -> Bool {
    ClipFormat(named: file) != nil && !file.utf8.contains(UInt8(ascii: "/")) && !file.utf8.contains(0)
      && !isHidden(file)
      && file.utf8.count <= 255
  }

  /// Whether a listing leaves the file out.
  static func isHidden(_ file: String) -> Bool { file.utf8.first == UInt8(ascii: ".") }

  /// Why a list may not assign that name to a clip; `nil` if it may.
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
