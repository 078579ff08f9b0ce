import Analysis
import Basics
import Glibc
import Recordings
import TestSupport
import Testing

@testable import Recordings

@Suite("Files that people bring")
struct BroughtFilesTests {
  let scratch: ScratchFolder

  init() throws { scratch = try ScratchFolder() }

  private func read(_ text: String, _ options: ReadingOptions = ReadingOptions()) throws -> Recording {
    let path = scratch["file-\(UInt32.random(in: 0 ... .max)).csv"]
    try File.create(path, Array(text.utf8))
    return try #require(try Recording.read(path: path, options).first)
  }

  private func refusal(_ bytes: [UInt8], _ options: ReadingOptions = ReadingOptions()) throws -> String {
    let path = scratch["file-\(UInt32.random(in: 0 ... .max))"]
    try File.create(path, bytes)
    return "\(try #require(throws: RecordingError.self) { try Recording.read(path: path, options) })"
  }

  private func rate(_ recording: Recording, _ measure: Measure) -> Double? {
    AnalysedRecording(recording).measured(in: .whole, [measure]).measurements.first?.value
  }

  // MARK: Several heart rates at one time

  @Test(
    "All heart rates of one second count, in any order of the rows, and are told",
    arguments: [
      "0,60\n1,60\n1,120\n2,60\n3,60\n3,120\n", "0,60\n1,120\n1,60\n2,60\n3,120\n3,60\n",
      "3,60\n1,60\n2,60\n1,120\n3,120\n0,60\n",
    ])
  func shared(rows: String) throws {
    let recording = try read("time,hr\n" + rows)
    #expect(rate(recording, .minimumHeartRate) == 60 && rate(recording, .maximumHeartRate) == 120)
    #expect(rate(recording, .meanHeartRate) == 80 && rate(recording, .timeWeightedHeartRate) == 75)
    #expect(recording.rates.shared == (times: 2, rates: 4))
    #expect(recording.caveats.contains(.differentRates(times: 2, rates: 4)))
  }

  @Test(
    "Rows with the same time and value count once, in any order and whatever else that time has",
    arguments: [
      ["0,60", "1,60", "1,60", "1,90"], ["0,60", "1,60", "1,90", "1,60", "1,90"],
      ["0,60", "1,60", "1,90", "0,60", "1,60", "1,90"], ["1,90", "1,60", "0,60", "1,90", "1,60"],
    ])
  func equalRows(rows: [String]) throws {
    let several = try read("time,hr\n" + rows.map { $0 + "\n" }.joined())
    #expect(several.rates.values == [60, 60, 90])
    #expect(rate(several, .timeWeightedHeartRate) == 67.5)
    #expect(several.caveats.contains(.repeated(count: rows.count - 3, entry: .row)))
    #expect(several.caveats.contains(.differentRates(times: 1, rates: 2)))
  }

  @Test("A table that has every row twice has the same mean as one that has it once")
  func wholeCopies() throws {
    let rows = "0,60\n1,60\n1,120\n2,60\n3,60\n"
    let (once, twice) = (try read("time,hr\n" + rows), try read("time,hr\n" + rows + rows))
    #expect(rate(once, .meanHeartRate) == 72 && rate(twice, .meanHeartRate) == 72)
  }

  @Test(
    "Items of a heart file with one time share it too", arguments: [[60, 60, 120, 60, 60], [60, 120, 60, 60, 60]])
  func sharedItems(rates: [Int]) throws {
    let items = zip([0, 1, 1, 1, 2], rates).map { second, rate in
      #"{"type":"heartRate","unit":"count/min","value":\#(rate),"endDate":"2026-11-20T10:00:0\#(second)Z"}"#
    }
    let recording = try read("{\"items\":[" + items.joined(separator: ",") + "]}")
    #expect(rate(recording, .maximumHeartRate) == 120 && rate(recording, .timeWeightedHeartRate) == 70)
    #expect(recording.caveats.contains(.differentRates(times: 1, rates: 2)))
  }

  // MARK: Columns

