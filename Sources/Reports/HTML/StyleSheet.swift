import Charts

/// The style sheet of a page, for wide screens, phones, dark mode and print.
enum StyleSheet {
  /// The fonts have the widths of Arial, like those of the charts.
  static let text = """
    :root{color-scheme:light;\(Palette.light.declarations)}
    @media screen and (prefers-color-scheme:dark){:root{color-scheme:dark;\(Palette.dark.declarations)}}
    *{box-sizing:border-box}
    html{-webkit-text-size-adjust:100%;text-size-adjust:100%}
    body{margin:0;background:var(--ground);color:var(--text);line-height:1.5;\
    font-family:Arial,Helvetica,'Liberation Sans',Arimo,sans-serif;font-size:1rem;overflow-wrap:anywhere}
    body>header,body>nav,main,body>footer{max-width:56rem;margin:0 auto;padding:0 1.25rem}
    body>header{padding-top:3rem}
    .kind{margin:0;color:var(--faint);font-size:.8125rem;letter-spacing:.06em;text-transform:uppercase}
    h1,h2,h3,h4{line-height:1.25;font-weight:700;text-wrap:balance}
    h1{font-size:2rem;margin:.25rem 0 .5rem}
    h1.long{font-size:1.125rem}
    h2{font-size:1.375rem;margin:3rem 0 .75rem;padding-top:1.25rem;border-top:1px solid var(--line)}
    h3{font-size:1.0625rem;margin:2rem 0 .5rem}
    h4{font-size:1rem;margin:1.5rem 0 .5rem}
    p,ul{margin:0 0 .75rem;max-width:44rem}
    .lead{color:var(--faint);font-size:1.0625rem;margin-bottom:1.25rem}
    a{color:var(--link);text-underline-offset:.15em}
    :focus-visible{outline:3px solid var(--link);outline-offset:2px;border-radius:2px}
    .skip{position:absolute;left:-100vw;top:0;padding:.5rem 1rem;background:var(--ground)}
    .skip:focus{left:0}
    nav ul{list-style:none;display:flex;flex-wrap:wrap;gap:.25rem 1.25rem;margin:0;padding:.625rem 0;max-width:none;\
    border-top:1px solid var(--line);font-size:.9375rem}
    main>section:first-child>h2{margin-top:0}
    code,.command{font-family:'Liberation Mono','Courier New',Cousine,monospace;font-size:.875em}
    .command{background:var(--raised);border-left:3px solid var(--line);padding:.625rem .875rem;margin:0 0 .75rem;\
    max-width:none;white-space:pre;overflow-x:auto}
    .faint{color:var(--faint)}
    dl{display:grid;grid-template-columns:minmax(9rem,13rem) 1fr;margin:0 0 1rem;font-size:.9375rem}
    dl>div{display:contents}
    dt,dd{margin:0;padding:.3125rem 0;border-top:1px solid var(--line)}
    dl>div:first-child>*{border-top:0}
    dt{color:var(--faint);padding-right:1rem}
    .box{overflow-x:auto;margin:0 0 1.25rem}
    table{border-collapse:collapse;font-size:.875rem;font-variant-numeric:tabular-nums;min-width:100%}
    caption{text-align:left;padding:0 0 .375rem;font-weight:700;font-size:.9375rem}
    th,td{text-align:left;vertical-align:top;padding:.3125rem .875rem .3125rem 0;border-top:1px solid var(--line)}
    th:last-child,td:last-child{padding-right:0}
    th,td{overflow-wrap:break-word}
    th bdi,td bdi{display:inline-block;max-width:24rem}
    bdi bdi{display:inline}
    td bdi.long{min-width:12ch;overflow-wrap:anywhere}
    table:not(.many) :is(bdi,code){overflow-wrap:anywhere}
    thead th{border-top:0;border-bottom:1px solid var(--faint);color:var(--faint);font-weight:400;vertical-align:bottom}
    thead+tbody tr:first-child>*{border-top:0}
    tbody th{font-weight:400}
    th[scope=rowgroup]{font-weight:700;padding-top:1rem;border-top:0}
    th[scope=rowgroup] .faint{font-weight:400}
    .unbroken{white-space:nowrap}
    th code,td code{display:inline-block;min-width:13ch;overflow-wrap:anywhere}
    .number{text-align:right;white-space:nowrap}
    sup{line-height:0;font-size:.75em;margin-left:.125em}
    .notes{margin:-.5rem 0 1.5rem;padding-left:1.5rem;color:var(--faint);font-size:.8125rem;max-width:48rem}
    .notes li:target{color:var(--text)}
    .notes a{text-decoration:none;padding:0 .25rem}
    details{margin:0 0 1.5rem}
    summary{color:var(--link);cursor:pointer;font-size:.9375rem;padding:.25rem 0}
    details[open]>summary{margin-bottom:.5rem}
    .badge{display:inline-block;padding:0 .5em;border-radius:.25rem;font-weight:700;font-size:.8125rem;line-height:1.5}
    .verdict{border-left:4px solid;border-radius:.25rem;padding:1rem 1.25rem;margin:0 0 1.5rem}
    .verdict p,.verdict li{color:var(--text)}
    .verdict>:last-child{margin-bottom:0}
    .verdict .word{font-weight:700;font-size:1.0625rem;margin-bottom:.25rem;color:inherit}
    .good{color:var(--good);background:var(--good-ground)}
    .suspect{color:var(--suspect);background:var(--suspect-ground)}
    .bad{color:var(--bad);background:var(--bad-ground)}
    .unknown{color:var(--faint);background:var(--raised)}
    .pair{display:grid;grid-template-columns:1fr 1fr;gap:0 1.25rem}
    figure{margin:0 0 1.5rem;min-width:0}
    figure>div>svg{display:block;width:100%;height:auto}
    figcaption{color:var(--faint);font-size:.8125rem;padding-top:.25rem;max-width:44rem}
    .narrow{display:none}
    body>footer{color:var(--faint);font-size:.8125rem;padding-top:1rem;padding-bottom:3rem}
    body>footer p{border-top:1px solid var(--line);padding-top:1rem;max-width:none}
    @media screen and (max-width:40rem){
    body>header{padding-top:1.5rem}
    h1{font-size:1.5rem}
    h2{font-size:1.25rem;margin-top:2rem}
    .pair{grid-template-columns:1fr}
    .wide{display:none}
    .narrow{display:block}
    table.many{min-width:46rem}
    table.many tbody th[scope=row]{position:sticky;left:0;background:var(--ground)}
    table.graded :is(td,th):last-child{position:sticky;right:0;background:var(--ground);padding-left:.5rem}
    h1.long{font-size:1rem}
    table:not(.many) :is(th,td) code{white-space:normal}
    dl{display:block}
    dl>div{display:block;border-top:1px solid var(--line);padding:.375rem 0}
    dl>div:first-child{border-top:0}
    dt,dd{border-top:0;padding:0}
    }
    @page{size:A4;margin:16mm 16mm 20mm;font:8.5pt Arial,Helvetica,'Liberation Sans',Arimo,sans-serif;\
    color:var(--faint);@bottom-left{width:80%;vertical-align:top;padding-top:3mm;text-align:left}\
    @bottom-right{width:20%;vertical-align:top;padding-top:3mm;text-align:right;\
    content:"page " counter(page) " of " counter(pages)}}
    @media print{
    html{font-size:11.5px}
    body{line-height:1.4}
    body>header,body>nav,main,body>footer{max-width:none;padding-left:0;padding-right:0}
    body>header{padding-top:0}
    nav,.skip{display:none}
    p,ul,figcaption,.notes{max-width:none}
    .command{white-space:normal}
    .command span{display:inline-block;max-width:100%;overflow-wrap:anywhere}
    h2{margin-top:1.75rem;padding-top:.75rem}
    h2,h3,h4,summary,caption,thead,tr:has(>th[scope=rowgroup]){break-after:avoid}
    h2,h3,h4,tr,tbody:not(:has(>tr:nth-child(9))),figure,.verdict,dt,dd{break-inside:avoid}
    .command{break-before:avoid;break-inside:avoid}
    .box{overflow:visible}
    table,table.many{min-width:0;width:100%}
    .number,th code,td code{white-space:normal}
    th code,td code{min-width:9ch}
    th bdi,td bdi{display:inline}
    a{color:inherit;text-decoration:none}
    .notes a{display:none}
    details::details-content{display:block;block-size:auto;content-visibility:visible}
    summary{color:inherit;list-style:none}
    .good,.suspect,.bad,.unknown,.command{print-color-adjust:exact;-webkit-print-color-adjust:exact}
    }
    """
}

