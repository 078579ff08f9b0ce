import Basics
import Foundation
import TestSupport
import Testing

@Suite("The sample store on the command line")
struct StoreCommandTests {
  let bench: Bench

  init() throws {
    bench = try Bench()
    try FileManager.default.createDirectory(atPath: bench.scratch["results"], withIntermediateDirectories: false)
  }

  /// Runs a command that has to succeed, and returns what it printed.
  private func station(_ words: String...) async throws -> String {
    let (status, output, complaints) = try await bench.run(words)
    #expect(status == 0, "\(words): \(complaints)")
    return output
  }

  private func json(_ words: String...) async throws -> JSONValue {
    let (_, output, _) = try await bench.run(words)
    return try JSONReader.read(Array(output.utf8)).value
  }

  @Test("What is logged by hand is queried, summed up and balanced as the tutorial does")
  func energy() async throws {
    _ = try await station("log", "dateOfBirth", "1996-01-01")
    _ = try await station("log", "biologicalSex", "male")
    _ = try await station("log", "bodyMass", "70kg", "--at", "2026-01-02T07:00:00Z")
    _ = try await station("log", "height", "175 cm", "--at", "2026-01-02T07:00:00Z")
    for (name, energy, time) in [("Apple", "95kcal", "08:00"), ("Bread", "1046kJ", "12:00")] {
      _ = try await station("log", "food", name, "--energy", energy, "--at", "2026-01-02T\(time):00Z")
    }
    // 66 + 13.8 × 70 + 5 × 175 − 6.8 × 30, the facts' vector; 250 kcal are 1046 kJ.
    let day = try await json("energy", "--date", "2026-01-02", "--time-zone", "UTC", "--json")
    #expect(day["resting"]?.number == 1703)
    #expect(abs(try #require(day["consumed"]?.number) - 345) < 1e-9)
    #expect(abs(try #require(day["net"]?.number) - (345 - 1703)) < 1e-9)
    let text = try await station("energy", "--date", "2026-01-02", "--time-zone", "UTC")
    #expect(text.contains("resting      1,703 kcal"))
    #expect(text.contains("net         −1,358 kcal"))
    let mass = try await station("query", "bodyMass", "--time-zone", "Europe/Amsterdam")
    #expect(mass == "2026-01-02T08:00:00.000+01:00          70 kg  station log\n")
  }

  @Test("Energy says by name what is missing of a person, and how it is set")
  func missing() async throws {
    _ = try await station("log", "height", "175cm")
    let (status, _, complaints) = try await bench.run(["energy"])
    #expect(status == 1)
    #expect(complaints.contains("missing date of birth, biological sex, body mass"))
    #expect(complaints.contains("“station log dateOfBirth 1990-05-31”"))
  }

  @Test("A participant's values are that participant's alone")
  func participants() async throws {
    _ = try await station("log", "bodyMass", "70kg", "--participant", "p1")
    _ = try await station("log", "bodyMass", "80kg", "--participant", "p2")
    let values = try await json("stats", "bodyMass", "--participant", "p2", "--json")
    #expect(values["statistics"]?.array?.first?["average"]?.number == 80)
    #expect(values["statistics"]?.array?.first?["samples"]?.integer == 1)
  }

  @Test("A server keeps what is logged for each site, and cannot be put aside")
  func server() async throws {
    let url = try await PostgresServer.shared.url()
    let (one, two) = ("one \(UUID())", "two \(UUID())")
    _ = try await station("log", "bodyMass", "70kg", "--store", url, "--site", one)
    _ = try await station("log", "bodyMass", "80kg", "--store", url, "--site", two)
    let values = try await json("stats", "bodyMass", "--json", "--store", url, "--site", two)
    #expect(values["statistics"]?.array?.first?["average"]?.number == 80)
    #expect(values["statistics"]?.array?.first?["samples"]?.integer == 1)
    let (status, _, complaints) = try await bench.run(["store", "rebuild", "--from-scratch", "--store", url])
    #expect(status == 1 && complaints.contains("cannot move a store on a server aside"))
    let secret = "postgresql://somebody:s3cret@/none?host=/nowhere"
    let (failed, _, reason) = try await bench.run(["query", "heartRate", "--store", secret])
    #expect(failed == 2 && reason.contains("list of processes"), "\(reason)")
    #expect(!reason.contains("s3cret"), "\(reason)")
  }

