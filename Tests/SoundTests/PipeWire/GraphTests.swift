import Quantities
import Study
import Testing

@testable import Sound

@Suite("A PipeWire graph")
struct GraphTests {
  private static func graph(_ messages: [GraphMessage]) -> Graph {
    var graph = Graph()
    for message in messages { graph.take(message) }
    return graph
  }

  private static func sink(_ id: UInt32, _ name: String, priority: Int = 0, factory: String? = nil) -> GraphMessage {
    var properties = ["node.name": name, "media.class": "Audio/Sink", "priority.session": "\(priority)"]
    properties["factory.name"] = factory
    return .node(id, properties)
  }

  private static let two = [sink(1, "hdmi", priority: 5), sink(2, "analog", priority: 9)]

  @Test("the sink is the named one, else the default, else the one that the session manager prefers")
  func choice() throws {
    let graph = Self.graph(Self.two)
    #expect(try graph.sink(named: "hdmi", refusingNull: true) == 1)
    #expect(try graph.sink(named: nil, refusingNull: true) == 2)
    let other = Self.graph(Self.two + [.defaultSink("hdmi")])
    #expect(try other.sink(named: nil, refusingNull: true) == 1)
    #expect(try Self.graph(Self.two + [.defaultSink("gone")]).sink(named: nil, refusingNull: true) == 2)
  }

  @Test("an unknown name is refused with the names there are, and a null sink that was not named")
  func refusals() throws {
    let unknown = #expect(throws: SoundServerError.self) {
      try Self.graph(Self.two).sink(named: "usb", refusingNull: true)
    }
    #expect(unknown?.advice == "it has “analog”, “hdmi”")
    #expect(throws: SoundServerError.self) { try Graph().sink(named: nil, refusingNull: false) }
    let null = Self.graph([Self.sink(4, "dummy", priority: 10, factory: "support.null-audio-sink")] + Self.two)
    let refused = #expect(throws: SoundServerError.self) { try null.sink(named: nil, refusingNull: true) }
    #expect(refused?.advice?.contains("“analog”, “hdmi”") == true)
    #expect(try null.sink(named: nil, refusingNull: false) == 4)
    #expect(try null.sink(named: "dummy", refusingNull: true) == 4)
  }

  @Test("objects that are gone are no more")
  func removal() {
    let graph = Self.graph(
      Self.two + [.removed(2), .port(7, Graph.Port(node: 1, isInput: true, channel: "FL", index: 0))])
    #expect(graph.sinks.map(\.id) == [1] && graph.inputs(of: 1).map(\.id) == [7])
  }

  @Test(
    "the clock is read by the card that drives the graph, also for a virtual sink and for another card",
    arguments: [
      // (the sink, the driver, its rate, the basis, periods and cycles of uncertainty)
      (UInt32(1), UInt32(1), 44_100, SpeakerTiming.Basis.position, 256, 0),
      (2, 1, 44_100, .position, 256, 1024), (3, 3, 48_000, .clock, 0, 0), (2, 3, 48_000, .clock, 0, 0),
      (4, 1, 44_100, .position, 512, 1024),
    ])
  func course(
    sink: UInt32, driver: UInt32, cardRate: Int, basis: SpeakerTiming.Basis, period: Int, cycle: Int
  ) {
    func card(_ id: UInt32, period: Int) -> GraphMessage {
      .node(
        id,
        [
          "node.name": "card \(id)", "media.class": "Audio/Sink", "device.api": "alsa",
          "api.alsa.period-size": "\(period)",
        ])
    }
    let graph = Self.graph([
      card(1, period: 256), .rate(1, 44_100), Self.sink(2, "filter"), .rate(2, 96_000),
      Self.sink(3, "dummy", factory: "support.null-audio-sink"), .rate(3, 48_000),
      card(4, period: 512), .rate(4, 48_000), .latencyOffset(1, .milliseconds(5)), .latencyOffset(2, .milliseconds(7)),
    ])
    var status = CycleEngine.Status()
    (status.driver, status.rate, status.quantum) = (driver, 48_000, 1024)
    let own = graph.nodes[sink]?.rate ?? 0
    let granularity =
      Frames(period).nanoseconds(rate: sink == 4 ? own : cardRate) + Frames(cycle).nanoseconds(rate: 48_000)
    #expect(
      graph.course(of: sink, after: status)
        == Graph.Course(
          driver: driver, rate: 48_000, cardRate: cardRate,
          timing: SpeakerTiming(basis: basis, granularity: .nanoseconds(granularity)),
          offset: .milliseconds(sink == 2 && driver == 1 ? 12 : sink == 2 ? 7 : sink == 1 ? 5 : 0)))
    // Before the first cycle the sink drives it, presumably.
    #expect(graph.course(of: sink, after: CycleEngine.Status()).driver == sink)
  }

  @Test("a latency that the user has set is that of its node, and a port's adds quantums, frames and time")
  func latencies() {
    let port = Graph.Port(node: 1, isInput: false, channel: "FL", index: 0)
    let told = Graph.PortLatency(quantums: 1, frames: 480, time: .milliseconds(2))
    let graph = Self.graph(
      Self.two + [.port(7, port), .portLatency(7, told), .latencyOffset(2, .milliseconds(7))])
    #expect(graph.nodes[2]?.offsetBeyondClock == .milliseconds(7) && graph.nodes[1]?.offsetBeyondClock == .zero)
    let bluetooth = Self.graph(Self.two + [.node(2, ["device.api": "bluez5"]), .latencyOffset(2, .milliseconds(7))])
    #expect(bluetooth.nodes[2]?.offsetBeyondClock == .zero, "its clock has it")
    #expect(graph.ports[7]?.latency?.total(quantum: 960, rate: 48_000) == .milliseconds(32))
  }

  @Test(
    "volumes are linear there and cubic in percent here", arguments: [(0.125, 50.0), (1, 100), (0, 0), (3.375, 150)])
  func volume(factor: Double, percent: Double) {
    let graph = Self.graph(Self.two + [.volume(1, [Float(factor), Float(factor)], isMuted: nil)])
    #expect(graph.nodes[1]?.speakerVolume?.sink == [percent, percent])
    #expect(graph.nodes[1]?.speakerVolume?.isSilent == (percent == 0))
    #expect(graph.nodes[2]?.speakerVolume == nil)
  }

  @Test("other programs on a sink have their client's name, and our own is none of them")
  func programs() {
    let graph = Self.graph(
      Self.two + [
        .client(60, "Firefox"), .node(10, ["node.name": "playback", "client.id": "60"]),
        .node(11, ["node.name": "station"]),
        .link(20, Graph.Link(output: 10, input: 1)), .link(21, Graph.Link(output: 10, input: 1)),
        .link(22, Graph.Link(output: 11, input: 1)), .link(23, Graph.Link(output: 11, input: 2)),
      ])
    #expect(graph.programs(on: 1, besides: 11) == ["Firefox"])
  }
}

