import Basics
import CSystem
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import Quantities
@testable import Sensors

@Suite("A sensor that speaks in lines")
struct LinesSensorTests {
  private let clock = HandClock()
  private let folder = TemporaryFolder()

  private func all(
    _ target: LineTarget, capacity: Int = 65_536, pace: ReadingPace = .standard
  ) async -> [SensorEvent] {
    var events: [SensorEvent] = []
    let sensor = LinesSensor(target, capacity: capacity, pace: pace)
    for await event in sensor.events(on: clock) { events.append(event) }
    return events
  }

  @Test(
    "reads a file to its end, with or without a last line break", arguments: ["72\r\n{\"hr\":73}\n74", "72\n73\n74\n"])
  func file(text: String) async {
    let path = folder.file(text)
    let events = await all(.path(path))
    #expect(events.first == .connected(nil))
    #expect(rates(events) == [72, 73, 74])
    #expect(events.last == .ended(reason: "“\(path)” has ended"))
  }

  @Test("loses nothing of a large file to a late consumer")
  func largeFile() async {
    let path = folder.file((0..<50_000).map { "\(60 + $0 % 40)\n" }.joined())
    #expect(rates(await all(.path(path), capacity: 1000)) == (0..<50_000).map { Double(60 + $0 % 40) })
  }

