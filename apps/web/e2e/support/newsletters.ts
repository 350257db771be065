// Sixty external messages as in a full mailbox: plain ones of a few kilobytes, and newsletters of
// 30 to 100 KB made of nested tables with inline styles and remote images. The content is invented
// and the same every time.

import type { OutsideMail } from './outside.ts';

const words =
  'The harbour was quiet when the morning ferry came in and nobody on the quay had yet opened a shop or set out a chair ' +
  'so we walked along the wall to the lighthouse where the keeper keeps bees and sells honey in small square jars';

const wordList = words.split(' ');

const sentence = (seed: number, count: number): string =>
  Array.from(
    { length: count },
    (_, at) => wordList[(seed * 7 + at * (1 + (seed % 3))) % wordList.length],
  ).join(' ');

const cell = (seed: number): string =>
  `<tr><td class="pad" style="padding:12px 24px;border-bottom:1px solid #e3e7ee;background-color:#${seed % 2 === 0 ? 'ffffff' : 'f6f8fb'}">` +
  '<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0"><tr>' +
  `<td width="96" valign="top" style="padding-right:16px"><a href="https://news.example/a/${seed}?utm_source=letter" style="text-decoration:none">` +
  `<img src="https://cdn.news.example/i/${seed}.jpg" width="96" height="72" alt="${sentence(seed, 4)}" style="display:block;border:0"></a></td>` +
  `<td valign="top" style="font-family:Georgia,'Times New Roman',serif;font-size:15px;line-height:22px;color:#2b2f36">` +
  `<h3 style="margin:0 0 6px;font-size:18px;color:#1c3f60"><a href="https://news.example/a/${seed}" style="color:#1c3f60">${sentence(seed, 6)}</a></h3>` +
  `<p style="margin:0 0 8px">${sentence(seed + 1, 28)}.</p>` +
  `<p style="margin:0;font-size:12px;color:#6b7280">${sentence(seed + 2, 5)} · <a href="https://news.example/a/${seed}#talk">${seed} comments</a></p>` +
  '</td></tr></table></td></tr>';

const sheet =
  'body{margin:0;background:#eef1f5}.pad{padding:12px 24px}@media (max-width:600px){.pad{padding:8px 12px!important}h3{font-size:16px!important}}' +
  'a:hover{text-decoration:underline!important}.wrap{width:640px;margin:0 auto}';

/** Returns a newsletter of about this many bytes. */
export function newsletterHtml(number: number, sizeBytes: number): string {
  const rows: string[] = [];
  let size = 1_000;
  for (let seed = number * 100; size < sizeBytes; seed += 1) {
    const row = cell(seed);
    rows.push(row);
    size += row.length;
  }
  return (
    `<!doctype html><html><head><title>Letter ${number}</title><style>${sheet}</style></head><body bgcolor="#eef1f5">` +
    `<table class="wrap" role="presentation" align="center" width="640"><tr><td><h1>Letter ${number}</h1></td></tr>${rows.join('\r\n')}` +
    '</table><img src="https://track.news.example/open.gif?u=1" width="1" height="1" alt=""></body></html>'
  );
}

/** Kilobytes of HTML in rotation; 0 is a plain message. */
const HTML_KILOBYTES = [0, 30, 0, 60, 100, 0];

/** Returns the message with this number. */
export function messageOf(number: number, to: string): OutsideMail {
  const kilobytes = HTML_KILOBYTES[number % HTML_KILOBYTES.length] ?? 0;
  const text = Array.from({ length: 12 }, (_, line) => `${sentence(number + line, 60)}.`).join('\n\n');
  return {
    to,
    from: { name: `Sender ${number % 9}`, address: `sender${number % 9}@news.example` },
    subject: `Letter number ${number}`,
    date: new Date(Date.UTC(2026, 10, 20, 10, number)),
    ...(kilobytes === 0 ? { text } : { html: newsletterHtml(number, kilobytes * 1024) }),
  };
}
