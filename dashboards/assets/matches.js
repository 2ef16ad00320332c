// The list of matches: gives the grid its rows, and keeps address, count and CSV link in step with filters and sort.
(function () {
  "use strict";
  window.dash_clientside = window.dash_clientside || {};

  // Columns that show who won. While winners are hidden, the list is not sorted by them either.
  const TOLD = ["winner", "margin", "lowest"];
  const NARROW = 600; // width of the window in pixels

  function sorted(search, sortModel) {
    const query = new URLSearchParams(search);
    const usual = !sortModel.length || (sortModel[0].colId === "match" && sortModel[0].sort === "asc");
    if (usual) query.delete("sort");
    else query.set("sort", (sortModel[0].sort === "desc" ? "-" : "") + sortModel[0].colId);
    return query.size ? "?" + query : "";
  }

  // Keep only the keys of the list: a page's address may have others, which the server refuses.
  function listKeys(query) {
    const keys = document.querySelector(".grid-place").dataset.keys.split(" ");
    const wanted = [...new URLSearchParams(query)].filter(([key]) => keys.includes(key));
    return new URLSearchParams(wanted);
  }

  // The query of the list, always with its sort order.
  let list = "";
  function name(query) {
    const named = new URLSearchParams(query);
    if (!named.has("sort")) named.set("sort", "match");
    list = named.toString();
  }

  // When the reader returns to the list, scroll to the match in the address, focus it, and announce it once.
  function comeBack(grid) {
    const match = new URLSearchParams(window.location.hash.slice(1)).get("match");
    if (!match) return;
    window.history.replaceState(window.history.state, "", window.location.pathname + window.location.search);
    const { ask, urlOf } = window.dash_clientside.shell;
    ask(urlOf("/api/replay/" + encodeURIComponent(match) + "/origin?" + new URLSearchParams({ list })))
      .then(function (origin) {
        const row = origin.listed ? origin.listed.row : null;
        if (row !== null && !grid.isDestroyed()) focus(grid, row);
      })
      .catch(() => {}); // the list is shown without it
  }

  function focus(grid, row) {
    const isThere = () => Boolean((grid.getDisplayedRowAtIndex(row) || {}).data);
    const look = function () {
      if (grid.isDestroyed() || !isThere()) return;
      grid.removeEventListener("modelUpdated", look);
      window.setTimeout(() => {
        if (!grid.isDestroyed()) keepFocus(grid, row);
      });
    };
    grid.addEventListener("modelUpdated", look);
    grid.ensureIndexVisible(row, "middle");
    look();
  }

  // The grid draws cells some frames after their rows, sometimes twice, and a new cell has lost the focus. So focus is
  // set again until it has held for a second, or the reader types, clicks or scrolls.
  function keepFocus(grid, row) {
    const over = new AbortController();
    for (const deed of ["pointerdown", "keydown", "wheel"]) {
      document.addEventListener(deed, () => over.abort(), { capture: true, passive: true, signal: over.signal });
    }
    let held = 0; // number of checks that found something focused
    (function look() {
      if (grid.isDestroyed() || held === 20) over.abort();
      if (over.signal.aborted) return;
      if (document.activeElement === document.body) grid.setFocusedCell(row, "match");
      else held += 1;
      window.setTimeout(look, 50);
    })();
  }

  let shown = new AbortController(); // aborts requests for the matches that the grid shows

  // A grid may send a request after its page was left or now shows other matches. Then nothing is updated. The request
  // is still answered, since the grid waits for the answer before its next request. The address may already be for the
  // next list; only its sort order is for this one.
  function source(search, grid, signal) {
    return {
      getRows: function (request) {
        const link = document.getElementById("matches-csv");
        const isPast = () => signal.aborted || !link.isConnected;
        if (!link || grid.isDestroyed()) return;
        if (isPast()) return request.failCallback();
        const query = sorted(search, request.sortModel);
        const address = sorted(window.location.search, request.sortModel);
        window.dash_clientside.shell.keepInAddress(address, "/matches");
        name(query);
        link.href = window.dash_clientside.shell.urlOf("/csv/matches.csv" + query);
        const wanted = listKeys(query);
        wanted.append("start", request.startRow);
        wanted.append("stop", request.endRow);
        window.dash_clientside.shell.ask(window.dash_clientside.shell.urlOf("/api/matches?" + wanted), { signal })
          .then(function (page) {
            if (isPast()) return request.failCallback();
            window.dash_clientside.shell.report("");
            document.getElementById("matches-count").textContent =
              page.total.toLocaleString("en") + (page.total === 1 ? " match" : " matches");
            request.successCallback(page.rows, page.total);
            comeBack(grid);
          })
          .catch(function (error) {
            if (!isPast()) window.dash_clientside.shell.report(error.message);
            request.failCallback();
          });
      },
    };
  }

  // Give the grid its source of rows. Its first own request shows that it is ready for one.
  function show(search, request, hides) {
    if (request) {
      window.dash_ag_grid.getApiAsync("matches-grid").then(function (grid) {
        grid.setColumnsVisible(TOLD, !hides);
        grid.setColumnsVisible(["tournament"], window.innerWidth >= NARROW); // the name of a match begins with it
        if (hides) grid.applyColumnState({ state: TOLD.map((colId) => ({ colId, sort: null })) });
        shown.abort();
        shown = new AbortController();
        grid.setGridOption("datasource", source(search || "", grid, shown.signal));
      });
    }
    return window.dash_clientside.no_update;
  }

  // On paper, the list is a plain table of the rows loaded so far: the grid shows only those in sight.
  const cellOf = function (row, { field, cellRenderer }) {
    const draw = window.dashAgGridComponentFunctions[cellRenderer];
    const cell = draw ? draw({ value: row[field], data: row }) : row[field];
    return cell && cell.props ? cell.props.children : cell;
  };

  function rowOf(tag, cells) {
    const row = document.createElement("tr");
    for (const cell of cells) row.append(Object.assign(document.createElement(tag), { textContent: cell ?? "" }));
    return row;
  }

  window.addEventListener("beforeprint", function () {
    const place = document.querySelector(".grid-place");
    const grid = place && window.dash_ag_grid.getApi && window.dash_ag_grid.getApi("matches-grid");
    if (!grid) return;
    const columns = grid.getAllDisplayedColumns().map((column) => column.getColDef());
    const rows = [];
    grid.forEachNode(({ data }) => data && rows.push(data));
    const table = document.createElement("table");
    const [head, body] = [table.createTHead(), table.createTBody()];
    head.append(rowOf("th", columns.map((column) => column.headerName)));
    body.append(...rows.map((row) => rowOf("td", columns.map((column) => cellOf(row, column)))));
    const all = grid.getDisplayedRowCount();
    const note = rows.length < all ? `${rows.length} of ${all.toLocaleString("en")} matches are printed; the CSV has all.` : "";
    const paper = Object.assign(document.createElement("div"), { className: "table-scroll on-paper" });
    paper.append(table, Object.assign(document.createElement("p"), { className: "meta", textContent: note }));
    place.append(paper);
  });
  window.addEventListener("afterprint", () => document.querySelectorAll(".grid-place > .on-paper").forEach((paper) => paper.remove()));

  window.dash_clientside.matches = { show, listed: () => list };
})();
