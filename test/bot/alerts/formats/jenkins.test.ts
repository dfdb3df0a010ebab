import { describe, expect, it } from 'vitest';
import { messageOf, says, toolMessage, variant } from '../fixtures.ts';

const FAILURE = 'jenkins-failure';
const page = 'https://ci.example.io/job/shop/job/release%2F2.1/9/display/redirect';
const saying = (value: string) =>
  variant(FAILURE, { fallback: value, fields: [{ title: '', value, short: false }] });

describe("a build of Jenkins'", () => {
  it.each([
    ['Failure after 3 min 12 sec', 'firing', 'Failure'],
    ['Still Failing after 4 sec', 'firing', 'Still Failing'],
    ['Unstable after 2 hr', 'firing', 'Unstable'],
    ['Regression after 2 hr', 'firing', 'Regression'],
    ['Back to normal after 1 day 2 hr', 'resolved', 'Back to normal'],
    ['Success after 1 min', 'not_an_alert', 'Success'],
    ['Aborted after 1 min', 'not_an_alert', 'Aborted'],
    ['Not built after 1 ms', 'not_an_alert', 'Not built'],
    ['Started by changes from dana (3 file(s) changed)', 'not_an_alert', 'Started by changes from dana'],
  ])('%s is %s', (status, kind, word) => {
    const message = saying(`shop » release/2.1 - #9 ${status} (<${page}|Open>)`);
    expect(says(message, 'format', 'kind', 'title', 'service', 'alertUrl')).toStrictEqual({
      format: 'jenkins',
      kind,
      title: `shop » release/2.1 - #9 ${word}`,
      service: 'shop » release/2.1',
      alertUrl: page,
    });
  });

  it('is one alert a job, whatever the number', () => {
    const one = says(messageOf(FAILURE), 'fingerprint');
    expect(
      says(saying(`checkout » main - #9999 Unstable after 1 min (<${page}|Open>)`), 'fingerprint'),
    ).toStrictEqual(one);
    expect(
      says(saying(`checkout » dev - #482 Failure after 1 min (<${page}|Open>)`), 'fingerprint'),
    ).not.toStrictEqual(one);
  });

  it('may have a name with a dash, a build with a name of its own, and a summary of its tests', () => {
    const message = saying(
      `web - e2e - v1.2.3 Unstable after 1 min (<${page}|Open>)\nTest Status:\n\tPassed: 10, Failed: 2, Skipped: 0`,
    );
    expect(says(message, 'title', 'service', 'errorMessage')).toStrictEqual({
      title: 'web - e2e - v1.2.3 Unstable',
      service: 'web - e2e',
      errorMessage: 'Test Status:\n\tPassed: 10, Failed: 2, Skipped: 0',
    });
  });

  it("is recognised by its link, under any app name; another's line is not Jenkins'", () => {
    const text = (link: string) => toolMessage({ text: `shop - #9 Failure after 1 min (<${link}|Open>)` });
    expect(says(text(page), 'format')).toStrictEqual({ format: 'jenkins' });
    expect(says(text('https://ci.example.io/builds/9'), 'format')).toStrictEqual({ format: 'generic' });
  });
});
