import Basics

/// Distinguishes the samples of a signal, such as an ECG or a pulse wave, from intervals between beats.
///
/// Numbers are intervals where a heart can have them: they are in the range of intervals, add up to the time that they
/// took, and differ from each other as beats do. A heart that changes slowly varies from beat to beat all the same, and
/// only one that works hard varies by less than a few thousandths. The limits are the station's, found with published
/// recordings of both kinds.
package enum Waveform: Sendable {
  /// The noun for a signal in messages.
  package static let noun = "a signal such as an ECG or a pulse wave"

  /// What to do with the samples of a signal.
  package static let remedy =
    "find its beats with another program, such as NeuroKit2, and give a file of intervals in milliseconds or a column "
    + "“beat_s” with the times of beats"

  // What to do with intervals that look like a signal.
  private static let proof =
    "if they are intervals, give a table with the columns “time” and “rr_ms”, whose times show that"

  /// What shows that numbers are the samples of a signal.
  private enum Sign {
    /// Each resembles the one before, and so do the differences; averages over so many numbers are compared.
    case smooth(values: Double, changes: Double, over: Int)
    /// The change from number to number and the range, as parts of the median.
    case still(step: Double, range: Double)
    /// Several numbers in a row are outside the range of intervals.
    case outside(share: Double)
    /// So few beats a minute for so many hours.
    case slow(rate: Double, hours: Double)
    /// Neighbours resemble each other, although they differ more than any heart's at such a rate.
    case wild(step: Double, rate: Double)
    /// The numbers go up and down again and again, further than breathing changes a heart of such a rate.
    case swinging(range: Double, rate: Double)
    /// The numbers scatter now widely and now hardly, around one level.
    case bursts
  }

  /// Judges whether numbers are the samples of a signal.
  ///
  /// - Parameters:
  ///   - numbers: the numbers in milliseconds; those that are no intervals are ignored.
  ///   - span: the seconds from the first to the last of them, if they have times.
  /// - Returns: why they are refused, and what to do; `nil` if they may be intervals.
  package static func problem(_ numbers: [Double], span: Double? = nil) -> String? {
    let numbers = numbers.filter { $0.isFinite && $0 > 0 }
    guard numbers.count >= minCount else { return nil }
    if let span, span > 0 {
      let needed = numbers.reduce(0, +) / 1000
      if needed > 4 * span {
        let step = span / Double(numbers.count - 1)
        return "its rows are \(step.shown) s apart and would hold intervals of \(median(numbers).shown) ms, as the "
          + "samples of \(noun) do; \(remedy)"
      }
      if (0.3...1.1).contains(needed / span) { return nil }
    }
    return sign(numbers).map { "\(words($0)); \(remedy); \(proof)" }
  }

  private static func words(_ sign: Sign) -> String {
    switch sign {
    case .smooth(let values, let changes, let count):
      "its numbers change as smoothly as the samples of \(noun): \(count == 1 ? "each" : "each average of \(count)") "
        + "resembles the one before (r = \(values.fixed(3))), and so do their differences (r = \(changes.fixed(2)))"
    case .still(let step, let range):
      "its numbers change by \((step * 100).fixed(2)) % from line to line and range over \((range * 100).fixed(1)) %, as "
        + "the samples of \(noun) do and no heart"
    case .outside(let share):
      "\((share * 100).fixed(0)) % of its numbers are no intervals and follow each other, as the samples of \(noun) do"
    case .slow(let rate, let hours):
      "as intervals its numbers would be \(hours.fixed(1)) h at \(rate.fixed(1)) beats a minute, which no person's heart "
        + "has; they look like the samples of \(noun)"
    case .wild(let step, let rate):
      "its numbers resemble their neighbours and differ by \((step * 100).fixed(1)) % from line to line, which no heart "
        + "does at \(rate.fixed(0)) beats a minute; they look like the samples of \(noun)"
    case .swinging(let range, let rate):
      "its numbers go up and down again and again and range over \((range * 100).fixed(0)) %, which no heart does at "
        + "\(rate.fixed(0)) beats a minute; they look like the samples of \(noun)"
    case .bursts: "its numbers scatter widely or hardly around one level, as the samples of an EMG do"
    }
  }

  /// Why numbers are rejected if fewer than half are plausible intervals, and what to do; `nil` if more are.
  package static func problem(plausible: Int, of count: Int) -> String? {
    plausible * 2 < count
      ? "of its \(count) numbers only \(plausible) are plausible intervals; it looks like the samples of \(noun); \(remedy)"
      : nil
  }

  /// Why a file with different numbers below zero is rejected, and what to do.
  ///
  /// A single such number may be a missing-value code.
  package static func problem(
    belowZero first: (number: Double, line: Int), _ second: (number: Double, line: Int)
  ) -> String {
    "\(first.number.shown) in line \(first.line) and \(second.number.shown) in line \(second.line) are below zero, as the "
      + "samples of \(noun) are and neither intervals nor heart rates; \(remedy)"
  }

  /// A caveat on intervals that change unusually smoothly; `nil` if there is none.
  static func caveat(_ numbers: [Double]) -> RecordingCaveat? {
    guard case let known = numbers.filter(\.isFinite), known.count >= minCount, let found = correlations(known),
      found.values >= doubtful.values, found.changes >= doubtful.changes
    else { return nil }
    return .smooth(r: found.values, differences_r: found.changes)
  }
}

