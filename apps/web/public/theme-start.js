// Sets the theme, the language and the direction before the first paint, so that a dark start shows no white flash and
// an Arabic one does not jump sides. Runs as a blocking classic script; the modules src/theme/theme-mode.ts and
// src/lib/language-choice.ts take over afterwards and own the rules.
(() => {
  const find = key => {
    try {
      return localStorage.getItem(key);
    } catch {
      // Storage can be blocked; the system's choice is then the only one.
      return null;
    }
  };
  const page = document.documentElement;
  const mode = find('theme_mode');
  const isDark = mode === 'dark' || (mode !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  page.dataset.theme = isDark ? 'dark' : 'light';
  const spoken = ['en', 'de', 'fr', 'es', 'ar'];
  const chosen = find('language');
  const wished = spoken.includes(chosen) ? [chosen] : navigator.languages;
  page.lang = wished.map(tag => tag.toLowerCase().split('-')[0]).find(tag => spoken.includes(tag)) ?? 'en';
  page.dir = page.lang === 'ar' ? 'rtl' : 'ltr';
})();
