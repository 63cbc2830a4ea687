// All that is known of the selected artefact.

function reach(place, neighbours, found = new Set()) {
  for (const next of neighbours(place)) {
    if (!found.has(next)) reach(next, neighbours, found.add(next));
  }
  return found;
}

function select(place) {
  const chain = new Set([
    place,
    ...reach(place, (at) => nodes[at].inputs),
    ...reach(place, (at) => usedBy[at]),
  ]);
  squares.forEach((square, at) => {
    square.classList.toggle("unrelated", !chain.has(at));
    square.setAttribute("aria-current", String(at === place));
  });
  drawLinks();
  const wasInside = byId("panel").contains(document.activeElement);
  byId("panel").replaceChildren(...describe(nodes[place], place));
  byId("panel").scrollTop = 0;
  if (wasInside) byId("panel").querySelector("h2").focus();
}

function describe(node, place) {
  const record = restore(node.record);
  const parts = [
    make("h2", { tabindex: "-1" }, ...breakable(node.path)),
    make(
      "p",
      { role: "status" },
      make("span", { class: `badge ${node.verdict}` }, node.verdict),
      ` ${MEANINGS[node.verdict]}`,
    ),
    ...list(node.reasons.map((reason) => make("li", {}, ...breakable(reason)))),
    make("p", { class: "path quiet" }, node.digest ? `sha256 ${node.digest}` : ""),
    ...curveOf(restore(node.curve)),
    make("h3", {}, "Made from"),
    ...(node.inputs.length ? files(node.inputs) : ["Nothing else: this is a beginning."]),
    make("h3", {}, "Used for"),
    ...(usedBy[place].length ? files(usedBy[place]) : ["Nothing else: this is what was audited."]),
    ...(record ? recordOf(record) : [make("h3", {}, "Record"), "There is none."]),
  ];
  const lines = restore(node.lines);
  if (lines)
    parts.push(
      make("h3", {}, "Last lines of its log"),
      make("p", { class: "path" }, node.log),
      make("pre", { tabindex: "0" }, lines),
    );
  if (record)
    parts.push(
      make("h3", {}, "All of the record"),
      fold("as it was written", make("pre", { tabindex: "0" }, JSON.stringify(record, null, 1))),
    );
  return parts;
}

function recordOf(record) {
  const { job, code, environment } = record;
  const facts = {
    step: record.step,
    started: record.started.replace("T", " "),
    took: `${record.seconds} s (${record.cpu_seconds} s of CPU)`,
    "most memory": `${digits(record.peak_memory_mb)} MB`,
    seeds: record.seeds.join(", ") || "none",
    data: record.data.join(", ") || "none",
    commit: code.commit ?? "not known",
    "uncommitted changes": code.changed.join(", ") || "none",
  };
  return [
    make("h3", {}, "How it was made"),
    table(facts),
    make("h3", {}, "Values of the job"),
    table(flat(job.values)),
    make("h3", {}, "Settings that cannot change the result"),
    table(flat(record.settings)),
    make("h3", {}, "Configuration set by hand"),
    table(flat(record.configuration)),
    make("h3", {}, "Environment"),
    table(flat(environment)),
    make("h3", {}, "Code"),
    ...codeOf(record.units ?? {}),
    fold("the command of its rule", make("pre", {}, job.command)),
  ];
}

// The functions, methods, classes and constants that the job could reach, by file.
function codeOf(units) {
  const files = Object.entries(units);
  const total = files.reduce((sum, [, names]) => sum + Object.keys(names).length, 0);
  const shown = files.map(([path, names]) => {
    const inside = Object.entries(names).map(([name, hash]) => unit(path, name, hash));
    return fold(`${path} (${Object.keys(names).length})`, ...inside);
  });
  return [fold(`${count(total, "unit")} of code in ${count(files.length, "file")}`, ...shown)];
}

// One unit with its present code, read when it is opened.
function unit(path, name, hash) {
  const now = data.units[path]?.[name];
  const state = now === undefined ? " (gone)" : now.hash === hash ? "" : " (changed since)";
  const code = make("pre", { class: "code" }, now?.code ?? "This unit is not there any more.");
  return fold(`${name}${state}`, code);
}

// Nested values as one level: {objective: {name: x}} -> {"objective.name": x}.
function flat(value, name = "") {
  const isNested =
    value && typeof value === "object" && !Array.isArray(value) && Object.keys(value).length;
  if (!isNested)
    return name ? { [name]: typeof value === "string" ? value : JSON.stringify(value) } : {};
  return Object.assign(
    {},
    ...Object.entries(value).map(([key, item]) => flat(item, name ? `${name}.${key}` : key)),
  );
}

function table(rows) {
  const entries = Object.entries(rows);
  if (!entries.length) return make("p", { class: "quiet" }, "None.");
  return make(
    "table",
    {},
    ...entries.map(([name, value]) =>
      make("tr", {}, make("th", { scope: "row" }, ...breakable(name)), make("td", {}, value)),
    ),
  );
}