  @Test(
    "Columns of times are known by the names that exports give them, with their units",
    arguments: [
      ("Phone timestamp", 1.0), ("Zeit", 1), ("sec", 1), ("elapsed", 1), ("Elapsed time", 1), ("onset", 1),
      ("LocalTime", 1), ("unix_time", 1), ("epoch", 1), ("sensor timestamp [ns]", 1e9), ("RRI_Time", 1),
      ("sample_time", 1),
      ("Time since start (s)", 1), ("elapsed_ms", 1000), ("time [\u{B5}s]", 1e6), ("timestamp_us", 1e6),
    ])
  func timeNames(name: String, perSecond: Double) throws {
    let seconds = [1.0, 2, 3, 4, 5, 65, 66, 67, 68, 69]
    let rows = seconds.map { "\($0 * perSecond),1000\n" }.joined()
    let recording = try read("\(name),RR-interval [ms]\n" + rows)
    #expect(recording.unreadColumns == [])
    let beats = try #require(recording.beats)
    #expect(beats.breaks == [5] && (beats.duration - 69).magnitude < 1e-6)
    let coverage = AnalysedRecording(recording).measured(in: .whole).coverage
    #expect((coverage - 10 / 69).magnitude < 1e-6)
  }

  @Test("Dates of a phone's column are read")
  func phone() throws {
    let rows = ["00", "01", "02", "42"].map { "2026-11-20T10:00:\($0).000;1000\n" }.joined()
    let recording = try read("Phone timestamp;RR-interval [ms]\n" + rows)
    #expect(recording.beats?.ends == [1, 2, 3, 43] && recording.beats?.breaks == [3])
  }

  @Test("Every column that is not read is named; one that rises like times is told to be one")
  func unread() throws {
    let rows = (0..<12).map { "\(1.5 + Double($0) * 0.8),\($0),800,x\n" }.joined()
    let recording = try read("moment,row,rr_ms,note\n" + rows)
    #expect(recording.unreadColumns == ["moment", "row", "note"])
    let text = recording.caveats.map(\.description).joined(separator: "\n")
    #expect(text.contains("3 columns not read: “moment”, “row”, “note”."), "\(text)")
    #expect(text.contains("The column “moment” rises from row to row") && !text.contains("“row” rises"), "\(text)")
    #expect(try read("time,hr\n0,60\n1,61\n").unreadColumns == [])
    // A start beside an end, and a time beside beats, are columns that are not read either.
    let both = try read("startDate,endDate,hr,\n2026-11-20T10:00:00Z,2026-11-20T10:00:01Z,61,\n")
    #expect(both.unreadColumns == ["startDate", "column 4"])
    #expect(try read("time,beat_s\n0,1\n0,2\n0,3\n").unreadColumns == ["time"])
  }

