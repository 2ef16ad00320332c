// Ctrl+P: browsers print a page as it is, so first load what is missing on paper. Those are figures out of sight, and
// pictures in light colours. The browser's menu prints immediately; print.css then names the missing figures.
(function () {
  "use strict";
  const dark = new Map(); // picture → its address in dark colours

  function lighten(picture) {
    dark.set(picture, picture.src);
    picture.src = picture.src.replace("theme=dark", "theme=light");
    return picture.decode().catch(() => {}); // printed without the picture
  }

  window.addEventListener("afterprint", function () {
    for (const [picture, address] of dark) picture.src = address;
    dark.clear();
  });

  document.addEventListener("keydown", function (event) {
    if (event.key.toLowerCase() !== "p" || !(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey) return;
    const pictures = [...document.querySelectorAll("img[src*='theme=dark']")].map(lighten);
    const figures = new Promise((done) => window.dash_clientside.figures.load(done) || done());
    event.preventDefault();
    document.documentElement.style.cursor = "progress";
    Promise.all([figures, ...pictures]).then(function () {
      document.documentElement.style.cursor = "";
      window.print();
    });
  });
})();
