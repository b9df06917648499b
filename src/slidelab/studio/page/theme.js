// Before anything is drawn: the theme that was chosen last, or that of the system.
(() => {
  let theme = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
  try {
    theme = JSON.parse(localStorage.getItem("slidelab studio theme") || "null") || theme;
  } catch {
    // no storage, or something else in it
  }
  document.documentElement.dataset.theme = theme === "dark" ? "dark" : "light";
})();
