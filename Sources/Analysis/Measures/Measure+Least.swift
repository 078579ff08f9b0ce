extension Measure {
  /// The minimum window in seconds by the literature; `nil` if there is none, or if it is not a duration.
  package func leastSeconds(_ preset: AnalysisPreset) -> Double? {
    guard case .seconds(let seconds, _) = minimum(preset) else { return nil }
    return seconds
  }
}
