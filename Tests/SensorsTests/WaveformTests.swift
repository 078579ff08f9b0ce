import Basics
import Recordings
import TestSupport
import Testing

@testable import Quantities
@testable import Sensors

@Suite("Waveforms of sensors")
struct WaveformTests {
  private static let electrocardiogram = QuantityType(channel: "electrocardiogram") ?? .heartRate

  private func read(_ line: String) -> Row {
    var reader = RowReader()
    let bytes = Array(line.utf8)
    return reader.read(bytes.span)
  }

  // An escaped key sends a line to the strict reader.
  @Test(
    "A line's array is consecutive frames, in either reading",
    arguments: [
      (#""electrocardiogram":[0.5,-1,2e0]"#, "mV", 1, [0.5, -1, 2]),
      (#""electrocardiogram_mcV":[500]"#, "mcV", 1, [500]),
      (#""electrocardiogram":[[1,2],[3,4],[5,6]]"#, "mV", 2, [1, 2, 3, 4, 5, 6]),
      (#""electrocardiogram": [ [1] , [3] ] "#, "mV", 1, [1, 3]),
      (#""photoplethysmogram":[7]"#, "count", 1, [7]),
    ] as [(String, String, Int, [Float])], ["", #","a":"\n""#])
  func arrays(_ array: (text: String, unit: String, width: Int, values: [Float]), more: String) throws {
    guard case .sample(let sample) = read(#"{"t":1.5,\#(array.text),"samplingRate":250\#(more)}"#) else {
      Issue.record("\(array.text) is not read")
      return
    }
    let wave = try #require(sample.waveforms.first)
    #expect(sample.waveforms.count == 1 && sample.isOfWaveforms)
    #expect((wave.channel.unit.symbol, wave.width) == (array.unit, array.width))
    #expect(wave.values == array.values && sample.samplingRate == 250 && sample.time == 1.5)
  }

  @Test(
    "What is not a waveform is reported, and not taken for one",
    arguments: [
      (#"{"electrocardiogram":[1,2]}"#, "samplingRate"),
      (#"{"electrocardiogram":[1,2],"samplingRate":0}"#, "samplingRate 0"),
      (#"{"electrocardiogram":[1,2],"samplingRate":1e9}"#, "outside 0.1…100000"),
      (#"{"electrocardiogram":[1,2],"samplingRate":"fast"}"#, "samplingRate"),
      (#"{"electrocardiogram":[],"samplingRate":250}"#, "empty"),
      (#"{"electrocardiogram":[[1,2],[3]],"samplingRate":250}"#, "frames of 2 and 1"),
      (#"{"electrocardiogram":[[]],"samplingRate":250}"#, "empty"),
      (#"{"electrocardiogram":[1,"x"],"samplingRate":250}"#, "a number in mV was expected"),
      (#"{"electrocardiogram":[1e39],"samplingRate":250}"#, "a number in mV was expected"),
      (#"{"electrocardiogram":[1],"samplingRate":1e-300}"#, "outside 0.1…100000"),
      (#"{"electrocardiogram":1,"samplingRate":250}"#, "waveform"),
      (#"{"skinConductance":[1,2],"samplingRate":250}"#, "expected a number in mcS"),
    ])
  func faults(line: String, reason: String) {
    guard case .unreadable(let problem) = read(line) else {
      Issue.record("\(line) is read")
      return
    }
    #expect(problem.contains(reason), "\(problem)")
  }

  @Test("The other values of a line whose waveform cannot be read are kept")
  func partly() {
    guard case .partly(let sample, _) = read(#"{"hr":61,"electrocardiogram":[1,2]}"#) else {
      Issue.record("the line is not read in part")
      return
    }
    #expect(sample.heartRate == 61 && sample.waveforms.isEmpty)
  }

  // MARK: Times

  /// Decodes lines that arrive at these times, in milliseconds.
  private func decode(_ lines: [(text: String, arrival: Double)], latency: Duration = .zero) -> [WaveformFrames] {
    var decoder = LineDecoder(latency: latency)
    let zero = Moment(nanoseconds: 0)
    return lines.flatMap { line in
      let bytes = Array("\(line.text)\n".utf8)
      return decoder.take(bytes.span, arrived: zero.advanced(by: Duration(milliseconds: line.arrival))).waveforms
    }
  }

  private func milliseconds(_ frames: [WaveformFrames]) -> [Double] {
    frames.map { Moment(nanoseconds: 0).duration(to: $0.happened).milliseconds }
  }

  @Test("Frames without times follow each other at the nominal rate, however late their lines arrive")
  func untimed() {
    let line = #"{"electrocardiogram":[1,2,3,4],"samplingRate":100}"#
    let delays: [Double] = [5, 30, 0, 12, 45, 3, 0, 20]
    let frames = decode(delays.enumerated().map { (line, Double($0.offset + 1) * 40 + $0.element) })
    // From the least delay on, which is none, a line's last frame is where its line was due.
    #expect(milliseconds(Array(frames.dropFirst(2))) == [90, 130, 170, 210, 250, 290])
    #expect(frames.allSatisfy { $0.count == 4 && $0.end <= $0.arrived })
  }

  @Test("Lines that arrive together are placed one after the other, by the last of them")
  func together() {
    let line = #"{"electrocardiogram":[1,2,3,4],"samplingRate":100}"#
    let frames = decode([("\(line)\n\(line)\n\(line)", 500)], latency: .milliseconds(100))
    #expect(milliseconds(frames) == [290, 330, 370])
  }

  @Test("After a pause of the sender the frames are where they arrive")
  func pause() {
    let line = #"{"electrocardiogram":[1,2,3,4],"samplingRate":100}"#
    let frames = decode([(line, 40), (line, 80), (line, 10_000), (line, 10_040)])
    #expect(milliseconds(frames) == [10, 50, 9970, 10_010])
  }

  @Test("A sender's time is that of the line's last frame, by the smallest delay")
  func timed() {
    func line(_ time: Double) -> String { #"{"t":\#(time),"electrocardiogram":[1,2,3,4],"samplingRate":100}"# }
    let frames = decode([(line(70), 40), (line(70.04), 95), (line(70.08), 119)])
    // The third came with the smallest delay, 39 ms after 70.08 − 69.999; nothing is placed after it arrived.
    #expect(milliseconds(frames) == [10, 50, 89])
  }

  @Test("A jump of the sender's clock is noted once, however many channels it carries")
  func jump() {
    func line(_ time: Double) -> String {
      #"{"t":\#(time),"hr":61,"electrocardiogram":[1,2],"photoplethysmogram":[1,2],"samplingRate":100}"#
    }
    var decoder = LineDecoder(latency: .zero)
    var notes: [String] = []
    for (index, time) in [10.0, 11, 5, 6].enumerated() {
      let bytes = Array("\(line(time))\n".utf8)
      notes += decoder.take(bytes.span, arrived: Moment(nanoseconds: Int64(index) * 1_000_000_000)).notes
    }
    #expect(notes.count == 1 && notes[0].contains("jumped"))
  }

  @Test("The samples of a heart in the same line are delivered beside the waveform")
  func beside() {
    var decoder = LineDecoder(latency: .zero)
    let bytes = Array("{\"hr\":61,\"electrocardiogram\":[1],\"samplingRate\":100}\n".utf8)
    let yield = decoder.take(bytes.span, arrived: Moment(nanoseconds: 0))
    #expect(yield.readings.map(\.heartRate) == [61] && yield.waveforms.map(\.count) == [1])
  }

  @Test("A full queue drops whole deliveries, counts their frames and says so in their place")
  func bounded() async {
    let (clock, queue) = (Moment(nanoseconds: 0), SampleQueue(capacity: 100))
    let format = WaveformFormat(Self.electrocardiogram, rate: 100, channels: ["1", "2"])
    for number in 0..<5 {
      var yield = Decoded()
      yield.waveforms = [
        WaveformFrames(
          format, happened: clock, arrived: clock, values: Array(repeating: Float(number), count: 60))
      ]
      queue.add(yield)
    }
    queue.close(.over("end"), lines: 5)
    var events: [SensorEvent] = []
    while case .event(let event) = await queue.next() { events.append(event) }
    #expect(events.map(\.samples) == [30, 30, 30, 60])
    #expect(events.last == .overflowed(count: 60))
  }

  // MARK: Simulated

  @Test(
    "A simulated electrocardiogram has its R waves where its heart beats", arguments: [(250.0, 1), (1000, 3), (130, 1)])
  func simulated(rate: Double, channels: Int) throws {
    let heart = SimulatedHeart.Settings(seed: 5, rate: 70)
    var curve = SimulatedCurve(.init(Self.electrocardiogram, heart: heart, rate: rate, channels: channels))
    // In blocks, as the sensor takes them.
    var values: [Float] = []
    for _ in 0..<300 { values += curve.next(Int(rate / 5)) }
    let lead = stride(from: 0, to: values.count, by: channels).map { values[$0] }
    let peaks = lead.indices.dropFirst().dropLast().filter { index in
      lead[index] > 0.7 && lead[index] >= lead[index - 1] && lead[index] > lead[index + 1]
    }.map { Double($0) / rate }
    var beating = SimulatedHeart(heart)
    var beats: [Double] = []
    while let beat = beating.nextBeat(until: 59.5) { if beat > 0.5 { beats.append(beat) } }
    let found = beats.map { beat in peaks.map { abs($0 - beat) }.min() ?? .infinity }
    #expect(beats.count > 60 && (found.max() ?? 1) <= 1.5 / rate + 0.002, "\(found.max() ?? 0)")
    // Noise may part the top of a wave.
    let waves = zip(peaks, peaks.dropFirst()).count { $1 - $0 > 0.2 } + 1
    #expect(abs(waves - beats.count) <= 2)
    if channels > 1 { #expect(values[1].magnitude <= lead[0].magnitude + 0.02) }
  }

  @Test("A simulated waveform delivers a block every fifth of a second, each where the one before ends")
  func blocks() async {
    let clock = HandClock()
    let start = clock.now
    let sensor = SimulatedWaveform(.init(Self.electrocardiogram, rate: 130, latency: .milliseconds(20)))
    #expect(sensor.channels == [Channel(Self.electrocardiogram, rate: 130)])
    let events = await withTaskGroup(of: [SensorEvent].self) { group in
      group.addTask {
        var events: [SensorEvent] = []
        for await event in sensor.events(on: clock) { events.append(event) }
        return events
      }
      while clock.now < start.advanced(by: .seconds(10)) {
        await waitForSleepers(1, on: clock)
        if let deadline = clock.nextDeadline { clock.advance(to: deadline) }
      }
      group.cancelAll()
      return await group.next() ?? []
    }
    #expect(events.first == .connected(sensor.source.device))
    var next = start
    for case .waveform(let frames) in events {
      #expect(frames.count == 26 && frames.happened == next)
      #expect(frames.arrived >= frames.end.advanced(by: .milliseconds(20)))
      next = next.advanced(by: .milliseconds(200))
    }
    #expect(next >= start.advanced(by: .seconds(9)))
  }

  @Test(
    "An address names a simulated waveform with its options, and refuses those of other sensors",
    arguments: [
      ("simulated:quantity=electrocardiogram", 250.0, 1),
      ("simulated:quantity=photoplethysmogram,sampling_hz=64", 64, 1),
      ("simulated:quantity=electrocardiogram,channels=16,sampling_hz=2000,rate=80", 2000, 16),
    ])
  func addresses(text: String, rate: Double, channels: Int) throws {
    let settings = try #require(try SensorAddress(text).kind as? SimulatedWaveform.Settings)
    #expect(settings.rate == rate && settings.channels == channels)
  }

  @Test(
    "Options of other sensors are refused",
    arguments: [
      "simulated:quantity=electrocardiogram,losses=0.1", "simulated:sampling_hz=250",
      "simulated:quantity=skinConductance,channels=2", "simulated:quantity=electrocardiogram,sampling_hz=0",
      "simulated:quantity=electrocardiogram,channels=1000",
    ])
  func refusals(text: String) {
    #expect(throws: SensorError.self) { try SensorAddress(text) }
  }

  @Test("A simulated heart's settings are those of the waveform that stands in for it")
  func standIn() throws {
    let address = try SensorAddress("simulated:seed=9,rate=80,latency_ms=30").simulating(Self.electrocardiogram)
    let settings = try #require(address.kind as? SimulatedWaveform.Settings)
    #expect(settings.heart.seed == 9 && settings.heart.rate == 80 && settings.latency == .milliseconds(30))
  }
}
