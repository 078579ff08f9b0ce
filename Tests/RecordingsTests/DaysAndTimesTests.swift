import Basics
import Recordings
import TestSupport
import Testing

@testable import Recordings

@Suite("Days and times in tables")
struct DaysAndTimesTests {
  let scratch: ScratchFolder

  init() throws { scratch = try ScratchFolder() }

  private func read(_ text: String, _ options: ReadingOptions = ReadingOptions()) throws -> HeartRecording {
    let path = scratch["file-\(UInt32.random(in: 0 ... .max)).csv"]
    try File.create(path, Array(text.utf8))
    return try #require(try HeartRecording.read(path: path, options).first)
  }

  private func refusal(_ text: String) throws -> String {
    "\(try #require(throws: RecordingError.self) { try read(text) })"
  }

  @Test("A day in one column and a time of day in another are one instant", arguments: DatedTables.same)
  func instants(text: String) throws {
    let recording = try read(text)
    #expect(recording.rates.times == DatedTables.times && recording.rates.values == DatedTables.rates)
    #expect(recording.unreadColumns == (text.contains("note") ? ["note"] : []))
  }

  @Test("A day that is not read beside times of day is refused", arguments: DatedTables.refused.indices)
  func refused(index: Int) throws {
    let (text, word) = DatedTables.refused[index]
    let reason = try refusal(text)
    #expect(reason.contains(word), "\(reason)")
  }

  @Test(
    "Times of day are read without seconds and with twelve hours, and the former are reported",
    arguments: [
      ("08:00", "08:01", true), ("9:59 AM", "10:00 am", true), ("11:59:30 PM", "12:00:30 AM", false),
      ("12:59:00 p.m.", "1:00:00 p.m.", false), ("23:59:30", "00:00:30", false),
    ])
  func clocks(first: String, second: String, isReported: Bool) throws {
    let recording = try read("time,hr\n\(first),60\n\(second),61\n")
    #expect(recording.rates.times == [0, 60])
    #expect(recording.caveats.contains(.withoutSeconds(time: first, line: 2)) == isReported)
    #expect(try read("date,time,hr\n2026-11-19,10:00,60\n2026-11-19,10:01,61\n").caveats == [])
  }

