/**
 * Generator of large mailboxes: message number n is always the same for the same n. Words follow a
 * Zipf distribution over an invented vocabulary that includes accents, umlauts, Chinese and Arabic.
 * About a third of the messages is HTML, a seventh has a small file, and two of three reply to an
 * earlier one.
 */

const VOCABULARY = 30_000;
const WORDS = 600;
const DAY_MS = 86_400_000;
const YEARS = 6;

/** Mulberry32: a small seeded generator, so that a mailbox is reproducible anywhere. */
function randomFrom(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const SYLLABLES =
  'ka lo mi ren sta vor bel tun ge pra ös ü ñan é ça mar sol din ter wik han fi ju ro pe xa qui lum bra nor'.split(
    ' ',
  );
const FOREIGN = ['会议', '报告', '明天', '预算', 'مرحبا', 'تقرير', 'موعد', 'привет', 'отчёт', '회의'];
const SUBJECTS = [
  'Meeting',
  'Invoice',
  'Offer',
  'Plan',
  'Trip',
  'Report',
  'Rechnung',
  'Réunion',
  'Frage',
  'Photos',
];

function wordOf(rank) {
  if (rank % 97 === 13) return FOREIGN[rank % FOREIGN.length];
  const random = randomFrom(rank * 7919 + 1);
  let word = '';
  for (let left = 2 + (rank % 3); left > 0; left--)
    word += SYLLABLES[Math.floor(random() * SYLLABLES.length)];
  return word;
}

const VOCABULARY_WORDS = Array.from({ length: VOCABULARY }, (_, rank) => wordOf(rank));

/**
 * Returns a rank with the frequencies of natural language: the r-th word is about 1/r as frequent
 * as the first.
 */
const zipf = random => Math.min(VOCABULARY - 1, Math.floor(VOCABULARY ** random() - 1));

function textOf(random, words) {
  let text = '';
  for (let n = 0; n < words; n++) text += `${VOCABULARY_WORDS[zipf(random)]}${n % 12 === 11 ? '.\r\n' : ' '}`;
  return text;
}

const encodedWord = text => `=?UTF-8?B?${Buffer.from(text).toString('base64')}?=`;
const base64Lines = text => Buffer.from(text).toString('base64').replace(/.{76}/g, '$&\r\n');

/** A word that only message n contains, for searches with one hit. */
export const rareWordOf = n => `zyx${n.toString(36)}qw`;

export function subjectOf(n) {
  const random = randomFrom(n * 31 + 5);
  return `${SUBJECTS[n % SUBJECTS.length]} ${VOCABULARY_WORDS[zipf(random)]} ${VOCABULARY_WORDS[zipf(random)]} ${n}`;
}

/** Returns the time at which message n of `count` was received; the last is the newest. */
export const receivedAtOf = (n, count) => new Date(Date.now() - ((count - n) / count) * YEARS * 365 * DAY_MS);

function partsOf(n, random) {
  const text = `${textOf(random, WORDS)}\r\n${rareWordOf(n)}\r\n`;
  const plain = `Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: base64\r\n\r\n${base64Lines(text)}\r\n`;
  if (n % 3 !== 0) return plain;
  const html = `<html><body><p style="color:#333">${text.replaceAll('\r\n', '</p><p>')}</p></body></html>`;
  return `Content-Type: text/html; charset=utf-8\r\nContent-Transfer-Encoding: base64\r\n\r\n${base64Lines(html)}\r\n`;
}

/** Returns the raw message. */
export function messageOf(n, count, to) {
  const random = randomFrom(n + 1);
  const person = Math.floor(zipf(random) / 40);
  const isAnswer = n % 3 !== 0;
  const parent = `<${n - (n % 3)}@big.example>`;
  const head = [
    `From: ${encodedWord(`${VOCABULARY_WORDS[person * 3]} ${VOCABULARY_WORDS[person * 3 + 1]}`)} <person${person}@big.example>`,
    `To: ${to}`,
    `Subject: ${encodedWord(isAnswer ? `Re: ${subjectOf(n - (n % 3))}` : subjectOf(n))}`,
    `Date: ${receivedAtOf(n, count).toUTCString().replace('GMT', '+0000')}`,
    `Message-ID: <${n}@big.example>`,
    ...(isAnswer ? [`In-Reply-To: ${parent}`, `References: ${parent}`] : []),
    'MIME-Version: 1.0',
  ].join('\r\n');
  const body = partsOf(n, random);
  if (n % 7 !== 0) return `${head}\r\n${body}`;
  const file = `Content-Type: text/csv; name="figures-${n}.csv"\r\nContent-Disposition: attachment; filename="figures-${n}.csv"\r\n\r\na;b\r\n${n};${n * 2}\r\n`;
  return `${head}\r\nContent-Type: multipart/mixed; boundary="b${n}"\r\n\r\n--b${n}\r\n${body}--b${n}\r\n${file}--b${n}--\r\n`;
}
