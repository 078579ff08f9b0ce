import Analysis
import Basics
import Bundles
import Charts

/// Where a chart goes: to a file, or as braille to the terminal.
struct ChartOutput: Sendable {
  static let options: [Option] = [
    .init("output", value: "FILE", "write FILE.svg, FILE.png or FILE.pdf (default: print the chart)"),
    .init("theme", value: "light|dark|automatic", "the colours; “automatic” follows the viewer's theme, in SVG only"),
    .init("size", value: "WxH", "the size in points of 1/96 inch (default: 760x380; 460x520 for “poincare”)"),
    .init("font-size", value: "N", "the size of the letters in the same points, from 4 to 72 (default: 12)"),
    .init("scale", value: "N", "the pixels per point of a PNG, from 0.1 to 8 (default: 2)"),
    .init("title", value: "TEXT", "the chart's title"),
    .init("columns", value: "N", "the width of a printed chart (default: the terminal's, or 80)"),
    .init("rows", value: "N", "the height of a printed chart (default: the terminal's, or 20)"), .shared,
  ]

  private enum Form {
    case svg
    case png(scale: Double)
    case pdf
  }

  private let file: (path: String, form: Form, appearance: Appearance, size: CanvasSize?, letters: Double)?
  private let columns: Int?
  private let rows: Int?
  private let title: String?

  init(_ arguments: Arguments) throws {
    title = arguments["title"]
    columns = try arguments.wholeNumber("columns", 20...1000)
    rows = try arguments.wholeNumber("rows", 5...500)
    guard let path = arguments["output"] else {
      for option in ["theme", "size", "font-size", "scale", "shared"] where arguments.has(option) {
        throw arguments.refusal("--\(option) needs --output FILE.svg, FILE.png or FILE.pdf")
      }
      file = nil
      return
    }
    for option in ["columns", "rows"] where arguments.has(option) {
      throw arguments.refusal("--\(option) and --output cannot be combined; --size sets the size of a picture")
    }
    let size = try Self.size(arguments)
    let letters = try arguments.number("font-size", 4...72, "numbers") ?? CanvasSize.letters
    let appearance = try arguments.choice("theme", Appearance.self) ?? .light
    let scale = try arguments.number("scale", 0.1...8, "numbers") ?? 2
    let ending = Folder.name(of: path).split(separator: ".", omittingEmptySubsequences: false).dropFirst().last ?? ""
    let form: Form
    switch ending.lowercased() {
    case "svg": form = .svg
    case "png": form = .png(scale: scale)
    case "pdf": form = .pdf
    default: throw arguments.refusal("unknown picture format: “\(path.visible)” must end with .svg, .png or .pdf")
    }
    if ending.lowercased() != "png", arguments.has("scale") {
      throw arguments.refusal("--scale applies only to PNG; leave it out, or use --size")
    }
    if ending.lowercased() != "svg", appearance == .automatic {
      throw arguments.refusal("--theme automatic works only in SVG; give --theme light or dark")
    }
    if case .png = form { try Self.checkPixels(size ?? .standard, scale, arguments) }
    file = (path, form, appearance, size, letters)
  }

  /// Rejects a PNG larger than the format's or the memory's limits.
  private static func checkPixels(_ size: CanvasSize, _ scale: Double, _ arguments: Arguments) throws(UsageError) {
    let (width, height) = ((size.width * scale).rounded(.up), (size.height * scale).rounded(.up))
    guard max(width, height) > 30_000 || width * height > 200e6 else { return }
    throw arguments.refusal(
      "--size and --scale give \(width.fixed(0)) by \(height.fixed(0)) pixels; the limits are 30000 per side and 200 "
        + "million in total, so give a lower --scale")
  }

  /// Rejects a file that cannot be created, before any work is done.
  func check() throws { if let file { _ = try OutputFile(file.path) } }

  /// Draws the chart, of a standard size unless one was requested; an empty chart shows a message, and the command fails.
  ///
  /// - Throws: `OutputFileError`, `FileError` or `RenderingError`; no partial file is left.
  func finish(_ chart: some Chart, standardSize: CanvasSize = .standard) async throws -> ExitStatus {
    try await write(chart, standardSize)
    guard chart.isEmpty else { return .done }
    Console.standard.report("the chart is empty: \(chart.heading.noDataText)")
    return .failed
  }

  private func write(_ chart: some Chart, _ standardSize: CanvasSize) async throws {
    var chart = chart
    if let title { chart.heading.title = title }
    guard let (path, form, appearance, size, letters) = file else {
      let terminal = TerminalSize.current
      // Leave a row for the prompt.
      let picture = chart.braille(
        columns: columns ?? terminal?.columns ?? 80, rows: rows ?? terminal.map { max(5, $0.rows - 2) } ?? 20)
      Console.standard.write(Array(picture.utf8))
      return
    }
    let (svg, partsLeftOut) = chart.picture(size: size ?? standardSize, letters: letters, appearance: appearance)
    // A signal ends the program that draws, and removes its files.
    Interrupts.endTidily()
    let bytes =
      switch form {
      case .svg: Array(svg.utf8)
      case .png(let scale): try await RenderingProgram.png(of: svg, scale: scale)
      case .pdf: try await RenderingProgram.pdf(of: svg)
      }
    try OutputFile(path).write(bytes)
    Console.standard.line("chart: \(path.visible)")
    let parts = partsLeftOut.map(\.rawValue)
    guard !parts.isEmpty else { return }
    Console.standard.report(
      "left out of the picture for want of room: \(parts.inWords); give a larger --size or a smaller --font-size")
  }

  private static func size(_ arguments: Arguments) throws(UsageError) -> CanvasSize? {
    guard let text = arguments["size"] else { return nil }
    let sides = text.lowercased().split(separator: "x", omittingEmptySubsequences: false).map { Int($0) ?? 0 }
    guard sides.count == 2, sides.allSatisfy({ (120...5000).contains($0) }) else {
      throw arguments.refusal("“\(text)” is not a size; give width and height from 120 to 5000 points, as in 760x380")
    }
    return CanvasSize(width: Double(sides[0]), height: Double(sides[1]))
  }
}

/// The range of a chart's vertical axis, and the values marked on it.
struct AxesOptions: Sendable {
  static let options: [Option] = [
    .init("range", value: "FROM:TO", "the ends of the vertical axis, such as 50:120 (default: from the data)"),
    .init(
      "reference", value: "VALUE[=LABEL]", repeats: true, "a value to mark with a line and a label, such as 60=rest"),
  ]

  private let range: ClosedRange<Double>?
  private let references: [ReferenceLine]

  init(_ arguments: Arguments) throws(UsageError) {
    range = try arguments["range"].map { text throws(UsageError) in
      guard let range = AnalysisWindow.range(text, within: 1e12) else {
        throw arguments.invalid(text, "range", "expected LOW:HIGH, such as 50:120")
      }
      return range
    }
    references = try arguments.all("reference").map { text throws(UsageError) in
      let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard let value = Double(parts[0]), value.magnitude <= 1e12 else {
        throw arguments.invalid(text, "reference", "expected VALUE or VALUE=LABEL, such as 60=rest")
      }
      return ReferenceLine(value: value, label: parts.count > 1 ? String(parts[1]) : "")
    }
  }

  /// The chart with the range, and with these reference values added to its own.
  func applied<Drawing: AxesChart>(to chart: Drawing) -> Drawing {
    var chart = chart
    if let range { chart.vertical.range = range }
    chart.annotations.references += references
    return chart
  }
}
