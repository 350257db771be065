// Replaces a file that cannot be shown: the reason, and what the user can do.
/** The reason why there is no preview, and what to do. */
export function PreviewProblem({ text, children }: { text: string; children?: React.ReactNode }) {
  return (
    <div role="alert" className="grid flex-1 place-content-center justify-items-center gap-3 p-6 text-center">
      <p>{text}</p>
      {children}
    </div>
  );
}
