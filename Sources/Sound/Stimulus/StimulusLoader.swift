import Files
public import Study

/// Makes stimuli out of clips: reads, checks, decodes, shapes, measures and scales.
///
/// It decodes no more than the stimulus needs, and reads the rest of the file only to hash it. A minute of sound takes
/// some 50 ms and, in memory, the size of its samples.
public struct StimulusLoader: Sendable {
  /// A loader.
  public init() {}

  /// The level that a sound must pass somewhere to be one: −90 dB below full scale.
  static let silence: Float = 3.2e-5

  /// The stimulus of a music step.
  ///
  /// - Parameters:
  ///   - clip: the clip as the library found it; a file that is another one by now is refused.
  ///   - step: how long it is to sound, and how.
  /// - Returns: the stimulus with all that a trial records about it.
  /// - Throws: ``ClipError``.
  public func load(_ clip: Clip, for step: MusicStep) throws(ClipError) -> LoadedStimulus {
    try load(clip.path, as: clip, StimulusShape(step), step.loudness)
  }

  /// The stimulus of a file that no library has read.
  ///
  /// - Parameters:
  ///   - path: the file.
  ///   - shape: what is made of it.
  ///   - target: the loudness it is brought to.
  /// - Returns: the stimulus; its file is not hashed.
  /// - Throws: ``ClipError``.
  public func load(
    path: String, shape: StimulusShape = StimulusShape(), loudness target: LoudnessTarget? = nil
  ) throws(ClipError) -> LoadedStimulus {
    try load(path, as: nil, shape, target)
  }

  private func load(
    _ path: String, as clip: Clip?, _ shape: StimulusShape, _ target: LoudnessTarget?
  ) throws(ClipError) -> LoadedStimulus {
    if clip != nil, !Folder.exists(path) { throw ClipError(path: path, reason: .deleted) }
    var (samples, format, contents) = try decode(path, as: clip, shape)
    guard shape.apply(to: &samples, in: format) else {
      throw ClipError(
        path: path,
        reason: .tooShort(duration: format.duration(of: contents.frames), wanted: shape.duration ?? .zero))
    }
    var warnings = contents.warnings
    if !samples.contains(where: { $0.magnitude > Self.silence }) {
      warnings.append("what is played is silent: it never passes −90 dB below full scale")
    }
    var loudness: Loudness?
    var gain: LoudnessGain?
    if let target, var meter = LoudnessMeter(format) {
      meter.add(samples)
      let measured = meter.loudness
      loudness = measured
      gain = measured.gain(to: target)
      if gain == nil { warnings.append("its loudness cannot be measured: too short or too soft; no gain was applied") }
    }
    Stimulus.amplify(&samples, decibels: gain?.decibels ?? 0)
    return LoadedStimulus(
      stimulus: Stimulus(format: format, samples: samples), contents: contents, gain: gain?.decibels ?? 0,
      isGainLimited: gain?.isLimited ?? false, loudness: loudness, warnings: warnings)
  }

  /// The first frames that a shape needs, and what the whole file is.
  private func decode(
    _ path: String, as clip: Clip?, _ shape: StimulusShape
  ) throws(ClipError) -> ([Float], SoundFormat, MP3Contents) {
    do throws(ClipError) {
      var reader = try MP3Reader(path, hashing: clip != nil)
      let wanted = shape.duration.map { reader.format.frames(in: $0) } ?? .max
      var samples: [Float] = []
      samples.reserveCapacity(min(wanted, clip?.frames ?? reader.likelyFrames) * reader.format.channels)
      _ = try reader.read(upTo: wanted, into: &samples)
      let contents = try reader.finish()
      if let clip, clip.sha256 != contents.sha256 { throw ClipError(path: path, reason: .changed) }
      return (samples, reader.format, contents)
    } catch {
      // A file that has become something else is first of all a file that has changed.
      if let clip, error.reason != .changed, try hasChanged(clip) { throw ClipError(path: path, reason: .changed) }
      throw error
    }
  }

  private func hasChanged(_ clip: Clip) throws(ClipError) -> Bool {
    var source = try MP3Source(clip.path, hashing: true)
    return try source.digest() != clip.sha256
  }
}

/// A stimulus that is ready, and what was found and done on the way.
public struct LoadedStimulus: Sendable {
  /// The sound.
  public var stimulus: Stimulus
  /// What the whole file holds.
  public var contents: MP3Contents
  /// The gain that was applied, in decibels; 0 plays the file as it is.
  public var gain: Double
  /// Whether the gain was lowered so that the true peak stays under its limit.
  public var isGainLimited: Bool
  /// The loudness and the true peak of what is played: cut, looped and ramped, before the gain, and not of the whole
  /// file; `nil` where no target asks for them.
  public var loudness: Loudness?
  /// What makes the trial suspect, in words.
  public var warnings: [String]
}