  @Test("A finished trial's samples are in the store, once, and with its clip; adding it again changes nothing")
  func trial() async throws {
    let (status, _, complaints) = try await bench.run(bench.trial())
    #expect(status == 0 || status == 4, "\(complaints)")
    let bundle = try #require(bench.bundles().first)
    let result = try bench.result(bundle)
    let count = try #require(result["recordings"]?.array?.first?["samples"]?.integer)
    let first = try await station("query", "heartRate", "--json").split(separator: "\n")
    #expect(first.count == count)
    let sample = try JSONReader.read(Array(first[0].utf8)).value
    #expect(sample["metadata"]?["station.clip"]?.string == result["clip"]?["name"]?.string)
    #expect(sample["metadata"]?["station.participant"]?.string == "p1")
    #expect(try await station("store", "add", bundle).contains("added 0 bundles"))
    #expect(try await station("query", "heartRate", "--json").split(separator: "\n").count == count)
    #expect(try await station("store", "types").contains("heartbeatSeries"))
    // A store that was lost is made again from the bundles.
    for name in ["", "-wal", "-shm"] {
      try? FileManager.default.removeItem(atPath: bench.scratch["results/station.sqlite\(name)"])
    }
    #expect(try await station("store", "rebuild").contains("1 bundle; "))
    #expect(try await station("query", "heartRate", "--json").split(separator: "\n") == first)
  }

