/// The metadata keys under which samples of bundles say which trial they belong to.
enum SampleKey: Sendable {
  static let participant = "StationParticipant"
}
