import Basics
import Testing

@testable import Quantities

@Suite("Metadata")
struct MetadataTests {
  @Test("HealthKit's keys are read as what they mean")
  func keys() throws {
    let metadata = try Metadata([
      "HKMetadataKeyHeartRateMotionContext": .number(2), "HKHeartRateSensorLocation": .number(1),
      "HKMetadataKeySyncIdentifier": .string("a"), "HKMetadataKeySyncVersion": .number(3),
      "HKTimeZone": .string("Europe/Amsterdam"), "HKWasUserEntered": .bool(true),
      "mine": .quantity(Quantity(21, Unit("degC"))), "when": .date(.earliest),
    ])
    #expect(metadata.motionContext == .active)
    #expect(metadata.sensorLocation == .chest)
    #expect(metadata.sync?.identifier == "a" && metadata.sync?.version == 3)
    #expect(metadata.timeZone == "Europe/Amsterdam")
    #expect(metadata.wasUserEntered)
    #expect(try metadata["mine"] == .quantity(Quantity(21, Unit("degC"))))
    #expect(metadata["when"] == .date(.earliest) && metadata["other"] == nil && !metadata.isEmpty)
  }

  @Test(
    "A time that no text can say is refused", arguments: [Int64.min, Int64.max, WallTime.latest.microseconds + 1])
  func times(microseconds: Int64) throws {
    let error = #expect(throws: QuantityError.self) {
      try Metadata(["when": .date(WallTime(microseconds: microseconds))])
    }
    #expect(error?.description.hasSuffix("outside of the years 1 to 9999") == true)
    #expect(throws: Never.self) { try Metadata(["from": .date(.earliest), "to": .date(.latest)]) }
  }

  @Test("What is not said is not set, as in HealthKit")
  func empty() {
    let metadata = Metadata()
    #expect(metadata.isEmpty && metadata.motionContext == .notSet && metadata.sensorLocation == nil)
    #expect(metadata.sync == nil && metadata.timeZone == nil && !metadata.wasUserEntered)
  }

  @Test(
    "Metadata that contradict themselves are refused",
    arguments: [
      (
        ["HKMetadataKeySyncVersion": .number(1)],
        "HKMetadataKeySyncVersion may not be provided if HKMetadataKeySyncIdentifier is not provided in the metadata"
      ),
      (
        ["HKMetadataKeySyncIdentifier": .string("a")],
        "HKMetadataKeySyncIdentifier may not be provided if HKMetadataKeySyncVersion is not provided in the metadata"
      ),
      (["x": .number(.nan)], "“x” in the metadata is nan, which is not a number that can be kept"),
      (
        ["HKMetadataKeyHeartRateMotionContext": .number(3)],
        "HKMetadataKeyHeartRateMotionContext must be 0 (not set), 1 (sedentary) or 2 (active)"
      ),
      (
        ["HKHeartRateSensorLocation": .number(1.5)],
        "HKMetadataKeyHeartRateSensorLocation must be 0 (other), 1 (chest), 2 (wrist), 3 (finger), 4 (hand), 5 (ear lobe) "
          + "or 6 (foot)"
      ),
      (["HKWasUserEntered": .number(1)], "HKMetadataKeyWasUserEntered must be true or false"),
      (["HKTimeZone": .number(1)], "HKMetadataKeyTimeZone must be a text"),
      (["HKTimeZone": .string("")], "HKMetadataKeyTimeZone must be a text that is not empty"),
      (
        ["HKMetadataKeySyncIdentifier": .string("a"), "HKMetadataKeySyncVersion": .string("1")],
        "HKMetadataKeySyncVersion must be a number"
      ),
    ] as [([String: Metadata.Value], String)])
  func refused(values: [String: Metadata.Value], text: String) {
    let error = #expect(throws: QuantityError.self) { try Metadata(values) }
    #expect(error?.description == text)
  }
}
