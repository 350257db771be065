/**
 * Converts texts by language and key to an Xcode string catalog; English, which comes first,
 * supplies the keys. Writes no file.
 */
export function appleCatalog(texts) {
  const localizationsOf = key =>
    Object.fromEntries(
      Object.entries(texts).map(([language, one]) => [
        language,
        { stringUnit: { state: 'translated', value: one[key] } },
      ]),
    );
  const strings = Object.fromEntries(
    Object.keys(texts.en).map(key => [
      key,
      { extractionState: 'manual', localizations: localizationsOf(key) },
    ]),
  );
  return `${JSON.stringify({ sourceLanguage: 'en', strings, version: '1.0' }, null, 2)}\n`;
}
