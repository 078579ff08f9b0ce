import Basics
import Quantities

/// A chest strap around a simulated heart: its messages, second by second.
///
/// Once per second it sends the RR intervals of the beats since the last message (mostly one, sometimes two or none),
/// in steps of 1/1024 s as in the Bluetooth heart rate service, and its rate: 60 s over the mean of the last eight
/// intervals, rounded to whole beats per minute.
struct SimulatedStrap: Sendable {
  struct Settings: Hashable, Sendable {
    var heart = SimulatedHeart.Settings()
    /// The fraction of seconds without skin contact.
    var dropouts = 0.0
    /// The fraction of seconds without connection.
    var losses = 0.0
  }

  /// The outcome of a second.
  enum Second: Equatable {
    /// The time of the last beat is in seconds; `nil` without one.
    case sent(rate: Double?, intervals: [Double], contact: Bool, lastBeat: Double?)
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
  /// How long after the end of the next second its message is sent, in seconds.
  private(set) var delay = 0.0

  init(_ settings: Settings) {
    self.settings = settings
    heart = SimulatedHeart(settings.heart)
    // An independent random stream, so that dropouts do not change the beats.
    random = SplitMix64(seed: settings.heart.seed ^ 0x5354_5241_5053_5452)
    delay = nextDelay()
  }

  private mutating func nextDelay() -> Double { 0.02 + 0.03 * random.uniform() }

  mutating func stimulusChanged(isSounding: Bool, at time: Double) {
    heart.stimulusChanged(isSounding: isSounding, at: time)
  }

  /// Advances by one second.
  mutating func next() -> Second {
    second += 1
    var intervals: [Double] = []
    var lastBeat: Double?
    isOff = goes(on: isOff, part: settings.dropouts)
    isLost = goes(on: isLost, part: settings.losses)
    delay = nextDelay()
    while let beat = heart.nextBeat(until: Double(second)) {
      let tick = Int((beat * 1024).rounded(.down))
      if let lastTick, !isOff, !isLost {
        intervals.append(Double(tick - lastTick) * 1000 / 1024)
        lastBeat = Double(tick) / 1024
      }
      lastTick = tick
    }
    if isOff || isLost {
      // The first beat afterwards has no interval: its predecessor was not detected.
      lastTick = nil
      recent = []
    }
    if isLost { return .silence }
    recent = (recent + intervals).suffix(8)
    let rate = recent.isEmpty ? nil : (60_000 * Double(recent.count) / recent.reduce(0, +)).rounded()
    return .sent(rate: rate, intervals: intervals, contact: !isOff, lastBeat: lastBeat)
  }

  /// A two-state Markov chain that spends the given fraction of time in its state, in episodes of ``episode``.
  private mutating func goes(on isIn: Bool, part: Double) -> Bool {
    let draw = random.uniform()
    guard part > 0 else { return false }
    return isIn ? draw >= 1 / Self.episode : draw < part / (Self.episode * (1 - part))
  }
}
