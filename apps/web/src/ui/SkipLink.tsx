// The first stop of the Tab key: jumps over the navigation.

/** A link that is seen only while it has the focus. */
export function SkipLink({ target, children }: { target: string; children: string }) {
  return (
    <a
      href={`#${target}`}
      onClick={event => {
        // The hash belongs to the shell's deep links, so the jump is made by hand.
        event.preventDefault();
        const element = document.getElementById(target);
        element?.focus();
        // Not on this screen, or not shown beside what is open: the screen itself then.
        if (element === null || document.activeElement !== element) document.querySelector('main')?.focus();
      }}
      className="sr-only print:hidden focus-visible:not-sr-only focus-visible:fixed focus-visible:start-3 focus-visible:top-3 focus-visible:z-60 focus-visible:rounded-control focus-visible:bg-raised focus-visible:px-3 focus-visible:py-2 focus-visible:font-medium focus-visible:shadow-mid"
    >
      {children}
    </a>
  );
}
