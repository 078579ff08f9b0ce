import Basics
import Quantities
import Study

/// `benchmark plan ORDER MAXRUN|none TRIALS ROUNDS`: plans a session of so many trials of four conditions, again and again,
/// each time with another seed; a line of milliseconds comes out.
struct PlanningTrials {
  private let order: TrialOrder
  private let maxRun: Int?
  private let trials: Int
  private let rounds: Int

  private static let conditions = 4
  private static let clipsEach = 10

  init(_ words: [String]) throws {
    guard words.count == 4, let order = TrialOrder(rawValue: words[0]), let trials = Int(words[2]),
      trials >= Self.conditions, trials.isMultiple(of: Self.conditions), let rounds = Int(words[3]), rounds > 0
    else { throw WrongUsage() }
    (self.order, maxRun, self.trials, self.rounds) = (order, Int(words[1]), trials, rounds)
  }

  func run() throws {
    let (studyProtocol, clips) = (try studyProtocol(), clips)
    let clock = MonotonicClock()
    var times: [String] = []
    var planned = 0
    for seed in 1...rounds {
      let start = clock.now
      let plan = try Plan.make(for: studyProtocol, clips: clips, seed: UInt64(seed))
      times.append((start.duration(to: clock.now).seconds * 1000).fixed(3))
      planned += plan.trials.count
    }
    guard planned == trials * rounds else { throw WrongUsage() }
    print(times.joined(separator: " "))
  }

  /// Thirty seconds of music of the trial's condition, and a pause whose duration is drawn.
  private func studyProtocol() throws -> StudyProtocol {
    let names = (0..<Self.conditions).map { #"{"name": "c\#($0)", "clips": {"mood": "m\#($0)"}}"# }
    let text = """
      {"format": "station.protocol/1", "identifier": "Planning", "version": "1", "clips": {"folder": "clips"}, "steps": [
        {"kind": "trials", "identifier": "pieces",
          "design": {"conditions": [\(names.joined(separator: ", "))], "order": "\(order.rawValue)", "clipReuse": "always"},
          "steps": [
            {"kind": "music", "identifier": "music", "clip": {"choose": "condition"}, "stepDuration": 30},
            {"kind": "rest", "identifier": "pause",
              "stepDuration": {"distribution": "uniform", "minimum": 8, "maximum": 12}}]}]}
      """
    var studyProtocol = try StudyProtocolReader.read(Array(text.utf8), fileName: "planning.json").studyProtocol
    guard var step = studyProtocol.steps[0].kind as? TrialsStep else { throw WrongUsage() }
    step.design.repetitions = trials / Self.conditions
    step.design.constraints = maxRun.map { [OrderConstraint(.maxRun($0), labels: Array(0..<Self.conditions))] } ?? []
    studyProtocol.steps[0].kind = step
    return studyProtocol
  }

  private var clips: [Clip] {
    (0..<Self.conditions * Self.clipsEach).map { number in
      Clip(
        name: "clip\(number)", path: "clips/clip\(number).mp3", bytes: 1_000_000,
        sha256: String(repeating: "0", count: 64), frames: 1_764_000, sampleRate: 44_100, channels: 2,
        annotation: ClipAnnotation(mood: "m\(number % Self.conditions)"))
    }
  }
}
