import Basics
import Recordings
import TestSupport
import Testing

@testable import Recordings

@Suite("Columns of tables that are known by their content")
struct ColumnsByContentTests {
  let scratch: ScratchFolder

  init() throws { scratch = try ScratchFolder() }

  private func read(_ text: String, _ options: ReadingOptions = ReadingOptions()) throws -> HeartRecording {
    let path = scratch["file-\(UInt32.random(in: 0 ... .max)).csv"]
    try File.create(path, Array(text.utf8))
    return try #require(try HeartRecording.read(path: path, options).first)
  }

  private func refusal(_ text: String, _ options: ReadingOptions = ReadingOptions()) throws -> String {
    "\(try #require(throws: RecordingError.self) { try read(text, options) })"
  }

  // MARK: Days and times

  @Test("Times of day beside days in a column of another name are refused", arguments: DatedTables.clocks)
  func strayClocks(clock: (heading: String, times: [String])) throws {
    for (day, rate) in [("date", "hr"), ("Day", "bpm"), ("datum", "puls"), ("time", "hr")] {
      let reason = try refusal(DatedTables.days(clock, day, rate))
      let isRefused = ["name it “time”", "not a unit of times"].contains { reason.contains($0) }
      #expect(isRefused, "\(day): \(reason)")
    }
  }

  @Test("Days in another spelling beside times of day are refused", arguments: DatedTables.spellings)
  func strayDays(days: (first: String, second: String)) throws {
    let reason = try refusal(DatedTables.clocks(beside: days))
    #expect(reason.contains("name it “date”"), "\(reason)")
  }

  @Test("What is not a day beside times of day is a column that is not read", arguments: DatedTables.noDays)
  func noDays(texts: (first: String, second: String)) throws {
    let recording = try read(DatedTables.clocks(beside: texts))
    #expect(recording.unreadColumns == ["measured"] && recording.rates.times == [0, 1, 2, 3])
  }

  @Test(
    "A column called as a day whose fields are no days is not read beside other times",
    arguments: [
      ("time,hr,tag", "0,60,music", "1,61,rest"), ("Tag,time,hr", "music,0,60", "rest,1,61"),
      ("day,time,hr", "1,0,60", "2,1,61"), ("day,time_ms,hr", "Monday,0,60", "Monday,1000,61"),
      ("date,time,hr", ",0,60", ",1,61"), ("tag,time,hr", "music,10:00:00,60", "rest,10:00:01,61"),
      ("tag,time,hr", "a,2026-11-19T10:00:00Z,60", "b,2026-11-19T10:00:01Z,61"),
      ("time,SYS,DIA,HR", "10:00:00,120,80,60", "10:00:01,121,79,61"),
    ])
  func noDayColumns(header: String, first: String, second: String) throws {
    let recording = try read("\(header)\n\(first)\n\(second)\n")
    #expect(recording.rates.times == [0, 1] && recording.rates.values == [60, 61])
    #expect(!recording.unreadColumns.isEmpty)
  }

  @Test(
    "A column called as a day is one where its fields are days, or may be meant as days",
    arguments: [
      ("Tag;Zeit;HR\n19.11.2026;10:00:00;60\n20.11.2026;10:00:00;61\n", nil),
      ("tag,t,hr\n2026-11-19,10,60\n2026-11-20,10,61\n", nil),
      ("day,time,hr\n1,10:00:00,60\n2,10:00:00,61\n", "is not one such as 2026-11-19"),
      ("Tag,Zeit,HR\nMontag,10:00:00,60\nDienstag,10:00:00,61\n", "is not one such as 2026-11-19"),
      ("date,t,hr\n11/10/2026,10,60\n11/11/2026,10,61\n", "is not one such as 2026-11-19"),
    ] as [(String, String?)])
  func dayColumns(text: String, reason: String?) throws {
    if let reason {
      #expect(try refusal(text).contains(reason))
    } else {
      let read = try read(text, ReadingOptions(timeUnit: .seconds))
      #expect(read.rates.times == (text.contains("t,hr") ? [10, 86_410] : [0, 86_400]))
    }
  }

