// Figures as pictures to download: a graph or a map with its title, finding and source.
(function () {
  "use strict";

  const WIDE = 1040;
  const KEPT = 60000; // milliseconds for which a picture can be saved

  // A graph as SVG markup to embed in another drawing, at a minimum width so that it does not look cut on phones.
  async function graphMarkup(graph) {
    const width = Math.max(WIDE, graph.clientWidth);
    const layout = { ...graph.layout, width, height: graph.clientHeight, autosize: false };
    const figure = { data: graph.data, layout, config: { staticPlot: true } };
    const address = await window.Plotly.toImage(figure, { format: "svg", width, height: layout.height });
    const markup = decodeURIComponent(address.slice(address.indexOf(",") + 1));
    return { markup: markup.replace(/^<\?xml.*?\?>/, ""), width, height: layout.height };
  }

  // The legend of a map as SVG markup, with its texts and colours, in lines of limited width.
  function legendMarkup(legend, width) {
    const text = (words) => words.replace(/[&<>"]/g, (sign) => "&#" + sign.charCodeAt(0) + ";");
    const pen = document.createElement("canvas").getContext("2d");
    const look = window.getComputedStyle(legend);
    pen.font = "500 12px " + look.fontFamily;
    let [x, y] = [0, 8];
    const parts = [...legend.children].map(function (item) {
      const swatch = item.querySelector("[class^=swatch]");
      const room = (swatch ? 20 : 0) + pen.measureText(item.textContent).width + 18;
      if (x && x + room > width) [x, y] = [0, y + 20];
      const at = x;
      x += room;
      const paint = swatch && window.getComputedStyle(swatch);
      const sign = swatch ? `<circle cx="${at + 7}" cy="${y}" r="6" fill="${paint.backgroundColor}" stroke="${paint.borderTopColor}"/>` : "";
      const words = `<text x="${at + (swatch ? 20 : 0)}" y="${y}" dy="0.36em" font-size="12">${text(item.textContent)}</text>`;
      return sign + words;
    });
    return { more: `<g fill="${look.color}">${parts.join("")}</g>`, moreHeight: y + 12 };
  }

  async function picture(card, format) {
    const { createReader, framed, toPng } = await import(window.dash_clientside.shell.urlOf("/assets/replay/drawing/picture.js"));
    const map = card.querySelector(".map");
    const [title, caption] = ["h2, h3", "figcaption"].map((part) => card.querySelector(part).textContent);
    const source = card.dataset.source + " · " + new Date().toISOString().slice(0, 10);
    let [drawing, more] = [null, {}];
    if (map) {
      const reader = createReader(map);
      const { width, height } = map.querySelector("svg").getBoundingClientRect();
      drawing = { markup: reader.read().markup, width, height };
      reader.stop();
      more = legendMarkup(map.querySelector(".legend"), width);
    } else {
      drawing = await graphMarkup(card.querySelector(".js-plotly-plot"));
    }
    const svg = await framed(drawing.markup, drawing, { title, caption, source, ...more }, card);
    const blob = format === "png" ? await toPng(svg, 2) : new Blob([svg], { type: "image/svg+xml" });
    const link = document.createElement("a");
    link.href = URL.createObjectURL(blob);
    link.download = card.dataset.name + "." + format;
    link.click();
    window.setTimeout(() => URL.revokeObjectURL(link.href), KEPT);
  }

  document.addEventListener("click", function (event) {
    const button = event.target.closest && event.target.closest("button[data-picture]");
    if (!button) return;
    picture(button.closest(".figure-card"), button.dataset.picture).catch(function (error) {
      window.dash_clientside.shell.report("The picture cannot be made: " + error.message);
    });
  });
})();
