import Charts
import Foundation
import Testing

/// Every example at several sizes as files to look at, where `STATION_GALLERY` names a folder.
@Suite("Gallery", .enabled(if: ProcessInfo.processInfo.environment["STATION_GALLERY"] != nil))
struct GalleryTests {
  @Test("Every chart can be looked at", arguments: Examples.names)
  func gallery(name: String) throws {
    let folder = ProcessInfo.processInfo.environment["STATION_GALLERY"] ?? "/tmp"
    let chart = Examples.chart(name)
    for (size, label) in [(CanvasSize(width: 390, height: 320), "390"), (CanvasSize(width: 1280, height: 480), "1280")] {
      for (theme, ground) in [(Theme.light, "light"), (.dark, "dark")] {
        let png = try chart.png(size: size, theme: theme, scale: 1.5)
        try Data(png).write(to: URL(filePath: "\(folder)/\(name)-\(label)-\(ground).png"))
      }
      try Data(chart.svg(size: size).utf8).write(to: URL(filePath: "\(folder)/\(name)-\(label).svg"))
      try Data(try chart.pdf(size: size)).write(to: URL(filePath: "\(folder)/\(name)-\(label).pdf"))
    }
    try Data(chart.braille().utf8).write(to: URL(filePath: "\(folder)/\(name).txt"))
  }
}
