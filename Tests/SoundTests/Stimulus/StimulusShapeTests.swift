import Basics
import Quantities
import Study
import Testing

@testable import Sound

@Suite("The shape of a stimulus")
struct StimulusShapeTests {
  private static let formats = [8_000, 11_025, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000].flatMap { rate in
    [1, 2].map { SoundFormat(sampleRate: rate, channels: $0) }
  }

  private func ones(_ frames: Int, _ format: SoundFormat) -> [Float] {
    [Float](repeating: 1, count: frames * format.channels)
  }

  @Test("A duration becomes the nearest number of frames, and comes back within half a frame", arguments: formats)
  func frames(format: SoundFormat) {
    for index in 0..<2000 {
      let duration = Duration.nanoseconds(index * 7_777_777 + index * index * 13)
      let frames = format.frames(in: duration)
      let exact = Double(duration.nanoseconds) * Double(format.sampleRate) / 1e9
      #expect(abs(Double(frames) - exact) <= 0.5 + 1e-6)
      let back = format.duration(of: frames)
      #expect(abs((back - duration).seconds) <= 0.5 / Double(format.sampleRate) + 2e-9)
      #expect(format.frames(in: back) == frames)
    }
    #expect(format.frames(in: .seconds(36_000)) == 36_000 * format.sampleRate)
    #expect(format.frames(in: .zero) == 0)
  }

  @Test("A longer sound is cut to the frame, a looped one reaches it exactly", arguments: formats)
  func lengths(format: SoundFormat) throws {
    for milliseconds in [1, 10, 333, 1000, 1001, 4999] {
      let shape = StimulusShape(duration: .milliseconds(milliseconds), whenShorter: .loop)
      for source in [7, 1000, format.sampleRate, 6 * format.sampleRate] {
        let samples = try #require(shape.shaped(ones(source, format), in: format))
        #expect(samples.count == format.frames(in: .milliseconds(milliseconds)) * format.channels)
        let requested = Double(milliseconds) / 1000
        let reached = Double(samples.count / format.channels) / Double(format.sampleRate)
        // Half a frame; the station promises 0.1 ms from 8 kHz on.
        #expect(abs(reached - requested) <= 0.0001)
      }
    }
  }

  @Test("A loop repeats frame by frame, without a gap")
  func loop() throws {
    let format = SoundFormat(sampleRate: 1000, channels: 2)
    let shape = StimulusShape(duration: .milliseconds(24), whenShorter: .loop)
    let samples = try #require(shape.shaped((0..<14).map { Float($0) }, in: format))
    #expect(Array(samples) == (0..<48).map { Float($0 % 14) })
    #expect(try #require(shape.shaped([], in: format)).isEmpty)
  }

  @Test("A loop of a day takes the memory of one round, and sounds at its end as an unrolled one would")
  func day() throws {
    let format = SoundFormat(sampleRate: 48_000, channels: 2)
    let round = (0..<2000).map { Float($0) + 1 }
    let shape = StimulusShape(
      duration: .seconds(86_400), whenShorter: .loop, fadeIn: .seconds(3600), fadeOut: .milliseconds(10))
    let samples = try #require(shape.shaped(round, in: format))
    #expect(samples.frames == 86_400 * 48_000)
    var buffer = [Float](repeating: .nan, count: 3000)
    var span = buffer.mutableSpan
    samples.write((samples.frames - 1500)..<samples.frames, into: &span, at: 0)
    for (index, value) in buffer.enumerated() {
      let frame = samples.frames - 1500 + index / 2
      let ramp = frame < samples.frames - 480 ? 1 : Ramp.factor(samples.frames - 1 - frame, of: 480)
      #expect(value == round[(frame * 2 + index % 2) % 2000] * ramp)
    }
    #expect(samples[1] == 2 * Ramp.factor(0, of: 3600 * 48_000))
  }

  @Test("A shorter sound is refused or ends early, as the shape says")
  func shorter() {
    let format = SoundFormat(sampleRate: 1000, channels: 1)
    func shaped(_ milliseconds: Int, _ whenShorter: MusicStep.WhenShorter) -> [Float]? {
      StimulusShape(duration: .milliseconds(milliseconds), whenShorter: whenShorter).shaped([1, 2, 3], in: format)
        .map(Array.init)
    }
    #expect(shaped(4, .refuse) == nil)
    #expect(shaped(4, .end) == [1, 2, 3])
    #expect(shaped(3, .refuse) == [1, 2, 3])
  }

