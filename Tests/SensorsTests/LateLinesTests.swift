import Basics
import Quantities
import Testing

@testable import Sensors

/// Lines that do not come in the order of their times, and clocks that jump beside them.
@Suite("Late lines")
struct LateLinesTests {
  /// A line: when it happened, what the sender's clock said, when it was sent, and when it arrived, in seconds.
  struct Line: Sendable {
    var happened: Double
    var clock: Double
    var sent: Double
    var arrived: Double
  }

  private static let start = Moment(nanoseconds: 9_000_000_000_000)

  /// Lines of a channel, each sent some seconds after it happened.
  private static func lines(
    every step: Double, of seconds: Double, after late: (Double) -> Double, clock: (Double) -> Double = { $0 + 5000 }
  ) -> [Line] {
    stride(from: 0.0, to: seconds, by: step).map {
      Line(happened: $0, clock: clock($0), sent: $0 + late($0), arrived: $0 + late($0))
    }
  }

  /// The errors of the lines' times in seconds, in the order of arrival, and the number of jumps; so many lines that
  /// arrive at the same time are read together.
  private static func errors(_ lines: [Line], piece: Int = 1) -> (errors: [(line: Line, error: Double)], jumps: Int) {
    let lines = lines.sorted { ($0.arrived, $0.sent) < ($1.arrived, $1.sent) }
    var clock = SenderClock(latency: .zero)
    var errors: [(line: Line, error: Double)] = []
    var first = 0
    while first < lines.count {
      var end = first + 1
      while end < lines.count, end - first < piece, lines[end].arrived == lines[first].arrived { end += 1 }
      let moments = clock.moments(
        of: lines[first..<end].map(\.clock), arrived: start.advanced(by: Duration(seconds: lines[first].arrived)))
      for (line, moment) in zip(lines[first..<end], moments) {
        errors.append((line, start.duration(to: moment).seconds - line.happened))
      }
      first = end
    }
    return (errors, clock.takeJumps().count)
  }

  @Test(
    "A channel that is sent later than the others keeps its times", arguments: [0.05, 0.2, 0.3, 1, 2.4],
    [0.004, 0.1, 0.9])
  func channel(late: Double, step: Double) {
    var random = SplitMix64(seed: 3)
    let prompt = Self.lines(every: step, of: 300) { _ in 0.005 * random.uniform() }
    let hearts = Self.lines(every: 0.83, of: 300) { _ in late + 0.005 * random.uniform() }
    let (errors, jumps) = Self.errors(prompt + hearts)
    #expect(errors.allSatisfy { abs($0.error) < 0.01 } && jumps == 0)
  }

  @Test(
    "Later than any line should be, only the first of a channel is placed by its arrival", arguments: [3.0, 10, 50])
  func veryLate(late: Double) {
    let prompt = Self.lines(every: 0.1, of: 300) { _ in 0 }
    let hearts = Self.lines(every: 1, of: 300) { _ in late }
    let (errors, jumps) = Self.errors(prompt + hearts)
    #expect(errors.count { abs($0.error) > 0.01 } <= 1 && jumps <= 1)
  }

  @Test("A late channel beside one that sends a value a minute keeps its times", arguments: [0.3, 1, 2])
  func rarePrompt(late: Double) {
    let prompt = Self.lines(every: 60, of: 900) { _ in 0 }
    let hearts = Self.lines(every: 1.01, of: 900) { _ in late }
    let (errors, jumps) = Self.errors(prompt + hearts)
    #expect(errors.allSatisfy { abs($0.error) < 0.01 } && jumps == 0)
  }

  @Test("Single lines that overtake each other keep their times", arguments: 1...10 as ClosedRange<UInt64>, [0.1, 1])
  func overtaking(seed: UInt64, step: Double) {
    var random = SplitMix64(seed: seed)
    let lines = Self.lines(every: step, of: 400 * step) { _ in
      random.uniform() < 0.5 ? 0.001 * random.uniform() : 0.3 * random.uniform()
    }
    let (errors, jumps) = Self.errors(lines)
    // The first lines may all be late; the least delay is not known yet.
    #expect(errors.dropFirst(20).allSatisfy { abs($0.error) < 0.005 } && jumps == 0)
    // Only the lines of two channels that are both late at random are placed by the earliest so far.
    let other = Self.lines(every: step, of: 400 * step) { _ in 0.3 * random.uniform() }
    let both = Self.errors(lines + other)
    #expect(both.errors.dropFirst(20).allSatisfy { abs($0.error) < 0.02 } && both.jumps == 0)
  }

