import Basics
import Foundation
import TestSupport
import Testing

@Suite("Importing on the command line")
struct StoreImportTests {
  let bench: Bench

  init() throws {
    bench = try Bench()
    try FileManager.default.createDirectory(atPath: bench.scratch["results"], withIntermediateDirectories: false)
  }

  /// Runs a command that has to succeed, and returns what it printed.
  @discardableResult
  private func station(_ words: String...) async throws -> String {
    let (status, output, complaints) = try await bench.run(words)
    #expect(status == 0, "\(words): \(complaints)")
    return output
  }

  private func samples(_ words: String...) async throws -> [JSONValue] {
    let (status, output, complaints) = try await bench.run(["query"] + words + ["--json"])
    #expect(status == 0, "\(words): \(complaints)")
    return try output.split(separator: "\n").map { try JSONReader.read(Array($0.utf8)).value }
  }

  private static func export(_ records: String...) -> String {
    """
    <?xml version="1.0" encoding="UTF-8"?>
    <HealthData locale="en_GB">
     <Me HKCharacteristicTypeIdentifierDateOfBirth="1990-01-02" \
    HKCharacteristicTypeIdentifierBiologicalSex="HKBiologicalSexFemale"/>
    \(records.joined(separator: "\n"))
    </HealthData>

    """
  }

  private static func record(
    _ type: String, _ unit: String, _ value: String, source: String = "Watch", _ entries: [String: String] = [:]
  ) -> String {
    let inside = entries.sorted { $0.key < $1.key }.map { "<MetadataEntry key=\"\($0.key)\" value=\"\($0.value)\"/>" }
    return """
       <Record type="HKQuantityTypeIdentifier\(type)" sourceName="\(source)" unit="\(unit)" \
      creationDate="2026-01-02 08:00:05 +0100" startDate="2026-01-02 08:00:00 +0100" \
      endDate="2026-01-02 08:00:00 +0100" value="\(value)">\(inside.joined())</Record>
      """
  }

  private static let row = "2026-01-02T08:00:00Z,61,count/min,heartRate\n"

  @Test("A table under another name holds the same samples: those of the store stay, and those behind come in")
  func renamed() async throws {
    try bench.write("time,value,unit,type\n" + Self.row, to: "watch.csv")
    try bench.write(
      "time,value,unit,type\n" + Self.row + Self.row.replacing("08:00:00", with: "08:00:01"), to: "watch (1).csv")
    let first = try await station("store", "import", "watch.csv")
    #expect(first.contains("1 sample read, 1 of them new"))
    for added in [1, 0] {
      let output = try await station("store", "import", "watch (1).csv")
      #expect(output.contains("2 samples read, \(added) of them new"), "\(output)")
      #expect(output.contains("1 are already in the store with another value or metadata"))
    }
    #expect(try await samples("heartRate").count == 2)
  }

  @Test("A file of nobody's is another than the same file of a participant, and two participants' are two")
  func participants() async throws {
    let sync = ["HKMetadataKeySyncIdentifier": "2026-01-02", "HKMetadataKeySyncVersion": "1"]
    try bench.write(Self.export(Self.record("StepCount", "count", "500", sync)), to: "p01.xml")
    try bench.write(
      Self.export(Self.record("StepCount", "count", "700", sync.merging(["HKMetadataKeySyncVersion": "2"]) { $1 })),
      to: "p02.xml")
    for added in [1, 0] {
      for words in [["p01.xml"], ["p01.xml", "--participant", "p01"], ["p02.xml", "--participant", "p02"]] {
        let (status, output, complaints) = try await bench.run(["store", "import"] + words)
        #expect(status == 0, "\(complaints)")
        #expect(output.contains("1 sample read, \(added) of them new"), "\(words): \(output)")
      }
    }
    #expect(try await samples("stepCount").count == 3)
    let own = try await samples("stepCount", "--participant", "p01")
    #expect(own.map { $0["value"]?.number } == [500])
    // A later version replaces that of its own participant.
    #expect(try await station("store", "import", "p02.xml", "--participant", "p01").contains("1 of them new"))
    #expect(try await samples("stepCount", "--participant", "p01").map { $0["value"]?.number } == [700])
    #expect(try await samples("stepCount", "--participant", "p02").map { $0["value"]?.number } == [700])
  }

