import { describe, expect, test } from 'vitest';
import { findReportTargets } from './report.ts';

describe('TLS report targets', () => {
  test.each([
    [['v=TLSRPTv1; rua=mailto:tls@example.org'], ['mailto:tls@example.org']],
    [
      ['v=TLSRPTv1 ;rua = mailto:tls@example.org , https://example.org/tls ;'],
      ['mailto:tls@example.org', 'https://example.org/tls'],
    ],
    [['v=TLSRPTv1;rua=mailto:tls@example.org?bcc=all@example.org,ftp://example.org'], []],
    [['v=TLSRPTv1; ruf=mailto:tls@example.org'], []],
    [['v=TLSRPTv1; rua=mailto:a@example.org', 'v=TLSRPTv1; rua=mailto:b@example.org'], []],
  ])('%j names %j', (records, targets) => {
    expect(findReportTargets(records.map(record => [record]))).toEqual(targets);
  });

  test('are found in linear time, also in a hostile record', () => {
    const blanks = ' '.repeat(60_000);
    for (const record of [`v=TLSRPTv1; rua=${blanks}x\nx`, `v=TLSRPTv1;${blanks}rua${blanks}x`])
      expect(findReportTargets([[record]])).toEqual([]);
  });
});
