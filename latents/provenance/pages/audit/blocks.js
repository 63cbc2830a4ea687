// The data of the page, and the pieces that all its parts are built of.
"use strict";
const LETTERS = { fresh: "", stale: "S", tampered: "T", missing: "M", unknown: "U" };
const MEANINGS = {
  fresh: "what its record says, and what the present code and configuration would make",
  stale: "made by other code, with other values or from other inputs than today's",
  tampered: "changed after it was made, or its record was",
  missing: "not there",
  unknown: "there, but nothing records how it was made",
};
const LISTED = 12; // files of a list before the rest is folded away
const SHEET = [1000, 560]; // what a graph may take of a sheet of A4 on its side
const data = JSON.parse(document.getElementById("data").textContent);
const { nodes, boxes, links } = data;
const usedBy = nodes.map(() => []);
nodes.forEach((node, place) => node.inputs.forEach((input) => usedBy[input].push(place)));
const byId = (id) => document.getElementById(id);

// Text is only ever set as text, so nothing in a record can become markup.

function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

function draw(tag, attributes, text = "") {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.textContent = text;
  return element;
}

const digits = (number) => number.toLocaleString("en");
const count = (number, noun) => `${digits(number)} ${noun}${number === 1 ? "" : "s"}`;
const words = (step) => (step === "given" ? "given, not made here" : step.replaceAll("_", " "));
const mark = (verdict) =>
  make("span", { class: `mark ${verdict}`, "aria-hidden": "true" }, LETTERS[verdict]);
// A long path may break behind a slash or an underscore, not in the middle of a word.
const breakable = (path) => path.split(/(?<=[/_.])/).flatMap((part) => [part, make("wbr")]);
const address = (path) => "#" + encodeURIComponent(path);

function link(place) {
  const { path, verdict } = nodes[place];
  return make(
    "li",
    {},
    mark(verdict),
    make("a", { href: address(path), class: "path", title: verdict }, ...breakable(path)),
  );
}

function fold(title, ...children) {
  return make("details", {}, make("summary", {}, title), ...children);
}

// A list of which only the beginning is open.
function list(items, kind = "") {
  const some = (part) => make("ul", { class: kind }, ...part);
  const rest = items.slice(LISTED);
  return rest.length
    ? [some(items.slice(0, LISTED)), fold(`and ${rest.length} more`, some(rest))]
    : [some(items)];
}

const files = (places) => list(places.map(link), "files");

// Undo the sharing of latents/provenance/audit_page.py: every object in a value is a reference.
const restore = (value) =>
  Array.isArray(value)
    ? value.map(restore)
    : value && typeof value === "object"
      ? restoreInside(data.shared[value["@"]])
      : value;
const restoreInside = (value) =>
  value && typeof value === "object" && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).map(([key, item]) => [key, restore(item)]))
    : restore(value);
