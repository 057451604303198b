// The charts of a page: one for each hyperparameter, all over the same steps.
"use strict";
(() => {
  const started = performance.now();
  const data = JSON.parse(document.getElementById("data").textContent);
  const NEAR = 6; // pixels within which the pointer takes a stored step
  const whole = { min: 0, max: data.last || 1 };
  let view = { ...whole };
  let charts = [];

  // Little-endian float64 in base64; steps left out are 0, 1, 2, …
  const floats = (text) => new Float64Array(Uint8Array.from(atob(text), (c) => c.charCodeAt(0)).buffer);
  for (const panel of data.panels) {
    for (const line of panel.lines) {
      line.values = floats(line.values);
      line.steps = line.steps === null ? Float64Array.from(line.values, (_, step) => step) : floats(line.steps);
    }
  }

  const count = (value) => {
    for (const [unit, letter] of [[1e12, "T"], [1e9, "B"], [1e6, "M"], [1e3, "k"]])
      if (Math.abs(value) >= Math.max(unit, 1e4)) return +(value / unit).toPrecision(6) + letter;
    return String(+value.toPrecision(6));
  };

  const short = (value) => {
    const rounded = +value.toPrecision(6), size = Math.abs(rounded);
    return size !== 0 && size < 1e-4 ? rounded.toExponential() : String(rounded);
  };

  // Near the ends of float64 values divided by a power of ten are drawn, along a straight axis.
  const divided = (values, power) => {
    if (power === 0) return values;
    const half = Math.trunc(power / 2);
    return values.map((value) => value / 10 ** half / 10 ** (power - half));
  };
  const multiplied = (value, power) => {
    if (power === 0 || value === 0) return short(value);
    const [digits, own] = (+value.toPrecision(6)).toExponential().split("e");
    const exponent = +own + power;
    return `${digits}e${exponent < 0 ? "" : "+"}${exponent}`;
  };

  // The index of the last stored step at or before this one.
  const before = (steps, step) => {
    let low = 0, high = steps.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (steps[middle] <= step) low = middle; else high = middle - 1;
    }
    return low;
  };

  const shown = (line, step) => {
    const { steps, values } = line;
    if (step > steps[steps.length - 1]) return "";
    const i = before(steps, step);
    if (steps[i] === step) return String(values[i]);
    if (line.within === null) {
      const near = values.slice(Math.max(i - 2, 0), i + 4);
      return `from ${short(Math.min(...near))} to ${short(Math.max(...near))}`;
    }
    const share = (step - steps[i]) / (steps[i + 1] - steps[i]);
    return `≈ ${short(values[i] * (1 - share) + values[i + 1] * share)}`;
  };

  // What else was consumed before the step, by straight lines between known places.
  const also = (step) => {
    const known = data.consumed;
    if (!known) return "";
    const i = Math.min(before(known.steps, step), known.steps.length - 2);
    const share = (step - known.steps[i]) / (known.steps[i + 1] - known.steps[i]);
    return ` (${count(known.amounts[i] + share * (known.amounts[i + 1] - known.amounts[i]))} ${known.unit})`;
  };

  // A short piece of a line as it is drawn.
  const swatchOf = (line) => {
    const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    const stroke = document.createElementNS("http://www.w3.org/2000/svg", "line");
    const whole = { x1: 0, y1: 5, x2: 36, y2: 5, stroke: line.colour, "stroke-width": line.width, "stroke-dasharray": line.dash.join(" ") };
    for (const [name, value] of Object.entries(whole)) stroke.setAttribute(name, value);
    svg.setAttribute("class", "swatch");
    svg.append(stroke);
    return svg;
  };

  // What each line is, as it is drawn, with a value where the pointer is on the chart.
  const readout = document.getElementById("readout");
  const tellOf = (heading, valueOf) => {
    const part = (...content) => {
      const span = document.createElement("span");
      span.append(...content);
      return span;
    };
    const parts = heading === "" ? [] : [part(heading)];
    for (const panel of data.panels) {
      for (const line of panel.lines) {
        const value = valueOf(line);
        if (value === "") continue;
        const swatch = swatchOf(line);
        const several = panel.lines.length > 1;
        const name = !several || data.panels.length > 1 ? panel.name : "";
        const label = [several ? line.label : "", name].filter((word) => word !== "").join(" ");
        parts.push(part(swatch, value === null ? label : `${label}: ${value}`));
      }
    }
    readout.replaceChildren(...parts);
  };
  const read = (chart, panel) => {
    const left = chart.cursor.left;
    if (left < 0) return;
    const exact = chart.posToVal(left, "x");
    let step = Math.min(Math.max(Math.round(exact), 0), data.last);
    let distance = NEAR;
    for (const { steps } of panel.lines) {
      const i = before(steps, exact);
      for (const stored of steps.slice(i, i + 2)) {
        const away = Math.abs(chart.valToPos(stored, "x") - left);
        if (away < distance) [step, distance] = [stored, away];
      }
    }
    tellOf(`step ${step}${also(step)}`, (line) => shown(line, step));
  };

  const anyLog = () => data.panels.some((panel) => panel.log);
  const toggle = () => {
    const log = !anyLog();
    for (const panel of data.panels) panel.log = log && panel.floor !== null;
    draw();
  };

  const zoom = (min, max) => {
    if (min === view.min && max === view.max) return;
    view = { min, max };
    for (const chart of charts)
      if (chart.scales.x.min !== min || chart.scales.x.max !== max) chart.setScale("x", view);
    tell();
  };

  const tell = () => {
    const ends = [Math.ceil(view.min), Math.floor(view.max)];
    document.getElementById("range").textContent = `steps ${ends[0]} to ${ends[1]}`;
    document.getElementById("log").setAttribute("aria-pressed", String(anyLog()));
  };

  // Grounds under the stages of a single line, with their kinds where there is room.
  const stages = (panel) => (chart) => {
    const { ctx, bbox } = chart;
    ctx.save();
    ctx.beginPath();
    ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
    ctx.clip();
    ctx.font = `${11 * devicePixelRatio}px system-ui, sans-serif`;
    ctx.textAlign = "center";
    ctx.textBaseline = "top";
    panel.stages.forEach(([start, stop, kind], i) => {
      const from = Math.max(chart.valToPos(start, "x", true), bbox.left);
      const to = Math.min(chart.valToPos(stop, "x", true), bbox.left + bbox.width);
      if (to <= from) return;
      if (i % 2 === 0) {
        ctx.fillStyle = "#f2f4f7";
        ctx.fillRect(from, bbox.top, to - from, bbox.height);
      }
      ctx.fillStyle = "#5b6570";
      if (ctx.measureText(kind).width < to - from) ctx.fillText(kind, (from + to) / 2, bbox.top + 3 * devicePixelRatio);
    });
    ctx.restore();
  };

  const width = () => document.getElementById("charts").clientWidth || 800;
  const height = data.panels.length > 1 ? 260 : 380;

  // With room below, and above for the names of stages.
  const logRange = (min, max) => {
    const decades = Math.max(Math.log10(max) - Math.log10(min), 0.1);
    return [
      Math.max(min * 10 ** (-0.04 * decades), Number.MIN_VALUE),
      Math.min(max * 10 ** (0.12 * decades), Number.MAX_VALUE),
    ];
  };
  const linearRange = (min, max) => {
    const reach = (min === max ? Math.abs(max) : max - min) || 1;
    return [min - 0.05 * reach, max + 0.1 * reach];
  };
  // Powers of ten, with 2 and 5 between them over less than two decades; round numbers over less than one.
  const logTicks = (_, __, min, max) => {
    const decades = Math.log10(max) - Math.log10(min), found = [];
    if (decades < 1) {
      const step = 10 ** Math.floor(Math.log10((max - min) / 2));
      for (let i = Math.ceil(min / step); i * step <= max; i++) found.push(+(i * step).toPrecision(12));
      return found.filter((_, i) => i % Math.ceil(found.length / 6) === 0);
    }
    const every = Math.ceil(decades / 10);
    for (let power = Math.floor(Math.log10(min)); power <= Math.log10(max); power++)
      for (const factor of decades < 2 ? [1, 2, 5] : [1])
        if (power % every === 0) found.push(+`${factor}e${power}`);
    return found.filter((value) => min <= value && value <= max);
  };

  const draw = () => {
    for (const chart of charts) chart.destroy();
    const sync = uPlot.sync("steps");
    charts = data.panels.map((panel, number) => {
      const logged = panel.log && panel.floor !== null;
      const tables = panel.lines.map(({ steps, values }) =>
        [steps, logged ? Array.from(values, (value) => (value > 0 ? value : null)) : divided(values, panel.power)]);
      const series = panel.lines.map(({ label, colour, dash, width }) => ({ label, stroke: colour, dash, width, pxAlign: 0 }));
      const y = logged
        ? { distr: 3, range: (_, min, max) => logRange(Math.max(min ?? panel.floor, panel.floor), max ?? 1) }
        : { range: (_, min, max) => linearRange(min ?? 0, max ?? 1) };
      return new uPlot({
        width: width(),
        height,
        scales: { x: { time: false, min: view.min, max: view.max }, y },
        axes: [
          {
            size: 32,
            label: number === data.panels.length - 1 ? "step" : null,
            labelSize: 18,
            values: (_, splits) => splits.map((step) => (Number.isInteger(step) ? count(step) : "")),
          },
          {
            size: 70,
            label: panel.unit,
            labelSize: 18,
            values: (_, splits) => splits.map((value) => (value === null ? "" : multiplied(value, logged ? 0 : panel.power))),
            ...(logged ? { splits: logTicks, filter: (_, splits) => splits } : {}),
          },
        ],
        legend: { show: false },
        // Its points would sit on stored steps far from the pointer.
        cursor: { points: { show: false }, sync: { key: sync.key, scales: ["x", null] }, drag: { x: true, y: false } },
        series: [{}, ...series],
        hooks: {
          drawClear: [stages(panel)],
          setCursor: [(chart) => { if (chart.cursor.event) read(chart, panel); }],
          setScale: [(chart, key) => { if (key === "x") zoom(chart.scales.x.min, chart.scales.x.max); }],
        },
      }, panel.lines.length > 1 ? uPlot.join(tables) : tables[0], document.getElementsByClassName("panel")[number]);
    });
    tell();
  };

  document.getElementById("charts").append(...data.panels.map(() =>
    Object.assign(document.createElement("div"), { className: "panel" })));
  document.getElementById("log").addEventListener("click", toggle);
  document.getElementById("reset").addEventListener("click", () => zoom(whole.min, whole.max));
  document.getElementById("log").hidden = data.panels.every((panel) => panel.floor === null);
  addEventListener("resize", () => charts.forEach((chart) => chart.setSize({ width: width(), height })));
  tellOf("", () => null);
  draw();
  requestAnimationFrame(() => requestAnimationFrame(() => {
    document.body.dataset.drawn = (performance.now() - started).toFixed(0); // milliseconds
  }));
})();
