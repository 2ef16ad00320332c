// Reads what is visible in any drawing of a board: each element with its owner, its looks and its place. Pixels are those
// of the page, from the left and top of the drawing.
(root) => {
  const painted = "path, line, polygon, polyline, rect, circle, ellipse, text";
  const clear = (colour) => colour === "none" || /^rgba.*, 0\)$/.test(colour);
  // checkVisibility() says yes inside of an SVG group that is not displayed
  const isHidden = (element) =>
    getComputedStyle(element).display === "none" || (element !== root && isHidden(element.parentElement));
  const corner = root.getBoundingClientRect();
  const facts = [];
  for (const element of root.querySelectorAll(painted)) {
    const style = getComputedStyle(element);
    const [isText, isLine] = [element.matches("text"), element.matches("line")];
    if (element.closest("clipPath, defs") || isHidden(element) || style.visibility === "hidden") continue;
    if (!isText && (isLine || clear(style.fill)) && clear(style.stroke)) continue;
    if (element.matches("path") && !element.getAttribute("d")) continue;
    const [matrix, box] = [element.getScreenCTM(), element.getBBox()];
    const unit = Math.hypot(matrix.a, matrix.b);
    const [x, y] = [matrix.a * box.x + matrix.e - corner.left, matrix.d * box.y + matrix.f - corner.top];
    const words = style.textTransform === "uppercase" ? element.textContent.toUpperCase() : element.textContent;
    const owner = element.closest("[data-thing]");
    const seat = element.closest("[data-seat]");
    const lined = clear(style.stroke) ? null : parseFloat(style.strokeWidth) * unit;
    facts.push({
      thing: owner?.dataset.thing ?? "",
      seat: seat?.dataset.seat ?? "",
      marker: element.closest("[data-marker]")?.dataset.marker ?? "",
      at: element.closest("[data-at]")?.dataset.at ?? "",
      said: [...(owner ?? seat)?.children ?? []].find((child) => child.tagName === "title")?.textContent ?? "",
      tag: element.tagName,
      fill: isLine ? "" : style.fill,
      stroke: style.stroke,
      cap: lined === null ? "" : style.strokeLinecap,
      over: style.paintOrder,
      opacity: style.opacity,
      text: isText ? words.trim() : "",
      weight: isText ? style.fontWeight : "",
      outline: element.getAttribute("d") ?? element.getAttribute("points") ?? "",
      numbers: {
        x: x + (matrix.a * box.width) / 2,
        y: y + (matrix.d * box.height) / 2,
        width: isText ? 0 : matrix.a * box.width,
        height: isText ? 0 : matrix.d * box.height,
        line: lined,
        round: unit * Number(element.getAttribute("rx") ?? 0),
        size: isText ? parseFloat(style.fontSize) * unit : 0,
        spacing: isText ? (parseFloat(style.letterSpacing) || 0) * unit : 0,
      },
      dashes: style.strokeDasharray.split(/[ ,]+/).map((part) => (parseFloat(part) || 0) * unit),
    });
  }
  return facts;
};
