import Basics
import Quantities
import TestSupport
import Testing

@testable import Sound
@testable import Study

@Suite("Loading stimuli")
struct StimulusLoaderTests {
  private let scratch: Scratch
  private let loader = StimulusLoader()

  init() throws {
    scratch = try Scratch()
    try scratch.write(try Self.file.get(), as: "rain.mp3")
  }

  private static let file = Result { try LAME.encode(TestSound.noise(seconds: 4)) }

  private func clip() throws -> Clip { try #require(try ClipLibrary(scratch.path).clip(named: "rain")) }

  private func step(
    _ duration: Duration, _ whenShorter: MusicStep.WhenShorter = .refuse, loudness: LoudnessTarget? = nil
  ) -> MusicStep {
    var active = ActiveStep()
    active.stepDuration = duration
    return MusicStep(active: active, whenShorter: whenShorter, loudness: loudness)
  }

  @Test("A stimulus lasts as long as its step, and is the clip's beginning")
  func duration() throws {
    let whole = try loader.load(path: scratch.path + "/rain.mp3").stimulus
    #expect(whole.frames == 4 * 44_100)
    let loaded = try loader.load(try clip(), for: step(.milliseconds(1500)))
    #expect(loaded.stimulus.frames == 66_150)
    #expect(Array(loaded.stimulus.samples) == Array(whole.samples.prefix(66_150 * 2)))
    #expect(loaded.gain == 0)
    #expect(loaded.loudness == nil)
    #expect(loaded.warnings == [])
    #expect(loaded.contents.sha256 == (try clip().sha256))
  }

  @Test("WAV and FLAC clips become the same stimulus: cut to the frame, and brought to the same loudness")
  func lossless() throws {
    let samples = TestSound.noise(seconds: 4).map { Int(($0 * 32_767).rounded()) }
    try scratch.write(LosslessBytes.wave(samples), as: "one.wav")
    try scratch.write(LosslessBytes.flac(samples), as: "two.flac")
    let library = try ClipLibrary(scratch.path)
    let target = LoudnessTarget(integrated: -30, truePeakLimit: -1)
    let loaded = try ["one", "two"].map { name in
      try loader.load(try #require(library.clip(named: name)), for: step(.milliseconds(1500), loudness: target))
    }
    for one in loaded {
      #expect(one.stimulus.frames == 66_150)
      #expect(abs(try #require(one.reachedLoudness) + 30) < 0.01)
      let factor = Float(samples[1000]) / 32_768
      #expect(
        abs(one.stimulus.samples[1000] / factor - one.stimulus.samples[2000] / (Float(samples[2000]) / 32_768)) < 1e-5)
    }
    #expect(Array(loaded[0].stimulus.samples) == Array(loaded[1].stimulus.samples))
    let clip = try #require(library.clip(named: "two"))
    try scratch.write(LosslessBytes.flac(samples.reversed()), as: "two.flac")
    #expect(throws: ClipError(path: clip.path, reason: .changed)) { try loader.load(clip, for: step(.seconds(1))) }
  }

  @Test("A clip that is too short is refused, looped or ended")
  func short() throws {
    let clip = try clip()
    #expect(throws: ClipError(path: clip.path, reason: .tooShort(duration: .seconds(4), wanted: .seconds(5)))) {
      try loader.load(clip, for: step(.seconds(5)))
    }
    let looped = try loader.load(clip, for: step(.seconds(5), .loop)).stimulus
    #expect(looped.frames == 5 * 44_100)
    #expect(looped.samples.suffix(88_200).elementsEqual(looped.samples.prefix(88_200)))
    #expect(try loader.load(clip, for: step(.seconds(5), .end)).stimulus.frames == 4 * 44_100)
  }

