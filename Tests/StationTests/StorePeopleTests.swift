import Basics
import Foundation
import TestSupport
import Testing

@Suite("What people type into the store, and what they read")
struct StorePeopleTests {
  let bench: Bench

  init() throws {
    bench = try Bench()
    try FileManager.default.createDirectory(atPath: bench.scratch["results"], withIntermediateDirectories: false)
  }

  private func station(_ words: String..., status: Int32 = 0) async throws -> String {
    let (ended, output, complaints) = try await bench.run(words)
    #expect(ended == status, "\(words): \(complaints)")
    return status == 0 ? output : complaints
  }

  @Test("A percent is a hundredth for people and in tables, and a fraction in JSON")
  func percent() async throws {
    #expect(try await station("log", "oxygenSaturation", "98%").hasPrefix("oxygenSaturation: 98 %"))
    #expect(try await station("query", "oxygenSaturation").contains("98 %"))
    #expect(try await station("query", "oxygenSaturation", "--csv").contains(",98.0,%,"))
    let sample = try JSONReader.read(Array(try await station("query", "oxygenSaturation", "--json").utf8)).value
    #expect(sample["value"]?.number == 0.98)
    #expect(try await station("stats", "oxygenSaturation", "--csv", "--max").contains(",98.0,1"))
  }

  @Test("A value comes back as it was written", arguments: ["62", "57", "110.3", "47.1"])
  func written(value: String) async throws {
    _ = try await station("log", "heartRate", "\(value) count/min")
    let sample = try JSONReader.read(Array(try await station("query", "heartRate", "--json").utf8)).value
    #expect(sample["value"]?.number == Double(value))
    let table = try await station("stats", "heartRate", "--csv", "--max", "--min")
    let number = try #require(Double(value))
    #expect(table.contains(",\(number),\(number),1\n"), "\(table)")
  }

  @Test(
    "What nobody can have is logged only where it is meant",
    arguments: [
      ["height", "175m"], ["heartRate", "72000", "count/min"], ["rrInterval", "812s"], ["dateOfBirth", "2090-01-01"],
    ])
  func implausible(words: [String]) async throws {
    let refused = try await bench.run(["log"] + words)
    #expect(refused.status == 2 && refused.complaints.contains("implausible"), "\(refused.complaints)")
    #expect(try await bench.run(["log"] + words + ["--yes"]).status == 0)
  }

  @Test("Food has a name, which is shown")
  func food() async throws {
    for name in ["", " "] { #expect(try await bench.run(["log", "food", name, "--energy", "95kcal"]).status == 2) }
    _ = try await station("log", "food", "Apple", "pie", "--energy", "95kcal")
    #expect(try await station("query", "dietaryEnergyConsumed").contains("  Apple pie\n"))
  }

  @Test("Times are read with an offset and without seconds, and as they are spoken")
  func times() async throws {
    for (place, time) in ["2026-01-02T08:00Z", "2026-01-02T09:00+01:00", "3 days ago"].enumerated() {
      _ = try await station("log", "bodyMass", "\(70 + place)", "kg", "--at", time)
    }
    let old = try await station("query", "bodyMass", "--to", "2026-01-03", "--time-zone", "UTC")
    #expect(old.split(separator: "\n").allSatisfy { $0.hasPrefix("2026-01-02T08:00:00.000+00:00") })
    #expect(try await station("query", "bodyMass", "--from", "7 days ago").contains("72 kg"))
    #expect(try await bench.run(["query", "bodyMass", "--from", "7 fortnights ago"]).status == 2)
  }

  @Test("Statistics for programs have the zone's times, and the zone")
  func zones() async throws {
    _ = try await station("log", "bodyMass", "70kg", "--at", "2026-11-15T18:00Z")
    let csv = try await station("stats", "bodyMass", "--every", "day", "--csv", "--time-zone", "Asia/Tokyo")
    #expect(csv.split(separator: "\n")[0].hasPrefix("start,end,timeZone,source,"))
    #expect(csv.contains("2026-11-16T00:00:00.000+09:00,2026-11-17T00:00:00.000+09:00,Asia/Tokyo,"), "\(csv)")
    let json = try JSONReader.read(
      Array(
        try await station("stats", "bodyMass", "--every", "day", "--json", "--time-zone", "Asia/Tokyo").utf8)
    ).value
    #expect(json["statistics"]?.array?.first?["startDate"]?.string == "2026-11-16T00:00:00.000+09:00")
    #expect(json["timeZone"]?.string == "Asia/Tokyo")
  }

  @Test("A table's participants are kept, written and compared")
  func participants() async throws {
    try bench.write(
      "time,hr,participant\n2026-01-01T10:00:00Z,60,p01\n2026-01-01T10:00:00Z,80,p02\n2026-01-01T10:00:05Z,70,p01\n",
      to: "hr.csv")
    _ = try await station("store", "import", "hr.csv")
    let rows = try await station("query", "heartRate", "--csv").split(separator: "\n")
    #expect(rows[0].hasSuffix("device,participant,session,trial,step,clip,recorder,metadata"))
    #expect(rows.dropFirst().count { $0.hasSuffix(",p01,,,,,,") } == 2, "\(rows)")
    let groups = try await station("stats", "heartRate", "--by", "participant", "--max", "--csv").split(separator: "\n")
    #expect(groups.map { $0.split(separator: ",").first } == ["participant", "p01", "p02"])
    #expect(
      groups.map { $0.split(separator: ",").suffix(2).joined(separator: ",") } == ["max,samples", "70.0,2", "80.0,1"])
  }

