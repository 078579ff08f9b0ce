/// The formats of files that can be clips, told by how their names end and by how they begin.
package enum ClipFormat: String, Hashable, Sendable, CaseIterable {
  /// MPEG audio of any layer.
  case mp3
  /// Uncompressed samples, RF64 and `WAVE_FORMAT_EXTENSIBLE` included.
  case wav
  /// The free lossless codec.
  case flac

  /// The frames a second that a WAV or FLAC file may have.
  static let rates = 8000...192_000

  /// What a file is to be, for messages.
  static let choice = "an mp3, WAV or FLAC file"

  /// What people call it.
  var name: String {
    switch self {
    case .mp3: "mp3"
    case .wav: "WAV"
    case .flac: "FLAC"
    }
  }

  /// The name with its article: `an mp3 file`.
  var phrase: String { self == .mp3 ? "an mp3 file" : "a \(name) file" }

  /// How its files' names end.
  var ending: String { ".\(rawValue)" }

  /// The format that a file's name says, in capitals or not; `nil` for any other ending, and for a bare ending.
  init?(named file: String) {
    guard let format = Self.allCases.first(where: { $0.ends(file) }) else { return nil }
    self = format
  }

  /// The format, WAV or FLAC, that a file is in by how it begins; MPEG audio has no such beginning.
  init?(start: ArraySlice<UInt8>) {
    if start.starts(with: "fLaC".utf8) {
      self = .flac
    } else if start.starts(with: "RIFF".utf8) || start.starts(with: "RF64".utf8),
      start.dropFirst(8).starts(with: "WAVE".utf8)
    {
      self = .wav
    } else {
      return nil
    }
  }

  /// A file's name without its ending; the whole name where that says no format.
  static func stem(of file: String) -> String {
    guard let format = ClipFormat(named: file) else { return file }
    return String(decoding: file.utf8.dropLast(format.ending.utf8.count), as: UTF8.self)
  }

  private func ends(_ file: String) -> Bool {
    let (bytes, ending) = (Array(file.utf8), Array(ending.utf8))
    guard bytes.count > ending.count else { return false }
    return zip(bytes.suffix(ending.count), ending).allSatisfy { $0 == $1 || ($0 | 0x20 == $1 && $1 >= 0x61) }
  }
}
