import Basics

/// The records of an EDF or BDF file.
struct EDFSource: SignalSource {
  private let file: OpenFile
  private let header: EDFHeader

  let channels: [SignalChannel]
  let pieces: Int
  let caveats: [RecordingCaveat]
  var format: String { header.name }
  var isSimulated: Bool { header.isSimulated }
  var duration: Double { Double(pieces) * header.duration }

  /// The indices of the header's signals that have samples.
  private let places: [Int]

  init(_ file: OpenFile, _ beginning: [UInt8]) throws {
    self.file = file
    let size = try EDFHeader.size(beginning)
    let header = try EDFHeader(try file.read(size, at: 0))
    self.header = header
    let whole = max(0, file.size - header.size) / header.recordSize
    pieces = min(whole, header.records ?? whole)
    guard pieces > 0 else { throw SignalFault.noSamples }
    caveats = [
      RecordingCaveat.length(found: whole, announced: header.records ?? whole, of: .record, seconds: header.duration)
    ].compactMap(\.self)
    places = header.signals.indices.filter {
      !header.signals[$0].isAnnotation && header.signals[$0].samples > 0 && header.duration > 0
    }
    channels = places.map { place in
      let signal = header.signals[place]
      return SignalChannel(
        label: signal.label, unit: signal.unit, rate: Double(signal.samples) / header.duration,
        hasRange: signal.hasRange)
    }
  }

  func blocks(ofPiece piece: Int, of wanted: Set<Int>) throws(FileError) -> [SignalBlock] {
    let bytes = try file.read(header.recordSize, at: header.size + piece * header.recordSize)
    guard bytes.count == header.recordSize else { return [] }
    let start = header.hasPauses ? Self.start(header, bytes) : nil
    let time = start ?? Double(piece) * header.duration
    return places.enumerated().filter { wanted.contains($0.offset) }.map { number, place in
      let signal = header.signals[place]
      var values: [Float] = []
      values.reserveCapacity(signal.samples)
      for index in 0..<signal.samples {
        let first = signal.place + index * header.width
        let number =
          header.isWide
          ? Int(bytes[first]) | Int(bytes[first + 1]) << 8 | Int(Int8(bitPattern: bytes[first + 2])) << 16
          : Int(bytes[first]) | Int(Int8(bitPattern: bytes[first + 1])) << 8
        values.append(number == header.missing ? .nan : Float(signal.scale * Double(number) + signal.offset))
      }
      return SignalBlock(signal: number, time: time, values: values)
    }
  }

  /// When a record begins, by the first of its annotations.
  private static func start(_ header: EDFHeader, _ record: [UInt8]) -> Double? {
    guard let signal = header.signals.first(where: \.isAnnotation) else { return nil }
    let bytes = record[signal.place..<signal.place + signal.samples * header.width]
    return EDFAnnotations.entries(bytes).first { $0.text.isEmpty }?.time
  }

  func annotations() throws(FileError) -> (all: [SignalAnnotation], isWhole: Bool) {
    var all: [SignalAnnotation] = []
    for signal in header.signals where signal.isAnnotation {
      for record in 0..<pieces {
        let place = header.size + record * header.recordSize + signal.place
        let bytes = try file.read(signal.samples * header.width, at: place)
        all += EDFAnnotations.entries(bytes[...]).filter { !$0.text.isEmpty }.map {
          SignalAnnotation(time: $0.time, text: $0.text, isBeat: EDFAnnotations.isBeat($0.text))
        }
      }
    }
    return (all, true)
  }
}

/// Reads the annotations of a record of an EDF+ or BDF+ file: lists of an onset, perhaps a duration, and texts.
///
///     +12.5␕0.2␔N␔␀     the onset and the duration in seconds; ␕ is 21, ␔ is 20, and ␀ ends a list
enum EDFAnnotations {
  /// An annotation of a record.
  struct Entry: Hashable, Sendable {
    /// Its onset, in seconds since the file's beginning.
    let time: Double
    /// Its text; empty for the one that tells when the record begins.
    let text: String
  }

  /// The annotations in the bytes of the signal of that name; what cannot be read is left out.
  static func entries(_ bytes: ArraySlice<UInt8>) -> [Entry] {
    bytes.split(separator: 0).flatMap { list -> [Entry] in
      let parts = list.split(separator: 20, omittingEmptySubsequences: false)
      guard let head = parts.first, parts.count > 1 else { return [] }
      let onset = head.split(separator: 21, omittingEmptySubsequences: false).first ?? head
      guard let time = Double(String(decoding: onset, as: UTF8.self)), time.magnitude < 1e9 else { return [] }
      let texts = parts.dropFirst().dropLast()
      return texts.map { Entry(time: time, text: String(decoding: $0, as: UTF8.self)) }
    }
  }

  /// Whether a text marks a heartbeat: a code of PhysioNet, or a word for an R peak.
  static func isBeat(_ text: String) -> Bool {
    // The channel may follow, as in `N@@ECG`.
    let mark = text.split(separator: "@").first.map { String($0).trimmed } ?? ""
    if mark.utf8.count == 1 { return WFDBAnnotations.beatCodes.values.contains(mark) }
    return ["r", "qrs", "r-peak", "r peak", "rpeak", "beat", "heartbeat", "normal beat"].contains(mark.lowercased())
  }
}