  @Test("A trial in the store is named by the beginning of its identifier; several and none are reported")
  func trialBeginnings() async throws {
    for _ in 1...2 { #expect(try await [0, 4].contains(bench.run(bench.trial()).status)) }
    let trials = try bench.bundles().map { try #require(bench.result($0)["trial"]?.string) }.sorted()
    try #require(trials.count == 2)
    let common = zip(trials[0], trials[1]).prefix { $0 == $1 }.count
    for command in [["query", "heartRate"], ["stats", "heartRate"]] {
      let whole = try await bench.run(command + ["--trial", trials[1], "--json"])
      let beginning = String(trials[1].prefix(common + 1))
      for beginning in [beginning, beginning.uppercased()] {
        let short = try await bench.run(command + ["--trial", beginning, "--json"])
        #expect(short.status == 0 && !short.output.isEmpty && short.output == whole.output, "\(short)")
      }
      let several = try await bench.run(command + ["--trial", String(trials[0].prefix(common))])
      #expect(several.status == 1 && trials.allSatisfy { several.complaints.contains($0) }, "\(several)")
      let none = try await bench.run(command + ["--trial", "f299"])
      #expect(none.status == 1 && none.complaints.contains("the store has no samples of a trial “f299”"), "\(none)")
    }
    let other = try await bench.run(["query", "heartRate", "--trial", "0299a000-0000-7000-8000-00000000000a"])
    #expect(other.status == 0 && other.output == "no samples of heartRate\n", "\(other)")
  }

  @Test("Heart data that are no longer those of the trial do not come into the store, and are reported")
  func changed() async throws {
    #expect(try await [0, 4].contains(bench.run(bench.trial()).status))
    let bundle = try #require(bench.bundles().first)
    try FileManager.default.removeItem(atPath: bench.scratch["results/station.sqlite"])
    let heart = URL(filePath: "\(bundle)/data/heart.json", relativeTo: URL(filePath: bench.path))
    try (String(contentsOf: heart, encoding: .utf8) + " ").write(to: heart, atomically: true, encoding: .utf8)
    let (status, _, complaints) = try await bench.run(["store", "add", bundle])
    #expect(status == 1)
    #expect(complaints.contains("“data/heart.json” has changed since the trial was finalised"), "\(complaints)")
    #expect(try await station("query", "heartRate", "--json").isEmpty)
  }

  @Test("A trial's samples say the station's time zone, where the sensor sat and how active the participant was")
  func context() async throws {
    let recorder = Bench.recorder("hr", "heartRate", "count/min")
      .replacing(" }", with: #", "motionContext": "sedentary" }"#)
    try bench.write(Bench.music(seconds: 1, recorders: [recorder]), to: "still.json")
    let words = bench.trial(of: "still.json", sensors: ["heartRate=\(Bench.steady)?location=chest"])
    let trial = try await bench.run(words, environment: ["TZ": "Europe/Amsterdam"])
    #expect(trial.status == 0 || trial.status == 4, "\(trial.complaints)")
    let bundle = try #require(bench.bundles().first)
    #expect(try bench.result(bundle)["station"]?["timeZone"]?.string == "Europe/Amsterdam")
    let lines = try await station("query", "heartRate", "--json").split(separator: "\n")
    #expect(!lines.isEmpty)
    for line in lines {
      let metadata = try JSONReader.read(Array(line.utf8)).value["metadata"]
      #expect(metadata?["HKTimeZone"]?.string == "Europe/Amsterdam")
      #expect(metadata?["HKHeartRateSensorLocation"]?.number == 1)
      #expect(metadata?["HKMetadataKeyHeartRateMotionContext"]?.number == 1)
    }
  }

  @Test("A trial's samples go to a server where the station is reported one, and are asked for there")
  func serverTrial() async throws {
    let place = ["--store", try await PostgresServer.shared.url(), "--site", "bench-\(UUID())"]
    let trial = try await bench.run(bench.trial() + place)
    #expect(trial.status == 0 || trial.status == 4, "\(trial.complaints)")
    #expect(!trial.complaints.contains("the store was not updated"))
    let bundle = try #require(bench.bundles().first)
    let count = try #require(try bench.result(bundle)["recordings"]?.array?.first?["samples"]?.integer)
    let kept = try await bench.run(["query", "heartRate", "--json"] + place)
    #expect(kept.output.split(separator: "\n").count == count, "\(kept.complaints)")
    #expect(!FileManager.default.fileExists(atPath: bench.scratch["results/station.sqlite"]))
  }

  @Test("A program sees its own samples, others' only with leave, and what it did stands in the audit")
  func authorization() async throws {
    _ = try await station("log", "heartRate", "72 count/min")
    let (status, _, complaints) = try await bench.run(["log", "heartRate", "60 count/min", "--client", "app"])
    #expect(status == 1)
    #expect(complaints.contains("Authorization not determined"))
    let unasked = try await bench.run(["query", "heartRate", "--client", "app"])
    #expect(unasked.status == 1)
    #expect(unasked.complaints.contains("Authorization not determined"))
    _ = try await station("store", "authorize", "app", "heartRate", "--share", "yes", "--read", "no")
    _ = try await station("log", "heartRate", "60 count/min", "--client", "app")
    #expect(try await station("query", "heartRate", "--client", "app").split(separator: "\n").count == 1)
    _ = try await station("store", "authorize", "app", "heartRate", "--read", "yes")
    #expect(try await station("query", "heartRate", "--client", "app").split(separator: "\n").count == 2)
    let audit = try await station("store", "audit")
    #expect(audit.contains("app     save    heartRate  notDetermined"))
    #expect(audit.contains("app     save    heartRate  allowed"))
    // What is the operator's has no client.
    let refused = try await bench.run(["store", "audit", "--client", "app"])
    #expect(refused.status == 2)
    #expect(refused.complaints.contains("“store audit” has no option --client; “store delete” has"))
    #expect(try await station("store", "authorize").contains("app      heartRate  yes   yes"))
    let decided = try await station("store", "authorize", "app", "heartRate")
    #expect(decided == "app: heartRate: save yes, read yes\n")
  }

  @Test("A table is imported once, and each row that cannot be read is reported with its line")
  func tables() async throws {
    try bench.write(
      "time,value,unit,type\n2026-01-02T08:00:00Z,61,count/min,heartRate\n2026-01-02T08:00:01Z,NaN,count/min,heartRate\n",
      to: "watch.csv")
    let first = try await bench.run(["store", "import", "watch.csv"])
    #expect(first.output.contains("watch.csv: 1 sample read, 1 of them new; 1 record could not be read"))
    #expect(first.complaints.contains("watch.csv:3: the value “NaN” is not a number"))
    #expect(first.status == 1)
    let second = try await bench.run(["store", "import", "watch.csv"])
    #expect(second.output.contains("1 sample read, 0 of them new"))
    #expect(try await station("query", "heartRate", "--csv").split(separator: "\n").count == 2)
  }

  @Test("Days are those of the zone's calendar: 25 hours when its clocks go back")
  func days() async throws {
    for time in ["2018-10-27T12:00:00Z", "2018-10-28T22:30:00Z", "2018-10-28T23:30:00Z"] {
      _ = try await station("log", "heartRate", "60 count/min", "--at", time)
    }
    let days = try await json("stats", "heartRate", "--every", "day", "--time-zone", "Europe/Amsterdam", "--json")
    let starts = days["statistics"]?.array?.compactMap { $0["startDate"]?.string }
    #expect(
      starts == [
        "2018-10-27T00:00:00.000+02:00", "2018-10-28T00:00:00.000+02:00", "2018-10-29T00:00:00.000+01:00",
      ])
  }

  @Test(
    "What the store cannot do is said in HealthKit's words where it has some, and in ours with the remedy",
    arguments: [
      (
        ["stats", "height", "--sum"], 1,
        "Statistics option HKStatisticsOptionCumulativeSum is not compatible with discrete data type "
          + "HKQuantityTypeIdentifierHeight"
      ),
      (["stats", "stepCount"], 1, "No data available for the specified predicate."),
      (["query", "heartRte"], 2, "did you mean “heartRate”?"),
      (["query", "heartRate", "--from", "soon"], 2, "“soon” is not a time"),
      (["query", "heartRate", "--unit", "kg"], 2, "heartRate is not measured in kg"),
      (["query", "heartRate", "--unit", "count/hour"], 2, "Unable to parse factorization string count/hour"),
      (["query", "heartRate", "--source", "watch"], 1, "no source “watch” has samples of heartRate"),
      (["query", "heartRate", "--time-zone", "Nowhere/Else"], 2, "“Nowhere/Else” is not a time zone"),
      (["query", "heartRate", "--results", "nowhere"], 1, "there is no store “nowhere/station.sqlite”"),
      (["stats", "heartRate", "--every", "fortnight"], 2, "“fortnight” is not a length of intervals"),
      (["store"], 2, "missing subcommand after “station store”: choose one of"),
      (["store", "ad"], 2, "did you mean “add”?"),
      (["store", "delete", "1"], 2, "“1” is not a sample's UUID"),
      (["log", "height", "175"], 2, "“175” has no unit; add one after the number, such as m"),
      (["log", "food", "Apple"], 2, "missing --energy"),
      (["log", "dateOfBirth", "1996-02-30"], 2, "invalid date “1996-02-30”"),
    ] as [([String], Int32, String)])
  func refusals(words: [String], expected: Int32, text: String) async throws {
    _ = try await station("log", "height", "175cm")
    let (status, _, complaints) = try await bench.run(words)
    #expect(status == expected)
    #expect(complaints.contains(text), "\(complaints)")
  }

  @Test("A store that is not a store is refused, named, and left as it is")
  func foreign() async throws {
    try bench.write("not a database, and long enough to be looked at by whoever opens it", to: "results/station.sqlite")
    let before = try Data(contentsOf: URL(filePath: bench.scratch["results/station.sqlite"]))
    let (status, _, complaints) = try await bench.run(["query", "heartRate"])
    #expect(status == 1)
    #expect(complaints.contains("cannot open the store “results/station.sqlite”"))
    #expect(try Data(contentsOf: URL(filePath: bench.scratch["results/station.sqlite"])) == before)
    // A trial beside it is recorded all the same.
    let trial = try await bench.run(bench.trial())
    #expect(trial.status == 0 || trial.status == 4)
    #expect(trial.complaints.contains("the store was not updated: "))
    #expect(try await station("store", "rebuild", "--from-scratch").contains("station.sqlite.1.damaged"))
    #expect(try Data(contentsOf: URL(filePath: bench.scratch["results/station.sqlite.1.damaged"])) == before)
  }
}
