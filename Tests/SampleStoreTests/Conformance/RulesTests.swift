import Basics
import Quantities
import Testing

@testable import SampleStore

@Suite("What stores refuse, and what they must not take for commands")
struct RulesTests {
  static let long = String(repeating: "é", count: 513)

  @Test("Names above 1024 bytes are refused, and nothing is saved", arguments: TestedEngine.allCases)
  func names(engine: TestedEngine) async throws {
    let made = try await engine.make()
    let texts = [Self.long, "zero\0"]
    for text in texts {
      let bad = Source(name: text, bundleIdentifier: "org.example")
      let sync: [String: Metadata.Value] = [
        Metadata.Key.syncIdentifier: .string(text), Metadata.Key.syncVersion: .number(1),
      ]
      let samples = try [
        QuantitySample.make(60, by: bad), .make(60, by: Source(name: "a", bundleIdentifier: text)),
        .make(60, device: Device(name: text)), .make(60, device: Device(udiDeviceIdentifier: text)),
        .make(60, metadata: [text: .bool(true)]), .make(60, metadata: sync),
      ]
      for sample in samples {
        let refused = await refusal { try await made.store.save([.make(1), sample]) }
        #expect(
          refused?.contains("1026 bytes, more than 1024") ?? false || refused?.contains("zero character") ?? false)
      }
      #expect(await refusal { try await made.store.save([], receipt: text) } != nil)
      #expect(await refusal { _ = try made.store.asClient(text) } != nil)
      #expect(await refusal { try await made.store.authorize(text, for: .heartbeatSeries, Authorization()) } != nil)
      #expect(await refusal { try await made.store.setSourcePriority([text]) } != nil)
      #expect(await refusal { _ = try SampleStore.memory(site: text) } != nil)
    }
    let nameless = Source(name: "a", bundleIdentifier: "")
    let refused = await refusal { try await made.store.save([.make(60, by: nameless)]) }
    #expect(refused == "the source's bundle identifier is empty; give one")
    #expect(try await made.store.samples(of: .heartRate) == [])
  }

  @Test("Values and times that cannot be are refused by name")
  func values() async throws {
    for value in [Double.nan, .infinity, -.infinity] {
      #expect(throws: QuantityError.self) { try QuantitySample.make(value) }
    }
    for text in ["0001-01-01T00:00:00Z", "9999-12-31T00:00:00Z"] {
      #expect(throws: QuantityError.self) { try QuantitySample.make(60, from: WallTime(at: text)) }
    }
    #expect(throws: QuantityError.self) { try QuantitySample.make(60, from: .second(1), to: .second(0)) }
  }

  @Test("A sample longer than four days is refused with HealthKit's text", arguments: TestedEngine.allCases)
  func length(engine: TestedEngine) async throws {
    let made = try await engine.make()
    try await made.store.save([.make(.stepCount, 1, to: .second(345_600))])
    let text = await refusal { try await made.store.save([.make(.stepCount, 1, to: .second(345_601))]) }
    #expect(text?.contains("exceed the maximum allowed duration for this sample type") == true)
  }

  @Test("SQL in any text is text", arguments: TestedEngine.allCases)
  func fragments(engine: TestedEngine) async throws {
    let made = try await engine.make(site: "'; DROP TABLE samples; --")
    let fragments = [
      "'; DROP TABLE samples; --", "\" OR 1=1 --", "%", "_", "\\", "NULL", "x'00'", "); DELETE FROM samples; --", "?1",
      "\u{1F3B5}\u{202E}", "a\nb", "$1", "'||(SELECT name FROM stores)||'",
    ]
    var samples: [QuantitySample] = []
    for (number, text) in fragments.enumerated() {
      let source = Source(name: text, bundleIdentifier: text)
      let metadata: [String: Metadata.Value] = [
        text: .string(text), Metadata.Key.syncIdentifier: .string(text), Metadata.Key.syncVersion: .number(1),
      ]
      samples.append(
        try QuantitySample(
          uuid: UUID(), type: .heartRate, quantity: Quantity(60, .countPerMinute), start: .second(Double(number)),
          sourceRevision: SourceRevision(
            source: source, version: text, productType: text, operatingSystemVersion: text),
          device: Device(name: text, localIdentifier: text), metadata: Metadata(metadata)))
    }
    try await made.store.save(samples)
    for (text, sample) in zip(fragments, samples) {
      #expect(try await made.store.save([], receipt: text).wasTaken == false)
      #expect(try await made.store.hasReceipt(text))
      let source = Source(name: text, bundleIdentifier: text)
      let bySource = SamplePredicate(sources: [source], metadata: [.allowed(text, [.string(text)])])
      #expect(try await made.store.samples(of: .heartRate, matching: bySource) == [sample])
      #expect(
        try await made.store.samples(of: .heartRate, matching: SamplePredicate(devices: [sample.device ?? Device()]))
          == [sample])
      try await made.store.authorize(text, for: .heartbeatSeries, Authorization(read: .sharingDenied))
      try await made.store.authorize(text, for: .quantity(.heartRate), Authorization(read: .sharingDenied))
      #expect(try await made.store.asClient(text).samples(of: .heartRate) == [sample])
    }
    try await made.store.setSourcePriority(fragments)
    #expect(try await made.store.sourcePriority() == fragments)
    #expect(try await made.store.samples(of: .heartRate) == samples)
    #expect(try await made.store.audit().map(\.client) == fragments)
  }
}
