import Basics
import Quantities
import Testing

@testable import Sensors
@testable import Sound

@Suite("The sound of a microphone")
struct SoundAssemblerTests {
  private static let rate = 48_000
  private static let piece = 960

  private static func source(isMonitor: Bool = false) -> CaptureDescription {
    CaptureDescription(server: "s", source: "m", isMonitor: isMonitor, rate: rate, channels: 2)
  }

  /// A piece of 20 ms whose left samples are their numbers, and whose time is wrong by so much.
  private static func piece(_ number: Int, lost: Int = 0, error: Duration = .zero) -> CapturedBlock {
    let first = number * piece + lost
    let seconds = Double(first) / Double(rate)
    return CapturedBlock(
      frame: first, start: Moment(nanoseconds: 1_000_000_000).advanced(by: .seconds(seconds) + error),
      samples: (first..<first + piece).flatMap { [Float($0) / 1e6, 0] })
  }

  private static func time(_ frame: Int) -> Moment {
    Moment(nanoseconds: 1_000_000_000).advanced(by: .seconds(Double(frame) / Double(rate)))
  }

  private static func run(_ pieces: [CapturedBlock]) -> [SoundAssembler.Output] {
    var assembler = SoundAssembler(source(), latency: .zero)
    return pieces.map { assembler.take($0, arrived: $0.start.advanced(by: .milliseconds(30))) }
  }

  @Test("comes in blocks of a tenth of a second without a frame missing or doubled")
  func blocks() {
    let frames = Self.run((0..<100).map { Self.piece($0) }).flatMap(\.frames)
    #expect(frames.count == 20 && frames.allSatisfy { $0.count == 4800 && $0.format.type == .roomSound })
    let numbers = frames.flatMap { $0.values.enumerated().filter { $0.offset.isMultiple(of: 2) }.map(\.element) }
    #expect(numbers == (0..<96_000).map { Float($0) / 1e6 })
    let errors = frames.enumerated().map { Self.time($0.offset * 4800).duration(to: $0.element.happened).seconds }
    #expect(errors.allSatisfy { $0.magnitude < 1e-6 })
  }

  @Test("has its time where the server's jumps in the middle of a block, and is whole where the source fails")
  func jump() throws {
    var assembler = SoundAssembler(Self.source(), latency: .zero)
    let pieces = (0..<7).map { Self.piece($0, error: $0 < 3 ? .zero : .milliseconds(200)) }
    var frames = pieces.flatMap { assembler.take($0, arrived: $0.start).frames }
    frames += assembler.finish(arrived: Self.time(48_000)).frames
    #expect(frames.map(\.count) == [3 * Self.piece, 4 * Self.piece])
    let later = try #require(frames.last).happened
    #expect(Self.time(3 * Self.piece).advanced(by: .milliseconds(200)).duration(to: later).seconds.magnitude < 1e-6)
  }

  @Test("keeps a steady clock where the server's times vary by 2 ms, and follows one that is 100 ppm fast")
  func steady() throws {
    var random = SplitMix64(seed: 7)
    let pieces = (0..<3000).map { number in
      let drift = Duration.seconds(-1e-4 * Double(number * Self.piece) / Double(Self.rate))
      return Self.piece(number, error: drift + .microseconds(Int(random.uniform() * 4000) - 2000))
    }
    let frames = Self.run(pieces).flatMap(\.frames)
    let steps = zip(frames, frames.dropFirst()).map { $0.happened.duration(to: $1.happened).seconds - 0.1 }
    // Less than what a loss is told by.
    #expect(steps.allSatisfy { $0.magnitude <= 0.0002 + 1e-9 })
    let last = try #require(frames.last)
    let truth = Self.time((frames.count - 1) * 4800).advanced(by: .seconds(-1e-5 * Double(frames.count - 1)))
    #expect(truth.duration(to: last.happened).seconds.magnitude < 0.001)
  }

  @Test("leaves the place of lost frames empty", arguments: [64, 960, 48_000, 4_800_000])
  func lost(count: Int) throws {
    let pieces = (0..<7).map { Self.piece($0) } + (7..<20).map { Self.piece($0, lost: count) }
    let frames = Self.run(pieces).flatMap(\.frames)
    let place = try #require(frames.firstIndex { $0.values[0] == Float(7 * Self.piece + count) / 1e6 })
    #expect(Self.time(7 * Self.piece + count).duration(to: frames[place].happened).seconds.magnitude < 1e-6)
    #expect(frames[place - 1].count == 2 * Self.piece)
  }

  @Test("has a level once a second", arguments: [(1.0, 0.0), (0.1, -20.0), (0.001, -60.0), (0.0, -150.0)])
  func level(amplitude: Double, level: Double) throws {
    var assembler = SoundAssembler(Self.source(), latency: .zero)
    let outputs = (0..<101).map { number in
      var piece = Self.piece(number)
      piece.samples = piece.samples.indices.map { Float($0.isMultiple(of: 4) ? amplitude : -amplitude) }
      return assembler.take(piece, arrived: piece.start)
    }
    let samples = outputs.flatMap(\.readings).flatMap(\.samples)
    #expect(samples.map(\.type) == [.roomSoundLevel, .roomSoundLevel])
    #expect(samples.allSatisfy { abs($0.value - level) < 0.051 && $0.unit.symbol == "dBFS" && $0.isPlausible })
  }

  @Test("that is nothing but silence is noted once, but not of a monitor", arguments: [(false, 1), (true, 0)])
  func silence(isMonitor: Bool, notes: Int) {
    var assembler = SoundAssembler(Self.source(isMonitor: isMonitor), latency: .zero)
    let outputs = (0..<400).map { number in
      var piece = Self.piece(number)
      piece.samples = piece.samples.map { _ in 0 }
      return assembler.take(piece, arrived: piece.start)
    }
    #expect(outputs.compactMap(\.note).count == notes)
  }
}
