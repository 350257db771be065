// Sets the theme, the language and the direction before the first paint, so that a dark start shows no white flash and
// an Arabic one does not jump sides; asks again for a program that did not come. Runs as a blocking classic script; the
// modules src/theme/theme-mode.ts and src/lib/language-choice.ts take over afterwards and own the rules.
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
  // Where the first files of the program do not come, the machine that sent them may have gone: the page is asked for again,
  // once in a while. Later parts are asked for by src/lib/load-again.ts.
  const askAgain = ({ target }) => {
    if (document.readyState === 'complete' || !(target.type === 'module' || target.rel === 'stylesheet'))
      return;
    try {
      if (Date.now() - sessionStorage.getItem('asked_again') >= 9_999) {
        sessionStorage.setItem('asked_again', Date.now());
        location.reload();
        return;
      }
    } catch {
      // Nothing would end the asking.
    }
    // The page says so at once (.start-note), instead of after a while.
    if (target.type === 'module') page.dataset.failed = '';
  };
  addEventListener('error', askAgain, true);
})();