/// The colours of a page, by their purpose.
///
/// Background and text have the colours of the charts. Text has a contrast of at least 4.5 : 1 with its background
/// (WCAG 2.2, 1.4.3), and meaningful lines have 3 : 1.
struct Palette: Sendable {
  /// The names of the style sheet's variables with their colours: `0x0072b2`.
  let colours: [(name: String, hex: UInt32)]

  /// Adds a page's own colours to those that it shares with its charts.
  private init(around theme: Theme, _ own: [(name: String, hex: UInt32)]) {
    let (ground, text, faint) = theme.surroundings
    colours = [("ground", ground), ("text", text), ("faint", faint)] + own
  }

  /// The colours for light pages and for print.
  static let light = Palette(
    around: .light,
    [
      ("line", 0xd5dae0), ("raised", 0xf5f7f9), ("link", 0x0060a8), ("good", 0x0b6b3a), ("good-ground", 0xe6f4ec),
      ("suspect", 0x7a4a00),
      ("suspect-ground", 0xfff1d6), ("bad", 0xa3171f), ("bad-ground", 0xfdeaea),
    ])

  /// The colours for readers who prefer dark pages.
  static let dark = Palette(
    around: .dark,
    [
      ("line", 0x3a424a), ("raised", 0x1e2329), ("link", 0x6cb8f0), ("good", 0x7fdcaa), ("good-ground", 0x12301f),
      ("suspect", 0xf5c36b),
      ("suspect-ground", 0x33260b), ("bad", 0xff9d9d), ("bad-ground", 0x3a1517),
    ])

  /// The combinations of text and background colours.
  static let pairs: [(words: String, ground: String)] = [
    ("text", "ground"), ("faint", "ground"), ("link", "ground"), ("text", "raised"), ("faint", "raised"),
    ("link", "raised"), ("good", "good-ground"), ("suspect", "suspect-ground"), ("bad", "bad-ground"),
    ("good", "ground"), ("suspect", "ground"), ("bad", "ground"), ("text", "good-ground"), ("text", "suspect-ground"),
    ("text", "bad-ground"),
  ]

  /// A colour by its name.
  subscript(name: String) -> UInt32 { colours.first { $0.name == name }?.hex ?? 0 }

  /// The colours as the style sheet declares them: `--ground:#ffffff;--text:#1c2126;`.
  var declarations: String {
    colours.map { name, hex in
      let digits = String(hex, radix: 16)
      return "--\(name):#\(String(repeating: "0", count: 6 - digits.count))\(digits);"
    }.joined()
  }
}