  @Test("A part of a clip is that part, to the frame, and ends with the clip")
  func excerpt() throws {
    let whole = try loader.load(path: scratch.path + "/rain.mp3").stimulus
    var part = step(.milliseconds(1500))
    part.excerpt = .from(.milliseconds(1250))
    let loaded = try loader.load(try clip(), for: part).stimulus
    #expect(Array(loaded.samples) == Array(whole.samples.dropFirst(55_125 * 2).prefix(66_150 * 2)))
    part.excerpt = .from(.seconds(3))
    let clip = try clip()
    #expect(throws: ClipError(path: clip.path, reason: .tooShort(duration: .seconds(4), wanted: .milliseconds(4500)))) {
      try loader.load(clip, for: part)
    }
    (part.whenShorter, part.activeStep.stepDuration) = (.loop, .milliseconds(1500))
    let looped = try loader.load(clip, for: part).stimulus
    #expect(looped.frames == 66_150 && looped.samples.suffix(44_100).elementsEqual(looped.samples.prefix(44_100)))
    part.whenShorter = .end
    #expect(try loader.load(clip, for: part).stimulus.frames == 44_100)
    #expect(try loader.silent(clip, for: part).stimulus.frames == 44_100)
  }

  @Test("What is played has the loudness that is asked for")
  func loudness() throws {
    let target = LoudnessTarget(integrated: -30, truePeakLimit: -1)
    let loaded = try loader.load(try clip(), for: step(.seconds(3), loudness: target))
    guard var meter = LoudnessMeter(loaded.stimulus.format) else { throw LoudnessIsMissing() }
    meter.add(Array(loaded.stimulus.samples))
    let reached = try #require(meter.loudness.integrated)
    #expect(abs(reached + 30) < 0.01)
    let measured = try #require(loaded.loudness?.integrated)
    #expect(abs(loaded.gain - (-30 - measured)) < 1e-9)
    #expect(!loaded.isGainLimited)

    let loud = LoudnessTarget(integrated: 10, truePeakLimit: -3)
    let limited = try loader.load(try clip(), for: step(.seconds(3), loudness: loud))
    #expect(limited.isGainLimited)
    guard var second = LoudnessMeter(limited.stimulus.format) else { throw LoudnessIsMissing() }
    second.add(Array(limited.stimulus.samples))
    let peak = try #require(second.loudness.truePeak)
    #expect(abs(peak + 3) < 0.01)
    #expect(abs(try #require(limited.reachedLoudness) - (try #require(second.loudness.integrated))) < 0.01)
  }

  @Test("A day's loop is loaded in the memory of its clip")
  func dayOfLoop() throws {
    let day = try loader.load(try clip(), for: step(.seconds(86_400), .loop))
    #expect(day.stimulus.frames == 86_400 * 44_100)
    #expect(day.stimulus.dropping(frames: 86_399 * 44_100).frames == 44_100)
  }

  @Test("More of a clip than memory is given for is refused")
  func tooLong() throws {
    var clip = try clip()
    clip.frames = MusicStep.maxSamples
    // Half of 2^29 frames at 44.1 kHz.
    let limit = SoundFormat(sampleRate: 44_100, channels: 2).duration(of: 1 << 28)
    #expect(throws: ClipError(path: clip.path, reason: .tooLong(limit: limit))) {
      try loader.load(clip, for: step(.seconds(7000)))
    }
  }

  private struct LoudnessIsMissing: Error {}

  @Test(
    "A clip that was changed since the library was read is refused",
    arguments: [
      Content(FrameBytes.repeated(FrameBytes.silence, 500)), Content("now it is a poem"), Content(""),
    ])
  func changed(content: Content) throws {
    let clip = try clip()
    try scratch.write(content.bytes, as: "rain.mp3")
    #expect(throws: ClipError(path: clip.path, reason: .changed)) { try loader.load(clip, for: step(.seconds(1))) }
  }

  @Test("A change behind what is played is noticed as well")
  func changedBehind() throws {
    let clip = try clip()
    var bytes = try Self.file.get()
    bytes[bytes.count - 5] ^= 1
    try scratch.write(bytes, as: "rain.mp3")
    #expect(throws: ClipError(path: clip.path, reason: .changed)) { try loader.load(clip, for: step(.seconds(1))) }
  }

  @Test("A clip that was deleted since the library was read is refused")
  func deleted() throws {
    let clip = try clip()
    try Folder.removeFile(clip.path)
    #expect(throws: ClipError(path: clip.path, reason: .deleted)) { try loader.load(clip, for: step(.seconds(1))) }
  }

  @Test("Silence is played, but not without a warning")
  func silence() throws {
    let path = try scratch.write(FrameBytes.repeated(FrameBytes.silence, 100), as: "silence.mp3")
    let target = LoudnessTarget(integrated: -23)
    let loaded = try loader.load(path: path, shape: StimulusShape(duration: .seconds(1)), loudness: target)
    #expect(loaded.stimulus.frames == 44_100)
    #expect(loaded.gain == 0)
    #expect(loaded.warnings.count == 2)
    #expect(loaded.warnings.first?.hasPrefix("what is played is silent") == true)
  }
}
