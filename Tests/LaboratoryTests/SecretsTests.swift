import Basics
import Synchronization
import TestSupport
import Testing

@testable import Laboratory

@Suite("What a server repeats of a token")
struct SecretsTests {
  /// Where a server can put words of its own.
  private static let places = ["detail", "title", "pointer", "location", "receipt", "reason"]
  /// How it writes them: see `forms` in `receiver.py`.
  private static let forms = [
    "plain", "sentence", "upper", "percent", "twice", "base64", "inside", "header", "url64", "hex", "json", "braces",
    "html", "html16", "bidi", "control", "spaces", "invisible", "lines", "dashes", "wide", "half", "rest",
    "bidi-percent", "long", "decimal", "hex list", "octal", "zeros", "base64 twice", "base32", "binary", "reversed",
    "letters", "pieces", "quoted",
  ]

  /// Sends a bundle to a server that repeats the token; what was kept of it.
  private func kept(
    _ secret: String, _ place: String, _ form: String, by receiver: Receiver
  ) async throws -> (OutboxItem, store: [UInt8]) {
    let bench = try BaggedTrials(1)
    let token = try #require(
      try AccessToken.find(file: nil, variables: { $0 == AccessToken.variable ? secret : nil }))
    let url = receiver.url("echo-\(place)-\(form.replacing(" ", with: "_"))")
    let destination = try Destination(url, form: .bundle, isInsecure: false)
    let outbox = try await Outbox.open("\(bench.results)/station.sqlite")
    try await outbox.add(OutgoingList([], results: bench.results).entries, for: destination.row, at: .now)
    let sender = Sender(
      outbox, results: bench.results, to: destination,
      by: ReceiverDelivery(try HTTPClient(), address: url, token: token))
    let rows = Mutex<[OutboxItem]>([])
    _ = try await sender.run(patience: .zero, isAsked: true) { row in rows.withLock { $0.append(row) } }
    await outbox.close()
    let files = try Folder.names(in: bench.results).filter { $0.hasPrefix("station.sqlite") }
    let bytes = try files.flatMap { try File.contents(of: "\(bench.results)/\($0)") }
    return (try #require(rows.withLock { $0 }.first), bytes)
  }

  @Test("A token that a server repeats is neither told nor kept, wherever and however it is written", arguments: forms)
  func repeated(form: String) async throws {
    let token = "sEcr3t_T0ken.94xQ~zK7"
    let receiver = try await Receiver()
    for place in Self.places {
      let (row, store) = try await kept(token, place, form, by: receiver)
      // A line break in a header is no answer.
      let isAnswer = place != "reason" && (place, form) != ("location", "lines")
      #expect(row.state == (place == "receipt" ? .sent : isAnswer ? .parked : .waiting), "\(place): \(row)")
      if ["detail", "title", "pointer"].contains(place) {
        #expect(row.reason?.contains("may repeat the token") == true, "\(place): \(row)")
      }
      var secrets = Secrets()
      secrets.add(token)
      if let reason = row.reason { #expect(!secrets.mayBeIn(reason), "\(place): \(reason.prefix(400))") }
      // Without the code that is tested, too.
      for part in ["sEcr3t_T", "en.94xQ~", "4xQ~zK7", "SECR3T", "c0VjcjN0", "73456372", "%73", "u0073", "&#115"] {
        #expect(row.reason?.contains(part) != true && row.receipt?.contains(part) != true, "\(place): \(row)")
        #expect(!String(decoding: store, as: UTF8.self).contains(part), "\(place)")
      }
    }
  }

  @Test(
    "Of a name and a password neither the pair nor the password is told, in base 64 either",
    arguments: ["pair", "pair64", "plain", "base64", "percent", "bidi", "header"])
  func pair(form: String) async throws {
    let receiver = try await Receiver()
    for place in ["detail", "receipt"] {
      let (row, store) = try await kept("lab:pa55w0rd-of-lab", place, form, by: receiver)
      for part in ["pa55w0rd", "bGFiOnBhNTV3", "cGE1NXcwcmQ", "%70%61"] {
        #expect(row.reason?.contains(part) != true && row.receipt?.contains(part) != true, "\(place): \(row)")
        #expect(!String(decoding: store, as: UTF8.self).contains(part), "\(place)")
      }
    }
  }

  @Test(
    "Words that repeat no secret are told",
    arguments: [
      "not a bundle; /trial: unknown site", "the token has expired", "“lab” may not write here", "100 % full",
      "field “rr”: 180.5 is more than 120 (row 3)", "bundle 0190f3c2-7b6e-7abc-9def-0123456789ab is there already",
      "Ungültiger Wert für „hr“", "ファイルがありません", "SignatureDoesNotMatch", "",
    ])
  func harmless(text: String) {
    var secrets = Secrets()
    for secret in ["sEcr3t_T0ken.94xQ~zK7", "lab:pa55w0rd-of-lab", "pa55w0rd-of-lab"] { secrets.add(secret) }
    #expect(!secrets.mayBeIn(text))
    #expect(!Secrets().mayBeIn(text))
  }

  @Test("A key in the address of a request is a secret, too")
  func query() {
    let request = HTTPRequest("POST", "https://host.example/hook?key=Zk29fJw8Qx&form=json")
    let answer = HTTPAnswer(status: 404, secrets: request.secrets)
    #expect(answer.quoted("nothing at /hook?key=Zk29fJw8Qx") == nil)
    #expect(answer.quoted("no json") == "no json")
  }
}
