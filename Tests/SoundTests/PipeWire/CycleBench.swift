import CAllocations
import CPipeWire
import Quantities

@testable import Sound

/// A driver that is turned by hand: it works through cycles as a graph would, and keeps what the engine plays.
@safe final class CycleBench {
  let engine: CycleEngine
  let rate: Int
  let quantum: Int
  var driver: UInt32 = 31
  /// The number of the next cycle's first frame, and when it begins.
  var position: Int64 = 1_000_000
  var nsec: Int64 = 50_000_000_000
  /// How much faster the card's clock is than ours, in millionths.
  var drift = 0.0
  /// The card's buffer before each cycle, in frames of the card.
  var delay: Int64 = 0
  /// How late each cycle's work begins and ends.
  var lateness: Int64 = 100_000
  private(set) var events: [CycleEngine.Event] = []
  /// What was played on the first port, with the time of each frame.
  private(set) var heard: [(moment: Int64, sample: Float)] = []
  private(set) var allocations = 0
  private let planes: [UnsafeMutablePointer<Float>?]

  init(ports: Int = 2, rate: Int = 48_000, quantum: Int = 1024) throws {
    engine = try CycleEngine(ports: ports)
    self.rate = rate
    self.quantum = quantum
    unsafe planes = (0..<ports).map { _ in .allocate(capacity: 8192) }
  }

  deinit { unsafe planes.forEach { unsafe $0?.deallocate() } }

  /// The length of a cycle by our clock.
  var cycle: Int64 { Int64((Double(quantum) * 1e9 / Double(rate) / (1 + drift / 1e6)).rounded()) }

  /// When the next cycle's first frame leaves the sink.
  var leaves: Int64 { nsec + Int64((Double(delay) * 1e9 / Double(rate)).rounded()) }

  func turn(_ count: Int = 1) {
    for _ in 0..<count {
      var cycle = cpipewire_cycle(
        nsec: nsec, position: position, duration: Int64(quantum), delay: delay, rate: UInt32(rate), driver: driver,
        now: nsec + lateness)
      let before = allocations_of_this_thread()
      unsafe planes.withUnsafeBufferPointer { planes in
        if let start = planes.baseAddress { unsafe engine.work(&cycle, start) }
      }
      allocations += allocations_of_this_thread() - before
      for index in 0..<quantum {
        let moment = leaves + Int64((Double(index) * Double(self.cycle) / Double(quantum)).rounded())
        heard.append((moment, unsafe planes[0]?[index] ?? 0))
      }
      nsec += self.cycle
      position += Int64(quantum)
      while let event = engine.next() { events.append(event) }
    }
  }

  /// Leaves out cycles, as a graph does that goes on without a program that is too slow.
  func skip(_ count: Int) {
    nsec += Int64(count) * cycle
    position += Int64(count * quantum)
  }

  /// Loads a stimulus, interleaved for the ports.
  func load(_ samples: [Float], due: Int64, written: Int? = nil) -> Bool {
    let frames = samples.count / engine.ports
    guard engine.load(due: Moment(nanoseconds: due), frames: frames, rate: rate) else { return false }
    engine.write(Array(samples.prefix((written ?? frames) * engine.ports)))
    engine.start()
    return true
  }

  /// The samples that are not silent.
  var sounds: [Float] { heard.map(\.sample).filter { $0 != 0 } }

  /// When the first frame was heard that is not silent.
  var onset: Int64? { heard.first { $0.sample != 0 }?.moment }
  var started: MeasuredMoment? {
    for case .started(let moment) in events { return moment }
    return nil
  }
  var ended: (moment: MeasuredMoment, frames: Int)? {
    for case .ended(let moment, let frames) in events { return (moment, frames) }
    return nil
  }
  var lost: [Int] { events.compactMap { if case .lost(_, let frames) = $0 { frames } else { nil } } }
  var shifts: [Duration] { events.compactMap { if case .shifted(let slip) = $0 { slip } else { nil } } }
}
