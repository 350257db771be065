// Announces a text to screen readers when it changes, without showing it.

/** Polite unless `urgent`; stays in the page so that its first change is announced too. */
export function LiveRegion({ text, urgent = false }: { text: string; urgent?: boolean }) {
  return (
    <div role={urgent ? 'alert' : 'status'} aria-live={urgent ? 'assertive' : 'polite'} className="sr-only">
      {text}
    </div>
  );
}
