// What is used of papaparse. The published types need those of Node, which this room must not see.
declare module 'papaparse' {
  interface ParseError {
    readonly type: string;
    readonly code: string;
    /** Counted from 0. */
    readonly row?: number;
  }
  const papa: {
    parse(
      text: string,
      options: {
        delimiter: string;
        newline?: string;
        preview?: number;
        skipEmptyLines?: boolean | 'greedy';
        fastMode?: boolean;
      },
    ): {
      data: string[][];
      errors: ParseError[];
      /** `cursor`: characters that were read, all of them unless `truncated`. */
      meta: { linebreak: string; cursor: number; truncated: boolean };
    };
    unparse(
      rows: readonly (readonly string[])[],
      options: { escapeFormulae?: boolean | RegExp; newline?: string },
    ): string;
  };
  // biome-ignore lint/style/noDefaultExport: this is how the library exports itself.
  export default papa;
}
