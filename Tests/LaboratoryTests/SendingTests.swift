import Basics
import Foundation
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import Laboratory

@Suite("Sending to a server that may be anything")
struct SendingTests {
  private let bench: BaggedTrials

  init() throws { bench = try BaggedTrials(2) }

  /// A clock that is only advanced by sleeping.
  private final class SleepClock: Sendable {
    private let time = Mutex(WallTime.now)
    var now: WallTime { time.withLock { $0 } }
    func sleep(_ duration: Duration) { time.withLock { $0 = $0.advanced(by: duration) } }
  }

  private func client(_ authorities: String? = nil, silence: Int = 30) throws -> HTTPClient {
    var settings = HTTPClient.Settings()
    (settings.authorities, settings.silence) = (authorities, silence)
    return try HTTPClient(settings)
  }

  /// Sends all bundles to an address, and returns their rows.
  private func send(
    to address: String, _ form: Destination.Form = .bundle, client: HTTPClient? = nil, patience: Duration = .zero,
    outbox given: Outbox? = nil
  ) async throws -> [OutboxItem] {
    let destination = try Destination(address, form: form, isInsecure: false)
    let client = try client ?? self.client()
    let outbox: Outbox
    if let given { outbox = given } else { outbox = try await Outbox.open("\(bench.results)/station.sqlite") }
    try await outbox.add(OutgoingList([], results: bench.results).entries, for: destination.row, at: .now)
    let delivery: any Delivery =
      switch destination.kind {
      case .folder(let path): FolderDelivery(path)
      case .s3: throw MissingProgram(name: "S3")
      case .webDAV(let url): WebDAVDelivery(client, folder: url, token: nil)
      case .server(let url, .bundle): ReceiverDelivery(client, address: url, token: nil)
      case .server(let url, .json): JSONDelivery(client, url: url, document: .tutorial, token: nil)
      case .server(let url, .trial): JSONDelivery(client, url: url, document: .trial, token: nil)
      }
    let clock = SleepClock()
    let sender = Sender(
      outbox, results: bench.results, to: destination, by: delivery, now: { clock.now }, random: { 1 },
      sleep: { clock.sleep($0) })
    _ = try await sender.run(patience: patience, isAsked: true) { _ in }
    return try await rows(outbox, destination)
  }

  private func rows(_ outbox: Outbox, _ destination: Destination) async throws -> [OutboxItem] {
    let rows = Mutex<[OutboxItem]>([])
    let selection = OutboxSelection(address: destination.row.address, states: Set(OutboxItem.State.allCases))
    try await outbox.forEach(selection) { item in
      rows.withLock { $0.append(item) }
      return true
    }
    return rows.withLock { $0 }
  }

  /// Arrives, and is cancelled at that moment.
  private struct CancelledDelivery: Delivery {
    func deliver(_ bundle: OutgoingBundle, at now: WallTime) async -> SendOutcome {
      unsafe withUnsafeCurrentTask { task in unsafe task?.cancel() }
      return .sent(.status, receipt: nil)
    }
  }

  @Test("What has arrived is recorded although the session ended meanwhile, and is not sent again")
  func cancelled() async throws {
    let destination = try Destination("http://127.0.0.1:9/", form: .json, isInsecure: false)
    let outbox = try await Outbox.open("\(bench.results)/station.sqlite")
    try await outbox.add(OutgoingList([], results: bench.results).entries, for: destination.row, at: .now)
    let sender = Sender(
      outbox, results: bench.results, to: destination, by: CancelledDelivery(), now: { .now }, random: { 1 },
      sleep: { _ in })
    let task = Task { try await sender.run(patience: .zero, isAsked: true) { _ in } }
    let result = await task.result
    let states = try await rows(outbox, destination).map(\.state)
    #expect(states.count == 2 && states.count { $0 == .sent } == 1, "\(states), \(result)")
  }

  @Test(
    "A receiver gets each bundle once, and its receipt confirms it",
    arguments: [
      "ok", "slow", "http10", "once-500",
      "once-503", "lost",
    ])
  func arrives(way: String) async throws {
    let receiver = try await Receiver()
    let rows = try await send(to: receiver.url(way), patience: .seconds(600))
    #expect(rows.map(\.state) == [.sent, .sent] && rows.allSatisfy { $0.confirmation == "receipt" })
    #expect(try receiver.kept == bench.trials)
    for request in try receiver.requests {
      #expect(request["digest"] == true && request["headers"]?["Authorization"] == nil)
    }
    // Python's reader and bagit's rules, through “sha256sum”, find the bag whole.
    let unpacked = try ScratchFolder()
    let tar = try Program.run("tar", ["-xf", receiver.path(of: bench.trials[0]), "-C", unpacked.path])
    #expect(tar.status == 0, "\(tar.error)")
    let sums = try Program.run(
      "sh",
      [
        "-c", "cd \"$1\" && sha256sum -c --quiet manifest-sha256.txt tagmanifest-sha256.txt", "sh",
        unpacked[bench.trials[0]],
      ])
    #expect(sums.status == 0, "\(sums.output)")
  }

