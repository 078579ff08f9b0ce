import Basics
import Foundation
import TestSupport
import Testing

@Suite("Making the sample store agree with the bundles")
struct StoreRebuildTests {
  let bench: Bench

  init() throws {
    bench = try Bench()
    try bundle("one")
    try bundle("two", in: "renamed")
  }

  /// Writes a finished trial's bundle: three heart rates and a series of their beats.
  private func bundle(_ trial: String, in folder: String? = nil) throws {
    var made = MadeTrial()
    made.trial = trial
    made.intervals = [1000, 1000, 1000]
    made.recorders = ["hr"]
    made.recorder = { _ in "hr" }
    try made.write(to: self.folder(folder ?? trial))
  }

  private func folder(_ name: String) -> String { bench.scratch["results/bundles/\(name)"] }

  /// Runs a command that has to succeed, and returns what it printed.
  private func station(_ words: String...) async throws -> String {
    let (status, output, complaints) = try await bench.run(words)
    #expect(status == 0, "\(words): \(complaints)")
    return output
  }

  private func refusal(_ words: String...) async throws -> (status: Int32, complaints: String) {
    let (status, _, complaints) = try await bench.run(words)
    return (status, complaints)
  }

  /// The UUIDs of a type's samples.
  private func uuids(_ type: String = "heartRate") async throws -> [String] {
    try await station("query", type, "--json").split(separator: "\n").compactMap {
      try JSONReader.read(Array($0.utf8)).value["uuid"]?.string
    }
  }

  @Test("What is missing comes back, what was logged stays, and what somebody deleted stays away")
  func agreement() async throws {
    #expect(try await station("store", "rebuild") == "2 bundles; 8 samples were missing\n")
    _ = try await station("log", "height", "175cm")
    let (samples, series) = (try await uuids(), try await uuids("heartbeatSeries"))
    #expect(samples.count == 6 && series.count == 2)
    _ = try await station("store", "delete", samples[0], series[0])
    #expect(try await station("store", "rebuild") == "2 bundles; 0 samples were missing\n")
    let (left, leftSeries) = (try await uuids(), try await uuids("heartbeatSeries"))
    #expect(left == Array(samples[1...]) && leftSeries == [series[1]])
    #expect(try await station("query", "height", "--unit", "cm").contains("175 cm"))
  }

  @Test(
    "Trials without a bundle here are reported, removed only when that is asked for, and come back with their bundle")
  func missing() async throws {
    _ = try await station("store", "add")
    let samples = Set(try await uuids())
    let away = bench.scratch["away"]
    try FileManager.default.moveItem(atPath: folder("one"), toPath: away)
    let told = try await station("store", "rebuild")
    #expect(
      told == """
        1 bundle; 0 samples were missing
        1 trial in the store has no bundle in “results”; --remove-missing removes their samples

        """)
    #expect(try await Set(uuids()) == samples)
    let removed = try await station("store", "rebuild", "--remove-missing")
    #expect(removed.contains("removed 4 samples of 1 trial without a bundle"))
    let (left, leftSeries) = (try await uuids(), try await uuids("heartbeatSeries"))
    #expect(left.count == 3 && leftSeries.count == 1)
    #expect(try await station("store", "rebuild", "--remove-missing").contains("0 samples of 0 trials"))
    #expect(try await station("store", "add", away).contains("added 1 bundle with 4 samples"))
    #expect(try await Set(uuids()) == samples)
    // So it does by another rebuilding.
    _ = try await station("store", "rebuild", "--remove-missing")
    try FileManager.default.moveItem(atPath: away, toPath: folder("one"))
    #expect(try await station("store", "rebuild").contains("2 bundles; 4 samples were missing"))
    #expect(try await Set(uuids()) == samples)
  }

  @Test("A bundle that cannot be read is reported, and nothing is removed because of it")
  func unreadable() async throws {
    _ = try await station("store", "add")
    try FileManager.default.removeItem(atPath: folder("one"))
    try Data("{".utf8).write(to: URL(filePath: "\(folder("renamed"))/data/result.json"))
    let (status, complaints) = try await refusal("store", "rebuild", "--remove-missing")
    #expect(status == 1 && complaints.contains("nothing was removed, because 1 bundle cannot be read"))
    #expect(try await uuids().count == 6)
  }

  @Test(
    "A folder that holds no bundles is refused, and nothing is changed",
    arguments: [[], ["--remove-missing"], ["--from-scratch"]])
  func wrongFolder(options: [String]) async throws {
    _ = try await station("store", "add")
    let words = ["store", "rebuild", "--results", "reslts", "--store", "results/station.sqlite"] + options
    let (status, _, complaints) = try await bench.run(words)
    #expect(status == 1)
    #expect(complaints.contains("there are no bundles in “reslts”; name the results folder with --results"))
    #expect(try await uuids().count == 6)
  }

  @Test("On a server nothing is removed or put aside, since other stations may share it")
  func server() async throws {
    let place = ["--store", try await PostgresServer.shared.url(), "--site", "bench \(UUID())"]
    for (option, text) in [
      ("--remove-missing", "--remove-missing does not work on a server, because other stations"),
      ("--from-scratch", "--from-scratch cannot move a store on a server aside"),
    ] {
      let (status, _, complaints) = try await bench.run(["store", "rebuild", option] + place)
      #expect(status == 1 && complaints.contains(text), "\(complaints)")
    }
    let (status, output, _) = try await bench.run(["store", "rebuild"] + place)
    #expect(status == 0 && output == "2 bundles; 8 samples were missing\n")
  }

  @Test("A store that cannot be opened is made from scratch, as the message says, and kept beside the new one")
  func scratch() async throws {
    try bench.write("not a database, and long enough to be looked at by whoever opens it", to: "results/station.sqlite")
    let before = try Data(contentsOf: URL(filePath: bench.scratch["results/station.sqlite"]))
    let (status, complaints) = try await refusal("store", "rebuild")
    #expect(status == 1)
    #expect(
      complaints == """
        station: cannot open the store “results/station.sqlite”: it is not a SQLite database, or its beginning is \
        damaged; it was left as it is; --from-scratch moves the store aside and creates a new one from the bundles \
        alone

        """)
    #expect(bench.names(in: "results") == ["bundles", "station.sqlite"])
    #expect(
      try await station("store", "rebuild", "--from-scratch") == """
        2 bundles; 8 samples were missing
        the old store was moved to “results/station.sqlite.1.damaged”

        """)
    #expect(try await uuids().count == 6)
    #expect(try Data(contentsOf: URL(filePath: bench.scratch["results/station.sqlite.1.damaged"])) == before)
    #expect(
      bench.names(in: "results") == [
        "bundles", "station.sqlite", "station.sqlite.1.damaged", "station.sqlite.lock",
      ])
  }

  @Test(
    "What cannot be together, or is the operator's, is wrong usage",
    arguments: [
      (["--remove-missing", "--from-scratch"], "--from-scratch and --remove-missing cannot be combined"),
      (["--client", "app"], "--client"),
    ])
  func usage(options: [String], text: String) async throws {
    let (status, _, complaints) = try await bench.run(["store", "rebuild"] + options)
    #expect(status == 2 && complaints.contains(text), "\(complaints)")
  }
}
