package import Basics

extension StoreRebuild.Outcome {
  /// The outcome for people, without the problems.
  package var lines: [String] {
    var lines = ["\(bundles.counted("bundle")); \(added.counted("sample was", "samples were")) missing"]
    if different > 0 {
      lines.append(
        "\(different.counted("sample in the store differs", "samples in the store differ")) from the bundles; "
          + "--from-scratch makes the store again")
    }
    lines += [SimulatedTrial.leftOut(simulated)].compactMap(\.self)
    return lines
  }

  /// The outcome as members of a JSON object.
  package var json: [String: JSONValue] {
    [
      "bundles": .integer(bundles), "addedSamples": .integer(added), "differentSamples": .integer(different),
      "simulatedBundles": .integer(simulated),
      "problems": .array(problems.map { ["path": .string($0.path), "reason": .string($0.reason)] }),
    ]
  }
}
