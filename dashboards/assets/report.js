// The report button: a menu of formats; then the progress of the report, a way to cancel it, and its file.
(function () {
  "use strict";
  window.dash_clientside = window.dash_clientside || {};

  const FORMATS = [
    ["html", "Web page (HTML)", "one file, readable and printable"],
    ["pdf", "Document (PDF)", "tagged, on A4 pages"],
    ["xlsx", "Workbook (XLSX)", "every table, typed columns"],
  ];
  const PAUSE = 700; // milliseconds between two checks of the progress
  const OVER = new Set(["done", "failed", "cancelled"]);

  let facts = { keys: [], usual: "" };
  let under = null; // the report in progress or just made; kept when the reader opens another page

  function make(name, attributes, children) {
    const node = document.createElement(name);
    Object.entries(attributes || {}).forEach(function (pair) {
      if (pair[0] === "text") node.textContent = pair[1];
      else if (pair[0] === "hidden") node.hidden = pair[1];
      else node.setAttribute(pair[0], pair[1]);
    });
    (children || []).forEach(function (child) { node.append(child); });
    return node;
  }

  // The filter of the report: only filter keys, since an address has others too. A key that is missing in the address
  // takes the page's own value.
  function filter() {
    const here = new URLSearchParams(window.location.search);
    const wanted = new URLSearchParams();
    facts.keys.forEach(function (key) {
      here.getAll(key).forEach(function (value) { wanted.append(key, value); });
    });
    new URLSearchParams(facts.usual).forEach(function (value, key) {
      if (!here.has(key) || !facts.keys.includes(key)) wanted.append(key, value);
    });
    return wanted.toString();
  }

  function ask(method, address, body) {
    const request = { method: method };
    if (body) Object.assign(request, { headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });
    return window.dash_clientside.shell.ask(address, request);
  }

  function mount(given) {
    const place = document.getElementById("report-menu");
    if (!place || !given) return;
    facts = given;
    const button = make("button", {
      type: "button", class: "button", id: "report-open", "aria-haspopup": "menu", "aria-expanded": "false", "aria-controls": "report-formats",
    }, [make("span", { class: "icon icon-download", "aria-hidden": "true" }), facts.label]);
    const menu = make("div", { role: "menu", id: "report-formats", class: "report-formats", "aria-labelledby": "report-open", hidden: true },
      FORMATS.map(function (format) {
        return make("button", { type: "button", role: "menuitem", tabindex: "-1", "data-format": format[0] },
          [make("span", { text: format[1] }), make("span", { class: "meta", text: format[2] })]);
      }));
    const status = make("div", { class: "report-status", hidden: true });
    const announced = make("p", { role: "status", class: "visually-hidden" });
    place.replaceChildren(button, menu, status, announced);
    button.addEventListener("click", function () { open(menu, button, menu.hidden); });
    button.addEventListener("keydown", function (event) {
      if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
      event.preventDefault();
      open(menu, button, true);
      if (event.key === "ArrowUp") menu.lastElementChild.focus();
    });
    menu.addEventListener("keydown", function (event) { move(event, menu, button); });
    menu.addEventListener("focusout", function (event) {
      if (!place.contains(event.relatedTarget)) open(menu, button, false);
    });
    menu.addEventListener("click", function (event) {
      const item = event.target.closest("[data-format]");
      if (!item) return;
      open(menu, button, false);
      button.focus();
      start(item.dataset.format);
    });
    if (under) show();
  }

  function open(menu, button, wanted) {
    menu.hidden = !wanted;
    button.setAttribute("aria-expanded", String(wanted));
    if (wanted) menu.firstElementChild.focus();
  }

  function move(event, menu, button) {
    const items = Array.from(menu.children);
    const at = items.indexOf(document.activeElement);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: items.length - 1 }[event.key];
    if (event.key === "Escape") {
      open(menu, button, false);
      button.focus();
    } else if (to !== undefined) {
      items[(to + items.length) % items.length].focus();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }

  async function start(format) {
    if (under && !OVER.has(under.status)) cancel();
    const mine = under = { status: "waiting", format: format, done: 0, total: 0, step: "", problem: null };
    show();
    try {
      take(mine, await ask("POST", window.dash_clientside.shell.urlOf("/api/reports"), { format: format, filter: filter() }));
      while (!OVER.has(mine.status)) {
        await new Promise(function (done) { setTimeout(done, PAUSE); });
        if (mine.given_up) return;
        take(mine, await ask("GET", mine.links.self));
      }
      if (mine.status === "done" && under === mine) document.querySelector("#report-menu a[download]")?.click();
    } catch (error) {
      if (!mine.given_up) take(mine, { status: "failed", problem: error.message });
    }
  }

  function take(mine, job) {
    if (mine.given_up) {
      if (job.links) ask("DELETE", job.links.self).catch(function () {});
      return;
    }
    Object.assign(mine, job);
    if (under === mine) show();
  }

  function cancel() {
    if (!under) return;
    under.given_up = true;
    if (under.links) ask("DELETE", under.links.self).catch(function () {});
    under.status = "cancelled";
    show();
    document.getElementById("report-open")?.focus();
  }

  function size(bytes) {
    return bytes < 1e6 ? Math.max(1, Math.round(bytes / 1e3)) + " KB" : (bytes / 1e6).toFixed(1) + " MB";
  }

  function close() {
    under = null;
    document.querySelector("#report-menu .report-status").hidden = true;
    document.getElementById("report-open").focus();
  }

  function show() {
    const status = document.querySelector("#report-menu .report-status");
    if (!status) return;
    const kind = under.format.toUpperCase();
    status.hidden = under.status === "cancelled";
    if (under.status === "done") {
      const link = make("a", { href: under.links.file, download: under.file, class: "button", text: "Download " + under.file + " (" + size(under.size) + ")" });
      status.replaceChildren(make("p", { text: "The report is ready." }), make("div", { class: "actions" }, [link, act("Close", close)]));
    } else if (under.status === "failed") {
      status.replaceChildren(make("p", { class: "report-problem", text: under.problem || "The report failed." }), act("Close", close));
    } else if (under.status !== "cancelled") going(status, kind);
    announce();
  }

  // Show progress. The bar element is reused, so that Cancel keeps the focus.
  function going(status, kind) {
    let bar = status.querySelector("progress");
    if (!bar) {
      bar = make("progress", { "aria-label": "Report" });
      status.replaceChildren(make("p", {}), bar, act("Cancel", cancel));
    }
    if (under.total) Object.assign(bar, { max: under.total, value: under.done });
    else bar.removeAttribute("value");
    status.firstElementChild.textContent = under.status === "waiting" ? "The " + kind + " report waits for its turn" : "Writing the " + kind + " report: " + under.step;
  }

  function act(name, run) {
    const button = make("button", { type: "button", class: "button", text: name });
    button.addEventListener("click", run);
    return button;
  }

  // Announce each change of state to screen readers, but not each step of the work.
  function announce() {
    const text = {
      waiting: "Making the report", running: "Making the report", done: "The report is ready",
      failed: "The report failed: " + under.problem, cancelled: "The report was cancelled",
    }[under.status];
    const announced = document.querySelector("#report-menu [role=status]");
    if (announced.textContent !== text) announced.textContent = text;
  }

  window.dash_clientside.report = { mount: (given) => mount(given) || window.dash_clientside.no_update };
})();
