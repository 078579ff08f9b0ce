import Basics
import Testing

@testable import Laboratory

@Suite("What a sender does next")
struct SenderMachineTests {
  private static let now = WallTime(milliseconds: 1_763_636_911_250)
  private static let destination = OutboxDestination(address: "https://receiver.example.org", form: "bundle")

  private func item(_ trial: String = "a", due: Duration = .zero) -> OutboxItem {
    var item = OutboxItem(
      key: OutboxItem.Key(destination: Self.destination, trial: trial), path: "bundles/\(trial)", queued: Self.now)
    item.due = Self.now.advanced(by: due)
    return item
  }

  private func machine(hold: OutboxHold? = nil, patience: Duration = .seconds(60)) -> SenderMachine {
    SenderMachine(hold: hold, deadline: Self.now.advanced(by: patience))
  }

  @Test("It sends what is due, waits for what will be within its patience, and stops otherwise")
  func due() {
    let machine = machine()
    #expect(machine.next(item(), at: Self.now) == .send(item()))
    #expect(machine.next(item(due: .seconds(9)), at: Self.now) == .wait(until: Self.now.advanced(by: .seconds(9))))
    #expect(machine.next(item(due: .seconds(61)), at: Self.now) == .stop)
    #expect(machine.next(nil, at: Self.now) == .stop)
  }

  @Test("It leaves a destination alone as long as that has asked for")
  func hold() {
    let until = Self.now.advanced(by: .seconds(30))
    let hold = OutboxHold(failures: 1, until: until, isRequested: true)
    #expect(machine(hold: hold).next(item(), at: Self.now) == .wait(until: until))
    #expect(machine(hold: hold).next(item(), at: until) == .send(item()))
    #expect(machine(hold: hold, patience: .seconds(20)).next(item(), at: Self.now) == .stop)
  }

  @Test("What arrived is sent, and the destination answers again")
  func sent() {
    var machine = machine(hold: OutboxHold(failures: 5, until: Self.now, isRequested: false))
    let row = machine.take(.sent(.receipt, receipt: "{}"), of: item(), at: Self.now, random: 0.5)
    #expect(row.state == .sent && row.attempts == 1 && row.confirmation == "receipt" && row.receipt == "{}")
    #expect(machine.hold == nil && machine.tally.sent == 1)
  }

  @Test("A definite refusal parks the bundle alone, and one of the token stops everything")
  func refusals() {
    var machine = machine()
    let row = machine.take(.refused(.status(422, detail: nil), .bundle), of: item(), at: Self.now, random: 0.5)
    #expect(row.state == .parked && row.problem == "status422")
    #expect(machine.next(item("b"), at: Self.now) == .send(item("b")))
    _ = machine.take(.refused(.status(401, detail: nil), .settings), of: item("b"), at: Self.now, random: 0.5)
    #expect(machine.next(item("c"), at: Self.now) == .stop)
    #expect(machine.stopped == .status(401, detail: nil))
  }

  @Test("A destination that does not answer is tried again after a second, two, four …, with any bundle")
  func backoff() {
    var (machine, now) = (machine(patience: .seconds(10_000)), Self.now)
    let fault = SendProblem.transfer(TransferFault(.connection, "refused"))
    for seconds in [1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300] {
      let row = machine.take(.failed(fault, .destination, wait: nil), of: item(), at: now, random: 1)
      #expect(row.state == .waiting && row.due == now.advanced(by: .seconds(seconds)))
      #expect(machine.next(item("b"), at: now) == .wait(until: now.advanced(by: .seconds(seconds))))
      now = now.advanced(by: .seconds(seconds))
    }
  }

  @Test("One bundle that fails does not hold up the others, and three in a row are the destination's fault")
  func bundleFailures() {
    var machine = machine()
    for (number, holds) in [false, false, true].enumerated() {
      _ = machine.take(.failed(.noReceipt(200), .bundle, wait: nil), of: item("\(number)"), at: Self.now, random: 1)
      #expect((machine.hold != nil) == holds)
    }
  }

