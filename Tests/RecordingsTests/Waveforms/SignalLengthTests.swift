import Analysis
import Basics
import Quantities
import Recordings
import TestSupport
import Testing

@testable import Recordings

/// Files that hold less or more than their headers announce, and headers that other programs write.
@Suite("Files of signals whose header is not the whole truth")
struct SignalLengthTests {
  let scratch: ScratchFolder

  init() throws { scratch = try ScratchFolder() }

  /// An EDF or BDF file of a second a record.
  private func edf(
    _ samples: [Int], labels: [String] = ["ECG"], rate: Int = 100, announced: Int? = nil, isWide: Bool = false,
    range: (String, String) = ("-1", "1"), padding: UInt8 = 0x20, annotations: [[UInt8]] = []
  ) -> [UInt8] {
    func field(_ text: String, _ width: Int) -> [UInt8] {
      Array(text.utf8) + [UInt8](repeating: padding, count: width - text.utf8.count)
    }
    func fields(_ texts: [String], _ width: Int) -> [UInt8] { texts.flatMap { field($0, width) } }
    let records = annotations.isEmpty ? samples.count / rate / labels.count : annotations.count
    let count = labels.count
    var bytes = isWide ? [0xFF] + Array("BIOSEMI".utf8) : field("0", 8)
    bytes += field("X X X X", 80) + field("Startdate X X X X", 80) + field("01.01.26", 8) + field("00.00.00", 8)
    bytes += field("\(256 * (count + 1))", 8) + field(annotations.isEmpty ? "" : "EDF+C", 44)
    bytes += field("\(announced ?? records)", 8) + field(annotations.isEmpty ? "1" : "0", 8) + field("\(count)", 4)
    bytes += fields(labels, 16) + fields(labels.map { _ in "" }, 80) + fields(labels.map { _ in "mV" }, 8)
    bytes += fields(labels.map { _ in range.0 }, 8) + fields(labels.map { _ in range.1 }, 8)
    bytes += fields(labels.map { _ in isWide ? "-8388608" : "-32768" }, 8)
    bytes += fields(labels.map { _ in isWide ? "8388607" : "32767" }, 8) + fields(labels.map { _ in "" }, 80)
    bytes += fields(labels.map { _ in annotations.first.map { "\($0.count / 2)" } ?? "\(rate)" }, 8)
    bytes += fields(labels.map { _ in "" }, 32)
    if !annotations.isEmpty { return bytes + annotations.flatMap { $0 } }
    return bytes
      + samples.flatMap { sample in
        let number = isWide ? sample * 256 : sample
        return (0..<(isWide ? 3 : 2)).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
      }
  }

  private func write(_ bytes: [UInt8], _ name: String) throws -> String {
    try File.create(scratch[name], bytes)
    return scratch[name]
  }

  /// A heartbeat each 0.8 s, as a peak of three samples.
  private func electrocardiogram(seconds: Int, rate: Int = 100) -> [Int] {
    (0..<seconds * rate).map { [0: 8000, 1: 20_000, 2: 8000][$0 % (rate * 4 / 5)] ?? $0 % 7 * 40 }
  }

  private func detected(_ path: String) throws -> Recording {
    try #require(try Recording.read(path: path, ReadingOptions(detection: .init())).first)
  }

