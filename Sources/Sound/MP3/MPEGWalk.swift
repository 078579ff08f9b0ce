/// Finds the MPEG audio frames of a file that arrives in pieces, and accounts for every byte of it.
///
/// A frame counts if it follows another of the same stream without a gap, or begins a chain of ``chainLength`` such
/// frames: noise that happens to contain a header does not contain a chain. Tags are skipped, a change of stream is an
/// error, and anything else in between is counted in ``findings``.
struct MPEGWalk: Sendable {
  /// The next element of the file.
  enum Piece: Hashable, Sendable {
    /// A frame and its range in ``window``.
    case frame(MPEGHeader, Range<Int>)
    /// The window is used up; call ``supply(_:)`` or ``finish()``.
    case needsMore
    case end
  }

  /// The number of successive frames that count as a chain.
  static let chainLength = 3

  /// The longest frame that libmpg123 accepts, in bytes.
  static let maxFrame = 3456

  /// The number of bytes of an ID3v2 tag that are kept for its title.
  static let keptTag = 1 << 20

  private static let lookahead = 16_384

  /// The part of the file under examination.
  private(set) var window: [UInt8] = []

  private(set) var findings = MPEGFindings()

  /// The properties shared by all frames, known from the first one on.
  private(set) var stream: MPEGHeader.Stream?

  /// The length of an unpadded frame, for a free-format stream.
  private(set) var freeLength: Int?

  private var position = 0
  private var origin = 0
  private var limit = Int.max
  private var isComplete = false
  private var tagLeft = 0
  private var keepsTag = false
  private var gapStart: Int?
  private var gapHasContent = false
  private var undecided: MPEGFindings.Gap?

  mutating func supply(_ bytes: [UInt8]) {
    window.removeFirst(position)
    origin += position
    position = 0
    window += bytes
  }

  mutating func finish() {
    isComplete = true
    let tail = window.count - 128
    limit = tail >= position && window[tail...].starts(with: "TAG".utf8) ? tail : window.count
  }

  mutating func next() throws(ClipError.Reason) -> Piece {
    while true {
      if tagLeft > 0 { stepOverTag() }
      guard isComplete || window.count - position >= Self.lookahead else { return .needsMore }
      guard position < window.count else {
        closeGap()
        undecided.map { findings.noteOutside($0) }
        undecided = nil
        findings.missingTagBytes = tagLeft
        return .end
      }
      if gapStart == nil, let header = MPEGHeader(in: window, at: position), header.stream == stream,
        let length = header.length(unpadded: freeLength)
      {
        if position + length <= limit { return take(header, length) }
        findings.cutFrame = MPEGFindings.CutFrame(byte: origin + position, present: limit - position, length: length)
        position = limit
      } else if let (block, length) = TagBlock.at(position, in: window, reachesEnd: isComplete) {
        begin(block, length)
      } else if let piece = try startOfChain() {
        return piece
      } else {
        try stepOverOther()
      }
    }
  }

  private mutating func take(_ header: MPEGHeader, _ length: Int) -> Piece {
    let range = position..<position + length
    position += length
    findings.frames += 1
    findings.audioBytes += length
    return .frame(header, range)
  }

  // MARK: Tags

  private mutating func begin(_ block: TagBlock, _ length: Int) {
    if case .apeFoot(let items) = block { closeGap(before: items) } else { closeGap() }
    findings.tags += 1
    tagLeft = length
    keepsTag = block == .id3v2 && findings.id3v2.isEmpty && length <= Self.keptTag
    if block == .id3v1, length == 128 { findings.id3v1 = Array(window[position...]) }
  }

  private mutating func stepOverTag() {
    let step = min(tagLeft, window.count - position)
    if keepsTag { findings.id3v2 += window[position..<position + step] }
    position += step
    tagLeft -= step
    findings.tagBytes += step
  }

  // MARK: Chains

