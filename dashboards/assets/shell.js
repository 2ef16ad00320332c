// The shell: the navigation, the colour scheme, the state in the address.
(function () {
  "use strict";
  window.dash_clientside = window.dash_clientside || {};

  // If the user's session has ended, go to the sign-in page, which leads back here.
  const send = window.fetch;
  window.fetch = async function (...request) {
    const answer = await send(...request);
    if (answer.status !== 401 || !answer.url.includes("/_dash-")) return answer;
    window.location.reload();
    return new Promise(() => {}); // never resolves, since the page is left
  };

  // Safari refuses more than 100 changes of the address within 30 seconds, also to Dash's own links. Then a step to
  // another address loads that page; an address that would only be corrected stays as it is.
  for (const way of ["pushState", "replaceState"]) {
    const change = window.history[way].bind(window.history);
    window.history[way] = function (state, title, address) {
      try {
        change(state, title, address);
      } catch (error) {
        if (error.name !== "SecurityError") throw error;
        if (way === "pushState") window.location.assign(address);
      }
    };
  }

  // Addresses of this server are below its path prefix.
  const prefix = document.documentElement.dataset.prefix || "";
  const urlOf = (path) => prefix + path;
  const path = () => window.location.pathname.slice(prefix.length) || "/";

  // For the page of a single item, the navigation marks the list that the item belongs to; for a tab, its page.
  const PARENTS = { "/tournament": "/tournaments", "/replay": "/matches" };
  const MOVED = ["/outcomes", "/traffic", "/compare"]; // the server redirects these addresses of earlier versions
  function markCurrentPage() {
    if (MOVED.includes(path())) return window.location.reload();
    const [, figure] = window.location.hash.match(/^#figure-([a-z-]+)$/) || [];
    if (figure && !path().endsWith("/" + figure)) { // figures once shared pages; the server knows the page of each
      return window.location.replace(urlOf("/analysis/figure/" + figure) + window.location.search);
    }
    const current = urlOf(PARENTS[path()] || path().replace(/(?<=.)\/.*/, ""));
    document.querySelectorAll("#navigation a, .brand, .help-link").forEach(function (link) {
      if (link.pathname === current) link.setAttribute("aria-current", "page");
      else link.removeAttribute("aria-current");
    });
    const marked = document.querySelector("#navigation [aria-current]");
    document.getElementById("menu-page").textContent = marked ? marked.firstChild.textContent : "Menu";
    closeMenu();
    window.dash_clientside.filters.carry();
    goToNamed();
  }

  // Scroll to the address's target: the browser looks for it before Dash has made the page.
  function goToNamed() {
    const hash = window.location.hash.slice(1);
    const name = hash.includes("=") ? "" : decodeURIComponent(hash); // a hash with `key=` is a page's own state
    const place = document.getElementById("main");
    const go = () => {
      const named = name && document.getElementById(name);
      if (named) named.scrollIntoView();
      return Boolean(named) || !name;
    };
    if (go()) return;
    const watch = new MutationObserver(() => go() && watch.disconnect());
    watch.observe(place, { childList: true, subtree: true });
    place.addEventListener("wheel", () => watch.disconnect(), { once: true, passive: true });
  }

  // The help, and on a narrow screen the navigation, are folded away behind the button before them.
  const opener = () => document.querySelector('.header [aria-expanded="true"]');
  const closeMenu = () => opener()?.setAttribute("aria-expanded", "false");
  document.addEventListener("click", function (event) {
    const open = opener();
    const button = event.target.closest && event.target.closest(".header [aria-expanded]");
    if (open && !open.nextElementSibling.contains(event.target)) closeMenu();
    if (button && button !== open) button.setAttribute("aria-expanded", "true");
  });
  document.addEventListener("keydown", function (event) {
    const open = opener();
    if (event.key !== "Escape" || !open) return;
    closeMenu();
    open.focus();
  });
  document.addEventListener("focusin", function (event) {
    const open = opener();
    if (open && event.target !== open && !open.nextElementSibling.contains(event.target)) closeMenu();
  });

  // The current colour scheme, chosen on the page or by the system; figures are drawn in its colours.
  function scheme() {
    return document.documentElement.getAttribute("data-mantine-color-scheme") === "dark" ? "dark" : "light";
  }
  new MutationObserver(function () {
    window.dash_clientside.set_props("drawn-scheme", { data: scheme() });
  }).observe(document.documentElement, { attributes: true, attributeFilter: ["data-mantine-color-scheme"] });

  // The switch "Hide winners": parts of the class `when-told` are hidden on all pages, and replays begin without their
  // future. The attribute is set from the stored choice before a page is drawn.
  function hideWinners(checked) {
    const root = document.documentElement;
    if (window.dash_clientside.callback_context.triggered_id) {
      root.toggleAttribute("data-hides", checked);
      try {
        window.localStorage.setItem("himalaya.hide-winners", checked ? "on" : "off");
      } catch {
        // the browser forbids storage: the choice lasts until a page is loaded
      }
    }
    return root.hasAttribute("data-hides");
  }

  // Write a list's sort order to the address, unless the address already belongs to another page.
  function keepInAddress(search, page) {
    const here = window.location;
    if (typeof search !== "string" || path() !== page || here.search === search) return;
    window.history.replaceState(window.history.state, "", here.pathname + search + here.hash);
  }

  // Navigation links are ordinary links, so that they can carry the filter. This listener opens them without reloading
  // the app.
  document.addEventListener("click", function (event) {
    const link = event.target.closest && event.target.closest("#navigation a, .carries a, .brand");
    if (!link || event.defaultPrevented || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    closeMenu();
    window.dash_clientside.filters.carry(); // a link may be newer than the last change of the filter
    if (link.pathname === window.location.pathname && !document.querySelector(".filter-bar")) {
      window.location.assign(link.href); // Dash's router ignores state that the page itself wrote to its address
      return;
    }
    if (link.href !== window.location.href) window.history.pushState({}, "", link.href);
    window.dispatchEvent(new CustomEvent("_dashprivate_pushstate"));
    window.scrollTo(0, 0);
  });

  // Send a request and return the data of the answer; an error is the server's own sentence.
  async function ask(address, request) {
    const answer = await fetch(address, request);
    const data = await answer.json().catch(() => null);
    if (answer.ok && data) return data;
    const why = answer.ok ? "The server's answer cannot be read; try again in a moment." : "The server answered " + answer.status + ".";
    throw new Error((data && data.message) || why);
  }

  // Show an error message, in the same place on every page.
  function report(text) {
    const place = document.getElementById("problem");
    if (place) place.textContent = text;
  }

  window.dash_clientside.shell = { hideWinners, scheme, markCurrentPage, keepInAddress, ask, report, urlOf, path };
})();
