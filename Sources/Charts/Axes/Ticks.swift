/// A tick of an axis with its label.
struct Tick: Hashable, Sendable {
  let value: Double
  let text: String
}

/// All possible tick sets of an axis, from the finest to the coarsest.
struct TickSets: Sendable {
  let scale: HorizontalAxis.Scale
  let low: Double
  let high: Double
  /// The maximum number of ticks in a set.
  let limit: Int

  /// The first set for which `fits` returns true; an empty one if there is none.
  func first(where fits: ([Tick]) -> Bool) -> [Tick] {
    guard high > low else { return [] }
    switch scale {
    case .number: return decimalTicks(where: fits)
    case .elapsed: return timeTicks(where: fits)
    case .day:
      guard low.magnitude < 1e6, high.magnitude < 1e6 else { return decimalTicks(where: fits) }
      for step in CalendarStep.all where (high - low) / step.leastDays <= Double(limit) * 2 {
        let days = step.days(from: low, to: high)
        guard days.count <= limit else { continue }
        let texts = zip(days, [nil] + days.map(Optional.some)).map { step.text(of: $0, after: $1) }
        let ticks = zip(days, texts).map { Tick(value: Double($0), text: $1) }
        if fits(ticks) { return ticks }
      }
      return []
    }
  }

  private func decimalTicks(where fits: ([Tick]) -> Bool) -> [Tick] {
    var step = DecimalStep(atLeast: (high - low) / Double(max(1, limit)))
    // Ever coarser steps leave only zero, and then no tick, between the ends.
    while let counts = step.multiples(from: low, to: high) {
      if counts.count <= limit {
        let texts = tickTexts(Array(counts), of: step)
        let ticks = zip(counts, texts).map { Tick(value: step.value(times: $0), text: $1) }
        if fits(ticks) { return ticks }
        if counts.count == 1 { return [] }
      }
      step = step.coarser
    }
    return []
  }

  private func timeTicks(where fits: ([Tick]) -> Bool) -> [Tick] {
    // Below a span of two seconds, and beyond thousands of years, times are written as plain seconds.
    guard high - low >= 2, low.magnitude < 1e11, high.magnitude < 1e11 else {
      return TickSets(scale: .number, low: low, high: high, limit: limit).first { ticks in
        fits(ticks.map { Tick(value: $0.value, text: $0.text + " s") })
      }.map { Tick(value: $0.value, text: $0.text + " s") }
    }
    for step in TimeStep.elapsed where (high - low) / step.seconds <= Double(limit) {
      let first = (low / step.seconds - 1e-9).rounded(.up)
      let last = (high / step.seconds + 1e-9).rounded(.down)
      guard first <= last else { return [] }
      let ticks = stride(from: first, through: last, by: 1).map { count -> Tick in
        let time = count * step.seconds
        return Tick(value: time, text: step.elapsedText(at: time, until: high))
      }
      if fits(ticks) { return ticks }
    }
    return []
  }
}
