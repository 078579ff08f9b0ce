import Basics
import CPipeWire
import CSystem
import Glibc
import Quantities
import Synchronization

/// Learns when the frames of a card leave it, whose position moves in steps, on PipeWire.
///
/// Whatever is played meanwhile is disturbed: the cycles of the graph get another length.
struct CardScan {
  let connection: PipeWireConnection
  let engine: CycleEngine
  /// Whether no other program plays on the card.
  let isAlone: @Sendable () -> Bool

  /// How long a card's driver takes until its delay is steady, by `Benchmarks/onset/cards.py`.
  private static let adaptation = Duration.seconds(3)
  /// How long the cycles have another length.
  private static let scanning = Duration.milliseconds(1500)

  /// Scans as often as the steps need it; returns how often the card had been started by then, which gives its steps another
  /// place, and `nil` where another program plays.
  func perform() async throws -> Int? {
    guard isAlone() else { return nil }
    // The later a driver wakes, the less its reading says.
    let processors = AwakeProcessors()
    defer { processors.rest() }
    var scans = 0
    repeat {
      scans += 1
      try await scan()
      // After a change of cycles the driver corrects its pace, and the resampler's where it has one.
      let status = engine.status
      let known = status.steady + Int(Self.adaptation.seconds / status.cycle.seconds)
      _ = try await connection.wait(atMost: .seconds(5)) { [engine] _ in engine.status.steady >= known }
      guard isAlone() else { return nil }
    } while scans < wanted
    return engine.status.starts
  }

  /// Looks at the card's position from all places of its steps, which may divide the usual cycle: when the cycles get another
  /// length, the driver moves their beginnings for a second or two.
  private func scan() async throws {
    let usual = engine.status.quantum
    guard usual > 0 else { return }
    defer { unsafe connection.locked { unsafe cpipewire_graph_force_quantum($0, 0) } }
    // Servers take powers of two. Shorter cycles than 256 frames are more than some computers can do.
    let other = usual > 256 ? usual / 2 : usual * 2
    unsafe connection.locked { unsafe cpipewire_graph_force_quantum($0, Int32(other)) }
    let isScanning = try await connection.wait(atMost: .seconds(1)) { [engine] _ in engine.status.quantum == other }
    let end = MonotonicClock().now.advanced(by: Self.scanning)
    if isScanning { _ = try await connection.wait(atMost: Self.scanning) { _ in MonotonicClock().now > end } }
    unsafe connection.locked { unsafe cpipewire_graph_force_quantum($0, Int32(usual)) }
    _ = try await connection.wait(atMost: .seconds(1)) { [engine] _ in engine.status.quantum == usual }
  }

  /// How often the card is scanned, by its steps: a longer time shows its pace better.
  ///
  /// Where the usual cycles show one place of long steps alone, the pace is known from the scans only.
  private var wanted: Int {
    let status = engine.status
    guard status.step > 1 else { return 1 }
    return status.quantum % status.step == 0 && status.step * 1000 > status.rate ? 5 : 2
  }
}

/// Keeps the computer's processors awake.
///
/// One that sleeps takes 0.1 to 0.2 ms to wake, and whatever it should have done is late by as much. A thread for each
/// processor turns without doing anything, where nothing else wants to run (`SCHED_IDLE`).
final class AwakeProcessors: Sendable {
  private let isOver = Atomic(false)

  init() {
    for _ in 0..<max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) {
      WaitingThread.start { [self] in
        guard csystem_thread_be_idle() != 0 else { return }
        while !isOver.load(ordering: .relaxed) { csystem_thread_turn() }
      }
    }
  }

  func rest() { isOver.store(true, ordering: .relaxed) }
}
