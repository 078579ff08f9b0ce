import Basics

/// The header of a WFDB record: a text file that says in which files the samples are, and how.
///
/// "header(5)" of the WFDB Applications Guide (G. B. Moody): a line for the record and one for each signal; lines that begin
/// with `#` are comments.
///
///     100 2 360 650000
///     100.dat 212 200(1024)/mV 11 1024 995 -22131 0 MLII
struct WFDBHeader: Hashable, Sendable {
  struct Signal: Hashable, Sendable {
    /// The name of its file, beside the header.
    let file: String
    let format: WFDBFormat
    /// The number of samples in each frame.
    let samples: Int
    /// By how many frames its samples are late in the file.
    let skew: Int
    /// Where samples begin in the file, in bytes.
    let offset: Int
    /// Numbers of the file in one unit, and the number that is zero.
    let gain: Double
    let baseline: Double
    let unit: String
    let label: String
  }

  /// The number of frames per second, in Hz.
  let rate: Double
  /// The number of frames; `nil` if it is not said.
  let frames: Int?
  let signals: [Signal]

  /// The largest header, in bytes.
  static let maxSize = 1 << 16

  /// Whether a text begins as such a header does: a line of a name and two or more numbers, and one of a file and a format.
  static func isBeginning(_ bytes: [UInt8]) -> Bool {
    guard !bytes.prefix(4096).contains(0) else { return false }
    let lines = Self.lines(bytes.prefix(4096)).prefix(2).map { $0.text.split(separator: " ").map(String.init) }
    // A record without signals has a line of its own, a number of frames, and nothing else.
    if lines.count == 1, (3...4).contains(lines[0].count), lines[0][1] == "0" {
      return lines[0][2...].allSatisfy { Double($0.prefix { $0 != "/" && $0 != "(" }) ?? 0 > 0 }
    }
    guard lines.count == 2, lines[0].count >= 2, lines[1].count >= 2 else { return false }
    let (record, signal) = (lines[0], lines[1])
    return Int(record[1]) != nil && (record.count < 3 || Double(record[2].prefix { $0 != "/" && $0 != "(" }) != nil)
      && Int(signal[1].prefix { $0.isNumber }) != nil && !signal[0].contains(",") && !signal[0].contains("\"")
      && Double(signal[0]) == nil
  }

  /// The lines that are no comments, with their numbers from 1.
  private static func lines(_ bytes: some Sequence<UInt8>) -> [(number: Int, text: String)] {
    let text = String(decoding: Array(bytes), as: UTF8.self)
    return text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated().compactMap {
      let line = String($0.element).replacing("\t", with: " ").trimmed
      return line.isEmpty || line.hasPrefix("#") ? nil : ($0.offset + 1, line)
    }
  }

  /// Reads a header.
  init(_ bytes: [UInt8]) throws(SignalFault) {
    guard bytes.count <= Self.maxSize else { throw .tooLarge(bytes: bytes.count) }
    let lines = Self.lines(bytes)
    guard let first = lines.first else { throw .line(1, "it is empty") }
    let record = first.text.split(separator: " ").map(String.init)
    guard record.count >= 2, let count = Int(record[1].prefix { $0 != "/" }) else {
      throw .line(first.number, "a record has a name and a number of signals")
    }
    let name = record[0].split(separator: "/")
    if name.count > 1 { throw .segments(Int(name[1]) ?? 0) }
    guard (0...SignalFile.maxSignals).contains(count) else { throw .signalCount(count) }
    let rate = record.count > 2 ? Double(record[2].prefix { $0 != "/" && $0 != "(" }) ?? .nan : 250
    guard rate >= 0.001, rate <= 1e6 else { throw .line(first.number, "“\(record[2].visible)” is not a sampling rate") }
    self.rate = rate
    let frames = record.count > 3 ? Int(record[3]) : nil
    self.frames = frames.flatMap { $0 > 0 ? $0 : nil }
    guard lines.count > count else {
      throw .line(first.number, "it has \(count) signals, and \(lines.count - 1) follow")
    }
    var signals: [Signal] = []
    for (number, text) in lines[1..<count + 1] { signals.append(try Self.signal(text, number, signals.count)) }
    self.signals = signals
  }

  private static func signal(_ text: String, _ number: Int, _ index: Int) throws(SignalFault) -> Signal {
    let words = text.split(separator: " ", maxSplits: 8).map(String.init)
    guard words.count >= 2 else { throw .line(number, "a signal has a file and a format") }
    let file = words[0]
    // A header never leads out of its folder.
    guard !file.contains("/"), !file.hasPrefix("."), !file.contains("\0") else {
      throw .line(number, "“\(file.visible)” is not the plain name of a file")
    }
    let label = words.count > 8 ? words[8].trimmed : "signal \(index + 1)"
    let digits = String(words[1].prefix { $0.isNumber })
    guard let format = Int(digits).flatMap(WFDBFormat.init) else { throw .format(words[1], signal: label) }
    var (samples, skew, offset) = (1, 0, 0)
    var rest = words[1].dropFirst(digits.count)
    while let sign = rest.first {
      let part = String(rest.dropFirst().prefix { $0.isNumber })
      guard let value = Int(part) else { throw .line(number, "“\(words[1].visible)” is not a format") }
      switch sign {
      case "x" where (1...10_000).contains(value): samples = value
      case ":" where value <= 1_000_000_000: skew = value
      case "+" where value <= 1 << 40: offset = value
      default: throw .line(number, "“\(words[1].visible)” is not a format")
      }
      rest = rest.dropFirst(1 + part.count)
    }
    // 200(1024)/mV
    let scale = words.count > 2 ? words[2] : "0"
    let parts = scale.split(separator: "/", maxSplits: 1).map(String.init)
    let amount = (parts.first ?? "0").split { $0 == "(" || $0 == ")" }.map(String.init)
    guard let gain = amount.first.flatMap(Double.init), gain.isFinite, gain.magnitude < 1e15 else {
      throw .line(number, "“\(scale.visible)” is not a gain")
    }
    let zero = words.count > 4 ? Double(words[4]) ?? 0 : 0
    let baseline = amount.count > 1 ? Double(amount[1]) : zero
    guard let baseline, baseline.magnitude < 1e15 else { throw .line(number, "“\(scale.visible)” is not a gain") }
    return Signal(
      file: file, format: format, samples: samples, skew: skew, offset: offset, gain: gain == 0 ? 200 : gain,
      baseline: baseline, unit: parts.count > 1 ? parts[1] : "mV", label: label)
  }
}

