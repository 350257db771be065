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

it('tells a grave fault once, at the package that has it, and counts slight ones', () => {
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
    note: 'known faults: 2 grave, 2 slight',
  });
});

it('says that all is well when the registry says so', () => {
  expect(readAuditReport('{"auditReportVersion":2,"vulnerabilities":{}}')).toEqual({
    problems: [],
    note: 'known faults: 0 grave, 0 slight',
  });
});

it.each([
  '',
  'npm error network',
  'null',
  '{"error":{"code":"ENOAUDIT"}}',
  '{"message":"request failed","error":{}}',
  '{"vulnerabilities":7}',
])('passes, and says why, when the registry did not answer: %s', text => {
  const { problems, note } = readAuditReport(text);
  expect(problems).toEqual([]);
  expect(note).toContain('did not answer');
});
