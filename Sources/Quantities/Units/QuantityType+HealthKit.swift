extension QuantityType {
  /// Creates the type of a name in HealthKit's spelling or ours (`bodyTemperature`): one of ``all`` or of `further`.
  ///
  /// `nil` for a name that is neither there nor in HealthKit's headers of iOS 18.
  package init?(healthKit name: String) {
    guard let type = Self.common[name] ?? Self.others[name] else { return nil }
    self = type
  }

  /// Creates the type that a sensor's channel delivers: by the word of the field (`skinConductance`), or by one of its
  /// names.
  ///
  /// `nil` for a name that belongs to no type.
  package init?(channel name: String) {
    if let type = Self.channels[name] { self = type } else { self.init(healthKit: name) }
  }

  /// The short names of the types in `further`, in alphabetical order.
  package static let otherHealthKitNames = further.map(\.identifier).sorted()

  /// The types of HealthKit that are not in ``all``, and those of the field that HealthKit does not have.
  ///
  /// They are user-defined types to a store, which keeps their definition.
  static let further: [QuantityType] = FurtherType.all.flatMap { row in
    row.names.split(separator: " ").map { name in
      do throws(QuantityError) {
        return try QuantityType(row, named: String(name))
      } catch {
        preconditionFailure("\(name): \(error)")
      }
    }
  }

  /// The voltage of the heart between electrodes.
  package static let electrocardiogram = ofTable("electrocardiogram")

  /// A pulse wave in the sensor's arbitrary unit: the light that tissue lets through or reflects.
  package static let photoplethysmogram = ofTable("photoplethysmogram")

  /// Breathing, as a belt around the chest follows it, in the sensor's arbitrary unit.
  package static let respiration = ofTable("respiration")

  /// The acceleration along each axis of a sensor; gravity is part of it.
  package static let acceleration = ofTable("acceleration")

  /// The sound of the room, as a microphone records it: the waveform that is kept as an audio file.
  package static let roomSound = ofTable("roomSound")

  /// The level of that sound, once a second.
  package static let roomSoundLevel = ofTable("roomSoundLevel")

  /// The quality of the signal in which a sensor looks for a pulse, from 0.0 to 1.0.
  package static let signalQuality = ofTable("signalQuality")

  /// A type of the table ``FurtherType/all``.
  private static func ofTable(_ name: String) -> QuantityType {
    guard let type = channels[name] else { preconditionFailure("the table of quantity types has no \(name)") }
    return type
  }

  // Two tables, since the large one is not needed for most recordings.
  private static let common = byName(all)
  private static let others = byName(further)

  private static func byName(_ types: [QuantityType]) -> [String: QuantityType] {
    Dictionary(uniqueKeysWithValues: types.flatMap { [($0.identifier, $0), ($0.healthKitIdentifier, $0)] })
  }

  private static let channels = Dictionary(uniqueKeysWithValues: recordable.map { ($0.channelName, $0) })
}
