import Testing

@testable import Export

@Suite("The even grid of a waveform in an export")
struct FrameGridTests {
  /// Takes frames at these times; returns what is missing before each.
  private func taken(_ times: [Double], rate: Double) -> (missing: [Int], grid: FrameGrid) {
    var grid = FrameGrid(rate: rate)
    let missing = times.map { grid.take($0) }
    return (missing, grid)
  }

  @Test("Frames whose times go back by some milliseconds are all kept")
  func overlap() {
    var times = (0..<2000).map { Double($0) / 1000 }
    for place in 1000..<2000 { times[place] -= 0.01 }
    let (missing, grid) = taken(times, rate: 1000)
    #expect(missing.allSatisfy { $0 == 0 } && grid.count == 2000)
  }

  @Test("A step of 30 ms is not a gap, one of 560 ms has the frames that are missing")
  func gap() {
    var times = (0..<260).map { Double($0) / 130 }
    for place in 130..<260 { times[place] += 0.03 }
    times += (333..<400).map { Double($0) / 130 + 0.03 }
    let (missing, grid) = taken(times, rate: 130)
    #expect(missing.filter { $0 > 0 } == [73])
    #expect(grid.count == 400)
  }

  @Test("The rate is the measured one where a sensor's clock is off", arguments: [-400.0, -90, 90, 400])
  func drift(partsPerMillion: Double) {
    let rate = 250 * (1 + partsPerMillion / 1e6)
    let (missing, grid) = taken((0..<75_000).map { 3 + Double($0) / rate }, rate: 250)
    #expect(missing.allSatisfy { $0 == 0 })
    #expect((grid.rate / rate - 1).magnitude < 1e-9)
  }

  @Test("The rate is the nominal one where times are off by rounding alone")
  func nominal() {
    let (_, grid) = taken((0..<1000).map { (Double($0) / 130 * 1000).rounded() / 1000 }, rate: 130)
    #expect(grid.rate == 130)
    #expect(taken([], rate: 130).grid.rate == 130)
    #expect(taken([2], rate: 130).grid.rate == 130)
  }
}
