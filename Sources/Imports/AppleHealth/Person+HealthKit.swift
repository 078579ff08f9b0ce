internal import Quantities

extension Person {
  /// Reads the export's `Me`, whose attributes are HealthKit's characteristics.
  init(_ attributes: Attributes) {
    self.init()
    func text(_ name: StaticString) -> String? { unsafe attributes[name].map { unsafe String(cString: $0) } }
    dateOfBirth = text("HKCharacteristicTypeIdentifierDateOfBirth").flatMap { CalendarDate($0) }
    sex =
      switch text("HKCharacteristicTypeIdentifierBiologicalSex") {
      case "HKBiologicalSexFemale": .female
      case "HKBiologicalSexMale": .male
      case "HKBiologicalSexOther": .other
      default: .notSet
      }
  }
}
