import Basics
import Glibc
import Quantities
import TestSupport
import Testing

@testable import Sensors
@testable import pretend

@Suite("Streams of the Lab Streaming Layer, by PyPI's pylsl", .timeLimit(.minutes(5)))
struct LSLTests {
  private let clock = MonotonicClock()
  private let folder = TemporaryFolder()

  /// Opens the library that the wheel of pylsl has.
  static func open() throws {
    try LSLLibrary.open { $0 == "VIRTUAL_ENV" ? "\(Repository.root)/.test-env" : nil }
  }

  init() throws { try Self.open() }

  /// Offers a stream of heart rates and intervals, fifty a second, or as texts; ends after so many.
  private static let outlet = """
    import sys, time, pylsl
    source, kind, rate, count = sys.argv[1], sys.argv[2], float(sys.argv[3]), int(sys.argv[4])
    name = sys.argv[5] if len(sys.argv) > 5 else 'peer ' + source
    info = pylsl.StreamInfo(name, kind, 2, rate, 'string' if kind == 'Text' else 'float32', source)
    channels = info.desc().append_child('channels')
    for label, unit in (('ECG', 'mV'), ('ECG', 'mV')) if rate else (('HR', 'bpm'), ('RR', 'ms')):
        channel = channels.append_child('channel')
        channel.append_child_value('label', label)
        channel.append_child_value('unit', unit)
    outlet = pylsl.StreamOutlet(info)
    outlet.wait_for_consumers(120)
    start = pylsl.local_clock()
    for number in range(count):
        due = start + number / (rate or 50)
        time.sleep(max(0, due - pylsl.local_clock()))
        values = [60 + number % 100, 1000 - number % 100]
        outlet.push_sample([str(value) for value in values] if kind == 'Text' else values, due)
    time.sleep(0.5)
    """

  /// Prints so many texts of a stream, each with its time on our clock.
  private static let inlet = """
    import sys, pylsl
    found = pylsl.resolve_bypred(sys.argv[1], 1, 120)
    inlet = pylsl.StreamInlet(found[0])
    inlet.open_stream(10)
    for _ in range(int(sys.argv[2])):
        text, time = inlet.pull_sample(120)
        print('%.9f %s' % (time + inlet.time_correction(), text[0]), flush=True)
    """

  private func start(_ script: String, _ words: [String], output: String? = nil) throws -> RunningProgram {
    let path = folder.file(script, name: "peer.py")
    let null = unsafe Glibc.open("/dev/null", O_RDWR)
    defer { close(null) }
    let file = output.map { unsafe Glibc.open($0, O_WRONLY | O_CREAT | O_TRUNC, 0o600) } ?? null
    defer { if file != null { close(file) } }
    return try RunningProgram(
      [Repository.python, path] + words, environment: ["PATH=/usr/bin:/bin"], streams: [null, file, null])
  }

  private func sensor(_ address: String) throws -> any Sensor { try SensorAddress(address).sensor() }

  @Test(
    "A stream's heart rates and intervals come with its times and labels, also as texts",
    arguments: ["HeartRate", "Text"])
  func values(kind: String) async throws {
    let source = "values-\(kind)-\(getpid())"
    let peer = try start(Self.outlet, [source, kind, "0", "100"])
    defer { withExtendedLifetime(peer) {} }
    var readings: [HeartReading] = []
    var clocks: [(offset: Duration, uncertainty: Duration)] = []
    var names: [String?] = []
    for await event in try sensor("lsl:source_id='\(source)'").events(on: clock) {
      switch event {
      case .connected(let device): names.append(device?.name)
      case .clockMeasured(let offset, let uncertainty): clocks.append((offset, uncertainty))
      case .readings(let batch): readings += batch
      default: break
      }
      if readings.count >= 100 { break }
    }
    #expect(names == ["peer \(source)"])
    #expect(readings.map(\.heartRate) == (0..<100).map { Double(60 + $0) })
    #expect(readings.map(\.rrIntervals) == (0..<100).map { [Double(1000 - $0)] })
    // One clock on this computer: the difference is that of the measurement.
    let first = try #require(clocks.first)
    #expect(abs(first.offset.seconds) < 0.001 + first.uncertainty.seconds && first.uncertainty < .milliseconds(100))
    for reading in readings {
      let sender = try #require(reading.senderTime)
      #expect(abs(sender - Double(reading.happened.nanoseconds) / 1e9) < 0.001 + first.uncertainty.seconds)
      #expect(reading.happened <= reading.arrived)
    }
  }

  @Test("A wave is delivered whole, and a stream that ends and comes back is found again")
  func wave() async throws {
    let source = "wave-\(getpid())"
    var peer = try start(Self.outlet, [source, "ECG", "500", "500"])
    var frames = 0
    var story: [String] = []
    for await event in try sensor("lsl:source_id='\(source)'").events(on: clock) {
      switch event {
      case .connected: story.append("connected")
      case .lost:
        // A peer that is slow to start is searched for again; one that has sent everything is gone.
        guard frames >= 500, story.last != "lost" else { continue }
        story.append("lost")
        peer = try start(Self.outlet, [source, "ECG", "500", "500"])
      case .waveform(let wave):
        #expect(wave.format.channels.count == 2 && wave.format.rate == 500)
        frames += wave.count
      default: break
      }
      if frames >= 1000 { break }
    }
    withExtendedLifetime(peer) {}
    #expect(frames == 1000 && story == ["connected", "lost", "connected"])
  }

