import Bundles
import Quantities
import Study

extension Session: TrialSession {
  func answer(_ request: SessionRequest) async -> TrialInput? {
    switch request {
    case .trials(let numbers):
      return .performed(await sessionOperator.performInside { await self.performInside(numbers) })
    case .sensors(let limit):
      return .performed(await sessionOperator.performInside { await self.performSensorCheck(within: limit) })
    case .signature(let signature, let consent):
      do {
        try keep(signature, under: consent)
        return nil
      } catch {
        return .failed(reason: "the signature could not be kept: \(error)")
      }
    case .volume(let gain):
      choose(volume: gain)
      return nil
    }
  }

  private func keep(_ signature: ConsentSignature, under consent: ConsentStep) throws {
    let phrases = setup.phrases
    let step = setup.study.studyProtocol.steps.first { $0.consent == consent }
    try archive.write(
      ConsentRecord(
        session: identifier, studyProtocol: setup.study.reference, participant: setup.participant,
        title: step?.title, language: phrases.tag, document: consent.document, sha256: consent.sha256,
        question: consent.document.agreement ?? phrases[.agreement], answer: phrases[.yes], signature: signature,
        date: clock.wallReading().wall))
  }

  /// Checks the sensors in a step of their own; without a plausible sample the operator decides.
  private func performSensorCheck(within limit: Duration) async -> TrialEnd {
    do {
      return try await checkSensors(within: limit, isFirst: true) ? .completed : .stopped
    } catch SessionError.notStarted {
      return .stopped
    } catch {
      return .failed(reason: "\(error)")
    }
  }

  /// Waits until every recorder's sensor has sent a plausible sample, before anything is recorded.
  ///
  /// If samples are missing, the operator decides; if there is no one to ask, the trial is refused.
  ///
  /// - Returns: whether the trial begins; `false` if the operator gives up before a later one.
  func checkSensors() async throws -> Bool {
    let isFirst = !hasCheckedSensors
    hasCheckedSensors = true
    return try await checkSensors(within: setup.study.studyProtocol.sensorCheck, isFirst: isFirst)
  }

  /// What the recorders need of their sensors.
  var sensorNeeds: [SensorCheck.Need] {
    setup.recorders.recorders.map {
      SensorCheck.Need(recorder: $0.identifier, sensor: $0.sensor.name, quantity: $0.configuration.quantityType)
    }
  }

  private func checkSensors(within limit: Duration, isFirst: Bool) async throws -> Bool {
    guard setup.checksSensors, limit > .zero else { return true }
    let needs = sensorNeeds
    while true {
      sessionOperator.inform(.awaitsSamples(true))
      let shortfalls = await firstResult(
        of: { [hub] in await SensorCheck(needs, within: limit).run(hub) }, unless: sessionOperator.awaitGivingUp)
      sessionOperator.inform(.awaitsSamples(false))
      guard !sessionOperator.givesUp, let shortfalls else { return false }
      guard !shortfalls.isEmpty else { return true }
      switch await sessionOperator.answer(.sensors(shortfalls)) {
      case .again: continue
      case .goOn:
        for shortfall in shortfalls {
          await hub.note("did not pass the check before the trial: \(shortfall.reason)", of: shortfall.need.sensor)
        }
        return true
      case .end where !isFirst: return false
      case .end: throw SessionError.notStarted
      case nil: throw SessionError.noPlausibleSample(shortfalls)
      }
    }
  }
}
