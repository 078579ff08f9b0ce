import Basics
import Foundation
import Glibc
import TestSupport
import Testing

@Suite("Changes of the store, and what is deleted by options")
struct StoreChangesTests {
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

  private func objects(_ text: String) throws -> [JSONValue] {
    try text.split(separator: "\n").map { try JSONReader.read(Array($0.utf8)).value }
  }

  @Test("An anchored query gives what was added and deleted since, and the anchor from which to go on")
  func anchored() async throws {
    _ = try await station("log", "bodyMass", "70", "kg", "--at", "2026-01-01T08:00Z")
    _ = try await station("log", "bodyMass", "71", "kg", "--at", "2026-01-02T08:00Z")
    let first = try objects(try await station("query", "bodyMass", "--after", "start", "--json"))
    #expect(first.compactMap { $0["value"]?.number } == [70, 71])
    let anchor = try #require(first.last?["anchor"]?.string)
    let uuid = try #require(first[0]["uuid"]?.string)
    _ = try await station("store", "delete", uuid)
    _ = try await station("log", "bodyMass", "72", "kg")
    let next = try objects(try await station("query", "bodyMass", "--after", anchor, "--json"))
    #expect(next.map { $0["deleted"]?.string } == [uuid, nil, nil])
    #expect(next.compactMap { $0["value"]?.number } == [72])
    #expect(next.last?["anchor"]?.string != anchor)
    let people = try await station("query", "bodyMass", "--after", anchor)
    #expect(people.hasPrefix("deleted  \(uuid)\n") && people.contains("72 kg") && people.contains("\nanchor: anchor1:"))
    let beats = try objects(try await station("query", "heartbeatSeries", "--after", "start", "--json"))
    #expect(beats.count == 1 && beats[0]["anchor"]?.string != nil)
  }

  @Test("A limit ends an anchored query early, and its anchor goes on from there")
  func limited() async throws {
    for value in 1...3 { _ = try await station("log", "bodyMass", "7\(value)", "kg") }
    let first = try objects(try await station("query", "bodyMass", "--after", "start", "--limit", "2", "--json"))
    #expect(first.compactMap { $0["value"]?.number } == [71, 72])
    #expect(first.last?["hasMore"]?.bool == true)
    let anchor = try #require(first.last?["anchor"]?.string)
    let rest = try objects(try await station("query", "bodyMass", "--after", anchor, "--json"))
    #expect(rest.compactMap { $0["value"]?.number } == [73])
    #expect(rest.last?["hasMore"]?.bool == false)
  }

  @Test(
    "What changes cannot be asked for in is refused",
    arguments: [
      ["--after", "yesterday"], ["--after", "start", "--csv"], ["--after", "start", "--sort", "endDate"],
      ["--follow", "--limit", "3"], ["--after", "anchor1:00000000-0000-4000-8000-000000000000:0"],
    ])
  func refused(words: [String]) async throws {
    _ = try await station("log", "bodyMass", "70", "kg")
    let (status, output, _) = try await bench.run(["query", "bodyMass"] + words)
    #expect(status != 0 && output.isEmpty)
  }

  @Test("Following prints what other processes add and delete, until it is interrupted", arguments: [SIGINT, SIGTERM])
  func followed(signal: Int32) async throws {
    _ = try await station("log", "bodyMass", "70", "kg", "--at", "2026-01-01T08:00Z")
    let child = try bench.start(["query", "bodyMass", "--follow", "--json"])
    try await child.output.wait(for: #"{"anchor""#)
    _ = try await station("log", "bodyMass", "71", "kg")
    try await child.output.wait(for: #"{"anchor""#, times: 2)
    _ = try await station("store", "delete", "--type", "bodyMass", "--to", "2026-01-02")
    try await child.output.wait(for: #"{"anchor""#, times: 3) { child.send(signal) }
    #expect(await child.end() == 0)
    let lines = try objects(child.output.text)
    #expect(lines.compactMap { $0["value"]?.number } == [70, 71])
    #expect(lines.compactMap { $0["deleted"]?.string } == [lines[0]["uuid"]?.string])
  }

  @Test("Other queries end by an interrupt as any program does")
  func plain() async throws {
    let silence = try SilentSocket(bench.scratch[".s.PGSQL.5432"])
    let child = try bench.start([
      "query", "bodyMass", "--store", "postgresql:///station?host=\(bench.path)",
    ])
    await silence.accept { child.send(SIGINT) }
    #expect(await child.end() == 128 + SIGINT)
  }

  @Test("Samples are deleted by metadata, and counted before")
  func deleted() async throws {
    try bench.write(
      "time,value,participant\n2026-01-01T00:00:00Z,60,p01\n2026-01-01T00:00:01Z,61,p02\n", to: "rates.csv")
    let options = ["--type", "heartRate", "--unit", "count/min"]
    #expect(try await bench.run(["store", "import", "rates.csv"] + options).status == 0)
    let chosen = ["store", "delete", "--type", "heartRate", "--metadata", "station.participant=p02"]
    let preview = try await bench.run(chosen + ["--preview", "--json"])
    #expect(try objects(preview.output.replacing("\n", with: ""))[0]["wouldDelete"]?.integer == 1)
    #expect(try await station("query", "heartRate").split(separator: "\n").count == 2)
    #expect(try await bench.run(chosen).output == "deleted 1 of heartRate\n")
    #expect(try await bench.run(chosen).output == "no sample matches: nothing to delete\n")
    #expect(try await station("query", "heartRate", "--json").contains("p01"))
    #expect(try await bench.run(["store", "delete", "--device", "strap"]).status == 1)
    #expect(
      try await bench.run(["store", "delete", "00000000-0000-4000-8000-000000000000", "--preview"]).status == 2)
  }

  @Test("A preview of an import names the columns that are not read, and stores nothing")
  func preview() async throws {
    try bench.write("time,value,mood,Zeit\n2026-01-01T00:00:00Z,60,calm,3\n", to: "rates.csv")
    let words = ["store", "import", "rates.csv", "--type", "heartRate", "--unit", "count/min", "--preview"]
    let people = try await bench.run(words)
    #expect(people.status == 0 && people.output.contains("columns not read: mood, Zeit"), "\(people)")
    let json = try JSONReader.read(Array(try await bench.run(words + ["--json"]).output.utf8)).value.array?.first
    #expect(json?["columnsNotRead"]?.array?.compactMap(\.string) == ["mood", "Zeit"])
    #expect(json?["isPreview"]?.bool == true && json?["samples"]?.integer == 1 && json?["added"]?.integer == 0)
    #expect(!FileManager.default.fileExists(atPath: bench.scratch["results/station.sqlite"]))
  }

  @Test("Of one there is one: lengths to the tenth of a second, and no “1 clips”")
  func plurals() async throws {
    try FileManager.default.createDirectory(atPath: bench.scratch["one"], withIntermediateDirectories: false)
    try FileManager.default.copyItem(
      atPath: "\(bench.scratch["clips"])/high.mp3", toPath: bench.scratch["one/high.mp3"])
    try bench.write(
      Bench.music(seconds: 20.5, more: Bench.looped).replacing(#""folder": "clips""#, with: #""folder": "one""#),
      to: "one.json")
    let text = try await station("validate", "one.json")
    #expect(text.contains("20.5 s of active steps, ") && text.contains(", 1 clip)"), "\(text)")
  }
}
