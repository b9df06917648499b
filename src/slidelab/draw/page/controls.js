// Controls that all pages have: the button for the theme, and an address that follows what is shown.

// The button switches between the theme of the page and its other one, if there is one.
export function addThemeButton(button) {
  const root = document.documentElement;
  const themes = [root.dataset.theme, button.dataset.other];
  button.hidden = !themes[1];
  button.addEventListener("click", () => {
    button.setAttribute("aria-label", `${themes[0]} theme`);
    themes.reverse();
    root.dataset.theme = themes[0];
  });
}

// A function that sets the fragment of the address, with a delay: browsers limit how often a page may change it.
export function linkWriter() {
  let timer = 0;
  let written = "";
  return (link) => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      if (link === written) return;
      written = link;
      try {
        history.replaceState(null, "", link);
      } catch {
        // Inside a frame there may be no address to change.
      }
    }, 300);
  };
}
