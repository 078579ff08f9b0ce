package import Quantities
package import Session
package import Study

/// Shows the operator's own steps, during which the participant's page asks for patience.
package struct OperatorsTurn: Presenter {
  private let presenter: any Presenter
  private let page: ParticipantPage

  package init(_ presenter: any Presenter, page: ParticipantPage) { (self.presenter, self.page) = (presenter, page) }

  package var showsProgress: Bool { presenter.showsProgress }

  package var keyUncertainty: Duration? { presenter.keyUncertainty }

  package func show(_ screen: Screen) {
    page.showWait()
    presenter.show(screen)
  }

  package func tell(_ event: PresentedEvent, of step: Step) { presenter.tell(event, of: step) }

  package func take(_ key: OperatorKey, at moment: Moment) -> KeyEffect { presenter.take(key, at: moment) }
}
