import Bundles
import Glibc

/// Lays out a pie: a ring with its labels beside it if there is room, otherwise with a legend.
struct PieLayout {
  let figure: PieFigure
  let heading: Heading
  let size: CanvasSize
  let setter: TextSetter

  private var style: Style { setter.style }

  /// The shapes and labels, and what there is no room for.
  func layout() -> ([Element], [ChartPart]) {
    let total = figure.slices.reduce(0) { $0 + $1.value }
    for names in [true, false] {
      let legend =
        names
        ? []
        : figure.slices.enumerated().map { index, slice -> LegendEntry in
          // Bidi isolates keep the share after a right-to-left name.
          let name = slice.name.isRightToLeft ? "\u{2068}\(slice.name)\u{2069}" : slice.name
          return LegendEntry(
            label: slice.share.isEmpty ? name : "\(name) \(slice.share)", swatch: .surface(.series(index)))
        }
      for details in Detail.choices {
        let header = Header(heading, legend: legend, details: details, width: size.width, setter: setter)
        let room = Rect(
          x: style.padding, y: header.bottom, width: size.width - 2 * style.padding,
          height: size.height - style.padding - header.bottom)
        guard min(room.width, room.height) >= style.leastPlot || details.isEmpty else {
          // Drop the labels beside the ring rather than the title.
          guard names else { continue }
          break
        }
        if let elements = ring(total: total, in: room, names: names) {
          let parts = heading.parts(leftOutOf: details)
          return (header.elements + elements, parts + (names || details.contains(.legend) ? [] : [.legend]))
        }
        if names { break }
      }
    }
    return ([], heading.parts(leftOutOf: []) + [.labels])
  }

  /// The ring, with labels if `names` is true; `nil` if the labels do not fit.
  private func ring(total: Double, in room: Rect, names: Bool) -> [Element]? {
    let longest = figure.slices.flatMap { [setter.width($0.name.inOneLine), setter.width($0.share)] }.max() ?? 0
    let lead = style.gap * 2
    let margin = names ? longest + lead + style.gap : 0
    let radius = min(room.height / 2 - (names ? lead * 0.6 : 0), (room.width - 2 * margin) / 2)
    guard radius >= (names ? min(70, style.leastPlot) : 1) else { return nil }
    let centre = Point(x: room.x + room.width / 2, y: room.y + room.height / 2)
    let hole = radius * 0.56
    var elements: [Element] = []
    var captions: [Caption] = []
    // Start at twelve o'clock.
    var angle = -Double.pi / 2
    for (index, slice) in figure.slices.enumerated() {
      let turn = slice.value / total * 2 * .pi * (figure.isClockwise ? 1 : -1)
      let (from, to) = (min(angle, angle + turn), max(angle, angle + turn))
      elements.append(
        .shape(
          Path.ringPart(centre: centre, outer: radius, inner: hole, from: from, to: to), fill: .series(index),
          stroke: style.isCrisp && figure.slices.count > 1 ? Stroke(ink: .ground, width: 2) : nil))
      let middle = (from + to) / 2
      captions.append(Caption(slice: slice, direction: Point(x: cos(middle), y: sin(middle))))
      angle += turn
    }
    if names {
      guard let words = place(captions, centre: centre, radius: radius, lead: lead, in: room) else { return nil }
      elements += words
    }
    return elements + centreWords(at: centre, hole: hole)
  }

  private struct Caption {
    let slice: PieFigure.Slice
    /// The direction from the centre to the middle of its slice.
    let direction: Point
  }

  /// The labels left and right of the ring, pushed apart until they no longer overlap.
  private func place(
    _ captions: [Caption], centre: Point, radius: Double, lead: Double, in room: Rect
  ) -> [Element]? {
    var elements: [Element] = []
    let rows = captions.contains { !$0.slice.share.isEmpty } ? 2.0 : 1
    let height = rows * style.textHeight + style.rowGap * 0.6
    for isRight in [true, false] {
      let side = captions.filter { ($0.direction.x >= 0) == isRight }.sorted { $0.direction.y < $1.direction.y }
      guard Double(side.count) * height <= room.height else { return nil }
      var tops = side.map { centre.y + $0.direction.y * (radius + lead * 0.6) - style.textHeight / 2 }
      for index in tops.indices { tops[index] = max(tops[index], index == 0 ? room.y : tops[index - 1] + height) }
      for index in tops.indices.reversed() {
        tops[index] = min(tops[index], (index == tops.count - 1 ? room.bottom : tops[index + 1]) - height)
      }
      for (caption, top) in zip(side, tops) {
        let sign = isRight ? 1.0 : -1
        let edge = Point(x: centre.x + caption.direction.x * radius, y: centre.y + caption.direction.y * radius)
        let words = Point(x: centre.x + sign * (radius + lead), y: top + style.textHeight / 2)
        // The leader line goes outwards first, so as not to cross the neighbours.
        let out = radius + lead * 0.6
        let bend = Point(x: centre.x + caption.direction.x * out, y: centre.y + caption.direction.y * out)
        let line = Path(line: [edge, bend, Point(x: words.x - sign * 3, y: words.y)])
        elements.append(.shape(line, fill: nil, stroke: Stroke(ink: .axis, width: 1)))
        let anchor: Label.Anchor = isRight ? .start : .end
        elements.append(.text(setter.label(caption.slice.name.inOneLine, x: words.x, top: top, anchor: anchor)))
        if !caption.slice.share.isEmpty {
          elements.append(
            .text(
              setter.label(
                caption.slice.share, x: words.x, top: top + style.textHeight, anchor: anchor, ink: .faintText)))
        }
      }
    }
    return elements
  }

