// The cards of figures: asks for what comes near the window, downloads pictures, leads from a point to its matches.
(function () {
  "use strict";
  window.dash_clientside = window.dash_clientside || {};

  const NEAR = "600px";
  const FRESH = 60000;
  const WIDE = 1040;
  const LONG_NAME = 90;
  const MAP_LINES = 4;
  const CHOICES = { "/traffic": [["show", "all"], ["layer", "arrivals"]], "/compare": [["by", "player"]] };
  const asked = new WeakMap();
  let wanted = null;

  // Asking

  function ask(card) {
    if (!wanted || wanted.path !== window.location.pathname) return; // the filter of a page that was left
    const { search, scheme } = wanted;
    if (asked.get(card) === search + " " + scheme) return;
    asked.set(card, search + " " + scheme);
    const { figure, kind } = card.dataset;
    card.setAttribute("aria-busy", "true");
    window.dash_clientside.set_props({ part: "wanted", figure, kind }, { data: { figure, kind, search, scheme } });
  }

  const near = new Set();
  const watcher = new IntersectionObserver(
    function (entries) {
      for (const { target, isIntersecting } of entries) {
        if (isIntersecting) near.add(target);
        else near.delete(target);
        if (isIntersecting) ask(target);
      }
    },
    { rootMargin: NEAR },
  );

  // Cards come and go with pages; watching one twice changes nothing.
  new MutationObserver(function () {
    for (const card of near) if (!card.isConnected) near.delete(card);
    document.querySelectorAll(".figure-card").forEach((card) => watcher.observe(card));
  }).observe(document.documentElement, { childList: true, subtree: true });

  function want(search) {
    wanted = { search: search || "", scheme: window.dash_clientside.shell.scheme(), path: window.location.pathname };
    near.forEach(ask);
    return window.dash_clientside.no_update;
  }

  function recolour(scheme) {
    if (!wanted || !scheme) return;
    wanted.scheme = scheme;
    near.forEach(ask);
  }

  function cardOf(figure, kind) {
    return document.querySelector(`.figure-card[data-figure="${CSS.escape(figure)}"][data-kind="${CSS.escape(kind)}"]`);
  }

  // An answer to what was asked before the filter changed again is not the last.
  function drawn(answer) {
    const card = answer && cardOf(answer.figure, answer.kind);
    if (!card || !wanted || wanted.search !== answer.search || wanted.scheme !== answer.scheme) return;
    const { figure, kind, drawing, svg, empty } = answer;
    const put = (part, properties) => window.dash_clientside.set_props({ part, figure, kind }, properties);
    if (drawing) {
      const { height, meta } = drawing.layout;
      const least = meta && meta.least ? meta.least + "px" : undefined;
      put("graph", { figure: drawing, style: { height: height + "px", minWidth: least } });
    }
    if (svg !== undefined) card.querySelector(".map").innerHTML = svg;
    put("finding", { children: answer.finding });
    put("csv", { href: answer.csv });
    card.dataset.narrow = answer.narrow;
    card.dataset.state = empty ? "empty" : "drawn";
    card.removeAttribute("aria-busy");
  }

  // What is chosen beside the filter bar stands in the address too; the bar hears of it and tells the page.
  function choose(...chosen) {
    const query = new URLSearchParams(window.location.search);
    const before = query.toString();
    CHOICES[window.location.pathname].forEach(function ([key, usual], nth) {
      if (!chosen[nth] || chosen[nth] === usual) query.delete(key);
      else query.set(key, chosen[nth]);
    });
    const after = query.toString();
    if (after === before) return;
    if (window.location.pathname === "/compare") { // other things have other names
      query.delete("side");
      window.location.assign("/compare?" + query);
      return;
    }
    window.history.pushState({}, "", window.location.pathname + (after && "?" + after) + window.location.hash);
    window.dispatchEvent(new CustomEvent("_dashprivate_pushstate"));
  }

  // To the matches behind a point

  // What narrows takes the place of the same keys of the filter.
  function matchesOf(search, narrow) {
    const query = new URLSearchParams(search);
    const narrower = new URLSearchParams(narrow);
    for (const key of new Set(narrower.keys())) query.delete(key);
    for (const [key, value] of narrower) query.append(key, value);
    const text = query.toString();
    return "/matches" + (text && "?" + text);
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
  // A village, road or region of a map, or its legend.
  function go(event) {
    const place = event.target.closest && event.target.closest(".map [data-narrow]");
    if (!place) return;
    event.preventDefault();
    window.location.assign(matchesOf(place.closest(".figure-card").dataset.narrow, place.dataset.narrow));
  }

  // Pictures

  function fileName(card, format) {
    const pairs = [...new URLSearchParams(card.dataset.narrow)].map((pair) => pair.join("-"));
    const filter = pairs.join("-").toLowerCase().replace(/[^a-z0-9]+/g, "-").slice(0, LONG_NAME);
    return ["himalaya", card.dataset.figure, filter.replace(/^-|-$/g, "")].filter(Boolean).join("-") + "." + format;
  }

  function save(address, name) {
    const link = document.createElement("a");
    link.href = address;
    link.download = name;
    link.click();
  }

  // As on the page, on a background of its own, with its heading above and its finding below.
  function pictured(graph, card) {
    const look = window.getComputedStyle(card);
    const text = (selector) => (card.querySelector(selector) || {}).textContent || "";
    const layout = JSON.parse(JSON.stringify(graph.layout));
    const width = Math.max(WIDE, graph.clientWidth);
    const lines = broken(text("figcaption"), Math.floor((width - 32) / 7));
    const [above, below] = [44, 24 + 18 * lines.length];
    const margin = layout.margin || {};
    layout.title = { text: text("h2, h3"), x: 0, xref: "container", xanchor: "left", pad: { l: 16, t: 16 }, y: 1, yref: "container", yanchor: "top", font: { size: 16, color: look.color } };
    layout.margin = { ...margin, l: (margin.l || 0) + 12, r: (margin.r || 0) + 12, t: (margin.t || 0) + above, b: (margin.b || 0) + below };
    layout.annotations = (layout.annotations || []).concat({
      text: lines.join("<br>"), align: "left", showarrow: false, font: { size: 13, color: look.color },
      xref: "container", x: 0, xanchor: "left", xshift: 16, yref: "container", y: 0, yanchor: "bottom", yshift: 14,
    });
    layout.paper_bgcolor = look.backgroundColor;
    layout.width = width;
    layout.height = graph.clientHeight + above + below;
    layout.autosize = false;
    return { figure: { data: graph.data, layout, config: { staticPlot: true } }, width, height: layout.height };
  }

  function broken(text, most) {
    const lines = [""];
    for (const word of text.split(/\s+/)) {
      const last = lines[lines.length - 1];
      if (last && last.length + word.length >= most) lines.push(word);
      else lines[lines.length - 1] = last ? last + " " + word : word;
    }
    return lines;
  }

  async function picture(card, format) {
    const map = card.querySelector(".map svg");
    if (map) return mapPicture(card, map, format);
    const { figure, width, height } = pictured(card.querySelector(".js-plotly-plot"), card);
    const scale = format === "png" ? 2 : 1;
    save(await window.Plotly.toImage(figure, { format, width, height, scale }), fileName(card, format));
  }

  async function mapPicture(card, map, format) {
    const { picture: drawing, toPng } = await import("/assets/replay/picture.js");
    const [title, caption] = ["h2, h3", "figcaption"].map((part) => card.querySelector(part).textContent);
    const svg = await drawing({ seats: [] }, map.parentElement, { title, caption, lines: MAP_LINES });
    const blob = format === "png" ? await toPng(svg, 2) : new Blob([svg], { type: "image/svg+xml" });
    const address = URL.createObjectURL(blob);
    save(address, fileName(card, format));
    window.setTimeout(() => URL.revokeObjectURL(address), FRESH);
  }

  document.addEventListener("click", function (event) {
    const button = event.target.closest && event.target.closest("button[data-picture]");
    if (!button) return;
    picture(button.closest(".figure-card"), button.dataset.picture).catch(function (error) {
      window.dash_clientside.shell.report("The picture cannot be made: " + error.message);
    });
  });

  window.dash_clientside.figures = { want, recolour, drawn, choose, follow };
})();
