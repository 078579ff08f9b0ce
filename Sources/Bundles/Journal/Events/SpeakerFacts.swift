public import Study

/// What a trial's sound went to.
public struct SpeakerFacts: Hashable, Sendable {
  /// The kind of speaker: `pulseaudio`, `silent`.
  public var kind: String
  /// The server and its version.
  public var server: String?
  /// The sink's name.
  public var sink: String?
  /// The sink's own frames a second.
  public var sinkRate: Int?
  /// Whether somebody could have heard it.
  public var isAudible: Bool
  /// The station's constant of output latency, which is part of every onset.
  public var outputLatency: Duration
  /// How loud it was before the trial; `nil` where there is nothing that could be set.
  public var volume: SpeakerVolume?

  /// Facts about a speaker.
  public init(
    kind: String, server: String?, sink: String?, sinkRate: Int?, isAudible: Bool, outputLatency: Duration,
    volume: SpeakerVolume?
  ) {
    self.kind = kind
    self.server = server
    self.sink = sink
    self.sinkRate = sinkRate
    self.isAudible = isAudible
    self.outputLatency = outputLatency
    self.volume = volume
  }
}
