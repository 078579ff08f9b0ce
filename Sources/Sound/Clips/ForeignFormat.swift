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
