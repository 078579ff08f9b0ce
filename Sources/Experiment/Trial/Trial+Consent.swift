import Bundles
import Study

extension Trial {
  /// Writes down whether the participant consents; samples are recorded from then on.
  func consent(_ index: Int, isGiven: Bool) {
    let step = prepared.steps[index]
    guard let consent = step.consent else { return }
    log.append(
      .consented(step: step.identifier, version: consent.document.version, sha256: consent.sha256, isGiven: isGiven))
    if isGiven { startTaking() }
  }

  /// Records samples from now on.
  func startTaking() {
    readings.startTaking()
    startRecorders()
  }

  /// Keeps a signature apart from the journal; without it the trial cannot go on.
  func sign(_ index: Int, _ name: String) {
    guard let consent = prepared.steps[index].consent else { return }
    do {
      try prepared.services.keepSignature(name, consent)
    } catch {
      inbox.send(.failed(reason: "the signature could not be kept: \(error)"))
    }
  }
}