  @Test(
    "A clock that jumps is followed from the first line on, also beside a late channel",
    arguments: [10.0, -10, 3600, -3600, -55], [0.0, 0.05, 0.2, 0.3, 2])
  func jumps(jump: Double, late: Double) {
    var random = SplitMix64(seed: 4)
    func clock(_ time: Double) -> Double { 5000 + time + (time < 60 ? 0 : jump) }
    let prompt = Self.lines(every: 0.1, of: 200, after: { _ in 0.005 * random.uniform() }, clock: clock)
    let hearts = Self.lines(every: 1, of: 200, after: { _ in late + 0.005 * random.uniform() }, clock: clock)
    let (errors, _) = Self.errors(prompt + hearts)
    let wrong = errors.filter { abs($0.error) > 0.01 }
    // After a short jump forward, late lines of before it cannot be told from new ones.
    let isAllowed = jump == 10 ? 60 - late...60 + late : 60...60
    #expect(wrong.allSatisfy { isAllowed.contains($0.line.happened) } && wrong.count <= 25, "\(wrong)")
  }

  @Test("A sender that begins again at zero is followed at once", arguments: [4.0, 60, 5000])
  func restart(after seconds: Double) {
    func clock(_ time: Double) -> Double { time < seconds ? time : time - seconds }
    let lines = Self.lines(every: seconds < 100 ? 0.1 : 1, of: seconds + 50, after: { _ in 0.001 }, clock: clock)
    let (errors, jumps) = Self.errors(lines)
    #expect(errors.allSatisfy { abs($0.error) < 0.005 } && jumps == 1)
  }

  @Test("A short jump back is known after ten lines", arguments: [-0.4, -1, -2.4])
  func shortJump(jump: Double) {
    func clock(_ time: Double) -> Double { time + (time < 60 ? 0 : jump) }
    let (errors, jumps) = Self.errors(Self.lines(every: 0.1, of: 120, after: { _ in 0.001 }, clock: clock))
    #expect(errors.count { abs($0.error) > 0.005 } <= 10 && jumps == 1)
  }

  @Test("Lines that the network held back are no jump, in whatever pieces they are read", arguments: [1, 3, 40, 1000])
  func heldBack(piece: Int) {
    for hold in [0.5, 5, 50] {
      let prompt = Self.lines(every: 0.1, of: 120) { _ in 0 }
      let hearts = Self.lines(every: 1, of: 120) { _ in 0.3 }
      let lines = (prompt + hearts).map { line in
        var line = line
        if (20..<20 + hold).contains(line.sent) { line.arrived = 20 + hold }
        return line
      }
      let (errors, jumps) = Self.errors(lines, piece: piece)
      #expect(errors.allSatisfy { abs($0.error) < 0.001 } && jumps == 0, "held back for \(hold) s")
    }
  }

  @Test("One clock is behind all channels of a line sensor, its waveforms too")
  func decoder() {
    var decoder = LineDecoder(latency: .zero)
    var (readings, waveforms, notes) = ([HeartReading](), [WaveformFrames](), [String]())
    for index in 0..<200 {
      let time = Double(index) / 10
      var text = #"{"t":\#(time + 100),"skinConductance":2.0}"# + "\n"
      // Both happened 0.3 s ago; of the wave that is its last frame.
      if index % 10 == 5 { text += #"{"t":\#(time + 99.7),"hr":60,"rr":[1000]}"# + "\n" }
      if index % 10 == 8 { text += #"{"t":\#(time + 99.7),"electrocardiogram":[1,2],"samplingRate":100}"# + "\n" }
      for line in text.split(separator: "\n") {
        let yield = decoder.take(
          Array("\(line)\n".utf8).span, arrived: Self.start.advanced(by: Duration(seconds: time)))
        readings += yield.readings
        waveforms += yield.waveforms
        notes += yield.notes
      }
    }
    #expect(readings.count == 220 && waveforms.count == 20 && notes.isEmpty)
    for reading in readings {
      #expect(abs(Self.start.duration(to: reading.happened).seconds - ((reading.senderTime ?? 0) - 100)) < 1e-6)
    }
    for wave in waveforms { #expect(abs(wave.happened.duration(to: wave.arrived).seconds - 0.31) < 1e-6) }
  }
}