  private func centreWords(at centre: Point, hole: Double) -> [Element] {
    let room = hole * 1.6
    let title = setter.shortened(figure.centreTitle.inOneLine, to: room, isTitle: true)
    let text = setter.shortened(figure.centreText.inOneLine, to: room)
    let height = (title.isEmpty ? 0 : style.titleHeight) + (text.isEmpty ? 0 : style.textHeight)
    guard height > 0, height < hole * 1.2 else { return [] }
    var top = centre.y - height / 2
    var elements: [Element] = []
    if !title.isEmpty {
      elements.append(.text(setter.label(title, x: centre.x, top: top, anchor: .middle, isTitle: true)))
      top += style.titleHeight
    }
    if !text.isEmpty {
      elements.append(.text(setter.label(text, x: centre.x, top: top, anchor: .middle, ink: .faintText)))
    }
    return elements
  }
}

extension Path {
  /// A segment of a ring, between two angles in ascending order.
  static func ringPart(centre: Point, outer: Double, inner: Double, from: Double, to: Double) -> Path {
    var path = Path()
    func place(_ angle: Double, _ radius: Double) -> Point {
      Point(x: centre.x + radius * cos(angle), y: centre.y + radius * sin(angle))
    }
    path.commands.append(.move(place(from, outer)))
    path.commands.append(.arc(center: centre, radius: outer, from: from, to: to))
    path.commands.append(.line(place(to, inner)))
    // Back along the inner edge, in invisibly small steps.
    let steps = max(2, Int(((to - from) * 30).rounded(.up)))
    for step in 1...steps {
      path.commands.append(.line(place(to - (to - from) * Double(step) / Double(steps), inner)))
    }
    path.close()
    return path
  }
}

extension Figure {
  /// Lays the chart out.
  func drawing(size: CanvasSize, style: Style, ruler: any TextRuler) -> Drawing {
    let setter = TextSetter(style: style, ruler: ruler)
    var drawing = Drawing(
      size: size, title: heading.title.inOneLine, summary: summary.inOneLine)
    // The mark has a strip of its own below the chart, whatever else is left out.
    let strip = style.textHeight + style.padding / 2
    (drawing.elements, drawing.partsLeftOut) = layout(
      size: heading.isSimulated ? size.less(height: strip) : size, setter: setter)
    if heading.isSimulated {
      let top = size.height - strip
      drawing.elements.append(.text(setter.label(TrialSimulation.mark, x: style.padding, top: top)))
    }
    return drawing
  }

  private func layout(size: CanvasSize, setter: TextSetter) -> ([Element], [ChartPart]) {
    switch content {
    case .axes(let figure) where figure.hasData:
      AxesLayout(figure: figure, heading: heading, size: size, setter: setter).layout()
    case .pie(let figure) where !figure.slices.isEmpty:
      PieLayout(figure: figure, heading: heading, size: size, setter: setter).layout()
    default: (noData(size: size, setter: setter), [])
    }
  }

  /// The heading, and the message that there are no data, centred in the remaining area.
  private func noData(size: CanvasSize, setter: TextSetter) -> [Element] {
    let style = setter.style
    let least = style.textHeight + style.padding
    let headers = Detail.choices.lazy.map {
      Header(heading, legend: [], details: $0, width: size.width, setter: setter)
    }
    guard let header = headers.first(where: { size.height - $0.bottom >= least }) else { return [] }
    let room = Rect(
      x: style.padding, y: header.bottom, width: size.width - 2 * style.padding,
      height: size.height - style.padding - header.bottom)
    let most = max(1, Int(room.height / style.textHeight))
    let lines = setter.lines(heading.noDataText.inOneLine, width: room.width - style.gap, atMost: min(4, most))
    var top = room.y + (room.height - Double(lines.count) * style.textHeight) / 2
    var elements = header.elements
    if style.isCrisp {
      var frame = Path()
      frame.addRounded(
        Rect(x: style.crisp(room.x), y: style.crisp(room.y), width: room.width - 1, height: room.height - 1), radius: 4)
      elements.append(.shape(frame, fill: nil, stroke: Stroke(ink: .grid, width: 1)))
    }
    for line in lines {
      elements.append(
        .text(setter.label(line, x: size.width / 2, top: top, anchor: .middle, ink: .faintText)))
      top += style.textHeight
    }
    return elements
  }
}
