/// The supported file formats of clips, recognised by extension and by signature.
package enum ClipFormat: String, Hashable, Sendable, CaseIterable {
  /// MPEG audio of any layer.
  case mp3
  /// Uncompressed samples, RF64 and `WAVE_FORMAT_EXTENSIBLE` included.
  case wav
  /// The free lossless codec.
  case flac

  /// The supported sample rates of a WAV or FLAC file, in hertz.
  static let rates = 8000...192_000

  /// The supported formats, for messages.
  static let choice = "an mp3, WAV or FLAC file"

  /// The format's usual name.
  var name: String {
    switch self {
    case .mp3: "mp3"
    case .wav: "WAV"
    case .flac: "FLAC"
    }
  }

  /// The name with its article: `an mp3 file`.
  var phrase: String { self == .mp3 ? "an mp3 file" : "a \(name) file" }

  /// The extension of its files.
  var ending: String { ".\(rawValue)" }

  /// Derives the format from a file's extension, in any case; `nil` for any other extension, and for a bare extension.
  init?(named file: String) {
    guard let format = Self.allCases.first(where: { $0.ends(file) }) else { return nil }
    self = format
  }

  /// Recognises WAV or FLAC by the file's first bytes; MPEG audio has no signature.
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

  /// A file's name without its extension; the whole name if the extension is not a clip's.
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
