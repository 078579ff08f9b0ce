import Foundation
import TestSupport
import Testing

@Suite("Commands that write into the store, and are refused")
struct RefusedWritingTests {
  static let uuid = "00000000-0000-4000-8000-000000000001"

  @Test(
    "leave the results folder empty",
    arguments: [
      ["log", "height", "175m"], ["log", "height", "175"], ["log", "height", "175 kg"], ["log", "nosuch", "1 count"],
      ["log", "food", "Apple", "--energy", "1e9kcal"], ["log", "heartRate", "60 count/min", "--client", "app"],
      ["log", "stepCount", "5 count", "--at", "2026-01-01", "--until", "2026-02-01"],
      ["log", "dateOfBirth", "1990-02-31"], ["store", "import", "nosuch.csv"], ["store", "import", "text.csv"],
      ["store", "import", "rows.csv"], ["store", "add", "nosuch"], ["store", "add"],
      ["store", "authorize", "app", "nosuch", "--share", "yes"], ["store", "authorize", "app", "heartRate"],
      ["store", "authorize", "", "heartRate", "--share", "yes"], ["store", "authorize"],
      ["store", "priority", "watch"],
      ["store", "delete", uuid], ["store", "delete", "--participant", "p1"], ["store", "profile"],
      ["log", "height", "175cm", "--site", String(repeating: "s", count: 1025)],
      ["store", "rebuild", "--results", "nosuch"],
    ])
  func refused(words: [String]) async throws {
    let bench = try Bench()
    try FileManager.default.createDirectory(atPath: bench.scratch["results"], withIntermediateDirectories: false)
    try bench.write("nothing that is a table\n", to: "text.csv")
    try bench.write("time,value,unit,type\n2026-01-02T08:00:00Z,NaN,count/min,heartRate\n", to: "rows.csv")
    let (status, _, complaints) = try await bench.run(words)
    #expect(status != 0 && !complaints.isEmpty)
    let left = try FileManager.default.contentsOfDirectory(atPath: bench.scratch["results"])
    #expect(left == [], "\(complaints)")
    #expect(!FileManager.default.fileExists(atPath: bench.scratch["nosuch"]))
  }

  @Test(
    "make a store when they are not refused",
    arguments: [
      ["log", "height", "175cm"], ["log", "biologicalSex", "female"], ["store", "import", "rows.csv"],
      ["store", "authorize", "app", "heartRate", "--share", "yes"],
    ])
  func taken(words: [String]) async throws {
    let bench = try Bench()
    try FileManager.default.createDirectory(atPath: bench.scratch["results"], withIntermediateDirectories: false)
    try bench.write("time,value,unit,type\n2026-01-02T08:00:00Z,61,count/min,heartRate\n", to: "rows.csv")
    let (status, _, complaints) = try await bench.run(words)
    #expect(status == 0, "\(complaints)")
    #expect(bench.names(in: "results").contains("station.sqlite"))
  }
}
