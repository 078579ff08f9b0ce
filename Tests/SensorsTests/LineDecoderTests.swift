import Basics
import Quantities
import Testing

@testable import Sensors

@Suite("A decoder of lines")
struct LineDecoderTests {
  @Test("survives any bytes, in bounded memory", arguments: 1...20 as ClosedRange<UInt64>)
  func noise(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let alphabet = Array(#"{}[]":,;.eE+-0123456789hrtbpmcontact "#.utf8) + [0, 10, 10, 10, 13, 255]
    var decoder = LineDecoder(latency: .zero)
    var lines = 0
    for piece in 0..<50 {
      let bytes = (0..<500).map { _ in alphabet[Int(random.next() % UInt64(alphabet.count))] }
      lines += bytes.count { $0 == 10 }
      let arrived = Moment(nanoseconds: Int64(piece) * 1_000_000_000)
      for reading in decoder.take(bytes.span, arrived: arrived).readings {
        #expect(reading.happened <= arrived)
        #expect(reading.rrIntervals.allSatisfy(Sample.intervals.contains) == true)
      }
    }
    #expect(decoder.lineCount == lines)
  }

  @Test("calls a line that the connection's end cut off a fault, unless the source ends so")
  func cutOff() {
    let now = Moment(nanoseconds: 0)
    for isWhole in [true, false] {
      var decoder = LineDecoder(latency: .zero, after: 5)
      _ = decoder.take(Array("72\n7".utf8).span, arrived: now)
      let yield = decoder.end(isWhole: isWhole, arrived: now)
      #expect(yield.readings.isEmpty)
      #expect(
        yield.faults == [
          .init(line: 7, reason: isWhole ? "hr 7 is outside 15…350" : "cut off where the connection ended")
        ])
    }
  }

  @Test("places samples by the sender's clock where they have a time, otherwise by their intervals")
  func placing() {
    var decoder = LineDecoder(latency: .milliseconds(100))
    let start = Moment(nanoseconds: 1_000_000_000)
    let arrived = start.advanced(by: .seconds(3))
    let yield = decoder.take(
      Array("100.5,72,830\n101.0,72,830\n101.5,72,\n".utf8).span, arrived: arrived)
    #expect(
      yield.readings.map { $0.happened.duration(to: arrived) } == [
        .milliseconds(1100), .milliseconds(600), .milliseconds(100),
      ])
    #expect(yield.readings.map(\.senderTime) == [100.5, 101, 101.5])
    let later = arrived.advanced(by: .seconds(2))
    let chained = decoder.take(Array("72,800;900\n72,1000\n".utf8).span, arrived: later)
    #expect(chained.readings.map(\.senderTime) == [nil, nil])
    #expect(chained.readings.map { $0.happened.duration(to: later) } == [.milliseconds(1100), .milliseconds(100)])
  }
}
