import Basics
import Bundles
import Foundation
import Glibc
import Quantities
import Sensors
import Study
import TestSupport
import Testing

@testable import Session

@Suite("The desk at which consoles find a session")
struct DeskTests {
  let scratch: ScratchFolder
  let clock = HandClock()

  init() throws { scratch = try ScratchFolder() }

  /// A console at the desk, which reads whole lines on a thread of its own.
  private final class Console: Sendable {
    /// The connection, which both threads hold open.
    private final class Line: Sendable {
      let connection: Descriptor

      init(_ path: String) throws { connection = try LocalSocket.connect(to: path) }
    }

    private let line: Line
    private let lines: AsyncStream<JSONValue>

    init(_ path: String) throws {
      let line = try Line(path)
      self.line = line
      let (lines, told) = AsyncStream.makeStream(of: JSONValue.self)
      self.lines = lines
      WaitingThread.start {
        var rest: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let alarm = Alarm()
        reading: while true {
          switch line.connection.read(into: &buffer) {
          case .bytes(let count): rest += buffer.prefix(count)
          case .nothing: _ = alarm.wait([(line.connection.number, Int(POLLIN))])
          case .end, .failed: break reading
          }
          while let end = rest.firstIndex(of: 10) {
            if let line = try? JSONReader.read(Array(rest[..<end])).value { told.yield(line) }
            rest.removeFirst(end + 1)
          }
        }
        told.finish()
      }
    }

    func send(_ message: JSONValue) { _ = LocalSocket.send((message.encoded() + [10])[...], on: line.connection) }

    deinit { leave() }

    /// Goes away.
    func leave() { shutdown(line.connection.number, Int32(SHUT_RDWR)) }

    /// The next line of a kind that something is true of; `nil` at the end.
    func next(_ kind: String, where isMeant: (JSONValue) -> Bool = { _ in true }) async -> JSONValue? {
      for await line in lines where line["kind"]?.string == kind && isMeant(line) { return line }
      return nil
    }
  }

  private func desk() -> (desk: SessionDesk, path: String) {
    let desk = SessionDesk { Issue.record("\($0)") }
    let path = scratch["desk.socket"]
    desk.begin(at: path)
    return (desk, path)
  }

  @Test("The socket is its owner's alone, and gone after the session")
  func socket() async throws {
    let (desk, path) = desk()
    var status = stat()
    #expect(unsafe lstat(path, &status) == 0)
    #expect(status.st_mode & 0o777 == 0o600 && status.st_mode & S_IFMT == S_IFSOCK)
    #expect(throws: FileError.self) { _ = try LocalSocket.listen(at: path) }
    let console = try Console(path)
    desk.end()
    #expect(await console.next("state") { $0["over"] == true } != nil)
    #expect(await console.next("none") == nil)
    #expect(!Folder.exists(path))
  }

