import Analysis
import Basics
import Quantities
import TestSupport
import Testing

@testable import Recordings
@testable import Sensors

@Suite("Files of watches, chest straps and their programs")
struct DeviceFileTests {
  let scratch: ScratchFolder

  init() throws { scratch = try ScratchFolder() }

  private func path(_ bytes: [UInt8]) throws -> String {
    let path = scratch["file-\(UInt32.random(in: 0 ... .max))"]
    try File.create(path, bytes)
    return path
  }

  private func read(_ bytes: [UInt8]) throws -> HeartRecording {
    try #require(try HeartRecording.read(path: path(bytes)).first)
  }

  private func refusal(_ bytes: [UInt8]) throws -> String {
    let path = try path(bytes)
    return "\(try #require(throws: RecordingError.self) { try HeartRecording.read(path: path) })"
  }

  // MARK: Other implementations

  @Test("The same heart rates and intervals as other implementations read", arguments: DeviceFiles.written)
  func peers(format: String) throws {
    let recording = try read(DeviceFiles.bytes(format))
    let peers = try DeviceFiles.readings(format)
    #expect(peers.count == (format == "fit" ? 2 : 1))
    for (name, peer) in peers {
      let rates = (peer["rates"]?.array ?? []).compactMap(\.array)
      let first = try #require(rates.first?.first?.number)
      #expect(rates.count >= 100, "\(name)")
      #expect(recording.rates.times == rates.compactMap { $0.first?.number.map { $0 - first } }, "\(name)")
      #expect(recording.rates.values == rates.compactMap { $0.last?.number }, "\(name)")
      #expect(recording.beats?.intervals ?? [] == (peer["intervals"]?.array ?? []).compactMap(\.number), "\(name)")
    }
    #expect(recording.sensor == (format == "gpx" ? "Test Program" : "Test Watch"))
  }

