import Basics
import Quantities
import Study

/// The document that most people read: `data/result.json`.
struct ResultDocument {
  let account: TrialAccount
  let recordings: [RecorderCut]
  let embeddedClip: String?

  /// The document; every member is there, with `null` where there is nothing to say.
  ///
  /// Only what earlier stations did not know of is missing then: time zone, sensor location and motion context.
  var value: JSONValue {
    let opening = account.opening
    let verdict = Verdict(on: account, recordings: recordings)
    return [
      "format": "station.result/1",
      "trial": .string(opening.trial),
      "outcome": .string(outcome.rawValue),
      "reason": .optional(account.closing?.reason),
      "task": [
        "identifier": .string(opening.task), "version": .string(opening.taskVersion),
        "protocol": .string(BundleFile.protocolFile), "protocolSha256": .string(opening.protocolSHA256),
      ],
      "participant": ["id": .string(opening.participant)],
      "session": .string(opening.session),
      "seed": .seed(opening.seed),
      "station": .coded(opening.station),
      "clock": clock,
      "startDate": date(account.openedAt),
      "endDate": date(account.end),
      "unattended": .bool(opening.isUnattended),
      "steps": .array(account.steps.map(step)),
      "clip": clip,
      "playback": playback,
      "recordings": .array(recordings.map(recording)),
      "verdict": [
        "grade": .string(verdict.grade.rawValue),
        "reasons": .array(verdict.reasons.map { .string($0.description) }), "rules": .integer(Verdict.rules),
        "thresholds": .coded(opening.thresholds),
      ],
      "warnings": .array(warnings(verdict).map(JSONValue.string)),
      "files": [
        "clip": .optional(embeddedClip), "events": .string(BundleFile.events), "heart": .string(BundleFile.heart),
        "journal": .string(BundleFile.journal), "protocol": .string(BundleFile.protocolFile),
      ],
    ]
  }

  private var outcome: Outcome { account.closing?.outcome ?? .recovered }

  private func date(_ time: Duration) -> JSONValue {
    .string(account.opening.zero.wall.advanced(by: time).description)
  }

  // A trial that was recovered did not read the calendar at its end.
  private var clock: JSONValue {
    let zero = account.opening.zero
    let end = account.closing?.calendar
    return [
      "zero": .string(zero.wall.description), "uncertainty_ns": .nanoseconds(zero.uncertainty),
      "synchronized": zero.isSynchronized.map(JSONValue.bool) ?? .null, "end": .optional(end?.wall.description),
      "endUncertainty_ns": end.map { .nanoseconds($0.uncertainty) } ?? .null,
      "endSynchronized": end?.isSynchronized.map(JSONValue.bool) ?? .null,
      "drift_ns": account.drift.map(JSONValue.nanoseconds) ?? .null,
    ]
  }

  private func step(_ step: TrialAccount.Step) -> JSONValue {
    var members: [String: JSONValue] = [
      "identifier": .string(step.identifier), "shown_ns": .nanoseconds(step.shown),
      "left_ns": .time(step.end?.time), "end": .optional(step.end?.reason.rawValue),
    ]
    // A journal that says nothing of active parts is not taken for one without them.
    if account.hasActiveTimes {
      members["begun_ns"] = .time(step.begun)
      members["finished_ns"] = .time(step.finished)
    }
    return .object(members)
  }

