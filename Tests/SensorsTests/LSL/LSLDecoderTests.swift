import Basics
import Quantities
import Testing

@testable import Sensors

@Suite("Frames of streams of the Lab Streaming Layer")
struct LSLDecoderTests {
  private static let now = 1000.0

  private static func moment(_ seconds: Double) -> Moment { Moment(nanoseconds: Int64((seconds * 1e9).rounded())) }

  private static func channels(_ names: [String], rate: Double = 0, labels: Bool = true) throws -> [Channel?] {
    var stream = LSLStream()
    (stream.name, stream.count, stream.rate) = ("s", names.count, rate)
    stream.labels = names.map { LSLStream.Label(label: $0) }
    return try stream.channels(choosing: []).get()
  }

  @Test(
    "Accelerations are taken in m/s², and refused in g", arguments: [("m/s^2", true), ("m/s²", true), ("g", false)])
  func accelerations(unit: String, isTaken: Bool) {
    var stream = LSLStream()
    (stream.name, stream.count, stream.rate) = ("s", 1, 50)
    stream.labels = [LSLStream.Label(label: "ACC", unit: unit)]
    let channels = try? stream.channels(choosing: []).get()
    #expect(channels?[0]?.type == (isTaken ? .acceleration : nil))
  }

  @Test(
    "A unit that is unknown or of another dimension is refused, for every quantity",
    arguments: [
      ("respiratoryRate", "Hz", false), ("respiratoryRate", "count/min", true), ("respiratoryRate", "V", false),
      ("skinConductance", "kOhm", false), ("skinConductance", "uS", true), ("GSR", "kΩ", false),
      ("HR", "ms", false), ("HR", "bpm", true), ("HR", "counts", false), ("RR", "1/1024 s", false), ("RR", "s", true),
      ("RR", "", true), ("RR", " ms ", true), ("skinTemperature", "K", true), ("skinTemperature", "%", false),
      ("ECG", "adu", false), ("ECG", "microvolts", true), ("PPG", "mmHg", true), ("signalQuality", "dB", false),
      ("skinTemperature", "°C", true), ("skinTemperature", "C", true), ("HR", "beats per minute", true),
      ("HR", "n/a", true), ("respiratoryRate", "breaths/min", true), ("respiratoryRate", "Breaths Per Minute", true),
    ])
  func units(label: String, unit: String, isTaken: Bool) throws {
    var stream = LSLStream()
    (stream.name, stream.count, stream.rate) = ("s", 1, 50)
    stream.labels = [LSLStream.Label(label: label, unit: unit)]
    #expect(((try? stream.channels(choosing: []).get()) != nil) == isTaken)
  }

  @Test("The difference of the clocks and the sensor's latency are applied, and the sender's time is kept")
  func times() throws {
    var decoder = LSLDecoder(try Self.channels(["HR", "RR"]), rate: 0, latency: .milliseconds(250))
    let chunk = LSLDecoder.Chunk(times: [5, 6], values: [60, 1000, 61, 990], offset: 990)
    let yield = decoder.take(chunk, arrived: Self.moment(996.5))
    #expect(yield.faults.isEmpty && yield.notes.isEmpty)
    #expect(yield.readings.map(\.happened) == [Self.moment(994.75), Self.moment(995.75)])
    #expect(yield.readings.map(\.senderTime) == [5, 6] && yield.readings.map(\.rrIntervals) == [[1000], [990]])
    #expect(yield.readings.map(\.heartRate) == [60, 61])
  }

  @Test("A rating is a sample of its channel, and a text that is not a number is not a value")
  func ratings() throws {
    var decoder = LSLDecoder(try Self.channels(["rating"]), rate: 0, latency: .zero)
    let yield = decoder.take(
      LSLDecoder.Chunk(times: [1, 2, 3], values: [40, .nan, 60], offset: 999), arrived: Self.moment(1002))
    #expect(yield.readings.flatMap(\.samples).map(\.value) == [40, 60] && yield.faults.isEmpty)
  }

  @Test(
    "Times that cannot be are replaced by the arrival, and noted once", arguments: [Double.nan, .infinity, -1e7, 1e18])
  func impossible(time: Double) throws {
    var decoder = LSLDecoder(try Self.channels(["HR"]), rate: 0, latency: .zero)
    let yield = decoder.take(
      LSLDecoder.Chunk(times: [time, time], values: [60, 61], offset: 0), arrived: Self.moment(1000))
    #expect(yield.readings.map(\.happened) == [Self.moment(1000), Self.moment(1000)] && yield.notes.count == 1)
  }

  @Test("Implausible values are faults with the number of their frame, and the others stay")
  func implausible() throws {
    var decoder = LSLDecoder(try Self.channels(["HR", "RR"]), rate: 0, latency: .zero, after: 10)
    let yield = decoder.take(
      LSLDecoder.Chunk(times: [1, 2], values: [900, 800, 60, 1000], offset: 998), arrived: Self.moment(1000))
    #expect(yield.faults.map(\.line) == [11] && yield.readings.count == 2 && yield.readings[0].heartRate == nil)
  }

