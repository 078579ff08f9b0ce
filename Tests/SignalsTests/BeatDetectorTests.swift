import Glibc
import Testing

@testable import Signals

@Suite("Heartbeats in waveforms")
struct BeatDetectorTests {
  private func find(
    _ values: [Double], rate: Double, _ kind: BeatDetector.Kind = .electrocardiogram
  ) -> (beats: [BeatDetector.Beat], reports: [BeatDetector.Report]) {
    var detector = BeatDetector(kind, rate: rate)
    var (beats, reports): ([BeatDetector.Beat], [BeatDetector.Report]) = ([], [])
    for (place, value) in values.enumerated() {
      let output = detector.take(value, at: Double(place) / rate)
      beats += output.beats
      if let report = output.report { reports.append(report) }
    }
    return (beats + detector.finish(), reports)
  }

  @Test(
    "R peaks are found to 2 ms at any rate", arguments: [100, 128, 130, 250, 256, 360, 500, 512, 1000, 2000.0])
  func rates(rate: Double) {
    let made = MadeElectrocardiogram(rate: rate, seconds: 120)
    let found = Found(find(made.values, rate: rate).beats.map(\.time), of: made.beats)
    #expect(found.sensitivity == 1 && found.precision == 1)
    #expect(found.worst < 2)
  }

  @Test("R peaks are found in any heart", arguments: [30, 45, 70, 110, 150, 190.0])
  func hearts(perMinute: Double) {
    let heart = MadeElectrocardiogram.Heart(perMinute: perMinute, spread: 0.1, tWave: 0.6)
    let made = MadeElectrocardiogram(heart, rate: 250, seconds: 180, seed: 7)
    let found = Found(find(made.values, rate: 250).beats.map(\.time), of: made.beats)
    #expect(found.sensitivity >= 0.99 && found.precision >= 0.99)
    #expect(found.worst < 5)
  }

  @Test("R peaks are found in a disturbed signal", arguments: 0..<6)
  func disturbances(index: Int) {
    var heart = MadeElectrocardiogram.Heart()
    if index == 4 { heart.isInverted = true }
    if index == 5 { heart.noise = 0.15 }
    var made = MadeElectrocardiogram(heart, rate: 250, seconds: 180, seed: 3)
    switch index {
    case 0: made.add { sin(2 * .pi * 0.3 * $0) }
    case 1: made.add { 0.3 * sin(2 * .pi * 50 * $0) }
    case 2: made.add { 0.3 * sin(2 * .pi * 60 * $0) }
    // Of a loose electrode: a step, a decay, and another gain.
    case 3: made.change { time, value in time < 60 ? value : 0.3 * value + 3 * exp(-(time - 60)) }
    default: break
    }
    let found = Found(find(made.values, rate: 250).beats.map(\.time), of: made.beats)
    #expect(found.sensitivity >= 0.99 && found.precision >= 0.99)
    #expect(found.worst < 8)
  }

  @Test("A beat comes at most its delay after it, live")
  func delay() {
    let made = MadeElectrocardiogram(rate: 250, seconds: 60)
    var detector = BeatDetector(.electrocardiogram, rate: 250)
    for (place, value) in made.values.enumerated() {
      let now = Double(place) / 250
      for beat in detector.take(value, at: now).beats where now > 5 {
        #expect(now - beat.time <= detector.delay + 0.01)
      }
    }
    #expect(detector.delay < 0.6)
  }

  @Test("Frames that are missing are bridged for 0.1 s, and are a gap beyond")
  func holes() {
    let made = MadeElectrocardiogram(rate: 500, seconds: 60)
    var detector = BeatDetector(.electrocardiogram, rate: 500)
    var beats: [BeatDetector.Beat] = []
    for (place, value) in made.values.enumerated() {
      let time = Double(place) / 500
      // A short hole each second, as missing frames or as frames without a value, and a long one at 30 s.
      let isMissing = time.truncatingRemainder(dividingBy: 1) < 0.05 || (30..<33).contains(time)
      if isMissing, place.isMultiple(of: 2) { beats += detector.take(.nan, at: time).beats }
      if !isMissing { beats += detector.take(value, at: time).beats }
    }
    beats += detector.finish()
    let seen = made.beats.filter { !(29.85..<33.15).contains($0) && $0.truncatingRemainder(dividingBy: 1) > 0.1 }
    #expect(Found(beats.map(\.time), of: seen).sensitivity > 0.97)
    let after = beats.first { $0.time > 32 }
    #expect(after?.interval == nil)
    #expect(beats.allSatisfy { $0.interval.map { $0 < 2.5 } ?? true })
  }

