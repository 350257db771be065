// Sets the theme before the first paint, so that a dark start shows no white flash.
// Runs as a blocking classic script; the module src/theme/theme-mode.ts takes over afterwards and owns the rules.
(() => {
  let mode = null;
  try {
    mode = localStorage.getItem('theme_mode');
  } catch {
    // Storage can be blocked; the system's choice is then the only one.
  }
  const isDark = mode === 'dark' || (mode !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.dataset.theme = isDark ? 'dark' : 'light';
})();
