import Basics
package import Study

/// Creates stimuli from clips: reads, checks, decodes, shapes, measures and scales.
///
/// It decodes no more than the stimulus needs, and reads the rest of the file only to hash it. A minute of sound takes
/// about 50 ms and as much memory as its samples; looped sound is in memory once.
package struct StimulusLoader: Sendable {
  package init() {}

  /// The peak below which a sound counts as silent: −90 dB relative to full scale.
  static let silence: Float = 3.2e-5

  /// The maximum length of a loop that is measured, but at least two repetitions: more would not change its loudness.
  static let measuredLoop = Duration.seconds(600)

  /// Loads the stimulus of a music step, whose loudness may be measured without a target; a file that has changed since the
  /// library was read is refused.
  func load(_ clip: Clip, for step: MusicStep, measures: Bool = false) throws(ClipError) -> LoadedStimulus {
    try load(clip.path, as: clip, StimulusShape(step), step.loudness, measures: measures)
  }

  /// Loads the stimulus on a separate thread, so that reading and decoding block no task.
  package func loaded(
    _ clip: Clip, for step: MusicStep, measures: Bool = false
  ) async throws(ClipError) -> LoadedStimulus {
    try await WaitingThread.run {
      Result { () throws(ClipError) in try load(clip, for: step, measures: measures) }
    }.get()
  }

  /// Loads the stimulus of a file outside a library, which is not hashed.
  func load(
    path: String, shape: StimulusShape = StimulusShape(), loudness target: LoudnessTarget? = nil
  ) throws(ClipError) -> LoadedStimulus {
    try load(path, as: nil, shape, target, measures: false)
  }

  private func load(
    _ path: String, as clip: Clip?, _ shape: StimulusShape, _ target: LoudnessTarget?, measures: Bool
  ) throws(ClipError) -> LoadedStimulus {
    if clip != nil, !Folder.exists(path) { throw ClipError(path: path, reason: .deleted) }
    var (samples, format, contents) = try decode(path, as: clip, shape)
    var loudness: Loudness?
    do {
      // Released before the gain is applied, so that the samples are not copied.
      guard let shaped = shape.shaped(samples, in: format) else {
        throw ClipError(
          path: path,
          reason: .tooShort(
            duration: format.duration(of: contents.frames), wanted: shape.start + (shape.duration ?? .zero)))
      }
      if target != nil || measures {
        loudness = Self.measure(shaped, in: format, round: samples.count / format.channels)
      }
    }
    var warnings = contents.warnings
    if !samples.contains(where: { $0.magnitude > Self.silence }) {
      warnings.append("what is played is silent: it never passes −90 dB below full scale")
    }
    let gain = target.flatMap { loudness?.gain(to: $0) }
    if target != nil, loudness != nil, gain == nil {
      warnings.append("its loudness cannot be measured: too short or too soft; no gain was applied")
    }
    Stimulus.amplify(&samples, decibels: gain?.decibels ?? 0)
    let shaped = shape.shaped(samples, in: format) ?? StimulusSamples([], channels: format.channels)
    return LoadedStimulus(
      stimulus: Stimulus(sampleRate: format.sampleRate, shaped), contents: contents, gain: gain?.decibels ?? 0,
      isGainLimited: gain?.isLimited ?? false, loudness: loudness, warnings: warnings)
  }

  /// Measures the loudness of the played sound, a piece at a time.
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

  /// Decodes the first frames that a shape needs, and returns the properties of the whole file.
  private func decode(
    _ path: String, as clip: Clip?, _ shape: StimulusShape
  ) throws(ClipError) -> ([Float], SoundFormat, ClipContents) {
    do throws(ClipError) {
      var reader = try ClipReader(path, hashing: clip != nil)
      let skipped = reader.format.frames(in: shape.start)
      let wanted = shape.duration.map { skipped + reader.format.frames(in: $0) } ?? .max
      let frames = min(wanted, clip?.frames ?? reader.likelyFrames)
      let most = MusicStep.maxSamples / reader.format.channels
      guard frames <= most else {
        throw ClipError(path: path, reason: .tooLong(limit: reader.format.duration(of: most)))
      }
      var samples: [Float] = []
      samples.reserveCapacity(frames * reader.format.channels)
      _ = try reader.read(upTo: wanted, into: &samples)
      samples.removeFirst(min(samples.count, skipped * reader.format.channels))
      let contents = try reader.finish()
      if let clip, clip.sha256 != contents.sha256 { throw ClipError(path: path, reason: .changed) }
      return (samples, reader.format, contents)
    } catch {
      // If the file has also changed, report that first.
      if let clip, error.reason != .changed, try hasChanged(clip) { throw ClipError(path: path, reason: .changed) }
      throw error
    }
  }

  private func hasChanged(_ clip: Clip) throws(ClipError) -> Bool {
    var source = try MP3Source(clip.path, hashing: true)
    return try source.digest() != clip.sha256
  }
}

