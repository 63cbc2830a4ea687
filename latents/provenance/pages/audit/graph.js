// Boxes in columns, squares in boxes, and lines between boxes.

const squares = [];
const frames = [];

function showGraph() {
  data.stages.forEach((stage, column) => {
    if (stage === data.stages[column - 1]) return;
    const end = data.stages.lastIndexOf(stage) + 2;
    byId("graph").append(
      make("div", { class: "stage", style: `grid-column: ${column + 1} / ${end}` }, stage),
    );
  });
  const columns = data.stages.map((_, column) =>
    make("div", { class: "column", style: `grid-column: ${column + 1}` }),
  );
  boxes.forEach((box) => columns[box.column].append(showBox(box)));
  byId("graph").append(...columns);
}

function showBox(box) {
  const many = box.nodes.length > 40;
  const across = many ? 12 : Math.ceil(Math.sqrt(box.nodes.length));
  const inside = make(
    "div",
    { class: many ? "squares many" : "squares", style: `--across: ${across}` },
    ...box.nodes.map(showSquare),
  );
  const subject = make(
    "div",
    { class: "subject path" },
    ...breakable(box.subject),
    box.nodes.length > 1 ? ` × ${digits(box.nodes.length)}` : "",
  );
  const frame = make(
    "section",
    { class: "box", "aria-label": `${words(box.step)}, ${box.subject}` },
    make("h3", {}, words(box.step)),
    subject,
    inside,
  );
  frames.push(frame);
  return frame;
}

function showSquare(place) {
  const { path, verdict } = nodes[place];
  const square = make(
    "button",
    {
      type: "button",
      class: `mark ${verdict}`,
      "aria-label": `${path}, ${verdict}`,
      "data-place": place,
    },
    LETTERS[verdict],
  );
  squares[place] = square;
  return square;
}

const visible = (frame) => [...frame.querySelectorAll("button:not([hidden])")];

// A graph that is too wide gets smaller, but not so small that it cannot be read.
function fit(width = byId("scroll").clientWidth, height = Infinity, smallest = 0.7) {
  const graph = byId("graph");
  graph.style.zoom = 1;
  graph.style.zoom = Math.max(
    smallest,
    Math.min(1, width / graph.scrollWidth, height / graph.scrollHeight),
  );
  drawLinks();
}

function drawLinks() {
  const shown = links.filter((pair) => pair.every((box) => !frames[box].hidden));
  const isRelated = (box) => frames[box].querySelector("button:not(.unrelated)");
  byId("links").replaceChildren(
    ...shown.map((pair) =>
      draw("path", { d: route(...pair), class: pair.every(isRelated) ? "" : "unrelated" }),
    ),
  );
}

// From the title of one box to that of another, through free lanes of the columns in between.
function route(from, to) {
  let [x, y] = [frames[from].offsetLeft + frames[from].offsetWidth, frames[from].offsetTop + 18];
  const [endX, endY] = [frames[to].offsetLeft, frames[to].offsetTop + 18];
  let path = `M${x} ${y}`;
  const go = (nextX, nextY) => {
    const bend = (nextX - x) / 2;
    path += `C${x + bend} ${y} ${nextX - bend} ${nextY} ${nextX} ${nextY}`;
  };
  for (let column = boxes[from].column + 1; column < boxes[to].column; column++) {
    const inside = frames.filter((frame, box) => boxes[box].column === column && !frame.hidden);
    if (!inside.length) continue;
    const left = inside[0].offsetLeft;
    const lane = freeLane(inside, endY);
    go(left, lane);
    [x, y] = [left + inside[0].offsetWidth, lane];
    path += `H${x}`;
  }
  go(endX, endY);
  return path;
}

function freeLane(inside, wanted) {
  const lanes = [
    inside[0].offsetTop - 10,
    ...inside.map((frame) => frame.offsetTop + frame.offsetHeight + 12),
  ];
  return lanes.reduce((best, lane) =>
    Math.abs(lane - wanted) < Math.abs(best - wanted) ? lane : best,
  );
}
