// Sets the theme, the language and the direction before the first paint, so that a dark start shows
// no white flash and an Arabic one does not jump sides. Also reloads the page when the program
// fails to load. Runs as a blocking classic script; afterward the modules src/theme/theme-mode.ts
// and src/lib/language-choice.ts take over and own the rules.
(() => {
  const find = key => {
    try {
      return localStorage.getItem(key);
    } catch {
      // Storage can be blocked; only the system's preference is then available.
      return null;
    }
  };
  const page = document.documentElement;
  const mode = find('theme_mode');
  const isDark = mode === 'dark' || (mode !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  page.dataset.theme = isDark ? 'dark' : 'light';
  // The build names the languages that have a catalog; the rule is that of src/lib/languages.ts.
  const { languages = 'en', rtl = '' } = page.dataset;
  const spoken = languages.split(' ');
  const writtenForm = tag => {
    try {
      const { language, script } = new Intl.Locale(tag).maximize();
      return `${language}-${script}`;
    } catch {
      return tag;
    }
  };
  const match = tag =>
    spoken.find(one => one.toLowerCase() === tag.toLowerCase()) ??
    spoken.find(one => writtenForm(one) === writtenForm(tag));
  const chosen = find('language');
  const wished = spoken.includes(chosen) ? [chosen] : navigator.languages;
  page.lang = wished.map(match).find(tag => tag !== undefined) ?? 'en';
  page.dir = rtl.split(' ').includes(page.lang) ? 'rtl' : 'ltr';
  // If the first files of the program fail to load, the machine that served them may be gone, so
  // the page reloads, at most once in a while. Later chunks are retried by src/lib/load-again.ts.
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
      // Without storage, nothing would stop the reloads.
    }
    // Makes the page show the failure at once (.start-note) instead of after a delay.
    if (target.type === 'module') page.dataset.failed = '';
  };
  addEventListener('error', askAgain, true);
})();
