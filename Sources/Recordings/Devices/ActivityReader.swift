import Basics

/// Reads the heart rates of TCX and GPX files.
///
/// Of each point of a track its time and heart rate are read; its place is not.
struct ActivityReader: DeviceReader {
  var samples: DeviceSamples {
    get { points.samples }
    set { points.samples = newValue }
  }

  private let xml: XMLReader
  private let points: ActivityPoints

  init(_ format: DeviceFormat) {
    xml = XMLReader(format.title, hasText: true)
    points = ActivityPoints(format)
  }

  mutating func take(_ bytes: [UInt8], isLast: Bool) throws(DeviceFault) {
    do throws(XMLFault) {
      try xml.read(bytes, isLast: isLast, points)
    } catch {
      throw DeviceFault(place: .line(error.line), reason: error.reason, isCut: error.isCut)
    }
  }
}

/// The points of an activity, as a reader comes to them.
private final class ActivityPoints: XMLHandler {
  var samples = DeviceSamples()

  private let root: String
  private let pointName: String
  private let isGPX: Bool
  // The names of the elements around the current place, without their prefixes.
  private var path: [String] = []
  private var isInPoint = false
  private var time: String?
  private var rate: String?
  // The text of an element that is read; `nil` in all others.
  private var text: [UInt8]?

  // Longer texts are no time, no number and no name of a device.
  private static let maxLength = 200

  init(_ format: DeviceFormat) {
    isGPX = format == .gpx
    root = isGPX ? "gpx" : "TrainingCenterDatabase"
    pointName = isGPX ? "trkpt" : "Trackpoint"
    samples.noun = "point"
    samples.clock = .utc
  }

  func start(_ name: UnsafePointer<CChar>, _ attributes: XMLAttributes, _ reader: XMLReader) {
    let name = Self.local(unsafe String(cString: name))
    if path.isEmpty, name != root {
      return reader.stop("the first element is “\(name.prefix(40).visible)”, where “\(root)” is expected")
    }
    path.append(name)
    if name == pointName {
      (isInPoint, time, rate) = (true, nil, nil)
    } else if isRead(name) {
      text = []
    }
    if path.count == 1, isGPX { unsafe takeCreator(attributes) }
  }

  private static func local(_ name: String) -> String {
    name.firstIndex(of: ":").map { String(name[name.index(after: $0)...]) } ?? name
  }

  // Whether the text of an element is read.
  private func isRead(_ name: String) -> Bool {
    guard isInPoint else { return !isGPX && name == "Name" && path.dropLast().last == "Creator" }
    if name == (isGPX ? "time" : "Time") { return true }
    // Some programs write the number without the element “Value” around it.
    return isGPX
      ? ["hr", "heartrate", "bpm"].contains(name.lowercased())
      : name == "HeartRateBpm" || name == "Value" && path.dropLast().last == "HeartRateBpm"
  }

  private func takeCreator(_ attributes: XMLAttributes) {
    var position = 0
    while let name = unsafe attributes.list[position], let value = unsafe attributes.list[position + 1] {
      if unsafe String(cString: name) == "creator" { samples.device = unsafe Self.name(String(cString: value)) }
      position += 2
    }
  }

  private static func name(_ text: String) -> String? {
    let name = text.trimmed
    return name.isEmpty || name.utf8.count > maxLength ? nil : name
  }

  func text(_ bytes: UnsafeRawBufferPointer) {
    guard let count = text?.count, count <= Self.maxLength else { return }
    unsafe text?.append(contentsOf: bytes.prefix(Self.maxLength + 1))
  }

  func end(_ reader: XMLReader) {
    let name = path.popLast()
    if let text {
      take(String(decoding: text, as: UTF8.self).trimmed, of: name)
      self.text = nil
    }
    guard name == pointName else { return }
    isInPoint = false
    samples.entries += 1
    finish(line: reader.line)
  }

  private func take(_ text: String, of name: String?) {
    switch name {
    case "Name": samples.device = samples.device ?? Self.name(text)
    case "time", "Time": time = text
    default: rate = text.isEmpty ? rate : text
    }
  }

  private func finish(line: Int) {
    guard let rate else { return }
    guard let number = Decimal.number(rate.utf8.span) else {
      return samples.faults.note(line, "the heart rate “\(rate.prefix(24).visible)” is not a number")
    }
    guard let time else { return samples.faults.note(line, "a heart rate without a time") }
    let instant = WallTime(time)
    guard let found = instant ?? TimeZone.utc.time(time) else {
      return samples.faults.note(line, "“\(time.prefix(24).visible)” is not a time such as 2026-11-20T10:00:00Z")
    }
    if instant == nil { samples.clock = .local }
    samples.take(rate: number, at: found.microseconds)
  }
}
