import Basics
import Quantities
import Testing

@testable import Sensors
@testable import pretend

@Suite("The bytes of serial devices")
struct DeviceDecoderTests {
  private static let zero = Moment(nanoseconds: 1_000_000_000_000)
  private let electrocardiogram = QuantityType(channel: "electrocardiogram")

  /// Decodes pieces that arrive at times in seconds.
  private func decode(
    _ pieces: [(at: Double, bytes: [UInt8])], with decoder: any DeviceDecoder
  ) -> (yield: Decoded, units: Int) {
    var decoder = decoder
    var all = Decoded()
    for piece in pieces {
      let yield = decoder.take(piece.bytes.span, arrived: Self.zero.advanced(by: Duration(seconds: piece.at)))
      all.readings += yield.readings
      all.waveforms += yield.waveforms
      all.faults += yield.faults
      all.notes += yield.notes
    }
    return (all, decoder.unitCount)
  }

  private func decode(_ text: String, every seconds: Double = 0.02) -> Decoded {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map { Array("\($0)\r\n".utf8) }
    let pieces = lines.enumerated().map { (at: Double($0.offset) * seconds, bytes: $0.element) }
    return decode(pieces, with: SerialSettings(path: "", kind: .pulseSensor).decoder(latency: .zero)).yield
  }

  @Test("of a PulseSensor for the visualizer are samples, rates and intervals")
  func visualizer() {
    let yield = decode("S512\nS530\nB72\nQ830\nS540\nB73\nQ822\nS9\n")
    #expect(yield.waveforms.flatMap(\.values) == [512, 530, 540, 9])
    #expect(yield.readings.map(\.heartRate) == [72, 73])
    #expect(yield.readings.map(\.rrIntervals) == [[830], [822]])
    #expect(yield.faults.isEmpty && yield.notes.isEmpty)
  }

  @Test("of several PulseSensors are those of the first, and the others are noted once")
  func several() {
    let yield = decode("a512\nb100\nA72\nM830\nB60\nN1000\na513\n")
    #expect(yield.waveforms.flatMap(\.values) == [512, 513])
    #expect(yield.readings.map(\.rrIntervals) == [[830]])
    #expect(yield.notes.count == 1)
  }

  @Test("of a PulseSensor for the plotter repeat a beat until the next")
  func plotter() {
    let lines = Array(repeating: "72,830,500\n", count: 5) + Array(repeating: "72,824,510\n", count: 5)
    let yield = decode(lines.joined())
    #expect(yield.waveforms.flatMap(\.values).count == 10)
    #expect(yield.readings.map(\.rrIntervals) == [[824]])
  }

  @Test("that repeat an interval for twice its length hide a beat of the same interval")
  func hiddenBeat() {
    // Changes after 0.8 s, then after 1.6 s with another interval of 0.8 s: one beat of 0.8 s changed nothing.
    let lines =
      Array(repeating: "70,840,1\n", count: 10) + Array(repeating: "75,800,1\n", count: 81)
      + Array(repeating: "75,820,1\n", count: 10)
    #expect(decode(lines.joined()).readings.map(\.rrIntervals) == [[800], [800, 820]])
  }

  @Test("say that there is no pulse once, and what is not a line is reported by its number")
  func noPulse() {
    let yield = decode("30,512\n0,600,510\n0,600,511\nwhat\n")
    #expect(yield.readings.map(\.problem) == [.noPulse])
    // The first line may have begun before the port was opened.
    #expect(yield.faults.map(\.line) == [4])
  }

  /// Packets of a Nonin oximeter from a number on.
  private func packets(_ numbers: Range<Int>, rate: Int = 72, status: UInt8 = 0x80) -> [[UInt8]] {
    numbers.map { number in
      let known = [0: rate >> 7, 1: rate & 0x7F, 2: 97][number % 25] ?? 0
      let packet = [1, number % 25 == 0 ? status | 1 : status, UInt8(number % 200), UInt8(known)]
      return packet + [packet.reduce(0, &+)]
    }
  }