  @Test("Numbers beside a day are seconds of it where there are several, and count from anywhere where there is one")
  func seconds() throws {
    let several = try read("date,seconds,hr\n2026-11-19,100,60\n2026-11-20,0,61\n2026-11-20,1.5,62\n")
    #expect(several.rates.times == [100, 86_400, 86_401.5])
    #expect(try read("date,time,hr\n2026-11-19,100000,60\n2026-11-19,100001,61\n").rates.times == [0, 1])
    #expect(try refusal("date,t,hr\n2026-11-19,7198,60\n2026-11-20,7199,61\n").contains("its time goes on"))
    #expect(
      try refusal("date,t,hr\n2026-11-19,7198,60\n2026-11-20,97199,61\n2026-11-20,97200,61\n").contains(
        "no seconds of a day"))
  }

  @Test("A spreadsheet's days since 1900 are not taken for seconds")
  func serialDays() throws {
    let rows = (0..<180).map { "\(46346.41667 + Double($0) / 86_400),\(60 + $0 % 5)\n" }.joined()
    #expect(try refusal("time,hr\n" + rows).contains("days since 1900"))
    #expect(try read("time,hr\n" + rows, ReadingOptions(timeUnit: .seconds)).rates.values.count == 180)
  }

  // MARK: Units

  @Test(
    "A unit in a column's name that does not fit is refused",
    arguments: [
      "time,hr_ms\n0,60\n1,61\n", "time,hr (Hz)\n0,1\n1,1\n", "time,HR [mV]\n0,60\n1,61\n",
      "time,rr_bpm\n1,800\n2,810\n",
      "rr (kΩ)\n800\n810\n", "rr (kOhm)\n800\n810\n", "RR [samples]\n800\n810\n", "ibi_hz\n800\n810\n",
      "time (Hz),hr\n0,60\n1,61\n", "time_mV,hr\n0,60\n1,61\n", "r_peaks (samples)\n0\n400\n800\n",
      "time,hr,unit\n0,1.1,V\n1,1.1,V\n", "time,rr,unit\n1,800,Hz\n2,810,Hz\n", "time,hr,rr,unit\n1,60,800,ms\n",
    ])
  func misfits(text: String) throws {
    let reason = try refusal(text)
    #expect(reason.contains("unit"), "\(reason)")
  }

  @Test(
    "A column of units is heeded",
    arguments: [
      ("time,hr,unit\n0,60,bpm\n1,61,count/min\n2,62,\n", [60.0, 61, 62]),
      ("time,hr,unit\n0,1,count/s\n1,1.5,count/s\n", [60, 90]), ("time,hr_bpm\n0,60\n1,61\n", [60, 61]),
      ("time,HR (1/min)\n0,60\n1,61\n", [60, 61]), ("time,heart rate [beats/min]\n0,60\n1,61\n", [60, 61]),
    ])
  func units(text: String, rates: [Double]) throws {
    #expect(try read(text).rates.values == rates)
  }

  // MARK: Numbers of samples

  @Test(
    "Beats and intervals as numbers of samples are read with their rate",
    arguments: [
      ("r_peaks\n", 500.0, true), ("", 500, true), ("peak,note\n", 250, true), ("", 250, false), ("rr\n", 512, false),
      ("time;ibi\n", 1000, false),
    ])
  func samples(header: String, rate: Double, areBeats: Bool) throws {
    let intervals = (0..<40).map { 0.8 + Double($0 * 37 % 17) / 100 }
    var (time, last) = (0.0, 0)
    var rows = areBeats ? ["0"] : []
    var expected: [Double] = []
    for interval in intervals {
      time += interval
      let sample = Int((time * rate).rounded())
      expected.append(Double(sample - last) * 1000 / rate)
      rows.append(areBeats ? "\(sample)" : "\(sample - last)")
      last = sample
    }
    var end = 0.0
    let text = rows.map { row -> String in
      if header.contains("note") { return "\(row),a\n" }
      guard header.contains("time") else { return "\(row)\n" }
      end += (Double(row) ?? 0) / rate
      return "\(end);\(row)\n"
    }
    let recording = try read(header + text.joined(), ReadingOptions(samplingRate: rate))
    let read = recording.beats?.intervals ?? []
    #expect(read.count == 40 && zip(read, expected).allSatisfy { ($0 - $1).magnitude < 1e-6 })
  }

  @Test(
    "Whole numbers that may be samples are never called milliseconds alone",
    arguments: [
      "r_peaks\n" + (0...50).map { "\($0 * 410)\n" }.joined(), "beat\n0\n160\n320\n480\n640\n",
      (1...50).map { "\($0 * 410)\n" }.joined(), "160\n165\n158\n161\n",
    ])
  func advice(text: String) throws {
    #expect(try refusal(text).contains("--sampling-rate HZ"))
  }

  @Test("A sampling rate is refused where nothing counts samples, and where it makes no heart")
  func needless() throws {
    for text in ["time,hr\n0,60\n1,61\n", "rr_ms\n800\n810\n", "beat_s\n1\n2\n3\n", "{\"items\":[]}"] {
      #expect(throws: RecordingError.self) { try read(text, ReadingOptions(samplingRate: 500)) }
    }
    #expect(throws: RecordingError.self) { try read("r_peaks\n0\n41\n82\n120\n", ReadingOptions(samplingRate: 500)) }
    #expect(throws: RecordingError.self) { try read("20\n21\n19\n20\n", ReadingOptions(samplingRate: 5000)) }
  }

  // MARK: Empatica

  @Test("The intervals of an Empatica E4 are read with their times, and its other signals are named")
  func empatica() throws {
    let recording = try read(
      "1551453301.000000, IBI\n10.0,0.80\n10.8,0.80\n20.0,0.95\n20.95,0.95\n30.0,0.80\n30.8,0.80\n")
    let beats = try #require(recording.beats)
    let last = try #require(beats.ends.last)
    #expect(beats.breaks == [2, 4] && abs(last - 30.8) < 1e-9)
    let signal = "1551453301.000000\n4.000000\n" + (0..<300).map { "\(0.5 + Double($0 % 50) / 500)\n" }.joined()
    #expect(try refusal(signal).contains("Empatica E4"))
  }
}
