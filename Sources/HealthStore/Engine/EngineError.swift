/// What an engine's database refused.
protocol EngineError: Error, CustomStringConvertible {
  /// What it means for the samples, or what to do.
  var advice: String { get }

  /// Whether it was stopped half-way, as cancelled work is.
  var isInterruption: Bool { get }
}