  @Test("Two foods of one energy at one second are two; a later export that says more of a record changes nothing")
  func foods() async throws {
    let apple = Self.record("DietaryEnergyConsumed", "kcal", "95", ["HKFoodType": "Apple"])
    let pear = Self.record("DietaryEnergyConsumed", "kcal", "95", ["HKFoodType": "Pear"])
    let more = Self.record("DietaryEnergyConsumed", "kcal", "95", ["HKFoodType": "Apple", "Meal": "breakfast"])
    try bench.write(Self.export(apple, pear), to: "food.xml")
    try bench.write(Self.export(more, pear), to: "later.xml")
    for added in [2, 0] {
      #expect(try await station("store", "import", "food.xml").contains("2 samples read, \(added) of them new"))
    }
    for _ in 0..<2 {
      let output = try await station("store", "import", "later.xml")
      #expect(output.contains("2 samples read, 0 of them new"))
      #expect(output.contains("1 are already in the store"))
    }
    let kept = try await samples("dietaryEnergyConsumed").map { $0["metadata"]?["HKFoodType"]?.string }
    #expect(Set(kept) == ["Apple", "Pear"])
  }

  @Test("What the store lists as a table comes back with its source, into this store and into another one")
  func ownTable() async throws {
    let strange = "a\u{200E}\u{85}b, “\u{202E}”"
    try bench.write(
      "time,value,unit,type,source\n2026-01-02T08:00:00Z,61,count/min,heartRate,\"\(strange)\"\n", to: "watch.csv")
    try await station("store", "import", "watch.csv")
    let table = try await station("query", "heartRate", "--csv")
    #expect(table.contains(strange))
    try bench.write(table, to: "all.csv")
    for _ in 0..<2 {
      #expect(try await station("store", "import", "all.csv").contains("1 sample read, 0 of them new"))
    }
    try await station("store", "import", "all.csv", "--store", "other.sqlite")
    #expect(try await station("query", "heartRate", "--csv", "--store", "other.sqlite") == table)
    // A program gets the text as it is, a terminal does not.
    #expect(try await samples("heartRate").first?["source"]?.string == strange)
    #expect(try await !station("query", "heartRate").contains("\u{202E}"))
    let statistics = try await station("stats", "heartRate", "--by-source", "--json")
    let sources = try JSONReader.read(Array(statistics.utf8)).value["statistics"]?.array?.first?["bySource"]?.array
    #expect(sources?.first?["name"]?.string == strange)
    #expect(try await station("stats", "heartRate", "--by-source", "--csv").contains(strange))
  }

  @Test("An Open mHealth point that was sent again with another value does not stop the import, and is reported")
  func corrected() async throws {
    func point(_ value: Int, _ id: String) -> String {
      """
      {"header":{"id":"\(id)","schema_id":{"namespace":"omh","name":"heart-rate","version":"2.0"},"user_id":"P01"},\
      "body":{"heart_rate":{"value":\(value),"unit":"beats/min"},\
      "effective_time_frame":{"date_time":"2026-11-20T11:00:0\(value % 10)+01:00"}}}

      """
    }
    try bench.write(point(61, "a"), to: "one.json")
    try bench.write(point(62, "a") + point(63, "b"), to: "two.json")
    try await station("store", "import", "one.json")
    for added in [1, 0] {
      let output = try await station("store", "import", "two.json")
      #expect(output.contains("2 samples read, \(added) of them new"))
      #expect(output.contains("1 are already in the store"))
    }
    #expect(try await samples("heartRate", "--participant", "P01").map { $0["value"]?.number } == [61, 63])
  }

  @Test("A record that cannot be kept is reported with its line, the others come in, and the status says so")
  func refusals() async throws {
    let long = String(repeating: "x", count: 1025)
    try bench.write(
      "start,end,value,unit,type,source\n2026-01-01T00:00:00Z,2026-01-05T00:00:01Z,1,count,stepCount,a\n"
        + "2026-01-01T00:00:00Z,,2,count,stepCount,\(long)\n2026-01-01T00:00:00Z,,3,count,stepCount,a\n",
      to: "rows.csv")
    try bench.write("time,value,unit,type\n", to: "empty.csv")
    try bench.write("time,value,unit,type\n" + Self.row, to: "good.csv")
    let (status, output, complaints) = try await bench.run(["store", "import", "rows.csv", "empty.csv", "good.csv"])
    #expect(status == 1)
    #expect(complaints.contains("rows.csv:2: startDate"))
    #expect(complaints.contains("rows.csv:3: the source's bundle identifier has 1031 bytes, more than 1024"))
    #expect(complaints.contains("empty.csv: no samples found"))
    #expect(output.contains("rows.csv: 1 sample read, 1 of them new; 2 records could not be read"))
    #expect(output.contains("good.csv: 1 sample read, 1 of them new\n"))
  }