  @Test("A lost stream is not replaced by one of the same name from another device")
  func otherDevice() async throws {
    let name = "namesake-\(getpid())"
    func peer(_ source: String) throws -> RunningProgram {
      try start(Self.outlet, ["\(source)-\(name)", "ECG", "500", "250", name])
    }
    var peers = [try peer("mine")]
    var (frames, story): (Int, [String]) = (0, [])
    for await event in try sensor("lsl:\(name)").events(on: clock) {
      switch event {
      case .connected(let device): story.append(device?.localIdentifier ?? "")
      case .lost(let reason):
        if frames == 250, peers.count == 1 { peers.append(try peer("another")) }
        if reason.contains("another device"), peers.count == 2 { peers.append(try peer("mine")) }
      case .waveform(let wave): frames += wave.count
      default: break
      }
      if frames >= 500 { break }
    }
    withExtendedLifetime(peers) {}
    #expect(story == ["mine-\(name)", "mine-\(name)"] && frames == 500 && peers.count == 3)
  }

  @Test("Markers come to a recorder with their texts and times")
  func markers() async throws {
    let markers = try LSLMarkers(stream: "markers-\(getpid())", name: "lsl")
    #expect(markers.publish("trial/0", at: clock.now) != nil, "no program receives it yet")
    let output = "\(folder.path)/heard"
    let peer = try start(Self.inlet, ["name='markers-\(getpid())' and type='Markers'", "3"], output: output)
    while !markers.isReceived { await Task.yield() }
    let moments = [clock.now, clock.now.advanced(by: .milliseconds(-40)), clock.now.advanced(by: .seconds(1))]
    let texts = ["trial/1", "onset/ruhig ü", "offset/ruhig ü"]
    for (text, moment) in zip(texts, moments) { #expect(markers.publish(text, at: moment) == nil) }
    #expect(await peer.end() == 0)
    let lines = String(decoding: try File.contents(of: output), as: UTF8.self).split(separator: "\n")
    #expect(lines.count == 3)
    for (line, (text, moment)) in zip(lines, zip(texts, moments)) {
      let parts = line.split(separator: " ", maxSplits: 1)
      #expect(parts[1] == text)
      #expect(abs(try #require(Double(parts[0])) - Double(moment.nanoseconds) / 1e9) < 0.002)
    }
    markers.close()
    #expect(markers.publish("trial/2", at: clock.now) != nil)
  }

  @Test("Streams in reach are listed, those of the rehearsal too, and a stream that is not there is a loss with advice")
  func reach() async throws {
    let name = "rehearsal \(getpid())"
    let task = Task { [clock] in try await LSLPretender(name: name).run(on: clock) { _ in } }
    defer { task.cancel() }
    var found: [ReachableSensor] = []
    while found.isEmpty {
      found = try await LSLSearch.run().filter { $0.name.contains(name) }
    }
    #expect(found.first?.address == "lsl:\(name)" && found.first?.kind == .lsl)
    for await event in try sensor("lsl:nobody sends this").events(on: clock) {
      guard case .lost(let reason) = event else { continue }
      #expect(reason.contains("name='nobody sends this'"))
      break
    }
  }

  @Test("An address that two streams match ends with both addresses, and so does a stream that has no known quantity")
  func final() async throws {
    let name = "twice \(getpid())"
    let outlet = """
      import sys, pylsl, time
      info = pylsl.StreamInfo(sys.argv[1], 'Mocap', 1, 0, 'float32', sys.argv[2])
      outlet = pylsl.StreamOutlet(info)
      time.sleep(60)
      """
    let peers = try ["a", "b"].map { try start(outlet, [name, "\($0)-\(getpid())"]) }
    defer { withExtendedLifetime(peers) {} }
    var count = 0
    while count < 2 { count = try await LSLSearch.run().filter { $0.name.contains(name) }.count }
    for address in ["lsl:name='\(name)'", "lsl:source_id='a-\(getpid())'"] {
      var events: [SensorEvent] = []
      for await event in try sensor(address).events(on: clock) { events.append(event) }
      guard case .ended? = events.last else {
        Issue.record("\(events)")
        continue
      }
    }
  }

  @Test("Without the library one sentence says what to do")
  func absent() {
    #expect(LSLLibrary.paths { $0 == "LSL_LIBRARY" ? "/nowhere/liblsl.so" : nil } == ["/nowhere/liblsl.so"])
    #expect(
      LSLLibrary.paths { $0 == "VIRTUAL_ENV" ? "\(Repository.root)/.test-env" : nil }.last?.contains("pylsl") == true)
  }
}
