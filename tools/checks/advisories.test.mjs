import { expect, it } from 'vitest';
import { readAuditReport } from './advisories.mjs';

const fault = (severity, name = 'a') => ({
  source: 1,
  name,
  title: 'Opens everything',
  url: 'https://example.test/advisory',
  severity,
  range: '<1.2.3',
});

it('reports a severe vulnerability once, at the affected package, and counts minor ones', () => {
  const report = {
    vulnerabilities: {
      a: { severity: 'high', via: [fault('high')] },
      b: { severity: 'high', via: ['a'] },
      c: { severity: 'moderate', via: [fault('moderate', 'c'), fault('low', 'c')] },
      d: { severity: 'critical', via: [fault('critical', 'd'), 'a'] },
    },
  };
  expect(readAuditReport(JSON.stringify(report))).toEqual({
    problems: [
      'a <1.2.3: Opens everything (high, https://example.test/advisory)',
      'd <1.2.3: Opens everything (critical, https://example.test/advisory)',
    ],
    note: '2 severe, 2 other',
  });
});

it('reports no problem when the registry finds none', () => {
  expect(readAuditReport('{"auditReportVersion":2,"vulnerabilities":{}}')).toEqual({
    problems: [],
    note: '0 severe, 0 other',
  });
});

it.each([
  '',
  'npm error network',
  'null',
  '{"error":{"code":"ENOAUDIT"}}',
  '{"message":"request failed","error":{}}',
  '{"vulnerabilities":7}',
])('passes with a note when the registry does not answer: %s', text => {
  const { problems, note } = readAuditReport(text);
  expect(problems).toEqual([]);
  expect(note).toContain('did not respond');
});
