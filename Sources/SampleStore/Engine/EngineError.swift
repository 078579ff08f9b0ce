/// An error of an engine's database.
protocol EngineError: Error, CustomStringConvertible {
  /// The consequence for the samples, or what to do.
  var advice: String { get }

  /// Whether the operation was interrupted, as by the cancellation of its task.
  var isInterruption: Bool { get }
}
