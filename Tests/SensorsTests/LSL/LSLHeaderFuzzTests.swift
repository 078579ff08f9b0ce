import Basics
import Quantities
import TestSupport
import Testing

@testable import Sensors

@Suite("Headers of streams of the Lab Streaming Layer")
struct LSLHeaderFuzzTests {
  private static let header = """
    <?xml version="1.0"?><info><name>Polar H10</name><type>HeartRate</type><channel_count>2</channel_count>\
    <channel_format>double64</channel_format><source_id>h10</source_id><nominal_srate>0</nominal_srate><version>1.10</version>\
    <created_at>100.5</created_at><uid>0ab12345-0000-4000-8000-000000000001</uid><session_id>default</session_id>\
    <hostname>lab</hostname><v4address/><v4data_port>16572</v4data_port><v4service_port>16573</v4service_port><v6address/>\
    <v6data_port>0</v6data_port><v6service_port>0</v6service_port><desc><channels><channel><label>HR</label>\
    <type>HeartRate</type><unit>bpm</unit></channel><channel><label>RR</label><type>RR</type><unit>ms</unit></channel>\
    </channels></desc></info>
    """

  init() throws { try LSLTests.open() }

  @Test("A header says what the stream is")
  func whole() throws {
    let stream = try #require(LSLInfo(xml: Self.header)).stream
    #expect(stream.name == "Polar H10" && stream.type == "HeartRate" && stream.count == 2 && stream.rate == 0)
    #expect(stream.labels.map(\.unit) == ["bpm", "ms"])
    #expect(try stream.channels(choosing: []).get().map { $0?.type.channelName } == ["heartRate", "rrInterval"])
  }

  @Test("100,000 headers that were changed anywhere neither crash nor hang")
  func fuzzed() {
    let original = Array(Self.header.utf8)
    let texts = [
      "<", ">", "&", "&#0;", "]]>", "<!--", "-1", "0", "1e308", "nan", "999999999", "<channel>", "</desc>", "ü",
    ]
    let pieces = texts.map { Array($0.utf8) }
    var random = SplitMix64(seed: 17)
    var read = 0
    for _ in 0..<100_000 {
      var bytes = original
      for _ in 0...Int(random.next() % 4) {
        let place = Int(random.next() % UInt64(max(1, bytes.count)))
        let end = min(bytes.count, place + Int(random.next() % 12))
        switch random.next() % 4 {
        case 0: bytes.removeSubrange(place..<end)
        case 1: bytes.replaceSubrange(place..<end, with: pieces[Int(random.next() % UInt64(pieces.count))])
        case 2: bytes.insert(contentsOf: bytes[place..<end], at: place)
        default: if place < bytes.count { bytes[place] = UInt8(truncatingIfNeeded: random.next()) }
        }
      }
      // The library takes a text that ends with its first null byte.
      let text = String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      guard let stream = LSLInfo(xml: text)?.stream,
        case .success(let channels) = stream.channels(choosing: [])
      else { continue }
      read += 1
      var decoder = LSLDecoder(channels, rate: stream.rate, latency: .zero)
      let chunk = LSLDecoder.Chunk(
        times: [1, 1.5], values: Array(repeating: 60, count: 2 * channels.count), offset: 0)
      _ = decoder.take(chunk, arrived: Moment(nanoseconds: 2_000_000_000))
    }
    #expect(read > 10_000 && read < 100_000)
  }
}
