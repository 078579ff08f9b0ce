// Draws heart rates and waveforms as they come, on a canvas.

export const css = name => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
/** A longer pause than this between two heart rates, in seconds, is a gap, and is drawn as one. */
const gap = 4;
const pad = number => String(number).padStart(2, "0");
export const clock = seconds => {
  const whole = Math.max(0, Math.floor(seconds));
  return `${whole >= 3600 ? `${Math.floor(whole / 3600)}:` : ""}${whole >= 3600 ? pad(Math.floor(whole / 60) % 60) : Math.floor(whole / 60)}:${pad(whole % 60)}`;
};

export function prepare(canvas) {
  const { width, height } = canvas.getBoundingClientRect();
  const ratio = devicePixelRatio;
  const [w, h] = [Math.round(width * ratio), Math.round(height * ratio)];
  if (canvas.width !== w) canvas.width = w;
  if (canvas.height !== h) canvas.height = h;
  const pen = canvas.getContext("2d");
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  pen.clearRect(0, 0, width, height);
  pen.font = `${0.85 * parseFloat(getComputedStyle(canvas).fontSize)}px ${getComputedStyle(canvas).fontFamily}`;
  return { pen, width, height };
}

/** A step of 1, 2 or 5 times a power of ten, so that about `count` of them fill a span. */
export function pace(span, count) {
  const rough = span / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  return power * ([1, 2, 5].find(step => step * power >= rough) ?? 10);
}

/** The scale of heart rates: it grows with what comes, and stays. */
export class Scale {
  low = 50;
  high = 100;

  take(value) {
    if (value < this.low) this.low = Math.floor(value / 10) * 10;
    if (value > this.high) this.high = Math.min(250, Math.ceil(value / 10) * 10);
  }
}

/** Heart rates of sensors (`{name, t, v}`), with lines for marks (`{mark, text, t_s}`), from one time to another. */
export function drawRates(canvas, series, marks, { from, to, now }, scale) {
  const { pen, width, height } = prepare(canvas);
  const [left, right, top, bottom] = [44, width - 20, 22, height - 26];
  const x = t => left + (right - left) * (t - from) / (to - from);
  const y = value => bottom - (bottom - top) * (value - scale.low) / (scale.high - scale.low);
  const [ink, soft, thin, tint, accent] = ["--ink", "--soft", "--thin", "--tint", "--accent"].map(css);
  // The time of a sound.
  let onset;
  pen.fillStyle = tint;
  const band = end => pen.fillRect(Math.max(left, x(onset)), top, Math.max(0, Math.min(right, x(end)) - Math.max(left, x(onset))), bottom - top);
  for (const { mark, t_s } of marks) {
    if (mark === "onset") onset = t_s;
    if (mark === "offset" && onset !== undefined) {
      band(t_s);
      onset = undefined;
    }
  }
  if (onset !== undefined) band(now);
  pen.strokeStyle = thin;
  pen.fillStyle = soft;
  pen.lineWidth = 1;
  pen.textAlign = "right";
  pen.textBaseline = "middle";
  const rise = pace(scale.high - scale.low, 6);
  for (let value = Math.ceil(scale.low / rise) * rise; value <= scale.high; value += rise) {
    pen.beginPath();
    pen.moveTo(left, y(value));
    pen.lineTo(right, y(value));
    pen.stroke();
    pen.fillText(value, left - 6, y(value));
  }
  pen.textAlign = "center";
  pen.textBaseline = "top";
  const steps = [5, 10, 15, 30, 60, 120, 300, 600, 1200, 1800, 3600, 7200];
  const pace_s = steps.find(step => (to - from) / step <= Math.max(3, width / 110)) ?? 14400;
  for (let t = Math.ceil(Math.max(0, from) / pace_s) * pace_s; t <= to; t += pace_s) pen.fillText(clock(t), x(t), bottom + 6);
  let free = -Infinity;
  pen.textAlign = "left";
  for (const { mark, text, t_s } of marks) {
    if (t_s < from || t_s > to || mark === "offset" || mark === "resumed") continue;
    pen.strokeStyle = mark === "onset" ? accent : soft;
    pen.setLineDash(mark === "step" ? [2, 4] : mark === "onset" ? [] : [6, 3]);
    pen.beginPath();
    pen.moveTo(x(t_s), top - (mark === "step" ? 0 : 8));
    pen.lineTo(x(t_s), bottom);
    pen.stroke();
    pen.setLineDash([]);
    const word = { trial: `trial ${text}`, note: `“${text}”`, lost: `${text} lost`, back: "", paused: "paused" }[mark] ?? text;
    const long = word.length > 24 ? `${word.slice(0, 23)}…` : word;
    if (!long || x(t_s) < free) continue;
    pen.fillStyle = mark === "onset" ? accent : soft;
    pen.fillText(long, x(t_s) + 4, 2);
    free = x(t_s) + pen.measureText(long).width + 10;
  }
  const colours = [css("--bad"), accent, css("--good"), css("--suspect")];
  series.forEach(({ t, v }, index) => {
    pen.strokeStyle = colours[index % colours.length];
    pen.lineWidth = 2;
    pen.beginPath();
    let last = -Infinity;
    const skip = Math.max(1, Math.floor(t.length / 4000));
    for (let i = 0; i < t.length; i += t[i] < to - 1200 ? skip : 1) {
      if (t[i] < from - gap || t[i] > to) continue;
      t[i] - last > gap * (skip > 1 ? 3 : 1) ? pen.moveTo(x(t[i]), y(v[i])) : pen.lineTo(x(t[i]), y(v[i]));
      last = t[i];
    }
    pen.stroke();
  });
  pen.strokeStyle = ink;
  pen.lineWidth = 1;
  pen.beginPath();
  pen.moveTo(x(now), top);
  pen.lineTo(x(now), bottom);
  pen.stroke();
}

/** The last seconds of a waveform: `parts` of `{t_s, rate, values}`. */
export function drawWave(canvas, parts, now, seconds = 8) {
  const { pen, width, height } = prepare(canvas);
  const from = now - seconds;
  const all = parts.flatMap(({ values }) => values).filter(value => value !== null);
  if (!all.length) return;
  const [low, high] = all.reduce(([a, b], value) => [Math.min(a, value), Math.max(b, value)], [Infinity, -Infinity]);
  const y = value => 6 + (height - 12) * (high === low ? 0.5 : (high - value) / (high - low));
  pen.strokeStyle = css("--bad");
  pen.lineWidth = 1.5;
  pen.beginPath();
  let end = -Infinity;
  for (const { t_s, rate, values } of parts) {
    values.forEach((value, index) => {
      const t = t_s + index / rate;
      if (value === null) return;
      t - end > 2.5 / rate ? pen.moveTo(width * (t - from) / seconds, y(value)) : pen.lineTo(width * (t - from) / seconds, y(value));
      end = t;
    });
  }
  pen.stroke();
}
