import Basics

/// Makes the files of a bundle that hold its waveforms: the whole blocks as they were recorded, and a sidecar for each that
/// says what they are and where each block lies.
///
/// A pure function of the blocks and the journal's heads, the same for a trial that was finished, recovered or is verified.
struct WaveformDerivation {
  /// The format of a sidecar.
  static let format = "station.waveform/1"

  /// The folder in which the files of blocks lie.
  let folder: String

  /// Writes blocks and sidecars into a bundle's folder, or only digests them when there is none.
  ///
  /// - Parameters:
  ///   - heads: what the journal says of the waveforms.
  ///   - bundle: the bundle's folder; `nil` only digests.
  ///   - take: is given every whole block, with its file's name without extension.
  ///   - heard: is given what a file of sound amounts to.
  ///   - damaged: is told how many blocks of a file are damaged, and how many bytes belong to none.
  /// - Returns: the files that were made, none where nothing was recorded.
  /// - Throws: `FileError`, and `SoundFileError` for sound.
  func run(
    _ heads: [WaveformHead], into bundle: String?, _ take: (String, WaveformBlock) -> Void,
    heard: (String, RecordedSound) -> Void, damaged: (String, Int, Int) -> Void
  ) throws -> [PayloadDigest] {
    guard Folder.isFolder(folder) else { return [] }
    let all = try Folder.names(in: folder).filter { !$0.hasPrefix(".") }
    let endings = [BundleFile.blocks, BundleFile.sound]
    let stems = Set(
      all.compactMap { name in endings.first(where: name.hasSuffix).map { String(name.dropLast($0.count)) } })
    guard !stems.isEmpty else { return [] }
    if let bundle { try Folder.ensure("\(bundle)/\(BundleFile.waveformFolder)", isPrivate: true) }
    var files: [PayloadDigest] = []
    for stem in stems.sorted() {
      let head = heads.first { $0.file == stem }
      if let head, SoundTrack.holds(head) {
        let made = try SoundDerivation(folder: folder, head: head).run(into: bundle) { take(stem, $0) }
        if let sound = made.sound { heard(stem, sound) }
        if made.damagedBlocks + made.foreignBytes > 0 { damaged(stem, made.damagedBlocks, made.foreignBytes) }
        files += made.files
      } else if all.contains(stem + BundleFile.blocks) {
        files += try derive(stem, head, into: bundle, take, damaged: damaged)
      }
    }
    if let bundle { try Folder.synchronize("\(bundle)/\(BundleFile.waveformFolder)") }
    return files
  }

  private func derive(
    _ stem: String, _ head: WaveformHead?, into bundle: String?, _ take: (String, WaveformBlock) -> Void,
    damaged: (String, Int, Int) -> Void
  ) throws(FileError) -> [PayloadDigest] {
    let name = stem + BundleFile.blocks
    var reader = try WaveformReader("\(folder)/\(name)")
    let sidecar = try writeSidecar(of: stem, head, reading: &reader, into: bundle) { take(stem, $0) }
    if reader.damagedBlocks + reader.foreignBytes > 0 { damaged(stem, reader.damagedBlocks, reader.foreignBytes) }
    let validBytes = reader.validBytes
    return [try copy(name, first: validBytes, into: bundle), sidecar]
  }

  /// When the last whole block arrived; `nil` without one.
  func lastArrival() throws(FileError) -> Duration? {
    guard Folder.isFolder(folder) else { return nil }
    var last: Duration?
    for name in try Folder.names(in: folder) where name.hasSuffix(BundleFile.blocks) && !name.hasPrefix(".") {
      var reader = try WaveformReader("\(folder)/\(name)")
      while let entry = try reader.next() { last = max(last ?? entry.block.arrived, entry.block.arrived) }
    }
    return last
  }

  // Without the block that a crash tore.
  private func copy(_ name: String, first count: Int, into bundle: String?) throws(FileError) -> PayloadDigest {
    let source = try File("\(folder)/\(name)", .read, isRegular: true)
    var copy = try PayloadFile("\(BundleFile.waveformFolder)/\(name)", in: bundle)
    var rest = count
    while rest > 0 {
      let piece = try source.read(upTo: min(rest, 1 << 16))
      if piece.isEmpty { throw FileError("read", "\(folder)/\(name)", code: FileError.damaged) }
      try copy.write(piece)
      rest -= piece.count
    }
    return try copy.finish()
  }

  /// Writes one sidecar, one block a line, in memory that does not grow with the recording.
  private func writeSidecar(
    of stem: String, _ head: WaveformHead?, reading reader: inout WaveformReader, into bundle: String?,
    _ take: (WaveformBlock) -> Void
  ) throws(FileError) -> PayloadDigest {
    var sidecar = try PayloadFile("\(BundleFile.waveformFolder)/\(stem).json", in: bundle)
    try sidecar.write(Array("{\"blocks\":[".utf8))
    var (frames, first, last) = (0, Duration?.none, Duration?.none)
    var channels = head?.channels.count
    while let entry = try reader.next() {
      let block = entry.block
      take(block)
      let line: JSONValue = [
        "offset": .integer(entry.offset), "frames": .integer(block.frames), "channels": .integer(block.channels),
        "t_ns": .integer(Int(block.time.nanoseconds)), "arrived_ns": .integer(Int(block.arrived.nanoseconds)),
      ]
      try sidecar.write(Array((frames == 0 && first == nil ? "\n" : ",\n").utf8) + Array(line.text().utf8))
      frames += block.frames
      channels = channels ?? block.channels
      first = min(first ?? block.time, block.time)
      last = max(last ?? block.time, block.time)
    }
    let rest: JSONValue = [
      "format": .string(Self.format),
      "file": .string("\(BundleFile.waveformFolder)/\(stem)\(BundleFile.blocks)"),
      "encoding": "float32le", "sensor": .text(head?.sensor), "quantityType": .text(head?.quantityType),
      "unit": .text(head?.unit), "rate_Hz": head.map { .finite($0.rate) } ?? .null,
      "channels": head.map { .array($0.channels.map { .string($0) }) } ?? .null, "frames": .integer(frames),
      "firstSample_ns": first.map { .integer(Int($0.nanoseconds)) } ?? .null,
      "lastBlock_ns": last.map { .integer(Int($0.nanoseconds)) } ?? .null,
      "damagedBlocks": .integer(reader.damagedBlocks), "foreignBytes": .integer(reader.foreignBytes),
    ]
    try sidecar.write(Array("\n],".utf8) + Array(rest.text().utf8.dropFirst()) + [UInt8(ascii: "\n")])
    return try sidecar.finish()
  }
}
