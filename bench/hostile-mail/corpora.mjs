/**
 * The mails of the corpora beside the checkout (../shared/data): the MIME messages as they are, and the HTML cases many to a mail.
 * Without the folder there are none, and whoever asks says so.
 */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { corpusMails, corpusNames, hasCorpora } from '../../apps/web/e2e/support/html-corpus.ts';

const folder = path.resolve(import.meta.dirname, '../../../shared/data/mime');
/** What lies beside the messages: expectations, notes, encoder samples (as in mime-corpus.test.ts). */
const NO_MESSAGE =
  /\.(json|golden|expected|md)$|COPYING|LICENSE|codec_|tutanota-mimetools-expected|header-cases/;

export const hasMimeCorpora = existsSync(folder);

/** Line ends as a sending server makes them. */
const toCrlf = bytes => Buffer.from(bytes.toString('latin1').replace(/\r?\n/g, '\r\n'), 'latin1');

const mimeMails = () =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter(name => !NO_MESSAGE.test(name) && statSync(path.join(folder, name)).isFile())
    .sort()
    .map(name => ({ name, raw: toCrlf(readFileSync(path.join(folder, name))) }));

const htmlMail = (name, html) => ({
  name,
  raw: Buffer.from(
    [
      'From: Olga Outside <olga@outside.test>',
      `Subject: ${name}`,
      `Message-ID: <${crypto.randomUUID()}@outside.test>`,
      'MIME-Version: 1.0',
      'Content-Type: text/html; charset=utf-8',
      'Content-Transfer-Encoding: base64',
      '',
      ...(Buffer.from(html)
        .toString('base64')
        .match(/.{1,76}/g) ?? []),
      '',
    ].join('\r\n'),
  ),
});

/** All of them with a name each. `canary` must not hear anything, `run` is script that must not run. */
export const readCorpora = (canary, run) => [
  ...(hasMimeCorpora ? mimeMails() : []),
  ...(hasCorpora
    ? corpusNames.flatMap(name =>
        corpusMails(name, canary, run).map((html, index) => htmlMail(`${name} ${index}`, html)),
      )
    : []),
];
