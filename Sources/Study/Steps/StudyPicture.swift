import Basics

/// A picture that a step or a choice shows; only a page can show it.
package struct StudyPicture: Hashable, Sendable {
  /// The path of the file from the protocol's folder.
  package var file: String
  /// What the picture shows, for those who cannot see it and for results.
  package var alternative: String
  /// Its width on the screen, in millimetres; `nil` for as large as fits.
  package var width: Double?
  package var start: Start
  /// The SHA-256 of the file, 64 lower-case hexadecimal digits.
  package var sha256: String

  /// When a picture appears.
  package enum Start: String, Hashable, Sendable, CaseIterable {
    /// With the step.
    case step
    /// With the first frame of the step's sound.
    case sound
  }

  /// A kind of file.
  package enum Format: String, Sendable {
    case png = "image/png"
    case jpeg = "image/jpeg"
  }

  /// The largest width and height, in pixels: that of a screen of 8K is a little more.
  static let maxPixels = 4096
  fileprivate static let widths = 5.0...1000

  /// Reads `picture`; `nil` after reporting a problem.
  ///
  /// - Parameter place: the picture.
  /// - Returns: the picture.
  static func read(_ place: Located) -> StudyPicture? {
    guard let object = place.object("a picture, such as {\"file\": \"faces/1.png\", \"alt\": \"A smiling face\"}")
    else {
      return nil
    }
    object.refuseKeys(beside: .picture)
    let width = object["width_mm"]?.number("a width in millimetres", in: widths)
    let start = object["with"].map { $0.word("a time to appear", among: Start.allCases.map(\.rawValue)) }
    let alternative = object.required("alt", "what the picture shows, for those who cannot see it")?
      .name("what the picture shows")
    let file = object.required("file", "where the picture is, seen from the protocol's own folder")
      .flatMap { readFile($0, object["sha256"]) }
    guard let file, let alternative, start != .some(nil) else { return nil }
    return StudyPicture(
      file: file.path, alternative: alternative, width: width,
      start: start.flatMap(\.self).flatMap(Start.init) ?? .step, sha256: file.sha256)
  }

  /// The file's path and digest; a protocol that was read without the files beside it, as in a bundle, says the digest.
  private static func readFile(_ place: Located, _ digest: Located?) -> (path: String, sha256: String)? {
    let named = digest?.quietString
    if place.problems.files == nil, let named { return place.quietString.map { ($0, named) } }
    guard let (path, bytes) = place.fileNamedHere(from: []) else { return nil }
    guard let (format, size) = Format.read(bytes) else {
      place.report("the file is neither a PNG nor a JPEG picture")
      return nil
    }
    guard size.width <= maxPixels, size.height <= maxPixels else {
      place.report(
        "the picture has \(size.width) × \(size.height) pixels, and a page shows at most \(maxPixels) × \(maxPixels); make the "
          + "\(format == .png ? "PNG" : "JPEG") smaller")
      return nil
    }
    let sha256 = "\(SHA256.digest(of: bytes))"
    if let digest, named != sha256 {
      digest.report("the file has another digest, \(sha256): it was changed, or is not the one that is meant")
      return nil
    }
    return (path, sha256)
  }
}

extension StudyPicture.Format {
  /// The form and size of a picture, from its head (PNG, W3C, 11.2.2; JPEG, ITU-T T.81, B.2.2).
  ///
  /// - Parameter bytes: the file.
  /// - Returns: form, and size in pixels; `nil` for any other file.
  package static func read(_ bytes: [UInt8]) -> (format: Self, size: (width: Int, height: Int))? {
    if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]), bytes.count >= 33,
      bytes[12..<16].elementsEqual("IHDR".utf8)
    {
      let size = (number(bytes[16..<20]), number(bytes[20..<24]))
      return size.0 > 0 && size.1 > 0 ? (.png, size) : nil
    }
    return jpegSize(bytes).map { (.jpeg, $0) }
  }

  private static func jpegSize(_ bytes: [UInt8]) -> (width: Int, height: Int)? {
    guard bytes.starts(with: [0xFF, 0xD8]) else { return nil }
    var place = 2
    while place + 9 < bytes.count, bytes[place] == 0xFF {
      let marker = bytes[place + 1]
      // Fill bytes, and markers without a length.
      if marker == 0xFF || marker == 0x01 || (0xD0...0xD7).contains(marker) {
        place += marker == 0xFF ? 1 : 2
        continue
      }
      let length = number(bytes[place + 2..<place + 4])
      // The start of a frame; the others in this range are tables.
      if (0xC0...0xCF).contains(marker), ![0xC4, 0xC8, 0xCC].contains(marker) {
        let size = (number(bytes[place + 7..<place + 9]), number(bytes[place + 5..<place + 7]))
        return size.0 > 0 && size.1 > 0 ? size : nil
      }
      guard length >= 2 else { return nil }
      place += 2 + length
    }
    return nil
  }

  private static func number(_ bytes: ArraySlice<UInt8>) -> Int { bytes.reduce(0) { $0 << 8 | Int($1) } }
}

