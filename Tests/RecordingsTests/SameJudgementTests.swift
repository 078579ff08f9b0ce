import Analysis
import Basics
import Recordings
import TestSupport
import Testing

@testable import Sensors

/// What a replay makes of files that people bring, beside what an analysis makes of them.
@Suite("One judgement of files for replay and analysis")
struct SameJudgementTests {
  let scratch: ScratchFolder

  init() throws { scratch = try ScratchFolder() }

  private func path(_ bytes: [UInt8]) throws -> String {
    let path = scratch["file-\(UInt32.random(in: 0 ... .max)).csv"]
    try File.create(path, bytes)
    return path
  }

  /// A pulse wave at 100 Hz between 450 and 900, with steps as a converter gives them.
  private static let wave: [Int] = (0..<2000).map { sample in
    let phase = Double(sample % 85) / 85
    let rise = phase < 0.2 ? phase / 0.2 : max(0, 1 - (phase - 0.2) / 0.5)
    return 450 + Int((450 * rise * rise * (3 - 2 * rise)).rounded())
  }

  private static func lines(_ numbers: [some Any]) -> String { numbers.map { "\($0)\n" }.joined() }

  private static let beats = (0..<40).map { 1000 + $0 * 800 + $0 * 37 % 90 }

  /// Files that both take.
  private static let good: [(name: String, text: String)] = [
    ("a text of intervals", lines(beats.map { 760 + $0 % 90 })),
    ("a table of rates", "time,hr\n0,77\n1,81\n2,85\n"), ("a header alone", "time,hr\n"),
    ("an index without a name", ",time,hr\n0,0,77\n1,1,81\n2,2,85\n"),
    ("a column that is not read", "time,hr,foo\n0,77,a\n1,81,b\n2,85,c\n"),
    ("times of beats in seconds", "beat_s\n" + lines(beats.map { Double($0) / 1000 })),
    ("times of beats in milliseconds", "beat_ms\n" + lines(beats)),
    ("times of beats beside others", "time,beat_s\n0,1\n0,2\n0,3\n"),
    ("numbers of beats beside times", "time,hr,beat\n0,77,1\n1,81,2\n2,85,3\n"),
    ("numbers of beats beside intervals", "beat,rr_ms\n1,800\n2,810\n3,790\n"),
    ("words in a column of days", "time,hr,tag\n0,77,music\n1,81,rest\n2,85,rest\n"),
    ("numbers of days", "day,time,hr\n1,0,77\n1,1,81\n2,2,85\n"),
    ("a pulse pressure", "time,SBP,DBP,HR,PP\n0,120,78,77,42\n1,121,79,81,42\n2,122,80,85,42\n"),
    ("a share beside heart rates", "time,hr (%),bpm\n0,40,77\n1,42,81\n2,45,85\n"),
    ("values with their types", "endDate,type,value,unit\n2026-11-20T10:00:00Z,heartRate,72,count/min\n"),
    ("values in other units", "endDate,type,value,unit\n2026-11-20T10:00:00Z,heartRate,1.2,count/s\n"),
    ("milliseconds that are named", "time_ms,hr\n0,77\n1000,81\n2000,85\n"),
    ("dates", "time,hr\n2026-11-20T10:00:00Z,77\n2026-11-20T10:00:01Z,81\n"),
    ("zeros of a sensor", "time,hr\n0,0\n1,0\n2,0\n3,0\n4,61\n5,62\n"),
    ("a separator in a first line", "sep=;\ntime;hr\n0;77\n1;81\n"),
    ("a heart file", #"{"items":[{"type":"heartRate","value":72,"unit":"count/min","t_ns":1}]}"#),
  ]

  /// Files that both refuse.
  private static let bad: [(name: String, text: String)] = [
    ("an unknown header", "sample\n77\n81\n85\n79\n"), ("an unknown header of two", "a,b\n77,800\n81,810\n"),
    ("rates twice", "time,hr,bpm\n0,77,78\n1,81,82\n"), ("a title", "My recording\ntime,hr\n0,77\n1,81\n"),
    ("numbers of beats alone", "beat\n1\n2\n3\n4\n"), ("marks of beats", "time,peak\n0,0\n1,1\n2,0\n3,1\n"),
    ("amplitudes of beats", "peak\n0.8\n0.82\n0.79\n0.81\n0.78\n"), ("a percentage", "time,hr (%)\n0,77\n1,81\n"),
    ("days in another spelling", "measured,time,hr\n19-Nov-2026,10:00:00,77\n20-Nov-2026,10:00:01,81\n"),
    ("times in milliseconds without a unit", "time,hr\n0,77\n1000,81\n2000,85\n"),
    ("times of beats without their unit", "beat\n" + lines(beats)),
    ("numbers of samples of an ECG", lines((1...200).map { $0 * 205 + $0 % 3 })),
    ("times of beats in a text", lines((1...200).map { $0 * 305 + $0 % 3 })),
    ("a waveform", lines(wave)), ("a waveform in a table", "rr\n" + lines(wave)),
    ("two numbers below zero", "800\n-12\n-30\n810\n805\n790\n"),
    ("two rates below zero", "time,hr\n0,60\n1,-3\n2,-8\n3,60\n4,61\n5,62\n"),
    ("intervals in seconds", lines([0.81, 0.8, 0.82, 0.79, 0.81])),
    ("mostly other numbers", lines((0..<90).map { [600, 90, 5000][$0 % 3] + $0 })),
    ("a type that is not known", "endDate,type,value,unit\n2026-11-20T10:00:00Z,mood,72,kg\n"),
    ("a value without a unit", "endDate,type,value\n2026-11-20T10:00:00Z,heartRate,72\n"),
    ("nothing", ""), ("a blank line", "\n"), ("a comment", "# later\n"),
    ("an unknown document", "{\"steps\":[]}"),
    ("Apple Health", "<?xml version=\"1.0\"?>\n<!DOCTYPE HealthData [\n"),
    ("Open mHealth", #"{"header":{"schema_id":{}}}"#), ("unknown XML", "<a/>"),
  ]

  @Test("What an analysis reads is replayed", arguments: good.map(\.name))
  func taken(name: String) throws {
    let text = try #require(Self.good.first { $0.name == name }).text
    let path = try path(Array(text.utf8))
    #expect(throws: Never.self) { try Recording.read(path: path) }
    #expect(throws: Never.self) { try ReplaySensor(path) }
  }

  @Test("What an analysis refuses is not replayed", arguments: bad.map(\.name))
  func refused(name: String) throws {
    let text = try #require(Self.bad.first { $0.name == name }).text
    let path = try path(Array(text.utf8))
    #expect(throws: RecordingError.self) { try Recording.read(path: path) }
    #expect(throws: SensorError.self) { try ReplaySensor(path) }
  }

  @Test("Of other programs' files a replay says what they are", arguments: ForeignFiles.texts)
  func foreign(text: String, word: String) throws {
    let path = try path(Array(text.utf8))
    let error = try #require(throws: SensorError.self) { try ReplaySensor(path) }
    #expect(error.reason.contains(word), "\(error)")
  }

  @Test("Of what is not a UTF-8 text a replay says what it is", arguments: ForeignFiles.binary)
  func binary(bytes: [UInt8], word: String) throws {
    let path = try path(bytes)
    let error = try #require(throws: SensorError.self) { try ReplaySensor(path) }
    #expect(error.reason.contains(word), "\(error)")
  }
}
