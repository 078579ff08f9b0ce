package import Basics
import Bundles

/// Sends bundles to a destination of one kind.
package protocol Delivery: Sendable {
  /// The delivery for a sender's turn, in which nothing else sends from the results folder to the destination.
  ///
  /// - Parameter folder: what identifies the results folder, so that what its killed senders left can be removed.
  /// - Returns: the delivery.
  func inTurn(of folder: String) async -> any Delivery

  /// Sends a bundle, once.
  ///
  /// - Parameters:
  ///   - bundle: the bundle.
  ///   - now: the time.
  /// - Returns: what became of it.
  func deliver(_ bundle: OutgoingBundle, at now: WallTime) async -> SendOutcome
}

extension Delivery {
  /// The delivery itself: killed senders leave nothing there.
  package func inTurn(of folder: String) async -> any Delivery { self }
}

/// Posts a bundle as a JSON document; a status of success is all that confirms it.
package struct JSONDelivery: Delivery {
  /// Which document is posted.
  package enum Document: Sendable {
    /// The heart rates as in the tutorials.
    case tutorial
    /// The whole trial.
    case trial
  }

  private let exchange: any HTTPExchange
  private let url: String
  private let document: Document
  private let token: AccessToken?

  package init(_ exchange: any HTTPExchange, url: String, document: Document, token: AccessToken?) {
    (self.exchange, self.url, self.document, self.token) = (exchange, url, document, token)
  }

  /// Posts the document of a bundle.
  package func deliver(_ bundle: OutgoingBundle, at now: WallTime) async -> SendOutcome {
    let body: Body
    do throws(SendProblem) {
      body =
        switch document {
        case .tutorial: Body(try TutorialJSON.bytes(of: bundle), type: TutorialJSON.type)
        case .trial: Body(try TrialJSON.bytes(of: bundle), type: TrialJSON.type)
        }
    } catch {
      return .refused(error, .bundle)
    }
    let mark = bundle.bundle.record.simulation.isSimulated ? [DocumentPost.simulationMark] : []
    let request = HTTPRequest(
      "POST", url, headers: ["Idempotency-Key: \"\(bundle.trial)\""] + mark, token: token, body: body)
    do throws(TransferFault) {
      let answer = try await exchange.perform(request, limit: AnswerReading.maxAnswerLength)
      return AnswerReading.failure(answer, at: now) ?? .sent(.status, receipt: nil)
    } catch {
      return AnswerReading.failure(error)
    }
  }
}
