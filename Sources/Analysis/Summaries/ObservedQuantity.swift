/// What the numbers of a summary are numbers of.
package struct ObservedQuantity: Hashable, Sendable {
  /// Its name, as papers print it.
  package let title: String

  /// Its unit, as UCUM writes it.
  package let unit: String

  /// How each number is defined, what it is compared with included.
  package let definition: String

  /// A quantity.
  package init(title: String, unit: String, definition: String) {
    self.title = title
    self.unit = unit
    self.definition = definition
  }

  /// What a measurement is a number of, under its preset.
  package init(_ measurement: Measurement) {
    self.init(title: measurement.measure.title, unit: measurement.unit, definition: measurement.definition)
  }
}
