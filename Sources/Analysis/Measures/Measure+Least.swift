extension Measure {
  /// The shortest window in seconds that literature asks for; `nil` where none is known, or where it is not a time.
  package func leastSeconds(_ preset: AnalysisPreset) -> Double? {
    guard case .seconds(let seconds, _) = minimum(preset) else { return nil }
    return seconds
  }
}
