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

  static let choice = "an mp3, WAV or FLAC file"

  var name: String {
    switch self {
    case .mp3: "mp3"
    case .wav: "WAV"
    case .flac: "FLAC"
    }
  }

  /// The name with its article: `an mp3 file`.
  var phrase: String { self == .mp3 ? "an mp3 file" : "a \(name) file" }

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

/// Other formats that are often found under a clip's extension, recognised by signature; WAV and FLAC are a
/// ``ClipFormat``.
///
/// A chain of MPEG frames inside another container (an uncompressed ZIP archive) is refused as well: players disagree
/// about where its sound begins.
enum ForeignFormat {
  /// The format's name, with its article; `nil` for a format that is not in the table.
  static func name(of start: ArraySlice<UInt8>) -> String? {
    signatures.first { signature in
      start.dropFirst(signature.offset).starts(with: signature.bytes)
    }?.name
  }

  private static let signatures: [(offset: Int, bytes: [UInt8], name: String)] = [
    (0, Array("RIFF".utf8), "a RIFF file without WAV sound"),
    (0, Array("RIFX".utf8), "a WAV file of the other byte order"),
    (0, Array("riff".utf8), "a Wave64 file"),
    (0, Array("FORM".utf8), "an AIFF file"),
    (0, Array("OggS".utf8), "an Ogg file"),
    (4, Array("ftyp".utf8), "an MP4 file"),
    (0, Array("caff".utf8), "a CAF file"),
    (0, Array("MAC ".utf8), "a Monkey's Audio file"),
    (0, Array("wvpk".utf8), "a WavPack file"),
    (0, Array(".snd".utf8), "a Sun audio file"),
    (0, Array("MThd".utf8), "a MIDI file"),
    (0, [0x30, 0x26, 0xB2, 0x75, 0x8E, 0x66, 0xCF, 0x11], "a Windows Media file"),
    (0, [0x1A, 0x45, 0xDF, 0xA3], "a Matroska file"),
    (0, Array("PK".utf8) + [3, 4], "a ZIP archive"),
    (0, [0x1F, 0x8B, 8], "a gzip archive"),
    (257, Array("ustar".utf8), "a tar archive"),
    (0, [0x89] + Array("PNG".utf8), "a PNG picture"),
    (0, [0xFF, 0xD8, 0xFF], "a JPEG picture"),
    (0, Array("GIF8".utf8), "a GIF picture"),
    (0, Array("%PDF-".utf8), "a PDF document"),
  ]
}

/// The properties of a clip's file.
package struct ClipContents: Hashable, Sendable {
  var format: SoundFormat
  /// The number of frames, without the encoder delay and padding of an mp3.
  var frames: Int
  var bytes: Int
  /// The SHA-256 of the file, 64 lower-case hexadecimal digits; `nil` if it was not requested.
  var sha256: String?
  var title: String?
  package var warnings: [String]
}