  @Test(
    "An EDF or BDF file that ends early is measured, and the caveat says how much there is of how much",
    arguments: [false, true], [0, 1, 150])
  func cut(isWide: Bool, missingBytes: Int) throws {
    let whole = edf(electrocardiogram(seconds: 60), isWide: isWide)
    let cut = Array(whole.dropLast(20 * 100 * (isWide ? 3 : 2) + missingBytes))
    let recording = try detected(try write(cut, "cut.edf"))
    let records = missingBytes == 0 ? 40 : 39
    #expect(
      recording.caveats.contains(
        .endsEarly(found: records, announced: 60, of: .record, found_s: Double(records), announced_s: 60)))
    #expect((recording.beats?.count ?? 0) > 40 && abs((recording.beats?.intervals[5] ?? 0) - 800) < 15)
    // An announcement of −1 is none.
    let open = try detected(try write(edf(electrocardiogram(seconds: 60), announced: -1, isWide: isWide), "open.edf"))
    #expect(open.caveats.isEmpty && (open.beats?.count ?? 0) > 65)
  }

  @Test("An EDF file that is longer than announced is read as far as announced, and the caveat says so")
  func long() throws {
    let recording = try detected(try write(edf(electrocardiogram(seconds: 60), announced: 45), "long.edf"))
    #expect(
      recording.caveats == [.goesOn(found: 60, announced: 45, of: .record, found_s: 60, announced_s: 45)])
    #expect((recording.beats?.ends.last ?? 0) < 45)
  }

  @Test(
    "A WFDB record whose files are shorter or longer than its header says is measured, and the caveat says so",
    arguments: [16, 24, 32, 61, 80, 160, 212])
  func wfdb(format: Int) throws {
    let bytes: Int = [16: 2, 24: 3, 32: 4, 61: 2, 80: 1, 160: 2][format] ?? 0
    let frames = 5000
    let size = format == 212 ? frames * 3 / 2 : frames * bytes
    try File.create(scratch["r.dat"], (0..<size).map { UInt8($0 * 37 % 251) })
    for (announced, found) in [(5000, nil), (6000, 5000), (4000, 5000), (nil, nil)] as [(Int?, Int?)] {
      let header = "r 1 100\(announced.map { " \($0)" } ?? "")\nr.dat \(format) 200/mV 12 0 0 0 0 ECG\n"
      let file = try SignalFile(try write(Array(header.utf8), "r\(announced ?? 0).hea"))
      guard let announced, let found else {
        #expect(file.caveats.isEmpty)
        continue
      }
      let numbers = (found, announced, Double(found) * (1 / 100), Double(announced) * (1 / 100))
      #expect(
        file.caveats == [
          found < announced
            ? .endsEarly(found: numbers.0, announced: numbers.1, of: .frame, found_s: numbers.2, announced_s: numbers.3)
            : .goesOn(found: numbers.0, announced: numbers.1, of: .frame, found_s: numbers.2, announced_s: numbers.3)
        ])
      #expect(file.duration == Double(min(found, announced)) / 100)
    }
  }

  @Test("Samples that fill up the last bytes of a WFDB file are not too many")
  func filled() throws {
    // Fifteen samples of 12 bits in 24 bytes.
    try File.create(scratch["r.dat"], [UInt8](repeating: 0, count: 24))
    #expect(
      try SignalFile(try write(Array("r 1 100 15\nr.dat 212 200\n".utf8), "r.hea")).caveats.isEmpty)
  }

  @Test("Two WFDB files of different lengths are read as far as both go, and the caveat says so")
  func unlike() throws {
    try File.create(scratch["a.dat"], [UInt8](repeating: 1, count: 2000))
    try File.create(scratch["b.dat"], [UInt8](repeating: 1, count: 1200))
    let file = try SignalFile(try write(Array("r 2 100\na.dat 16 200\nb.dat 16 200\n".utf8), "r.hea"))
    #expect(file.caveats == [.endsEarly(found: 600, announced: 1000, of: .frame, found_s: 6, announced_s: 10)])
  }

  /// Annotations of 36 samples each, as normal beats.
  private let marks: [UInt8] = (0..<40).flatMap { _ in [36, 1 << 2] as [UInt8] }

  @Test("A WFDB record without signals is analysed by its annotations, and they alone too if a header gives the rate")
  func annotationsAlone() throws {
    _ = try write(marks + [0, 0], "100a.atr")
    let header = try write(Array("100a 0 45 650000\n".utf8), "100a.hea")
    for path in [header, scratch["100a.atr"]] {
      let recording = try #require(try Recording.read(path: path).first)
      let intervals = recording.beats?.intervals ?? []
      #expect(intervals.count == 39 && intervals.allSatisfy { abs($0 - 800) < 1e-9 } && recording.caveats.isEmpty)
      let error = #expect(throws: RecordingError.self) { try detected(path) }
      #expect("\(try #require(error))".contains("no signals"))
    }
    let alone = try write(marks + [0, 0], "b.atr")
    let error = #expect(throws: RecordingError.self) { try Recording.read(path: alone) }
    #expect("\(try #require(error))".contains("b.hea"))
    // A file of annotations may say its own resolution.
    let note = Array("## time resolution: 45".utf8)
    let own = try write([0, 22 << 2, UInt8(note.count), 63 << 2] + note + marks + [0, 0], "c.qrs")
    #expect(abs((try Recording.read(path: own).first?.beats?.intervals.first ?? 0) - 800) < 1e-9)
    let none = try write(Array("d 0 45 650000\n".utf8), "d.hea")
    #expect(throws: RecordingError.self) { try Recording.read(path: none) }
  }

  @Test("Annotations without their end were cut off, and the caveat says where")
  func cutAnnotations() throws {
    _ = try write(marks, "r.atr")
    let header = try write(Array("r 0 45\n".utf8), "r.hea")
    for path in [header, scratch["r.atr"]] {
      let recording = try #require(try Recording.read(path: path).first)
      #expect(recording.caveats == [.annotationsCut(at_s: 32)] && recording.beats?.count == 39)
    }
  }

  @Test("Other files are not taken for annotations")
  func noAnnotations() throws {
    var random = SplitMix64(seed: 5)
    for length in [6, 40, 400, 4000] {
      let bytes = [0] + (1..<length).map { _ in UInt8(truncatingIfNeeded: random.next()) }
      #expect(!WFDBAnnotations.isBeginning(bytes), "\(length)")
    }
    #expect(!WFDBAnnotations.isBeginning(Array("812\n805\n798\n810\n".utf8)))
    #expect(!WFDBAnnotations.isBeginning([UInt8](repeating: 0, count: 100)))
    #expect(!WFDBHeader.isBeginning(Array("812 0 360\n805 1 360\n".utf8)))
  }

  @Test("The texts of a header may be filled up with zeros")
  func zeros() throws {
    let recording = try detected(try write(edf(electrocardiogram(seconds: 60), padding: 0), "zeros.edf"))
    #expect((recording.beats?.count ?? 0) > 65 && recording.caveats.isEmpty)
  }

  @Test(
    "A signal without a physical range has its beats, and the caveat says that it has no unit", arguments: ["0", "5"])
  func noRange(limit: String) throws {
    let recording = try detected(
      try write(edf(electrocardiogram(seconds: 60), range: (limit, limit)), "range.edf"))
    #expect((recording.beats?.count ?? 0) > 65)
    #expect(recording.caveats == [.noRange(signal: "ECG")])
  }

  @Test("An EDF+ file with nothing but annotations has its beats, or says that it has no signals")
  func annotationsOnly() throws {
    func list(_ text: String) -> [[UInt8]] {
      (0..<30).map { index in
        let mark = Array("+\(index)\u{14}\u{14}\u{0}+\(Double(index) + 0.5)\u{14}\(text)\u{14}\u{0}".utf8)
        return mark + [UInt8](repeating: 0, count: 40 - mark.count)
      }
    }
    let beats = try write(edf([], labels: ["EDF Annotations"], annotations: list("N")), "beats.edf")
    #expect(try Recording.read(path: beats).first?.beats?.count == 29)
    let others = try write(edf([], labels: ["EDF Annotations"], annotations: list("stage 2")), "others.edf")
    for options in [ReadingOptions(), ReadingOptions(detection: .init())] {
      let error = #expect(throws: RecordingError.self) { try Recording.read(path: others, options) }
      let text = "\(try #require(error))"
      #expect(text.contains("signals") && !text.contains("  "))
    }
  }

  @Test(
    "Signals of eyes, muscles and the brain are no electrocardiograms, whatever lead their name ends in",
    arguments: [
      ("EOG VEOG_I", nil), ("EEG I", nil), ("EMG II", nil), ("EEG V1", nil), ("POL V2", nil), ("SEEG-II", nil),
      ("I", QuantityType.electrocardiogram), ("Lead II", .electrocardiogram), ("MLII", .electrocardiogram),
      ("V5", .electrocardiogram), ("ECG I", .electrocardiogram), ("EEG ECG1-Ref", .electrocardiogram),
      ("EKG", .electrocardiogram), ("aVR", .electrocardiogram), ("electrocardiogra", .electrocardiogram),
    ])
  func labels(label: String, quantity: QuantityType?) {
    #expect(SignalChannel(label: label, unit: "mV", rate: 100).quantity == quantity)
  }

  @Test("Every quantity that is exported has a label by which it is known again")
  func ownLabels() {
    for type in [QuantityType.electrocardiogram, .photoplethysmogram, .respiration, .acceleration] {
      for label in [SignalChannel.label(of: type), SignalChannel.label(of: type) + " II"] {
        #expect(SignalChannel(label: String(label.prefix(16)), unit: "1", rate: 100).quantity == type)
      }
    }
  }

  @Test("Beats of another recording agree by chance, which is not a lateness", arguments: 1...5 as ClosedRange<UInt64>)
  func unrelated(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let found = (0..<60).map { 0.8 * Double($0) + 0.02 * random.normal() }
    let others = (0..<12).map { 30 + 1.37 * Double($0) + 0.3 * random.uniform() }
    let agreement = try #require(BeatDetection.Comparison(of: found, with: others, called: "annotations"))
    #expect((agreement.difference?.mean ?? 0).magnitude <= 1000 * (BeatDetection.Comparison.maxShift + 0.15))
    let far = others.map { $0 + 1000 }
    let none = try #require(BeatDetection.Comparison(of: found, with: far, called: "annotations"))
    #expect(none.difference == nil && none.counts.both == 0)
    // A sensor that is late is compared all the same.
    let late = try #require(BeatDetection.Comparison(of: found, with: found.map { $0 + 0.3 }, called: "strap"))
    #expect(late.counts.both >= 58 && abs((late.difference?.mean ?? 0) + 300) < 1)
  }
}
