// The part of papaparse that is used. The published types require Node's types, which this package
// must not see.
declare module 'papaparse' {
  interface ParseError {
    readonly type: string;
    readonly code: string;
    /** Zero-based. */
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
      /** `cursor`: number of characters read, all of them unless `truncated`. */
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
