import Basics
import Charts

/// Where a chart goes: into a file, or as braille onto the terminal.
struct ChartOutput: Sendable {
  /// The options that say it.
  static let options: [CommandSyntax.Option] = [
    .init("output", value: "FILE", "write a picture: FILE.svg, FILE.png or FILE.pdf; print it unless it is given"),
    .init("theme", value: "light|dark|automatic", "its ground; “automatic” follows the reader's, in SVG alone"),
    .init("size", value: "WxH", "its size in points; 760x380 unless it is given, and 460x520 for “poincare”"),
    .init("scale", value: "N", "how many pixels of a PNG a point has, from 0.1 to 8; 2 unless it is given"),
    .init("title", value: "TEXT", "the chart's title"),
    .init("columns", value: "N", "how wide it is printed; as wide as the terminal, or 80"),
    .init("rows", value: "N", "how high it is printed; as high as the terminal, or 20"),
  ]

  private enum Ground: String, CaseIterable {
    case light
    case dark
    case automatic
  }

  private enum Form {
    case svg(Appearance)
    case png(Theme, scale: Double)
    case pdf(Theme)
  }

  private let file: (path: String, form: Form, size: CanvasSize?)?
  private let columns: Int?
  private let rows: Int?
  private let title: String?

  init(_ arguments: Arguments) throws {
    title = arguments["title"]
    columns = try arguments.wholeNumber("columns", 20...1000)
    rows = try arguments.wholeNumber("rows", 5...500)
    guard let path = arguments["output"] else {
      for option in ["theme", "size", "scale"] where arguments.has(option) {
        throw arguments.refusal("--\(option) is for a picture; add --output FILE.svg, FILE.png or FILE.pdf")
      }
      file = nil
      return
    }
    for option in ["columns", "rows"] where arguments.has(option) {
      throw arguments.refusal("--\(option) is for a chart that is printed, and --output writes one; --size is for that")
    }
    let size = try Self.size(arguments)
    let theme = try arguments.choice("theme", Ground.self) ?? .light
    let scale = try arguments.number("scale", 0.1...8, "numbers") ?? 2
    let ending = Folder.name(of: path).split(separator: ".", omittingEmptySubsequences: false).dropFirst().last ?? ""
    if ending.lowercased() != "png", arguments.has("scale") {
      throw arguments.refusal("--scale is for PNG, for it counts pixels")
    }
    if ending.lowercased() != "svg", theme == .automatic {
      throw arguments.refusal("only SVG can follow its reader's theme; give --theme light or dark")
    }
    let ground = theme == .dark ? Theme.dark : .light
    let form: Form
    switch ending.lowercased() {
    case "svg": form = .svg(theme == .automatic ? .automatic : theme == .dark ? .dark : .light)
    case "png": form = .png(ground, scale: scale)
    case "pdf": form = .pdf(ground)
    default: throw arguments.refusal("“\(path.visible)” does not say what to write; let it end with .svg, .png or .pdf")
    }
    if case .png = form { try Self.checkPixels(size ?? .standard, scale, arguments) }
    file = (path, form, size)
  }

  /// Refuses a PNG that would not be as large as was asked for, or would take gigabytes of memory.
  private static func checkPixels(_ size: CanvasSize, _ scale: Double, _ arguments: Arguments) throws(UsageError) {
    let (width, height) = ((size.width * scale).rounded(.up), (size.height * scale).rounded(.up))
    guard max(width, height) > 30_000 || width * height > 200e6 else { return }
    throw arguments.refusal(
      "--size and --scale would make \(width.fixed(0)) by \(height.fixed(0)) pixels; 30000 on a side and 200 million "
        + "together are the most, so give a lower --scale")
  }

  /// Refuses a file that cannot be made, before any work is done for it.
  func check() throws(Failure) { if let file { _ = try OutputFile(file.path) } }

  /// Draws the chart; one that has nothing to show says so in its place, and the command fails.
  ///
  /// - Parameters:
  ///   - chart: the chart.
  ///   - standardSize: the size of a picture of which none was asked for.
  /// - Returns: how the command ends.
  /// - Throws: ``Failure``, or `ChartError`; nothing is left of a picture that could not be written.
  func finish(_ chart: some Chart, standardSize: CanvasSize = .standard) throws -> ExitStatus {
    try write(chart, standardSize)
    guard chart.isEmpty else { return .done }
    Console.standard.complain("the chart is empty: \(chart.heading.noDataText)")
    return .failed
  }

  private func write(_ chart: some Chart, _ standardSize: CanvasSize) throws {
    var chart = chart
    if let title { chart.heading.title = title }
    guard let (path, form, size) = file else {
      let terminal = TerminalSize.current
      // The prompt needs a row after it.
      let picture = chart.braille(
        columns: columns ?? terminal?.columns ?? 80, rows: rows ?? terminal.map { max(5, $0.rows - 2) } ?? 20)
      Console.standard.write(Array(picture.utf8))
      return
    }
    let measures = size ?? standardSize
    let bytes =
      switch form {
      case .svg(let appearance): Array(chart.svg(size: measures, appearance: appearance).utf8)
      case .png(let theme, let scale): try chart.png(size: measures, theme: theme, scale: scale)
      case .pdf(let theme): try chart.pdf(size: measures, theme: theme)
      }
    try OutputFile(path).write(bytes)
    Console.standard.line("chart: \(path.visible)")
  }

  private static func size(_ arguments: Arguments) throws(UsageError) -> CanvasSize? {
    guard let text = arguments["size"] else { return nil }
    let sides = text.lowercased().split(separator: "x", omittingEmptySubsequences: false).map { Int($0) ?? 0 }
    guard sides.count == 2, sides.allSatisfy({ (120...5000).contains($0) }) else {
      throw arguments.refusal("“\(text)” is not a size; width and height from 120 to 5000 points are, as in 760x380")
    }
    return CanvasSize(width: Double(sides[0]), height: Double(sides[1]))
  }
}