  @Test("A socket that a killed process left is taken over, and a path may be longer than an address")
  func left() throws {
    let deep = scratch[String(repeating: "folder-", count: 30)]
    try Folder.ensure(deep)
    let path = "\(deep)/desk.socket"
    do { _ = try LocalSocket.listen(at: path) }
    #expect(throws: FileError("connect to the socket", path, code: ECONNREFUSED)) {
      _ = try LocalSocket.connect(to: path)
    }
    let listener = try LocalSocket.listen(at: path)
    let connection = try LocalSocket.connect(to: path)
    let isAccepted: Bool
    switch LocalSocket.accept(from: listener) {
    case .none: isAccepted = false
    case .some: isAccepted = true
    }
    #expect(isAccepted)
    #expect(connection.number >= 0)
  }

  @Test("A console that connects is sent everything, and one that was there what changed")
  func everything() async throws {
    let (desk, path) = desk()
    defer { desk.end() }
    let early = try Console(path)
    let now = desk.clock.now
    for number in 0..<5 {
      let reading = HeartReading(
        heartRate: 60 + Double(number), happened: now.advanced(by: .seconds(number)),
        arrived: now.advanced(by: .seconds(number)))
      desk.see(.heard("strap", .readings([reading])))
    }
    desk.say("the strap is lost", isProblem: true)
    var rates: [Double] = []
    while rates.count < 5, let line = await early.next("rates") {
      rates += line["rate"]?.array?.compactMap(\.number) ?? []
    }
    #expect(rates == [60, 61, 62, 63, 64])
    let late = try Console(path)
    #expect(await late.next("rates")?["rate"] == [60, 61, 62, 63, 64])
    let said = await late.next("said")?["said"]?.array?.first
    #expect(said?["text"] == "the strap is lost" && said?["problem"] == true)
    let state = await late.next("state")
    #expect(state?["sensors"]?.array?.first?["rate"] == 64)
  }

  @Test("The first console operates; another reads only, until the first is gone")
  func roles() async throws {
    let (desk, path) = desk()
    defer { desk.end() }
    let first = try Console(path)
    first.send(["do": "hello", "operates": true])
    #expect(await first.next("role") { $0["operates"] == true } != nil)
    let second = try Console(path)
    second.send(["do": "hello", "operates": true])
    #expect(await second.next("role")?["operates"] == false)
    second.send(["do": "pause", "id": 7])
    let refused = await second.next("refused")
    #expect(refused?["id"] == 7)
    first.send(["do": "annotate", "id": 3, "text": "moved", "age_ms": 500])
    var wishes = desk.wishes.makeAsyncIterator()
    let wish = await wishes.next(isolation: #isolation)
    guard case .command(.annotate("moved", _)) = wish?.kind else {
      Issue.record("\(String(describing: wish?.kind))")
      return
    }
    wish?.reply("no trial runs")
    #expect(await first.next("refused") == ["kind": "refused", "id": 3, "reason": "no trial runs"])
    first.leave()
    #expect(await second.next("role") { $0["operates"] == true } != nil)
  }

  @Test("Of more consoles than are served the last one waits until another is gone")
  func many() async throws {
    let (desk, path) = desk()
    defer { desk.end() }
    var consoles: [Console] = []
    for _ in 0..<16 {
      let console = try Console(path)
      #expect(await console.next("state") != nil)
      consoles.append(console)
    }
    let last = try Console(path)
    consoles[0].leave()
    #expect(await last.next("state") != nil)
  }

  @Test("A question is asked at every console, and answered once")
  func question() async throws {
    let (desk, path) = desk()
    defer { desk.end() }
    let console = try Console(path)
    console.send(["do": "hello", "operates": true])
    let place = SessionPlace(run: "s", trial: 2, trials: 5, boot: nil, zero: .zero)
    async let answer = desk.answer(.badTrial(place, reasons: []))
    let asked = try #require(await console.next("state") { $0["questions"]?.array?.isEmpty == false })
    let number = asked["questions"]?.array?.first?["number"] ?? .null
    console.send(["do": "answer", "id": 1, "question": number, "answer": "again"])
    console.send(["do": "answer", "id": 2, "question": number, "answer": "goOn"])
    #expect(await answer == .again)
    #expect(await console.next("done")?["id"] == 1)
    #expect(await console.next("refused")?["id"] == 2)
  }

  @Test(
    "What is no message of a console is refused, and costs nothing else",
    arguments: ["", "{}", "[1]", #"{"do":"hack"}"#, #"{"do":"annotate","text":" "}"#, #"{"do":"press"}"#, "\u{0}"])
  func nonsense(text: String) async throws {
    let (desk, path) = desk()
    defer { desk.end() }
    let console = try Console(path)
    console.send(["do": "hello", "operates": true])
    #expect(await console.next("role") { $0["operates"] == true } != nil)
    console.send(.string(text))
    #expect(await console.next("refused") != nil)
    console.send(["do": "answer", "id": 1, "question": 1, "answer": "goOn"])
    #expect(await console.next("refused")?["id"] == 1)
  }

  @Test("A waveform is sent to those who chose it, in at most 250 frames a second")
  func waveform() async throws {
    let (desk, path) = desk()
    defer { desk.end() }
    let console = try Console(path)
    console.send([
      "do": "wave", "id": 1, "sensor": "chest", "quantity": .string(QuantityType.electrocardiogram.identifier),
    ])
    #expect(await console.next("done")?["id"] == 1)
    let format = WaveformFormat(.electrocardiogram, rate: 1000, channels: ["ecg"])
    let now = desk.clock.now
    let values = (0..<100).map { Float($0) }
    desk.see(.heard("other", .waveform(WaveformFrames(format, happened: now, arrived: now, values: values))))
    desk.see(.heard("chest", .waveform(WaveformFrames(format, happened: now, arrived: now, values: values))))
    let wave = await console.next("wave")
    #expect(wave?["sensor"] == "chest" && wave?["rate"] == 250)
    #expect(wave?["values"]?.array?.prefix(3) == [0, 4, 8])
  }
}
