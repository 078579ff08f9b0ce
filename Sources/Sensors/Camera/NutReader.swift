/// Reads the frames of one stream, with their times, out of a NUT file as it arrives.
///
/// NUT is the container in which `ffmpeg` hands over raw frames: https://ffmpeg.org/nut.html ("NUT Open Container Format",
/// version 3). Only what a stream of raw video needs is read; checksums are not checked, since the bytes come through a
/// pipe.
struct NutReader: Sendable {
  /// A frame.
  struct Frame: Hashable, Sendable {
    /// Its time in seconds, as a fraction.
    let ticks: Int64
    let numerator: Int64
    let denominator: Int64
    let data: [UInt8]

    /// Its time in nanoseconds, rounded; `nil` beyond 292 years.
    var nanoseconds: Int64? {
      let (seconds, rest) = ticks.dividingFullWidth(numerator, by: denominator)
      let (whole, isBeyond) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
      let fraction = (Double(rest) / Double(denominator) * 1e9).rounded()
      let (sum, isSumBeyond) = whole.addingReportingOverflow(Int64(fraction))
      return isBeyond || isSumBeyond ? nil : sum
    }
  }

  /// Bytes that are no NUT file.
  struct Fault: Error, Hashable, Sendable {
    let reason: String
  }

  /// The largest header or frame, in bytes.
  static let maxSize = 1 << 20

  /// What a frame's code, its first byte, says of it.
  private struct Code: Sendable {
    var flags: UInt64 = Flag.invalid
    var sizeFactor = 0
    var sizeRest = 0
    var timeStep: Int64 = 0
    var reserved = 0
    var header = 0
  }

  private enum Flag {
    static let codedTime: UInt64 = 8
    static let stream: UInt64 = 16
    static let size: UInt64 = 32
    static let checksum: UInt64 = 64
    static let reserved: UInt64 = 128
    static let sideData: UInt64 = 256
    static let header: UInt64 = 1024
    static let matchTime: UInt64 = 2048
    static let coded: UInt64 = 4096
    static let invalid: UInt64 = 8192
  }

  private static let signature = Array("nut/multimedia container\0".utf8)
  private static let mainHeader: UInt64 = 0x4E4D_7A56_1F5F_04AD
  private static let streamHeader: UInt64 = 0x4E53_1140_5BF2_F9DB
  private static let syncPoint: UInt64 = 0x4E4B_E4AD_EECA_4569

  private var bytes: [UInt8] = []
  private var position = 0
  private var isStarted = false
  private var codes: [Code] = []
  private var headers: [[UInt8]] = [[]]
  private var timeBases: [(numerator: Int64, denominator: Int64)] = []
  private var timeBase = 0
  private var timeShift = 0
  private var lastTime: Int64 = 0

  /// Takes a piece of the file.
  ///
  /// - Returns: the frames that it completes.
  /// - Throws: ``Fault`` for bytes that are no NUT file.
  mutating func take(_ piece: some Sequence<UInt8>) throws(Fault) -> [Frame] {
    bytes += piece
    var frames: [Frame] = []
    while position < bytes.count {
      var cursor = NutCursor(bytes, at: position)
      do throws(NutCursor.Problem) {
        if let frame = try next(&cursor) { frames.append(frame) }
        position = cursor.position
      } catch {
        switch error {
        case .incomplete:
          guard bytes.count - position <= 2 * Self.maxSize else { throw Fault(reason: "a frame is too large") }
          dropRead()
          return frames
        case .malformed(let reason): throw Fault(reason: reason)
        }
      }
    }
    dropRead()
    return frames
  }

  private mutating func dropRead() {
    bytes.removeFirst(position)
    position = 0
  }

  private mutating func next(_ cursor: inout NutCursor) throws(NutCursor.Problem) -> Frame? {
    guard isStarted else {
      guard try cursor.bytes(Self.signature.count).elementsEqual(Self.signature) else {
        throw .malformed("it does not begin as a NUT file")
      }
      isStarted = true
      return nil
    }
    // A start code begins with N, which is the code of no frame.
    guard try cursor.peek() == UInt8(ascii: "N") else { return try frame(&cursor) }
    let startCode = try cursor.number64()
    let length = Int(clamping: try cursor.variable())
    guard length <= Self.maxSize else { throw .malformed("a header has \(length) bytes") }
    if length > 4096 { _ = try cursor.bytes(4) }
    var body = NutCursor(Array(try cursor.bytes(length)), at: 0)
    do throws(NutCursor.Problem) {
      switch startCode {
      case Self.mainHeader: try readMain(&body)
      case Self.streamHeader: try readStream(&body)
      case Self.syncPoint: try readSyncPoint(&body)
      default: break
      }
    } catch {
      // A header that ends too early stays so, however much follows.
      if error == .incomplete { throw .malformed("a header is too short") }
      throw error
    }
    return nil
  }

