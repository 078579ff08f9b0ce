import Basics
import Quantities

extension Person {
  /// Reads the export's `Me`, whose attributes are HealthKit's characteristics.
  ///
  /// - Parameters:
  ///   - attributes: the attributes.
  ///   - problem: called with each one that cannot be read; an empty one means that nothing was set.
  init(_ attributes: XMLAttributes, _ problem: (String) -> Void) {
    self.init()
    func text(_ name: StaticString) -> String? { unsafe attributes[name].map { unsafe String(cString: $0) } }
    if let date = text("HKCharacteristicTypeIdentifierDateOfBirth"), !date.isEmpty {
      dateOfBirth = CalendarDate(date)
      if dateOfBirth == nil { problem("the date of birth “\(date.prefix(40))” is not a date such as 1990-05-31") }
    }
    guard let name = text("HKCharacteristicTypeIdentifierBiologicalSex"), !name.isEmpty else { return }
    switch name {
    case "HKBiologicalSexFemale": sex = .female
    case "HKBiologicalSexMale": sex = .male
    case "HKBiologicalSexOther": sex = .other
    case "HKBiologicalSexNotSet": sex = .notSet
    default: problem("the biological sex “\(name.prefix(40))” is none that HealthKit has")
    }
  }
}
