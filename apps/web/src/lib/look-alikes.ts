// Names of hosts that are made to be taken for others: punycode, scripts mixed in one word, letters that look like other
// letters. A guess that warns; it opens and blocks nothing. After the skeletons of UTS 39, cut down to what mail shows.

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

/** Pairs of letters that read as one. */
const pairs: readonly (readonly [RegExp, string])[] = [
  [/rn/g, 'm'],
  [/vv/g, 'w'],
  [/c[l1]/g, 'd'],
  [/nn/g, 'm'],
];

/** Hosts are shorter. */
const NAME_MAX = 300;

/** What a name looks like: two names that are easily confused have the same skeleton. */
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

/** Whether one label of a host mixes scripts that nobody mixes. */
export const mixesScripts = (host: string): boolean =>
  host.split('.').some(label => scripts.filter(script => script.test(label)).length > 1);

/** The host in ASCII, as DNS knows it; null when it is none. */
export function asciiHostOf(host: string): string | null {
  return URL.canParse(`https://${host}/`) ? new URL(`https://${host}/`).hostname : null;
}

/** Whether a host is written with letters beyond ASCII, as itself or as punycode. */
export const isForeignHost = (host: string): boolean =>
  (asciiHostOf(host) ?? host).split('.').some(label => label.startsWith('xn--'));

/** The known host that this one looks like without being it or lying below it; null when none. */
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
