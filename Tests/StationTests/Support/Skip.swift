import Testing

/// Skips the rest of a test, or of one of its cases, with a reason that the report of `Scripts/test` names.
///
/// The reason is recorded as a warning as well: a case that is cancelled leaves none in the run's events.
func skip(_ reason: String, at location: SourceLocation = #_sourceLocation) throws -> Never {
  Issue.record("\(reason)", severity: .warning, sourceLocation: location)
  try Test.cancel("\(reason)", sourceLocation: location)
}
