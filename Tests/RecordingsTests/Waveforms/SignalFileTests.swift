import Analysis
import Basics
import Glibc
import Quantities
import Recordings
import TestSupport
import Testing

@testable import Recordings

@Suite("Files of signals")
struct SignalFileTests {
  let scratch: ScratchFolder

  init() throws { scratch = try ScratchFolder() }

  private static let folder = "\(Repository.root)/\(Peers.files)"

  private func samples(_ file: SignalFile, _ signal: Int) throws -> [Float] {
    try (0..<file.pieces).flatMap { try file.blocks(ofPiece: $0, of: [signal]).flatMap(\.values) }
  }

  @Test(
    "Other implementations still write the files that are kept, and read them so",
    .enabled(if: Peers.areAsked, "\(Peers.reason)"), arguments: ["signals", "devices"])
  func kept(script: String) throws {
    let run = try Program.run(
      Repository.python, ["\(Repository.root)/Tests/RecordingsTests/Peers/\(script).py", scratch.path])
    try #require(run.status == 0, "\(run.error)")
    for name in try Folder.names(in: scratch.path) {
      try Golden.compare(File.contents(of: scratch[name]), with: "\(Peers.files)/\(name)")
    }
  }

  @Test("The values and beats are those that pyedflib and wfdb read, in every format")
  func peers() throws {
    let peers = try #require(try JSONReader.read(File.contents(of: "\(Self.folder)/signals.json")).value.object)
    #expect(peers.count == 9)
    for (path, peer) in peers {
      let file = try SignalFile("\(Self.folder)/\(path)")
      let labels = peer["labels"]?.array?.compactMap(\.string)
      #expect(file.channels.map(\.label) == labels, "\(path)")
      #expect(file.channels.map(\.unit) == peer["units"]?.array?.compactMap(\.string), "\(path)")
      #expect(file.channels.map(\.rate) == peer["rates"]?.array?.compactMap(\.number), "\(path)")
      for (index, signal) in (peer["signals"]?.array ?? []).enumerated() {
        let ours = try samples(file, index).map(Double.init)
        let there = ours.filter { !$0.isNaN }
        #expect(signal["count"]?.integer == ours.count, "\(path)")
        #expect(signal["missing"]?.integer == ours.count - there.count, "\(path)")
        let sum = try #require(signal["sum"]?.number)
        #expect(abs(there.reduce(0, +) - sum) < 1e-7 * Double(ours.count), "\(path) signal \(index)")
        for (number, value) in (signal["some"]?.array ?? []).enumerated() {
          let own = ours[50 * number]
          #expect(value.number.map { abs(own - $0) <= 1e-6 } ?? own.isNaN, "\(path) signal \(index)")
        }
      }
      let beats = peer["beats"]?.array?.compactMap(\.number) ?? []
      let ours = try file.annotatedBeats().times
      #expect(ours.count == beats.count && zip(ours, beats).allSatisfy { abs($0 - $1) < 1e-9 }, "\(path)")
    }
  }

  @Test("Three samples of 10 bits are unpacked from four bytes", arguments: [WFDBFormat.format310, .format311])
  func tenBits(format: WFDBFormat) {
    // The layouts of the WFDB manual, packed here.
    let numbers = [-511, 0, 511, 1, -1, 300, -300, 77, -78]
    var bytes: [UInt8] = []
    for start in stride(from: 0, to: numbers.count, by: 3) {
      let raw = numbers[start..<start + 3].map { $0 & 0x3FF }
      let word: Int
      if format == .format311 {
        word = raw[0] | raw[1] << 10 | raw[2] << 20
      } else {
        word = (raw[0] << 1 | (raw[2] & 0x1F) << 11) | (raw[1] << 1 | (raw[2] >> 5) << 11) << 16
      }
      for shift in [0, 8, 16, 24] { bytes.append(UInt8(word >> shift & 0xFF)) }
    }
    #expect(format.numbers(bytes) == numbers)
    #expect(format.samples(inBytes: bytes.count) == numbers.count)
  }

