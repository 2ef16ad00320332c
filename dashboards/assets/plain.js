// Create elements that no callback changes from a tree of [tag, properties, ...children]; see
// dashboards/ui/components.py.
(function () {
  "use strict";

  function made(part) {
    if (!Array.isArray(part)) return part;
    const [tag, properties, ...children] = part;
    return window.React.createElement(tag, properties, ...children.map(made));
  }

  function Plain({ tree }) {
    return window.React.createElement(window.React.Fragment, null, ...tree.map(made));
  }

  window.himalaya = { ...window.himalaya, Plain };
})();