  @Test(
    "The parts of one time in several columns are refused, but not elapsed seconds beside minutes",
    arguments: [
      ("date,hours,minutes,seconds,hr", "2026-11-19,10,m,s,60", false), ("hour,minute,sec,hr", "10,m,s,60", false),
      ("min,sec,hr", "m,s,60", false), ("minutes,seconds,hr", "f,n,60", true), ("time_min,time_s,hr", "f,n,60", true),
    ])
  func parts(header: String, row: String, isRead: Bool) throws {
    let rows = (0..<150).map { second in
      row.replacing("m", with: "\(second / 60)").replacing("s", with: "\(second % 60)")
        .replacing("f", with: "\(Double(second) / 60)").replacing("n", with: "\(second)")
    }
    let text = "\(header)\n" + rows.joined(separator: "\n")
    if isRead {
      #expect(try read(text).rates.times.last == 149)
    } else {
      #expect(try refusal(text).contains("parts of one time"))
    }
  }

  // MARK: Beats

  private static let beats: [Double] = (0..<300).map { (beat: Int) -> Double in
    Double(beat) * 0.8 + Double(beat * 37 % 11) / 200
  }

  @Test(
    "Numbers and marks of beats are no times, and are not read",
    arguments: ["beat", "beats", "Beat", "peak", "peaks", "R-peak", "r_peaks"], 0..<7)
  func numbered(name: String, kind: Int) throws {
    let texts = (0..<300).map { Self.number($0, kind) }
    func table(_ header: String, _ row: (Int) -> String) -> String {
      "\(header)\n" + texts.indices.map { row($0) + "\n" }.joined()
    }
    let rates = try read(table("\(name),time,hr") { "\(texts[$0]),\(Self.beats[$0]),75" })
    #expect(rates.rates.times == Self.beats && rates.unreadColumns == [name])
    let intervals = try read(table("\(name),time,rr_ms") { "\(texts[$0]),\(Self.beats[$0]),800" })
    #expect(intervals.beats?.breaks == [] && intervals.beats?.count == 300)
    let alone = try read(table("\(name),rr_ms") { "\(texts[$0]),800" })
    #expect(alone.beats?.breaks == [] && alone.beats?.count == 300 && alone.unreadColumns == [name])
    let reason = try refusal(table("time,\(name)") { "\(Self.beats[$0]),\(texts[$0])" })
    #expect(reason.contains("not times of beats"), "\(reason)")
  }

  private static func number(_ index: Int, _ kind: Int) -> String {
    switch kind {
    case 0: "\(index + 1)"
    case 1: "\(index % 2)"
    case 2: index % 5 == 0 ? "1" : "0"
    case 3: "\(index * 4 / 3)"
    case 4: "\(0.8 + Double(index * 37 % 11) / 100)"
    case 5: "\(index).0"
    default: index % 4 == 0 ? "NA" : "\(index)"
    }
  }

  @Test("A number of beats beside times of day or dates is not read")
  func numberedClocks() throws {
    let clocks = try read("time,hr,beat\n10:00:00,60,1\n10:00:02,61,2\n10:00:04,62,3\n")
    #expect(clocks.rates.times == [0, 2, 4] && clocks.unreadColumns == ["beat"])
    let starts = try read("start,hr,beat\n0,60,0.5\n2,61,4\n4,62,9\n6,62,20\n")
    #expect(starts.rates.times == [0, 2, 4, 6] && starts.unreadColumns == ["beat"])
    let both = try read("beat,r_peak_time,rr_ms\n" + Self.beats.enumerated().map { "\($0),\($1),800\n" }.joined())
    #expect(both.unreadColumns == ["beat"] && both.beats?.breaks == [])
  }

