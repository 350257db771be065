/**
 * Builds a TLS report in the form that its domain receives (RFC 8460 §4), as compressed JSON, and
 * finds where a domain wants it. Pure except for the compression.
 */
import { gzipSync } from 'node:zlib';
import type { DueReport } from '../report-aggregator/index.ts';
import { type TlsResult, tlsResult } from './tls-results.ts';

type Counted = { readonly result: TlsResult; readonly count: number };

const isoSecond = (at: Date): string => at.toISOString().replace(/\.\d{3}Z$/, 'Z');
const secondsOf = (at: Date): number => Math.floor(at.getTime() / 1000);

const RUA = /^(?:mailto:[^\s,;!?<>"]+@[a-z0-9.-]+|https:\/\/[^\s,;!"<>]+)$/i;
/** Maximum number of addresses of one record that are tried. */
const TARGETS_MAX = 3;

/**
 * Returns where a domain wants its reports, from the TXT records of `_smtp._tls.` (RFC 8460 §3);
 * empty when nowhere.
 */
export function findReportTargets(records: readonly unknown[]): readonly string[] {
  const texts = records
    .map(record => (Array.isArray(record) ? record.join('') : ''))
    .filter(text => /^v=TLSRPTv1\s*;/.test(text));
  const [text] = texts;
  if (text === undefined || texts.length > 1) return [];
  const rua = text.split(';').find(field => /^\s*rua\s*=/.test(field)) ?? '';
  return rua
    .slice(rua.indexOf('=') + 1)
    .split(',')
    .map(target => target.trim())
    .filter(target => RUA.test(target))
    .slice(0, TARGETS_MAX);
}

/** Returns the unique id of a report; it stays the same across retries. */
const idOf = ({ domain, submitter, begin }: DueReport): string =>
  `${isoSecond(begin).slice(0, 10)}_${domain}@${submitter}`;

const sum = (results: readonly Counted[]): number => results.reduce((total, { count }) => total + count, 0);

function describePolicy(domain: string, [first, ...others]: readonly [Counted, ...Counted[]]) {
  const { type, strings, mxHosts } = first.result.policy;
  const results = [first, ...others];
  const failed = results.filter(({ result }) => result.failure !== null);
  return {
    policy: {
      'policy-type': type,
      ...(strings.length === 0 ? {} : { 'policy-string': strings }),
      'policy-domain': domain,
      ...(mxHosts.length === 0 ? {} : { 'mx-host': mxHosts }),
    },
    summary: {
      'total-successful-session-count': sum(results) - sum(failed),
      'total-failure-session-count': sum(failed),
    },
    ...(failed.length === 0
      ? {}
      : {
          'failure-details': failed.map(({ result: { failure }, count }) => ({
            'result-type': failure?.type,
            'sending-mta-ip': failure?.sendingIp,
            'receiving-mx-hostname': failure?.receivingHost,
            'receiving-ip': failure?.receivingIp,
            'failed-session-count': count,
          })),
        }),
  };
}

function describeReport(due: DueReport) {
  const results = due.entries.flatMap(({ entry, count }): Counted[] => {
    const read = tlsResult.safeParse(entry);
    return read.success ? [{ result: read.data, count }] : [];
  });
  const byPolicy = Map.groupBy(results, ({ result }) => JSON.stringify(result.policy));
  return {
    'organization-name': due.submitter,
    'date-range': {
      'start-datetime': isoSecond(due.begin),
      'end-datetime': isoSecond(new Date(due.end.getTime() - 1000)),
    },
    'contact-info': `postmaster@${due.submitter}`,
    'report-id': idOf(due),
    policies: [...byPolicy.values()].flatMap(([first, ...others]) =>
      first === undefined ? [] : [describePolicy(due.domain, [first, ...others])],
    ),
  };
}

/** Returns the report as the file used by both delivery methods (RFC 8460 §5.1), with its id. */
export const packReport = (due: DueReport) => ({
  id: idOf(due),
  file: {
    name: `${due.submitter}!${due.domain}!${secondsOf(due.begin)}!${secondsOf(due.end) - 1}.json.gz`,
    type: 'application/tlsrpt+gzip',
    bytes: gzipSync(Buffer.from(JSON.stringify(describeReport(due)))),
  },
});
