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
}