  private func recording(_ recording: RecorderCut) -> JSONValue {
    let configuration = recording.recorder.configuration
    let chosen = account.chosen.flatMap { $0.step == recording.recorder.step ? $0.clip : nil }
    let isEmpty = recording.samples == 0
    return .object(
      .known([
        "identifier": .string(configuration.identifier),
        "motionContext": configuration.knownMotion.map(JSONValue.string),
        "step": .string(recording.recorder.step),
        "clip": chosen.map { ["name": .string($0.name), "sha256": .string($0.sha256)] } ?? .null,
        "quantityType": .string(configuration.quantityType.healthKitIdentifier),
        "unit": .string(configuration.unit.symbol),
        "settle_ms": .number(configuration.settle.milliseconds),
        "sensor": .object(
          .known([
            "name": .string(recording.source.name), "latency_ms": .number(recording.source.latency.milliseconds),
            "device": recording.source.device.map(JSONValue.coded) ?? .null,
            "location": recording.source.location.map { .string($0.name) },
          ])),
        "file": .string(BundleFile.heart),
        "segments": .array(
          recording.spans.map { ["start_ns": .nanoseconds($0.lowerBound), "end_ns": .nanoseconds($0.upperBound)] }),
        "samples": .integer(recording.samples),
        "late": .integer(recording.late),
        "coverage": .finite((recording.coverage * 10_000).rounded() / 10_000) ?? 0,
        "firstSample_ns": recording.first.map(JSONValue.nanoseconds) ?? .null,
        "lastSample_ns": recording.last.map(JSONValue.nanoseconds) ?? .null,
        "gaps": .array(
          recording.gaps.map {
            ["start_ns": .nanoseconds($0.start), "end_ns": .nanoseconds($0.end), "reason": .string($0.reason)]
          }),
        "summary": isEmpty
          ? .null
          : [
            "min": .number(recording.smallest), "max": .number(recording.largest),
            "mean": .finite(recording.mean) ?? .null, "last": .number(recording.lastValue),
            "unit": .string(configuration.unit.symbol),
          ],
      ]))
  }

  // Remarks that a reader should know of and that are not among the verdict's reasons.
  private func warnings(_ verdict: Verdict) -> [String] {
    var warnings: [String] = []
    let opening = account.opening
    if let rate = account.opening.speaker?.sinkRate, let clip = account.chosen?.clip, rate != clip.sampleRate {
      warnings.append("the sound server resampled the clip from \(clip.sampleRate) to \(rate) Hz")
    }
    warnings += account.opening.speaker?.remarks ?? []
    warnings += account.opening.speaker?.volume?.remarks ?? []
    if let chosen = account.chosen, chosen.missedTarget(by: opening.thresholds.loudnessTolerance) == nil,
      let shortfall = chosen.target?.shortfall(of: chosen.clip.name, reached: chosen.reachedLoudness)
    {
      warnings.append(shortfall)
    }
    for recording in recordings where recording.segments.isEmpty {
      warnings.append("the recorder “\(recording.identifier)” was never started")
    }
    for reason in recordings.compactMap(\.implausibleSamples) where !verdict.reasons.contains(reason) {
      warnings.append("\(reason)")
    }
    for sensor in account.linesSkipped.keys.sorted() {
      let count = account.linesSkipped[sensor] ?? 0
      let phrase =
        count == 1
        ? "a line of “\(sensor)” could not be read and was" : "\(count) lines of “\(sensor)” could not be read and were"
      warnings.append("\(phrase) skipped")
    }
    warnings += account.sensorNotes
    if account.unknownRecords > 0 {
      let count = account.unknownRecords
      let kinds = account.unknownKinds.keys.sorted().map { "“\($0)”" }.joined(separator: ", ")
      warnings.append(
        "\(count == 1 ? "1 journal record" : "\(count) journal records") of unknown kinds (\(kinds)) skipped: "
          + "a newer station wrote the journal")
    }
    warnings += account.problems.map(\.description)
    let more = account.problemCount - account.problems.count
    if more > 0 { warnings.append("the journal: and \(more) more problems") }
    return warnings
  }
}

extension RecorderConfiguration {
  /// The motion context's name, where the protocol says one.
  fileprivate var knownMotion: String? { motionContext == .notSet ? nil : motionContext.name }
}

extension JSONValue {
  /// A string, or `null`.
  static func optional(_ text: String?) -> JSONValue { text.map(JSONValue.string) ?? .null }
}
