import Basics
import Quantities

/// A chest strap around a simulated heart: what it sends, second by second.
///
/// Once a second it sends the RR intervals of the beats since the last time (mostly one, sometimes two or none), in steps
/// of 1/1024 s as Bluetooth's heart-rate service has it, and its rate: 60 s over the mean of the last eight intervals,
/// to a whole beat a minute.
struct SimulatedStrap: Sendable {
  struct Settings: Hashable, Sendable {
    var heart = SimulatedHeart.Settings()
    /// The part of all seconds in which the strap does not touch the skin.
    var dropouts = 0.0
    /// The part of all seconds in which the connection is lost.
    var losses = 0.0
  }

  /// What a second brought.
  enum Second: Equatable {
    /// Times in seconds: of the last beat (`nil` without one) and of the sending.
    case sent(rate: Double?, intervals: [Double], contact: Bool, lastBeat: Double?, delay: Double)
    /// There was no connection.
    case silence
  }

  /// The mean length of a dropout or a loss, in seconds.
  private static let episode = 5.0

  private let settings: Settings
  private var heart: SimulatedHeart
  private var random: SplitMix64
  private var second = 0
  private var isOff = false
  private var isLost = false
  private var lastTick: Int?
  private var recent: [Double] = []

  init(_ settings: Settings) {
    self.settings = settings
    heart = SimulatedHeart(settings.heart)
    // A stream of its own, so that dropouts do not change the beats.
    random = SplitMix64(seed: settings.heart.seed ^ 0x5354_5241_5053_5452)
  }

  mutating func stimulusChanged(isSounding: Bool, at time: Double) {
    heart.stimulusChanged(isSounding: isSounding, at: time)
  }

  /// Goes one second on.
  mutating func next() -> Second {
    second += 1
    var intervals: [Double] = []
    var lastBeat: Double?
    let delay = 0.02 + 0.03 * random.uniform()
    isOff = goes(on: isOff, part: settings.dropouts)
    isLost = goes(on: isLost, part: settings.losses)
    while let beat = heart.nextBeat(until: Double(second)) {
      let tick = Int((beat * 1024).rounded(.down))
      if let lastTick, !isOff, !isLost {
        intervals.append(Double(tick - lastTick) * 1000 / 1024)
        lastBeat = Double(tick) / 1024
      }
      lastTick = tick
    }
    if isOff || isLost {
      // The first beat afterwards has no interval: nobody saw the one before it.
      lastTick = nil
      recent = []
    }
    if isLost { return .silence }
    recent = (recent + intervals).suffix(8)
    let rate = recent.isEmpty ? nil : (60_000 * Double(recent.count) / recent.reduce(0, +)).rounded()
    return .sent(rate: rate, intervals: intervals, contact: !isOff, lastBeat: lastBeat, delay: delay)
  }

  /// A two-state Markov chain that is in its state for that part of the time, in episodes of ``episode``.
  private mutating func goes(on isIn: Bool, part: Double) -> Bool {
    let draw = random.uniform()
    guard part > 0 else { return false }
    return isIn ? draw >= 1 / Self.episode : draw < part / (Self.episode * (1 - part))
  }
}
