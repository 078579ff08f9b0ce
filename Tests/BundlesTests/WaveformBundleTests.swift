import Basics
import Quantities
import TestSupport
import Testing

@testable import Bundles

@Suite("Waveforms in trials and bundles")
struct WaveformBundleTests {
  private let scratch: ScratchFolder
  private let results: ResultsFolder
  private let trial: TrialIdentifier

  private static let head = WaveformHead(
    file: "electrocardiogram", sensor: "simulated", quantityType: "electrocardiogram", unit: "mV", rate: 250,
    channels: ["I", "II"])

  init() throws {
    scratch = try ScratchFolder()
    results = ResultsFolder(scratch["results"], requiredBytes: 0)
    trial = try #require(TrialIdentifier(TrialStory.trial))
  }

  private static func block(_ number: Int) -> WaveformBlock {
    WaveformBlock(
      time: .milliseconds(500 * number), arrived: .milliseconds(500 * number + 510), channels: 2,
      values: (0..<20).map { Float(number * 100 + $0) })
  }

  /// A trial with a waveform of three blocks; its bundle's path.
  private func recorded() async throws -> String {
    let story = TrialStory.good()
    let open = try results.openTrial(
      identifier: trial, protocolBytes: TrialStory.protocolBytes, clock: HandClock())
    let records = story.records
    open.journal.append(time: records[0].time, event: records[0].event)
    let writer = try open.openWaveform(Self.head.file)
    open.journal.append(time: .milliseconds(1), event: .waveformOpened(Self.head))
    for number in 0..<3 { writer.append(Self.block(number)) }
    for record in records.dropFirst() { open.journal.append(time: record.time, event: record.event) }
    let path = try await open.finish()
    // After the end nothing is taken, and nothing of the trial comes back.
    #expect(writer.append(Self.block(3)) == nil)
    #expect(try Folder.names(in: results.openFolder) == [".lock"])
    return path
  }

  @Test("Blocks and their sidecar are in the bundle, which verifies and says where each block lies")
  func whole() async throws {
    let path = try await recorded()
    #expect(Bundle.verify(path) == [])
    let sidecar = try JSONReader.read(File.contents(of: "\(path)/data/waveforms/electrocardiogram.json")).value
    #expect(sidecar["format"]?.string == "station.waveform/1" && sidecar["rate_Hz"]?.number == 250)
    #expect(sidecar["unit"]?.string == "mV" && sidecar["channels"]?.array?.count == 2)
    #expect(sidecar["frames"]?.integer == 30 && sidecar["firstSample_ns"]?.integer == 0)
    #expect(sidecar["file"]?.string == "data/waveforms/electrocardiogram.blocks")
    let bytes = try File.contents(of: "\(path)/data/waveforms/electrocardiogram.blocks")
    let blocks = try #require(sidecar["blocks"]?.array)
    #expect(blocks.compactMap { $0["t_ns"]?.integer } == [0, 500_000_000, 1_000_000_000])
    for (number, block) in blocks.enumerated() {
      let offset = try #require(block["offset"]?.integer)
      #expect(Float(bitPattern: UInt32(littleEndian: bytes[offset..<offset + 4])) == Float(number * 100))
    }
  }

  @Test("A byte of a waveform that was changed later is found")
  func changed() async throws {
    let path = try await recorded()
    let file = "\(path)/data/waveforms/electrocardiogram.blocks"
    var bytes = try File.contents(of: file)
    bytes[60] ^= 1
    try Folder.removeFile(file)
    try File.create(file, bytes)
    #expect(!Bundle.verify(path).isEmpty)
  }

  @Test(
    "A trial that died in the middle of a block keeps the blocks before it",
    arguments: [0, 1, 47, 48, 60, 127, 128, 383])
  func recovered(cut: Int) throws {
    let story = TrialStory.good()
    let records = story.records
    let head = JournalRecord(sequence: records.count - 1, time: .milliseconds(1), event: .waveformOpened(Self.head))
    try story.leave(in: results, journal: records.dropLast().flatMap { $0.line() } + head.line())
    let folder = "\(results.openFolder)/\(TrialStory.trial)/waveforms"
    try Folder.ensure(folder, isPrivate: true)
    let bytes = (0..<3).flatMap { Self.block($0).encoded(number: $0) }
    try File.create("\(folder)/electrocardiogram.blocks", Array(bytes.prefix(cut)))
    _ = try results.recover()
    let path = results.bundlePath(of: trial)
    #expect(Bundle.verify(path) == [])
    let sidecar = try JSONReader.read(File.contents(of: "\(path)/data/waveforms/electrocardiogram.json")).value
    #expect(sidecar["blocks"]?.array?.count == cut / (bytes.count / 3))
    #expect(try File.contents(of: "\(path)/data/waveforms/electrocardiogram.blocks").count == cut / 128 * 128)
  }

  @Test("Blocks whose head is missing from the journal are kept")
  func headless() throws {
    let story = TrialStory.good()
    try story.leave(in: results, journal: story.records.flatMap { $0.line() })
    let folder = "\(results.openFolder)/\(TrialStory.trial)/waveforms"
    try Folder.ensure(folder, isPrivate: true)
    try File.create("\(folder)/ecg.blocks", Self.block(0).encoded(number: 0))
    _ = try results.recover()
    let path = results.bundlePath(of: trial)
    #expect(Bundle.verify(path) == [])
    let sidecar = try JSONReader.read(File.contents(of: "\(path)/data/waveforms/ecg.json")).value
    #expect(sidecar["rate_Hz"] == .null && sidecar["frames"]?.integer == 10)
  }

  @Test(
    "A head that no reader could use is refused",
    arguments: [
      ("a/b", 250.0, ["I"]), ("", 250, ["I"]), (".hidden", 250, ["I"]), ("ecg", 0, ["I"]), ("ecg", 250, []),
      ("ecg", .infinity, ["I"]), ("é", 250, ["I"]),
    ])
  func head(file: String, rate: Double, channels: [String]) {
    let head = WaveformHead(
      file: file, sensor: "s", quantityType: "electrocardiogram", unit: "mV", rate: rate, channels: channels)
    #expect(head.jsonProblem != nil)
  }
}
