import Quantities
import Testing

@testable import Sound

@Suite("Deadlines of a process that stood still")
struct DeadlineGraceTests {
  private let deadline = Moment(nanoseconds: 5_000_000_000)
  private let limit = Duration.seconds(2)

  @Test("A timer that comes in time means that the deadline has passed", arguments: [0, 1, 100])
  func inTime(late: Int64) {
    var grace = DeadlineGrace()
    #expect(grace.extend(deadline, by: limit, at: deadline.advanced(by: .milliseconds(late))) == nil)
  }

  @Test("A timer that comes late begins the wait again, and only once a deadline")
  func late() {
    var grace = DeadlineGrace()
    let now = deadline.advanced(by: .seconds(3))
    #expect(grace.extend(deadline, by: limit, at: now) == now.advanced(by: limit))
    #expect(grace.extend(deadline, by: limit, at: now.advanced(by: .seconds(4))) == nil)
    let next = now.advanced(by: .seconds(2))
    #expect(grace.extend(next, by: limit, at: next.advanced(by: .seconds(1))) != nil)
  }
}