/// Which picture a step shows.
enum PictureChoice: Hashable, Sendable {
  case own(StudyPicture)
  /// That of the trial's condition, in the template of a ``TrialsStep``.
  case condition(width: Double?, StudyPicture.Start)

  /// The choice in a trial of a condition.
  func of(_ condition: StudyCondition) -> PictureChoice? {
    guard case .condition(let width, let start) = self else { return self }
    guard var picture = condition.picture else { return nil }
    (picture.width, picture.start) = (width ?? picture.width, start)
    return .own(picture)
  }

  /// Reads `picture` of a step; `nil` after reporting a problem.
  static func read(_ place: Located, of type: (any StepReading.Type)?) -> PictureChoice? {
    if type == TrialsStep.self || type == SensorCheckStep.self {
      place.report("a \(type?.kind ?? "") step shows no picture; put it into a step of its own")
      return nil
    }
    if place.quietMember("with")?.quietString == StudyPicture.Start.sound.rawValue, type != MusicStep.self {
      place.quietMember("with")?.report("only a music step has a sound that a picture can appear with")
    }
    guard let choice = place.quietMember("choose") else { return StudyPicture.read(place).map { .own($0) } }
    let object = place.object("an object with “choose”")
    object?.refuseKeys(beside: .conditionsPicture)
    let width = object?["width_mm"]?.number("a width in millimetres", in: StudyPicture.widths)
    let start = object?["with"]?.word("a time to appear", among: StudyPicture.Start.allCases.map(\.rawValue))
    guard choice.word("a way to choose", among: ["condition"]) != nil else { return nil }
    return .condition(width: width, start.flatMap(StudyPicture.Start.init) ?? .step)
  }
}

extension Question {
  /// The pictures of its choices.
  package var pictures: [StudyPicture] {
    switch format {
    case .choice(let choices), .choices(let choices, _): choices.compactMap(\.picture)
    case .text, .integer, .decimal, .boolean, .date, .time, .scale, .visualAnalogue: []
    }
  }
}

extension ProtocolObject {
  static let conditionsPicture: ProtocolObject = ProtocolObject(
    "in a “picture” of the condition", ["choose", "width_mm", "with"])
  static let picture: ProtocolObject = ProtocolObject("in “picture”", ["file", "alt", "width_mm", "with", "sha256"])
}

extension JSONNode {
  /// The node with the digest of every picture that has none, as bundles hold it.
  ///
  /// - Parameter digest: the digest of a file; `nil` for one that cannot be read.
  /// - Returns: the node.
  func withDigests(_ digest: (String) -> String?) -> JSONNode {
    changingPictures { members, file, name in
      guard !members.contains(where: { $0.key == "sha256" }), let sha256 = digest(name) else { return members }
      return members + [JSONMember(key: "sha256", keyOffset: file.keyOffset, value: file.value.with(.string(sha256)))]
    }
  }

  /// The node with pictures that lie beside a file in this folder.
  func withPictures(in folder: String) -> JSONNode {
    changingPictures { members, _, name in
      members.map { $0.key == "file" ? $0.with($0.value.with(.string("\(folder)/\(name)"))) : $0 }
    }
  }

  private func changingPictures(
    _ change: (_ members: [JSONMember], _ file: JSONMember, _ name: String) -> [JSONMember]
  ) -> JSONNode {
    switch content {
    case .array(let elements): return with(.array(elements.map { $0.changingPictures(change) }))
    case .object(let members):
      return with(
        .object(
          members.map { member in
            guard !member.key.hasPrefix("x-") else { return member }
            guard member.key == "picture", case .object(let inner) = member.value.content,
              let file = inner.first(where: { $0.key == "file" }), case .string(let name) = file.value.content
            else { return member.with(member.value.changingPictures(change)) }
            return member.with(member.value.with(.object(change(inner, file, name))))
          }))
    default: return self
    }
  }
}
