import Basics

/// Sums of intervals by group, which can be merged.
struct BeatTally: Sendable {
  /// The sums of one group, after Welford, and for merging after Chan, Golub and LeVeque.
  private struct Sums: Sendable {
    var trials = 0
    var beats = 0
    var mean = 0.0
    var squares = 0.0
    var least = Double.infinity
    var most = -Double.infinity
    /// The trial of the last beat: the beats of a trial follow each other.
    var trial: [UInt8]?

    mutating func add(_ interval: Double) {
      beats += 1
      let difference = interval - mean
      mean += difference / Double(beats)
      squares += difference * (interval - mean)
      least = min(least, interval)
      most = max(most, interval)
    }

    mutating func merge(_ other: Sums) {
      let all = Double(beats + other.beats)
      let difference = other.mean - mean
      mean += difference * Double(other.beats) / all
      squares += other.squares + difference * difference * Double(beats) * Double(other.beats) / all
      (trials, beats) = (trials + other.trials, beats + other.beats)
      (least, most) = (min(least, other.least), max(most, other.most))
    }
  }

  /// Whether any of the beats is simulated.
  var isSimulated = false

  private var names: [[UInt8]?] = []
  private var sums: [Sums] = []
  private var places: [[UInt8]?: Int] = [:]
  /// The group of the last beat; consecutive beats are mostly of one group.
  private var current: Int?

  /// Adds a beat.
  ///
  /// - Parameters:
  ///   - interval: its interval in milliseconds.
  ///   - group: the group's name; `nil` without one.
  ///   - trial: the trial's identifier.
  mutating func add(_ interval: Double, _ group: Span<UInt8>?, trial: Span<UInt8>) {
    let place: Int
    if let current, Self.isEqual(names[current], group) {
      place = current
    } else {
      place = if let group { self.place(of: Array(copying: group)) } else { self.place(of: nil) }
    }
    current = place
    if !Self.isEqual(sums[place].trial, trial) {
      sums[place].trials += 1
      sums[place].trial = Array(copying: trial)
    }
    sums[place].add(interval)
  }

  /// Adds the sums of another tally, whose trials are others.
  mutating func merge(_ other: BeatTally) {
    if other.isSimulated { isSimulated = true }
    for (name, own) in zip(other.names, other.sums) { sums[place(of: name)].merge(own) }
  }

  private mutating func place(of name: [UInt8]?) -> Int {
    if let place = places[name] { return place }
    names.append(name)
    sums.append(Sums())
    places[name] = sums.count - 1
    return sums.count - 1
  }

  private static func isEqual(_ bytes: [UInt8]?, _ other: Span<UInt8>?) -> Bool {
    guard let bytes, let other else { return bytes == nil && other == nil }
    guard bytes.count == other.count else { return false }
    for index in bytes.indices where bytes[index] != other[index] { return false }
    return true
  }

  /// The groups by their names; the one without a name comes last.
  var groups: [BeatSummary.Group] {
    names.indices.sorted { first, second in
      guard let one = names[first], let other = names[second] else { return names[first] != nil }
      return one.lexicographicallyPrecedes(other)
    }.map { index in
      let own = sums[index]
      return BeatSummary.Group(
        name: names[index].map { String(decoding: $0, as: UTF8.self) }, trials: own.trials, beats: own.beats,
        mean: own.mean, deviation: own.beats > 1 ? (own.squares / Double(own.beats - 1)).squareRoot() : nil,
        range: own.least...own.most)
    }
  }
}

extension [UInt8] {
  fileprivate init(copying span: Span<UInt8>) {
    self = []
    reserveCapacity(span.count)
    for index in span.indices { append(span[index]) }
  }
}
