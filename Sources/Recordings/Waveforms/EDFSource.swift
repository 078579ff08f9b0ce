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