  private mutating func readMain(_ body: inout NutCursor) throws(NutCursor.Problem) {
    let version = try body.variable()
    guard (3...4).contains(version) else { throw .malformed("NUT of version \(version) is not read") }
    if version > 3 { _ = try body.variable() }
    _ = try body.variable()
    _ = try body.variable()
    let count = try body.variable()
    guard (1...64).contains(count) else { throw .malformed("it has \(count) time bases") }
    timeBases = []
    for _ in 0..<count {
      let (numerator, denominator) = (try body.variable(), try body.variable())
      guard (1...1 << 31).contains(numerator), (1...1 << 31).contains(denominator) else {
        throw .malformed("a time base is \(numerator)/\(denominator)")
      }
      timeBases.append((Int64(numerator), Int64(denominator)))
    }
    try readCodes(&body)
    let more = try body.variable()
    guard more < 128 else { throw .malformed("it has \(more) headers of frames") }
    headers = [[]]
    for _ in 0..<more { headers.append(Array(try body.bytes(Int(clamping: try body.variable())))) }
  }

  private mutating func readCodes(_ body: inout NutCursor) throws(NutCursor.Problem) {
    codes = []
    var (time, factor, header): (Int64, Int, Int) = (0, 1, 0)
    while codes.count < 256 {
      let flags = try body.variable()
      let fields = try body.variable()
      if fields > 0 { time = try body.signed() }
      if fields > 1 { factor = Int(clamping: try body.variable()) }
      if fields > 2 { _ = try body.variable() }
      let rest = fields > 3 ? Int(clamping: try body.variable()) : 0
      let reserved = fields > 4 ? Int(clamping: try body.variable()) : 0
      let count = fields > 5 ? Int(clamping: try body.variable()) : factor - rest
      if fields > 6 { _ = try body.signed() }
      if fields > 7 { header = Int(clamping: try body.variable()) }
      if fields > 8 { for _ in 8..<min(fields, 64) { _ = try body.variable() } }
      guard factor <= Self.maxSize, rest <= Self.maxSize, reserved < 64, count > 0 else {
        throw .malformed("a frame code is not possible")
      }
      for index in 0..<count where codes.count < 256 {
        if codes.count == Int(UInt8(ascii: "N")) { codes.append(Code()) }
        codes.append(
          Code(
            flags: flags, sizeFactor: factor, sizeRest: rest + index, timeStep: time, reserved: reserved,
            header: header))
      }
    }
  }

  private mutating func readStream(_ body: inout NutCursor) throws(NutCursor.Problem) {
    _ = try body.variable()
    _ = try body.variable()
    _ = try body.bytes(Int(clamping: try body.variable()))
    let (base, shift) = (try body.variable(), try body.variable())
    guard base < timeBases.count, shift < 32 else { throw .malformed("a stream has no time base") }
    (timeBase, timeShift) = (Int(base), Int(shift))
  }

  private mutating func readSyncPoint(_ body: inout NutCursor) throws(NutCursor.Problem) {
    guard !timeBases.isEmpty else { throw .malformed("it has no main header") }
    let coded = try body.variable()
    let base = timeBases[Int(coded % UInt64(timeBases.count))]
    let own = timeBases[timeBase]
    // The same time in the stream's own base.
    let seconds = Double(coded / UInt64(timeBases.count)) * Double(base.numerator) / Double(base.denominator)
    let ticks = seconds * Double(own.denominator) / Double(own.numerator)
    guard ticks < 0x1p62 else { throw .malformed("a time is too large") }
    lastTime = Int64(ticks)
  }

