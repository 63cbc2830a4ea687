// The loss of a training over its steps, as a small plot.

function curveOf(curve) {
  if (!curve) return [];
  const title = make("h3", {}, "Loss during training");
  if (typeof curve === "string") return [title, make("p", {}, curve)];
  const { steps, losses } = curve;
  if (!steps.length) return [title, make("p", {}, "Its history has no finite loss.")];
  const point = (at) => `${digits(losses.at(at))} at step ${digits(steps.at(at))}`;
  const said = `From ${point(0)} to ${point(-1)}`;
  return [title, plot(steps, losses, said), make("p", { class: "quiet" }, `${said}.`)];
}

function plot(steps, losses, label) {
  const [left, right, top, bottom] = [62, 374, 12, 158];
  const svg = draw("svg", {
    class: "curve",
    viewBox: "0 0 400 200",
    role: "img",
    "aria-label": label,
  });
  const scale = (values, start, end) => {
    const [low, high] = [Math.min(...values), Math.max(...values)];
    return {
      low,
      high,
      at: (value) => start + (end - start) * (high > low ? (value - low) / (high - low) : 0.5),
    };
  };
  const [x, y] = [scale([0, ...steps], left, right), scale(losses, bottom, top)];
  for (const value of ticks(y.low, y.high)) {
    svg.append(
      draw("line", { class: "axis", x1: left, x2: right, y1: y.at(value), y2: y.at(value) }),
    );
    svg.append(
      draw("text", { x: left - 6, y: y.at(value) + 4, "text-anchor": "end" }, digits(value)),
    );
  }
  for (const value of ticks(x.low, x.high)) {
    svg.append(
      draw("line", { class: "axis", x1: x.at(value), x2: x.at(value), y1: bottom, y2: bottom + 5 }),
    );
    svg.append(
      draw("text", { x: x.at(value), y: bottom + 18, "text-anchor": "middle" }, digits(value)),
    );
  }
  svg.append(draw("line", { class: "axis", x1: left, x2: right, y1: bottom, y2: bottom }));
  svg.append(
    draw("polyline", {
      class: "loss",
      points: steps
        .map((step, i) => `${x.at(step).toFixed(1)},${y.at(losses[i]).toFixed(1)}`)
        .join(" "),
    }),
  );
  svg.append(draw("text", { x: (left + right) / 2, y: 196, "text-anchor": "middle" }, "step"));
  svg.append(
    draw(
      "text",
      { transform: `translate(12 ${(top + bottom) / 2}) rotate(-90)`, "text-anchor": "middle" },
      "loss",
    ),
  );
  return svg;
}

// Two to six round numbers within a range.
function ticks(low, high) {
  const rough = (high - low) / 5 || 1;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((size) => size >= rough);
  const found = [];
  for (let value = Math.ceil(low / step) * step; value <= high + step * 1e-9; value += step)
    found.push(Number(value.toPrecision(12)));
  return found;
}
