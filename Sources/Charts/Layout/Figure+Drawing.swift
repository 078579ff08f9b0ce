import Bundles

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
