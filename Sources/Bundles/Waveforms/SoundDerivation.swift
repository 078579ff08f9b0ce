import Basics
import Quantities
import Sound

/// Makes the file of a recorded sound, a FLAC with a sidecar, of the blocks that were recorded; or reads the blocks back
/// from a bundle's own file, to verify it.
///
/// Both give the same sidecar and the same blocks: the file holds every sample as the blocks are taken, on 24 bits.
struct SoundDerivation {
  /// The folder with the blocks, or with the bundle's file and its sidecar.
  let folder: String
  /// What the journal says of it.
  let head: WaveformHead

  private var path: String { "\(folder)/\(head.file)\(BundleFile.sound)" }

  /// Whether the folder holds a bundle's own file, whose blocks the sidecar lists.
  var isOfBundle: Bool { Folder.exists(path) }

  /// What came of it.
  struct Made {
    var files: [PayloadDigest] = []
    var sound: RecordedSound?
    var damagedBlocks = 0
    var foreignBytes = 0
  }

  /// Writes the file and its sidecar into a bundle's folder; without one only digests what can be.
  ///
  /// - Parameters:
  ///   - bundle: the bundle's folder; `nil` only digests.
  ///   - take: is given every whole block, as the file holds it.
  /// - Returns: what was made.
  /// - Throws: `FileError` and `SoundFileError`.
  func run(into bundle: String?, _ take: (WaveformBlock) -> Void) throws -> Made {
    let name = "\(BundleFile.waveformFolder)/\(head.file)"
    var track = SoundTrack(head)
    var sidecar = try PayloadFile("\(name).json", in: bundle)
    try sidecar.write(Array("{\"blocks\":[".utf8))
    var made = Made()
    func list(_ block: WaveformBlock, isFirst: Bool) throws -> Int {
      let silence = track.take(block)
      take(block)
      let line: JSONValue = [
        "frame": .integer(track.frames - block.frames), "frames": .integer(block.frames),
        "t_ns": .integer(Int(block.time.nanoseconds)), "arrived_ns": .integer(Int(block.arrived.nanoseconds)),
      ]
      try sidecar.write(Array((isFirst ? "\n" : ",\n").utf8) + Array(line.text().utf8))
      return silence
    }
    if isOfBundle {
      try read(&made, channels: track.channels, list)
    } else {
      try write(track, &made, into: bundle.map { "\($0)/\(name)\(BundleFile.sound)" }, list)
    }
    made.sound = track.sound
    let rest: JSONValue = [
      "format": .string(WaveformDerivation.format), "file": .string("\(name)\(BundleFile.sound)"),
      "encoding": "flac", "sensor": .string(head.sensor), "quantityType": .string(head.quantityType),
      "unit": .string(head.unit), "rate_Hz": .integer(track.rate),
      "channels": .array(head.channels.map { .string($0) }),
      "sound": try track.sound.map { try JSONValue(encoding: $0, writesNull: true) } ?? .null,
      "damagedBlocks": .integer(made.damagedBlocks), "foreignBytes": .integer(made.foreignBytes),
    ]
    try sidecar.write(Array("\n],".utf8) + Array(rest.text().utf8.dropFirst()) + [UInt8(ascii: "\n")])
    made.files.append(try sidecar.finish())
    let digested = isOfBundle ? path : bundle.map { "\($0)/\(name)\(BundleFile.sound)" }
    if let digested {
      let (bytes, sha256) = try File.digest(of: digested)
      made.files.append(PayloadDigest(path: "\(name)\(BundleFile.sound)", bytes: bytes, sha256: sha256))
    }
    return made
  }

  private func write(
    _ track: SoundTrack, _ made: inout Made, into path: String?,
    _ list: (WaveformBlock, _ isFirst: Bool) throws -> Int
  ) throws {
    var reader = try WaveformReader("\(folder)/\(head.file)\(BundleFile.blocks)")
    guard let path else {
      var isFirst = true
      while let entry = try reader.next() {
        guard let block = track.kept(entry.block) else { continue }
        _ = try list(block, isFirst)
        isFirst = false
      }
      return
    }
    var file = try SoundFileWriter(path, rate: track.rate, channels: track.channels)
    var isFirst = true
    while let entry = try reader.next() {
      guard let block = track.kept(entry.block) else { continue }
      try file.writeSilence(frames: try list(block, isFirst))
      try file.write(block.values)
      isFirst = false
    }
    try file.finish()
    (made.damagedBlocks, made.foreignBytes) = (reader.damagedBlocks, reader.foreignBytes)
  }

  /// The blocks of a sidecar, as it lists them.
  private struct Sidecar: Codable {
    struct Block: Codable {
      let frame: Int
      let frames: Int
      let time: Duration
      let arrived: Duration

      private enum CodingKeys: String, CodingKey {
        case frame, frames, arrived
        case time = "t"
      }
    }

    let blocks: [Block]
    let damagedBlocks: Int
    let foreignBytes: Int
  }

  private func read(
    _ made: inout Made, channels: Int, _ list: (WaveformBlock, _ isFirst: Bool) throws -> Int
  ) throws {
    let document = try JSONReader.read(File.contents(of: "\(folder)/\(head.file).json", limit: Self.maxBytes)).value
    let sidecar = try document.decoded(as: Sidecar.self)
    (made.damagedBlocks, made.foreignBytes) = (sidecar.damagedBlocks, sidecar.foreignBytes)
    var file = try SoundFileReader(path)
    var position = 0
    for (index, listed) in sidecar.blocks.enumerated() {
      let isPlausible = listed.frame >= position && (1...WaveformBlock.maxValues / channels).contains(listed.frames)
      guard file.channels == channels, isPlausible else { throw SoundFileError.short(path: path) }
      try file.skip(frames: listed.frame - position)
      let block = WaveformBlock(
        time: listed.time, arrived: listed.arrived, channels: channels, values: try file.read(frames: listed.frames))
      _ = try list(block, index == 0)
      position = listed.frame + listed.frames
    }
  }

  /// A sidecar is read as a whole: 30 days of blocks of a tenth of a second have this size.
  private static let maxBytes = 4 << 30
}
