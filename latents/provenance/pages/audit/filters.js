// Which squares are shown, and how the keyboard and the pointer find their way among them.

const hiddenVerdicts = new Set();

function showVerdicts() {
  for (const [verdict, meaning] of Object.entries(MEANINGS)) {
    const number = nodes.filter((node) => node.verdict === verdict).length;
    const button = make(
      "button",
      { type: "button", "aria-pressed": "true", title: meaning },
      mark(verdict),
      `${digits(number)} ${verdict}`,
    );
    button.addEventListener("click", () => {
      if (!hiddenVerdicts.delete(verdict)) hiddenVerdicts.add(verdict);
      button.setAttribute("aria-pressed", String(!hiddenVerdicts.has(verdict)));
      filter();
    });
    byId("verdicts").append(button);
    byId("legend").append(make("li", {}, mark(verdict), `${verdict}: ${meaning}`));
  }
}

function filter() {
  const wanted = byId("search").value.trim().toLowerCase();
  let shown = 0;
  nodes.forEach((node, place) => {
    const fits = node.path.toLowerCase().includes(wanted) && !hiddenVerdicts.has(node.verdict);
    squares[place].hidden = !fits;
    shown += fits;
  });
  for (const frame of frames) {
    const inside = visible(frame);
    frame.hidden = !inside.length;
    inside.forEach((square, number) => {
      square.tabIndex = number ? -1 : 0;
    });
  }
  byId("count").textContent =
    shown === nodes.length
      ? count(shown, "artefact")
      : `${digits(shown)} of ${count(nodes.length, "artefact")}`;
  fit();
}

function moveByKey(event) {
  const square = event.target.closest("button");
  const inside = visible(square.closest(".box"));
  const across = inside.filter((other) => other.offsetTop === inside[0].offsetTop).length;
  const at = inside.indexOf(square);
  const goals = {
    ArrowLeft: at - 1,
    ArrowRight: at + 1,
    ArrowUp: at - across,
    ArrowDown: at + across,
    Home: 0,
    End: inside.length - 1,
  };
  const goal = inside[goals[event.key]];
  if (!goal) return;
  event.preventDefault();
  square.tabIndex = -1;
  goal.tabIndex = 0;
  goal.focus();
}

function showTip(event) {
  const square = event.target.closest?.(".squares button");
  byId("tip").hidden = !square;
  if (!square) return;
  const { path, verdict } = nodes[square.dataset.place];
  const edge = square.getBoundingClientRect();
  byId("tip").replaceChildren(...breakable(path), ` (${verdict})`);
  byId("tip").style.left = 0; // so that its width is its own
  byId("tip").style.left =
    `${Math.max(8, Math.min(edge.left, innerWidth - byId("tip").offsetWidth - 8))}px`;
  byId("tip").style.top =
    `${edge.top > 60 ? edge.top - byId("tip").offsetHeight - 8 : edge.bottom + 8}px`;
}
