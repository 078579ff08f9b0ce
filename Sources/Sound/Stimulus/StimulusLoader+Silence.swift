package import Study

extension StimulusLoader {
  /// Makes a stimulus as long as that of a clip, but silent, without reading the clip's file.
  ///
  /// Nothing is measured: it has neither loudness nor gain.
  ///
  /// - Parameters:
  ///   - clip: the clip from the library.
  ///   - step: the step, which determines the duration.
  ///   - warnings: the anomalies of the clip's file.
  /// - Returns: the stimulus, which holds one frame, looped.
  /// - Throws: ``ClipError`` for a clip that is too short for a step that refuses that.
  package func silent(_ clip: Clip, for step: MusicStep, warnings: [String] = []) throws(ClipError) -> LoadedStimulus {
    let format = SoundFormat(sampleRate: clip.sampleRate, channels: clip.channels)
    let wanted = format.frames(in: step.activeStep.stepDuration)
    guard clip.frames >= wanted || step.whenShorter != .refuse else {
      throw ClipError(
        path: clip.path,
        reason: .tooShort(duration: format.duration(of: clip.frames), wanted: step.activeStep.stepDuration))
    }
    let frames = step.whenShorter == .end ? min(clip.frames, wanted) : wanted
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
