"use strict";

// Show the claims whose verdict is ticked and whose paper is chosen. What has no paper is on a page of one.
function filter(form) {
  const verdicts = new Set([...form.querySelectorAll("[name=verdict]:checked")].map((box) => box.value));
  const paper = form.elements.paper?.value ?? "";
  let shown = 0;
  for (const claim of document.querySelectorAll("[data-verdict]")) {
    claim.hidden = !verdicts.has(claim.dataset.verdict) || (paper !== "" && claim.dataset.paper !== paper);
    // A page has each claim twice, the second time in its contents.
    if (!claim.hidden && claim.tagName !== "LI") shown += 1;
  }
  form.querySelector("output").textContent = `${shown} shown`;
}

// A claim that a link leads to is shown, whatever is filtered.
function showTarget() {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (target?.hidden) {
    target.hidden = false;
    target.scrollIntoView();
  }
}

async function copy(button) {
  const code = button.parentElement.querySelector("code");
  try {
    await navigator.clipboard.writeText(code.textContent);
  } catch {
    // Some browsers have no clipboard for a page from a file: it is selected then, to be copied by hand.
    getSelection().selectAllChildren(code);
    button.textContent = "Selected";
    return;
  }
  button.textContent = "Copied";
}

for (const form of document.querySelectorAll(".filters")) {
  form.addEventListener("change", () => filter(form));
  form.addEventListener("submit", (event) => event.preventDefault());
  // A browser may keep what was ticked when a page is loaded again.
  filter(form);
}
for (const button of document.querySelectorAll("[data-copy]")) button.addEventListener("click", () => copy(button));
addEventListener("hashchange", showTarget);
showTarget();
// On paper nothing can be unfolded.
addEventListener("beforeprint", () => {
  for (const folded of document.querySelectorAll("details")) folded.open = true;
});