  @Test("What an export says of the person is kept where nothing was known; a contradiction is reported")
  func person() async throws {
    try bench.write(Self.export(Self.record("HeartRate", "count/min", "61")), to: "export.xml")
    try await station("log", "dateOfBirth", "1991-01-02", "--participant", "p1")
    let first = try await bench.run(["store", "import", "export.xml", "--participant", "p1"])
    #expect(first.output.contains("biological sex of p1: female, from the file"))
    #expect(first.complaints.contains("the date of birth of p1 is 1991-01-02 in the store and 1990-01-02 in the file"))
    let other = try await station("store", "import", "export.xml", "--participant", "p2")
    #expect(other.contains("date of birth of p2: 1990-01-02, from the file"))
    let energy = try await bench.run(["energy", "--participant", "p2", "--results", "results"])
    #expect(energy.complaints.contains("missing height, body mass"), "\(energy.complaints)")
    #expect(
      energy.complaints.contains(
        "set them with “station log height 170cm --participant p2 --results results”, "
          + "“station log bodyMass 60kg --participant p2 --results results”"))
    #expect(!energy.complaints.contains("dateOfBirth"))
  }

  @Test("Local times are those of a zone with its summer time, a comma is a decimal mark where it is said")
  func tables() async throws {
    try bench.write(
      "time\tvalue\n2026-07-01 10:00\t36,5\n2026-01-02\t36,6\n2026-11-20 11:08:31 +0100\t36,7\n", to: "rows.tsv")
    try await station(
      "store", "import", "rows.tsv", "--type", "bodyTemperature", "--unit", "degC", "--time-zone", "Europe/Amsterdam",
      "--decimal", "comma")
    let kept = try await samples("bodyTemperature", "--unit", "degC")
    #expect(
      kept.map { $0["startDate"]?.string } == [
        "2026-01-01T23:00:00.000Z", "2026-07-01T08:00:00.000Z", "2026-11-20T10:08:31.000Z",
      ])
    #expect(kept.map { $0["metadata"]?["HKTimeZone"]?.string } == Array(repeating: "Europe/Amsterdam", count: 3))
    for (words, reason) in [
      (["--offset", "+01:00", "--time-zone", "UTC"], "--offset and --time-zone cannot be combined"),
      (["--offset", ".5+01:00"], "invalid value “.5+01:00”"), (["--offset", "z"], "invalid value “z”"),
      (["--decimal", "dot"], "invalid value “dot” for --decimal; there are “point”, “comma”"),
      (["--type", "bodyTemprature"], "did you mean “bodyTemperature”?"),
    ] {
      let (status, _, complaints) = try await bench.run(["store", "import", "rows.tsv"] + words)
      #expect(status == 2 && complaints.contains(reason), "\(words): \(complaints)")
    }
  }

  @Test("Sources are put in order by the names that people type, and only those that there are")
  func priority() async throws {
    try bench.write(
      Self.export(
        Self.record("StepCount", "count", "5", source: "Anna’s\u{A0}Watch"),
        Self.record("StepCount", "count", "7", source: "Phone")), to: "export.xml")
    try await station("store", "import", "export.xml")
    let order = try await station("store", "priority", "Phone", "Anna's Watch")
    let watch = "Anna’s\u{A0}Watch"
    #expect(order.contains("1. Phone  apple-health:Phone\n2. \(watch)  apple-health:\(watch)"), "\(order)")
    #expect(try await samples("stepCount", "--source", "Anna's Watch").map { $0["value"]?.number } == [5])
    let wrong = try await bench.run(["store", "priority", "Phonne"])
    #expect(wrong.status == 1 && wrong.complaints.contains("did you mean “Phone”?"))
    #expect(try await station("store", "types").contains("apple-health:Phone"))
    let types = try JSONReader.read(Array(try await station("store", "types", "--count", "--json").utf8)).value
    #expect(types.array?.first?["samples"]?.integer == 2)
    #expect(types.array?.first?["firstStartDate"]?.string == "2026-01-02T07:00:00.000Z")
    #expect(try await station("store", "priority", "--clear").contains("no order"))
  }

  @Test("Everything of a participant who withdraws is deleted; a UUID that is not there is named, and nothing goes")
  func withdrawal() async throws {
    try bench.write(
      Self.export(Self.record("HeartRate", "count/min", "61"), Self.record("StepCount", "count", "5", source: "Phone")),
      to: "export.xml")
    for code in ["p1", "p2"] { try await station("store", "import", "export.xml", "--participant", code) }
    let logged = try await station("log", "height", "175cm", "--participant", "p2")
    let uuid = try #require(logged.split(separator: " ").last?.trimmingCharacters(in: .whitespacesAndNewlines))
    let none = "019a9c2e-5d42-7cc3-98c4-dc0c0c07398f"
    let refused = try await bench.run(["store", "delete", uuid, none])
    #expect(refused.status == 1 && refused.complaints.contains("\(none); nothing was deleted"))
    #expect(try await station("store", "delete", uuid) == "deleted 1\n")
    let deleted = try await station("store", "delete", "--participant", "p1")
    #expect(deleted == "deleted 1 of heartRate\ndeleted 1 of stepCount\n")
    #expect(try await samples("heartRate").map { $0["metadata"]?["station.participant"]?.string } == ["p2"])
    let energy = try await bench.run(["energy", "--participant", "p1"])
    #expect(energy.complaints.contains("date of birth, biological sex"))
    #expect(try await station("store", "delete", "--source", "Phone") == "deleted 1 of stepCount\n")
    #expect(try await bench.run(["store", "delete"]).status == 2)
    #expect(try await bench.run(["store", "delete", uuid, "--type", "height"]).status == 2)
  }

  @Test("Columns stand where characters are wide or have no width, and a value below zero is not an option")
  func columns() async throws {
    let names = ["音楽", "e\u{301}t", "🎵x", "abc"]
    for (index, name) in names.enumerated() {
      let row = Self.row.replacing("08:00:00", with: "08:00:0\(index)")
      try bench.write("time,value,unit,type\n" + row, to: "row.csv")
      try await station("store", "import", "row.csv", "--source", name)
    }
    let lines = try await station("store", "types").split(separator: "\n").map(String.init)
    for name in names {
      let line = try #require(lines.first { $0.contains("table:\(name)") })
      let width = name == "音楽" ? 4 : name == "🎵x" ? 3 : name.count
      let gap = line.components(separatedBy: "table:")[0].components(separatedBy: name)[1].count
      #expect(width + gap == 8, "\(line)")
    }
    let change = try await bench.run(["log", "bodyTemperature", "-0.5degC", "--yes"])
    #expect(change.status == 0, "\(change.complaints)")
  }

  @Test("A series of heartbeats is a table of its beats")
  func beats() async throws {
    let record = """
       <Record type="HKQuantityTypeIdentifierHeartRateVariabilitySDNN" sourceName="Watch" unit="ms" \
      startDate="2026-11-20 22:04:06 +0100" endDate="2026-11-20 22:05:05 +0100" value="45.5">\
      <InstantaneousBeatsPerMinute bpm="60" time="10:04:07.00 PM"/>\
      <InstantaneousBeatsPerMinute bpm="60" time="10:04:08.00 PM"/></Record>
      """
    try bench.write(Self.export(record), to: "export.xml")
    try await station("store", "import", "export.xml")
    let table = try await station("query", "heartbeatSeries", "--csv").split(separator: "\n")
    #expect(table.first == "uuid,startDate,time_s,precededByGap")
    #expect(
      table.dropFirst().map { String($0.drop { $0 != "," }) } == [
        ",2026-11-20T21:04:06.000Z,1.0,false", ",2026-11-20T21:04:06.000Z,2.0,false",
      ])
  }

  @Test("A file among the bundles and a bundle that is broken stand in no other bundle's way")
  func ingest() async throws {
    let trial = try await bench.run(bench.trial())
    #expect(trial.status == 0 || trial.status == 4, "\(trial.complaints)")
    let count = try await samples("heartRate").count
    #expect(count > 0)
    try bench.write("x", to: "results/bundles/.DS_Store")
    try FileManager.default.createDirectory(
      atPath: bench.scratch["results/bundles/0broken"], withIntermediateDirectories: false)
    for name in ["", "-wal", "-shm"] {
      try? FileManager.default.removeItem(atPath: bench.scratch["results/station.sqlite\(name)"])
    }
    let recovered = try await bench.run(["recover"])
    #expect(recovered.complaints.contains("0broken"), "\(recovered.complaints)")
    #expect(!recovered.complaints.contains("DS_Store"))
    #expect(try await samples("heartRate").count == count)
  }
}
