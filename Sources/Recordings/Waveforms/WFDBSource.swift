import Basics

/// The frames of a WFDB record, whose samples are in one or more files beside the header.
struct WFDBSource: SignalSource {
  /// The signals of one file, whose samples alternate.
  private struct Group: Sendable {
    let file: OpenFile
    let format: WFDBFormat
    let offset: Int
    /// The numbers of the signals, and how many samples a frame has of all together.
    let signals: [Int]
    let width: Int
  }

  /// The names that files of annotations usually end in, the first that is there counts.
  static let annotators = ["atr", "ecg", "qrs"]

  private let header: WFDBHeader
  private let groups: [Group]
  private let base: String
  /// The number of frames in a piece: a multiple of 12, so that pieces begin with whole bytes in any format.
  private let length: Int
  private let frames: Int

  let channels: [SignalChannel]
  let caveats: [RecordingCaveat]
  var format: String { "WFDB" }
  var pieces: Int { (frames + length - 1) / length }
  var duration: Double { Double(frames) / header.rate }

  init(_ file: OpenFile, path: String) throws {
    let header = try WFDBHeader(try file.read(WFDBHeader.maxSize + 1, at: 0))
    self.header = header
    let slash = path.lastIndex(of: "/")
    let folder = slash.map { String(path[...$0]) } ?? ""
    base = path.hasSuffix(".hea") ? String(path.dropLast(4)) : path
    var groups: [Group] = []
    for (index, signal) in header.signals.enumerated() {
      if let same = groups.firstIndex(where: { header.signals[$0.signals[0]].file == signal.file }) {
        let group = groups[same]
        guard group.format == signal.format else {
          throw SignalFault.format("\(signal.format.rawValue)", signal: signal.label)
        }
        groups[same] = Group(
          file: group.file, format: group.format, offset: group.offset, signals: group.signals + [index],
          width: group.width + signal.samples)
        continue
      }
      let samples: OpenFile
      do {
        samples = try OpenFile(folder + signal.file)
      } catch {
        throw SignalFault.signalFile(
          signal.file, error.isMissing ? "there is no such file beside the header" : error.reason)
      }
      groups.append(
        Group(file: samples, format: signal.format, offset: signal.offset, signals: [index], width: signal.samples))
    }
    length = 12 * max(1, Int(header.rate / 12))
    var held: [Int] = []
    for group in groups {
      let bytes = group.format.bytes(ofSamples: group.width * min(length, SignalFile.maxPiece))
      guard bytes <= SignalFile.maxPiece else { throw SignalFault.tooLarge(bytes: bytes) }
      held.append(group.format.samples(inBytes: max(0, group.file.size - group.offset)) / group.width)
    }
    let found = held.min() ?? 0
    frames = min(found, header.frames ?? found)
    guard frames > 0 || groups.isEmpty else { throw SignalFault.noSamples }
    self.groups = groups
    // Where the header has no number of frames, the longest of its files does.
    let announced = groups.isEmpty ? 0 : header.frames ?? held.max() ?? 0
    // Samples that do not fill whole bytes are filled up.
    let isFilled = groups.allSatisfy {
      $0.file.size - $0.offset <= $0.format.bytes(ofSamples: announced * $0.width)
    }
    caveats = [
      RecordingCaveat.length(
        found: isFilled ? min(found, announced) : found, announced: announced, of: .frame, seconds: 1 / header.rate)
    ].compactMap(\.self)
    channels = header.signals.map { signal in
      SignalChannel(label: signal.label, unit: signal.unit, rate: header.rate * Double(signal.samples))
    }
  }

  func blocks(ofPiece piece: Int, of wanted: Set<Int>) throws(FileError) -> [SignalBlock] {
    let first = piece * length
    let count = min(length, frames - first)
    guard count > 0 else { return [] }
    var blocks: [SignalBlock] = []
    for group in groups where !wanted.isDisjoint(with: group.signals) {
      let place = group.offset + group.format.bytes(ofSamples: first * group.width)
      let bytes = try group.file.read(group.format.bytes(ofSamples: count * group.width), at: place)
      let numbers = group.format.numbers(bytes)
      var shift = 0
      for index in group.signals {
        let signal = header.signals[index]
        defer { shift += signal.samples }
        guard wanted.contains(index) else { continue }
        var values: [Float] = []
        values.reserveCapacity(count * signal.samples)
        for frame in 0..<count {
          for sample in 0..<signal.samples {
            let place = frame * group.width + shift + sample
            guard place < numbers.count else { break }
            let number = numbers[place]
            values.append(
              number == group.format.missing ? .nan : Float((Double(number) - signal.baseline) / signal.gain))
          }
        }
        blocks.append(
          SignalBlock(signal: index, time: Double(first - signal.skew) / header.rate, values: values))
      }
    }
    return blocks.sorted { $0.signal < $1.signal }
  }

  func annotations() throws(FileError) -> (all: [SignalAnnotation], isWhole: Bool) {
    for annotator in Self.annotators {
      let path = "\(base).\(annotator)"
      guard Folder.exists(path) else { continue }
      let file = try OpenFile(path)
      return WFDBAnnotations.read(try file.read(min(file.size, WFDBMarks.maxSize), at: 0), rate: header.rate) ?? (
        [], true
      )
    }
    return ([], true)
  }
}

/// The annotations of a WFDB record, in a file of their own.
struct WFDBMarks: SignalSource {
  /// The largest file, in bytes.
  static let maxSize = 1 << 28

  private let marks: (all: [SignalAnnotation], isWhole: Bool)

  let channels: [SignalChannel] = []
  let caveats: [RecordingCaveat] = []
  let pieces = 0
  let duration = 0.0
  var format: String { "a file of WFDB annotations" }

  init(_ file: OpenFile, path: String) throws {
    let bytes = try file.read(min(file.size, Self.maxSize), at: 0)
    let base = path.lastIndex(of: ".").map { String(path[..<$0]) } ?? path
    let header = "\(base).hea"
    let rate =
      Folder.exists(header) ? try WFDBHeader(try OpenFile(header).read(WFDBHeader.maxSize + 1, at: 0)).rate : nil
    guard let marks = WFDBAnnotations.read(bytes, rate: rate) else {
      throw SignalFault.noRate(header: header.split(separator: "/").last.map(String.init) ?? header)
    }
    self.marks = marks
  }

  func blocks(ofPiece piece: Int, of wanted: Set<Int>) throws(FileError) -> [SignalBlock] { [] }
  func annotations() throws(FileError) -> (all: [SignalAnnotation], isWhole: Bool) { marks }
}
