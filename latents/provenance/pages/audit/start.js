// The selected artefact is the address's fragment: "back" works, and links can be shared.

function follow() {
  const wanted = decodeURIComponent(location.hash.slice(1));
  const place = nodes.findIndex((node) => node.path === wanted);
  select(place < 0 ? data.target : place);
}

showTotals();
showTroubles();
showGraph();
showVerdicts();
filter();
follow();
addEventListener("hashchange", follow);
addEventListener("resize", () => fit());
addEventListener("beforeprint", () => fit(...SHEET, 0.45));
addEventListener("afterprint", () => fit());
byId("search").addEventListener("input", filter);
byId("graph").addEventListener("click", (event) => {
  const square = event.target.closest(".squares button");
  if (square) location.hash = address(nodes[square.dataset.place].path);
});
byId("graph").addEventListener(
  "keydown",
  (event) => event.target.closest(".squares") && moveByKey(event),
);
for (const kind of ["mouseover", "focusin"]) document.addEventListener(kind, showTip);