  @Test("reads a FIFO, and reports what it cannot read by its number")
  func fifo() async {
    let path = "\(folder.path)/fifo"
    unsafe _ = mkfifo(path, 0o600)
    var events = LinesSensor(.path(path)).events(on: clock).makeAsyncIterator()
    let writer = unsafe open(path, O_WRONLY | O_CLOEXEC)
    #expect(await events.next() == .connected(nil))
    send("72,830\n", writer)
    let now = clock.now
    #expect(
      await events.next()
        == .readings([HeartReading(heartRate: 72, rrIntervals: [830], happened: now, arrived: now)]))
    send("what?\n", writer)
    #expect(await events.next() == .unreadable(line: 2, reason: "“what?” is not a number"))
    send(String(repeating: "9", count: 70_000) + "\n", writer)
    #expect(await events.next() == .unreadable(line: 3, reason: "longer than 65536 bytes"))
    send("73", writer)
    close(writer)
    #expect(rates([await events.next() ?? .connected(nil)]) == [73])
    #expect(await events.next() == .ended(reason: "“\(path)” has ended"))
    #expect(await events.next() == nil)
  }

  @Test("reads standard input")
  func standardInput() async {
    var ends: [Int32] = [0, 0]
    unsafe _ = pipe2(&ends, O_CLOEXEC)
    let kept = dup(0)
    dup2(ends[0], 0)
    send("72\n73\n", ends[1])
    close(ends[1])
    let events = await all(.standardInput)
    dup2(kept, 0)
    close(kept)
    close(ends[0])
    #expect(rates(events) == [72, 73])
    #expect(events.last == .ended(reason: "standard input has ended"))
  }

  @Test("reads a character device until it is unplugged")
  func device() async {
    // TIOCSPTLCK and TIOCGPTN of <asm/ioctls.h>: unlock the pair's other end, and ask for its number.
    let master = unsafe open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
    var (locked, number): (Int32, Int32) = (0, 0)
    unsafe _ = ioctl(master, 0x4004_5431, &locked)
    unsafe _ = ioctl(master, 0x8004_5430, &number)
    let path = "/dev/pts/\(number)"
    var events = LinesSensor(.path(path)).events(on: clock).makeAsyncIterator()
    #expect(await events.next() == .connected(nil))
    send("72\n", master)
    #expect(rates([await events.next() ?? .connected(nil)]) == [72])
    close(master)
    let last = await events.next()
    guard case .ended = last else {
      Issue.record("expected the end, not \(String(describing: last))")
      return
    }
  }

  @Test("says why it cannot read a path")
  func unreadable() async {
    let missing = "\(folder.path)/missing"
    #expect(await all(.path(missing)) == [.ended(reason: "cannot open “\(missing)”: No such file or directory")])
    #expect(
      await all(.path(folder.path)).last == .ended(reason: "cannot read “\(folder.path)”: Is a directory"))
  }

  @Test("keeps what came first of a flood, and counts the rest")
  func flood() async {
    let events = await all(.exec(command: "yes 72 | head -n 300000"), capacity: 500, pace: .unbounded)
    var count = 0
    var isDropping = false
    for event in events {
      if case .readings(let readings) = event {
        count += readings.count
        isDropping = false
      }
      if case .overflowed(let dropped) = event {
        #expect(!isDropping)
        count += dropped
        isDropping = true
      }
    }
    #expect(count == 300_000)
  }

  // MARK: Servers

  @Test("connects to a server again after a loss, and tells of the gap", arguments: [true, false])
  func reconnecting(isUnix: Bool) async {
    let server = isUnix ? LineServer(unix: "\(folder.path)/socket") : LineServer()
    let name = isUnix ? "“\(folder.path)/socket”" : "\(server.target)"
    var events = LinesSensor(server.target).events(on: clock).makeAsyncIterator()
    for round in 0..<3 {
      if round > 0 { turn(by: .milliseconds(500)) }
      async let connected = events.next()
      let peer = await server.accept()
      #expect(await connected == .connected(nil))
      send("7\(round)\n80", peer)
      #expect(rates([await events.next() ?? .connected(nil)]) == [Double(70 + round)])
      close(peer)
      // Lines are counted on; the one that was cut off is a fault.
      #expect(
        await events.next() == .unreadable(line: 2 + round, reason: "cut off where the connection ended"))
      #expect(await events.next() == .lost(reason: "\(name) closed the connection"))
    }
  }

  @Test("tries a server that refuses less and less often, and tells of it once")
  func refused() async {
    let server = LineServer(listens: false)
    let stream = LinesSensor(server.target).events(on: clock)
    var events = stream.makeAsyncIterator()
    #expect(await events.next() == .lost(reason: "cannot connect to \(server.target): Connection refused"))
    async let next = events.next()
    for pause in [500, 1000, 2000, 4000, 8000, 8000] {
      await waitForPause(clock)
      let left = clock.now.duration(to: clock.nextDeadline ?? clock.now)
      #expect(left == .milliseconds(pause))
      if pause == 8000 { listen(server.descriptor, 8) }
      clock.advance(by: left)
      if pause == 8000 { break }
    }
    #expect(await next == .connected(nil))
  }

  @Test("gives a server that does not answer up after a while")
  func noAnswer() async {
    let server = LineServer(backlog: 0)
    // Fill the queue of the server, which then drops what knocks: until three in a row have found no place.
    var fillers: [Int32] = []
    guard case .tcp(_, let port) = server.target else { return }
    var refused = 0
    while refused < 3, fillers.count < 64 {
      let filler = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue), 0)
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
      address.sin_port = port.bigEndian
      unsafe withUnsafePointer(to: &address) { pointer in
        unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          unsafe _ = connect(filler, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
        }
      }
      fillers.append(filler)
      var answer = pollfd(fd: filler, events: Int16(POLLOUT), revents: 0)
      refused = unsafe poll(&answer, 1, 200) == 0 ? refused + 1 : 0
    }
    #expect(refused == 3)
    let hasEvent = Atomic(false)
    let next = Task { [clock] in
      var events = LinesSensor(server.target).events(on: clock).makeAsyncIterator()
      defer { hasEvent.store(true, ordering: .releasing) }
      return await events.next()
    }
    // The system itself gives a connection up after two minutes, for which a busy pool of threads may keep a task waiting;
    // so a thread of its own turns the clock.
    let clock = clock
    let hasStarted = WaitingThread.start {
      while clock.sleeperCount < 1, !hasEvent.load(ordering: .acquiring) { usleep(1000) }
      clock.advance(by: .seconds(5))
    }
    #expect(hasStarted)
    let event = await next.value
    #expect(event == .lost(reason: "\(server.target) did not answer within 5 s"))
    for filler in fillers { close(filler) }
  }

  @Test("says what is wrong with a host's name")
  func unknownHost() async {
    var events = LinesSensor(.tcp(host: "no such host", port: 9)).events(on: clock).makeAsyncIterator()
    let event = await events.next()
    guard case .lost(let reason) = event else {
      Issue.record("expected a loss")
      return
    }
    #expect(reason.hasPrefix("cannot connect to tcp://no such host:9: "))
  }

  private func turn(by duration: Duration) {
    // The next event needs the pause to be over; it is begun when the consumer asks.
    Task { [clock] in
      await waitForSleepers(1, on: clock)
      clock.advance(by: duration)
    }
  }

  private func waitForPause(_ clock: HandClock) async {
    // While it connects, the sleeper is the one that limits that to 5 s: which is never a pause's length.
    while true {
      if let deadline = clock.nextDeadline, clock.now.duration(to: deadline) != ConnectionFeed.patience { return }
      await Task.yield()
    }
  }
}