  @Test("Noise, a hum and a flat line have no beats, and a quality of nothing", arguments: 0..<4)
  func nothing(index: Int) {
    var made = MadeElectrocardiogram(rate: 250, seconds: 60)
    let noise = MadeElectrocardiogram(
      MadeElectrocardiogram.Heart(perMinute: 0.1, noise: 1), rate: 250, seconds: 60, seed: 9
    ).values
    made.change { time, _ in
      switch index {
      case 0: noise[min(noise.count - 1, Int(time * 250))]
      case 1: sin(2 * .pi * 50 * time)
      case 2: 0.7
      default: .nan
      }
    }
    let (beats, reports) = find(made.values, rate: 250)
    #expect(beats.count <= 6)
    #expect(reports.dropFirst(8).allSatisfy { $0.quality < 0.6 })
    if index == 2 { #expect(reports.allSatisfy { $0.fault == .flat }) }
    if index == 3 { #expect(reports.isEmpty) }
  }

  @Test("A saturated amplifier is reported, and a clean signal has a high quality")
  func quality() {
    var made = MadeElectrocardiogram(rate: 250, seconds: 60)
    #expect(find(made.values, rate: 250).reports.dropFirst(8).allSatisfy { $0.quality > 0.9 && $0.fault == nil })
    made.change { time, value in min(0.6, value + 0.6 * sin(2 * .pi * 0.2 * time)) }
    #expect(find(made.values, rate: 250).reports.contains { $0.fault == .saturated })
  }

  @Test("Live and in one go the same beats are found")
  func pieces() {
    let made = MadeElectrocardiogram(rate: 360, seconds: 60)
    let whole = find(made.values, rate: 360).beats
    var detector = BeatDetector(.electrocardiogram, rate: 360)
    var beats: [BeatDetector.Beat] = []
    for start in stride(from: 0, to: made.values.count, by: 72) {
      for place in start..<min(start + 72, made.values.count) {
        beats += detector.take(made.values[place], at: Double(place) / 360).beats
      }
    }
    #expect(beats + detector.finish() == whole)
  }

  @Test(
    "Pulse waves are found at their steepest part, as far apart as the heartbeats",
    arguments: [25, 64, 100, 250, 1000.0])
  func pulseWaves(rate: Double) {
    let heart = MadeElectrocardiogram(rate: 100, seconds: 120).beats
    var values = [Double](repeating: 0, count: Int(120 * rate))
    for place in values.indices {
      let time = Double(place) / rate
      values[place] = 0.3 * sin(2 * .pi * 0.2 * time)
      for beat in heart where time > beat && time < beat + 1 {
        // The systolic and the dicrotic wave.
        values[place] += exp(-pow((time - beat - 0.25) / 0.1, 2)) + 0.35 * exp(-pow((time - beat - 0.48) / 0.13, 2))
      }
    }
    let (beats, reports) = find(values, rate: rate, .photoplethysmogram)
    let found = Found(beats.map(\.peak), of: heart.dropFirst(2).dropLast().map { $0 + 0.25 })
    #expect(found.sensitivity >= 0.99 && found.precision >= 0.97)
    #expect(found.worst < 20)
    #expect(reports.suffix(60).allSatisfy { $0.quality > 0.8 })
    for (before, beat) in zip(beats, beats.dropFirst()) {
      #expect(abs((beat.interval ?? 0) - (beat.time - before.time)) < 1e-9)
    }
  }

  @Test("An average of 1/50 s cancels a hum of 50 Hz at a rate that it does not divide", arguments: [130, 256, 333.0])
  func hum(rate: Double) {
    var average = MovingAverage(width: rate / 50)
    var outputs: [Double] = []
    for place in 0..<400 {
      if let output = average.take(2 + sin(2 * .pi * 50 * Double(place) / rate)) { outputs.append(output) }
    }
    #expect(outputs.count == 400 - average.delay)
    // An average of a width between two numbers of samples leaves a tenth at most.
    #expect(outputs.dropFirst(20).allSatisfy { abs($0 - 2) < 0.1 })
  }
}
