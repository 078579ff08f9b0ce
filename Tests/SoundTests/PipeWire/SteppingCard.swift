import Basics

/// A card whose position moves in steps, with a driver that wakes late and steers by it, as PipeWire's ALSA driver does.
final class SteppingCard {
  private let step: Int64
  /// The card's frames for one of the graph's.
  private let ratio: Double
  /// The card's frames per nanosecond, and the frame that leaves it at `start`.
  private var pace: Double
  private var start: Int64 = 50_000_000_000
  private var frame = 0.0
  /// A frame at which one of its steps ends.
  private var place: Int64 = 0
  private var random = SplitMix64(seed: 5)
  private(set) var cycles: Int64 = 0

  /// The frames that the driver keeps in the card.
  private static let fill = 900.0
  private static let quantum: Int64 = 1024

  /// A card with steps of so many of its own frames, whose clock is off by this share of a million.
  init(step: Int64, drift: Double, rate: Double = 48_000) {
    self.step = step
    ratio = rate / 48_000
    pace = 48_000 * (1 + drift / 1e6) / 1e9
  }

  /// When a frame leaves the card, by its number in all that was given to it.
  func leaves(_ number: Int64) -> Int64 { start + Int64(((Double(number) - frame) / pace).rounded()) }

  /// Lets the card go on at another pace.
  func change(drift: Double) {
    start = leaves(cycles * Self.quantum)
    frame = Double(cycles * Self.quantum)
    pace = 48_000 * (1 + drift / 1e6) / 1e9
  }

  /// Lets the card stand still for a time, as after an underrun.
  func halt(nanoseconds: Int64) {
    start = leaves(cycles * Self.quantum) + nanoseconds
    frame = Double(cycles * Self.quantum)
  }

  /// Starts the card again after a time, as a driver does after an underrun: its steps end at other places.
  func restart(nanoseconds: Int64, moving frames: Int64) {
    halt(nanoseconds: nanoseconds)
    place += frames
  }

  /// Works through a cycle.
  func turn(_ bench: CycleBench) {
    let first = cycles * Self.quantum
    // The driver's own clock wanders by some tenths of a millisecond within seconds.
    let wander = 0.4e6 * triangle(Double(cycles) / 90)
    let due = leaves(first) - Int64(Self.fill / pace) + Int64(wander)
    let wakes = due + 50_000 + Int64(random.next() % 100_000)
    let steps = ((frame + Double(wakes - start) * pace) * ratio - Double(place)) / Double(step)
    bench.nsec = due
    bench.delay = Int64(Double(first) * ratio) - Int64(steps.rounded(.down)) * step - place
    bench.lateness = wakes - due + 30_000 + Int64(random.next() % 20_000)
    bench.turn()
    cycles += 1
  }

  private func triangle(_ x: Double) -> Double { 4 * abs(x - (x + 0.5).rounded(.down)) - 1 }
}
