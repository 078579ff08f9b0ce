import Signals
import TestSupport
import Testing

@Suite("The pulse in a trace of colours")
struct PulseTrackerTests {
  /// The beats that a tracker finds, with their intervals, and how often it began again.
  private static func track(
    _ film: PulseFilm, _ colours: [PulseColour], without gap: Range<Double>? = nil
  ) -> (beats: [(time: Double, interval: Double)], gaps: Int) {
    var tracker = PulseTracker(colours)
    var beats: [(time: Double, interval: Double)] = []
    var gaps = 0
    for (time, colour) in zip(film.times, film.colours) where gap.map({ !$0.contains(time) }) ?? true {
      for output in tracker.take(SIMD4(colour[0], colour[1], colour[2], 0), at: time) {
        switch output {
        case .beat(let time, let interval, _): beats.append((time, interval))
        case .gap: gaps += 1
        }
      }
    }
    return (beats, gaps)
  }

  /// The mean and the standard deviation of what the found beats differ from the nearest true ones, in seconds.
  private static func errors(_ found: [Double], _ truth: [Double]) -> (mean: Double, deviation: Double) {
    let differences = found.map { beat in
      // A beat is steepest a fifth of an interval after its beginning.
      beat - (truth.min { abs($0 + 0.15 - beat) < abs($1 + 0.15 - beat) } ?? 0)
    }
    let mean = differences.reduce(0, +) / Double(differences.count)
    let squares = differences.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
    return (mean, (squares / Double(differences.count)).squareRoot())
  }

  private static func film(_ change: (inout PulseFilm) -> Void) -> PulseFilm {
    var film = PulseFilm()
    change(&film)
    return film
  }

  @Test(
    "Beats are found at their times, and nearly all of them",
    arguments: [
      ("at rest", film { _ in }, 20.0), ("slow", film { $0.rate = 48 }, 20), ("fast", film { $0.rate = 160 }, 20),
      ("20 pictures a second", film { $0.pictures = 20 }, 20), ("uneven times", film { $0.jitter = 0.4 }, 20),
      ("60 pictures a second", film { $0.pictures = 60 }, 20), ("drift", film { $0.drift = 8 }, 20),
    ])
  func beats(what: String, film: PulseFilm, limit: Double) throws {
    let (beats, gaps) = Self.track(film, [.blue])
    let intervals = beats.map(\.interval)
    let rate = 60 * Double(intervals.count) / intervals.reduce(0, +)
    #expect(gaps == 0)
    #expect(intervals.reduce(0, +) > 20, "\(what): only \(intervals.count) intervals")
    #expect(abs(rate - film.meanRate) < 1, "\(what): \(rate) instead of \(film.meanRate)")
    let deviation = Self.errors(beats.map(\.time), film.beats).deviation
    #expect(deviation * 1000 < limit, "\(what): \(deviation * 1000) ms")
  }

  @Test("The rate follows a ramp: the mean error of three intervals is below 2 per minute")
  func ramp() throws {
    let film = Self.film { ($0.rate, $0.finalRate) = (60, 100) }
    let beats = Self.track(film, [.blue]).beats
    let errors = (2..<beats.count).map { index in
      let rate = 180 / beats[index - 2...index].reduce(0) { $0 + $1.interval }
      let next = film.beats.firstIndex { $0 > beats[index].time - 0.15 } ?? 1
      return abs(rate - 60 / (film.beats[next] - film.beats[next - 1]))
    }
    #expect(errors.count > 20)
    #expect(errors.reduce(0, +) / Double(errors.count) < 2)
  }

  @Test("Mixtures of colours find a pulse through movements that hide it from each colour")
  func mixtures() throws {
    let film = Self.film { film in
      (film.depth, film.movement) = ([0.2, 0.6, 0.3], 15)
      film.drift = 2
    }
    let mixed = Self.track(film, PulseColour.allCases).beats
    let green = Self.track(film, [.green]).beats
    #expect(mixed.reduce(0) { $0 + $1.interval } > 18)
    #expect(green.reduce(0) { $0 + $1.interval } < mixed.reduce(0) { $0 + $1.interval })
  }

  @Test("Where there is no pulse, there is no beat", arguments: 1...8 as ClosedRange<UInt64>)
  func noise(seed: UInt64) {
    for movement in [0.0, 15] {
      let film = Self.film { ($0.depth, $0.seed, $0.movement, $0.drift) = ([0, 0, 0], seed, movement, 8) }
      #expect(Self.track(film, PulseColour.allCases).beats.isEmpty)
    }
  }

  @Test("A gap in the pictures begins the search again, and no interval spans it")
  func gap() throws {
    let film = Self.film { $0.length = 45 }
    let (beats, gaps) = Self.track(film, [.blue], without: 20..<21)
    #expect(gaps == 1)
    #expect(beats.contains { $0.time > 30 } && beats.contains { $0.time < 19 })
    #expect(!beats.contains { $0.time > 20 && $0.time - $0.interval < 20 })
    #expect(beats.allSatisfy { (0.6...1.1).contains($0.interval) })
  }

  @Test("What ends in the middle is given until then, and no beat after it")
  func end() throws {
    let (whole, flat) = (Self.film { $0.length = 40 }, Self.film { ($0.length, $0.depth) = (40, [0, 0, 0]) })
    var tracker = PulseTracker([.blue])
    var beats: [Double] = []
    for (index, time) in whole.times.enumerated() {
      let colour = time < 20 ? whole.colours[index] : flat.colours[index]
      for case .beat(let time, _, _) in tracker.take(SIMD4(colour[0], colour[1], colour[2], 0), at: time) {
        beats.append(time)
      }
    }
    let last = try #require(beats.max())
    #expect((18...21.5).contains(last))
    #expect(tracker.colour == nil)
  }
}