/// A stimulus that is ready, with its measurements and processing.
package struct LoadedStimulus: Sendable {
  package var stimulus: Stimulus
  /// The properties of the whole file.
  var contents: ClipContents
  /// The applied gain, in decibels; 0 plays the file as it is.
  package var gain: Double
  /// Whether the gain was lowered to keep the true peak within its limit.
  var isGainLimited: Bool
  /// The resulting loudness in LUFS; `nil` if it was not measured.
  package var reachedLoudness: Double? { (loudness?.integrated).map { $0 + gain } }
  /// The loudness and the true peak of the played sound: cut, looped and ramped, before the gain, not of the whole
  /// file; `nil` without a target.
  package var loudness: Loudness?
  /// The reasons that make the trial suspect, as text.
  package var warnings: [String]
}

extension StimulusLoader {
  /// Makes a stimulus as long as that of a clip, but silent, without reading the clip's file: one frame, looped.
  ///
  /// Nothing is measured: it has neither loudness nor gain.
  package func silent(_ clip: Clip, for step: MusicStep, warnings: [String] = []) throws(ClipError) -> LoadedStimulus {
    let format = SoundFormat(sampleRate: clip.sampleRate, channels: clip.channels)
    let shape = StimulusShape(step)
    let wanted = format.frames(in: step.activeStep.stepDuration)
    let left = max(0, clip.frames - format.frames(in: shape.start))
    guard left >= wanted || step.whenShorter != .refuse else {
      throw ClipError(
        path: clip.path,
        reason: .tooShort(
          duration: format.duration(of: clip.frames), wanted: shape.start + step.activeStep.stepDuration))
    }
    let frames = step.whenShorter == .end ? min(left, wanted) : wanted
    let frame = [Float](repeating: 0, count: clip.channels)
    let samples = StimulusSamples(frame, channels: clip.channels, frames: frames)
    return LoadedStimulus(
      stimulus: Stimulus(sampleRate: clip.sampleRate, samples),
      contents: ClipContents(
        format: format, frames: clip.frames, bytes: clip.bytes, sha256: clip.sha256, title: clip.annotation.title,
        warnings: warnings),
      gain: 0, isGainLimited: false, loudness: nil, warnings: warnings)
  }
}

/// The shape of a clip's sound in a trial: its duration and ramps.
struct StimulusShape: Hashable, Sendable {
  /// The time of the clip from which on it is played.
  var start = Duration.zero
  /// The duration, to the nearest frame; `nil` for the clip's own.
  var duration: Duration?
  /// The treatment of a clip that is shorter.
  var whenShorter = MusicStep.WhenShorter.end
  /// The length of the rise from silence; limited to the length of the sound.
  var fadeIn = Duration.zero
  /// The length of the fall to silence; where both ramps overlap, both apply.
  var fadeOut = Duration.zero

  /// Cuts or loops a sound and applies its ramps; `nil` if it is too short and the shape refuses that.
  ///
  /// A sound that ends early under `MusicStep.WhenShorter.end` is not padded: its last frame is its offset. A looped
  /// sound is held once.
  func shaped(_ samples: [Float], in format: SoundFormat) -> StimulusSamples? {
    let own = samples.count / format.channels
    let wanted = duration.map { format.frames(in: $0) } ?? own
    if own < wanted, whenShorter == .refuse { return nil }
    let frames = own < wanted && whenShorter == .end ? own : wanted
    let kept = own > wanted ? Array(samples[..<(wanted * format.channels)]) : samples
    return StimulusSamples(kept, channels: format.channels, frames: frames)
      .rising(over: format.frames(in: fadeIn)).falling(over: format.frames(in: fadeOut))
  }
}

extension StimulusShape {
  init(_ step: MusicStep) {
    // Of a part that is not drawn yet, the beginning stands for any.
    let start: Duration = if case .from(let start) = step.excerpt { start } else { .zero }
    self.init(
      start: start, duration: step.activeStep.stepDuration, whenShorter: step.whenShorter, fadeIn: step.fadeIn,
      fadeOut: step.fadeOut)
  }
}