  private mutating func frame(_ cursor: inout NutCursor) throws(NutCursor.Problem) -> Frame {
    let number = Int(try cursor.byte())
    guard number < codes.count, !timeBases.isEmpty else { throw .malformed("a frame comes before the headers") }
    let code = codes[number]
    var flags = code.flags
    if flags & Flag.coded != 0 { flags ^= try cursor.variable() }
    guard flags & (Flag.invalid | Flag.sideData) == 0 else { throw .malformed("a frame has the code \(number)") }
    if flags & Flag.stream != 0, try cursor.variable() != 0 { throw .malformed("it has several streams") }
    var time = lastTime &+ code.timeStep
    if flags & Flag.codedTime != 0 { time = fullTime(try cursor.variable()) }
    var size = code.sizeRest
    if flags & Flag.size != 0 {
      let (large, isBeyond) = Int(clamping: try cursor.variable()).multipliedReportingOverflow(by: code.sizeFactor)
      guard !isBeyond, large <= Self.maxSize else { throw .malformed("a frame is too large") }
      size += large
    }
    if flags & Flag.matchTime != 0 { _ = try cursor.signed() }
    var header = code.header
    if flags & Flag.header != 0 { header = Int(clamping: try cursor.variable()) }
    let reserved = flags & Flag.reserved != 0 ? min(64, Int(clamping: try cursor.variable())) : code.reserved
    for _ in 0..<reserved { _ = try cursor.variable() }
    if flags & Flag.checksum != 0 { _ = try cursor.bytes(4) }
    guard header < headers.count, headers[header].count <= size else { throw .malformed("a frame has no header") }
    let data = headers[header] + (try cursor.bytes(size - headers[header].count))
    lastTime = time
    let base = timeBases[timeBase]
    return Frame(ticks: time, numerator: base.numerator, denominator: base.denominator, data: data)
  }

  /// The time whose last bits are coded, nearest to the one before; or the whole time.
  private func fullTime(_ coded: UInt64) -> Int64 {
    let (whole, coded) = (Int64(1) << timeShift, Int64(clamping: coded))
    guard coded < whole else { return coded - whole }
    let mask = whole - 1
    let least = lastTime &- mask / 2
    return ((coded &- least) & mask) &+ least
  }
}

extension Int64 {
  /// `self × factor ÷ divisor`, rounded down, with the remainder from 0 to below the divisor; saturated.
  fileprivate func dividingFullWidth(_ factor: Int64, by divisor: Int64) -> (quotient: Int64, rest: Int64) {
    let (high, low) = multipliedFullWidth(by: factor)
    guard high.magnitude < divisor.magnitude / 2 else { return (self < 0 ? .min : .max, 0) }
    let (quotient, rest) = divisor.dividingFullWidth((high, low))
    return rest < 0 ? (quotient - 1, rest + divisor) : (quotient, rest)
  }
}

/// A place in the bytes of a NUT file.
struct NutCursor {
  /// Why something cannot be read.
  enum Problem: Error, Hashable {
    /// More bytes are needed.
    case incomplete
    /// No bytes that may follow make it readable.
    case malformed(String)
  }

  private let content: [UInt8]
  private(set) var position: Int

  init(_ content: [UInt8], at position: Int) { (self.content, self.position) = (content, position) }

  func peek() throws(Problem) -> UInt8 {
    guard position < content.count else { throw .incomplete }
    return content[position]
  }

  mutating func byte() throws(Problem) -> UInt8 {
    let byte = try peek()
    position += 1
    return byte
  }

  mutating func bytes(_ count: Int) throws(Problem) -> ArraySlice<UInt8> {
    guard count <= content.count - position else { throw .incomplete }
    defer { position += count }
    return content[position..<position + count]
  }

  /// Eight bytes, the highest first.
  mutating func number64() throws(Problem) -> UInt64 { try bytes(8).reduce(0) { $0 << 8 | UInt64($1) } }

  /// A number in groups of seven bits, the highest first; all but the last have their top bit set.
  mutating func variable() throws(Problem) -> UInt64 {
    var value: UInt64 = 0
    while true {
      let byte = try byte()
      guard value < 1 << 56 else { throw .malformed("a number is too large") }
      value = value << 7 | UInt64(byte & 0x7F)
      if byte < 0x80 { return value }
    }
  }

  /// A number with a sign, in the order 0, 1, −1, 2, −2.
  mutating func signed() throws(Problem) -> Int64 {
    let value = Int64(try variable()) + 1
    return value & 1 == 1 ? -(value >> 1) : value >> 1
  }
}
