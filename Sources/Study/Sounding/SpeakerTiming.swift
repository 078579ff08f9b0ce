/// How finely the sound server knows what its sink is playing: no onset or offset is known better than this.
public struct SpeakerTiming: Hashable, Sendable {
  /// What limits it.
  public enum Basis: String, Hashable, Sendable, CaseIterable {
    /// Nothing beyond the server's clock: a null sink's position is computed.
    case clock
    /// The position of a sound card, which moves in steps.
    case position
    /// A server on PipeWire, which answers with what its last cycle left.
    case cycle
  }

  /// What limits it.
  public var basis: Basis
  /// The step in which what the server tells moves; part of the uncertainty of every onset and offset.
  public var granularity: Duration

  /// A timing.
  public init(basis: Basis, granularity: Duration) {
    self.basis = basis
    self.granularity = granularity
  }
}