  @Test("Ramps rise and fall steadily between silence and full sound", arguments: formats)
  func ramps(format: SoundFormat) throws {
    let shape = StimulusShape(duration: .seconds(1), fadeIn: .milliseconds(50), fadeOut: .milliseconds(200))
    let samples = Array(try #require(shape.shaped(ones(format.sampleRate, format), in: format)))
    let one = TestSound.channel(0, of: format.channels, in: samples)
    let rise = format.frames(in: .milliseconds(50))
    let fall = format.frames(in: .milliseconds(200))
    #expect(zip(one.prefix(rise), one.prefix(rise).dropFirst()).allSatisfy { $0 < $1 })
    #expect(one[rise..<(one.count - fall)].allSatisfy { $0 == 1 })
    #expect(zip(one.suffix(fall), one.suffix(fall).dropFirst()).allSatisfy { $0 > $1 })
    #expect(one[0] > 0 && one[0] < 0.001 && one[one.count - 1] > 0 && one[one.count - 1] < 0.001)
    // A raised cosine's mean is a half, that of its square three eighths.
    let energy = one.prefix(rise).reduce(0) { $0 + Double($1 * $1) } / Double(rise)
    #expect(abs(energy - 0.375) < 0.001)
    if format.channels == 2 { #expect(one == TestSound.channel(1, of: 2, in: samples)) }
    #expect(samples.allSatisfy { $0.isFinite && $0 <= 1 })
  }

  @Test("Ramps longer than the sound, and ramps that overlap, stay within the sound", arguments: [0, 1, 2, 3, 10])
  func longRamps(frames: Int) throws {
    let format = SoundFormat(sampleRate: 1000, channels: 2)
    let shape = StimulusShape(fadeIn: .seconds(9), fadeOut: .seconds(9))
    let samples = try #require(shape.shaped(ones(frames, format), in: format))
    #expect(samples.count == frames * 2)
    #expect(samples.allSatisfy { $0.isFinite && $0 > 0 && $0 < 1 })
  }
}

@Suite("Stimuli")
struct StimulusTests {
  private let format = SoundFormat(sampleRate: 44_100, channels: 2)

  @Test("What is left of a suspended stimulus begins where it stopped, and rises from silence")
  func dropping() {
    let whole = Stimulus(format: format, samples: TestSound.noise(seconds: 1))
    let rest = whole.dropping(frames: 10_000, fadeIn: .milliseconds(10))
    #expect(rest.frames == 34_100)
    #expect(Array(rest.samples.dropFirst(441 * 2)) == Array(whole.samples.dropFirst(10_441 * 2)))
    #expect(zip(rest.samples, whole.samples.dropFirst(20_000)).prefix(882).allSatisfy { $0.magnitude <= $1.magnitude })
    #expect(Array(whole.dropping(frames: 0).samples) == Array(whole.samples))
    #expect(whole.dropping(frames: 44_100).frames == 0)
    #expect(whole.dropping(frames: 99_999).frames == 0)
  }

  @Test("What is left of a loop is the loop from there on, in whatever pieces it is asked for", arguments: [1, 7, 64])
  func droppingLoop(size: Int) throws {
    let format = SoundFormat(sampleRate: 1000, channels: 2)
    let round = (1...22).map(Float.init)
    let shape = StimulusShape(
      duration: .milliseconds(200), whenShorter: .loop, fadeIn: .milliseconds(30), fadeOut: .milliseconds(50))
    let whole = Stimulus(sampleRate: 1000, try #require(shape.shaped(round, in: format)))
    let rest = whole.dropping(frames: 15, fadeIn: .milliseconds(10)).dropping(frames: 40)
    #expect(rest.frames == 145)
    #expect(Array(rest.samples) == Array(Array(whole.samples).dropFirst(110)))
    var pieces: [Float] = []
    for start in stride(from: 0, to: rest.frames, by: size) {
      let frames = start..<min(start + size, rest.frames)
      var piece = [Float](repeating: .nan, count: frames.count * 2)
      var span = piece.mutableSpan
      rest.samples.write(frames, into: &span, at: 0)
      pieces += piece
    }
    #expect(pieces == Array(rest.samples))
    let risen = whole.dropping(frames: 15, fadeIn: .milliseconds(10))
    #expect(risen.samples[0] == whole.samples[30] * Ramp.factor(0, of: 10))
    #expect(risen.samples[20] == whole.samples[50])
  }

  @Test("A gain multiplies", arguments: [(0.0, 1.0), (20, 10), (-20, 0.1), (6.0206, 2)])
  func gain(decibels: Double, factor: Double) {
    var samples: [Float] = [0, 0.25, -0.5]
    Stimulus.amplify(&samples, decibels: decibels)
    #expect(zip(samples, [0, 0.25, -0.5]).allSatisfy { abs(Double($0) - $1 * factor) < 1e-5 })
  }

  @Test("A tone has its length and level, and begins and ends softly", arguments: [8_000, 44_100, 48_000])
  func tone(rate: Int) {
    let tone = Stimulus.tone(SoundFormat(sampleRate: rate, channels: 1), duration: .milliseconds(200), level: -20)
    #expect(tone.frames == rate / 5)
    let peak = tone.samples.map(\.magnitude).max() ?? 0
    #expect(abs(peak - 0.1) < 0.001)
    #expect(tone.samples.prefix(rate / 2000).allSatisfy { $0.magnitude < 0.001 })
    #expect(tone.samples.suffix(rate / 2000).allSatisfy { $0.magnitude < 0.001 })
  }
}