// The signs.
extension Waveform {
  // The minimum number of values for a decision.
  private static let minCount = 60

  // The correlations of numbers and of their differences above which they are those of a signal: of the numbers
  // themselves, of averages, and of a signal with spikes; and those above which intervals get a caveat, and numbers with
  // a wide range are those of a signal. Paced breathing with cycles of ten to twenty beats stays below the first.
  private static let certain = (values: 0.97, changes: 0.75)
  private static let averaged = (values: 0.9, changes: 0.6)
  private static let spiked = (values: 0.85, changes: 0.5)
  private static let doubtful = (values: 0.9, changes: 0.7)

  private static func sign(_ numbers: [Double]) -> Sign? {
    let sorted = numbers.sorted()
    let middle = sorted[sorted.count / 2]
    func quantile(_ part: Double) -> Double { sorted[Int((Double(sorted.count - 1) * part).rounded())] }
    let range = quantile(0.95) - quantile(0.05)
    let changes = zip(numbers, numbers.dropFirst()).map { ($1 - $0).magnitude }
    // Without the fifth that is largest, so that ectopic beats and artefacts do not count.
    let usual = changes.sorted().dropLast(changes.count / 5)
    let step = usual.reduce(0, +) / Double(usual.count) / middle
    let resolution = zip(sorted, sorted.dropFirst()).lazy.map { $1 - $0 }.filter { $0 > 0 }.min() ?? 0
    if let outside = outside(numbers, middle) { return outside }
    let hours = numbers.reduce(0, +) / 3_600_000
    if middle > 1900, hours > 1 { return .slow(rate: 60_000 / middle, hours: hours) }
    let swings = swings(numbers, quantile(0.25), quantile(0.75))
    // A paced heart has two or three different intervals.
    if range > 2.5 * resolution, range >= 4 * step * middle {
      // Hearts with less than 0.3 % work: they beat faster than 133 a minute at times.
      let isStill = step < 0.0012 || step < 0.003 && quantile(0.05) >= 450 && range >= 0.04 * middle
      if isStill { return .still(step: step, range: range / middle) }
    }
    guard let found = correlations(numbers) else { return nil }
    func smooth(_ found: (values: Double, changes: Double), _ count: Int) -> Sign {
      .smooth(values: found.values, changes: found.changes, over: count)
    }
    if found.values >= certain.values, found.changes >= certain.changes { return smooth(found, 1) }
    if found.values >= doubtful.values, found.changes >= doubtful.changes, range >= 0.3 * middle {
      return smooth(found, 1)
    }
    let squares = changes.reduce(0) { $0 + $1 * $1 } / Double(changes.count)
    if found.values >= spiked.values, found.changes >= spiked.changes, squares.squareRoot() >= 4 * step * middle {
      return smooth(found, 1)
    }
    // Breathing changes a slow heart by a larger part than a fast one, and exercise changes it less often.
    let widest = min(0.6, max(0.25, 0.25 + (middle - 550) / 1000))
    if swings >= 16, swings * 40 >= numbers.count, found.values >= 0.5, range >= widest * middle {
      return .swinging(range: range / middle, rate: 60_000 / middle)
    }
    if found.values >= 0.6, middle < 550, step > 0.05 { return .wild(step: step, rate: 60_000 / middle) }
    // Noise hides how smooth a signal is, and averages show it again; those of a heart in exercise are smooth as well.
    let isOfExercise = step >= 0.003 && quantile(0.05) < 400
    if step < 0.03, !isOfExercise, swings >= 8 {
      var count = 2
      while count <= 64, case let averages = averages(numbers, of: count), averages.count >= minCount {
        if let found = correlations(averages), found.values >= averaged.values, found.changes >= averaged.changes {
          return smooth(found, count)
        }
        count *= 2
      }
    }
    return hasBursts(numbers, resolution) ? .bursts : nil
  }

  // Artefacts are outside the range one by one.
  private static func outside(_ numbers: [Double], _ median: Double) -> Sign? {
    let range =
      HeartInterval.plausible.contains(median) ? HeartInterval.plausible : (median / 4)...(median * 4)
    let isOutside = numbers.map { !range.contains($0) }
    let count = isOutside.count { $0 }
    let inARow = zip(isOutside, isOutside.dropFirst()).count { $0 && $1 }
    guard count * 20 > numbers.count, inARow * 2 >= count else { return nil }
    return .outside(share: Double(count) / Double(numbers.count))
  }

