// The grid of the list of matches. Its script is larger than all others together. The page of the list loads it at the
// start; other pages load it when the list is first shown.
(function () {
  "use strict";
  const meta = document.querySelector("meta[name=grid-script]");
  if (!meta) return;

  function fetched() {
    const script = document.createElement("script");
    script.src = meta.content;
    return new Promise(function (done, failed) {
      script.onload = done;
      script.onerror = () => failed(new Error("The list cannot be fetched; reload the page."));
      document.head.append(script);
    });
  }

  // Dash would rebuild the component if its identity changed. So this wrapper stays after the script has loaded.
  let real = null;
  const load = () =>
    (real ??= fetched().then(function () {
      const grid = window.dash_ag_grid.AgGrid;
      window.dash_ag_grid = { ...window.dash_ag_grid, AgGrid };
      return grid;
    }));

  function AgGrid(props) {
    const { createElement: make, useEffect, useState } = window.React;
    const [Grid, setGrid] = useState(null);
    useEffect(function () {
      load().then((grid) => setGrid(() => grid), (error) => window.dash_clientside.shell.report(error.message));
    }, []);
    return Grid && make(Grid, props);
  }
  AgGrid.dashRenderType = true;

  window.dash_ag_grid = { AgGrid };
})();
