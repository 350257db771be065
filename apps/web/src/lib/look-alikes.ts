// Detects deceptive host names: punycode, mixed scripts in one word, characters that look like
// others. A heuristic for warnings; it opens and blocks nothing. Based on the skeletons of UTS 39,
// reduced to the characters that occur in mail.

const confusables: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'l',
  i: 'l',
  '|': 'l',
  '5': 's',
  $: 's',
  '3': 'e',
  '8': 'b',
  а: 'a',
  е: 'e',
  о: 'o',
  р: 'p',
  с: 'c',
  у: 'y',
  х: 'x',
  і: 'l',
  ј: 'j',
  ѕ: 's',
  ԁ: 'd',
  һ: 'h',
  ӏ: 'l',
  к: 'k',
  м: 'm',
  т: 't',
  в: 'b',
  н: 'h',
  г: 'r',
  ь: 'b',
  α: 'a',
  ο: 'o',
  ρ: 'p',
  ν: 'v',
  τ: 't',
  υ: 'u',
  ι: 'l',
  κ: 'k',
  ε: 'e',
  η: 'n',
  ω: 'w',
  χ: 'x',
  γ: 'y',
  ı: 'l',
  ł: 'l',
  ø: 'o',
  đ: 'd',
  ħ: 'h',
  ß: 'b',
  ɑ: 'a',
  ɡ: 'g',
  ɩ: 'l',
  ᴏ: 'o',
};

/** Pairs of letters that look like one letter. */
const pairs: readonly (readonly [RegExp, string])[] = [
  [/rn/g, 'm'],
  [/vv/g, 'w'],
  [/c[l1]/g, 'd'],
  [/nn/g, 'm'],
];

/** No host name is longer. */
const NAME_MAX = 300;

/** Returns the skeleton of a name: names that are easily confused have the same skeleton. */
export function skeletonOf(name: string): string {
  const plain = name.slice(0, NAME_MAX).toLowerCase().normalize('NFKD').replace(/\p{M}/gu, '');
  const letters = [...plain].map(char => confusables[char] ?? char).join('');
  return pairs.reduce((text, [pair, letter]) => text.replace(pair, letter), letters);
}

const scripts = [
  /\p{Script=Latin}/u,
  /\p{Script=Cyrillic}/u,
  /\p{Script=Greek}/u,
  /\p{Script=Armenian}/u,
  /\p{Script=Hebrew}/u,
  /\p{Script=Arabic}/u,
];

/** Whether one label of a host mixes scripts that are not normally mixed. */
export const mixesScripts = (host: string): boolean =>
  host.split('.').some(label => scripts.filter(script => script.test(label)).length > 1);

/** Returns the ASCII form of the host, as in DNS, or null when it is not a host. */
export function asciiHostOf(host: string): string | null {
  return URL.canParse(`https://${host}/`) ? new URL(`https://${host}/`).hostname : null;
}

/** Whether a host contains non-ASCII characters, directly or as punycode. */
export const isForeignHost = (host: string): boolean =>
  (asciiHostOf(host) ?? host).split('.').some(label => label.startsWith('xn--'));

/**
 * Returns the known host that this one resembles without being it or a subdomain of it, or null.
 */
export function lookAlikeOf(host: string, known: Iterable<string>, shown: string = host): string | null {
  const own = asciiHostOf(host);
  if (own === null) return null;
  const skeleton = skeletonOf(shown);
  for (const other of known) {
    const otherHost = asciiHostOf(other);
    if (
      otherHost === null ||
      own === otherHost ||
      own.endsWith(`.${otherHost}`) ||
      otherHost.endsWith(`.${own}`)
    )
      continue;
    if (skeletonOf(other) === skeleton) return other;
  }
  return null;
}
