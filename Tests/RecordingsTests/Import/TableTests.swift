import Basics
import Recordings
import TestSupport
import Testing

@testable import Quantities

@Suite("A table")
struct TableTests {
  @Test(
    "Commas, semicolons with decimal commas and tabs give the same samples",
    arguments: [
      "start,end,value,unit,type,source\n2026-11-20T11:00:00+01:00,2026-11-20T11:00:05+01:00,72.5,count/min,heartRate,strap\n",
      "sep=;\r\nstart;end;value;unit;type;source\r\n2026-11-20 10:00:00Z;2026-11-20 10:00:05Z;72,5;bpm;heartRate;strap\r\n",
      "\u{FEFF}startDate\tendDate\tvalue\tunit\ttype\tsource name\n"
        + "2026-11-20T10:00:00.000Z\t2026-11-20T10:00:05Z\t7.25e1\tbeats/min\tHKQuantityTypeIdentifierHeartRate\tstrap",
      "value,\"unit\",type,source,end,start,\"x \"\"y\"\", z\"\n\n"
        + "72.5,\"count/min\",heartRate,\"strap\",2026-11-20T10:00:05Z,2026-11-20T10:00:00Z,\"a\nb\"\n",
    ])
  func dialects(_ text: String) throws {
    let whole = try Whole(text: text)
    #expect(whole.error == nil)
    #expect(whole.report.problems == [])
    let sample = try #require(whole.samples.first)
    let rate = try sample.value(in: .countPerMinute)
    #expect(abs(rate - 72.5) < 1e-12)
    #expect(sample.start == WallTime("2026-11-20T10:00:00Z"))
    #expect(sample.end == WallTime("2026-11-20T10:00:05Z"))
    #expect(sample.sourceRevision.source.name == "strap")
    let other = try Whole(
      text: "start,end,value,unit,type,source\n2026-11-20T10:00:00Z,2026-11-20T10:00:05Z,72.5,bpm,heartRate,strap")
    #expect(sample.uuid == other.samples.first?.uuid)
  }

  @Test("What the table does not say is said for all of its rows, and columns that are not read are named")
  func options() throws {
    let text = "time,value,mood\n1763632800.25,72,good\n1763632801,73,bad\n"
    let options = ImportOptions(
      type: .heartRate, unit: .countPerMinute, source: "strap", times: .secondsSince1970)
    let whole = try Whole(text: text, options: options)
    #expect(whole.samples.map(\.start.microseconds) == [1_763_632_800_250_000, 1_763_632_801_000_000])
    #expect(whole.report.ignoredColumns == ["mood"])
    let local = try Whole(
      text: "time,value\n2026-11-20 11:00,72\n",
      options: ImportOptions(type: .heartRate, unit: .countPerMinute, localTime: .offset(.seconds(3600))))
    #expect(local.samples.map(\.start) == [WallTime("2026-11-20T10:00:00Z")].compactMap { $0 })
  }

  @Test(
    "A header that does not do is told with its place and the remedy",
    arguments: [
      ("time,unit,type\n", "1:1: the header has no column “value”"),
      ("vlaue,time,unit,type\n", "is it “vlaue”?"),
      ("value,unit,type\n", "the header has no column “time”, nor “start”"),
      ("time,value,unit\n1,2,3\n", "no column “type”; add it, or say the type for all rows"),
      ("time,value,type\n", "no column “unit”; add it, or say the unit for all rows"),
      ("time,value,unit,type,value\n", "1:22: a second column “value”"),
      ("time,end,value,unit,type\n", "a column “time” beside “start” or “end”"),
      ("\n\n", "it is empty"),
      ("time,value,unit,type\n1,\"2,3\n4\n", "2:1: a quote that is opened in this row is never closed"),
    ])
  func headers(_ text: String, _ reason: String) throws {
    do {
      let whole = try Whole(text: text)
      let error = try #require(whole.error)
      #expect("\(error)".contains(reason), "\(error)")
    } catch let error as ImportError {
      #expect("\(error)".contains(reason), "\(error)")
    }
  }

