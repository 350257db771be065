/**
 * Builds a DMARC aggregate report in the form that its domain receives (RFC 9990): compressed XML.
 * The domain's record names the recipients; the caller checks whether an address at another domain
 * wants the report. Pure except for the compression.
 */
import { gzipSync } from 'node:zlib';
import type { DueReport } from '../report-aggregator/index.ts';
import { type DmarcResult, dmarcResult } from './dmarc-results.ts';

type CountedMail = { readonly result: DmarcResult; readonly count: number };

/** Returns the counted messages of a report whose entries can be parsed. */
export const mailsOf = ({ entries }: DueReport): readonly CountedMail[] =>
  entries.flatMap(({ entry, count }) => {
    const read = dmarcResult.safeParse(entry);
    return read.success ? [{ result: read.data, count }] : [];
  });

/** Maximum number of addresses of one record that receive the report. */
const TARGETS_MAX = 3;
const MAILTO = /^mailto:([^\s,;!?<>"@]+@[a-z0-9.-]+)(?:!\d+[kmgt]?)?$/i;

/**
 * Returns the mail addresses at which a record wants its reports; other URI schemes are skipped
 * (RFC 9990 §3.5).
 */
export const findMailTargets = (rua: string): readonly string[] =>
  rua
    .split(',')
    .flatMap(target => MAILTO.exec(target.trim())?.[1]?.toLowerCase() ?? [])
    .slice(0, TARGETS_MAX);

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

/** Escapes text between two tags. Control characters cannot be represented in XML. */
const asContent = (text: string): string =>
  text.replace(/[^\u0020-\ud7ff\ue000-\ufffd]/g, '?').replace(/[&<>"']/g, one => ESCAPES[one] ?? '');

const tag = (name: string, content: string | number): string =>
  `<${name}>${asContent(String(content))}</${name}>`;
const group = (name: string, parts: readonly string[]): string => `<${name}>${parts.join('')}</${name}>`;

const idOf = ({ domain, submitter, begin }: DueReport): string =>
  `${begin.toISOString().slice(0, 10)}.${domain}@${submitter}`;

const secondsOf = (at: Date): number => Math.floor(at.getTime() / 1000);

function recordOf({ result, count }: CountedMail): string {
  const { evaluated, published } = result;
  const isFailed = evaluated.dkim === 'fail' && evaluated.spf === 'fail';
  return group('record', [
    group('row', [
      tag('source_ip', result.sourceIp),
      tag('count', count),
      group('policy_evaluated', [
        // Here the domain's requested policy is only shown to readers and rejects nothing (ADR 10).
        tag('disposition', 'none'),
        tag('dkim', evaluated.dkim),
        tag('spf', evaluated.spf),
        ...(isFailed && published.p !== 'none' ? [group('reason', [tag('type', 'local_policy')])] : []),
      ]),
    ]),
    group('identifiers', [tag('header_from', result.headerFrom), tag('envelope_from', result.envelopeFrom)]),
    group('auth_results', [
      ...result.dkim.map(({ domain, selector, result: word }) =>
        group('dkim', [tag('domain', domain), tag('selector', selector), tag('result', word)]),
      ),
      group('spf', [
        tag('domain', result.spf.domain),
        tag('scope', result.spf.scope),
        tag('result', result.spf.result),
      ]),
    ]),
  ]);
}

const OPENING = '<?xml version="1.0" encoding="UTF-8"?>\n<feedback xmlns="urn:ietf:params:xml:ns:dmarc-2.0">';

/** Returns the report as XML, or null when it would be empty. */
export function formatReport(report: DueReport): string | null {
  const mails = mailsOf(report);
  const newest = mails.at(-1)?.result;
  if (newest === undefined) return null;
  const { published } = newest;
  const parts = [
    group('report_metadata', [
      tag('org_name', report.submitter),
      tag('email', `postmaster@${report.submitter}`),
      tag('report_id', idOf(report)),
      group('date_range', [tag('begin', secondsOf(report.begin)), tag('end', secondsOf(report.end) - 1)]),
    ]),
    group('policy_published', [
      tag('domain', report.domain),
      tag('p', published.p),
      tag('sp', published.sp),
      ...(published.np === undefined ? [] : [tag('np', published.np)]),
      tag('adkim', published.adkim),
      tag('aspf', published.aspf),
      tag('testing', published.testing ? 'y' : 'n'),
    ]),
    ...mails.map(recordOf),
  ];
  return `${OPENING}${parts.join('')}</feedback>\n`;
}

/**
 * Returns the compressed file in which a report is sent (RFC 9990 §3.5.2), with the subject of its
 * message.
 */
export function packReport(report: DueReport, xml: string) {
  const { domain, submitter, begin, end } = report;
  return {
    subject: `Report Domain: ${domain} Submitter: ${submitter} Report-ID: <${idOf(report)}>`,
    file: {
      name: `${submitter}!${domain}!${secondsOf(begin)}!${secondsOf(end) - 1}.xml.gz`,
      type: 'application/gzip',
      bytes: gzipSync(Buffer.from(xml)),
    },
  };
}
