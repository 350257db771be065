/**
 * The messages of the corpora beside the checkout (../shared/data): the MIME messages unchanged,
 * and the HTML cases, many per message. Without the folder the result is empty, and the caller
 * reports that.
 */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { corpusMails, corpusNames, hasCorpora } from '../../apps/web/e2e/support/html-corpus.ts';

const folder = path.resolve(import.meta.dirname, '../../../shared/data/mime');
/** Files beside the messages: expectations, notes, encoder samples (as in mime-corpus.test.ts). */
const NO_MESSAGE =
  /\.(json|golden|expected|md)$|COPYING|LICENSE|codec_|tutanota-mimetools-expected|header-cases/;

export const hasMimeCorpora = existsSync(folder);

/** Line endings as a sending server produces them. */
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

/**
 * Returns all of them, each with a name. `canary` must not receive any request; `run` is script
 * that must not run.
 */
export const readCorpora = (canary, run) => [
  ...(hasMimeCorpora ? mimeMails() : []),
  ...(hasCorpora
    ? corpusNames.flatMap(name =>
        corpusMails(name, canary, run).map((html, index) => htmlMail(`${name} ${index}`, html)),
      )
    : []),
];