  /// How often numbers go from their lower to their upper quarter, or back.
  private static func swings(_ numbers: [Double], _ low: Double, _ high: Double) -> Int {
    var isHigh: Bool?
    var count = 0
    for number in numbers where number >= high || number <= low {
      let next = number >= high
      if let isHigh, isHigh != next { count += 1 }
      isHigh = next
    }
    return count
  }

  private static func averages(_ numbers: [Double], of count: Int) -> [Double] {
    stride(from: 0, through: numbers.count - count, by: count).map { start in
      numbers[start..<(start + count)].reduce(0, +) / Double(count)
    }
  }

  // In parts of the numbers the spread differs by a factor, and the level does not.
  private static func hasBursts(_ numbers: [Double], _ resolution: Double) -> Bool {
    let size = numbers.count / 24
    guard size >= 20 else { return false }
    let parts = (0..<24).map { part in numbers[(part * size)..<((part + 1) * size)].sorted() }
    let levels = parts.map { $0[size / 2] }.sorted()
    let spreads = parts.map { $0[size * 3 / 4] - $0[size / 4] }.sorted()
    return spreads[21] >= 4 * max(spreads[2], resolution) && spreads[21] > 0
      && levels[21] - levels[2] <= 0.25 * spreads[21]
  }

  private static func median(_ numbers: [Double]) -> Double { numbers.sorted()[numbers.count / 2] }

  /// The correlations of numbers with their predecessors, and of their differences; `nil` if undefined.
  private static func correlations(_ numbers: [Double]) -> (values: Double, changes: Double)? {
    guard let values = successive(numbers),
      let changes = successive(zip(numbers, numbers.dropFirst()).map { $1 - $0 })
    else { return nil }
    return (values, changes)
  }

  /// Pearson's correlation of numbers with their predecessors; `nil` if they do not vary.
  private static func successive(_ numbers: [Double]) -> Double? {
    let count = Double(numbers.count - 1)
    let before = numbers.dropLast().reduce(0, +) / count
    let after = numbers.dropFirst().reduce(0, +) / count
    var (both, first, second) = (0.0, 0.0, 0.0)
    for (one, next) in zip(numbers, numbers.dropFirst()) {
      both += (one - before) * (next - after)
      first += (one - before) * (one - before)
      second += (next - after) * (next - after)
    }
    let scale = (first * second).squareRoot()
    return scale > 0 && scale.isFinite ? both / scale : nil
  }
}

/// The files of an Empatica E4 other than its intervals: a start, a sampling rate, and samples.
package enum EmpaticaSignal: Sendable {
  /// Judges how the numbers of a text begin.
  ///
  /// - Parameters:
  ///   - first: the first number.
  ///   - second: the second number.
  /// - Returns: why they are refused; `nil` if they do not begin as such a file.
  package static func problem(_ first: Double, _ second: Double) -> String? {
    guard (1e9...1e10).contains(first), [1, 4, 32, 64].contains(second) else { return nil }
    let start = WallTime(microseconds: Int64(first * 1e6))
    return "it begins with a start (\(start)) and a sampling rate (\(second.shown) Hz), as the signals of an "
      + "Empatica E4 do; only its “IBI.csv” has intervals between beats"
  }
}

/// The comments of a text of numbers, one of which may say that they are the samples of a signal.
package struct SamplingComment: Sendable {
  private var found: (line: Int, text: String)?
  private var isOfIntervals = false

  // Texts have few comments; those of a longer one are not read.
  private static let maxCount = 1000
  private var count = 0

  private static let rates = ["samplingrate", "samplerate", "samplingfrequency", "samplefrequency", "samplingfreq"]
  private static let intervals: Set<Substring> = [
    "rr", "rri", "nn", "nni", "ibi", "ibis", "interval", "intervals", "beat", "beats", "tachogram", "interbeat",
  ]

  package init() {}

  /// Takes a line that has only a comment.
  package mutating func take(_ bytes: [UInt8], line: Int) {
    guard count < Self.maxCount else { return }
    count += 1
    let text = String(decoding: bytes.prefix(1000), as: UTF8.self).lowercased()
    let folded = text.filter(\.isLetter)
    if found == nil, Self.rates.contains(where: folded.contains) {
      found = (line, String(decoding: bytes.prefix(200), as: UTF8.self).trimmed)
    }
    if text.split(whereSeparator: { !$0.isLetter }).contains(where: Self.intervals.contains) { isOfIntervals = true }
  }

  /// Why the numbers are refused; `nil` if no comment names a sampling rate, or one says that they are intervals.
  package var problem: String? {
    guard let found, !isOfIntervals else { return nil }
    return "line \(found.line) says “\(found.text.prefix(60).visible)”, as the samples of \(Waveform.noun) have it; "
      + "\(Waveform.remedy); if they are intervals, delete that line"
  }
}