  @Test("Intervals for which their times have no room are reported")
  func contradiction() throws {
    let rows = (1...100).map { "\(Double($0) * 0.4),800\n" }.joined()
    let caveats = try read("time,rr_ms\n" + rows).caveats.map(\.description)
    #expect(
      caveats.contains { $0.contains("they add up to 80.0 s, and their times span 40.4 s") }, "\(caveats)")
    let fitting = (1...100).map { "\(Int((Double($0) * 0.8).rounded())),800\n" }.joined()
    #expect(try !read("time,rr_ms\n" + fitting).caveats.map(\.description).contains { $0.contains("contradict") })
  }

  @Test(
    "Intervals of which each is a gap by the same factor contradict their times; gaps alone do not",
    arguments: [(2.0, true), (1.5, true), (60, true), (1, false)])
  func constantFactor(factor: Double, contradicts: Bool) throws {
    var time = 0.0
    let rows = (0..<200).map { beat in
      let interval = 780 + Double(beat * 37 % 80)
      time += interval / 1000 * factor
      return "\(time),\(interval)\n"
    }
    let caveats = try read("time_s,rr_ms\n" + rows.joined()).caveats.map(\.description)
    let expected = "from beat to beat the times advance by \(factor.fixed(2)) times the interval"
    #expect(caveats.contains { $0.contains(expected) } == contradicts, "\(caveats)")
    #expect(caveats.contains { $0.contains("contradict") } == contradicts, "\(caveats)")
    // Every other beat is missing for a while: gaps, of which nothing is constant.
    var lossy = 0.0
    let lost = (0..<200).map { beat in
      lossy += beat % 3 == 0 ? 0.8 : 0.8 * Double(2 + beat * 7 % 5)
      return "\(lossy),800\n"
    }
    #expect(
      try !read("time_s,rr_ms\n" + lost.joined()).caveats.map(\.description).contains { $0.contains("contradict") })
  }

  @Test(
    "Numbers in messages are rounded",
    arguments: [
      ("time_ms,hr\n" + (0..<20).map { "\(Double($0) * 0.8),60\n" }.joined(), "its times are 0.8 ms apart"),
      ("time,hr\n" + (0..<20).map { "\(Double($0) * 800.1),60\n" }.joined(), "its times are 800.1 apart"),
      ("beat_ms\n" + (1..<20).map { "\(Double($0) * 0.8)\n" }.joined(), "its beats are 0.8 apart"),
    ])
  func rounded(text: String, words: String) throws {
    let reason = try refusal(Array(text.utf8))
    #expect(reason.contains(words), "\(reason)")
  }

  // MARK: Signals

  /// A pulse wave at 100 Hz, as a converter of ten bits gives it, with noise of its own.
  private func pulse(_ sample: Int) -> Int {
    let phase = (Double(sample) / 100).truncatingRemainder(dividingBy: 0.85)
    func bump(_ place: Double, _ width: Double) -> Double {
      let distance = (phase - place) / width
      return max(0, 1 - distance * distance / 4) * max(0, 1 - distance * distance / 4)
    }
    return Int((500 + 300 * bump(0.2, 0.1) + 120 * bump(0.45, 0.12)).rounded()) + (sample * 7919) % 5 - 2
  }

  @Test("The samples of a signal are refused with what they look like", arguments: [false, true])
  func waveform(isTable: Bool) throws {
    let lines = (0..<3000).map { "\(pulse($0))\n" }.joined()
    let reason = try refusal(Array(((isTable ? "rr\n" : "") + lines).utf8))
    #expect(reason.contains("as smoothly as the samples of a signal"), "\(reason)")
    let said = try refusal(
      Array(((isTable ? "rr\n" : "") + lines).utf8), ReadingOptions(intervalUnit: .milliseconds))
    #expect(said.contains("as smoothly as the samples of a signal"), "\(said)")
  }

  @Test("Different numbers below zero are a signal's; one alone marks what is missing")
  func negative() throws {
    let reason = try refusal(Array("800\n-12\n-30\n810\n".utf8))
    #expect(reason.contains("-12 in line 2 and -30 in line 3 are below zero"), "\(reason)")
    #expect(try refusal(Array("time,hr\n0,60\n1,-3\n2,-8\n3,60\n4,61\n5,62\n".utf8)).contains("are below zero"))
    #expect(try read("800\n-1\n-1\n810\n790\n").beats?.count == 3)
  }

  @Test("A file most of whose rows cannot be used is refused, but for a sensor's zeros")
  func mostlyUnusable() throws {
    let rows = (0..<2000).map { $0 % 1000 == 0 ? "800\n" : "0\n" }.joined()
    #expect(try refusal(Array(rows.utf8)).contains("only 2 of its 2000 rows can be used"))
    let zeros = (0..<30).map { "\($0),\($0 < 20 ? 0 : 60)\n" }.joined()
    #expect(try read("time,hr\n" + zeros).rates.values.count == 10)
    let wild = (0..<90).map { "\([600, 90, 5000][$0 % 3] + $0)\n" }.joined()
    #expect(try refusal(Array(wild.utf8)).contains("only 30 are plausible intervals"))
  }

  @Test(
    "Intervals of hearts are none of that: real ones, a heart that works, and slow breathing",
    arguments: ["generated", "nsr2db-003", "nsrdb-brief", "nsrdb-long", "nsrdb-short", "exercise", "breathing"])
  func hearts(name: String) throws {
    let intervals: [Double]
    switch name {
    case "exercise":
      // From 850 ms down to 350 and back within 20 minutes, with the jitter of a millisecond or two.
      intervals = (0..<2400).map { (beat: Int) -> Double in
        let way = 1 - (Double(beat) / 1200 - 1).magnitude
        return 850 - 500 * way + Double(beat * 7919 % 5)
      }
    case "breathing":
      // Six breaths a minute at 100 beats a minute.
      let cosine: [Double] = [
        1, 0.93, 0.75, 0.45, 0.09, -0.27, -0.6, -0.85, -0.98, -0.98, -0.85, -0.6, -0.27, 0.09, 0.45, 0.75, 0.93,
      ]
      intervals = (0..<500).map { (beat: Int) -> Double in 600 + 60 * cosine[beat % 17] + Double(beat * 7919 % 7) }
    default:
      let path = "\(Repository.root)/Tests/AnalysisTests/Series/\(name).txt"
      intervals = try #require(try Recording.read(path: path).first?.beats?.intervals)
    }
    #expect(Waveform.problem(intervals) == nil)
    #expect(name == "breathing" || Waveform.caveat(intervals) == nil)
  }

  // MARK: Times of beats

  @Test("The first of a list of beats is not an artefact")
  func firstBeat() throws {
    let intervals = [812, 805, 798, 803, 815, 824, 819, 808, 799, 804, 816, 822, 817, 806, 800]
    var time = 1000
    let beats =
      [time]
      + intervals.map { interval in
        time += interval
        return time
      }
    let recording = try read("beat_ms\n" + beats.map { "\($0)\n" }.joined())
    let beside = try read("rr_ms\n" + intervals.map { "\($0)\n" }.joined())
    #expect(recording.beats?.count == 15 && recording.beats?.omitted == [])
    let (series, other) = (AnalysedRecording(recording).series, AnalysedRecording(beside).series)
    #expect(series.artefactShare == other.artefactShare && series.artefacts.count == other.artefacts.count)
  }

  @Test("Numbers of samples at which beats lie are told to need their sampling rate")
  func annotations() throws {
    let samples = (1...20).map { "\($0 * 205 + $0 % 3)\n" }.joined()
    #expect(try refusal(Array(samples.utf8)).contains("--sampling-rate HZ"))
    let either = (1...20).map { "\($0 * 305 + $0 % 3)\n" }.joined()
    let reason = try refusal(Array(either.utf8))
    #expect(reason.contains("“beat_ms”") && reason.contains("--sampling-rate HZ"), "\(reason)")
  }

  // MARK: Files of other programs

  @Test(
    "Of other programs' files it is told what they are",
    arguments: [
      ("<a/>", "it is XML"),
      ("<?xml version=\"1.0\"?>\n<!DOCTYPE HealthData [\n", "Apple Health export"),
      (#"{"header":{"schema_id":{}}}"#, "Open mHealth"),
      ("{\"hr\":70,\"rr\":[800]}\n{\"hr\":71}\n", "replay:FILE"), ("{\"steps\":[]}", "A heart file has items"),
    ] + ForeignFiles.texts)
  func foreign(text: String, word: String) throws {
    let reason = try refusal(Array(text.utf8))
    #expect(reason.contains(word), "\(reason)")
  }

  @Test(
    "Of what is not a UTF-8 text it is told what it is",
    arguments: [(Array("PK\u{3}\u{4}".utf8), "unpack it")] + ForeignFiles.binary)
  func binary(bytes: [UInt8], word: String) throws {
    let reason = try refusal(bytes)
    #expect(reason.contains(word), "\(reason)")
  }

  @Test("A link that leads round in a circle is reported as that")
  func loop() throws {
    let path = scratch["loop"]
    let result = unsafe symlink(path, path)
    try #require(result == 0)
    let error = try #require(throws: RecordingError.self) { try Recording.read(path: path) }
    #expect("\(error)".contains("symbolic links"), "\(error)")
    let folder = try #require(throws: FileError.self) { try Folder.ensure("\(path)/results") }
    #expect(folder.reason.contains("symbolic links"), "\(folder)")
  }
}