  @Test(
    "A row that cannot be read costs no other, and is told with its line",
    arguments: [
      ("2026-11-20T10:00:00Z,72,count/min", "3 columns, where the header has 4"),
      ("2026-11-20T10:00:00Z,72,count/min,hartRate", "the type “hartRate” is not known; did you mean “heartRate”?"),
      ("2026-11-20T10:00:00Z,72,,heartRate", "no unit"),
      ("2026-11-20T10:00:00Z,,bpm,heartRate", "no value"),
      (",72,bpm,heartRate", "no time"),
      ("2026-11-20T10:00:00Z,nan,bpm,heartRate", "the value “nan” is not a number"),
      ("2026-11-20T10:00:00Z,\"72,5\",bpm,heartRate", "with a decimal point; --decimal comma"),
      ("2026-11-20T10:00:00Z,72,furlong,heartRate", "Unable to parse factorization string furlong"),
      ("2026-11-20T10:00:00,72,bpm,heartRate", "has no offset from UTC"),
      ("20.11.2026,72,bpm,heartRate", "is not one such as"),
      ("2026-11-20T10:00:00Z,72,kg,heartRate", "requires unit of type"),
    ])
  func rows(_ row: String, _ reason: String) throws {
    let good = "2026-11-20T10:00:00Z,72,bpm,heartRate"
    let whole = try Whole(text: "time,value,unit,type\n\(good)\n\(row)\n\(good)\n")
    #expect(whole.samples.count == 2)
    #expect(whole.report.refused == 1)
    #expect(whole.report.problems.first?.line == 3)
    #expect(whole.report.problems.first?.reason.contains(reason) == true, "\(whole.report.problems)")
  }

  @Test("Local times are a zone's, whose name the samples keep, and a bare date is the day's start")
  func localTimes() throws {
    let rows: [(String, String)] = [
      ("2026-11-20 11:00", "2026-11-20T10:00:00Z"), ("2026-07-20T11:00:00.5", "2026-07-20T09:00:00.500Z"),
      ("2026-11-20", "2026-11-19T23:00:00Z"), ("2026-11-20 11:08:31 +0100", "2026-11-20T10:08:31Z"),
      ("2026-11-20 11:08:31 -05:00", "2026-11-20T16:08:31Z"), ("2026-11-20T11:00:00Z", "2026-11-20T11:00:00Z"),
    ]
    let zone = try TimeZone("Europe/Amsterdam")
    let options = ImportOptions(type: .heartRate, unit: .countPerMinute, localTime: .zone(zone))
    let whole = try Whole(text: "time,value\n" + rows.map { "\($0.0),72\n" }.joined(), options: options)
    #expect(whole.report.problems == [])
    let expected: [WallTime] = rows.compactMap { WallTime($0.1) }
    #expect(whole.samples.map(\.start) == expected)
    #expect(whole.samples.allSatisfy { $0.metadata.timeZone == "Europe/Amsterdam" })
  }

  @Test("A day in one column and a time of day in another are one instant", arguments: DatedTables.same)
  func days(text: String) throws {
    let whole = try Whole(text: text, options: ImportOptions(localTime: .offset(.seconds(3600))))
    #expect(whole.report.problems == [])
    let first = try #require(WallTime("2026-11-19T09:00:00Z"))
    #expect(whole.samples.map { first.duration(to: $0.start).seconds } == DatedTables.times)
    #expect(try whole.samples.map { try $0.value(in: .countPerMinute) } == DatedTables.rates)
  }

  @Test("A day that is not read beside times of day is refused", arguments: DatedTables.refused.indices)
  func refusedDays(index: Int) throws {
    let options = ImportOptions(localTime: .offset(.zero), date: CalendarDate("2026-11-19"))
    let whole = try Whole(text: DatedTables.refused[index].text, options: options)
    #expect(whole.samples == [] && whole.report.refused == 2)
  }

  @Test("Times of day beside days in a column of another name are refused", arguments: DatedTables.clocks)
  func strayClocks(clock: (heading: String, times: [String])) throws {
    for (day, rate) in [("date", "hr"), ("Day", "bpm"), ("time", "hr")] {
      let text = DatedTables.days(clock, day, rate)
      let whole = try Whole(text: text, options: ImportOptions(localTime: .offset(.zero)))
      #expect(whole.samples == [] && (whole.report.refused == 3 || whole.error != nil), "\(day)")
    }
  }

  @Test("Days without times of day are read", arguments: DatedTables.daysAlone)
  func daysAlone(text: String) throws {
    let whole = try Whole(text: text, options: ImportOptions(localTime: .offset(.zero)))
    #expect(whole.samples.map(\.start) == ["2026-11-19", "2026-11-20"].compactMap { WallTime("\($0)T00:00:00Z") })
  }

  @Test(
    "Of days in another spelling beside times of day none is stored twice on one day", arguments: DatedTables.spellings)
  func strayDays(days: (first: String, second: String)) throws {
    let options = ImportOptions(localTime: .offset(.zero), date: CalendarDate("2026-11-19"))
    let whole = try Whole(text: DatedTables.clocks(beside: days), options: options)
    #expect(whole.report.refused >= 2 && whole.samples.count <= 2)
  }

