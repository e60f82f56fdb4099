// Zoom and readout. `frame` says where the axes lie and what they show, `curves` holds the data.
(() => {
  const svg = document.querySelector("svg");
  const part = (name) => svg.querySelector("." + name);
  const paths = [...part("curves").children];
  const readout = document.getElementById("readout");
  const home = { time: frame.time, value: frame.value };
  let view = home;

  const make = (name, attributes, parent) => {
    const element = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const key in attributes) element.setAttribute(key, attributes[key]);
    return parent.appendChild(element);
  };
  const right = frame.left + frame.width, bottom = frame.top + frame.height;
  const cursor = make("line", { y1: frame.top, y2: bottom, stroke: "#999", "stroke-dasharray": "3 3", visibility: "hidden", "pointer-events": "none" }, svg);
  const box = make("rect", { fill: "#0072B2", "fill-opacity": 0.12, stroke: "#0072B2", visibility: "hidden", "pointer-events": "none" }, svg);

  const toX = (t) => frame.left + (t - view.time[0]) / (view.time[1] - view.time[0]) * frame.width;
  const toY = (v) => frame.top + (view.value[1] - v) / (view.value[1] - view.value[0]) * frame.height;
  const toTime = (x) => view.time[0] + (x - frame.left) / frame.width * (view.time[1] - view.time[0]);
  const toValue = (y) => view.value[1] - (y - frame.top) / frame.height * (view.value[1] - view.value[0]);
  const clamp = (x, low, high) => Math.min(Math.max(x, low), high);

  // First index whose time is greater than t.
  const after = (times, t) => {
    let low = 0, high = times.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (times[middle] <= t) low = middle + 1; else high = middle;
    }
    return low;
  };

  // The line of a curve within the view: per pixel column first, least, greatest and last, so that no spike is lost.
  const path = (curve) => {
    const { times, values, stepped } = curve;
    const from = Math.max(after(times, view.time[0]) - 2, 0);
    const to = Math.min(after(times, view.time[1]) + 1, times.length);
    let d = "", pen = "M", column = null, run = [];
    const point = (t, v) => { d += pen + toX(t).toFixed(2) + " " + clamp(toY(v), -9999, 9999).toFixed(2); pen = "L"; };
    const flush = () => {
      if (run.length) {
        let least = 0, greatest = 0;
        run.forEach((p, i) => { if (p[1] < run[least][1]) least = i; if (p[1] > run[greatest][1]) greatest = i; });
        [...new Set([0, least, greatest, run.length - 1])].sort((a, b) => a - b).forEach((i) => point(run[i][0], run[i][1]));
      }
      run = [];
    };
    const add = (t, v) => {
      const here = Math.floor(toX(t));
      if (here !== column) { flush(); column = here; }
      run.push([t, v]);
    };
    let held = null;
    for (let i = from; i < to; i++) {
      if (values[i] === null) { flush(); pen = "M"; held = null; continue; }
      if (stepped && held !== null) add(times[i], held);
      add(times[i], values[i]);
      held = values[i];
    }
    flush();
    return d;
  };

  // Ticks at multiples of 1, 2 or 5 times a power of ten, with a common power where numbers would be long.
  const ticks = (low, high, wanted) => {
    const rough = (high - low) / wanted, ten = Math.pow(10, Math.floor(Math.log10(rough)));
    const step = [1, 2, 5, 10].find((k) => k * ten >= rough * (1 - 1e-12)) * ten;
    const magnitude = Math.floor(Math.log10(Math.max(Math.abs(low), Math.abs(high))));
    const exponent = magnitude >= -3 && magnitude < 6 ? 0 : magnitude - ((magnitude % 3) + 3) % 3;
    const decimals = clamp(exponent - Math.floor(Math.log10(step) + 1e-9), 0, 15);
    const all = [];
    for (let k = Math.ceil(low / step - 1e-9); k <= high / step + 1e-9 && all.length < 50; k++) {
      all.push([k * step, k === 0 ? "0" : (k * step / Math.pow(10, exponent)).toFixed(decimals).replace("-", "−")]);
    }
    return { all, exponent };
  };
  const power = (exponent) => exponent ? "10" + String(exponent).replace(/./g, (c) => "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"["-0123456789".indexOf(c)]) : "";

  const scale = (unit, exponent) => {
    const text = [power(exponent), unit].filter((part) => part).join(" ");
    return unit ? "[" + text + "]" : text && "×" + text;
  };

  const draw = () => {
    paths.forEach((element, i) => element.setAttribute("d", path(curves[i])));
    const grid = part("grid"), xLabels = part("x-labels"), yLabels = part("y-labels");
    grid.textContent = xLabels.textContent = yLabels.textContent = "";
    const timeTicks = (space) => ticks(view.time[0], view.time[1], clamp(Math.floor(frame.width / space), 2, 12));
    let x = timeTicks(70);
    const space = 6.8 * Math.max(...x.all.map(([, text]) => text.length)) + 16;
    if (space > 70) x = timeTicks(space);
    const y = ticks(view.value[0], view.value[1], clamp(Math.floor(frame.height / 30), 2, 12));
    for (const [t, text] of x.all) {
      make("line", { x1: toX(t), x2: toX(t), y1: frame.top, y2: bottom }, grid);
      make("text", { x: toX(t), y: bottom + 16 }, xLabels).textContent = text;
    }
    for (const [v, text] of y.all) {
      make("line", { x1: frame.left, x2: right, y1: toY(v), y2: toY(v) }, grid);
      make("text", { x: frame.left - 6, y: toY(v) + 4 }, yLabels).textContent = text;
    }
    part("x-title").textContent = "time " + scale("s", x.exponent);
    part("y-title").textContent = scale(frame.unit, y.exponent);
  };

  const valueAt = (curve, t) => {
    const { times, values, stepped } = curve;
    const next = after(times, t), i = next - 1;
    if (i < 0 || values[i] === null) return null;
    if (stepped || times[i] === t || next >= times.length || values[next] === null) return next < times.length || times[i] === t ? values[i] : null;
    return values[i] + (values[next] - values[i]) * (t - times[i]) / (times[next] - times[i]);
  };

  // The range of values within a range of time, with a little air.
  const fit = (time) => {
    let low = Infinity, high = -Infinity;
    for (const curve of curves) {
      const from = Math.max(after(curve.times, time[0]) - 1, 0), to = after(curve.times, time[1]);
      for (let i = from; i < to; i++) {
        if (curve.values[i] === null) continue;
        low = Math.min(low, curve.values[i]);
        high = Math.max(high, curve.values[i]);
      }
    }
    if (!(low < high)) return view.value;
    return [low - 0.05 * (high - low), high + 0.05 * (high - low)];
  };

  const position = (event) => {
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
    const inside = point.x >= frame.left && point.x <= right && point.y >= frame.top && point.y <= bottom;
    return { x: clamp(point.x, frame.left, right), y: clamp(point.y, frame.top, bottom), inside };
  };

  const show = (value, digits) => value === null ? "–" : String(Number(value.toPrecision(digits))).replace("-", "−");
  const read = (at) => {
    cursor.setAttribute("visibility", at.inside ? "visible" : "hidden");
    readout.textContent = "";
    if (!at.inside) return;
    cursor.setAttribute("x1", at.x);
    cursor.setAttribute("x2", at.x);
    const t = toTime(at.x);
    const entries = [["time", t, ""], ...curves.map((c) => [c.name, valueAt(c, t), c.colour])];
    for (const [name, value, colour] of entries) {
      const span = document.createElement("span"), label = document.createElement("b");
      label.textContent = name;
      label.className = colour;
      span.append(label, " = " + show(value, name === "time" ? 10 : 7));
      readout.append(span);
    }
  };

  let pressed = null;
  svg.addEventListener("wheel", (event) => {
    const at = position(event);
    if (!at.inside) return;
    event.preventDefault();
    const factor = Math.pow(1.2, Math.sign(event.deltaY)), t = toTime(at.x);
    const time = view.time.map((end) => clamp(t + (end - t) * factor, home.time[0], home.time[1]));
    if (time[1] - time[0] < 1e-12 * Math.max(Math.abs(time[0]), Math.abs(time[1]), 1e-300)) return;
    const all = time[0] === home.time[0] && time[1] === home.time[1];
    view = all ? home : { time, value: fit(time) };
    draw();
    read(at);
  }, { passive: false });
  svg.addEventListener("mousedown", (event) => { const at = position(event); if (at.inside) { pressed = at; event.preventDefault(); } });
  window.addEventListener("mousemove", (event) => {
    const at = position(event);
    read(at);
    if (!pressed) return;
    box.setAttribute("visibility", "visible");
    box.setAttribute("x", Math.min(at.x, pressed.x));
    box.setAttribute("y", Math.min(at.y, pressed.y));
    box.setAttribute("width", Math.abs(at.x - pressed.x));
    box.setAttribute("height", Math.abs(at.y - pressed.y));
  });
  window.addEventListener("mouseup", (event) => {
    if (!pressed) return;
    const at = position(event), from = pressed;
    pressed = null;
    box.setAttribute("visibility", "hidden");
    if (Math.abs(at.x - from.x) < 5 || Math.abs(at.y - from.y) < 5) return;
    view = {
      time: [toTime(Math.min(at.x, from.x)), toTime(Math.max(at.x, from.x))],
      value: [toValue(Math.max(at.y, from.y)), toValue(Math.min(at.y, from.y))],
    };
    draw();
  });
  svg.addEventListener("dblclick", () => { view = home; draw(); });
})();
