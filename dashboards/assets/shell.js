// The shell: the navigation, the colour scheme, the state in the address.
(function () {
  "use strict";
  window.dash_clientside = window.dash_clientside || {};

  // Users signed out meanwhile are led to sign in, and back to this page.
  const ask = window.fetch;
  window.fetch = async function (...request) {
    const answer = await ask(...request);
    if (answer.status !== 401 || !answer.url.includes("/_dash-")) return answer;
    window.location.reload();
    return new Promise(() => {}); // the caller no longer needs an answer
  };

  // Addresses of this server are below its path prefix.
  const prefix = document.documentElement.dataset.prefix || "";
  const urlOf = (path) => prefix + path;
  const path = () => window.location.pathname.slice(prefix.length) || "/";

  // A page of one thing is marked as the list it belongs to.
  const PARENTS = { "/tournament": "/tournaments" };
  function markCurrentPage(pathname) {
    const parent = PARENTS[path()];
    const current = parent ? urlOf(parent) : pathname;
    document.querySelectorAll("#navigation a").forEach(function (link) {
      if (link.pathname === current) link.setAttribute("aria-current", "page");
      else link.removeAttribute("aria-current");
    });
    const marked = document.querySelector("#navigation [aria-current]");
    document.getElementById("menu-page").textContent = marked ? marked.textContent : "Menu";
    closeMenu();
    window.dash_clientside.filters.carry();
    goToNamed();
  }

  // The browser looks for the target of an address before the page has been made.
  function goToNamed() {
    const hash = window.location.hash.slice(1);
    const name = hash.includes("=") ? "" : decodeURIComponent(hash); // a hash with a key belongs to a page
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

  // On a narrow screen the navigation is folded away behind a button that names the page.
  function openMenu(open) {
    const button = document.getElementById("menu");
    button.setAttribute("aria-expanded", String(open));
    button.closest(".header").toggleAttribute("data-menu", open);
  }
  function closeMenu() {
    openMenu(false);
  }
  const isMenuOpen = () => document.querySelector(".header[data-menu]") !== null;
  document.addEventListener("click", function (event) {
    if (event.target.closest && event.target.closest("#menu")) openMenu(!isMenuOpen());
    else if (isMenuOpen() && !event.target.closest("#navigation")) closeMenu();
  });
  document.addEventListener("keydown", function (event) {
    if (event.key !== "Escape" || !isMenuOpen()) return;
    closeMenu();
    document.getElementById("menu").focus();
  });
  document.addEventListener("focusin", function (event) {
    if (isMenuOpen() && !event.target.closest(".header")) closeMenu();
  });

  // Mantine writes the scheme here, whether chosen on the page or by the system; figures are drawn for it.
  function scheme() {
    return document.documentElement.getAttribute("data-mantine-color-scheme") === "dark" ? "dark" : "light";
  }
  new MutationObserver(function () {
    window.dash_clientside.set_props("drawn-scheme", { data: scheme() });
  }).observe(document.documentElement, { attributes: true, attributeFilter: ["data-mantine-color-scheme"] });

  // The sort order of a list is in the address. A page may still be in sight when the address already belongs to
  // another page; the address is then left as it is.
  function keepInAddress(search, page) {
    const here = window.location;
    if (typeof search !== "string" || path() !== page || here.search === search) return;
    window.history.replaceState(window.history.state, "", here.pathname + search + here.hash);
  }

  // Links of the navigation are the browser's own, so that they can lead to pages under the filter of this one; a page
  // is then shown without reloading the app.
  document.addEventListener("click", function (event) {
    const link = event.target.closest && event.target.closest("#navigation a, .brand");
    if (!link || event.defaultPrevented || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    closeMenu();
    if (link.pathname === window.location.pathname && !document.querySelector(".filter-bar")) {
      window.location.assign(link.href); // the router does not know the state that the page keeps in its address
      return;
    }
    if (link.href !== window.location.href) window.history.pushState({}, "", link.href);
    window.dispatchEvent(new CustomEvent("_dashprivate_pushstate"));
    window.scrollTo(0, 0);
  });

  // Shows error messages, in the same place on every page.
  function report(text) {
    const place = document.getElementById("problem");
    if (place) place.textContent = text;
  }

  window.dash_clientside.shell = { scheme, markCurrentPage, keepInAddress, report, urlOf, path };
})();
