/**
 * Messages that resemble natural language to an index: 60,000 words with natural frequencies,
 * seeded, 4 KB each.
 */

const WORDS = 60_000;
const POOL = 3_000;

function seeded(seed) {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Returns a function that creates the message with a given number; the same for both sides. */
export function createCorpus() {
  const next = seeded(7);
  const below = n => Math.floor(next() * n);
  const words = Array.from({ length: WORDS }, () =>
    Array.from({ length: 2 + below(9) }, () => String.fromCharCode(97 + below(26))).join(''),
  );
  const word = () =>
    words[Math.min(WORDS - 1, Math.floor(Math.exp(next() * Math.log(WORDS))) - 1)] ?? words[0];
  const text = size => {
    let made = '';
    while (made.length < size) made += `${word()} `;
    return made;
  };
  const halves = Array.from({ length: POOL }, () => text(2_048));
  const day = 86_400;
  return {
    words,
    mail: number => ({
      id: `00000000-0000-7000-8000-${number.toString(16).padStart(12, '0')}`,
      at: 1_700_000_000 + number * (day / 50),
      flags: number % 5 === 0 ? 1 : 0,
      texts: {
        from: `Person ${words[number % 900]} <${words[number % 900]}@${words[number % 90]}.example>`,
        to: 'Alice Almeida <alice@keyfold.test>',
        subject: halves[(number * 31) % POOL].slice(0, 50),
        body: halves[number % POOL] + halves[(number * 17 + Math.floor(number / POOL)) % POOL],
        filename: number % 5 === 0 ? `${words[number % 5_000]}.pdf` : '',
      },
    }),
  };
}