  private func nonin(_ packets: [[UInt8]], without lost: Range<Int> = 0..<0) -> Decoded {
    let pieces = packets.enumerated().filter { !lost.contains($0.offset) }
      .map { (at: Double($0.offset) / 75, bytes: $0.element) }
    return decode(pieces, with: NoninDecoder(latency: .zero)).yield
  }

  @Test("of a Nonin oximeter are a pulse wave, and three times a second rate and saturation", arguments: [72, 200])
  func oximeter(rate: Int) {
    let yield = nonin(packets(0..<151, rate: rate))
    // The last packet waits for no other once they are aligned.
    #expect(yield.waveforms.flatMap(\.values) == (0..<151).map { Float($0 % 200) })
    #expect(yield.readings.map(\.heartRate) == Array(repeating: Double(rate), count: 6))
    #expect(yield.readings.allSatisfy { $0.samples.first?.value == 0.97 && $0.contact == true })
    #expect(yield.faults.isEmpty)
  }

  @Test("of an oximeter that lost packets leave a gap of their length", arguments: [1, 7, 24])
  func lostPackets(count: Int) throws {
    let yield = nonin(packets(0..<200), without: 103..<103 + count)
    let blocks = yield.waveforms
    let first = try #require(blocks.first).happened
    // The mark of the next frame, number 125 or 150, tells how many are missing.
    let later = try #require(blocks.last)
    #expect(abs(first.duration(to: later.happened).seconds - 199 / 75) < 0.001)
    #expect(blocks.reduce(0) { $0 + $1.count } == 200 - count)
  }

  @Test("of an oximeter whose finger is off have no contact, and unknown values are none")
  func fingerOff() {
    let yield = nonin(packets(0..<50, rate: 511) + packets(50..<75, status: 0xC0) + packets(75..<125))
    #expect(yield.readings.map(\.contact) == [true, true, false, true, true, true])
    #expect(yield.readings.map(\.heartRate) == [nil, nil, nil, nil, 72, 72])
  }

  @Test("of an oximeter with a wrong checksum are skipped to the next packet")
  func wrongChecksum() {
    var packets = packets(0..<100)
    packets[40][4] ^= 1
    packets[70].removeFirst()
    let yield = nonin(packets)
    #expect(yield.waveforms.reduce(0) { $0 + $1.count } == 98)
    #expect(yield.faults.count == 2)
  }

  private func bitalino(
    _ frames: [[UInt8]], inputs: [SerialSettings.Input], pieces size: Int = 10
  ) -> (yield: Decoded, units: Int) {
    let pieces = stride(from: 0, to: frames.count, by: size).map { start in
      let stop = min(start + size, frames.count)
      return (at: Double(stop) / 1000, bytes: Array(frames[start..<stop].joined()))
    }
    return decode(pieces, with: BitalinoDecoder(inputs, rate: 1000, latency: .zero))
  }

  @Test("of a BITalino hold every sample of one to six inputs", arguments: 1...6)
  func frames(count: Int) {
    let inputs = (1...count).map { SerialSettings.Input(number: $0, type: .photoplethysmogram) }
    let samples = (0..<100).map { frame in
      (0..<count).map { place in (frame * 37 + place * 101) % (1 << BitalinoFrame.bits(place)) }
    }
    let bytes = samples.enumerated().map { BitalinoFrame.frame(sequence: $0.offset, samples: $0.element) }
    let (yield, units) = bitalino(bytes, inputs: inputs)
    #expect(units == 100 && yield.faults.isEmpty)
    #expect(yield.waveforms.flatMap(\.values) == samples.flatMap { $0.map(Float.init) })
    #expect(yield.waveforms.allSatisfy { $0.format.channels == inputs.map { "A\($0.number)" } })
  }

