import Basics
import Foundation
import Quantities
import Testing

@testable import Sensors
@testable import pretend

/// Bytes changed at random: the decoders answer all of them with plausible values, in bounded memory.
///
/// `STATION_FUZZ_CASES` says how many, `STATION_FUZZ_SEED` which; `Scripts/fuzz sensors` sets them.
@Suite("Bytes of serial devices changed at random")
struct DeviceFuzzTests {
  @Test("No bytes make a decoder fail", arguments: SerialKind.all)
  func mutations(kind: SerialKind) async {
    let environment = ProcessInfo.processInfo.environment
    let cases = environment["STATION_FUZZ_CASES"].flatMap { Int($0) } ?? 2000
    let seed = environment["STATION_FUZZ_SEED"].flatMap { UInt64($0) } ?? 1
    var settings = SerialSettings(path: "", kind: kind)
    if kind == .bitalino { settings.inputs = [.init(number: 1, type: .photoplethysmogram)] }
    var device = PretendedDevice(settings, seed: seed)
    device.take(BitalinoCommand.start([1]))
    let good = device.bytes(until: kind == .lines ? 30 : 3)
    var random = SplitMix64(seed: seed)
    func below(_ bound: Int) -> Int { Int(random.next() % UInt64(bound)) }
    var (units, faults) = (0, 0)
    for number in 0..<cases {
      // Other tests run in real time.
      if number % 8 == 0 { await Task.yield() }
      let start = below(good.count)
      var bytes = Array(good[start..<min(good.count, start + 1 + below(300))])
      for _ in 0..<below(4) where !bytes.isEmpty {
        let place = below(bytes.count)
        switch below(4) {
        case 0: bytes[place] = UInt8(below(256))
        case 1: bytes.remove(at: place)
        case 2: bytes.insert(UInt8(below(256)), at: place)
        default: bytes.insert(contentsOf: (0..<below(40)).map { _ in UInt8(below(256)) }, at: place)
        }
      }
      var decoder = settings.decoder(latency: .zero)
      var moment = Moment(nanoseconds: 0)
      while !bytes.isEmpty {
        let count = min(bytes.count, 1 + below(64))
        moment = moment.advanced(by: .milliseconds(below(3000)))
        let yield = decoder.take(Array(bytes.prefix(count)).span, arrived: moment)
        bytes.removeFirst(count)
        faults += yield.faults.count
        let isPlausible = yield.readings.allSatisfy { reading in
          reading.happened <= moment && (reading.heartRate.map(Sample.rates.contains) ?? true)
            && reading.rrIntervals.allSatisfy(Sample.intervals.contains) && reading.samples.allSatisfy(\.isPlausible)
        }
        let isWhole = yield.waveforms.allSatisfy { $0.count > 0 && $0.end <= moment }
        if !isPlausible || !isWhole { Issue.record("case \(number) of seed \(seed)") }
      }
      units += decoder.unitCount
    }
    #expect(units > cases || kind == .lines && units > cases / 2, "\(units) units, \(faults) faults")
  }
}
