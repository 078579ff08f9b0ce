import Quantities

/// Decodes the packets of a Nonin oximeter (data format 2): 75 a second, each with a sample of the pulse wave, and in 25
/// packets the heart rate and the oxygen saturation.
///
/// A packet is 1, a status, a sample, a byte of the frame of 25, and the sum of these four modulo 256. The status marks
/// the first packet of a frame, so that lost packets are counted.
struct NoninDecoder: DeviceDecoder {
  /// Packets per second.
  static let rate = 75.0
  /// The length of a packet in bytes.
  static let size = 5
  /// The number of packets in a frame.
  static let frame = 25

  private enum Status {
    static let isFirst: UInt8 = 0x01
    static let isOff: UInt8 = 0x40
    /// What a simulation sends, which has no status.
    static let isUnknown: UInt8 = 0xFF
  }

  private let latency: Duration
  private var buffer: [UInt8] = []
  private var train: FrameTrain
  /// The number of packets since the first of a frame; `nil` until one has begun.
  private var place: Int?
  private var values: [UInt8] = []
  private var isOff = false
  private var first: Int
  private var skipped = 0
  private var isAligned = false

  private(set) var unitCount = 0

  init(latency: Duration, after packets: Int = 0) {
    (self.latency, first) = (latency, packets)
    train = FrameTrain(rate: Self.rate, cycle: Self.frame, latency: latency)
  }

  mutating func take(_ bytes: Span<UInt8>, arrived: Moment) -> Decoded {
    var yield = Decoded()
    for index in bytes.indices { buffer.append(bytes[index]) }
    var runs: [(run: FrameTrain.Run, values: [Float])] = [(.init(), [])]
    var start = 0
    // After a fault, five bytes may fit by chance: two packets are waited for.
    while buffer.count - start >= (isAligned ? 1 : 2) * Self.size {
      let packet = buffer[start..<start + Self.size]
      guard Self.isWhole(packet), isAligned || isFollowed(at: start) else {
        skip(packet[start], &yield)
        start += 1
        continue
      }
      isAligned = true
      skipped = 0
      unitCount += 1
      let lost = advance(status: packet[start + 1])
      if lost > 0 { runs.append((.init(lost: lost), [])) }
      runs[runs.count - 1].values.append(Float(packet[start + 2]))
      runs[runs.count - 1].run.count += 1
      if values.count < Self.frame { values.append(packet[start + 3]) }
      if let reading = report(status: packet[start + 1], arrived) { yield.readings.append(reading) }
      start += Self.size
    }
    buffer.removeFirst(start)
    runs.removeAll { $0.run.count == 0 }
    let format = WaveformFormat(.photoplethysmogram, rate: Self.rate, channels: ["1"])
    for (run, moment) in zip(runs, train.moments(of: runs.map(\.run), arrived: arrived)) {
      yield.waveforms.append(WaveformFrames(format, happened: moment, arrived: arrived, values: run.values))
    }
    return yield
  }

  private static func isWhole(_ packet: ArraySlice<UInt8>) -> Bool {
    packet[packet.startIndex] == 1 && packet.dropLast().reduce(0, &+) == packet[packet.endIndex - 1]
  }

  /// Whether the next packet is whole too.
  private func isFollowed(at start: Int) -> Bool {
    let next = start + Self.size
    return buffer.count >= next + Self.size && Self.isWhole(buffer[next..<next + Self.size])
  }

  /// Leaves out a byte that begins no packet, and reports the first of several.
  private mutating func skip(_ byte: UInt8, _ yield: inout Decoded) {
    defer { (isAligned, skipped) = (false, skipped + 1) }
    guard unitCount > 0, isAligned else { return }
    yield.faults.append(
      .init(
        line: first + unitCount + 1,
        reason: byte == 1 ? "a packet with a wrong checksum" : "bytes between two packets"))
  }

  /// Moves on to the next packet of the frame; returns how many packets were lost before it.
  private mutating func advance(status: UInt8) -> Int {
    guard status != Status.isUnknown else { return 0 }
    guard status & Status.isFirst != 0 else {
      place = place.map { $0 + 1 }
      return 0
    }
    defer { (place, values) = (0, []) }
    guard let place else { return 0 }
    return (Self.frame - (place + 1) % Self.frame) % Self.frame
  }

  /// The rate and the saturation at the end of a frame, and the contact when it changes.
  private mutating func report(status: UInt8, _ arrived: Moment) -> HeartReading? {
    let happened = arrived.advanced(by: .zero - latency)
    if status != Status.isUnknown, (status & Status.isOff != 0) != isOff {
      isOff.toggle()
      return HeartReading(heartRate: nil, contact: !isOff, happened: happened, arrived: arrived)
    }
    guard place == Self.frame - 1, values.count == Self.frame, !isOff else { return nil }
    let rate = Double(Int(values[0] & 0x03) << 7 | Int(values[1] & 0x7F))
    let saturation = Double(values[2] & 0x7F)
    // 511 and 127: the oximeter does not know.
    let samples =
      saturation <= 100 ? [ChannelSample(.oxygenSaturation, saturation / 100, happened: happened)] : []
    guard rate < 511 || !samples.isEmpty else { return nil }
    return HeartReading(
      heartRate: Sample.rates.contains(rate) ? rate : nil, contact: true, happened: happened, arrived: arrived,
      samples: samples.filter(\.isPlausible))
  }
}

extension SerialKind {
  /// The five-byte packets of a Nonin oximeter, 75 a second.
  package static let nonin = SerialKind(
    name: "nonin", title: "packets of a Nonin oximeter", words: ["nonin", "oximeter", "xpod"], baud: 9600,
    rate: NoninDecoder.rate,
    channels: { _ in
      [
        Channel(.heartRate), Channel(.oxygenSaturation, rate: 3),
        Channel(.photoplethysmogram, rate: NoninDecoder.rate),
      ]
    },
    decoder: { NoninDecoder(latency: $1, after: $2) },
    sends: { isMostly($0, of: NoninDecoder.size, by: NoninDecoder(latency: .zero)) })
}
