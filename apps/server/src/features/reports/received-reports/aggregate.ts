/**
 * Parses aggregate reports of other domains about mail that claimed to be from us (DMARC: RFC 9990
 * and its predecessor) and about TLS on connections to us (RFC 8460). Reduces them to what is
 * stored: two numbers per domain and day. Pure. Throws when the content is not a report or not
 * well-formed.
 */
import { XMLParser } from 'fast-xml-parser';
import { z } from 'zod';

export type Aggregate = {
  readonly kind: 'dmarc' | 'tls';
  /**
   * The reporter as it names itself, and its id for this report: together they identify duplicates.
   */
  readonly reporter: string;
  readonly id: string;
  /** Lowercase. */
  readonly domain: string;
  /** The first day of the report, as YYYY-MM-DD in UTC. */
  readonly day: string;
  /** Messages that passed or sessions with correct TLS, and those that failed. */
  readonly good: number;
  readonly bad: number;
};

const NUMBER_MAX = 1_000_000_000;
const RECORDS_MAX = 50_000;
const POLICIES_MAX = 100;

const text = z.string().trim().min(1).max(500);
const domainName = z
  .string()
  .trim()
  .toLowerCase()
  .transform(name => name.replace(/\.$/, ''))
  .pipe(
    z
      .string()
      .regex(/^[a-z0-9_-]+(?:\.[a-z0-9_-]+)+$/)
      .max(253),
  );
const count = z.coerce.number().int().min(0).max(NUMBER_MAX);
const day = (at: Date): string => at.toISOString().slice(0, 10);
const verdict = z.string().optional().catch(undefined);

const dmarcReport = z.object({
  feedback: z.object({
    report_metadata: z.object({
      org_name: text,
      report_id: text,
      date_range: z.object({ begin: z.coerce.number().int().min(0).max(100_000_000_000) }),
    }),
    policy_published: z.object({ domain: domainName }),
    record: z
      .array(
        z.object({
          row: z.object({
            count,
            policy_evaluated: z.object({ dkim: verdict, spf: verdict }).optional().catch(undefined),
          }),
        }),
      )
      .max(RECORDS_MAX),
  }),
});

/** Entities are not expanded, and a document that declares any is rejected. */
const parser = new XMLParser({
  ignoreAttributes: true,
  ignoreDeclaration: true,
  ignorePiTags: true,
  processEntities: false,
  parseTagValue: false,
  removeNSPrefix: true,
  isArray: name => name === 'record',
});

function readDmarc(xml: string): Aggregate[] {
  if (/<!\s*(?:DOCTYPE|ENTITY)/i.test(xml))
    throw new Error('The report contains a document type declaration');
  const { feedback } = dmarcReport.parse(parser.parse(xml, true));
  const { report_metadata: about, policy_published: policy, record } = feedback;
  let [good, bad] = [0, 0];
  for (const { row } of record) {
    const { dkim, spf } = row.policy_evaluated ?? {};
    if (dkim === 'pass' || spf === 'pass') good += row.count;
    else bad += row.count;
  }
  return [
    {
      kind: 'dmarc',
      reporter: about.org_name,
      id: about.report_id,
      domain: policy.domain,
      day: day(new Date(about.date_range.begin * 1000)),
      good,
      bad,
    },
  ];
}

const tlsReport = z.object({
  'organization-name': text,
  'report-id': text,
  'date-range': z.object({ 'start-datetime': z.coerce.date() }),
  policies: z
    .array(
      z.object({
        policy: z.object({ 'policy-domain': domainName }),
        summary: z.object({ 'total-successful-session-count': count, 'total-failure-session-count': count }),
      }),
    )
    .max(POLICIES_MAX),
});

function readTls(json: string): Aggregate[] {
  const report = tlsReport.parse(JSON.parse(json));
  const byDomain = Map.groupBy(report.policies, one => one.policy['policy-domain']);
  return [...byDomain].map(([domain, policies]) => {
    const sum = (name: keyof (typeof policies)[number]['summary']): number =>
      policies.reduce((total, { summary }) => total + summary[name], 0);
    return {
      kind: 'tls',
      reporter: report['organization-name'],
      id: report['report-id'],
      domain,
      day: day(report['date-range']['start-datetime']),
      good: sum('total-successful-session-count'),
      bad: sum('total-failure-session-count'),
    };
  });
}

/** Returns the contents of a report by domain. Throws when the content is not a report. */
export function readAggregate(content: string): Aggregate[] {
  const report = content.replace(/^\uFEFF/, '').trimStart();
  return report.startsWith('{') ? readTls(report) : readDmarc(report);
}