  @Test(
    "Times of beats that fit the times beside them are read",
    arguments: [("time,hr,beat", 1.0, nil), ("time_ms,hr,beat", 1000, nil), ("time,hr,r_peak", 1, 500.0)]
      as [(String, Double, Double?)])
  func fitting(header: String, perSecond: Double, rate: Double?) throws {
    let rows = Self.beats.map { beat in
      let place = rate.map { "\(Int((beat * $0).rounded()))" } ?? "\(beat)"
      return "\(beat.rounded(.up) * perSecond),75,\(place)\n"
    }
    let recording = try read("\(header)\n" + rows.joined(), ReadingOptions(samplingRate: rate))
    let beats = try #require(recording.beats)
    #expect(recording.unreadColumns == [header.contains("ms") ? "time_ms" : "time"])
    #expect(zip(beats.ends, Self.beats.dropFirst()).allSatisfy { ($0 - $1).magnitude < 0.002 } && beats.count == 299)
    #expect(try read("\(header)_s\n" + Self.beats.map { "0,75,\($0)\n" }.joined()).beats?.count == 299)
  }

  @Test(
    "Numbers of samples in a column’s name are converted with their rate, and ask for it",
    arguments: ["R-peak (samples)", "beat [sample]", "rr (samples)"])
  func samples(name: String) throws {
    let isOfBeats = !name.hasPrefix("rr")
    let numbers = isOfBeats ? Self.beats.map { Int(($0 * 500).rounded()) } : Self.beats.map { _ in 400 }
    let text = "\(name)\n" + numbers.map { "\($0)\n" }.joined()
    #expect(try read(text, ReadingOptions(samplingRate: 500)).beats?.count == (isOfBeats ? 299 : 300))
    #expect(try refusal(text).contains("--sampling-rate"))
  }

  // MARK: Units

  @Test(
    "Percentages are no heart rates and no intervals",
    arguments: ["hr (%)", "HR [%]", "hr(%)", "hr_%", "hr %", "bpm (%)", "% hr", "hr (bpm) %", "rr_%", "RR %", "hr%"])
  func percentages(name: String) throws {
    #expect(try refusal("time,\(name)\n0,60\n1,61\n2,62\n").contains("“%”"))
  }

  @Test(
    "A column of units counts whatever it is called",
    arguments: [
      ("time,rr,rr_unit", "1,0.8,s", "2,0.81,s"), ("time,rr,RR unit", "1,800,ms", "2,810,ms"),
      ("time,ibi,rrUnits", "1,0.8,s", "2,0.81,s"), ("time,rr,value_unit", "1,0.8,s", "2,0.81,s"),
      ("time,rr,signal_unit", "1,0.8,s", "2,0.81,s"), ("time,rr,time_unit", "1000,800,ms", "2000,810,ms"),
      ("time,rr,ward_unit", "1,800,ICU", "2,810,ICU"), ("time,rr,temp,temp_unit", "1,800,36,degC", "2,810,36,degC"),
    ])
  func unitColumns(header: String, first: String, second: String) throws {
    let beats = try #require(try read("\(header)\n\(first)\n\(second)\n").beats)
    #expect(zip(beats.intervals, [800, 810]).allSatisfy { ($0 - $1).magnitude < 1e-9 })
    #expect(zip(beats.ends, [1, 2]).allSatisfy { ($0 - $1).magnitude < 0.3 })
  }

