/// Places on an axis, with what is written at them.
struct Tick: Hashable, Sendable {
  let value: Double
  let text: String
}

/// Every set of places that an axis could be labelled at, from the closest set to the coarsest.
struct TickSets: Sendable {
  let scale: Axis.Scale
  let low: Double
  let high: Double
  /// No set has more places than this.
  let limit: Int

  /// The first set of which `fits` says yes; failing that, no places at all.
  func first(where fits: ([Tick]) -> Bool) -> [Tick] {
    guard high > low else { return [] }
    switch scale {
    case .number: return decimalTicks(where: fits)
    case .elapsed: return timeTicks(steps: TimeStep.elapsed, where: fits) { $0.elapsedText(at: $1, until: high) }
    case .clock(let ahead):
      return timeTicks(steps: TimeStep.clock, ahead: Double(ahead), where: fits) { $0.clockText(at: $1) }
    case .day:
      guard low.magnitude < 1e6, high.magnitude < 1e6 else { return decimalTicks(where: fits) }
      for step in [1.0, 2, 7, 14, 28, 56, 112, 365, 730, 3650, 36_500] where (high - low) / step <= Double(limit) {
        let ticks = stride(from: (low / step).rounded(.up) * step, through: high, by: step)
          .map { Tick(value: $0, text: TimeStep.dayText(Int($0))) }
        if ticks.count <= limit, fits(ticks) { return ticks }
      }
      return []
    }
  }

  private func decimalTicks(where fits: ([Tick]) -> Bool) -> [Tick] {
    var step = DecimalStep(atLeast: (high - low) / Double(max(1, limit)))
    // After some steps only zero, and then nothing, is left between the ends.
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

  private func timeTicks(
    steps: [TimeStep], ahead: Double = 0, where fits: ([Tick]) -> Bool, text: (TimeStep, Double) -> String
  ) -> [Tick] {
    // Within two seconds of a zero, and beyond years, times are numbers of seconds.
    guard high - low >= 2, low.magnitude < 1e11, high.magnitude < 1e11 else {
      return TickSets(scale: .number, low: low, high: high, limit: limit).first { ticks in
        fits(ticks.map { Tick(value: $0.value, text: $0.text + " s") })
      }.map { Tick(value: $0.value, text: $0.text + " s") }
    }
    for step in steps where (high - low) / step.seconds <= Double(limit) {
      let first = ((low + ahead) / step.seconds - 1e-9).rounded(.up)
      let last = ((high + ahead) / step.seconds + 1e-9).rounded(.down)
      guard first <= last else { return [] }
      let ticks = stride(from: first, through: last, by: 1).map { count -> Tick in
        let local = count * step.seconds
        return Tick(value: local - ahead, text: text(step, local))
      }
      if fits(ticks) { return ticks }
    }
    return []
  }
}
