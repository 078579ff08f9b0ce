import Basics
import Foundation
import Glibc
import TestSupport
import Testing

@Suite("Archives of trials and sessions from the command line")
struct ArchiveTests {
  let bench: Bench

  init() throws { bench = try Bench() }

  /// A trial of a simulated study, by its identifier.
  private func trial() async throws -> String {
    let (status, _, complaints) = try await bench.run([
      "simulate", "short.json", "--participants", "1", "--seed", "5", "--results", "results",
    ])
    try #require(status == 0, "\(complaints)")
    return try #require(bench.names(in: "results/bundles").first)
  }

  private func archive(_ words: [String]) async throws -> JSONValue {
    let (status, output, complaints) = try await bench.run(["export", "bundle"] + words + ["--json"])
    try #require(status == 0, "\(complaints)")
    let answer = try JSONReader.read(Array(output.utf8)).value
    try AnswersTests.check([("exportBundle", answer)])
    return answer
  }

  private func verify(_ words: [String]) async throws -> (status: Int32, answer: JSONValue) {
    let (status, output, _) = try await bench.run(["verify"] + words + ["--json"])
    let answer = try JSONReader.read(Array(output.utf8)).value
    try AnswersTests.check([("verify", answer)])
    return (status, try #require(answer.array?.first))
  }

  private func shell(_ script: String) throws -> (status: Int, output: String) {
    let (status, output, error) = try Program.run("sh", ["-c", "cd \"$1\" && \(script)", "sh", bench.scratch.path])
    return (status, output + error)
  }

  /// A key pair of age; its public key.
  private func identity(_ name: String) throws -> String {
    let made = try shell("age-keygen -o \(name) 2>&1 && grep -o 'age1.*' \(name)")
    guard made.status == 0 else { throw MissingProgram(name: "age-keygen") }
    return try #require(made.output.split(separator: "\n").last.map(String.init))
  }

  @Test(
    "An archive is the same each time, checked in place, and unpacked by tar as the bundle",
    arguments: ["tar", "tar.zst"])
  func same(form: String) async throws {
    let trial = try await trial()
    let answer = try await archive([trial, "--to", "one.\(form)"])
    #expect(answer["name"]?.string == trial && answer["isCompressed"]?.bool == (form == "tar.zst"))
    _ = try await archive(["results/bundles/\(trial)", "--to", "two.\(form)"])
    #expect(try shell("cmp one.\(form) two.\(form) && stat -c %a one.\(form)").output == "600\n")
    #expect(try await verify(["one.\(form)"]).status == 0)
    let same = try shell("mkdir out && tar -xf one.\(form) -C out && diff -r out/\(trial) results/bundles/\(trial)")
    #expect(same.status == 0, "\(same)")
    // What is there is never overwritten, and nothing is left of the attempt.
    let again = try await bench.run(["export", "bundle", trial, "--to", "one.\(form)"])
    #expect(again.status == 1 && again.complaints.contains("not overwritten"))
    #expect(try !shell("ls -A").output.contains(".part"))
  }

  @Test("A session is one bag, in which are its bundles and its record")
  func session() async throws {
    let study = "\(Repository.root)/protocols/music-and-silence.json"
    let simulated = try await bench.run(["simulate", study, "--participants", "1", "--results", "results"])
    try #require(simulated.status == 0, "\(simulated.complaints)")
    let session = try #require(bench.names(in: "results/sessions").first?.dropLast(5)).description
    let answer = try await archive(["results/sessions/\(session).json", "--to", "s.tar"])
    #expect(answer["name"]?.string == session)
    #expect(try await verify(["s.tar"]).status == 0)
    let unpacked = try shell("tar -xf s.tar && diff -r results/bundles \(session)/data/bundles")
    #expect(unpacked.status == 0, "\(unpacked)")
    #expect(try await verify([session]).answer["problems"]?.array?.isEmpty == true)
  }

  @Test("A signature is checked by OpenSSL as well, and bagit.py takes it for a part of the bag")
  func signed() async throws {
    let trial = try await trial()
    #expect(try await bench.run(["keys", "create", "lab", "--keys", "keys"]).status == 0)
    #expect(try shell("stat -c %a keys keys/lab.key").output == "700\n600\n")
    let answer = try await archive([trial, "--to", "x.tar", "--sign", "lab", "--keys", "keys"])
    #expect(try await verify(["x.tar"]).answer["signature"] == "unchecked")
    let checked = try await verify(["x.tar", "--key", "lab", "--keys", "keys"])
    #expect(checked.status == 0 && checked.answer["signature"] == "valid")
    let openssl = try shell(
      "tar -xf x.tar && cd \(trial) && openssl pkeyutl -verify -pubin -inkey ../keys/lab.pub -rawin "
        + "-in manifest-sha256.txt -sigfile signature.ed25519 && sha256sum -c --quiet tagmanifest-sha256.txt")
    #expect(openssl.status == 0, "\(openssl)")
    let folder = try await verify([trial, "--key", "./keys/lab.pub"])
    #expect(folder.status == 0 && folder.answer["signature"] == "valid")
    let bagit = try Program.run(Repository.python, ["-m", "bagit", "--validate", bench.scratch[trial]])
    #expect(bagit.status == 0, "\(bagit.error)")
    #expect(answer["signedBy"]?.string?.count == 16)
  }

  @Test("A missing signature, another key and an altered bundle differ")
  func refused() async throws {
    let trial = try await trial()
    for key in ["lab", "other"] { #expect(try await bench.run(["keys", "create", key, "--keys", "keys"]).status == 0) }
    _ = try await archive([trial, "--to", "bare.tar"])
    _ = try await archive([trial, "--to", "x.tar", "--sign", "lab", "--keys", "keys"])
    let missing = try await verify(["bare.tar", "--key", "lab", "--keys", "keys"])
    #expect(missing.status == 1 && missing.answer["signature"] == "missing")
    let other = try await verify(["x.tar", "--key", "other", "--keys", "keys"])
    #expect(other.status == 1 && other.answer["signature"] == "otherKey")
    // The payload alone: its manifest is still signed. Payload and manifests: the signature is not of them.
    _ = try shell("tar -xf x.tar && printf x >> \(trial)/data/events.jsonl && tar -cf payload.tar \(trial)")
    let payload = try await verify(["payload.tar", "--key", "lab", "--keys", "keys"])
    #expect(payload.status == 1 && payload.answer["signature"] == "valid")
    #expect(payload.answer["problems"]?.array?.contains { $0.string?.contains("events.jsonl") == true } == true)
    _ = try shell(
      "cd \(trial) && sha256sum $(cut -c67- manifest-sha256.txt) > m && mv m manifest-sha256.txt "
        + "&& sha256sum $(cut -c67- tagmanifest-sha256.txt) > m && mv m tagmanifest-sha256.txt && cd .. && tar -cf all.tar \(trial)"
    )
    let all = try await verify(["all.tar", "--key", "lab", "--keys", "keys"])
    #expect(all.status == 1 && all.answer["signature"] == "altered", "\(all)")
  }

  @Test("An encrypted archive is read with the key alone, and age decrypts it", arguments: ["tar.age", "tar.zst.age"])
  func encrypted(form: String) async throws {
    let trial = try await trial()
    let recipient = try identity("pi.txt")
    _ = try identity("other.txt")
    _ = try await archive([trial, "--to", "x.\(form)", "--recipient", recipient])
    #expect(try await verify(["x.\(form)", "--identity", "pi.txt"]).status == 0)
    let closed = try await verify(["x.\(form)"])
    #expect(closed.status == 1 && "\(closed.answer)".contains("--identity"))
    #expect(try await verify(["x.\(form)", "--identity", "other.txt"]).status == 1)
    _ = try await archive([trial, "--to", "x.\(form.dropLast(4))"])
    #expect(try shell("age -d -i pi.txt x.\(form) | cmp - x.\(form.dropLast(4))").status == 0)
    // One flipped byte, or a missing end.
    _ = try shell("head -c -20 x.\(form) > cut.\(form)")
    #expect(try await verify(["cut.\(form)", "--identity", "pi.txt"]).status == 1)
    // The settings name the principal investigator's key.
    try bench.write(
      #"{"format":"station.settings/1","recipients":["\#(recipient)"]}"#, to: "results/station.json")
    _ = try await archive([trial, "--to", "y.\(form)", "--encrypt"])
    #expect(try await verify(["y.\(form)", "--identity", "pi.txt"]).status == 0)
  }

  private static let badRecipients: [(settings: String, status: Int32, sentence: String)] = [
    (#"["AGE-SECRET-KEY-1QQQQQQ"]"#, 3, "public key"), (#""age1x""#, 3, "recipients"), ("[1]", 3, "recipients"),
    (#"["age1x", "pi@example.org"]"#, 3, "public key"), (#"["-R/etc/passwd"]"#, 3, "public key"),
    (#"["age1\u0007"]"#, 3, "public key"), ("[]", 3, "recipients"), (#"["age1notakey"]"#, 1, "age failed"),
  ]

  @Test("Recipients of the settings that are none are refused, and no private key is shown", arguments: badRecipients)
  func refusedRecipients(settings: String, expected: Int32, sentence: String) async throws {
    _ = try identity("pi.txt")
    let trial = try await trial()
    try bench.write(#"{"format":"station.settings/1","recipients":\#(settings)}"#, to: "results/station.json")
    let (status, output, complaints) = try await bench.run([
      "export", "bundle", trial, "--to", "y.tar.age", "--encrypt",
    ])
    #expect(status == expected && output.isEmpty && complaints.contains(sentence), "\(status) \(output) \(complaints)")
    #expect(!complaints.contains("SECRET"))
    #expect(try !shell("ls -A").output.contains("y."))
  }

  @Test(
    "A file of recipients that has none is refused, and nothing is left",
    arguments: ["", "pi@example.org\n", "AGE-SECRET-KEY-1QQQQQQ\n", "age1notakey\n", nil] as [String?])
  func badFiles(text: String?) async throws {
    _ = try identity("pi.txt")
    let trial = try await trial()
    if let text { try bench.write(text, to: "keys.txt") }
    let (status, output, complaints) = try await bench.run([
      "export", "bundle", trial, "--to", "y.tar.age", "--recipients", "keys.txt",
    ])
    #expect(status == 1 && output.isEmpty && complaints.contains("age failed"), "\(status) \(output) \(complaints)")
    #expect(!complaints.contains("SECRET"))
    #expect(try !shell("ls -A").output.contains("y."))
  }

  @Test("A signal leaves nothing of an archive", arguments: [SIGINT, SIGTERM, SIGHUP])
  func interrupted(signal: Int32) async throws {
    let trial = try await trial()
    // A compressor that ends with the command, and not before.
    _ = try shell("mkdir bin")
    try bench.write("#!/bin/sh\n: > started\nexec tail --pid=$PPID -f /dev/null\n", to: "bin/zstd")
    _ = try shell("chmod 755 bin/zstd")
    let watch = FileWatch(bench.scratch["started"])
    let child = try bench.start(
      ["export", "bundle", trial, "--to", "x.tar.zst"], environment: ["PATH": "\(bench.path)/bin:/usr/bin:/bin"])
    while !Folder.exists(bench.scratch["started"]) { _ = await watch.wait() }
    #expect(try shell("ls -A").output.contains(".x.tar.zst."))
    child.send(signal)
    #expect([128 + signal, 128 + SIGTERM].contains(await child.end()))
    #expect(try !shell("ls -A").output.contains("x.tar.zst"))
  }

  private static let wrongCalls: [(words: String, status: Int32, sentence: String)] = [
    ("export bundle x --to y.zip", 2, "does not say the form"),
    ("export bundle x --to y.tar.age", 2, "to be encrypted"),
    ("export bundle x --to y.tar --recipient age1x", 2, "ends with .age"),
    ("export bundle x --to y.tar.age --recipient AGE-SECRET-KEY-1X", 2, "expected a public key"),
    ("export bundle x --to y.tar.age --encrypt", 2, "recipients"), ("export bundle x --to y.tar", 1, "x"),
    ("export bundle x --to y.tar --sign nobody --keys keys", 1, "there is no key"),
    ("verify clips/high.mp3", 1, "not a tar archive"), ("keys create -x", 2, "-x"),
    ("keys create ../x", 1, "name of a key"),
    ("keys show nobody --keys keys", 1, "there is no key"), ("keys remove", 2, "action"),
  ]

  @Test("Wrong calls are refused, and write nothing", arguments: wrongCalls)
  func refusals(words: String, expected: Int32, sentence: String) async throws {
    let (status, output, complaints) = try await bench.run(words.split(separator: " ").map(String.init))
    #expect(status == expected && output.isEmpty && complaints.contains(sentence), "\(status) \(output) \(complaints)")
    #expect(!complaints.contains("SECRET"))
    #expect(try !shell("ls -A").output.contains("y."))
  }

  @Test("No key is overwritten, and one that others may read is not used")
  func keys() async throws {
    let trial = try await trial()
    #expect(try await bench.run(["keys", "create", "--keys", "keys"]).status == 0)
    let before = try shell("cat keys/station.key keys/station.pub").output
    let again = try await bench.run(["keys", "create", "station", "--keys", "keys"])
    #expect(again.status == 1 && again.complaints.contains("never overwritten"))
    #expect(try shell("cat keys/station.key keys/station.pub").output == before)
    let answers = [
      ("key", try await bench.run(["keys", "show", "--keys", "keys", "--json"]).output),
      ("keys", try await bench.run(["keys", "--keys", "keys", "--json"]).output),
    ]
    try AnswersTests.check(answers.map { ($0.0, try JSONReader.read(Array($0.1.utf8)).value) })
    let shown = try await bench.run(["keys", "show", "--keys", "keys"])
    #expect(try shown.output == shell("cat keys/station.pub").output)
    let listed = try await bench.run(["keys", "--keys", "keys"])
    #expect(listed.output.contains("station ") && !listed.output.contains("PRIVATE"))
    _ = try shell("chmod 644 keys/station.key")
    let open = try await bench.run(["export", "bundle", trial, "--to", "x.tar", "--sign", "station", "--keys", "keys"])
    #expect(open.status == 1 && open.complaints.contains("chmod 600"))
  }

  @Test(
    "A missing program is named with its package, and nothing is left",
    arguments: [("age", "x.tar.age"), ("zstd", "x.tar.zst")])
  func missing(program: String, file: String) async throws {
    let trial = try await trial()
    let words = ["export", "bundle", trial, "--to", file] + (program == "age" ? ["--recipient", "age1x"] : [])
    let (status, _, complaints) = try await bench.run(words, environment: ["PATH": "/nowhere"])
    #expect(status == 1 && complaints.contains("Debian package “\(program)”"), "\(complaints)")
    #expect(try !shell("ls -A").output.contains("x.tar"))
  }

  @Test("A trial that has changed is not archived")
  func changed() async throws {
    let trial = try await trial()
    try bench.write("{}", to: "results/bundles/\(trial)/data/heart.json")
    let (status, _, complaints) = try await bench.run(["export", "bundle", trial, "--to", "x.tar"])
    #expect(status == 1 && complaints.contains("not archived"), "\(complaints)")
  }
}