  @Test("of a BITalino that are lost leave a gap, more than 15 by their arrival", arguments: [1, 15, 16, 400])
  func lostFrames(count: Int) throws {
    let inputs = [SerialSettings.Input(number: 2, type: try #require(electrocardiogram))]
    let frames = (0..<2000).map { BitalinoFrame.frame(sequence: $0, samples: [512]) }
    var pieces = stride(from: 0, to: 2000, by: 10).map { start in
      (at: Double(start + 10) / 1000, bytes: Array(frames[start..<start + 10].joined()))
    }
    let lost = 1000..<1000 + count
    for (index, start) in stride(from: 0, to: 2000, by: 10).enumerated() {
      pieces[index].bytes = Array((start..<start + 10).filter { !lost.contains($0) }.map { frames[$0] }.joined())
    }
    let (yield, units) = decode(
      pieces.filter { !$0.bytes.isEmpty }, with: BitalinoDecoder(inputs, rate: 1000, latency: .zero))
    #expect(units == 2000 - count)
    let (first, last) = (try #require(yield.waveforms.first), try #require(yield.waveforms.last))
    // Sixteen cannot be told from none by their numbers, and are within the jitter of arrivals.
    #expect(abs(first.happened.duration(to: last.end).seconds - 1.999) < (count == 16 ? 0.0161 : 0.0001))
    // The middle of the range of an input is no voltage.
    #expect(yield.waveforms.allSatisfy { $0.values.allSatisfy { $0 == 0 } })
  }

  @Test("of a BITalino with a wrong checksum are skipped, and lost bytes do not hide the next frame")
  func damagedFrames() {
    let inputs = [SerialSettings.Input(number: 1, type: .photoplethysmogram)]
    var frames = (0..<300).map { BitalinoFrame.frame(sequence: $0, samples: [$0]) }
    frames[100][0] ^= 0x10
    frames[200].removeFirst()
    let (yield, units) = bitalino(frames, inputs: inputs)
    #expect((297...298).contains(units))
    #expect(yield.faults.count == 2)
    #expect(Set(yield.waveforms.flatMap(\.values)).isSubset(of: Set((0..<300).map(Float.init))))
  }

  @Test("of a BITalino give skin conductance ten times a second, in microsiemens")
  func skinConductance() throws {
    let type = try #require(QuantityType(channel: "skinConductance"))
    let frames = (0..<1000).map { BitalinoFrame.frame(sequence: $0, samples: [205]) }
    let (yield, _) = bitalino(frames, inputs: [.init(number: 3, type: type)])
    #expect(yield.waveforms.isEmpty && yield.readings.count == 10)
    // 205 / 1024 · 3.3 V / 0.132 V/µS.
    #expect(yield.readings.allSatisfy { abs(($0.samples.first?.value ?? 0) - 5.0049) < 0.001 })
  }

  @Test(
    "are placed by their count although arrivals jitter, and follow a clock that runs slow",
    arguments: [-100.0, 0, 100])
  func drift(partsPerMillion: Double) throws {
    var random = SplitMix64(seed: 7)
    var train = FrameTrain(rate: 250, cycle: 1, latency: .zero)
    var worst = 0.0
    // Ten minutes in pieces of 25 frames, which arrive up to 40 ms late.
    for piece in 0..<6000 {
      let end = Double((piece + 1) * 25) / 250 * (1 + partsPerMillion * 1e-6)
      let arrived = Self.zero.advanced(by: Duration(seconds: end + 0.04 * random.uniform()))
      let moment = train.moments(of: [.init(count: 25)], arrived: arrived)[0]
      let truth = end - 24 / 250
      guard piece > 600 else { continue }
      worst = max(worst, abs(Self.zero.duration(to: moment).seconds - truth))
    }
    // The dead band of 20 ms, and what a clock drifts while lateness is watched.
    #expect(worst < 0.04)
  }

  @Test("tell which kind of device sends them", arguments: SerialKind.all)
  func recognised(kind: SerialKind) {
    var settings = SerialSettings(path: "", kind: kind)
    if kind == .bitalino {
      settings.inputs = (1...3).map { .init(number: $0, type: .photoplethysmogram) }
    }
    var device = PretendedDevice(settings)
    device.take(BitalinoCommand.start([1, 2, 3]))
    let bytes = device.bytes(until: kind == .lines ? 20 : 2)
    #expect(SerialKind.sending(Array(bytes.dropFirst(3).prefix(2048))) == kind)
    // At a wrong speed, and from no device at all.
    #expect(SerialKind.sending(bytes.map { $0 &* 37 ^ 0xA5 }) == nil)
    #expect(SerialKind.sending([]) == nil)
  }
}
