/// How finely the sound server knows what its sink is playing: no onset or offset is known better than this.
package struct SpeakerTiming: Hashable, Sendable {
  /// What limits it.
  package enum Basis: String, Hashable, Sendable, CaseIterable {
    /// Nothing beyond the server's clock: a null sink's position is computed.
    case clock
    /// The position of a sound card, which moves in steps.
    case position
    /// A server on PipeWire, which answers with what its last cycle left.
    case cycle
  }

  /// What limits it.
  package var basis: Basis
  /// The step in which what the server tells moves; part of the uncertainty of every onset and offset.
  package var granularity: Duration

  /// A timing.
  package init(basis: Basis, granularity: Duration) {
    self.basis = basis
    self.granularity = granularity
  }
}
