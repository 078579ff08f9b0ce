/// The result of a walk through a file, apart from its sound.
struct MPEGFindings: Hashable, Sendable {
  /// A run of bytes that belong to no frame and no tag.
  struct Gap: Hashable, Sendable {
    /// Its offset in the file.
    var byte: Int
    var length: Int
    /// Whether it contains anything but zeros.
    var hasContent: Bool
  }

  /// A truncated last frame.
  struct CutFrame: Hashable, Sendable {
    /// Its offset in the file.
    var byte: Int
    /// The number of its bytes that are present.
    var present: Int
    /// Its nominal number of bytes.
    var length: Int
  }

  /// The number of frames, including an encoder's tag.
  var frames = 0
  var audioBytes = 0
  var tags = 0
  var tagBytes = 0
  /// The number of bytes of the last tag that are missing because the file ends too early.
  var missingTagBytes = 0
  /// The first ID3v2 tag, if it is not larger than ``MPEGWalk/keptTag``.
  var id3v2: [UInt8] = []
  var id3v1: [UInt8] = []
  var cutFrame: CutFrame?
  var gapCount = 0
  var gapBytes = 0
  var firstGap: Gap?
  /// The number of bytes with content before the first or after the last frame.
  var strayBytes = 0
  /// The number of zero bytes before the first or after the last frame.
  var paddingBytes = 0

  mutating func noteBetween(_ gap: Gap) {
    gapCount += 1
    gapBytes += gap.length
    firstGap = firstGap ?? gap
  }

  /// Counts a gap before the first or after the last frame.
  mutating func noteOutside(_ gap: Gap) {
    if gap.hasContent { strayBytes += gap.length } else { paddingBytes += gap.length }
  }

  /// Why the file is not a clip although it contains frames; `nil` if it is one.
  var refusal: ClipError.Reason? {
    let other = gapBytes + strayBytes + (cutFrame?.present ?? 0)
    if frames == 0 {
      if other + paddingBytes + tagBytes == 0 { return .empty }
      if missingTagBytes > 0 { return .tagTooLong(missingBytes: missingTagBytes) }
      return other == 0 && tags > 0 ? .onlyTags : .notMPEG
    }
    // A tenth is generous: a damaged download loses a block, while noise contains a frame now and then.
    return other * 9 > audioBytes ? .mostlyOther(audioBytes: audioBytes, otherBytes: other) : nil
  }

  var warnings: [String] {
    var warnings: [String] = []
    if strayBytes > 0 { warnings.append("\(strayBytes) bytes before or after the sound are neither sound nor tag") }
    if let firstGap {
      warnings.append(
        "\(gapBytes) bytes between frames are not sound (\(gapCount) places, the first at byte \(firstGap.byte)); "
          + "some sound is missing there")
    }
    if let cutFrame {
      warnings.append(
        "the last frame is cut short (\(cutFrame.present) of \(cutFrame.length) bytes) and was left out")
    }
    if missingTagBytes > 0 { warnings.append("the file ends \(missingTagBytes) bytes before its last tag does") }
    return warnings
  }
}
