import Foundation
import Study
import Testing

@testable import Sound

@Suite("The frames of a sound at a graph's rate")
struct SampleFeedTests {
  /// A sine of 1 kHz that swells, at any rate.
  private static func sine(at second: Double) -> Float { Float(0.5 * sin(2 * .pi * 1000 * second)) }

  private static func stimulus(rate: Int, seconds: Double, channels: Int = 1) -> Stimulus {
    let frames = Int((seconds * Double(rate)).rounded())
    let samples = (0..<frames).flatMap { frame in
      [Float](repeating: sine(at: Double(frame) / Double(rate)), count: channels)
    }
    return Stimulus(format: SoundFormat(sampleRate: rate, channels: channels), samples: samples)
  }

  private static func all(_ feed: SampleFeed, in piece: Int) -> [Float] {
    var feed = feed
    var samples: [Float] = []
    while case let next = feed.next(piece), !next.isEmpty { samples += next }
    return samples
  }

  @Test("are those of the sound where the rates agree", arguments: [1, 100, 5000])
  func same(piece: Int) throws {
    let stimulus = Self.stimulus(rate: 48_000, seconds: 0.1, channels: 2)
    let feed = try SampleFeed(stimulus, rate: 48_000, ports: ["FL", "FR"])
    #expect(Self.all(feed, in: piece) == Array(stimulus.samples))
  }

  @Test(
    "are the same sound at another rate, each instant where it was",
    arguments: [(44_100, 48_000), (48_000, 44_100), (22_050, 48_000), (96_000, 48_000)], [777, 32_768])
  func resampled(rates: (Int, Int), piece: Int) throws {
    let feed = try SampleFeed(Self.stimulus(rate: rates.0, seconds: 0.5), rate: rates.1, ports: ["MONO"])
    #expect(feed.frames == rates.1 / 2)
    let samples = Self.all(feed, in: piece)
    #expect(samples.count == rates.1 / 2)
    // Away from the ends, where a sound that begins at once rings.
    let worst = samples.indices.dropFirst(rates.1 / 20).dropLast(rates.1 / 20).map { index in
      abs(samples[index] - Self.sine(at: Double(index) / Double(rates.1)))
    }.max()
    #expect(try #require(worst) < 1e-4)
  }

  @Test(
    "are as many as last as long",
    arguments: [
      (1_323_000, 44_100, 48_000, 1_440_000), (1, 44_100, 48_000, 1), (0, 8000, 48_000, 0),
      (79_380_000, 44_100, 48_000, 86_400_000), (7, 48_000, 44_100, 6),
    ])
  func count(frames: Int, rate: Int, other: Int, expected: Int) {
    #expect(SampleFeed.frames(frames, from: rate, to: other) == expected)
  }
}