  @Test("Heart rates that a track has twice count once, in any order", arguments: ["tcx", "gpx"])
  func copies(format: String) throws {
    let points = [(0, 60), (1, 60), (1, 120), (2, 60), (3, 60)]
    func file(_ points: [(second: Int, rate: Int)]) -> [UInt8] {
      let isGPX = format == "gpx"
      let text = points.map { point -> String in
        let time = "2026-11-20T10:00:0\(point.second)Z"
        return isGPX
          ? "<trkpt lat=\"0\" lon=\"0\"><time>\(time)</time><extensions><hr>\(point.rate)</hr></extensions></trkpt>"
          : "<Trackpoint><Time>\(time)</Time><HeartRateBpm><Value>\(point.rate)</Value></HeartRateBpm></Trackpoint>"
      }
      let (start, end) =
        isGPX
        ? ("<gpx><trk><trkseg>", "</trkseg></trk></gpx>")
        : ("<TrainingCenterDatabase><Track>", "</Track></TrainingCenterDatabase>")
      return Array((start + text.joined() + end).utf8)
    }
    for copied in [points, points + points, points.flatMap { [$0, $0] }, points + points.reversed()] {
      let recording = try read(file(copied))
      #expect(recording.rates.values == [60, 60, 120, 60, 60])
      let repeated = copied.count - points.count
      #expect(
        recording.caveats.contains(.repeated(count: repeated, entry: .rate)) == (repeated > 0), "\(recording.caveats)")
      #expect(recording.caveats.contains(.differentRates(times: 1, rates: 2)))
    }
  }

  @Test("Intervals of a FIT file lie within a second of their beats, without gaps where no beat is missing")
  func placement() throws {
    let beats = try #require(try read(DeviceFiles.bytes("fit")).beats)
    #expect(beats.count > 140 && beats.breaks == [])
    // The activity begins with the first beat.
    #expect(beats.start >= 0 && beats.start <= 1.5, "\(beats.start)")
  }

  @Test("An analysis and a replay have the same beats", arguments: DeviceFiles.written + ["hrm"])
  func replay(format: String) async throws {
    let rows = (0..<100).map { "\(800 + $0 * 37 % 90)" }
    let bytes =
      try format == "hrm"
      ? Array(DeviceFiles.polarHRM(interval: 238, rows).utf8) : DeviceFiles.bytes(format)
    let path = try path(bytes)
    let recording = try #require(try HeartRecording.read(path: path).first)
    var (rates, intervals): ([Double], [Double]) = ([], [])
    let clock = HandClock()
    let events = try ReplaySensor(path).events(on: clock)
    clock.advance(by: .seconds(10_000))
    for await event in events {
      guard case .readings(let readings) = event else { continue }
      for reading in readings {
        rates += reading.heartRate.map { [$0] } ?? []
        intervals += reading.rrIntervals
      }
    }
    #expect(rates == recording.rates.values && intervals == recording.beats?.intervals ?? [])
    #expect(rates.count + intervals.count >= 100)
  }

  // MARK: Polar

  @Test("A Polar HRM file has heart rates at its interval, or intervals between beats", arguments: [1, 5, 238])
  func polarHRM(interval: Int) throws {
    let rows = interval == 238 ? ["812", "805", "0", "798"] : ["70\t0\t12", "0\t0\t0", "72\t3\t12"]
    let recording = try read(Array(DeviceFiles.polarHRM(interval: interval, rows).utf8))
    if interval == 238 {
      let beats = try #require(recording.beats)
      #expect(beats.intervals == [812, 805, 798] && beats.breaks == [2] && recording.rates.values == [])
    } else {
      #expect(recording.rates.times == [0, Double(2 * interval)] && recording.rates.values == [70, 72])
      #expect(recording.caveats.contains(.notAboveZero(count: 1, entry: .rate)))
    }
  }

  @Test("A session of Polar Flow has a heart rate a second, without the seconds that have none")
  func polarFlow() throws {
    let recording = try read(Array(DeviceFiles.polarFlow(["70", "", "72", "73"]).utf8))
    #expect(recording.rates.times == [0, 2, 3] && recording.rates.values == [70, 72, 73])
  }

  @Test(
    "Polar Sensor Logger's files are tables",
    arguments: [
      ("Phone timestamp;RR-interval [ms]\n2026-11-20T10:00:00.800;800\n2026-11-20T10:00:01.610;810\n", 2, 0),
      (
        "Phone timestamp;HR [bpm];HRV [ms];Breathing interval [rpm];\n2026-11-20T10:00:00.752;64;42.5;;\n"
          + "2026-11-20T10:00:01.752;65;;;\n", 0, 2
      ),
      // Intervals between pulses, of optical sensors: some send no heart rate with them, and know of no contact.
      (
        "Phone timestamp;PP-interval [ms];error estimate [ms];blocker;contact;contact;hr [bpm];\n"
          + "2026-11-20T10:00:00.800;800;5;0;1;1;75;\n2026-11-20T10:00:01.610;810;5;0;0;0;0;\n", 2, 1
      ),
      (
        "Phone Data RX timestamp;PP-interval [ms];error estimate [ms];blocker;contact;contact;hr [bpm]\n"
          + "2026-11-20T10:00:00.800;800;5;0;0;0;75\n2026-11-20T10:00:01.610;810;5;0;0;0;74\n", 2, 2
      ),
    ])
  func sensorLogger(text: String, beats: Int, rates: Int) throws {
    let recording = try read(Array(text.utf8))
    #expect(recording.beats?.count ?? 0 == beats && recording.rates.values.count == rates)
  }

  @Test("A file with more samples than fit into memory is refused", arguments: ["hrm", "tcx"])
  func tooMany(form: String) throws {
    let count = DeviceFileReader.maxCount + 1
    let point =
      "<Trackpoint><Time>2026-11-20T10:00:00Z</Time><HeartRateBpm><Value>60</Value></HeartRateBpm></Trackpoint>"
    let text =
      form == "hrm"
      ? DeviceFiles.polarHRM(interval: 1, Array(repeating: "70", count: count))
      : "<TrainingCenterDatabase>\(String(repeating: point, count: count))</TrainingCenterDatabase>"
    let reason = try refusal(Array(text.utf8))
    #expect(reason.contains("more than 1000000"), "\(reason)")
  }

  // MARK: Times of day

  @Test(
    "Times of day are read, past midnight too",
    arguments: [
      (["10:00:00", "10:00:01", "10:00:03"], [0.0, 1, 3]), (["23:59:59.500", "00:00:00.250"], [0, 0.75]),
      (["9:59:59,25", "10:00:00,50"], [0, 1.25]), (["00:00:00", "00:00:01", "01:00:00"], [0, 1, 3600]),
    ])
  func clock(times: [String], expected: [Double]) async throws {
    let path = try path(Array(("time;hr\n" + times.map { "\($0);60\n" }.joined()).utf8))
    #expect(try HeartRecording.read(path: path).first?.rates.times == expected)
    let clock = HandClock()
    let start = clock.now
    var replayed: [Double] = []
    let events = try ReplaySensor(path).events(on: clock)
    clock.advance(by: .seconds(10_000))
    for await event in events {
      guard case .readings(let readings) = event else { continue }
      replayed += readings.map { start.duration(to: $0.happened).seconds }
    }
    #expect(replayed == expected)
  }

  @Test("Times of two forms are refused, with both lines")
  func mixed() throws {
    let reason = try refusal(Array("time,hr\n10:00:00,60\n2026-11-20T10:00:01Z,61\n".utf8))
    #expect(reason.contains("line 3: its time is a date, and that of line 2 a time of day"), "\(reason)")
  }

  // MARK: What is not read

  @Test(
    "What is not a recording of a heart is refused with a reason",
    arguments: [
      (
        "<gpx><trk><trkseg><trkpt lat=\"1\" lon=\"2\"><time>2026-11-20T10:00:00Z</time></trkpt></trkseg></trk></gpx>",
        "GPX track without heart rates (1 point)"
      ),
      ("<TrainingCenterDatabase><Activities/></TrainingCenterDatabase>", "TCX file without heart rates"),
      ("<gpx><trk>", "the file ends in the middle"), ("<x:gpx xmlns:x=\"y\"></x:gpx>", "GPX track without heart rates"),
      ("<!DOCTYPE gpx [<!ENTITY a \"aaaa\">]>\n<gpx>&a;</gpx>", "defines an entity"),
      (DeviceFiles.polarHRM(interval: 204, ["70"]), "intermediate times only"),
      (DeviceFiles.polarHRM(interval: 0, ["70"]), "the recording interval 0 is none of Polar's"),
      (DeviceFiles.polarHRM(interval: 238, (0..<20).map { "\(60 + $0)" }), "which no heart has"),
      ("[Params]\nVersion=106\n[HRData]\n70\n", "no line “Interval”"), ("[Params]\nInterval=1\n", "ends before"),
      ("Name,Sport,Date,Start time\nA,RUNNING,20-11-2026,10:00:00\n", "list of sessions"),
      (
        "<gpx><trkpt><time>noon</time><hr>60</hr></trkpt><trkpt><hr>61</hr></trkpt></gpx>",
        "“noon” is not a time such as"
      ),
    ])
  func refused(text: String, word: String) throws {
    let reason = try refusal(Array(text.utf8))
    #expect(reason.contains(word), "\(reason)")
  }

  @Test("A damaged FIT file is refused", arguments: ["bit", "header", "version", "empty"])
  func damagedFIT(kind: String) throws {
    var bytes = try DeviceFiles.bytes("fit")
    let word: String
    switch kind {
    case "bit":
      bytes[bytes.count / 2] ^= 4
      word = "the checksum is wrong"
    case "header":
      bytes = DeviceFiles.mended([14] + bytes[1..<12] + [0, 0] + bytes[12...])
      bytes[2] ^= 1
      word = "the checksum of the header is wrong"
    case "version":
      bytes[1] = 0x30
      word = "version 3 of the FIT protocol"
    default:
      bytes = DeviceFiles.mended(Array(bytes.prefix(12)) + [0x40, 0, 0, 20, 0, 0, 0, 0])
      word = "FIT file without heart rates"
    }
    let reason = try refusal(bytes)
    #expect(reason.contains(word), "\(reason)")
  }

  @Test("Messages that are not read are counted in the refusal of a FIT file without heart rates")
  func heartRateEvents() throws {
    // Two messages “hr”, of one byte each.
    let head: [UInt8] = [14, 0x10, 0, 0, 0, 0, 0, 0] + Array(".FIT".utf8) + [0, 0]
    let bytes = DeviceFiles.mended(head + [0x40, 0, 0, 132, 0, 1, 6, 1, 2, 0, 60, 0, 61] + [0, 0])
    let reason = try refusal(bytes)
    #expect(reason.contains("2 messages “hr” are not read"), "\(reason)")
  }

  @Test("The checksum of FIT is CRC-16/ARC")
  func checksum() { #expect(DeviceFiles.checksum("123456789".utf8) == 0xBB3D) }

  @Test("Fields of developers, big-endian messages and compressed times are read over or read")
  func forms() throws {
    // record: time (four bytes), heart rate (one byte), one field of developers of two bytes; big-endian.
    let definition: [UInt8] = [0x60, 0, 1, 0, 20, 2, 253, 4, 0x86, 3, 1, 2, 1, 0, 2, 0]
    // A record of a heart rate only, whose time is in its header.
    let short: [UInt8] = [0x41, 0, 0, 20, 0, 1, 3, 1, 2]
    let time: UInt32 = 1_100_000_010
    let record = [0] + (0..<4).map { UInt8(truncatingIfNeeded: time >> (24 - 8 * $0)) } + [60, 9, 9]
    // A second and 31 s later, which both are within the range of five bits.
    let later = [1, 31].flatMap { [0xA0 | UInt8((time + UInt32($0)) & 31), UInt8(60 + $0)] }
    let head: [UInt8] = [14, 0x10, 0, 0, 0, 0, 0, 0] + Array(".FIT".utf8) + [0, 0]
    let part = DeviceFiles.mended(head + definition + record + short + later + [0, 0])
    let recording = try read(part)
    #expect(recording.rates.times == [0, 1, 31] && recording.rates.values == [60, 61, 91])
    // Parts may follow one another.
    #expect(try read(part + part).rates.values == [60, 61, 91])
  }

  // MARK: Places

  @Test("Nothing of places, names, notes and serial numbers is read", arguments: DeviceFiles.written + ["hrm", "flow"])
  func places(format: String) throws {
    let rates = (0..<60).map { "\(60 + $0 % 9)" }
    let bytes =
      switch format {
      case "hrm": Array(DeviceFiles.polarHRM(interval: 1, rates).utf8)
      case "flow": Array(DeviceFiles.polarFlow(rates).utf8)
      default: try DeviceFiles.bytes(format)
      }
    let recording = try read(bytes)
    var text = ""
    dump(recording, to: &text)
    // The file's name is random.
    text = text.replacing(recording.path, with: "")
    #expect(recording.rates.values.count >= 60)
    // 52.3 degrees are 623975773 of FIT's units. The times of beats in a FIT file may have such digits by chance.
    let places = format == "fit" ? ["62397"] : ["52.3", "4.9", "170"]
    for word in places + ["Home", "Anna", "305419896"] { #expect(!text.contains(word), "“\(word)”") }
  }
}
