import Basics
import CSystem
import Glibc
import Quantities

@testable import Sensors

/// Runs a sensor that is not there, until Ctrl-C or until nothing reads what it prints: how to reach the sensor.
@main
enum Pretend {
  private static let usage = """
    usage: Scripts/pretend bluetooth [--straps COUNT] [--lose-every TIME]
           Scripts/pretend lsl
           Scripts/pretend serial \(SerialKind.all.map(\.name).joined(separator: "|"))

    runs a sensor that is not there, to rehearse with, until Ctrl-C

      --straps COUNT     how many straps, 1 to 9 (default: 1)
      --lose-every TIME  every TIME (10s to 3600s) a strap is out of reach for \(BluetoothPretender.absence) s, by turns in
                         each way that BlueZ has
    """

  static func main() async {
    let words = CommandLine.arguments.dropFirst()
    if words.contains("--help") { return say(usage) }
    guard let device = Device(words) else {
      say(usage, to: 2)
      exit(2)
    }
    do { try await run(device) } catch {
      say("pretend: \(error)", to: 2)
      exit(1)
    }
  }

  /// A device and its options.
  private enum Device {
    case bluetooth(BluetoothPretender)
    case lsl(LSLPretender)
    case serial(SerialPretender)

    /// Reads the words of the command; `nil` for words that it does not know.
    init?(_ words: ArraySlice<String>) {
      var words = words
      switch words.popFirst() {
      case "bluetooth":
        var (straps, pause): (Int, Int?) = (1, nil)
        while let option = words.popFirst() {
          guard let value = words.popFirst() else { return nil }
          switch option {
          case "--straps":
            guard let count = Int(value), BluetoothPretender.counts.contains(count) else { return nil }
            straps = count
          case "--lose-every":
            guard value.hasSuffix("s"), let seconds = Int(value.dropLast()),
              BluetoothPretender.pauses.contains(seconds)
            else { return nil }
            pause = seconds
          default: return nil
          }
        }
        self = .bluetooth(BluetoothPretender(straps: straps, losingEvery: pause))
      case "lsl": self = .lsl(LSLPretender())
      case "serial":
        guard let kind = words.popFirst().flatMap({ SerialKind(named: $0) }) else { return nil }
        self = .serial(SerialPretender(kind))
      default: return nil
      }
      if !words.isEmpty { return nil }
    }

    /// Runs it, and says how to reach it.
    func run() async throws {
      let clock = MonotonicClock()
      switch self {
      case .bluetooth(let straps):
        try await straps.run(on: clock) { event in
          switch event {
          case .ready(let bus, let sensors):
            say("DBUS_SYSTEM_BUS_ADDRESS=\(bus)")
            for sensor in sensors { say("station check sensor \(sensor)") }
          case .lost(let sensor, let objects): say("\(sensor) is out of reach: \(objects)")
          case .back(let sensor): say("\(sensor) is in reach again")
          }
        }
      case .lsl(let stream): try await stream.run(on: clock) { say("station check sensor '\($0)'") }
      case .serial(let device): try await device.run(on: clock) { say("station check sensor '\($0)'") }
      }
    }
  }

  private static func run(_ device: Device) async throws {
    let interrupts = interrupts()
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await device.run() }
      group.addTask { for await _ in interrupts { return } }
      group.addTask { while !isAbandoned { try await MonotonicClock().sleep(for: .seconds(1)) } }
      try await group.next()
      group.cancelAll()
    }
  }

  /// Ctrl-C and requests to end.
  private static func interrupts() -> AsyncStream<Void> {
    _ = signal(SIGPIPE, SIG_IGN)
    return AsyncStream { continuation in
      guard csystem_signals_open() >= 0 else { return }
      for signal in [SIGINT, SIGTERM, SIGHUP] { csystem_signal_catch(signal, 1) }
      WaitingThread.start { while csystem_signals_wait() > 0 { continuation.yield() } }
    }
  }

  /// Whether nothing reads what is printed any more.
  private static var isAbandoned: Bool {
    var output = pollfd(fd: 1, events: 0, revents: 0)
    return unsafe poll(&output, 1, 0) > 0 && output.revents & Int16(POLLERR) != 0
  }

  private static func say(_ line: String, to descriptor: Int32 = 1) {
    let bytes = Array("\(line)\n".utf8)
    unsafe bytes.withUnsafeBytes { unsafe _ = write(descriptor, $0.baseAddress, $0.count) }
  }
}
