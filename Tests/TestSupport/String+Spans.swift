extension String {
  /// A page without the tags that keep the words of its commands whole.
  package var withoutSpans: String { replacing("<span>", with: "").replacing("</span>", with: "") }
}