  @Test(
    "The frames of a wave follow each other at its rate although they are stamped unevenly; what is missing is a gap")
  func wave() throws {
    var decoder = LSLDecoder(try Self.channels(["ECG"], rate: 250), rate: 250, latency: .zero)
    var blocks: [WaveformFrames] = []
    for chunk in 0..<200 where !(100..<110).contains(chunk) {
      let times = (0..<25).map { frame -> Double in
        let jitter = Double((frame * 7 + chunk * 13) % 11 - 5) / 1000
        return Double(chunk * 25 + frame) / 250 + jitter
      }
      let values = (0..<25).map { Double(chunk * 25 + $0) }
      let end = Self.now + Double(chunk * 25 + 25) / 250
      let yield = decoder.take(
        LSLDecoder.Chunk(times: times, values: values, offset: Self.now), arrived: Self.moment(end))
      #expect(yield.faults.isEmpty)
      blocks += yield.waveforms
    }
    #expect(blocks.reduce(0) { $0 + $1.count } == 190 * 25)
    var largest = 0.0
    for block in blocks {
      let number = Double(try #require(block.values.first))
      let truth = Self.moment(Self.now + number / 250)
      largest = max(largest, abs(truth.duration(to: block.happened).milliseconds))
      #expect(block.values == (0..<block.count).map { Float(number) + Float($0) })
    }
    #expect(largest < 6)
    let jumps = zip(blocks, blocks.dropFirst()).filter { $0.end.duration(to: $1.happened) > .milliseconds(500) }
    #expect(jumps.count == 1 && abs(jumps[0].0.end.duration(to: jumps[0].1.happened).seconds - 1.004) < 0.012)
  }

  @Test("A wave that is stamped with the calendar's time is placed by its arrival, without a frame lost")
  func calendarTimes() throws {
    var decoder = LSLDecoder(try Self.channels(["ECG"], rate: 250), rate: 250, latency: .zero)
    var blocks: [WaveformFrames] = []
    for chunk in 0..<20 {
      let times = (0..<25).map { 1.8e9 + Double(chunk * 25 + $0) / 250 }
      let arrived = Self.moment(Self.now + 0.1 * Double(chunk + 1))
      let yield = decoder.take(
        LSLDecoder.Chunk(times: times, values: Array(repeating: 1, count: 25), offset: 0), arrived: arrived)
      blocks += yield.waveforms
    }
    #expect(blocks.reduce(0) { $0 + $1.count } == 500)
    for (number, block) in blocks.enumerated() {
      let truth = Self.moment(Self.now + 0.1 * Double(number) + 0.004)
      #expect(abs(truth.duration(to: block.happened).milliseconds) < 5)
    }
  }

  @Test("A wave goes on where its sender's clock is set back")
  func setBack() throws {
    var decoder = LSLDecoder(try Self.channels(["ECG"], rate: 250), rate: 250, latency: .zero)
    var (count, notes) = (0, 0)
    for (chunk, start) in [0, 0.1, -9.8, -9.7].enumerated() {
      let times = (0..<25).map { start + Double($0) / 250 }
      let yield = decoder.take(
        LSLDecoder.Chunk(times: times, values: Array(repeating: 1, count: 25), offset: Self.now),
        arrived: Self.moment(Self.now + 0.1 * Double(chunk + 1)))
      count += yield.waveforms.reduce(0) { $0 + $1.count }
      notes += yield.notes.count
    }
    #expect(count == 100 && notes == 1)
  }

  @Test(
    "Channels are recorded by their labels, their types or the stream's, or as the operator chose",
    arguments: [
      (["HR", "RR"], "", 0, [], ["heartRate", "rrInterval"]), ([""], "HeartRate", 0, [], ["heartRate"]),
      (["I", "II"], "ECG", 500, [], ["electrocardiogram", "electrocardiogram"]),
      (["x", "EDA", "y"], "Physio", 32, [], ["-", "skinConductance", "-"]),
      (["a", "b"], "", 0, ["-", "heartRate"], ["-", "heartRate"]), (["a", "b"], "Markers", 0, [], nil),
      (["a"], "", 0, ["heartRate", "rrInterval"], nil), (["ECG"], "", 0, [], nil),
    ] as [([String], String, Double, [String], [String]?)])
  func mapping(labels: [String], type: String, rate: Double, chosen: [String], expected: [String]?) {
    var stream = LSLStream()
    (stream.name, stream.type, stream.count, stream.rate) = ("s", type, labels.count, rate)
    stream.labels = labels.map { LSLStream.Label(label: $0) }
    let result = stream.channels(choosing: chosen.map { QuantityType(channel: $0) })
    switch result {
    case .success(let channels): #expect(channels.map { $0?.type.channelName ?? "-" } == expected)
    case .failure: #expect(expected == nil)
    }
  }
}
