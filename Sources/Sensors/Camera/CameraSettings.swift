import Basics
package import Signals

/// Where pictures come from, which part of them is used, and in which colours the pulse is looked for.
package struct CameraSettings: Hashable, Sendable {
  /// A part of the picture, as shares of its width and height.
  package struct Region: Hashable, Sendable {
    /// The left edge.
    package let x: Double
    /// The upper edge.
    package let y: Double
    /// The width.
    package let width: Double
    /// The height.
    package let height: Double
  }

  /// The device or FIFO of a camera, or the file of a film.
  package let path: String
  /// Whether it is a film, which is replayed at its pace.
  package let isFilm: Bool
  /// The colours in which the pulse is looked for; with several the best one is taken.
  package var colours = PulseColour.allCases
  /// The part of the picture; `nil` for all of it.
  package var region: Region?
  /// The width and height asked of a device; `nil` for the device's choice.
  package var size: String?
  /// The number of pictures per second asked of a device, in Hz; `nil` for the device's choice.
  package var rate: Double?
  /// Whether a finger is to cover the lens, so that a picture with anything else shows no pulse.
  package var isOfFinger = true

  /// Settings with every option at its default.
  package init(path: String, isFilm: Bool) { (self.path, self.isFilm) = (path, isFilm) }

  /// The words of the command that hands over reduced pictures with their times.
  ///
  /// - Parameter isDevice: whether the path is a Video4Linux device.
  /// - Returns: the program and its arguments.
  func command(isDevice: Bool) -> [String] {
    var words = [Self.program, "-hide_banner", "-nostdin", "-loglevel", "error", "-threads", "2"]
    if isDevice {
      words += ["-f", "v4l2"]
      if let size { words += ["-video_size", size] }
      if let rate { words += ["-framerate", "\(rate)"] }
    }
    if !isFilm { words += ["-fflags", "nobuffer", "-analyzeduration", "200000", "-probesize", "100000"] }
    // The prefix: a path such as a:b is no address of a protocol, and one that begins with a dash no option.
    words += ["-i", isDevice ? path : "file:\(path)"]
    var filter = "scale=\(Picture.columns):\(Picture.rows):flags=area,format=rgb48le"
    if let region {
      filter = "crop=iw*\(region.width):ih*\(region.height):iw*\(region.x):ih*\(region.y),\(filter)"
    }
    // Each picture once, with the time that it came with; `-1`: in the film's own unit of time.
    return words + [
      "-map", "0:v:0", "-copyts", "-fps_mode", "passthrough", "-enc_time_base", "-1", "-vf", filter, "-c:v", "rawvideo",
      "-flush_packets", "1", "-f", "nut", "pipe:1",
    ]
  }

  /// The program that decodes pictures.
  static let program = "ffmpeg"
}
