/// Text to read; Return goes on.
package struct InstructionStep: StepReading {
  package static let kind = "instruction"
  static let summary = "text to read, Return goes on"

  package init() {}

  static func read(_ object: LocatedObject) -> Self? { InstructionStep() }
}

/// The end; Return closes the trial.
struct CompletionStep: StepReading {
  static let kind = "completion"
  static let summary = "the end, Return closes the trial"

  static func read(_ object: LocatedObject) -> Self? { CompletionStep() }
}
