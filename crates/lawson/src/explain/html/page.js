"use strict";
// Shows the details of one kernel at a time. Everything with data-kernel chooses it; arrows go to the next one.
function choose(kernel) {
  const details = document.getElementById("kernel-" + kernel);
  if (!details) return;
  for (const article of document.querySelectorAll("#details article")) article.hidden = article !== details;
  for (const node of document.querySelectorAll("[data-kernel]")) {
    const on = node.dataset.kernel === kernel;
    node.classList.toggle("chosen", on);
    if (node.hasAttribute("aria-pressed")) node.setAttribute("aria-pressed", String(on));
  }
  document.getElementById("details").scrollTop = 0;
}

// By the user, who may want to come back to it.
function pick(kernel) {
  choose(kernel);
  history.replaceState(null, "", "#kernel-" + kernel);
}

document.addEventListener("click", (event) => {
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