@Suite("A stimulus on a graph")
struct GraphPlayoutTests {
  private static let format = SoundFormat(sampleRate: 44_100, channels: 2)
  private static func at(_ milliseconds: Int64) -> Moment { Moment(nanoseconds: milliseconds * 1_000_000) }
  private static func measured(_ milliseconds: Int64, _ uncertainty: Int64 = 10) -> MeasuredMoment {
    MeasuredMoment(moment: at(milliseconds), uncertainty: .microseconds(uncertainty))
  }

  private static func playout(latency: OutputLatency = .zero) -> GraphPlayout {
    GraphPlayout(format, frames: 44_100, rate: 48_000, outputLatency: latency, now: at(0))
  }

  @Test(
    "onset and offset are told when they have passed, with the output latency and its uncertainty, in the stimulus's own frames"
  )
  func course() {
    var playout = Self.playout(latency: OutputLatency(.milliseconds(5), uncertainty: .microseconds(300)))
    #expect(playout.take(.started(Self.measured(100))) == [])
    #expect(playout.due(now: Self.at(104), worked: Self.at(104), sink: "s") == [])
    #expect(playout.due(now: Self.at(105), worked: Self.at(105), sink: "s") == [.started(Self.measured(105, 310))])
    #expect(playout.take(.ended(Self.measured(1100), frames: 48_000)) == [])
    #expect(
      playout.due(now: Self.at(1106), worked: nil, sink: "s") == [.ended(Self.measured(1105, 310), frames: 44_100)])
    #expect(playout.isOver)
  }

  @Test("what was lost is missing from the frames; cycles that are lost in a row are one underrun")
  func lost() {
    var playout = Self.playout()
    _ = playout.take(.started(Self.measured(100)))
    _ = playout.due(now: Self.at(101), worked: Self.at(101), sink: "s")
    #expect(playout.take(.lost(at: Self.at(200), frames: 4800)) == [.disturbed(.underrun(at: Self.at(200)))])
    #expect(playout.take(.lost(at: Self.at(300), frames: 480)) == [])
    #expect(playout.take(.lost(at: Self.at(500), frames: 480)) == [.disturbed(.underrun(at: Self.at(500)))])
    _ = playout.take(.ended(Self.measured(1100), frames: 24_000))
    #expect(playout.due(now: Self.at(1100), worked: nil, sink: "s") == [.ended(Self.measured(1100), frames: 22_050)])
  }

  @Test("what happens before the onset is told after it")
  func early() {
    var playout = Self.playout()
    #expect(playout.disturbed(.suspended) == [])
    _ = playout.take(.started(Self.measured(100)))
    #expect(
      playout.due(now: Self.at(100), worked: Self.at(100), sink: "s") == [
        .started(Self.measured(100)), .disturbed(.suspended),
      ])
    #expect(playout.others(["a", "b"]) == [.disturbed(.otherProgram("a")), .disturbed(.otherProgram("b"))])
    #expect(playout.others(["b"]) == [])
  }

  @Test("a graph that stands still for two seconds has lost the stimulus")
  func standstill() {
    var playout = Self.playout()
    #expect(playout.due(now: Self.at(1999), worked: nil, sink: "s") == [])
    #expect(playout.due(now: Self.at(3000), worked: Self.at(1500), sink: "s") == [])
    let events = playout.due(now: Self.at(3501), worked: Self.at(1500), sink: "s")
    guard case .failed = events.first else {
      Issue.record("\(events)")
      return
    }
    #expect(playout.isOver && playout.fail("again") == [])
  }
}