  @Test("The beats that a file marks are analysed, and a file without says how to find them")
  func annotated() throws {
    let recording = try #require(try Recording.read(path: "\(Self.folder)/record212.hea").first)
    #expect(recording.beats?.count == 22)
    #expect(abs((recording.beats?.intervals.first ?? 0) - 844) < 1e-6)
    let error = #expect(throws: RecordingError.self) { try Recording.read(path: "\(Self.folder)/plain.edf") }
    #expect("\(try #require(error))".contains("--detect"))
  }

  @Test(
    "A signal's name says its quantity; accelerations in g are of gravity",
    arguments: [
      ("EKG", "mV", QuantityType.electrocardiogram, nil), ("Resp belt", "uV", .respiration, nil),
      ("ACC X", "mG", .acceleration, 0.00980665), ("accel", " g ", .acceleration, 9.80665),
      ("acc", "m/s^2", .acceleration, nil),
    ] as [(String, String, QuantityType, Float?)])
  func quantities(label: String, unit: String, type: QuantityType, gravity: Float?) {
    let channel = SignalChannel(label: label, unit: unit, rate: 100)
    #expect(channel.quantity == type && channel.standardGravity == gravity)
  }

  @Test("Pauses between the records of an EDF+D file are kept")
  func pauses() throws {
    let path = scratch["pauses.edf"]
    try File.create(path, Self.edf(records: [0, 1, 10], isContinuous: false))
    let file = try SignalFile(path)
    #expect(file.pieces == 3)
    #expect(try file.blocks(ofPiece: 2, of: [0]).map(\.time) == [10])
    #expect(file.format == "EDF+")
  }

  @Test("A recording that was cut off is read to its last whole record")
  func cutOff() throws {
    let path = scratch["cut.edf"]
    try File.create(path, Array(Self.edf(records: [0, 1, 2], isContinuous: true).dropLast(7)))
    #expect(try SignalFile(path).pieces == 2)
  }

  @Test(
    "A header that leads out of its folder, or is damaged, is refused with the line and the reason",
    arguments: [
      ("r 1 360\n../secret 16 200 16 0 0 0 0 ECG\n", "plain name"), ("r 1 360\nr.dat 99 200\n", "format 99"),
      ("r 2 360\nr.dat 16 200\n", "2 signals"), ("r/3 2 360 650\na 10\nb 10\n", "segments"),
      ("r 1 0\nr.dat 16 200\n", "sampling rate"), ("r 1 360\nr.dat 16x0 200\n", "not a format"),
      ("r 1 360\nr.dat 16 nan\n", "not a gain"), ("r 9999 360\nr.dat 16\n", "9999 signals"),
    ])
  func refusals(header: String, reason: String) throws {
    let path = scratch["r.hea"]
    try File.create(path, Array(header.utf8))
    let error = #expect(throws: RecordingError.self) { try SignalFile(path) }
    #expect("\(try #require(error))".contains(reason))
  }

  /// An EDF+ file with one signal of four samples a second, and a record at each of these times.
  static func edf(records: [Double], isContinuous: Bool) -> [UInt8] {
    func field(_ text: String, _ width: Int) -> [UInt8] {
      Array(text.utf8) + [UInt8](repeating: 0x20, count: width - text.utf8.count)
    }
    func fields(_ texts: [String], _ width: Int) -> [UInt8] { texts.flatMap { field($0, width) } }
    var bytes = field("0", 8) + field("X X X X", 80) + field("Startdate X X X X", 80)
    bytes += field("01.01.26", 8) + field("00.00.00", 8) + field("768", 8)
    bytes += field(isContinuous ? "EDF+C" : "EDF+D", 44) + field("\(records.count)", 8) + field("1", 8) + field("2", 4)
    bytes += fields(["ECG", "EDF Annotations"], 16) + fields(["", ""], 80) + fields(["mV", ""], 8)
    bytes += fields(["-1", "-1"], 8) + fields(["1", "1"], 8) + fields(["-32768", "-32768"], 8)
    bytes += fields(["32767", "32767"], 8) + fields(["", ""], 80) + fields(["4", "16"], 8) + fields(["", ""], 32)
    for time in records {
      bytes += [0, 0, 1, 0, 0, 0x40, 0xFF, 0xFF]
      let mark = Array("+\(time)\u{14}\u{14}\u{0}+\(time + 0.5)\u{14}N\u{14}\u{0}".utf8)
      bytes += mark + [UInt8](repeating: 0, count: 32 - mark.count)
    }
    return bytes
  }
}

