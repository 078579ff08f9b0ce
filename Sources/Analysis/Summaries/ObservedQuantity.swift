/// The quantity that a summary's numbers measure.
package struct ObservedQuantity: Hashable, Sendable {
  /// Its name, as used in papers.
  package let title: String

  /// Its unit, as UCUM writes it.
  package let unit: String

  /// The definition of each number, including its comparison.
  package let definition: String

  /// Creates a quantity.
  package init(title: String, unit: String, definition: String) {
    self.title = title
    self.unit = unit
    self.definition = definition
  }

  /// Takes the quantity of a measurement under its preset.
  package init(_ measurement: Measurement) {
    self.init(title: measurement.measure.title, unit: measurement.unit, definition: measurement.definition)
  }
}
