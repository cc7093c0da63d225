"use strict";
// Shows the details of one kernel at a time. Everything with data-kernel chooses it; arrows go to the next one.
function choose(kernel) {
  const details = document.getElementById("kernel-" + kernel) ?? made(kernel);
  if (!details) return;
  for (const article of document.querySelectorAll("#details article")) article.hidden = article !== details;
  for (const node of document.querySelectorAll("[data-kernel]")) {
    const on = node.dataset.kernel === kernel;
    node.classList.toggle("chosen", on);
    if (node.hasAttribute("aria-pressed")) node.setAttribute("aria-pressed", String(on));
  }
  document.getElementById("details").scrollTop = 0;
}

// The details of a large module stand in the page as data: one string a line for each kernel.
let articles = null;
function made(kernel) {
  articles ??= document.getElementById("articles")?.textContent.trim().split("\n") ?? [];
  if (!articles[kernel]) return null;
  document.getElementById("details").innerHTML = JSON.parse(articles[kernel]);
  return document.getElementById("kernel-" + kernel);
}

// The next rows of a table, whose data is a string a line.
const ROWS = 300;
function more(button) {
  const store = document.getElementById(button.dataset.more);
  const rest = store.textContent.trim().split("\n");
  const rows = rest.splice(0, ROWS).map((line) => JSON.parse(line));
  button.closest("tr").insertAdjacentHTML("beforebegin", rows.join(""));
  store.textContent = rest.join("\n");
  if (rest.length > 0) button.textContent = rest.length + " more";
  else button.closest("tr").remove();
}

document.getElementById("number")?.addEventListener("change", (event) => pick(event.target.value));

// By the user, who may want to come back to it.
function pick(kernel) {
  choose(kernel);
  history.replaceState(null, "", "#kernel-" + kernel);
}

document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-more]");
  if (button) more(button);
  const node = event.target.closest("[data-kernel]");
  if (!node) return;
  pick(node.dataset.kernel);
  if (node.tagName === "BUTTON") document.getElementById("after").scrollIntoView();
});

document.addEventListener("keydown", (event) => {
  const node = event.target.closest(".kernel[data-kernel]");
  if (!node) return;
  if (event.key === "Enter" || event.key === " ") {
    event.preventDefault();
    pick(node.dataset.kernel);
    return;
  }
  const step = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key];
  if (!step) return;
  event.preventDefault();
  const all = [...document.querySelectorAll("#kernels .kernel[data-kernel]")];
  const next = all[(all.indexOf(node) + step + all.length) % all.length];
  next.focus();
  pick(next.dataset.kernel);
});

const asked = /^#kernel-(\d+)$/.exec(location.hash);
choose(asked ? asked[1] : "0");