  @Test(
    "An answer's status decides",
    arguments: [
      (200, nil), (201, nil), (400, "refused bundle"), (401, "refused settings"), (403, "refused settings"),
      (404, "refused settings"), (408, "failed bundle"), (409, "failed bundle"), (413, "refused bundle"),
      (415, "refused bundle"), (422, "refused bundle"), (425, "failed bundle"), (429, "failed destination"),
      (500, "failed bundle"), (503, "failed destination"), (504, "failed destination"), (507, "failed bundle"),
      (301, "refused settings"), (307, "refused settings"),
    ] as [(Int, String?)])
  func statuses(status: Int, expected: String?) {
    let found: String? =
      switch AnswerReading.failure(HTTPAnswer(status: status), at: Self.now) {
      case nil, .sent: nil
      case .refused(_, let scope): "refused \(scope)"
      case .failed(_, let scope, _): "failed \(scope)"
      }
    #expect(found == expected)
  }

  @Test(
    "Retry-After is a number of seconds, or a date by the server's own clock",
    arguments: [
      (["retry-after": "120"], 120), (["retry-after": "0"], 0), ([:], nil), (["retry-after": "soon"], nil),
      (["retry-after": "-5"], nil),
      (["retry-after": "Sun, 06 Nov 1994 08:51:37 GMT", "date": "Sun, 06 Nov 1994 08:49:37 GMT"], 120),
      (["retry-after": "Thu, 20 Nov 2025 11:09:31 GMT"], 60 - 0.25),
      (["retry-after": "Sun, 06 Nov 1994 08:49:37 GMT"], 0),
    ] as [([String: String], Double?)])
  func retryAfter(headers: [String: String], seconds: Double?) {
    #expect(RetryAfter.wait(headers, at: Self.now)?.seconds == seconds)
  }

  @Test(
    "Addresses that would show a secret, or send it unencrypted, are refused",
    arguments: [
      ("https://receiver.example.org", nil), ("http://127.0.0.1:8080/x", nil), ("http://localhost", nil),
      ("http://[::1]:80/", nil), ("http://receiver.example.org", "plain"), ("http://127.0.0.1.example.org", "plain"),
      ("https://user:secret@receiver.example.org", "password"), ("ftp://127.0.0.1", "scheme"),
      ("https://", "malformed"), ("https://host:99999/", "malformed"), ("https://a b", "malformed"),
    ] as [(String, String?)])
  func addresses(address: String, problem: String?) {
    var found: String?
    do throws(DestinationError) {
      _ = try Destination(address, form: nil, isInsecure: false)
    } catch {
      found =
        "\(error)".contains("secret@")
        ? "shown" : String(describing: Mirror(reflecting: error).children.first?.label ?? "")
    }
    #expect(found == problem)
  }

  @Test(
    "Addresses of one place are one destination",
    arguments: [
      (["https://x", "https://x/", "HTTPS://X:443", "https://x/v1/bundles", "https://x/v1/bundles/"], nil),
      (["https://x/a", "https://x/a/", "https://x:443/a//"], nil), (["https://x:8443/", "https://x:8443"], nil),
      (["http://localhost/", "http://localhost:80"], nil), (["https://x/?a=1", "https://x?a=1"], nil),
      (["https://x", "https://x/"], .json), (["davs://x/a", "davs://X/a/", "davs://x:443/a"], nil),
      (["s3+https://x/a", "s3+https://x/a/"], nil), (["/none/a", "/none/a/"], nil),
    ] as [([String], Destination.Form?)])
  func same(addresses: [String], form: Destination.Form?) throws {
    let rows = try addresses.map { try Destination($0, form: form, isInsecure: false).row }
    #expect(Set(rows).count == 1, "\(rows)")
    // What the outbox keeps means the same when it is read back.
    #expect(try Destination(rows[0].address, form: form, isInsecure: false).row == rows[0])
  }

  @Test(
    "Addresses of other places are other destinations",
    arguments: [
      (["https://x", "https://x:8443", "https://y", "https://x/a", "https://x/?a", "http://localhost"], nil),
      (["https://x/a", "https://x/a/"], .json), (["davs://x/a", "davs://x/A", "davs://x"], nil),
    ] as [([String], Destination.Form?)])
  func others(addresses: [String], form: Destination.Form?) throws {
    #expect(Set(try addresses.map { try Destination($0, form: form, isInsecure: false).row }).count == addresses.count)
  }
}