  @Test(
    "Units in a column are understood as those in names",
    arguments: [
      ("hr", 75.0, ["bpm", "BPM", "beats/min", "1/min", "/min", "beats per minute", "beats/minute", "count/min"]),
      ("rr", 800, ["ms", "msec", "milliseconds"]), ("rr", 0.8, ["s", "sec", "Seconds"]),
    ])
  func spelledUnits(name: String, value: Double, units: [String]) throws {
    for unit in units {
      let recording = try read("time,\(name),unit\n" + (0..<3).map { "\($0),\(value),\(unit)\n" }.joined())
      #expect(
        recording.beats?.intervals ?? recording.rates.values == Array(repeating: name == "hr" ? 75 : 800, count: 3))
    }
  }

  @Test(
    "A unit that is not known or does not fit is refused, whatever its column is called",
    arguments: [
      "time,rr,rr_unit\n1,800,1/1024 s\n2,810,1/1024 s\n", "time,hr,hr_unit\n0,60,%\n1,61,%\n",
      "time,hr,hrUnits\n0,60,V\n1,61,V\n", "time,hr,hr_unit\n0,1,Hz\n1,1,Hz\n",
      "time,rr,signal_unit\n1,800,mV\n2,810,mV\n",
      "time,hr,rr,rr_unit\n1,60,800,ms\n2,61,810,ms\n", "time,hr,hr_unit,rr,rr_unit\n1,60,bpm,800,ms\n",
      "time,rr,time_unit\n1,800,min\n2,810,min\n",
    ])
  func wrongUnits(text: String) throws {
    #expect(throws: RecordingError.self) { try read(text) }
  }

  @Test(
    "Times in minutes, hours and days are refused under all names",
    arguments: [
      "time (min)", "time (h)", "time_hours", "timestamp [days]", "t_min", "elapsed (mins)", "Time [hrs]",
      "time_minutes",
    ])
  func longUnits(name: String) throws {
    #expect(try refusal("\(name),rr_ms\n0.1,800\n0.2,810\n").contains("unit"))
  }

  @Test(
    "A pulse pressure is not an interval, and intervals between pulses are",
    arguments: [
      ("time,SBP,DBP,HR,PP", "0,120,78,60,42", true), ("time,HR,PP", "0,60,42", true),
      ("time,HR,PP (mmHg)", "0,60,42", true),
      ("time,systolic,PP,HR", "0,120,5.3,60", true), ("time,hr,PP", "0,60,800", false),
      ("time,hr,pp", "0,60,0.8", false),
    ])
  func pulsePressure(header: String, row: String, isPressure: Bool) throws {
    let rows = (0..<5).map { "\($0)" + row.dropFirst() + "\n" }.joined()
    let options = ReadingOptions(intervalUnit: row.contains("0.8") ? .seconds : nil)
    let recording = try read("\(header)\n" + rows, options)
    #expect(recording.rates.values == Array(repeating: 60, count: 5) && (recording.beats == nil) == isPressure)
  }

  // MARK: Rows of several trials

  @Test(
    "Rows of several participants or trials are not laid end to end",
    arguments: [
      "participant,trial,time_s,rr_ms\np01,a,0.8,800\np02,b,1.6,800\n",
      "participant,trial,time_s,rr_ms\np01,a,0.8,800\np01,a,1.6,800\np01,b,0.8,800\np01,b,1.6,800\n",
      "subject,time,hr\n1,0,60\n1,1,60\n2,0,61\n2,1,61\n", "Participant ID;rr_ms\np01;800\np02;810\n",
    ])
  func severalOwners(text: String) throws {
    #expect(try refusal(text).contains("keep the rows of one participant and one trial"))
  }

  @Test(
    "Rows of one participant, and trials that follow each other in one recording, are read",
    arguments: [
      "participant,trial,time_s,hr\np01,a,0,60\np01,a,1,60\n", "trial,time,hr\n1,0,60\n1,1,60\n2,2,61\n3,3,61\n",
      "participant,time,hr\np01,0,60\n,1,61\np01,2,61\n", "trial,time,hr\na,1,60\na,0,60\n",
    ])
  func oneOwner(text: String) throws {
    #expect(throws: Never.self) { try read(text) }
  }

  // MARK: Cut files

  @Test(
    "A last line that is shorter than the others and has no end is reported",
    arguments: [
      ("time,hr\n0,70\n1,71\n2,72\n3,7", 5), ("time,hr\n0,70\n1,71\n2,72\n3,", 5), ("time,hr\n0,70\n1,71\n2,72\n3", 5),
      ("hr;time\n70;0.25\n71;1.25\n72;2.2", 4), ("rr_ms\n800\n810\n790\n81", 5), ("800\n810\n790\n800\n81", 5),
      ("time,hr\n0,70\n1,71\n2,72\n3,73", nil), ("time,hr\n0,70\n1,71\n2,72\n3,7\n", nil),
      ("time,hr\r\n0,70\r\n1,71\r\n2,7\r", nil), ("time,hr\n0,70\n1,1e2\n2,100", nil), ("800\n810\n790\n800", nil),
    ] as [(String, Int?)])
  func lastLine(text: String, line: Int?) throws {
    let found = try read(text).caveats.compactMap { if case .lastLineOpen(let line) = $0 { line } else { nil } }
    #expect(found == (line.map { [$0] } ?? []))
  }
}
