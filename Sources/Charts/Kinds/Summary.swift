import Basics

/// Describes a chart in sentences.
struct Summary {
  private let kind: String
  private let axes: String
  private let isOverTime: Bool
  private let noDataText: String
  private let stimuli: [StimulusMark]
  private let digits: Int

  /// Prepares the description of a chart with axes.
  init(kind: String, _ chart: some AxesChart) {
    let (x, y) = (chart.horizontal.title, chart.vertical.title)
    axes = y.isEmpty ? "" : ": \(y)" + (x.isEmpty ? "" : " by \(Self.lowercased(x))")
    isOverTime = chart.horizontal.scale == .elapsed
    (self.kind, noDataText, stimuli) = (kind, chart.heading.noDataText, chart.annotations.stimuli)
    digits = chart.vertical.digits
  }

  /// Prepares the description of a chart without axes.
  init(kind: String, heading: Heading) {
    (self.kind, axes, isOverTime, noDataText, stimuli) = (kind, "", false, heading.noDataText, [])
    digits = 3
  }

  /// The description: the chart's kind and axes, its values or that there are none, further sentences, and the stimuli.
  func text(_ values: [String], others: [String] = []) -> String {
    let values = values.filter { !$0.isEmpty }
    let nothing = noDataText.hasSuffix(".") ? noDataText : noDataText + "."
    return ([kind + axes + "."] + (values.isEmpty ? [nothing] : values) + others + stimuli.map(stimulus))
      .joined(separator: " ")
  }

  /// The number of values and their range, as in “p01: 118 values from 58 to 92, 2 missing.”.
  func values(_ values: [Double], name: String) -> String {
    var extent = Extent()
    var count = 0
    for value in values where value.isPlottable {
      extent.include(value)
      count += 1
    }
    guard count > 0 else { return "" }
    let missing = values.count - count
    return (name.isEmpty ? "" : name + ": ") + "\(count.counted("value")) "
      + (extent.low == extent.high
        ? "of \(value(extent.low))" : "from \(value(extent.low)) to \(value(extent.high))")
      + (missing > 0 ? ", \(missing) missing." : ".")
  }

  /// The range from the lowest minimum to the highest maximum.
  func ranges(_ ranges: [ValueRange], name: String, noun: String) -> String {
    var extent = Extent()
    for range in ranges where !range.isUnset { extent.include(range) }
    let count = ranges.count { !$0.isUnset }
    guard count > 0 else { return "" }
    return (name.isEmpty ? "" : name + ": ") + "\(count.counted(noun)) "
      + "within \(value(extent.low)) and \(value(extent.high))"
      + (count < ranges.count ? ", \(ranges.count - count) without values." : ".")
  }

  /// The time of a stimulus, as in “Stimulus calm1 from 60 s to 90 s.”.
  private func stimulus(_ mark: StimulusMark) -> String {
    let unit = isOverTime ? " s" : ""
    let name = ["", "stimulus"].contains(mark.label) ? "Stimulus" : "Stimulus \(mark.label)"
    guard mark.onset.isPlottable else { return "\(name), its onset not measured." }
    return "\(name) from \(Self.number(mark.onset))\(unit)"
      + (mark.offset.map { " to \(Self.number($0))\(unit)." } ?? ", its end not measured.")
  }

  /// A value of the vertical axis, with the axis's number of decimals.
  private func value(_ value: Double) -> String { Self.number(value, digits: digits) }

  /// A number with at most three decimals.
  static func number(_ value: Double, digits: Int = 3) -> String {
    guard value.isPlottable else { return "an unknown value" }
    guard value.magnitude < 1e12 else { return String(value) }
    let step = [1000.0, 100, 10, 1][max(0, min(3, digits))]
    let thousandths = Int((value * 1000 / step).rounded() * step)
    guard thousandths != 0 else { return "0" }
    let (whole, rest) = (thousandths.magnitude / 1000, thousandths.magnitude % 1000)
    var decimals = String(String(1000 + rest).dropFirst())
    while decimals.last == "0" { decimals.removeLast() }
    return (thousandths < 0 ? "−" : "") + String(whole) + (decimals.isEmpty ? "" : "." + decimals)
  }

  private static func lowercased(_ title: String) -> String {
    guard let first = title.first else { return title }
    // Abbreviations keep their capitals.
    let second = title.dropFirst().first
    return second?.isUppercase == true ? title : first.lowercased() + title.dropFirst()
  }
}
