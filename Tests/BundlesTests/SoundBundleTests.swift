import Basics
import Foundation
import Quantities
import TestSupport
import Testing

@testable import Bundles

@Suite("The room's sound in bundles")
struct SoundBundleTests {
  private static let rate = 8000
  private static let head = WaveformHead(
    file: "room", sensor: "microphone", quantityType: "roomSound", unit: "count", rate: Double(rate),
    channels: ["1", "2"])

  private let scratch: ScratchFolder
  private let results: ResultsFolder
  private let trial: TrialIdentifier

  init() throws {
    scratch = try ScratchFolder()
    results = ResultsFolder(scratch["results"], requiredBytes: 0)
    trial = try #require(TrialIdentifier(TrialStory.trial))
  }

  /// Blocks of a tenth of a second; frames are missing before some of them.
  private static func blocks(_ count: Int, lost: [Int: Int] = [:], drift: Double = 0) -> [WaveformBlock] {
    var random = SplitMix64(seed: 3)
    var frame = 0
    return (0..<count).map { number in
      frame += lost[number] ?? 0
      defer { frame += 800 }
      let time = Duration.seconds(0.25 + Double(frame) / Double(rate) * (1 + drift))
      return WaveformBlock(
        time: time, arrived: time + .milliseconds(110), channels: 2,
        values: (0..<1600).map { _ in Float(random.uniform() - 0.5) })
    }
  }

  /// Leaves an open trial with these blocks, of whose file the end is missing, and recovers it; the bundle's path.
  private func recovered(_ blocks: [WaveformBlock], cut: Int = 0) throws -> String {
    let story = TrialStory.good()
    let records = story.records
    let head = JournalRecord(sequence: records.count - 1, time: .milliseconds(1), event: .waveformOpened(Self.head))
    try story.leave(in: results, journal: records.dropLast().flatMap { $0.line() } + head.line())
    let folder = "\(results.openFolder)/\(TrialStory.trial)/waveforms"
    try Folder.ensure(folder, isPrivate: true)
    let bytes = blocks.enumerated().flatMap { $1.encoded(number: $0) }
    try File.create("\(folder)/room.blocks", Array(bytes.dropLast(cut)))
    _ = try results.recover()
    return results.bundlePath(of: trial)
  }

  private func sidecar(_ bundle: String) throws -> JSONValue {
    try JSONReader.read(File.contents(of: "\(bundle)/data/waveforms/room.json")).value
  }

  /// The samples of the file by ffmpeg, in 24 bits.
  private func decoded(_ bundle: String) throws -> [Int] {
    let target = scratch["room.raw"]
    let run = try Program.run(
      "ffmpeg", ["-y", "-v", "error", "-i", "\(bundle)/data/waveforms/room.flac", "-f", "s32le", target])
    #expect(run.status == 0 && run.error.isEmpty, "\(run.error)")
    let bytes = try File.contents(of: target)
    return stride(from: 0, to: bytes.count, by: 4).map { Int(Int32(littleEndian: bytes[$0..<$0 + 4])) >> 8 }
  }

  @Test("Every sample of a trial that was killed is in a FLAC file, on 24 bits, lost frames are silence there")
  func kept() throws {
    let blocks = Self.blocks(5, lost: [2: 160, 4: 8000])
    let bundle = try recovered(blocks)
    #expect(Bundle.verify(bundle) == [])
    let silence = [0, 0, 160, 0, 8000]
    let expected = zip(blocks, silence).flatMap { block, silence in
      [Int](repeating: 0, count: 2 * silence) + block.values.map { Int(($0 * 8_388_608).rounded()) }
    }
    #expect(try decoded(bundle) == expected)
    let document = try sidecar(bundle)
    #expect(document["blocks"]?.array?.compactMap { $0["frame"]?.integer } == [0, 800, 1760, 2560, 11_360])
    let sound = try #require(document["sound"])
    #expect(sound["framesLost"] == 8160 && sound["gapCount"] == 2 && sound["frames"] == 12_160)
    #expect(sound["firstFrame"]?["t_ns"] == 250_000_000 && sound["measuredRate_Hz"] == .null)
    #expect(!Folder.exists("\(bundle)/data/waveforms/room.blocks"))
    // The level of even noise of ±0.5 is 20 log10(0.5/√3).
    #expect(abs((sound["level_dBFS"]?.number ?? 0) + 10.79) < 0.2)
  }

  @Test("A block that was torn is missing, and those before it are kept", arguments: [1, 100, 6400, 6448])
  func torn(cut: Int) throws {
    let bundle = try recovered(Self.blocks(4), cut: cut)
    #expect(Bundle.verify(bundle) == [])
    #expect(try decoded(bundle).count == 3 * 1600)
  }

  @Test("The rate is measured by the trial's clock", arguments: [0, 1e-4, -3e-4])
  func drift(drift: Double) throws {
    let bundle = try recovered(Self.blocks(200, drift: drift))
    let sound = try #require(try sidecar(bundle)["sound"])
    let measured = try #require(sound["measuredRate_Hz"]?.number)
    #expect(abs(measured - Double(Self.rate) / (1 + drift)) < 0.01)
    #expect(abs((sound["firstFrame"]?["t_ns"]?.integer ?? 0) - 250_000_000) < 1000)
    #expect(sound["framesLost"] == 0)
    #expect(Bundle.verify(bundle) == [])
  }

  @Test("A file or a sidecar that was changed later is found", arguments: ["room.flac", "room.json"])
  func changed(name: String) throws {
    let bundle = try recovered(Self.blocks(4))
    let file = "\(bundle)/data/waveforms/\(name)"
    var bytes = try File.contents(of: file)
    let place = try #require(bytes.indices.last { name == "room.json" ? bytes[$0] == UInt8(ascii: "8") : $0 < 3000 })
    bytes[place] ^= 1
    try Folder.removeFile(file)
    try File.create(file, bytes)
    #expect(!Bundle.verify(bundle).isEmpty)
  }

  @Test("Samples that are clipped or no numbers are counted and kept within bounds")
  func clipped() throws {
    var blocks = Self.blocks(2)
    blocks[1].values[0] = 1.5
    blocks[1].values[1] = -2
    blocks[1].values[2] = .nan
    let bundle = try recovered(blocks)
    #expect(Bundle.verify(bundle) == [])
    let samples = try decoded(bundle)
    #expect(samples[1600..<1603].map(\.self) == [8_388_607, -8_388_608, 0])
    #expect(try sidecar(bundle)["sound"]?["samplesClipped"] == 2)
  }
}
