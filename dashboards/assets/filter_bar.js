// The filter bar: keeps inputs, chips, address and the links of the navigation in step; see dashboards/ui/filter_bar.py.
(function () {
  "use strict";
  window.dash_clientside = window.dash_clientside || {};

  // Keys of the filter that pages share; the navigation carries them from page to page.
  const SHARED = [
    "game", "tournament", "option", "players", "player", "version", "seat", "result", "from", "to", "board",
  ];
  const PAUSE = 200; // milliseconds from the last change to the request
  const CARRIED = "himalaya-filter";
  const paths = new WeakMap(); // bar → the path of the page it was made for
  let current = ""; // the query last passed to pages
  let waiting = 0;
  let wanted = 0;
  let returned = false; // true after Back or Forward, so that the next change adds a step to the history
  let touched = true; // true if the reader used an input since the address last set them

  const bars = () => Array.from(document.querySelectorAll(".filter-bar"));
  const places = (inside) => Array.from(inside.querySelectorAll("[data-filter]"));
  const ordered = (search) => Array.from(new URLSearchParams(search), (pair) => pair.join("=")).sort().join("&");
  const written = (pairs) => (pairs.length ? "?" + new URLSearchParams(pairs) : "");

  function keysOf(place) {
    const key = place.dataset.filter;
    const prefix = key.slice(0, key.lastIndexOf(".") + 1);
    return place.dataset.kind === "rounds" ? [prefix + "from", prefix + "to"] : [key];
  }

  // An input's setting as keys and values of an address. A bound that excludes nothing is left out.
  function pairsOf(place, value) {
    const keys = keysOf(place);
    if (place.dataset.kind === "rounds") {
      const bounds = JSON.parse(place.dataset.bounds);
      return keys.map((key, end) => [key, String(value[end])]).filter((pair, end) => Number(pair[1]) !== bounds[end]);
    }
    const values = Array.isArray(value) ? value : [value];
    return values.filter((each) => each || each === 0).map((each) => [keys[0], String(each)]);
  }

  function valueOf(place, query) {
    const keys = keysOf(place);
    if (place.dataset.kind === "many") return query.getAll(keys[0]);
    if (place.dataset.kind === "one") return query.get(keys[0]);
    if (place.dataset.kind === "text") return query.get(keys[0]) || "";
    return JSON.parse(place.dataset.bounds).map((bound, end) => Number(query.get(keys[end]) || bound));
  }

  function placeOf(id) {
    return places(document).find((place) => place.dataset.filter === id.filter);
  }

  // Start with the query from which the server made the page's inputs.
  function begin(bar) {
    paths.set(bar, window.location.pathname);
    current = ordered(window.location.search);
    returned = false;
    touched = true;
  }

  // An input was changed, or has just appeared. Untouched inputs only repeat their settings. On a busy machine that
  // happens late and out of order, when Back may have been pressed again.
  function changed(values, ids) {
    if (!touched) return window.dash_clientside.no_update;
    const bar = bars()[0];
    const inputs = ids.map(placeOf);
    if (bar && !paths.has(bar)) begin(bar);
    const left = !bar || paths.get(bar) !== window.location.pathname || inputs.some((place) => !place);
    if (!left) {
      const own = new Set(inputs.flatMap(keysOf));
      const others = Array.from(new URLSearchParams(window.location.search)).filter((pair) => !own.has(pair[0]));
      const search = written(inputs.flatMap((place, nth) => pairsOf(place, values[nth])).concat(others));
      write(search, (window.dash_clientside.callback_context.triggered[0] || {}).prop_id || "");
      draw();
      sendToPage(search, PAUSE);
    }
    return window.dash_clientside.no_update;
  }

  // Write the filter to the address. A change adds a step for Back, unless the same input made the current step.
  function write(search, by) {
    if (ordered(search) === ordered(window.location.search)) return;
    const game = (of) => new URLSearchParams(of).get("game");
    if (game(search) !== game(window.location.search)) {
      window.location.assign(window.dash_clientside.shell.urlOf("/in-game" + window.dash_clientside.shell.path()) + search);
      return; // players, options and boards differ by game, so the server keeps only the common part of the filter
    }
    const same = !returned && by && (window.history.state || {}).filteredBy === by;
    const address = window.location.pathname + search + window.location.hash;
    window.history[same ? "replaceState" : "pushState"]({ filteredBy: by }, "", address);
    returned = false;
  }

  function sendToPage(search, pause) {
    window.clearTimeout(waiting);
    if (ordered(search) === current) return;
    waiting = window.setTimeout(function () {
      if (!bars().length) return;
      current = ordered(search);
      window.dash_clientside.set_props("filter-search", { data: search });
    }, pause);
  }

  // Sets the inputs from the address, and passes it to the page.
  function follow() {
    wanted += 1;
    touched = false;
    window.dash_clientside.set_props("filter-wanted", { data: { search: window.location.search, wanted } });
    draw();
    sendToPage(window.location.search, 0);
  }

  function filled(wanted, ids) {
    if (!wanted) return ids.map(() => window.dash_clientside.no_update); // called for inputs that were just added: keep their values
    const query = new URLSearchParams(wanted.search);
    return ids.map((id) => valueOf(placeOf(id), query));
  }

  function go(search) {
    write(search, "");
    follow();
  }

  // The filter in words: one chip for each value, and one for the range of rounds.
  function chipsOf(bar) {
    const query = new URLSearchParams(window.location.search);
    return places(bar).flatMap(function (place) {
      const { label, kind } = place.dataset;
      const keys = keysOf(place);
      const words = JSON.parse(place.dataset.said || "{}");
      if (kind === "rounds") {
        const [first, last] = valueOf(place, query);
        if (!keys.some((key) => query.has(key))) return [];
        return [{ place, keys, label, value: null, text: first === last ? String(first) : first + "–" + last }];
      }
      const textOf = (value) => (Object.hasOwn(words, value) ? words[value] : value).replace(label + " ", ""); // a chip reads "Seat: 2", not "Seat: Seat 2"
      return query.getAll(keys[0]).filter(Boolean).map((value) => ({ place, keys, label, value, text: textOf(value) }));
    });
  }

  function chip(each) {
    const button = Object.assign(document.createElement("button"), { type: "button", className: "chip" });
    const label = Object.assign(document.createElement("span"), { className: "chip-label", textContent: each.label + ":" });
    const text = Object.assign(document.createElement("span"), { className: "chip-text", textContent: each.text });
    const cross = Object.assign(document.createElement("span"), { className: "icon icon-x" });
    cross.setAttribute("aria-hidden", "true");
    const does = Object.assign(document.createElement("span"), { className: "visually-hidden", textContent: "remove" });
    button.append(label, " ", text, " ", does, cross);
    button.title = each.text;
    button.addEventListener("click", function () {
      const bar = button.closest(".filter-bar");
      const nth = Array.from(button.parentNode.children).indexOf(button);
      const rest = Array.from(new URLSearchParams(window.location.search)).filter(
        (pair) => !each.keys.includes(pair[0]) || (each.value !== null && pair[1] !== each.value));
      go(written(rest));
      const chips = bar.querySelectorAll(".chip");
      (chips[Math.min(nth, chips.length - 1)] || bar.querySelector("input")).focus();
    });
    return button;
  }

  function draw() {
    bars().forEach(function (bar) {
      const chips = chipsOf(bar);
      const place = bar.querySelector(".filter-chips");
      const drawn = chips.map((each) => each.label + "=" + each.text).join("\n");
      if (place.dataset.drawn !== drawn) place.replaceChildren(...chips.map(chip)); // keeps the focus on a chip
      place.dataset.drawn = drawn;
      bar.querySelector(".filter-clear").hidden = !chips.length;
      const folded = chips.filter((each) => each.place.closest(".filter-more")).length;
      const count = (inside, number) => {
        bar.querySelector(inside + " .filter-count").textContent = number ? " (" + number + ")" : "";
      };
      count(".when-wide", folded);
      count(".when-narrow", chips.length);
      places(bar).forEach(function (input) {
        const number = chips.filter((each) => each.place === input).length;
        if (number && input.dataset.kind === "many") input.dataset.count = number;
        else delete input.dataset.count;
      });
    });
    carry();
  }

  // Make links of the navigation, of tabs and of lists of figures carry the filter to other pages, also from pages without a filter bar.
  function carry() {
    const here = Array.from(new URLSearchParams(window.location.search));
    let carried = "";
    try {
      if (bars().length) window.sessionStorage.setItem(CARRIED, written(here.filter((pair) => SHARED.includes(pair[0]))));
      carried = window.sessionStorage.getItem(CARRIED) || "";
    } catch {
      // the browser forbids storage: links lead to pages without a filter
    }
    const query = new URLSearchParams(carried);
    query.delete("tournament");
    const inAny = written(Array.from(query)); // for the list of tournaments, which would show the chosen one alone
    document.querySelectorAll("#navigation a, .carries a").forEach(function (link) {
      link.setAttribute("href", link.pathname + (link.pathname.endsWith("/tournaments") ? inAny : carried));
    });
    const tab = document.querySelector('.page-tabs [aria-current="page"]'); // tabs scroll sideways on a narrow screen
    if (tab) tab.parentElement.scrollLeft = tab.offsetLeft + tab.offsetWidth / 2 - tab.parentElement.clientWidth / 2;
  }

  function touch(event) {
    const isForBrowser = event.altKey || event.metaKey || event.button > 2; // Back and Forward by key or mouse button
    touched = touched || !isForBrowser;
  }
  ["pointerdown", "click", "keydown", "input"].forEach((kind) => document.addEventListener(kind, touch, true));

  document.addEventListener("click", function (event) {
    const bar = event.target.closest && event.target.closest(".filter-bar");
    if (!bar) return;
    if (event.target.closest(".filter-toggle")) {
      const open = bar.toggleAttribute("data-open");
      bar.querySelector(".filter-toggle").setAttribute("aria-expanded", String(open));
    }
    if (event.target.closest(".filter-clear")) {
      const own = new Set(places(bar).flatMap(keysOf));
      go(written(Array.from(new URLSearchParams(window.location.search)).filter((pair) => !own.has(pair[0]))));
      bar.querySelector(".filter-toggle").focus();
    }
  });

  // Dash would rebuild the page, or do nothing because it believes the address is unchanged. This listener
  // is added before those of Dash, and a window calls them in order.
  function returnTo(event) {
    const bar = bars()[0];
    if (!bar || paths.get(bar) !== window.location.pathname) return;
    event.stopImmediatePropagation();
    returned = true;
    follow();
  }
  window.addEventListener("popstate", returnTo);
  window.addEventListener("_dashprivate_pushstate", returnTo);

  window.dash_clientside.filters = { changed, filled, carry };
})();
