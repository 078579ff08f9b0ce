import Basics
import Testing

@testable import Sensors

@Suite("A line of text")
struct RowReaderTests {
  private func read(_ lines: String...) -> [Row] {
    var reader = RowReader()
    return lines.map { line in
      let bytes = Array(line.utf8)
      return reader.read(bytes.span)
    }
  }

  private static func sample(_ hr: Double?, _ rr: [Double] = [], _ contact: Bool? = nil, t: Double? = nil) -> Row {
    .sample(Sample(heartRate: hr, rrIntervals: rr, contact: contact, time: t))
  }

  @Test(
    "says a sample",
    arguments: [
      ("72", sample(72)), (" 72.5 ", sample(72.5)), ("\"72\"", sample(72)), ("72,", sample(72)),
      ("72,830.1", sample(72, [830.1])), ("72,830;841", sample(72, [830, 841])),
      ("72, 830 841 ; 852", sample(72, [830, 841, 852])), (",830", sample(nil, [830])),
      ("12.5,72,830", sample(72, [830], t: 12.5)), ("-1,72,", sample(72, t: -1)),
      ("3,72,830,1", sample(72, [830], true, t: 3)), ("3,0,,false", sample(nil, [], false, t: 3)),
      (#"{"hr":72}"#, sample(72)), (#"  { "bpm" : 72.25 } "#, sample(72.25)),
      (#"{"rr":830}"#, sample(nil, [830])), (#"{"rr":[830.1, 841],"hr":72}"#, sample(72, [830.1, 841])),
      (#"{"hr":72,"rr":[],"contact":true,"t":0.5}"#, sample(72, [], true, t: 0.5)),
      (#"{"time":1e3,"contact":0,"hr":0}"#, sample(nil, [], false, t: 1000)),
      (#"{"hr":72,"rr":null,"device":{"name":"a \"b\""}}"#, sample(72)), (#"{"\u0068r":72}"#, sample(72)),
      (#"{"t":-3.5,"hr":72}"#, sample(72, t: -3.5)), (#"{"contact":false}"#, sample(nil, [], false)),
      ("", .nothing), ("  \t", .nothing), ("# a remark", .nothing), ("hr,rr", .nothing),
    ] as [(String, Row)])
  func good(line: String, row: Row) { #expect(read(line) == [row]) }

  @Test(
    "with a unit is converted",
    arguments: [
      (#"{"hr":1.2,"unit":"count/s"}"#, sample(72)), (#"{"hr":72,"unit":"bpm"}"#, sample(72)),
      (#"{"rr":0.83,"unit":"s"}"#, sample(nil, [830])),
    ] as [(String, Row)])
  func unit(line: String, row: Row) { #expect(read(line) == [row]) }

  @Test(
    "in a unit that does not fit is refused",
    arguments: [
      [#"{"hr":1.2,"unit":"V"}"#], [#"{"rr":830,"unit":"bpm"}"#], [#"{"hr":72,"unit":"furlong"}"#],
      [#"{"hr":72,"rr":830,"unit":"ms"}"#], [#"{"skinConductance":2.1,"unit":"kOhm"}"#], ["t,hr (Hz)", "1,72"],
      ["t,hr_ms", "1,72"], ["rr_bpm", "830"], ["t,hr,unit", "1,72,V"], ["t,rr,unit", "1,830,Hz"],
      ["t,skinConductance_Hz", "1,2.1"], ["t,hr,skinConductance (kΩ)", "1,72,2.1"],
    ])
  func misfit(lines: [String]) {
    var reader = RowReader()
    let rows = lines.map { line in
      let bytes = Array(line.utf8)
      return reader.read(bytes.span)
    }
    guard case .unreadable = rows.last else {
      Issue.record("\(rows)")
      return
    }
  }

  @Test(
    "that says none is refused with its reason",
    arguments: [
      ("360", "hr 360 is outside 15…350"), ("14.5", "hr 14.5 is outside 15…350"), ("-72", "hr -72 is outside 15…350"),
      (",5", "rr 5 is outside 150…4000 ms"), ("nan", "“nan” is not a number"), ("72,inf", "“inf” is not a number"),
      ("72;73", "“72;73” is not a number"), ("7 2", "“7 2” is not a number"), ("1e999", "“1e999” is not a number"),
      (",", "neither hr nor rr nor contact nor another channel"),
      ("1,2,3,4,5", "5 columns without a header; expected hr, or hr,rr, or t,hr,rr"),
      ("2026-13-45,72,830", "“2026-13-45” is not a number"),
      ("1,72,830,maybe", "contact is “maybe”; expected 1, 0, true or false"), ("72\0", "“72�” is not a number"),
      ("\u{1B}[2J", "“�[2J” is not a number"), ("{}", "neither hr nor rr nor contact nor another channel"),
      (#"{"hr":"72"}"#, "“hr” is the string “72”; expected a number of beats a minute"),
      (#"{"hr":72,"bpm":73}"#, "both “hr” and “bpm”"),
      (#"{"hr":072}"#, "column 8: a number may not begin with 0 and go on"),
      (#"{"hr":72,}"#, "column 10: a comma before }; JSON has no trailing commas"),
      (#"{"hr":72} 5"#, "column 11: expected nothing more after the value, found “5”"),
      (#"{"hr":72,"hr":73}"#, "column 10: the key “hr” is given twice in this object; keep one of them"),
      (#"{"hr":72"#, "column 9: the text ends where , or } after the member “hr” was expected"),
      (#"{"rr":[830,"x"]}"#, "“rr” has the string “x” where a number of milliseconds was expected"),
      (#"{"rr":4001}"#, "rr 4001 is outside 150…4000 ms"),
      (#"{"hr":NaN}"#, "column 7: expected a value, found “NaN”; JSON has no such number"),
      (#"{"contact":2}"#, "“contact” is the number 2; expected true, false, 1 or 0"),
    ])
  func bad(line: String, reason: String) { #expect(read(line) == [.unreadable(reason)]) }

  @Test("that is not UTF-8 is refused")
  func invalid() {
    var reader = RowReader()
    #expect(reader.read([0xFF, 0xFE, 0x37].span) == .unreadable("“��7” is not a number"))
    let json: [UInt8] = Array(#"{"x":""#.utf8) + [0xFF] + Array(#"","hr":72}"#.utf8)
    #expect(reader.read(json.span) == .unreadable("column 6: this string is not valid UTF-8"))
  }

  @Test(
    "with the names of columns is a header, however they are written",
    arguments: [
      "hr", "HR (bpm)", "\"Heart Rate\"", "heart_rate,note", "note;R-R interval", "x\tibi", "note,pulse",
      "R\u{A0}R (ms)",
      "seconds,NN Interval [ms]", "contact,bpm",
    ])
  func named(header: String) {
    var reader = RowReader()
    let bytes = Array(header.utf8)
    #expect(reader.read(bytes.span) == .nothing)
    #expect(reader.header != nil)
  }

  @Test("after a header has its columns, in any order and among others")
  func header() {
    #expect(
      read("Time, device, BPM, \"rr_ms\"", "1,x,72,830", "72", "rr,hr", "830,72") == [
        .nothing, Self.sample(72, [830], t: 1), .unreadable("1 columns, where the header has 4"), .nothing,
        Self.sample(72, [830]),
      ])
  }

  @Test(
    "after a header is read as a table that is analysed: its separators, units, dates and decimal commas",
    arguments: [
      (["time;HR (bpm);IBI", "1,5;72,5;830"], sample(72.5, [830], t: 1.5)),
      (["\u{FEFF}t (ms)\tRR (s)", "1500\t0.83"], sample(nil, [830], t: 1.5)),
      (["startDate,endDate,pulse", "1,2,72"], sample(72, t: 2)),
      (["timestamp,hr,ibi", "1970-01-01T00:01:00.250+00:00,72,NA"], sample(72, t: 60.25)),
      (["Time (s),nn_ms,device", "1,830,x"], sample(nil, [830], t: 1)),
    ] as [([String], Row)])
  func tables(lines: [String], row: Row) {
    var reader = RowReader()
    let rows = lines.map { line in
      let bytes = Array(line.utf8)
      return reader.read(bytes.span)
    }
    #expect(rows == [.nothing, row])
    #expect(read("sep=;") == [.nothing])
  }

  @Test(
    "has numbers that are read as the standard library reads them",
    arguments: [
      "0", "72", "830.1", "0.1", "123456789.123456", "999999999999999", "9999999999999999", "1e22", "1e23", "1.5e-7",
      "3.14159265358979323846", "2.2250738585072014e-308", "0.000001", "100000000000000000000",
    ])
  func numbers(text: String) {
    let bytes = Array(text.utf8)
    var position = 0
    #expect(Decimal.read(bytes.span, &position) == Double(text))
    #expect(position == bytes.count)
  }
}
