import Basics
import Quantities
import Signals

extension AddressReader {
  /// Reads what follows `camera:` or `video:`.
  func camera(_ rest: String, isFilm: Bool) throws(SensorError) -> Reading {
    let known = Self.commonOptions + ["channel", "region"] + (isFilm ? [] : ["size", "fps"])
    let (path, options) = try split(rest, known: known)
    guard !path.isEmpty, !path.contains("\0") else {
      throw error("the \(isFilm ? "film" : "camera") is missing", "say \(isFilm ? "video:FILE" : "camera:/dev/video0")")
    }
    var settings = CameraSettings(path: path, isFilm: isFilm)
    if let name = options["channel"], name != "auto" {
      guard let colour = PulseColour(rawValue: name) else {
        throw error(
          "there is no channel “\(name)”",
          Spelling.advice(for: name, among: ["auto"] + PulseColour.allCases.map(\.rawValue)))
      }
      settings.colours = [colour]
    }
    if let text = options["region"] { settings.region = try region(text) }
    if let text = options["size"] {
      let sides = text.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) ?? 0 }
      guard sides.count == 2, sides.allSatisfy({ (16...8192).contains($0) }) else {
        throw error("size is “\(text)”", "it is width and height such as 640x480")
      }
      settings.size = text
    }
    if let text = options["fps"] { settings.rate = try number("fps", text, 5...240) }
    let place = try location(options["location"])
    settings.isOfFinger = place == nil || place == .finger
    return (.camera(settings), try latency(options), place)
  }

  private func region(_ text: String) throws(SensorError) -> CameraSettings.Region {
    let parts = text.split(separator: ",", omittingEmptySubsequences: false).map { Double($0) ?? -1 }
    guard parts.count == 4, parts.allSatisfy({ (0...1).contains($0) }), parts[2] >= 0.02, parts[3] >= 0.02,
      parts[0] + parts[2] <= 1, parts[1] + parts[3] <= 1
    else {
      throw error(
        "region is “\(text)”",
        "it is left edge, upper edge, width and height in shares of the picture, such as 0.3,0.2,0.4,0.4")
    }
    return CameraSettings.Region(x: parts[0], y: parts[1], width: parts[2], height: parts[3])
  }
}
