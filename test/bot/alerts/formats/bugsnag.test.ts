import { describe, expect, it } from 'vitest';
import { messageOf, says, toolMessage } from '../fixtures.ts';

const PROJECT = '<https://app.bugsnag.com/acme/shop|shop>';
const DETAILS = '<https://app.bugsnag.com/acme/shop/errors/77ab|(details)>';
const said = (text: string, parts: Record<string, unknown> = {}) =>
  toolMessage({ username: 'Bugsnag', text, ...parts });

describe("an error of Bugsnag's", () => {
  it.each([
    ['New error in production from shop: KeyError: sku', 'KeyError', 'sku', 'production', 'shop'],
    ['KeyError in production from shop\nsku', 'KeyError', 'sku', 'production', 'shop'],
    [
      '[shop] New error in staging: App\\Errors\\Gone: basket',
      'App\\Errors\\Gone',
      'basket',
      'staging',
      'shop',
    ],
    ['[shop] KeyError: sku', 'KeyError', 'sku', null, 'shop'],
    [`10th event in qa from ${PROJECT} in Cart ${DETAILS}\nKeyError: sku`, 'KeyError', 'sku', 'qa', 'shop'],
    ['New error in production from shop: basket is empty', null, 'basket is empty', 'production', 'shop'],
  ])('is read from its lines: %s', (text, errorType, errorMessage, environment, service) => {
    expect(
      says(said(text), 'format', 'kind', 'errorType', 'errorMessage', 'environment', 'service'),
    ).toStrictEqual({ format: 'bugsnag', kind: 'firing', errorType, errorMessage, environment, service });
  });

  it('states how bad it is only where it says so', () => {
    const severities = ['New warning', 'New error'].map(
      (what) => says(said(`${what} in production from ${PROJECT} in Cart ${DETAILS}`), 'severity').severity,
    );
    expect(severities).toStrictEqual(['medium', null]);
  });

  it('is a spike of a whole project', () => {
    const spike = said(`Spike of 140 exceptions/minute from ${PROJECT}`);
    expect(says(spike, 'format', 'kind', 'title', 'service')).toStrictEqual({
      format: 'bugsnag',
      kind: 'firing',
      title: 'Spike of 140 exceptions/minute from shop',
      service: 'shop',
    });
    const other = said(`Spike of 90 exceptions/minute from ${PROJECT}`);
    expect(says(other, 'fingerprint')).toStrictEqual(says(spike, 'fingerprint'));
  });

  it.each([
    `Dana commented on KeyError: sku ${DETAILS}`,
    `Error ignored in production from ${PROJECT} ${DETAILS}`,
  ])('is not an alert in: %s', (text) => {
    expect(says(said(text), 'format', 'kind')).toStrictEqual({ format: 'bugsnag', kind: 'not_an_alert' });
  });

  it('is another one at another address, and the same wherever it is told', () => {
    const one = messageOf('bugsnag-plain');
    const other = JSON.parse(JSON.stringify(one).replace('5f1c0e7a', '5f1c0e7b'));
    expect(says(other, 'fingerprint')).not.toStrictEqual(says(one, 'fingerprint'));
  });

  it('is not parsed when another tool links to it', () => {
    expect(
      says(toolMessage({ text: `KeyError in production from ${PROJECT} ${DETAILS}` }), 'format'),
    ).toStrictEqual({ format: 'generic' });
  });
});
