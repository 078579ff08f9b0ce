import Testing

@testable import Sensors

@Suite("Addresses of streams of the Lab Streaming Layer")
struct LSLSearchTests {
  /// A stream; the identifier is different for each of a test.
  private static func stream(
    _ name: String, host: String = "lab", source: String = "", type: String = "HR", _ identifier: String
  ) -> LSLStream {
    var stream = LSLStream()
    (stream.name, stream.host, stream.source, stream.type) = (name, host, source, type)
    stream.identifier = identifier
    return stream
  }

  @Test(
    "An address names one stream of those that were found",
    arguments: [
      ([stream("HR", "1")], ["lsl:HR"]),
      ([stream("HR", "1"), stream("HR 2", "2")], ["lsl:HR", "lsl:HR 2"]),
      ([stream("it's", "1")], [#"lsl:name="it's""#]),
      ([stream(#"it's "HR""#, source: "a", "1")], ["lsl:source_id='a'"]),
      ([stream("", source: "a", "1")], ["lsl:source_id='a'"]),
      (
        [stream("HR", host: "a", "1"), stream("HR", host: "b", "2")],
        ["lsl:name='HR' and hostname='a'", "lsl:name='HR' and hostname='b'"]
      ),
      (
        [stream("HR", source: "a", "1"), stream("HR", source: "b", "2")],
        ["lsl:name='HR' and source_id='a'", "lsl:name='HR' and source_id='b'"]
      ),
      (
        [
          stream("HR", host: "x", source: "a", "1"), stream("HR", host: "x", source: "b", "2"),
          stream("HR", host: "y", source: "a", "3"),
        ],
        [
          "lsl:name='HR' and hostname='x' and source_id='a'", "lsl:name='HR' and source_id='b'",
          "lsl:name='HR' and hostname='y'",
        ]
      ),
      (
        [stream("HR", "1"), stream("HR", type: "ECG", "2")],
        ["lsl:name='HR' and type='HR'", "lsl:name='HR' and type='ECG'"]
      ),
      ([stream("HR", "1"), stream("HR", "2")], ["lsl:uid='1'", "lsl:uid='2'"]),
    ])
  func addresses(streams: [LSLStream], expected: [String]) throws {
    #expect(LSLSearch.addresses(of: streams) == expected)
    for address in expected { #expect(throws: Never.self) { try SensorAddress(address) } }
  }

  @Test("A stream that answers on two networks is one")
  func distinct() {
    let found = [Self.stream("b", "2"), Self.stream("a", "1"), Self.stream("b", "2")]
    #expect(LSLSearch.distinct(found).map(\.identifier) == ["1", "2"])
  }
}
