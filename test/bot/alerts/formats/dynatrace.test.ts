import { describe, expect, it } from 'vitest';
import { says, toolMessage } from '../fixtures.ts';

const page = (pid: string, tenant = 'abc12345.live.dynatrace.com') =>
  `https://${tenant}/#problems/problemdetails;pid=${pid}`;
const problem = (text: string) => toolMessage({ text });

describe("a problem of Dynatrace's", () => {
  it.each([
    [`*OPEN* <${page('-84V2')}|CPU saturation>`, 'firing', 'CPU saturation'],
    [`:RESOLVED: *RESOLVED CPU saturation*\n<${page('-84V2')}>`, 'resolved', 'CPU saturation'],
    [`*MERGED CPU saturation*\n<${page('-84V2')}>`, 'not_an_alert', 'CPU saturation'],
    [
      `OPEN: CPU saturation\nHost: db-1\nSeverity: RESOURCE_CONTENTION\n<${page('-84V2')}>`,
      'firing',
      'CPU saturation',
    ],
    [`Problem State: OPEN\nCPU saturation\n<${page('-84V2')}|Details>`, 'firing', 'CPU saturation'],
  ])('%s is %s', (text, kind, title) => {
    expect(says(problem(text), 'format', 'kind', 'title', 'alertUrl', 'severity')).toStrictEqual({
      format: 'dynatrace',
      kind,
      title,
      alertUrl: page('-84V2'),
      severity: null,
    });
    const same = problem(`*OPEN other words*\n<${page('-84V2')}>`);
    expect(says(problem(text), 'fingerprint')).toStrictEqual(says(same, 'fingerprint'));
  });

  it('is read from an attachment, with what its lines say', () => {
    const attachments = [
      {
        title: 'OPEN Slow responses',
        title_link: page('9'),
        text: 'Environment: prod\nService: shop\nHost: web-1',
      },
    ];
    expect(
      says(toolMessage({ attachments }), 'kind', 'title', 'environment', 'service', 'host'),
    ).toStrictEqual({
      kind: 'firing',
      title: 'Slow responses',
      environment: 'prod',
      service: 'shop',
      host: 'web-1',
    });
  });

  it('is another in another environment, and none without its link', () => {
    const prints = [page('1'), page('2'), page('1', 'xyz.live.dynatrace.com')].map(
      (url) => says(problem(`OPEN Slow\n<${url}>`), 'fingerprint').fingerprint,
    );
    expect(new Set(prints).size).toBe(3);
    expect(says(problem('OPEN Slow'), 'format')).toStrictEqual({ format: 'generic' });
  });
});
