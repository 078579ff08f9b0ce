import Glibc
import Quantities
import TestSupport
import Testing

@testable import Sensors

@Suite("A command that speaks in lines")
struct LinesSensorCommandTests {
  private let clock = HandClock()
  private let folder = TemporaryFolder()

  private func all(_ command: String) async -> [SensorEvent] {
    var events: [SensorEvent] = []
    for await event in LinesSensor(.exec(command: command)).events(on: clock) { events.append(event) }
    return events
  }

  @Test("is read to its end, which is reported with its status and last words")
  func ending() async {
    let command = #"printf '72\n73,830\n74'; echo one >&2; printf 'no strap' >&2; exit 3"#
    let events = await all(command)
    #expect(rates(events) == [72, 73, 74])
    #expect(events.last == .ended(reason: "“\(command)” ended with status 3; its last words: “no strap”"))
    let words = String(repeating: "w", count: 190) + ": no strap"
    #expect(
      await all("echo \(words) >&2").last
        == .ended(
          reason: "“echo \(words) >&2” ended with status 0; its last words: “\(words)”"))
    #expect(await all("kill -9 $$").last == .ended(reason: "“kill -9 $$” ended with signal 9"))
    #expect(
      await all("no-such-command-here").last.map { "\($0)".contains("status 127") } == true)
  }

  @Test("reads nothing of ours and has its signals")
  func surroundings() async {
    #expect(rates(await all("cat; echo 72")) == [72])
  }

  @Test(
    "is killed with everything that it started when nobody listens any more",
    arguments: [
      "echo $$ >PID; echo 72; sleep 1000", "trap '' TERM; echo $$ >PID; echo 72; while :; do sleep 1; done",
      "sleep 1000 & echo $! >PID; echo 72; wait",
    ], [true, false])
  func killed(command: String, isCancelled: Bool) async throws {
    let file = "\(folder.path)/pid"
    let command = command.split(separator: "PID", omittingEmptySubsequences: false).joined(separator: file)
    var process: pid_t = 0
    do {
      let sensor = LinesSensor(.exec(command: command))
      let (heard, ear) = AsyncStream.makeStream(of: Void.self)
      let consumer = Task { [clock] in
        for await event in sensor.events(on: clock) {
          guard case .readings = event else { continue }
          ear.finish()
          if !isCancelled { break }
        }
      }
      for await _ in heard {}
      process = try #require(readNumber(file))
      if isCancelled {
        #expect(isAlive(process))
        consumer.cancel()
      }
      await consumer.value
    }
    // Cancelled, the stream ends after the child; what that started, or an abandoned child, ends soon.
    if isCancelled, command.contains("$$") { #expect(!isAlive(process)) }
    while isAlive(process) { await Task.yield() }
  }

  @Test("that goes on after it closed its output is ended")
  func closedOutput() async {
    let command = "echo $$ >\(folder.path)/pid; echo 72; exec >/dev/null 2>&1; sleep 1000"
    let events = await all(command)
    #expect(rates(events) == [72])
    #expect(events.last == .ended(reason: "“\(command)” ended with signal 15"))
  }

  @Test("and its like leave no descriptors behind")
  func descriptors() async throws {
    let before = try openDescriptors()
    let path = "\(folder.path)/fifo"
    unsafe _ = mkfifo(path, 0o600)
    for round in 0..<60 {
      for target in [.exec(command: "echo 72; sleep 1000"), .path(path), .unix(path: path)] as [LineTarget] {
        let sensor = LinesSensor(target)
        let (heard, ear) = AsyncStream.makeStream(of: Void.self)
        let consumer = Task { [clock] in
          for await _ in sensor.events(on: clock) {
            ear.finish()
            if round % 2 == 0 { break }
          }
        }
        for await _ in heard {}
        consumer.cancel()
        await consumer.value
      }
    }
    // Other tests open descriptors meanwhile, and abandoned threads close theirs soon: a leak would be of 180 at least.
    while try openDescriptors() >= before + 90 { await Task.yield() }
  }

  private func openDescriptors() throws -> Int {
    let folder = unsafe try #require(unsafe opendir("/proc/self/fd"))
    defer { unsafe _ = closedir(folder) }
    var count = 0
    while unsafe readdir(folder) != nil { count += 1 }
    return count
  }

  private func readNumber(_ path: String) -> pid_t? {
    let descriptor = unsafe open(path, O_RDONLY)
    defer { close(descriptor) }
    var buffer = [UInt8](repeating: 0, count: 32)
    let count = unsafe buffer.withUnsafeMutableBytes { unsafe read(descriptor, $0.baseAddress, $0.count) }
    return pid_t(String(decoding: buffer.prefix(max(count, 0)).filter { $0 > 32 }, as: UTF8.self))
  }
}
