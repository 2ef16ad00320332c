// Cells of the list of matches; dash-ag-grid finds them by this name.
(function () {
  "use strict";
  const components = (window.dashAgGridComponentFunctions = window.dashAgGridComponentFunctions || {});
  const functions = (window.dashAgGridFunctions = window.dashAgGridFunctions || {});

  // The replay receives the query of the list, so that it can link to neighbouring matches and back to the list.
  function replayAddress(match, ply = "0") {
    return window.dash_clientside.shell.urlOf("/replay?") + new URLSearchParams({ match, ply, list: window.dash_clientside.matches.listed() });
  }

  components.MatchLink = function (props) {
    if (!props.value) return "Loading";
    return window.React.createElement(
      "a", { href: replayAddress(props.value), className: "match-link", tabIndex: -1 }, props.value);
  };

  components.Margin = function (props) {
    const row = props.data;
    if (!row) return null;
    if (row.gap === null || row.gap === undefined) return row.margin;
    if (!row.gap) return "tied on " + row.gap_unit;
    return row.gap + (row.gap_unit.endsWith(" influence") ? " in " : " ") + row.gap_unit;
  };

  // The cell of a chance of winning links to the ply after which the chance applied.
  components.Chance = function (props) {
    const row = props.data;
    if (!row || props.value === null || props.value === undefined) return null;
    return window.React.createElement(
      "a", { href: replayAddress(row.match, String(row.lowest_ply)), tabIndex: -1 },
      (100 * props.value).toFixed(1) + "%");
  };

  components.Status = function (props) {
    if (!props.value) return null;
    return window.React.createElement("span", { className: "status status-" + props.value }, props.value);
  };

  // A click on a row, or Enter in any of its cells, opens the match. A link in the row keeps its own target. The list's
  // address then names the match, so that Back returns to the row.
  functions.openMatch = function (params) {
    const event = params.event;
    if (!params.data || !params.data.match) return;
    if (event && event.type === "keydown" && event.key !== "Enter") return;
    if (event && (event.ctrlKey || event.metaKey || event.shiftKey)) return;
    const here = window.location;
    const hash = "#" + new URLSearchParams({ match: params.data.match });
    window.history.replaceState(window.history.state, "", here.pathname + here.search + hash);
    if (event && event.target && event.target.closest && event.target.closest("a")) return;
    window.location.assign(replayAddress(params.data.match));
  };
})();
