/// What a walk through a file found, apart from its sound.
struct MPEGFindings: Hashable, Sendable {
  /// Bytes that belong to no frame and no tag.
  struct Gap: Hashable, Sendable {
    /// Where it begins in the file.
    var byte: Int
    /// How many bytes.
    var length: Int
    /// Whether anything but zeros is in it.
    var hasContent: Bool
  }

  /// A last frame whose end is missing.
  struct CutFrame: Hashable, Sendable {
    /// Where it begins in the file.
    var byte: Int
    /// How much of it is there.
    var present: Int
    /// How long it should be.
    var length: Int
  }

  /// The number of frames, an encoder's tag among them.
  var frames = 0
  /// The bytes of these frames.
  var audioBytes = 0
  /// The number of tags.
  var tags = 0
  /// The bytes of these tags.
  var tagBytes = 0
  /// How many bytes of the last tag the file ends too early for.
  var missingTagBytes = 0
  /// The first ID3v2 tag, where it is not larger than ``MPEGWalk/keptTag``.
  var id3v2: [UInt8] = []
  /// The ID3v1 tag.
  var id3v1: [UInt8] = []
  /// A last frame that is not whole.
  var cutFrame: CutFrame?
  /// The number of gaps between frames.
  var gapCount = 0
  /// The bytes in them.
  var gapBytes = 0
  /// The first gap between frames.
  var firstGap: Gap?
  /// Bytes with content before the first or after the last frame.
  var strayBytes = 0
  /// Bytes of zeros before the first or after the last frame.
  var paddingBytes = 0

  /// Counts a gap that has frames on both sides.
  mutating func noteBetween(_ gap: Gap) {
    gapCount += 1
    gapBytes += gap.length
    firstGap = firstGap ?? gap
  }

  /// Counts a gap before the first or after the last frame.
  mutating func noteOutside(_ gap: Gap) {
    if gap.hasContent { strayBytes += gap.length } else { paddingBytes += gap.length }
  }

  /// Why the file is no clip, in spite of the frames in it; `nil` when it is one.
  var refusal: ClipError.Reason? {
    let other = gapBytes + strayBytes + (cutFrame?.present ?? 0)
    if frames == 0 {
      if other + paddingBytes + tagBytes == 0 { return .empty }
      if missingTagBytes > 0 { return .tagTooLong(missingBytes: missingTagBytes) }
      return other == 0 && tags > 0 ? .onlyTags : .notMPEG
    }
    // A tenth is generous: a damaged download loses a block, while noise holds a frame now and then.
    return other * 9 > audioBytes ? .mostlyOther(audioBytes: audioBytes, otherBytes: other) : nil
  }

  /// Warnings for those who rely on the sound.
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
