extension SoundFormat { public static let cue = SoundFormat(sampleRate: 48000, channels: 2) }
extension Stimulus { public static func cue(format: SoundFormat) -> Stimulus { Stimulus(format: format, samples: []) }
public func dropping(frames: Int, fadeIn: Duration) -> Stimulus { self } }
