import Basics
import Foundation
import Glibc
import TestSupport
import Testing

@Suite("station send and station outbox")
struct SendCommandTests {
  private let bench: Bench
  private static let trial = "019a9c2e-5d42-7cc3-98c4-dc0c0c07398f"

  init() throws {
    bench = try Bench()
    try FileManager.default.createDirectory(
      atPath: bench.scratch["results/bundles"], withIntermediateDirectories: true)
    try FileManager.default.copyItem(
      atPath: "\(Repository.root)/Tests/BundlesTests/Fixtures/bundle",
      toPath: bench.scratch["results/bundles/\(Self.trial)"])
  }

  private func token(_ text: String, mode: Int = 0o600) throws {
    try bench.write(text, to: "token")
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: bench.scratch["token"])
  }

  @Test("A bundle is sent once, is listed until it is forgotten, and the token is nowhere to be seen")
  func once() async throws {
    let receiver = try await Receiver()
    try token("s3cret-t0ken\n")
    let words = ["send", "--to", receiver.url("ok"), "--token-file", "token"]
    let first = try await bench.run(words)
    #expect(first.status == 0 && first.output == "1 bundle sent to \(receiver.url("ok"))\n", "\(first)")
    let again = try await bench.run(words + ["--json"])
    let answer = try JSONReader.read(Array(again.output.utf8)).value
    #expect(answer["sentNow"] == 0 && answer["sent"] == 1 && answer["isConfirmed"] == true)
    #expect(try receiver.requests.map { $0["headers"]?["Authorization"] } == ["Bearer s3cret-t0ken"])
    let listed = try await bench.run(["outbox", "--all", "--json"])
    let row = try JSONReader.read(Array(listed.output.utf8)).value
    #expect(row["confirmation"] == "receipt" && row["receipt"]?["trial"] == .string(Self.trial))
    let forgotten = try await bench.run(["outbox", "forget", String(Self.trial.prefix(8)), "--json"])
    let count = try JSONReader.read(Array(forgotten.output.utf8)).value
    #expect(count["forgotten"] == 1)
    try AnswersTests.check([("send", answer), ("outbox", row), ("outboxChange", count)])
    let files = FileManager.default.enumerator(atPath: bench.scratch["results"])?.compactMap { $0 as? String } ?? []
    for file in files {
      let bytes = (try? Data(contentsOf: URL(filePath: bench.scratch["results/\(file)"]))) ?? Data()
      #expect(bytes.range(of: Data("s3cret".utf8)) == nil, "\(file)")
    }
  }

  @Test(
    "Of several senders to one place one sends at a time, and each bundle arrives once",
    arguments: [
      ("ok", "bundle"), ("slow", "bundle"), ("ok/hook", "json"), ("ok/hook", "station.trial/1"), ("", "folder"),
    ], [2, 4])
  func together(place: (way: String, format: String), count: Int) async throws {
    for start in 0..<6 { _ = try await RecordedTrial.bundle(in: bench.scratch["results"], at: Int64(start)) }
    let receiver = try await Receiver()
    try Folder.create(bench.scratch["share"])
    let words =
      place.format == "folder"
      ? ["send", "--to", "share"] : ["send", "--to", receiver.url(place.way), "--format", place.format]
    let senders = try (0..<count).map { _ in try bench.start(words + ["--wait", "600"]) }
    for sender in senders { #expect(await sender.end() == 0, "\(sender.complaints.text)") }
    let trials = bench.bundles().map(Folder.name)
    #expect(trials.count == 7)
    if place.format == "folder" {
      #expect(try Folder.names(in: bench.scratch["share"]) == trials)
      let same = try Program.run("diff", ["-r", bench.scratch["results/bundles"], bench.scratch["share"]])
      #expect(same.status == 0, "\(same.output)")
    } else {
      #expect(try receiver.requests.compactMap { $0["key"]?.string }.sorted() == trials)
    }
    let told = try senders.map { try #require(Int($0.output.text.prefix { $0.isNumber })) }
    #expect(told.reduce(0, +) == 7, "\(senders.map(\.output.text))")
  }

  @Test("While one sender waits for an answer, another one to the same place is told who sends, and sends nothing")
  func busy() async throws {
    let receiver = try await Receiver()
    let watch = FileWatch(receiver.folder["requests.jsonl"])
    let words = ["send", "--to", receiver.url("hang")]
    let first = try bench.start(words)
    while try receiver.requests.isEmpty { _ = await watch.wait() }
    let second = try await bench.run(words + ["--wait", "0"])
    #expect(second.status == 1 && second.complaints.contains("process \(first.identifier) ("), "\(second)")
    #expect(try receiver.requests.count == 1)
    first.send(SIGTERM)
    _ = await first.end()
  }

  @Test("A folder that is not there when sending begins is an error at once, and nothing is added to the outbox")
  func missingFolder() async throws {
    let run = try await bench.run(["send", "--to", "none"])
    #expect(run.status == 1 && run.output.isEmpty, "\(run)")
    #expect(run.complaints.contains("there is no folder “\(bench.path)/none”"), "\(run)")
    #expect(!Folder.exists(bench.scratch["results/station.sqlite"]))
  }

  @Test(
    "A token that a server repeats is neither told nor kept, and none of its characters change the terminal",
    arguments: ["plain", "bidi", "control", "percent", "base64", "json"], ["detail", "receipt"])
  func repeated(form: String, place: String) async throws {
    let receiver = try await Receiver()
    try token("sEcr3t_T0ken.94xQ\n")
    let url = receiver.url("echo-\(place)-\(form)")
    let run = try await bench.run(["send", "--to", url, "--token-file", "token", "--wait", "0"])
    #expect(run.status == (place == "receipt" ? 0 : 1), "\(run)")
    let listed = [try await bench.run(["outbox", "--all"]), try await bench.run(["outbox", "--all", "--json"])]
    let files = try Folder.names(in: bench.scratch["results"]).filter { $0.hasPrefix("station.sqlite") }
    let kept = try files.map { String(decoding: try File.contents(of: bench.scratch["results/\($0)"]), as: UTF8.self) }
    for text in [run.output, run.complaints] + listed.flatMap({ [$0.output, $0.complaints] }) + kept {
      for part in ["sEcr3t_T", "ken.94xQ", "c0VjcjN0X1Qw", "%73%45", "u0073", "s\u{202E}E", "s\u{7}E", "u{202E}E"] {
        #expect(!text.contains(part), "\(part)")
      }
    }
    for text in [run.output, run.complaints] + listed.map(\.output) {
      #expect(!text.unicodeScalars.contains { "\u{202E}\u{7}\u{1B}".unicodeScalars.contains($0) })
    }
  }

  @Test("What is refused is parked with its reason, and retried when that is asked for")
  func parked() async throws {
    let receiver = try await Receiver()
    let (status, output, complaints) = try await bench.run(["send", "--to", receiver.url("status-422"), "--wait", "0"])
    #expect(status == 1 && output.contains("1 parked") && complaints.contains("\(Self.trial): parked:"))
    #expect(try await bench.run(["send", "--to", receiver.url("status-422"), "--wait", "0"]).status == 1)
    #expect(try receiver.requests.count == 1)
    let listed = try await bench.run(["outbox"])
    #expect(listed.output.contains("  \(Self.trial)  parked, 1 attempt: the server answered 422"))
    #expect(try await bench.run(["outbox", "retry"]).output == "1 bundle to be sent again\n")
    #expect(try await bench.run(["send", "--to", receiver.url("status-422"), "--wait", "0"]).status == 1)
    #expect(try receiver.requests.count == 2)
  }

  @Test(
    "A token that others may read, or a secret in an address, is refused and not shown",
    arguments: [0o644, 0o640, 0o604])
  func open(mode: Int) async throws {
    try token("s3cret", mode: mode)
    let (status, _, complaints) = try await bench.run(
      ["send", "--to", "https://127.0.0.1:9", "--token-file", "token"])
    #expect(status == 1 && complaints.contains("chmod 600") && !complaints.contains("s3cret"))
    let other = try await bench.run(["send", "--to", "https://user:s3cret@127.0.0.1:9"])
    #expect(other.status == 2 && !other.complaints.contains("s3cret"))
  }

  @Test(
    "Wrong words are refused before anything is done",
    arguments: [
      ["send"], ["send", "--to", "http://192.0.2.1/"], ["send", "--to", "gopher://127.0.0.1"], ["outbox", "forget"],
      ["send", "--to", "/tmp", "--format", "json"], ["send", "--to", "http://127.0.0.1", "--format", "xml"],
      ["outbox", "--all", "--parked"], ["outbox", "retrey"],
    ])
  func words(words: [String]) async throws {
    #expect(try await bench.run(words).status == 2)
    #expect(!FileManager.default.fileExists(atPath: bench.scratch["results/station.sqlite"]))
  }

  @Test("The samples of a query are posted as the tutorials do, and with --follow each once")
  func query() async throws {
    let receiver = try await Receiver()
    for beats in ["61", "62"] {
      #expect(
        try await bench.run(["log", "heartRate", "\(beats)bpm", "--at", "2026-11-20T11:08:\(beats == "61" ? 31 : 32)Z"])
          .status == 0)
    }
    let posted = try await bench.run(["query", "heartRate", "--post", receiver.url("ok/hook")])
    #expect(posted.status == 0 && posted.output.hasPrefix("2 samples posted"), "\(posted)")
    let expected: [JSONValue] = [
      ["hr": "61.0", "startDate": "2026-11-20 11:08:31 +0000", "endDate": "2026-11-20 11:08:31 +0000"],
      ["hr": "62.0", "startDate": "2026-11-20 11:08:32 +0000", "endDate": "2026-11-20 11:08:32 +0000"],
    ]
    #expect(try receiver.posted.last?["body"]?.array == expected)
    let follower = try bench.start(["query", "heartRate", "--post", receiver.url("ok/hook"), "--follow"])
    try await follower.output.wait(for: "2 samples posted; anchor: ")
    #expect(try await bench.run(["log", "heartRate", "63bpm", "--at", "2026-11-20T11:08:33Z"]).status == 0)
    try await follower.output.wait(for: "1 sample posted; anchor: ")
    follower.send(SIGINT)
    #expect(await follower.end() == 0)
    #expect(try receiver.posted.last?["body"]?.array?.first?["hr"] == "63.0")
    #expect(try receiver.posted.count == 3)
  }

  @Test("A server that refuses the samples of a query ends it, also with --follow", arguments: [[], ["--follow"]])
  func refusedQuery(more: [String]) async throws {
    let receiver = try await Receiver()
    #expect(try await bench.run(["log", "heartRate", "61bpm"]).status == 0)
    let (status, _, complaints) = try await bench.run(
      ["query", "heartRate", "--post", receiver.url("status-422")] + more)
    #expect(status == 1 && complaints.contains("the server answered 422"))
  }

  @Test("A withdrawal removes the participant from the outbox, and names where bundles were sent")
  func withdrawal() async throws {
    let receiver = try await Receiver()
    #expect(try await bench.run(["send", "--to", receiver.url("ok")]).status == 0)
    let run = try await bench.run(["withdraw", "P01", "--yes", "--json"])
    let answer = try JSONReader.read(Array(run.output.utf8)).value
    #expect(answer["elsewhere"]?.array?.first?["code"] == "sent", "\(run)")
    #expect(answer["elsewhere"]?.array?.first?["names"] == [.string(receiver.url("ok"))])
    #expect(try await bench.run(["outbox", "--all", "--json"]).output.isEmpty)
    try AnswersTests.check([("withdraw", answer)])
    let store = try Data(contentsOf: URL(filePath: bench.scratch["results/station.sqlite"]))
    #expect(store.range(of: Data(Self.trial.utf8)) == nil)
  }
}
