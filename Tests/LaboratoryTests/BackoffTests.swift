import Testing

@testable import Laboratory

@Suite("The delays between attempts")
struct BackoffTests {
  @Test(
    "The limit doubles from a second to five minutes",
    arguments: [(1, 1), (2, 2), (3, 4), (8, 128), (9, 256), (10, 300), (11, 300), (1_000_000, 300)])
  func limits(failures: Int, seconds: Int) {
    #expect(Backoff.limit(after: failures) == .seconds(seconds))
  }

  @Test("The delay is anywhere below the limit", arguments: [0, 0.25, 0.5, 1])
  func jitter(random: Double) {
    #expect(Backoff.delay(after: 3, request: nil, random: random) == .seconds(4) * random)
  }

  @Test(
    "What a server asks for is the least, and at most a day",
    arguments: [(10, 10), (2, 4), (200_000, 86_400)])
  func requests(asked: Int, seconds: Int) {
    #expect(Backoff.delay(after: 3, request: .seconds(asked), random: 1) == .seconds(seconds))
  }
}
