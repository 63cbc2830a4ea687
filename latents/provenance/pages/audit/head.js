// The answer, what the chain took, and what is not fresh.

function showTotals() {
  const troubled = nodes.filter((node) => node.verdict !== "fresh").length;
  byId("answer").append(mark(nodes[data.target].verdict), " ", answer(troubled));
  if (data.remark) byId("answer").after(make("p", {}, data.remark));
  const { totals } = data;
  const commits = totals.commits.map((commit) =>
    commit === "None" ? "not known" : commit.slice(0, 7),
  );
  const shown = {
    Models: digits(totals.models),
    Seeds: digits(totals.seeds),
    "Training steps": digits(totals.steps),
    "GPU-hours": totals.gpu_hours.toFixed(2),
    "CPU-hours": totals.cpu_hours.toFixed(2),
    Data: totals.data.join(", ") || "none",
    Commits: commits.join(", ") || "none",
    "Made with uncommitted changes": count(totals.uncommitted, "artefact"),
  };
  const tile = ([name, value]) => make("div", {}, make("dt", {}, name), make("dd", {}, value));
  byId("totals").append(...Object.entries(shown).map(tile));
}

function answer(troubled) {
  if (troubled)
    return `${digits(troubled)} of ${count(nodes.length, "artefact")} ${troubled === 1 ? "is" : "are"} not fresh.`;
  if (data.remark) return "No artefact was changed, but not everything could be compared.";
  return `All ${digits(nodes.length)} artefacts are fresh.`;
}

function showTroubles() {
  byId("troubles").hidden = !data.troubles.length;
  for (const trouble of data.troubles) {
    const why = trouble.follows
      ? "made from something that is not fresh"
      : trouble.reasons.join("; ");
    const step = trouble.step ? `, ${words(trouble.step)}` : "";
    const title = [
      mark(trouble.verdict),
      ` ${trouble.nodes.length} × ${trouble.verdict}${step}: ${why}`,
    ];
    const folded = make(
      "details",
      {},
      make("summary", {}, ...title),
      make("ul", { class: "files" }, ...trouble.nodes.map(link)),
    );
    folded.open = !trouble.follows && trouble.nodes.length <= 3;
    byId("troubles").append(folded);
  }
}