  private mutating func startOfChain() throws(ClipError.Reason) -> Piece? {
    guard let header = MPEGHeader(in: window, at: position) else { return nil }
    let unpadded = header.bitrate != nil ? nil : header.stream == stream ? freeLength : freeLength(of: header)
    guard let length = header.length(unpadded: unpadded), position + length <= limit,
      holdsChain(header.stream, unpadded)
    else { return nil }
    if let stream, header.stream != stream {
      throw .changes(
        from: stream.description, to: header.stream.description, byte: origin + position,
        seconds: Double(findings.frames * header.soundFrames) / Double(stream.sampleRate))
    }
    closeGap()
    if let gap = undecided {
      if stream == nil { findings.noteOutside(gap) } else { findings.noteBetween(gap) }
      undecided = nil
    }
    stream = header.stream
    freeLength = unpadded
    return take(header, length)
  }

  /// Whether a chain of frames of that stream begins here.
  private func holdsChain(_ stream: MPEGHeader.Stream, _ unpadded: Int?) -> Bool {
    var place = position
    for count in 0..<Self.chainLength {
      if place >= limit || TagBlock.at(place, in: window, reachesEnd: isComplete) != nil {
        // At the end of the file a shorter chain counts, if nothing unknown precedes it.
        return count > 0 && (gapStart == nil || count > 1)
      }
      guard let header = MPEGHeader(in: window, at: place), header.stream == stream,
        let length = header.length(unpadded: unpadded)
      else { return false }
      if place + length > limit { return count > 0 }
      place += length
    }
    return true
  }

  /// The length of an unpadded free-format frame: the distance to the next header, which must recur.
  private func freeLength(of header: MPEGHeader) -> Int? {
    let own = header.isPadded ? header.slot : 0
    for distance in stride(from: 24, through: Self.maxFrame, by: header.slot) {
      guard let second = MPEGHeader(in: window, at: position + distance) else {
        if position + distance >= limit { return nil }
        continue
      }
      let unpadded = distance - own
      let third = position + distance + unpadded + (second.isPadded ? second.slot : 0)
      guard second.stream == header.stream else { continue }
      if third == limit || MPEGHeader(in: window, at: third)?.stream == header.stream { return unpadded }
    }
    return nil
  }

  // MARK: Gaps

  private mutating func stepOverOther() throws(ClipError.Reason) {
    if stream == nil, gapStart == nil {
      if let format = ClipFormat(start: window[position...]) { throw .misnamed(format) }
      if let kind = ForeignFormat.name(of: window[position...]) { throw .foreign(kind) }
    }
    if gapStart == nil {
      gapStart = origin + position
      gapHasContent = false
    }
    repeat {
      if window[position] != 0 { gapHasContent = true }
      position += 1
    } while position < window.count && !Self.mayBegin(window[position])
      && (isComplete || window.count - position >= Self.lookahead)
  }

  /// Whether a frame or a tag can begin with this byte.
  private static func mayBegin(_ byte: UInt8) -> Bool {
    byte == 0xFF || byte == UInt8(ascii: "I") || byte == UInt8(ascii: "A") || byte == UInt8(ascii: "T")
      || byte == UInt8(ascii: "L")
  }

  /// Ends a gap whose last bytes are the items of a tag that was recognised by its footer.
  private mutating func closeGap(before items: Int) {
    guard let start = gapStart, origin + position - start >= items else { return closeGap() }
    findings.tagBytes += items
    if origin + position - start == items { gapStart = nil } else { closeGap(without: items) }
  }

  /// Ends a gap; the next frame shows whether it lay between frames.
  private mutating func closeGap(without items: Int = 0) {
    guard let start = gapStart else { return }
    var gap = undecided ?? MPEGFindings.Gap(byte: start, length: 0, hasContent: false)
    gap.length += origin + position - items - start
    gap.hasContent = gap.hasContent || gapHasContent
    undecided = gap
    gapStart = nil
  }
}
