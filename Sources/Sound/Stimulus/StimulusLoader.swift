import Basics
package import Study

/// Makes stimuli out of clips: reads, checks, decodes, shapes, measures and scales.
///
/// It decodes no more than the stimulus needs, and reads the rest of the file only to hash it. A minute of sound takes
/// some 50 ms and, in memory, the size of its samples; what is looped is in memory once.
package struct StimulusLoader: Sendable {
  /// A loader.
  package init() {}

  /// The level that a sound must pass somewhere to be one: −90 dB below full scale.
  static let silence: Float = 3.2e-5

  /// How much of a loop is measured, at least two rounds of it: more would not change its loudness.
  static let measuredLoop = Duration.seconds(600)

  /// The stimulus of a music step.
  ///
  /// - Parameters:
  ///   - clip: the clip as the library found it; a file that is another one by now is refused.
  ///   - step: how long it is to sound, and how.
  /// - Returns: the stimulus with all that a trial records about it.
  /// - Throws: ``ClipError``.
  package func load(_ clip: Clip, for step: MusicStep) throws(ClipError) -> LoadedStimulus {
    try load(clip.path, as: clip, StimulusShape(step), step.loudness)
  }

  /// The same, on a thread of its own: reading and decoding block no task.
  package func loaded(_ clip: Clip, for step: MusicStep) async throws(ClipError) -> LoadedStimulus {
    try await WaitingThread.run { Result { () throws(ClipError) in try load(clip, for: step) } }.get()
  }

  /// The stimulus of a file that no library has read.
  ///
  /// - Parameters:
  ///   - path: the file.
  ///   - shape: what is made of it.
  ///   - target: the loudness it is brought to.
  /// - Returns: the stimulus; its file is not hashed.
  /// - Throws: ``ClipError``.
  package func load(
    path: String, shape: StimulusShape = StimulusShape(), loudness target: LoudnessTarget? = nil
  ) throws(ClipError) -> LoadedStimulus {
    try load(path, as: nil, shape, target)
  }

  private func load(
    _ path: String, as clip: Clip?, _ shape: StimulusShape, _ target: LoudnessTarget?
  ) throws(ClipError) -> LoadedStimulus {
    if clip != nil, !Folder.exists(path) { throw ClipError(path: path, reason: .deleted) }
    var (samples, format, contents) = try decode(path, as: clip, shape)
    var loudness: Loudness?
    do {
      // Let go of before the gain, so that the samples are not copied for it.
      guard let shaped = shape.shaped(samples, in: format) else {
        throw ClipError(
          path: path,
          reason: .tooShort(duration: format.duration(of: contents.frames), wanted: shape.duration ?? .zero))
      }
      if target != nil { loudness = Self.measure(shaped, in: format, round: samples.count / format.channels) }
    }
    var warnings = contents.warnings
    if !samples.contains(where: { $0.magnitude > Self.silence }) {
      warnings.append("what is played is silent: it never passes −90 dB below full scale")
    }
    let gain = target.flatMap { loudness?.gain(to: $0) }
    if loudness != nil, gain == nil {
      warnings.append("its loudness cannot be measured: too short or too soft; no gain was applied")
    }
    Stimulus.amplify(&samples, decibels: gain?.decibels ?? 0)
    let shaped = shape.shaped(samples, in: format) ?? StimulusSamples([], channels: format.channels)
    return LoadedStimulus(
      stimulus: Stimulus(sampleRate: format.sampleRate, shaped), contents: contents, gain: gain?.decibels ?? 0,
      isGainLimited: gain?.isLimited ?? false, loudness: loudness, warnings: warnings)
  }

  /// The loudness of what is played, a piece at a time.
  private static func measure(_ samples: StimulusSamples, in format: SoundFormat, round: Int) -> Loudness? {
    guard var meter = LoudnessMeter(format) else { return nil }
    let frames = min(samples.frames, max(2 * round, format.frames(in: measuredLoop)))
    var start = 0
    while start < frames {
      let end = min(start + 1 << 15, frames)
      var piece = [Float](repeating: 0, count: (end - start) * format.channels)
      var span = piece.mutableSpan
      samples.write(start..<end, into: &span, at: 0)
      meter.add(piece)
      start = end
    }
    return meter.loudness
  }

  /// The first frames that a shape needs, and what the whole file is.
  private func decode(
    _ path: String, as clip: Clip?, _ shape: StimulusShape
  ) throws(ClipError) -> ([Float], SoundFormat, ClipContents) {
    do throws(ClipError) {
      var reader = try ClipReader(path, hashing: clip != nil)
      let wanted = shape.duration.map { reader.format.frames(in: $0) } ?? .max
      let frames = min(wanted, clip?.frames ?? reader.likelyFrames)
      let most = MusicStep.mostSamples / reader.format.channels
      guard frames <= most else {
        throw ClipError(path: path, reason: .tooLong(limit: reader.format.duration(of: most)))
      }
      var samples: [Float] = []
      samples.reserveCapacity(frames * reader.format.channels)
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
package struct LoadedStimulus: Sendable {
  /// The sound.
  package var stimulus: Stimulus
  /// What the whole file holds.
  package var contents: ClipContents
  /// The gain that was applied, in decibels; 0 plays the file as it is.
  package var gain: Double
  /// Whether the gain was lowered so that the true peak stays under its limit.
  package var isGainLimited: Bool
  /// The loudness that is reached, in LUFS; `nil` where it was not measured.
  package var reachedLoudness: Double? { (loudness?.integrated).map { $0 + gain } }
  /// The loudness and the true peak of what is played: cut, looped and ramped, before the gain, and not of the whole
  /// file; `nil` where no target asks for them.
  package var loudness: Loudness?
  /// What makes the trial suspect, in words.
  package var warnings: [String]
}