/// Changes headers and files at random: they are read or refused, and nothing else happens.
@Suite("Files of signals, changed at random")
struct SignalFuzzTests {
  private static let cases = unsafe getenv("STATION_FUZZ_CASES").flatMap { unsafe Int(String(cString: $0)) } ?? 6000
  private static let seed = unsafe getenv("STATION_FUZZ_SEED").flatMap { unsafe UInt64(String(cString: $0)) } ?? 1

  private static func changed(_ bytes: [UInt8], _ random: inout SplitMix64) -> [UInt8] {
    var bytes = bytes
    func place() -> Int { bytes.isEmpty ? 0 : Int(random.next() % UInt64(bytes.count)) }
    for _ in 0...(random.next() % 6) where !bytes.isEmpty {
      switch random.next() % 6 {
      case 0: bytes[place()] = UInt8(truncatingIfNeeded: random.next())
      case 1: bytes.removeLast(Int(random.next() % UInt64(bytes.count)))
      case 2: bytes.insert(UInt8(truncatingIfNeeded: random.next()), at: place())
      case 3: bytes.remove(at: place())
      case 4:
        // Digits become others, signs and spaces: numbers of another size.
        if let digit = bytes.indices.filter({ (0x30...0x39).contains(bytes[$0]) }).randomElement(using: &random) {
          bytes[digit] = [0x2D, 0x39, 0x30, 0x20, 0x2E, 0x65, 0x2F, 0x78].randomElement(using: &random) ?? 0x39
        }
      default:
        let other = place()
        bytes.swapAt(place(), other)
      }
    }
    return bytes
  }

  @Test("Headers of EDF and WFDB, packed samples and annotations, changed at random")
  func headers() throws {
    var random = SplitMix64(seed: Self.seed)
    let edf = SignalFileTests.edf(records: [0, 1, 10], isContinuous: false)
    let header = Array(
      """
      100 2 360/1(0) 650000 12:00:00 1/1/2000
      100.dat 212x2:3+4 200.5(1024)/mV 11 1024 995 0 0 MLII
      100.dat 212 200/mV

      """.utf8)
    let marks: [UInt8] = [100, 4, 22, 88, 5, 252, 40, 78, 0, 0, 1, 0, 211, 20, 0, 236, 1, 0, 2, 0, 0, 0]
    var read = 0
    for _ in 0..<Self.cases {
      if let found = try? EDFHeader(Self.changed(edf, &random)) {
        read += 1
        #expect(found.recordSize <= SignalFile.maxPiece && found.signals.count <= SignalFile.maxSignals)
      }
      if let found = try? WFDBHeader(Self.changed(header, &random)) {
        read += 1
        #expect(found.rate > 0 && found.signals.allSatisfy { !$0.file.contains("/") })
      }
      _ = WFDBAnnotations.read(Self.changed(marks, &random), rate: 250)
      _ = EDFAnnotations.entries(Self.changed(Array(edf.suffix(32)), &random)[...])
      _ = try? FileKind(Self.changed(header, &random))
    }
    #expect(read > Self.cases / 4)
  }

  @Test("Whole files, changed at random")
  func files() throws {
    let scratch = try ScratchFolder()
    var random = SplitMix64(seed: Self.seed &+ 1)
    let edf = SignalFileTests.edf(records: [0, 1, 10], isContinuous: false)
    let header = Array("r 2 36 20\nr.dat 212 200/mV 12 0 0 0 0 ECG\nr.dat 212 100/mV 12 0 0 0 0 PPG\n".utf8)
    try File.create(scratch["r.dat"], (0..<60).map { UInt8($0 * 4) })
    for number in 0..<max(300, Self.cases / 20) {
      let isEDF = number.isMultiple(of: 2)
      let path = scratch["f\(number).\(isEDF ? "edf" : "hea")"]
      try File.create(path, Self.changed(isEDF ? edf : header, &random))
      defer { unsafe unlink(path) }
      guard let file = try? SignalFile(path) else { continue }
      _ = try? file.annotatedBeats()
      for piece in [0, file.pieces - 1] {
        _ = try? file.blocks(ofPiece: piece, of: Set(file.channels.indices))
      }
    }
  }
}