  @Test(
    "A server that does not take bundles as a receiver does leaves them waiting, with the reason",
    arguments: [
      ("page", "noReceipt"), ("lie", "otherReceipt"), ("lie-trial", "otherReceipt"), ("half", "connection"),
      ("close", "connection"), ("status-500", "status500"), ("status-507", "status507"), ("after-120", "status503"),
      ("endless", "tooLong"), ("hang", "timeout"), ("drip", "timeout"), ("drip-length", "timeout"),
      ("drip-chunks", "timeout"), ("drip-header", "timeout"),
    ])
  func waits(way: String, problem: String) async throws {
    let receiver = try await Receiver()
    let rows = try await send(to: receiver.url(way), client: client(silence: 2))
    #expect(rows.allSatisfy { $0.state == .waiting })
    #expect(rows[0].problem == problem && rows[0].attempts == 1, "\(rows[0])")
  }

  @Test(
    "A definite refusal parks a bundle, with the reason",
    arguments: [
      ("problem", "status422", 2), ("status-400", "status400", 2), ("status-413", "status413", 2),
      ("status-401", "status401", 1), ("status-403", "status403", 1), ("redirect", "redirect", 1),
    ])
  func parks(way: String, problem: String, count: Int) async throws {
    let receiver = try await Receiver()
    let rows = try await send(to: receiver.url(way))
    #expect(rows.filter { $0.state == .parked }.map(\.problem) == Array(repeating: problem, count: count))
    #expect(try receiver.requests.count == count)
    if way == "problem" { #expect(rows[0].reason?.contains("not a bundle; /trial: unknown site") == true) }
  }

  @Test("A server that is not there is tried again until the patience ends, with one bundle at a time")
  func nothing() async throws {
    let rows = try await send(to: "http://127.0.0.1:9", patience: .seconds(20))
    // After 1, 2, 4 and 8 s; the sixteen after that are beyond the patience.
    #expect(rows.map(\.attempts).reduce(0, +) == 5 && rows.allSatisfy { $0.state == .waiting })
  }

  @Test("What Retry-After asks for is waited for")
  func retryAfter() async throws {
    let receiver = try await Receiver()
    let rows = try await send(to: receiver.url("after-7"), patience: .seconds(30))
    // After 7, 14 and 21 s, and after 29 s, since the fourth delay of the backoff is longer.
    #expect(rows.map(\.attempts).reduce(0, +) == 5)
  }

  @Test("The documents of the tutorials are posted, an array of strings")
  func tutorial() async throws {
    let receiver = try await Receiver()
    let rows = try await send(to: receiver.url("ok/heart"), .json)
    #expect(rows.allSatisfy { $0.state == .sent && $0.confirmation == "status" })
    let body = try #require(try receiver.posted.first?["body"]?.array)
    #expect(
      body
        == ([
          ["hr": "60.0", "startDate": "2025-11-20 11:08:32 +0000", "endDate": "2025-11-20 11:08:32 +0000"],
          [
            "hr": .string("\(60_000 / 980.0)"), "startDate": "2025-11-20 11:08:33 +0000",
            "endDate": "2025-11-20 11:08:33 +0000",
          ],
          [
            "hr": .string("\(60_000 / 1020.0)"), "startDate": "2025-11-20 11:08:34 +0000",
            "endDate": "2025-11-20 11:08:34 +0000",
          ],
        ] as [JSONValue]))
  }

  @Test("A trial is posted as one document with its result and its heart data")
  func document() async throws {
    let receiver = try await Receiver()
    _ = try await send(to: receiver.url("ok/heart"), .trial)
    let body = try #require(try receiver.posted.first?["body"])
    let folder = bench.path(of: bench.trials[0])
    #expect(body["format"] == "station.trial/1")
    #expect(try body["result"] == JSONReader.read(File.contents(of: "\(folder)/data/result.json")).value)
    #expect(try body["heart"] == JSONReader.read(File.contents(of: "\(folder)/data/heart.json")).value)
  }

  /// Makes `….pem` with the key `….key`.
  private static func certificate(_ path: String, days: String = "2", host: String = "IP:127.0.0.1") throws {
    let made = try Program.run(
      "sh",
      [
        "-c",
        """
        openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout "$1.key" -out "$1.csr" -subj /CN=x \
        && printf 'subjectAltName=%s\\n' "$3" > "$1.ext" \
        && openssl x509 -req -in "$1.csr" -key "$1.key" -days "$2" -extfile "$1.ext" -out "$1.pem"
        """, "sh", path, days, host,
      ])
    #expect(made.status == 0, "\(made.error)")
  }

