// Small helpers for elements: every text is set as text, never as markup.

// An element with a text and attributes.
function made(name, text = "", attributes = {}) {
  const element = document.createElement(name);
  element.textContent = text;
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  return element;
}

// A button that does something.
function button(text, act, attributes = {}) {
  const element = made("button", text, { type: "button", ...attributes });
  element.addEventListener("click", act);
  return element;
}

// The parts of a section by their names in data-part, its buttons by data-do, and its forms by data-form.
function partsOf(section) {
  const found = { parts: {}, buttons: {}, forms: {} };
  for (const one of section.querySelectorAll("[data-part]")) found.parts[one.dataset.part] = one;
  for (const one of section.querySelectorAll("[data-do]")) found.buttons[one.dataset.do] = one;
  for (const one of section.querySelectorAll("[data-form]")) found.forms[one.dataset.form] = one;
  return found;
}

// Replace the options of a select element; each option is [value, text] or a text.
function choices(select, options, chosen = null) {
  select.replaceChildren(...options.map((one) => {
    const [value, text] = Array.isArray(one) ? one : [one, one];
    return made("option", text, { value });
  }));
  if (chosen !== null) select.value = chosen;
}

// Show a message for a while; it is read aloud.
let timer = null;
function toast(text) {
  const place = document.querySelector("[data-part=toast]");
  place.textContent = text;
  place.hidden = false;
  clearTimeout(timer);
  timer = setTimeout(() => { place.hidden = true; }, 8000);
}

// A time in seconds as text, with three digits.
function duration(seconds) {
  const [unit, size] = seconds >= 1 ? ["s", 1] : seconds >= 1e-3 ? ["ms", 1e-3] : ["µs", 1e-6];
  return `${Number((seconds / size).toPrecision(3))} ${unit}`;
}

// A number with a noun in the singular or the plural.
function counted(number, noun) {
  return `${number.toLocaleString("en")} ${noun}${number === 1 ? "" : "s"}`;
}

// The name of a cell for people, with rows and columns from 1.
function cellName(cell, size) {
  return `r${Math.floor(cell / size) + 1}c${(cell % size) + 1}`;
}

// Whether a key press belongs to a field in which one types, or to a control with keys of its own.
function isTyping(event) {
  const { tagName, type } = event.target;
  return tagName === "TEXTAREA" || tagName === "SELECT" || (tagName === "INPUT" && type !== "checkbox");
}

export { made, button, partsOf, choices, toast, duration, counted, cellName, isTyping };
