/// Tables with days in one column and times of day in another; all hold the same four heart rates.
package enum DatedTables: Sendable {
  /// The seconds after 2026-11-19T10:00:00.
  package static let times: [Double] = [0, 1, 86_402, 86_403]

  /// The heart rates.
  package static let rates: [Double] = [60, 61, 100, 101]

  /// The same instants, as programs and people write them.
  package static let same: [String] = [
    "date,time,hr\n2026-11-19,10:00:00,60\n2026-11-19,10:00:01,61\n2026-11-20,10:00:02,100\n2026-11-20,10:00:03,101\n",
    // The time before the day, and a column between them.
    "Time,hr,note,Date\n10:00:00,60,a,2026-11-19\n10:00:01,61,b,2026-11-19\n10:00:02,100,c,2026-11-20\n"
      + "10:00:03,101,d,2026-11-20\n",
    "Datum;Zeit;HR\n19.11.2026;10:00:00;60\n19.11.2026;10:00:01;61\n20.11.2026;10:00:02;100\n20.11.2026;10:00:03;101\n",
    "Datum\tUhrzeit\tPuls\n19-11-2026\t10:00:00,0\t60\n19-11-2026\t10:00:01\t61\n20-11-2026\t10:00:02\t100\n"
      + "20-11-2026\t10:00:03\t101\n",
    "day,time,heartRate\n2026/11/19,10:00:00 AM,60\n2026/11/19,10:00:01 am,61\n2026/11/20,10:00:02 a.m.,100\n"
      + "2026/11/20,10:00:03AM,101\n",
    "date,time,bpm\n20261119,10:00:00,60\n20261119,10:00:01,61\n20261120,10:00:02,100\n20261120,10:00:03,101\n",
    "date,time,hr\n2026-11-19 00:00:00,10:00:00,60\n2026-11-19T00:00:00Z,10:00:01,61\n2026-11-20,10:00:02,100\n"
      + "2026-11-20,10:00:03.000,101\n",
    "date,time,hr\n11/19/2026,10:00:00,60\n11/19/2026,10:00:01,61\n20/11/2026,10:00:02,100\n20/11/2026,10:00:03,101\n",
    "time,hr\n2026-11-19 10:00:00,60\n19.11.2026 10:00:01,61\n2026/11/20 10:00:02 AM,100\n2026-11-20T10:00:03,101\n",
  ]

  /// Tables whose instants are not clear.
  package static let refused: [(text: String, word: String)] = [
    ("when,time,hr\n2026-11-19,10:00:00,60\n2026-11-20,10:00:01,61\n", "name it “date”"),
    ("date,time,hr\nMonday,10:00:00,60\nTuesday,10:00:01,61\n", "is not one such as 2026-11-19"),
    ("date,time,hr\n11/10/2026,10:00:00,60\n11/10/2026,10:00:01,61\n", "is not one such as 2026-11-19"),
    ("date,time,hr\n2026-02-30,10:00:00,60\n2026-02-30,10:00:01,61\n", "is not one such as 2026-11-19"),
    ("date,time,hr\n,10:00:00,60\n,10:00:01,61\n", "without a day"),
    ("date,time,hr\n2026-11-19,25:00:00,60\n2026-11-19,26:00:01,61\n", "time"),
  ]

  /// Headings of columns with times of day beside days, with the form of the times where it is another one.
  package static let clocks: [(heading: String, times: [String])] =
    [
      "Time (UTC)", "Time (CET)", "Time (h:m:s)", "time (h)", "time_local", "clock", "hour", "hhmm", "measured_at",
      "zeit_lokal", "Zeitpunkt", "x",
    ].map { ($0, ["10:00:00", "10:00:01", "10:00:02"]) } + [
      ("time_local", ["10:00:00+01:00", "10:00:01+01:00", "10:00:02+01:00"]),
      ("at", ["10.00.00", "10.00.01", "10.00.02"]),
      ("at", ["9:59 PM", "10:00 PM", "10:01 PM"]), ("at", ["10h00", "10h01", "10h02"]), ("hour", ["10", "10", "11"]),
      ("Time (UTC)", ["10.5", "10.51", "10.52"]), ("hhmm", ["1000", "1001", "1002"]),
    ]

  /// A table of days beside times of day in a column of another name.
  package static func days(_ clock: (heading: String, times: [String]), _ day: String = "date", _ rate: String = "hr")
    -> String
  {
    let days = ["2026-11-19", "2026-11-19", "2026-11-20"]
    let rows = zip(days, clock.times).enumerated().map { "\($1.0),\($1.1),\(60 + $0)\n" }
    return "\(day),\(clock.heading),\(rate)\n" + rows.joined()
  }

  /// Tables of days alone, whose other columns have no times of day.
  package static let daysAlone: [String] = [
    "date,hr\n2026-11-19,60\n2026-11-20,61\n",
    "time,hr,Zeit\n2026-11-19T00:00:00Z,60,3\n2026-11-20T00:00:00Z,61,4\n",
    "date,sleep_duration,hr\n2026-11-19,07:30,60\n2026-11-20,08:10,61\n",
    "date,timezone,hr\n2026-11-19,CET,60\n2026-11-20,CET,61\n",
    "date,time_point,hr\n2026-11-19,1,60\n2026-11-20,2,61\n",
    "date,note,age,hr\n2026-11-19,after 10:00,24,60\n2026-11-20,,24,61\n",
  ]

  /// Days in spellings that are not read: those of two days.
  package static let spellings: [(first: String, second: String)] = [
    ("19-Nov-2026", "20-Nov-2026"), ("19.11.26", "20.11.26"), ("20261119", "20261120"), ("11/9/2026", "11/10/2026"),
    ("19/11/26", "20/11/26"), ("Nov 19 2026", "Nov 20 2026"), ("19. November 2026", "20. November 2026"),
    ("Thu 19 Nov 2026", "Fri 20 Nov 2026"), ("26-11-19", "26-11-20"), ("19Nov2026", "20Nov2026"),
    ("2026_11_19", "2026_11_20"),
    ("Thursday", "Friday"),
  ]

  /// Texts beside times of day that are no days.
  package static let noDays: [(first: String, second: String)] = [
    ("1.2.10", "1.2.10"), ("20261119", "20261119"), ("1", "2"), ("rest", "music"), ("120/80", "118/79"),
    ("trial-1", "trial-2"), ("0.5", "1.5"), ("may-be", "never"), ("99.99.99", "98.99.99"), ("12345678", "12345679"),
    ("2b4", "3b4"), ("P01", "P02"), ("v1.2", "v1.3"),

  ]

  /// A table with texts in a column of unknown name beside times of day.
  package static func clocks(beside texts: (first: String, second: String)) -> String {
    "measured,time,hr\n\(texts.first),10:00:00,60\n\(texts.first),10:00:01,61\n\(texts.second),10:00:02,100\n"
      + "\(texts.second),10:00:03,101\n"
  }
}