  @Test("A server that ends while TLS begins is tried again, unlike one with a wrong certificate")
  func handshake() async throws {
    let scratch = try ScratchFolder()
    try Self.certificate(scratch["good"])
    let receiver = try await Receiver(certificate: scratch["good.pem"], key: scratch["good.key"], dying: 2)
    let url = receiver.url("ok", scheme: "https")
    let client = try client(scratch["good.pem"])
    var rows = try await send(to: url, client: client)
    #expect(rows.allSatisfy { $0.state == .waiting } && rows[0].problem == "connection", "\(rows[0])")
    #expect(rows[0].attempts == 1)
    let outbox = try await Outbox.open("\(bench.results)/station.sqlite")
    rows = try await send(to: url, client: client, patience: .seconds(600), outbox: outbox)
    #expect(rows.map(\.state) == [.sent, .sent] && rows.map(\.attempts).reduce(0, +) == 4)
    #expect(try receiver.kept == bench.trials)
  }

  @Test("Only a certificate of a trusted authority, for this host and this day, is accepted")
  func certificates() async throws {
    let scratch = try ScratchFolder()
    func make(_ name: String, days: String, host: String) throws {
      try Self.certificate(scratch[name], days: days, host: host)
    }
    try make("good", days: "2", host: "IP:127.0.0.1")
    try make("expired", days: "-1", host: "IP:127.0.0.1")
    try make("other", days: "2", host: "DNS:elsewhere.example")
    for (name, authority, isAccepted) in [
      ("good", "good.pem", true), ("good", nil, false), ("expired", "expired.pem", false),
      ("other", "other.pem", false),
    ] as [(String, String?, Bool)] {
      let receiver = try await Receiver(certificate: scratch["\(name).pem"], key: scratch["\(name).key"])
      let rows = try await send(
        to: receiver.url("ok", scheme: "https"), client: client(authority.map { scratch[$0] }), patience: .seconds(600))
      #expect(rows.allSatisfy { $0.state == (isAccepted ? .sent : .waiting) }, "\(name)")
      #expect(isAccepted || rows[0].problem == "certificate" && rows[0].attempts == 1, "\(name) \(rows[0])")
      #expect(try receiver.kept.isEmpty == !isAccepted)
    }
  }

  @Test("A folder gets a whole copy of each bundle, which is there or not there")
  func folder() async throws {
    let share = try ScratchFolder()
    let rows = try await send(to: share.path)
    #expect(rows.allSatisfy { $0.state == .sent && $0.confirmation == "readBack" })
    let same = try Program.run("diff", ["-r", "\(bench.results)/bundles", share.path])
    #expect(same.status == 0, "\(same.output)")
  }

