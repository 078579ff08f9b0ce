import Basics
import Testing

@testable import Sound

@Suite("The course of a card that PulseAudio drives by interrupts")
struct CardCourseTests {
  /// A card under a server, which looks at it and fills its buffer up whenever it is asked.
  private struct Server {
    static let rate = 48_000
    static let buffer = 4096
    let step: Int
    /// How fast the card's clock is, in millionths.
    let drift: Double
    /// What the card's position leaves out, in nanoseconds.
    var hidden: Int64 = 0
    /// How much later than the card's position the server's answer is, in nanoseconds.
    var late: Int64
    /// When the first frame leaves the card's buffer, and where its steps begin.
    var start: Int64 = 10_000_000_000
    var place = 0
    var now: Int64 = 10_100_000_000
    private var random = SplitMix64(seed: 11)

    init(step: Int, drift: Double, late: Int64) { (self.step, self.drift, self.late) = (step, drift, late) }

    /// When the stream's first frame leaves the card, as a line through the frame that leaves it now.
    func origin(of frame: Int) -> Int64 {
      let leaves = Double(start) + Double(frame) * 1e9 / (Double(Self.rate) * (1 + drift / 1e6))
      return Int64(leaves) - Frames(frame).nanoseconds(rate: Self.rate) + hidden
    }

    /// Asks after a pause; `stale` is how long before that the server looked at the card.
    mutating func answer(stale: Int64 = 0) -> TimingSnapshot {
      now += 1_000_000 + Int64(random.next() % 3_000_000)
      let asked = now
      let looked = asked + 40_000 + Int64(random.next() % 40_000) - stale
      now += 130_000 + Int64(random.next() % 60_000)
      let played = Int(Double(looked - start) * Double(Self.rate) * (1 + drift / 1e6) / 1e9)
      let seen = ((played - place) / step) * step + place
      let frame = seen + Self.buffer
      // The server's own idea: the moment at which the frames that it has taken have left.
      let latency = origin(of: frame) + Frames(frame).nanoseconds(rate: Self.rate) + late - asked
      return TimingSnapshot(asked: asked, stamped: now, readFrame: frame, sinkLatency: latency, rate: Self.rate)
    }
  }

  private static func course() -> CardCourse {
    CardCourse(buffer: Server.buffer, rate: Server.rate, granularity: 21_333_333)
  }

  /// How far the middle of an answer is off the truth, in nanoseconds.
  private static func error(_ answer: TimingSnapshot, _ server: Server) -> Int64 {
    (answer.earliest + answer.latest) / 2 - server.origin(of: answer.readFrame)
  }

  @Test(
    "is known to far less than the steps of its position, and within its uncertainty",
    arguments: [(1, 0.0), (48, 200.0), (256, 0.0), (256, -90.0), (1024, 35.0)])
  func steps(step: Int, drift: Double) {
    // The server sees a step's position half a step late on average.
    var server = Server(step: step, drift: drift, late: Frames(step).nanoseconds(rate: Server.rate) / 2)
    let course = Self.course()
    for _ in 0..<1500 { _ = course.take(server.answer()) }
    for _ in 0..<200 {
      let answer = course.take(server.answer())
      #expect(abs(Self.error(answer, server)) <= 80_000)
      #expect(abs(Self.error(answer, server)) <= (answer.latest - answer.earliest) / 2)
      #expect((answer.latest - answer.earliest) / 2 <= server.late + 200_000)
    }
  }

  @Test("an answer before the steps are known has the card's fragment as its uncertainty")
  func unknown() {
    var server = Server(step: 256, drift: 0, late: 0)
    let answer = server.answer()
    let taken = Self.course().take(answer)
    #expect(taken.earliest == answer.earliest - 21_333_333 && taken.latest == answer.latest + 21_333_333)
  }

  @Test("what only the server knows, such as the delay of a USB card, is added, to a step")
  func hidden() {
    var server = Server(step: 48, drift: 50, late: 500_000)
    server.hidden = 6_000_000
    let course = Self.course()
    for _ in 0..<1500 { _ = course.take(server.answer()) }
    let answer = course.take(server.answer())
    #expect(abs(Self.error(answer, server)) <= 600_000)
    #expect(abs(Self.error(answer, server)) <= (answer.latest - answer.earliest) / 2)
  }

  @Test(
    "an answer from before the question does not move it, and a card that is started again is followed from there on")
  func disturbances() {
    var server = Server(step: 48, drift: 100, late: 500_000)
    let course = Self.course()
    for _ in 0..<800 { _ = course.take(server.answer()) }
    let stale = course.take(server.answer(stale: 3_000_000))
    #expect(abs(Self.error(stale, server)) <= 80_000)
    server.start += 30_000_000
    server.place += 13
    for _ in 0..<400 { _ = course.take(server.answer()) }
    let answer = course.take(server.answer())
    #expect(abs(Self.error(answer, server)) <= 80_000)
    #expect(abs(Self.error(answer, server)) <= (answer.latest - answer.earliest) / 2)
  }
}
