/// Text to read; Return goes on.
package struct InstructionStep: StepReading {
  package static let kind = "instruction"
  static let summary = "text to read, Return goes on"

  /// Creates a step.
  package init() {}

  static func read(_ object: LocatedObject) -> Self? { InstructionStep() }
}

/// The end; Return closes the trial.
package struct CompletionStep: StepReading {
  package static let kind = "completion"
  static let summary = "the end, Return closes the trial"

  /// Creates a step.
  package init() {}

  static func read(_ object: LocatedObject) -> Self? { CompletionStep() }
}
