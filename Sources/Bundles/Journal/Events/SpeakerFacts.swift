public import Study

/// What a trial's sound went to.
public struct SpeakerFacts: Hashable, Sendable {
  /// Whether nobody can hear it, as the command asks: of a silent speaker, or of a sink that it names.
  var isSilentOnPurpose: Bool { !isAudible && (kind == Self.silent || isNamed == true) }

  /// The kind of a speaker that was asked for because nobody hears it.
  public static let silent = "silent"

  /// The kind of speaker: `pulseaudio`, `silent`.
  public var kind: String
  /// The server and its version.
  public var server: String?
  /// The sink's name.
  public var sink: String?
  /// Whether the command named the sink; `nil` where that is not known.
  public var isNamed: Bool?
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
    volume: SpeakerVolume?, isNamed: Bool? = nil
  ) {
    self.isNamed = isNamed
    self.kind = kind
    self.server = server
    self.sink = sink
    self.sinkRate = sinkRate
    self.isAudible = isAudible
    self.outputLatency = outputLatency
    self.volume = volume
  }
}