  @Test("Copies of one bundle that several senders make at once without a lock are one whole copy")
  func together() async throws {
    let bench = try BaggedTrials(1, more: ["data/clip/long.mp3": [UInt8](repeating: 7, count: 3 << 20)])
    let (path, trial) = (bench.path(of: bench.trials[0]), bench.trials[0])
    let share = try ScratchFolder()
    let outcomes = await withTaskGroup { group in
      for _ in 0..<4 {
        group.addTask { () -> SendOutcome in
          guard let bundle = try? OutgoingBundle(path, of: trial) else { return .refused(.bundleMissing, .bundle) }
          return await FolderDelivery(share.path).deliver(bundle, at: .now)
        }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    let digest = try OutgoingBundle(path, of: trial).manifestDigest.description
    #expect(outcomes == Array(repeating: .sent(.readBack, receipt: digest), count: 4))
    #expect(try Folder.names(in: share.path) == [trial])
    let same = try Program.run("diff", ["-r", "\(bench.results)/bundles", share.path])
    #expect(same.status == 0, "\(same.output)")
  }

  @Test("What a killed sender left is removed by the next one of its folder; other senders' copies are not")
  func leftovers() async throws {
    let share = try ScratchFolder()
    _ = try await send(to: share.path)
    let lock = try #require(try Folder.names(in: bench.results).first { $0.hasPrefix("station.sqlite.sending-") })
    let mark = String(decoding: try File.contents(of: "\(bench.results)/\(lock)"), as: UTF8.self)
    let trial = bench.trials[0]
    let (ours, others) = (
      ".\(trial).\(mark).0123456789abcdef.part",
      [".\(trial).fedcba9876543210.0123456789abcdef.part", ".\(trial).part", "mine.part", ".x.\(mark).1.part"]
    )
    for name in [ours] + others {
      try Folder.ensure("\(share[name])/data")
      try File.create("\(share[name])/data/heart.json", [1])
    }
    _ = try await send(to: share.path)
    #expect(Set(try Folder.names(in: share.path)) == Set(bench.trials + others))
  }

  @Test(
    "A copy that lacks a file, or has another one, is not the bundle",
    arguments: [
      "bagit.txt", "bag-info.txt", "manifest-sha256.txt", "tagmanifest-sha256.txt", "data/heart.json",
      "data/result.json",
    ])
  func damagedCopy(file: String) async throws {
    let bundle = try OutgoingBundle(bench.path(of: bench.trials[0]), of: bench.trials[0])
    for harm in ["removes", "changes", "links"] {
      let share = try ScratchFolder()
      #expect(await FolderDelivery(share.path).deliver(bundle, at: .now).isSent)
      let path = "\(share[bundle.trial])/\(file)"
      let bytes = try File.contents(of: path)
      try Folder.removeFile(path)
      switch harm {
      case "changes": try File.create(path, bytes + [32])
      case "links": #expect(unsafe symlink("\(bench.path(of: bundle.trial))/\(file)", path) == 0)
      default: break
      }
      let outcome = await FolderDelivery(share.path).deliver(bundle, at: .now)
      #expect(outcome == .refused(.taken, .bundle), "\(harm)")
    }
  }

  @Test("A folder that is not there is taken for an unmounted share, and other data under a trial's name are kept")
  func otherFolder() async throws {
    let share = try ScratchFolder()
    #expect(try await send(to: share["missing"]).allSatisfy { $0.state == .waiting })
    try Folder.ensure(share[bench.trials[0]])
    try File.create("\(share[bench.trials[0]])/mine.txt", [1])
    let rows = try await send(to: share.path)
    #expect(rows.map(\.state) == [.parked, .sent] && rows[0].problem == "taken")
    #expect(Folder.exists("\(share[bench.trials[0]])/mine.txt"))
  }

  @Test("A bundle that has changed, or is gone, is not sent")
  func changed() async throws {
    let receiver = try await Receiver()
    try File.replaceWhole("\(bench.path(of: bench.trials[0]))/data/heart.json", Array("{\"items\":[]}\n".utf8))
    var rows = try await send(to: receiver.url("ok"))
    #expect(rows.map(\.state) == [.parked, .sent] && rows[0].problem == "bundleChanged")
    rows = try await send(to: receiver.url("ok/heart"), .json)
    #expect(rows.map(\.state) == [.parked, .sent] && rows[0].problem == "bundleChanged")
    let outbox = try await Outbox.open("\(bench.results)/station.sqlite")
    let destination = try Destination(receiver.url("ok/gone"), form: .bundle, isInsecure: false)
    try await outbox.add([("gone", "bundles/gone")], for: destination.row, at: .now)
    rows = try await send(to: receiver.url("ok/gone"))
    #expect(rows.last?.problem == "bundleMissing")
  }

  @Test("Every name that file systems allow arrives", arguments: ["tar", "folder"])
  func names(kind: String) async throws {
    let names = [
      "ä ß 𝄞.mp3", "a\nb%0Ac.mp3", "\u{202E}gpj.mp3", String(repeating: "ü", count: 125) + ".mp3", "-rf", "\"'\\$",
    ]
    let bench = try BaggedTrials(
      1, more: Dictionary(uniqueKeysWithValues: names.map { ("data/clip/\($0)", Array($0.utf8)) }))
    let bundle = try OutgoingBundle(bench.path(of: bench.trials[0]), of: bench.trials[0])
    let scratch = try ScratchFolder()
    if kind == "tar" {
      try File.create(scratch["bundle.tar"], bundle.archive().body.contents())
      for tool in [["tar", "-xf", scratch["bundle.tar"], "-C", scratch.path]] {
        let unpacked = try Program.run(tool[0], Array(tool.dropFirst()))
        #expect(unpacked.status == 0, "\(unpacked.error)")
      }
      let names = try Program.run(
        "python3",
        ["-c", "import sys,tarfile; print(len(tarfile.open(sys.argv[1]).getnames()))", scratch["bundle.tar"]])
      #expect(names.output == "12\n", "\(names.error)")
    } else {
      let outcome = await FolderDelivery(scratch.path).deliver(bundle, at: .now)
      #expect(outcome == .sent(.readBack, receipt: bundle.manifestDigest.description))
    }
    let same = try Program.run("diff", ["-r", bench.path(of: bench.trials[0]), scratch[bench.trials[0]]])
    #expect(same.status == 0, "\(same.output)")
  }
}
