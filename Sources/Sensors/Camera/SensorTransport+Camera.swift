import Basics
package import Quantities
import Signals

extension SensorTransport {
  /// A camera, such as `/dev/video0`, or a FIFO with a film.
  ///
  /// Its options are `channel=auto|blue|green|red|pos|chrom`, `region=X,Y,WIDTH,HEIGHT` in shares of the picture,
  /// `size=640x480` and `fps=30`; a `location` other than `finger` means that no finger has to cover the lens, as with a
  /// face (`location=other`).
  static let camera = SensorTransport(
    scheme: "camera", rest: .required(reason: "the camera is missing", advice: "say camera:/dev/video0"),
    forms: [.init(text: "camera:DEVICE[?channel=COLOUR&…]")],
    nicknames: [.init(address: "camera:/dev/video0", words: ["webcam", "cam", "video0"])]
  ) { reader, rest throws(SensorError) in try reader.camera(rest ?? "", isFilm: false) }

  /// A film of a camera, replayed at its pace; its options are those of a camera but for `size` and `fps`.
  static let video = SensorTransport(
    scheme: "video", rest: .required(reason: "the film is missing", advice: "say video:FILE"),
    forms: [.init(text: "video:FILE[?channel=COLOUR&…]")],
    nicknames: [.init(address: "video:FILE", words: ["film", "movie", "mp4", "mkv"])]
  ) { reader, rest throws(SensorError) in try reader.camera(rest ?? "", isFilm: true) }
}

extension CameraSettings: SensorKind {
  /// Creates the sensor, after the check that the camera or the film is there.
  package func sensor(
    named name: String, latency: Duration, location: Metadata.SensorLocation?
  ) throws(SensorError) -> any Sensor {
    try CameraSensor(self, latency: latency, name: name, location: location)
  }
}

extension AddressReader {
  fileprivate func camera(_ rest: String, isFilm: Bool) throws(SensorError) -> SensorTransport.Reading {
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
    return (settings, try latency(options), place)
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
