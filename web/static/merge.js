"use strict";
// Puts an element that was made anew in the place of an old one: `Arena.merge(old, made)`. What is alike stays as it is,
// which keeps the focus and its place.
window.Arena = window.Arena || {};
(function (Arena) {
  Arena.merge = function merge(old, made) {
    if (old.isEqualNode(made)) return;
    if (old.nodeName !== made.nodeName || old.nodeType !== Node.ELEMENT_NODE) {
      old.replaceWith(made);
      return;
    }
    for (const name of new Set([...old.getAttributeNames(), ...made.getAttributeNames()])) {
      const value = made.getAttribute(name);
      if (name === "open" || old.getAttribute(name) === value) continue; // a round is opened and closed by the reader
      if (value === null) old.removeAttribute(name); else old.setAttribute(name, value);
    }
    while (old.childNodes.length > made.childNodes.length) old.lastChild.remove();
    const rest = Array.from(made.childNodes);
    rest.forEach((child, place) => (place < old.childNodes.length ? merge(old.childNodes[place], child) : old.append(child)));
  };
})(window.Arena);
