import Basics

extension JSONValue {
  /// The codes of a result's caveats, in its order.
  ///
  /// - Parameter verdict: the least of what they make of the trial by themselves: `good`, `suspect` or `bad`.
  /// - Returns: the codes.
  package func caveats(from verdict: String = "good") -> [String] {
    let verdicts = ["good", "suspect", "bad"].drop { $0 != verdict }
    return (self["caveats"]?.array ?? []).filter { verdicts.contains($0["verdict"]?.string ?? "") }
      .compactMap { $0["caveat"]?.string }
  }
}
