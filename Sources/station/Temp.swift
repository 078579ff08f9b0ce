enum Suggestion { static func nearest(to: String, among: [String]) -> String? { nil } }
