import { expect, test } from 'vitest';
import { readAggregate } from './aggregate.ts';

const record = (count: number, dkim: string, spf: string): string =>
  `<record><row><source_ip>192.0.2.1</source_ip><count>${count}</count><policy_evaluated><disposition>none</disposition><dkim>${dkim}</dkim><spf>${spf}</spf></policy_evaluated></row><identifiers><header_from>keyfold.test</header_from></identifiers></record>`;
const dmarc = (records: string, opening = '<feedback>'): string =>
  `<?xml version="1.0"?>\n${opening}<report_metadata><org_name>big.test</org_name><email>x@big.test</email><report_id>r-1</report_id><date_range><begin>1795132800</begin><end>1795219199</end></date_range></report_metadata><policy_published><domain>Keyfold.test.</domain><p>none</p></policy_published>${records}</feedback>`;
const BOTH = { reporter: 'big.test', id: 'r-1', domain: 'keyfold.test', day: '2026-11-20' };

test('a DMARC report counts messages that pass SPF or DKIM as good and the rest as bad', () => {
  const records = record(5, 'pass', 'fail') + record(2, 'fail', 'pass') + record(3, 'fail', 'fail');
  const found = [{ ...BOTH, kind: 'dmarc', good: 7, bad: 3 }];
  expect(readAggregate(dmarc(records))).toEqual(found);
  const inSpace = '<feedback xmlns="urn:ietf:params:xml:ns:dmarc-2.0">';
  expect(readAggregate(`\uFEFF  ${dmarc(records, inSpace)}`)).toEqual(found);
  expect(readAggregate(dmarc(record(4, 'pass', 'pass')))).toMatchObject([{ good: 4, bad: 0 }]);
});

test('a TLS report is summed over its policies by domain', () => {
  const policy = (domain: string, good: number, bad: number) => ({
    policy: { 'policy-type': 'sts', 'policy-domain': domain },
    summary: { 'total-successful-session-count': good, 'total-failure-session-count': bad },
  });
  const report = {
    'organization-name': 'big.test',
    'date-range': { 'start-datetime': '2026-11-20T00:00:00Z', 'end-datetime': '2026-11-20T23:59:59Z' },
    'contact-info': 'x@big.test',
    'report-id': 'r-1',
    policies: [policy('keyfold.test', 10, 1), policy('other.test', 3, 0), policy('keyfold.test', 5, 2)],
  };
  expect(readAggregate(JSON.stringify(report))).toEqual([
    { ...BOTH, kind: 'tls', good: 15, bad: 3 },
    { ...BOTH, kind: 'tls', domain: 'other.test', good: 3, bad: 0 },
  ]);
});

const LAUGHS = Array.from(
  { length: 9 },
  (_, index) => `<!ENTITY l${index + 1} "${`&l${index};`.repeat(10)}">`,
).join('');

test.each([
  ['entities', dmarc('').replace('<feedback>', `<!DOCTYPE x [<!ENTITY l0 "ha">${LAUGHS}]><feedback>&l9;`)],
  ['a file of ours', dmarc('').replace('<feedback>', '<!DOCTYPE x SYSTEM "file:///etc/passwd"><feedback>')],
  ['a count below nothing', dmarc(record(-1, 'pass', 'pass'))],
  ['a count without end', dmarc(record(1e30, 'pass', 'pass'))],
  ['no domain', dmarc('').replace('Keyfold.test.', 'not a domain')],
  ['no end', dmarc(record(1, 'pass', 'pass')).slice(0, -20)],
  ['no report', '<html><body>hi</body></html>'],
  ['depth', '<a>'.repeat(100_000)],
  ['other JSON', '{"a":1}'],
  ['no JSON', '{"a":'],
])('a report with %s is rejected', (_name, content) => {
  expect(() => readAggregate(content)).toThrow();
});

test('XML entities are not expanded', () => {
  const [report] = readAggregate(dmarc(record(1, 'pass', 'pass')).replace('r-1', '&amp;&#65;'));
  expect(report?.id).toBe('&amp;&#65;');
});
