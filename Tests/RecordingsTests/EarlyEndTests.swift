import Basics
import Recordings
import TestSupport
import Testing

@testable import Recordings
@testable import Sensors

@Suite("Files of devices as programs write them, and files that end early")
struct EarlyEndTests {
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

  private func endsEarly(_ recording: HeartRecording) -> Bool { recording.caveats.contains(where: \.isOfEarlyEnd) }

  @Test("A file that ends early is measured to its end, and said to be cut", arguments: DeviceFiles.written)
  func cut(format: String) throws {
    let bytes = try DeviceFiles.bytes(format)
    let whole = try read(bytes)
    #expect(!endsEarly(whole))
    for part in [0.5, 0.8, 0.97] {
      let recording = try read(Array(bytes.prefix(Int(Double(bytes.count) * part))))
      let count = recording.rates.values.count
      #expect(endsEarly(recording) && count > 20 && count <= whole.rates.values.count, "\(part): \(count)")
      #expect(Array(whole.rates.values.prefix(count)) == recording.rates.values)
      #expect(throws: Never.self) { try ReplaySensor(path(Array(bytes.prefix(Int(Double(bytes.count) * part))))) }
    }
    // Without a sample there is nothing to measure.
    #expect(throws: RecordingError.self) { try read(Array(bytes.prefix(60))) }
  }

  @Test(
    "A Polar HRM file that has fewer samples than its length says is said to be cut",
    arguments: [
      (1, "00:01:00.0", true), (5, "00:10:00.0", true), (238, "00:01:00.0", true), (1, "00:00:20.0", false),
      (1, "00:00:21.0", false), (5, "00:01:44.0", false), (238, "00:00:17.5", false), (1, "unknown", false),
      (1, "00:00:00.0", false),
    ])
  func length(interval: Int, length: String, isCut: Bool) throws {
    let rows = (0..<20).map { "\(interval == 238 ? 800 + $0 : 60 + $0)" }
    let recording = try read(Array(DeviceFiles.polarHRM(interval: interval, rows, length: length).utf8))
    #expect(endsEarly(recording) == isCut)
    #expect((recording.beats?.count ?? recording.rates.values.count) == 20)
  }

  // MARK: XML as programs write it

  private static let tcx =
    "<TrainingCenterDatabase xmlns=\"http://www.garmin.com/xmlschemas/TrainingCenterDatabase/v2\"><Activities><Activity>"
    + "<Lap><Track><Trackpoint><Time>2026-11-20T10:00:00Z</Time><HeartRateBpm><Value>70</Value></HeartRateBpm>"
    + "</Trackpoint><Trackpoint><Time>2026-11-20T10:00:01Z</Time><HeartRateBpm><Value>71</Value></HeartRateBpm>"
    + "</Trackpoint></Track></Lap></Activity></Activities></TrainingCenterDatabase>"

  private static let gpx =
    "<gpx creator=\"a\"><trk><trkseg><trkpt><time>2026-11-20T10:00:00Z</time><extensions><hr>70</hr></extensions>"
    + "</trkpt><trkpt><time>2026-11-20T10:00:01Z</time><extensions><hr>71</hr></extensions></trkpt></trkseg></trk></gpx>"

  private static let declaration = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"

  @Test(
    "Blanks and a byte order mark before the declaration, prefixes and other elements are read",
    arguments: [
      "          " + declaration + tcx, "\n\n\t" + declaration + tcx, "\u{FEFF}" + declaration + tcx,
      "\u{FEFF}  \n" + declaration + gpx, "  " + declaration + gpx, tcx, gpx,
      declaration + tcx.replacing("<Value>", with: "").replacing("</Value>", with: ""),
      declaration
        + tcx.replacing("<HeartRateBpm>", with: "<HeartRateBpm>\n ").replacing("</Value>", with: "</Value>\n"),
      declaration + gpx.replacing("hr>", with: "bpm>"),
      tcx.replacing("</", with: "\u{1}").replacing("<", with: "<ns5:").replacing("\u{1}", with: "</ns5:")
        .replacing("xmlns=", with: "xmlns:ns5="),
      gpx.replacing("</", with: "\u{1}").replacing("<", with: "<g:").replacing("\u{1}", with: "</g:")
        .replacing("<g:gpx ", with: "<g:gpx xmlns:g=\"http://www.topografix.com/GPX/1/1\" "),
    ])
  func markup(text: String) throws {
    #expect(try read(Array(text.utf8)).rates.values == [70, 71])
  }

  @Test("The lines of messages count the blank ones before the declaration")
  func lines() throws {
    let text = "\n\n  " + Self.declaration + Self.gpx.replacing("<trkseg>", with: "\n<trkseg>&bad;")
    let error = try #require(throws: RecordingError.self) { try read(Array(text.utf8)) }
    #expect("\(error)".contains("line 5"), "\(error)")
  }

  // MARK: Texts of two columns

  @Test(
    "A text of times and intervals that agree is read",
    arguments: [" ", "\t", ",", ";", "   "], [true, false])
  func pairs(separator: String, areEnds: Bool) throws {
    let intervals = (0..<20).map { 0.8 + Double($0 * 37 % 17) / 100 }
    var time = 0.0
    let text = intervals.map { interval -> String in
      defer { time += interval }
      return "\(areEnds ? time + interval : time)\(separator)\(interval)\n"
    }
    for isInMilliseconds in [false, true] {
      let lines =
        isInMilliseconds
        ? text.enumerated().map { "\($1.split(separator: separator)[0])\(separator)\(intervals[$0] * 1000)\n" } : text
      let beats = try #require(try read(Array(lines.joined().utf8)).beats)
      #expect(zip(beats.intervals, intervals).allSatisfy { ($0 / 1000 - $1).magnitude < 1e-9 } && beats.count == 20)
      #expect(beats.breaks == [] && (beats.end - time).magnitude < 1e-6)
    }
  }

  @Test(
    "A text of two columns that do not agree is refused",
    arguments: ["0 800\n1 70\n2 90\n3 65\n", "1.5 0.8\n9 0.8\n20 0.9\n"])
  func strangers(text: String) throws {
    #expect(throws: RecordingError.self) { try read(Array(text.utf8)) }
  }
}
