// The cards of figures: request figures near the window, print them, open the matches behind a point.
(function () {
  "use strict";
  window.dash_clientside = window.dash_clientside || {};

  const NEAR = "250px";
  const CHOICES = { "/analysis/where": [["show", "all"], ["layer", "arrivals"]], "/analysis/compare": [["by", "player"]] };
  const AT_ONCE = 2;
  const FINDINGS_FIRST = 250; // maximum milliseconds that drawings wait for findings
  const PATIENCE = 30000;
  const NO_ANSWER = "The server has not answered yet.";
  const requested = new WeakMap();
  const waiting = new Set();
  const underWay = new Map();
  const undrawn = new Set();
  let wanted = null;
  let picked = false;

  // The card itself, as a separate component. `drawn` writes everything else that changes in a card; React leaves that
  // alone.

  function FigureCard({ anchor, figure, kind, title, path, hasMap, className, answer, children }) {
    const { createElement: make, useEffect, useRef, useState } = window.React;
    const section = useRef(null);
    const [hasGraph, setHasGraph] = useState(false);
    const hasDrawing = Boolean(answer && answer.drawing);
    useEffect(() => arrive(section.current), []);
    useEffect(() => (hasDrawing ? onceSeen(section.current, () => setHasGraph(true)) : undefined), [hasDrawing]);
    const label = (ending) => ({ "aria-label": title + ", as " + ending });
    const picture = (ending) =>
      make("button", { type: "button", "data-picture": ending.toLowerCase(), ...label(ending + " picture") }, ending + " picture");
    const items = [
      make("a", { download: "", "data-table": "csv", ...label("CSV data") }, "CSV data"),
      path && make("a", { download: "", "data-table": "json", ...label("JSON data") }, "JSON data"),
      picture("SVG"),
      picture("PNG"),
      path && make("button", { type: "button", "data-address": path, "aria-label": "Copy address of " + title }, "Copy address"),
    ].filter(Boolean);
    const list = make("ul", null, ...items.map((item) => make("li", null, item)));
    const icon = make("span", { className: "icon icon-download", "aria-hidden": "true" });
    const summary = make("summary", { className: "button", "aria-label": "Save " + title }, icon, "Save");
    const menu = make("details", { className: "figure-menu" }, summary, list);
    const head = make("div", { className: "card-head" }, make("h3", null, title), make("div", { className: "actions" }, menu));
    const parts = window.React.Children.toArray(children);
    const help = parts.pop();
    const table = parts.pop();
    const drawing = make("div", { className: "drawing" }, hasMap ? make("div", { className: "map" }) : hasGraph && parts);
    const again = make("button", { type: "button", className: "button again", "data-again": figure }, "Try again");
    const open = (event) => event.currentTarget.open && askForData(event.currentTarget.closest(".figure-card"));
    return make(
      "section",
      { ref: section, id: anchor, className: ["card figure-card", className].join(" ").trim(), "data-figure": figure, "data-kind": kind },
      head,
      make("figure", null, drawing, make("figcaption")),
      again,
      make("details", { className: "figure-data", onToggle: open }, make("summary", null, "Show data"), table),
      help,
    );
  }

  // Drawing starts Plotly, which blocks everything else. So drawings wait until the visible findings are painted,
  // though not long for a late one. Cards out of sight wait longer.
  function onceSeen(card, call) {
    const watch = new IntersectionObserver(function (entries) {
      if (!entries.some((entry) => entry.isIntersecting)) return;
      watch.disconnect();
      undrawn.add(call);
      window.setTimeout(drawAll, FINDINGS_FIRST);
      drawOnceRead();
    });
    watch.observe(card);
    return () => {
      watch.disconnect();
      undrawn.delete(call);
    };
  }

  function drawOnceRead() {
    if (![...waiting, ...underWay.keys()].some(isSeen)) window.setTimeout(drawAll); // a timeout, so that the findings are painted first
  }

  function drawAll() {
    for (const call of undrawn) call();
    undrawn.clear();
  }

  function isSeen(card) {
    const { top, bottom } = card.getBoundingClientRect();
    return bottom > 0 && top < window.innerHeight;
  }

  window.himalaya = { ...window.himalaya, FigureCard };

  // Requests: visible figures immediately, then a few figures nearby at a time, the nearest first

  // Request a visible card as soon as it exists, without waiting for Dash to process all other cards.
  function arrive(card) {
    const store = window.dash_component_api.getLayout("filter-search");
    want(store.props.data);
    watcher.observe(card);
    if (!isSeen(card)) return;
    near.add(card);
    ask(card);
  }

  function ask(card) {
    if (!wanted || wanted.path !== window.location.pathname) return; // this filter belongs to a page that was left
    if (requested.get(card) === wanted.search + " " + wanted.scheme) return;
    card.setAttribute("aria-busy", "true");
    waiting.add(card);
    askNext();
  }

  function askNext() {
    const isLeft = (card) => !card.isConnected || wanted.path !== window.location.pathname;
    for (const card of [...waiting, ...underWay.keys()]) if (isLeft(card)) forget(card);
    for (const card of [...waiting].filter(isSeen)) send(card);
    const far = (card) => Math.abs(card.getBoundingClientRect().top);
    const next = [...waiting].sort((one, other) => far(one) - far(other));
    for (const card of next.slice(0, Math.max(0, AT_ONCE - underWay.size))) send(card);
  }

  function send(card) {
    forget(card);
    underWay.set(card, window.setTimeout(giveUp, PATIENCE, card));
    const { search, scheme } = wanted;
    requested.set(card, search + " " + scheme);
    const { figure, kind } = card.dataset;
    window.dash_clientside.set_props({ part: "card", figure, kind }, { wanted: { figure, kind, search, scheme } });
  }

  function forget(card) {
    waiting.delete(card);
    window.clearTimeout(underWay.get(card));
    underWay.delete(card);
  }

  // A card's data table is requested only while it is open.
  function askForData(card) {
    const { figure, kind, search } = card.dataset;
    if (search === undefined) return; // no figure has been requested for the card yet
    window.dash_clientside.set_props({ part: "card", figure, kind }, { dataWanted: { figure, kind, search } });
  }

  // Drop all requests: their answers would be for another filter or other colours. Figures nearby are requested again.
  function forgetAll() {
    for (const card of [...underWay.keys()]) {
      forget(card);
      card.removeAttribute("aria-busy");
    }
  }

  // Figures out of sight are for the filter before: empty their cards, which are filled when they come near or are printed.
  function clearFar() {
    for (const card of document.querySelectorAll(".figure-card[data-state]")) {
      if (near.has(card)) continue;
      requested.delete(card);
      delete card.dataset.state;
      card.querySelector("figcaption").textContent = "";
    }
  }

  // Report a missing answer. If the answer still arrives later, it is drawn.
  function giveUp(card) {
    const { figure, kind } = card.dataset;
    drawn({ ...wanted, figure, kind, failed: NO_ANSWER });
  }

  const near = new Set();
  const watcher = new IntersectionObserver(
    function (entries) {
      for (const { target, isIntersecting } of entries) {
        if (isIntersecting) near.add(target);
        else {
          near.delete(target);
          if (waiting.delete(target)) target.removeAttribute("aria-busy");
        }
        if (isIntersecting) ask(target);
      }
    },
    { rootMargin: NEAR },
  );

  // Make a drawing that is wider than its card scrollable, also by keyboard.
  const sizes = new ResizeObserver(function (entries) {
    for (const { target } of entries) {
      const place = target.closest(".figure-card .drawing");
      if (!place) continue; // the page of the card was left
      const isWide = place.scrollWidth > place.clientWidth + 1;
      if (isWide) place.tabIndex = 0;
      else place.removeAttribute("tabindex");
      place.setAttribute("role", "group");
      place.setAttribute("aria-label", place.closest(".figure-card").querySelector("h2, h3").textContent);
    }
  });

  // Observe cards that appear and disappear with pages.
  new MutationObserver(function () {
    for (const card of near) if (!card.isConnected) near.delete(card);
    document.querySelectorAll(".drawing, .drawing > *").forEach((part) => sizes.observe(part));
  }).observe(document.documentElement, { childList: true, subtree: true });

  function want(search) {
    const before = wanted;
    wanted = { search: search || "", scheme: window.dash_clientside.shell.scheme(), path: window.location.pathname };
    const isSame = (key) => !before || before[key] === wanted[key];
    if (before && ["search", "scheme", "path"].every(isSame)) return window.dash_clientside.no_update;
    if (!isSame("search") || !isSame("scheme")) forgetAll();
    if (!isSame("search")) clearFar();
    near.forEach(ask);
    return window.dash_clientside.no_update;
  }

  function recolour(scheme) {
    if (!wanted || !scheme) return;
    if (wanted.scheme !== scheme) forgetAll();
    wanted.scheme = scheme;
    near.forEach(ask);
  }

  function cardOf(figure, kind) {
    return document.querySelector(`.figure-card[data-figure="${CSS.escape(figure)}"][data-kind="${CSS.escape(kind)}"]`);
  }

  // Draw an answer, unless it is for an earlier filter or colour scheme.
  function drawn(answer) {
    const card = answer && cardOf(answer.figure, answer.kind);
    if (!card || !wanted || wanted.search !== answer.search || wanted.scheme !== answer.scheme) return;
    forget(card);
    const { figure, kind, drawing, svg, paper, empty, failed } = answer;
    papers.set(card, paper);
    // Reserve the height of the drawing first, so that the finding does not move later.
    card.querySelector(".drawing").style.minHeight = drawing ? drawing.layout.height + "px" : "";
    if (drawing) {
      const { height, meta } = drawing.layout;
      const least = meta && meta.least ? meta.least + "px" : undefined;
      const style = { height: height + "px", minWidth: least };
      window.dash_clientside.set_props({ part: "graph", figure, kind }, { figure: drawing, style });
    }
    if (svg !== undefined) card.querySelector(".map").innerHTML = svg;
    if (failed) requested.delete(card);
    const caption = card.querySelector("figcaption");
    caption.textContent = failed || answer.finding;
    if (!failed && answer.note) {
      const note = document.createElement("small");
      note.textContent = answer.note;
      caption.append(note);
    }
    if (!failed) card.querySelector("[data-table=csv]").href = answer.csv;
    const json = card.querySelector("[data-table=json]");
    if (json && !failed) json.download = answer.name + ".json";
    if (json && !failed) json.href = window.dash_clientside.shell.urlOf("/api/figures/" + figure) + answer.narrow;
    card.dataset.search = answer.search;
    card.dataset.narrow = answer.narrow || "";
    card.dataset.name = answer.name || "";
    card.dataset.source = answer.source || "";
    card.dataset.state = failed ? "failed" : empty ? "empty" : "drawn";
    card.removeAttribute("aria-busy");
    if (!failed && card.querySelector(".figure-data").open) askForData(card);
    askNext();
    drawOnceRead();
    if (!waiting.size && !underWay.size) allLoaded();
  }

  document.addEventListener("click", function (event) {
    const button = event.target.closest && event.target.closest("button[data-again]");
    const card = button && button.closest(".figure-card");
    if (!card) return;
    ask(card);
    if (waiting.has(card)) send(card); // immediately: the cards queued before it may get no answer either
  });

  // Choices next to the filter bar are in the address too; the bar notices a choice and notifies the page. Only a
  // reader's choice is written: the server also sets these inputs, and by then Back may have been pressed.
  document.addEventListener("click", function (event) { // choosing by arrow key also fires click
    picked = picked || event.target.matches(".segment input");
  }, true);

  function choose(...chosen) {
    if (!picked) return;
    picked = false;
    const query = new URLSearchParams(window.location.search);
    const before = query.toString();
    CHOICES[window.dash_clientside.shell.path()].forEach(function ([key, usual], nth) {
      if (!chosen[nth] || chosen[nth] === usual) query.delete(key);
      else query.set(key, chosen[nth]);
    });
    const after = query.toString();
    if (after === before) return;
    if (window.dash_clientside.shell.path() === "/analysis/compare") { // the two sides compared belong to the old choice
      query.delete("side");
      window.location.assign(window.location.pathname + "?" + query);
      return;
    }
    window.history.pushState({}, "", window.location.pathname + (after && "?" + after) + window.location.hash);
    window.dispatchEvent(new CustomEvent("_dashprivate_pushstate"));
  }

  // Links to the matches behind a point

  // The address of the matches: keys in `narrow` replace the same keys of the filter.
  function matchesOf(search, narrow) {
    const query = new URLSearchParams(search);
    const narrower = new URLSearchParams(narrow);
    for (const key of new Set(narrower.keys())) query.delete(key);
    for (const [key, value] of narrower) query.append(key, value);
    const text = query.toString();
    return window.dash_clientside.shell.urlOf("/matches") + (text && "?" + text);
  }

  function follow(clicked, answer) {
    const point = clicked && clicked.points[0];
    const meta = point && answer.drawing && answer.drawing.data[point.curveNumber].meta;
    const narrows = meta && meta.narrow;
    if (!narrows) return;
    const narrow = Array.isArray(narrows) ? narrows[point.pointNumber] : narrows[point.y + "\n" + point.x];
    if (narrow !== undefined && narrow !== null) window.location.assign(matchesOf(answer.narrow, narrow));
  }

  document.addEventListener("click", go);
  document.addEventListener("keydown", function (event) {
    if (event.key === "Enter" || event.key === " ") go(event);
  });
  // Open the matches behind a place on a map or an entry of its legend.
  function go(event) {
    const place = event.target.closest && event.target.closest(".map [data-narrow]");
    if (!place) return;
    event.preventDefault();
    window.location.assign(matchesOf(place.closest(".figure-card").dataset.narrow, place.dataset.narrow));
  }

  // On paper, a figure has its own drawing, as wide as a page and in light colours.

  const papers = new WeakMap(); // card → SVG markup
  let allLoaded = () => {};

  window.addEventListener("beforeprint", function () {
    for (const card of document.querySelectorAll(".figure-card")) {
      if (!papers.get(card)) continue;
      const paper = Object.assign(document.createElement("div"), { className: "on-paper", innerHTML: papers.get(card) });
      card.querySelector(".drawing").append(paper);
    }
  });
  window.addEventListener("afterprint", () => document.querySelectorAll(".drawing > .on-paper").forEach((paper) => paper.remove()));

  // Request the figures out of sight. Returns whether some are missing, and calls `done` once all have an answer.
  function load(done) {
    const missing = [...document.querySelectorAll(".figure-card:not([data-state])")].filter((card) => card.checkVisibility());
    allLoaded = () => {
      allLoaded = () => {};
      done();
    };
    missing.forEach(ask);
    return missing.length > 0;
  }

  // Without https, browsers have no clipboard: the address is then shown.
  async function copy(url) {
    try {
      await navigator.clipboard.writeText(url);
    } catch {
      window.dash_clientside.shell.report("Address: " + url);
    }
  }

  // The menu of a figure closes like any menu: after a choice, on Escape, and when the focus or a click is elsewhere.
  const openMenus = () => [...document.querySelectorAll(".figure-menu[open]")];
  document.addEventListener("click", function (event) {
    const address = event.target.closest && event.target.closest("[data-address]");
    const url = address && window.location.origin + address.dataset.address + window.location.search;
    if (url) copy(url);
    for (const menu of openMenus()) {
      if (!event.target.closest || event.target.closest(".figure-menu") !== menu || event.target.closest("li")) menu.open = false;
    }
  });
  document.addEventListener("focusin", function (event) {
    for (const menu of openMenus()) if (!menu.contains(event.target)) menu.open = false;
  });
  document.addEventListener("keydown", function (event) {
    if (event.key !== "Escape") return;
    for (const menu of openMenus()) {
      menu.open = false;
      menu.querySelector("summary").focus();
    }
  });

  window.dash_clientside.figures = { want, recolour, drawn, choose, follow, load };
})();