  @Test("What is not a day beside times of day is a column that is not read", arguments: DatedTables.noDays)
  func noDays(texts: (first: String, second: String)) throws {
    let options = ImportOptions(localTime: .offset(.zero), date: CalendarDate("2026-11-19"))
    let whole = try Whole(text: DatedTables.clocks(beside: texts), options: options)
    #expect(whole.samples.count == 4 && whole.report.ignoredColumns == ["measured"])
  }

  @Test(
    "A column called as a day whose fields are no days is not read beside dates",
    arguments: ["tag", "day", "dia"])
  func noDayColumn(name: String) throws {
    let whole = try Whole(text: "time,hr,\(name)\n2026-11-20T10:00:00Z,72,80\n2026-11-20T10:00:01Z,73,81\n")
    #expect(whole.samples.count == 2 && whole.report.ignoredColumns == [name])
  }

  @Test("A percentage is not a heart rate", arguments: ["hr (%)", "HR [%]", "hr(%)", "hr_%", "hr %", "bpm (%)"])
  func percentages(name: String) throws {
    #expect(try Whole(text: "time,\(name)\n2026-11-20T10:00:00Z,72\n").error != nil)
  }

  @Test("A column of units counts whatever it is called, and understands the units of names")
  func unitColumns() throws {
    let units = ["s", "sec", "1/1024 s", "mV"]
    let rows = units.enumerated().map { "2026-11-20T10:00:0\($0)Z,0.8,\($1)\n" }.joined()
    let whole = try Whole(text: "time,rr,rr_unit\n" + rows)
    #expect(try whole.samples.map { try $0.value(in: .second) } == [0.8, 0.8] && whole.report.refused == 2)
  }

  @Test("A last line that is shorter than the others and has no end is reported", arguments: [true, false])
  func lastLine(isCut: Bool) throws {
    let rows = ["00", "01", "02"].map { "2026-11-20T10:00:\($0)Z,72\n" }.joined()
    let whole = try Whole(text: "time,hr\n" + rows + "2026-11-20T10:00:03Z,7" + (isCut ? "" : "3"))
    #expect(whole.samples.count == 4 && whole.report.notes.map(\.line) == (isCut ? [5] : []))
  }

  @Test("A day beside a start and an end belongs to both")
  func startAndEnd() throws {
    let whole = try Whole(
      text: "date,start,end,type,value,unit\n2026-11-20,10:00,10:05,stepCount,120,count\n",
      options: ImportOptions(localTime: .offset(.zero)))
    #expect(whole.samples.map(\.start) == [WallTime("2026-11-20T10:00:00Z")].compactMap(\.self))
    #expect(whole.samples.map(\.end) == [WallTime("2026-11-20T10:05:00Z")].compactMap(\.self))
  }

  @Test(
    "Columns have the names that an analysis knows",
    arguments: ["Zeit;HR", "Zeitstempel;Herzfrequenz", "unix_time,pulse", "localtime\tHeart Rate (bpm)", "t,puls"])
  func names(header: String) throws {
    let delimiter = header.contains(";") ? ";" : header.contains("\t") ? "\t" : ","
    let whole = try Whole(text: "\(header)\n2026-11-20T10:00:00Z\(delimiter)72\n")
    #expect(whole.samples.map(\.type) == [.heartRate])
  }

  @Test("Intervals as numbers of samples are converted by their rate, and units that do not fit are refused")
  func samplingRate() throws {
    var options = ImportOptions()
    options.samplingRate = 512
    let whole = try Whole(text: "time,rr\n2026-11-20T10:00:00Z,420\n", options: options)
    let interval = try #require(try whole.samples.first?.value(in: .millisecond))
    #expect((interval - 820.3125).magnitude < 1e-9)
    for header in ["time,hr", "time,rr_ms", "time,value,unit,type"] {
      #expect(try Whole(text: "\(header)\n", options: options).error != nil, "\(header)")
    }
    for header in ["time,hr_ms", "time,rr (kΩ)", "time,rr_bpm", "time,hr (Hz)"] {
      #expect(try Whole(text: "\(header)\n2026-11-20T10:00:00Z,72\n").error != nil, "\(header)")
    }
    #expect(try Whole(text: "time,hr,unit\n2026-11-20T10:00:00Z,72,V\n").report.refused == 1)
  }