  @Test("What is known of a person is shown, and energy takes what was known by then, with its date")
  func profile() async throws {
    _ = try await station("log", "dateOfBirth", "1996-01-01")
    _ = try await station("log", "biologicalSex", "male")
    _ = try await station("log", "height", "175 cm", "--at", "2026-01-01T07:00Z")
    _ = try await station("log", "bodyMass", "70kg", "--at", "2026-01-05T07:00Z")
    let profile = try JSONReader.read(Array(try await station("store", "profile", "--json").utf8)).value
    #expect(profile["dateOfBirth"]?.string == "1996-01-01" && profile["biologicalSex"]?.string == "male")
    #expect(profile["bodyMass"]?["value"]?.number == 70)
    #expect(try await station("store", "profile").contains("body mass: 70 kg, 2026-01-05"))
    let early = try await station("energy", "--date", "2026-01-02", "--time-zone", "UTC", status: 1)
    #expect(early.contains("70 kg is known only from 2026-01-05"), "\(early)")
    #expect(early.contains("“station log bodyMass 60kg --at 2026-01-02”"), "\(early)")
    let later = try await station("energy", "--date", "2026-01-06", "--time-zone", "UTC")
    #expect(later.contains("body mass 70 kg of 2026-01-05 and height 1.75 m of 2026-01-01"), "\(later)")
  }

  @Test("A password that everybody would see is refused, and never repeated")
  func passwords() async throws {
    for store in [
      "postgresql://me:s3cret@host/base", "host=nowhere password=s3cret", "postgresql://h/b?password=s3cret",
    ] {
      let text = try await station("query", "heartRate", "--store", store, status: 2)
      #expect(text.contains("PGPASSFILE") && !text.contains("s3cret"), "\(text)")
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: bench.path).allSatisfy { !$0.contains("host=") })
  }

  @Test("Samples are deleted by their time, and chosen by their metadata")
  func deleted() async throws {
    for day in 1...4 { _ = try await station("log", "bodyMass", "7\(day)kg", "--at", "2026-01-0\(day)T07:00Z") }
    #expect(
      try await station("store", "delete", "--from", "2026-01-02", "--to", "2026-01-04", "--time-zone", "UTC")
        .contains("deleted 2 of bodyMass"))
    #expect(try await station("query", "bodyMass").split(separator: "\n").count == 2)
    #expect(
      try await station("query", "bodyMass", "--metadata", "HKWasUserEntered=true").split(separator: "\n").count == 2)
    #expect(try await station("query", "bodyMass", "--metadata", "station.clip") == "no samples of bodyMass\n")
  }
}