/// How samples are packed in the files of a WFDB record: "signal(5)" of the WFDB Applications Guide.
enum WFDBFormat: Int, Hashable, Sendable {
  /// 16 bits, the low byte first.
  case format16 = 16
  /// 24 bits, the low byte first.
  case format24 = 24
  /// 32 bits, the low byte first.
  case format32 = 32
  /// 16 bits, the high byte first.
  case format61 = 61
  /// 8 bits above −128.
  case format80 = 80
  /// 16 bits above −32768.
  case format160 = 160
  /// Two samples of 12 bits in three bytes.
  case format212 = 212
  /// Three samples of 10 bits in four bytes: two in the upper bits of 11, the third in the rest.
  case format310 = 310
  /// Three samples of 10 bits in four bytes, one after the other.
  case format311 = 311

  /// The number that marks a missing sample.
  var missing: Int {
    switch self {
    case .format16, .format61, .format160: -1 << 15
    case .format24: -1 << 23
    case .format32: -1 << 31
    case .format80: -1 << 7
    case .format212: -1 << 11
    case .format310, .format311: -1 << 9
    }
  }

  /// Samples that fill whole bytes, and how many bytes those are.
  private var group: (samples: Int, bytes: Int) {
    switch self {
    case .format16, .format61, .format160: (1, 2)
    case .format24: (1, 3)
    case .format32: (1, 4)
    case .format80: (1, 1)
    case .format212: (2, 3)
    case .format310, .format311: (3, 4)
    }
  }

  /// The number of bytes of whole groups of samples.
  func bytes(ofSamples count: Int) -> Int { (count + group.samples - 1) / group.samples * group.bytes }

  /// The number of samples that some bytes hold.
  func samples(inBytes count: Int) -> Int { count / group.bytes * group.samples + rest(count % group.bytes) }

  /// The samples in the bytes of an incomplete group.
  private func rest(_ bytes: Int) -> Int {
    switch self {
    case .format212: bytes >= 2 ? 1 : 0
    case .format310, .format311: bytes >= 2 ? 1 : 0
    default: 0
    }
  }

  /// Unpacks samples, from the beginning of a group.
  func numbers(_ bytes: [UInt8]) -> [Int] {
    var numbers: [Int] = []
    numbers.reserveCapacity(samples(inBytes: bytes.count))
    func signed(_ value: Int, bits: Int) -> Int { value >= 1 << (bits - 1) ? value - 1 << bits : value }
    // An incomplete group at the end is filled up.
    func byte(_ place: Int) -> Int { place < bytes.count ? Int(bytes[place]) : 0 }
    for place in stride(from: 0, to: bytes.count, by: group.bytes) {
      switch self {
      case .format16: numbers.append(signed(byte(place) | byte(place + 1) << 8, bits: 16))
      case .format61: numbers.append(signed(byte(place + 1) | byte(place) << 8, bits: 16))
      case .format24: numbers.append(signed(byte(place) | byte(place + 1) << 8 | byte(place + 2) << 16, bits: 24))
      case .format32:
        let value = byte(place) | byte(place + 1) << 8 | byte(place + 2) << 16 | byte(place + 3) << 24
        numbers.append(signed(value, bits: 32))
      case .format80: numbers.append(byte(place) - 128)
      case .format160: numbers.append((byte(place) | byte(place + 1) << 8) - 32_768)
      case .format212:
        numbers.append(signed(byte(place) | (byte(place + 1) & 0x0F) << 8, bits: 12))
        numbers.append(signed(byte(place + 2) | (byte(place + 1) & 0xF0) << 4, bits: 12))
      case .format310:
        let (first, second) = (byte(place) | byte(place + 1) << 8, byte(place + 2) | byte(place + 3) << 8)
        numbers.append(signed(first >> 1 & 0x3FF, bits: 10))
        numbers.append(signed(second >> 1 & 0x3FF, bits: 10))
        numbers.append(signed(first >> 11 | (second >> 11) << 5, bits: 10))
      case .format311:
        let value = byte(place) | byte(place + 1) << 8 | byte(place + 2) << 16 | byte(place + 3) << 24
        for shift in [0, 10, 20] { numbers.append(signed(value >> shift & 0x3FF, bits: 10)) }
      }
    }
    let whole = samples(inBytes: bytes.count)
    return numbers.count > whole ? Array(numbers.prefix(whole)) : numbers
  }
}