  @Test("The decimal mark is the one that is said, whatever separates the columns")
  func decimalMark() throws {
    let row = "2026-11-20T10:00:00Z;72.5;bpm;heartRate"
    let table = "time;value;unit;type\n\(row)\n"
    let refused = try Whole(text: table).report.problems.first?.reason
    #expect(refused?.contains("--decimal point") == true)
    let point = try Whole(text: table, options: ImportOptions(decimalComma: false))
    let commas = table.replacing(";", with: "\t").replacing("72.5", with: "72,5")
    let comma = try Whole(text: commas, options: ImportOptions(decimalComma: true))
    for whole in [point, comma] {
      let rate = try #require(try whole.samples.first?.value(in: .countPerMinute))
      #expect(abs(rate - 72.5) < 1e-12)
    }
  }

  @Test("Names that no store keeps, and samples longer than four days, cost their row alone")
  func unkept() throws {
    let long = String(repeating: "x", count: 1025)
    let good = "2026-11-20T10:00:00Z,2026-11-20T10:00:00Z,1,count,stepCount,strap"
    let rows = [
      good.replacing("10:00:00Z,1,", with: "10:00:00Z,1,").replacing("strap", with: long),
      "2026-11-20T10:00:00Z,2026-11-24T10:00:01Z,1,count,stepCount,strap",
    ]
    let whole = try Whole(text: "start,end,value,unit,type,source\n" + (rows + [good]).joined(separator: "\n"))
    #expect(whole.samples.count == 1)
    #expect(whole.report.problems.map(\.line) == [2, 3])
    #expect(whole.report.problems.first?.reason.contains("bytes, more than 1024") == true)
    #expect(whole.report.problems.last?.reason.contains("exceed the maximum allowed duration") == true)
  }

  @Test("What the store's own table says of a source is read again")
  func ownTable() throws {
    let text = """
      uuid,type,startDate,endDate,value,unit,sourceName,sourceBundleIdentifier,sourceVersion,device
      019a9c2e-5d42-7cc3-98c4-dc0c0c07398f,HKQuantityTypeIdentifierHeartRate,2026-11-20T10:00:00.000Z,\
      2026-11-20T10:00:00.000Z,72,count/min,Watch,com.apple.health.1,10.3,Polar H10
      """
    let sample = try #require(try Whole(text: text).samples.first)
    let source = Source(name: "Watch", bundleIdentifier: "com.apple.health.1")
    #expect(sample.sourceRevision == SourceRevision(source: source, version: "10.3"))
    #expect(sample.device?.name == "Polar H10")
  }

  @Test("A type may have HealthKit's name or its short one, also where the station has none of its own")
  func typeNames() throws {
    let rows = ["vo2Max", "HKQuantityTypeIdentifierVO2Max", "bodyTemperature"].map {
      "2026-11-20T10:00:00Z,38,\($0 == "bodyTemperature" ? "degC" : "mL/min·kg"),\($0)\n"
    }
    let whole = try Whole(text: "time,value,unit,type\n" + rows.joined())
    #expect(whole.report.problems == [])
    #expect(whole.samples.map(\.type.identifier) == ["vo2Max", "vo2Max", "bodyTemperature"])
  }

  @Test("Rows with identifiers are two where the identifiers are two")
  func identifiers() throws {
    let uuid = "019a9c2e-5d42-7cc3-98c4-dc0c0c07398f"
    let row = "2026-11-20T10:00:00Z,72,bpm,heartRate"
    let text = "time,value,unit,type,id\n\(row),a\n\(row),b\n\(row),a\n\(row),\(uuid)\n\(row),\n\(row),\n"
    let uuids = try Whole(text: text).samples.map(\.uuid)
    #expect(uuids[0] == uuids[2])
    #expect(uuids[4] == uuids[5])
    #expect(uuids[3].description == uuid)
    #expect(Set(uuids).count == 4)
  }

  @Test("A row of bytes that are not UTF-8 costs no other")
  func encoding() throws {
    let scratch = try ScratchFolder()
    let good = Array("2026-11-20T10:00:00Z,72,bpm,heartRate,x\n".utf8)
    let bad = good.dropLast(2) + [0xE9, 0x0A]
    try File.create(scratch["rows"], Array("time,value,unit,type,source\n".utf8) + good + bad + good)
    let whole = try Whole(scratch["rows"])
    #expect(whole.samples.count == 2)
    #expect(whole.report.problems.map(\.line) == [3])
  }

  @Test("A long table is read in pieces")
  func long() throws {
    let rows = (0..<20_000).map { "2026-11-20T10:00:00Z,\($0),count,stepCount,\"a \($0)\nb\"\n" }.joined()
    let whole = try Whole(text: "time,value,unit,type,source\n" + rows)
    #expect(whole.samples.map(\.value) == (0..<20_000).map(Double.init))
    #expect(whole.samples.last?.sourceRevision.source.name == "a 19999\nb")
  }
}
